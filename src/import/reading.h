/*
 * Small steps that readers of foreign formats share: texts for the context, sentences for the report,
 * rejected rows.
 */
#ifndef IMPORT_READING_H
#define IMPORT_READING_H

#include "stutterscope/import/batch.h"
#include "stutterscope/import/reader.h"
#include "stutterscope/import/table.h"

/* The id of a cleaned text; 0 when it is empty, "NA", "-", … */
uint32_t reading_text(const struct import_sink *sink, const char *text, size_t length);
/* PCs have no model: processor and graphics card ("cpu / gpu") say what the device is. 0 where unknown. */
void reading_name_pc(const struct import_sink *sink, struct import_context *context, uint32_t cpu,
                     uint32_t gpu);
/* One sentence for the report. */
__attribute__((format(printf, 2, 3))) void reading_note(const struct import_sink *sink, const char *format,
                                                        ...);
/* Frames that wait in the batch are older than the rejected row: they are handed over first. */
bool reading_reject(struct frame_batch *batch, enum reject_reason reason, int64_t line, const char *text,
                    size_t length, struct error *error);
void reading_clear_values(int64_t values[COLUMN_COUNT]); /* all unknown */
/* Field `at` (-1: no such column) as a number times scale; VALUE_UNKNOWN when it is absent or none. */
int64_t reading_field(const struct table_row *row, int at, int64_t scale);
/* "…/NAME.pdata" ends with ".pdata", without regard to case. */
bool reading_path_ends(const char *path, const char *end);
/* A part of a file that has no name of its own but is a run of its own: what its first row says names it. */
uint32_t reading_part_name(const struct import_sink *sink, const char *what, const char *text, size_t length);

/* Hands over a sample; name "Frame_time(ms)" is split into name and unit when unit is NULL. Not finite:
 * ignored. */
bool reading_sample(const struct import_sink *sink, const struct import_context *context, const char *name,
                    const char *unit, double value, int64_t stamp_ns, int64_t line, struct error *error);
/* The facts of a format that gives samples only, and the sentence that says why. */
void reading_samples_facts(const struct import_sink *sink, const char *version, bool has_clock);
/* Tells which names stand more than once in a header; the first column of a name counts. */
void reading_note_duplicates(const struct import_sink *sink, const struct table_row *header);

#endif
