#include "stutterscope/import/read.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void note_decoding(const struct import_options *options, struct import_reading *reading)
{
    int64_t nul_bytes = import_input_nul_bytes(reading->input);
    char *note;

    if (nul_bytes > 0) {
        note = memory_print("%" PRId64 " NUL bytes were left out (a log that was not closed, for example).",
                            nul_bytes);
        import_log_note(reading->log, note);
        free(note);
    }
    reading->encoding = import_input_encoding(reading->input);
    if (strcmp(reading->encoding, "UTF-8") != 0) {
        bool guessed = !options->encoding && strncmp(reading->encoding, "UTF-16", 6) != 0;

        note = memory_print("The text was read as %s%s.", reading->encoding,
                            guessed ? ", which is a guess from its bytes: if names look wrong, name the encoding with --encoding" : "");
        import_log_note(reading->log, note);
        free(note);
    }
}

static const char *interval_words(const char *interval)
{
    static const struct {
        const char *interval, *words;
    } words[] = {{"present", "present intervals"},
                 {"display", "display intervals"},
                 {"duration", "how long the work on a frame took"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].interval, interval) == 0)
            return words[i].words;
    }
    return "what a test measured";
}

/* --interval asks for what the format may not have. */
static void note_interval(const struct import_options *options, struct import_reading *reading)
{
    const char *used = reading->log->interval, *asked = options->interval;
    char *note;

    if (!asked || !used || strcmp(used, asked) == 0)
        return;
    if (assembler_frames(reading->assembler) == 0)
        note = memory_print("--interval %s changes nothing: the file holds no frames.", asked);
    else if (strcmp(asked, "display") == 0 && assembler_has_display(reading->assembler))
        note = memory_print("--interval display changes nothing: in this format display intervals are only kept beside the frame times, "
                            "which are %s.",
                            interval_words(used));
    else
        note = memory_print("--interval %s changes nothing: this file tells no %s intervals, its frame times are %s.", asked, asked,
                            interval_words(used));
    import_log_note(reading->log, note);
    free(note);
}

/* Whole lines were taken; whether more should have come, nobody knows. */
static void note_end(struct import_reading *reading)
{
    if (!reading->format->lines || !import_input_ends_without_line_end(reading->input))
        return;
    import_log_note(reading->log, "The file ends without a line end: perhaps it was cut there, and more should follow.");
}

static bool read_input(const struct import_options *options, struct dictionary *texts,
                       const struct segment_sink *sink, struct import_reading *reading, struct error *error)
{
    struct import_reader reader = {.input = reading->input, .options = options};

    if (!column_check_maps(options, error))
        return false;
    if (options->beside && *options->beside)
        import_log_note(reading->log, options->beside);
    reading->format = import_format_find(import_input_sample(reading->input), options, error);
    if (!reading->format)
        return false;
    reading->assembler = assembler_create(options, texts, reading->log, sink, error);
    if (!reading->assembler)
        return false;
    reader.sink = assembler_sink(reading->assembler);
    if (reading->format->samples_only && !reader.sink->sample)
        return error_set(
            error, ERROR_INPUT,
            "%s: one row a second and no single frames, so no stutter can be found in it, and its values are "
            "not taken for frame times. Record every frame with a tool that "
            "--formats lists.",
            reading->format->title);
    if (!reading->format->read(&reader, error))
        return false;
    note_decoding(options, reading);
    note_end(reading);
    note_interval(options, reading);
    if (!assembler_finish(reading->assembler, error))
        return false;
    if (assembler_frames(reading->assembler) == 0 && !reading->format->samples_only)
        import_log_note(reading->log, "There are samples and no frames: they count for the coverage and are compared by build (samples, "
                                      "snapshots); no distribution of frame times and no stutter windows come of them.");
    return true;
}

bool import_read(struct byte_source *source, const char *path, const struct import_options *options,
                 struct dictionary *texts, const struct segment_sink *sink, const struct progress *progress,
                 struct import_reading *ret, struct error *error)
{
    static const struct import_options nothing_said;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    bool fine;

    if (!options)
        options = &nothing_said;
    memset(ret, 0, sizeof *ret);
    ret->log = import_log_create();
    ret->input = import_input_open(source, path, options->encoding, progress, error);
    if (!ret->input)
        return false;
    ret->encoding = import_input_encoding(ret->input);
    fine = read_input(options, texts, sink, ret, error);
    ret->bytes = import_input_bytes(ret->input);
    if (!fine && error && error->code != ERROR_USAGE && error->code != ERROR_STOPPED)
        error_prefix(error, "%s", name);
    return fine;
}

void import_reading_free(struct import_reading *reading)
{
    assembler_destroy(reading->assembler);
    import_log_destroy(reading->log);
    import_input_close(reading->input);
    memset(reading, 0, sizeof *reading);
}
