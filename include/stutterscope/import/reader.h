/*
 * What a reader of a format gets, and how to write one.
 *
 * A format is one file src/import/NAME.c that ends in its `const struct import_format`, plus one line in
 * formats.c:
 *
 *   1. detect() looks at the sample (64 KB, decoded) and gives a score: 0 not mine, 50 probably, 90 surely;
 * the highest wins. A file that can be named but not used (a summary, a binary variant) is DETECT_REFUSED
 * with an error that says what to export instead.
 *   2. read() tells sink->facts() once (version, what a frame time is, whether holes mean anything), then
 * reads import_input_next_line() (or _read_all(), _raw()) to the end and returns import_input_end().
 *   3. Frames go through a frame_batch (batch.h): set the context, fill one row, add it. Stamps are the END
 * of the frame in ns; sources that stamp the start add the frame time. No stamps: leave the column out.
 *   4. Fields of the context are texts: column_add_text() of columns.h cleans them. Empty stays 0.
 *      What the user said with options is joined later, a reader never looks at options->context.
 *   5. A row that is no frame is given to sink->reject() with its line: nothing disappears without being
 * counted.
 *   6. Columns nobody wants go to sink->column_left_out(); personal_column() tells which are personal.
 *   7. Whatever is guessed, dropped or converted is one sentence for sink->note().
 *   8. Formats with a header row use table.h for separator, quotes and names; several streams in one file use
 *      streams.h to choose one.
 *   9. Errors name the line, what was expected and found and what to do; the file's name is put before them
 * later.
 *  10. Runs, visits, gaps, clock steps, units of stamps and missing context are the assembler's job, not
 * yours. Test: tests/unit/import/test_NAME.c with small inputs of our own and recorder.h.
 */
#ifndef STUTTERSCOPE_IMPORT_READER_H
#define STUTTERSCOPE_IMPORT_READER_H

#include "stutterscope/import/input.h"
#include "stutterscope/import/options.h"
#include "stutterscope/import/sink.h"

struct import_reader {
    struct import_input *input;
    const struct import_options *options; /* stream, interval and maps concern readers */
    const struct import_sink *sink;
};

#endif
