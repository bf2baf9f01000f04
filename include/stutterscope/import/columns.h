/*
 * The canonical names: what a column (or JSON member) of that name is, in which unit; and which names are
 * personal.
 */
#ifndef STUTTERSCOPE_IMPORT_COLUMNS_H
#define STUTTERSCOPE_IMPORT_COLUMNS_H

#include "stutterscope/import/options.h"
#include <stdint.h>

enum column_kind {
    COLUMN_IS_UNKNOWN,
    COLUMN_IS_NUMBER,  /* index: enum frame_column, times scale gives ns, bytes or a count */
    COLUMN_IS_TEXT,    /* index: enum frame_column that holds a text id */
    COLUMN_IS_CONTEXT, /* index: enum context_field */
    COLUMN_IS_FLAG,    /* index: enum frame_flag; 1, true, yes set it */
    COLUMN_IS_SAMPLE   /* index: enum sample_part; rows with a name or category are values beside frames */
};
enum sample_part {
    SAMPLE_NAME,
    SAMPLE_UNIT,
    SAMPLE_VALUE,
    SAMPLE_CATEGORY, /* of a snapshot of memory */
    SAMPLE_BYTES,
    SAMPLE_PROFILER,
    SAMPLE_PARTS
};
struct column_target {
    enum column_kind kind;
    int index;
    int64_t scale;
};

/* By canonical name, without regard to case and outer blanks; "timestamp_ns", "frame_time_us", … give other
 * scales. */
bool column_find(const char *name, size_t length, struct column_target *ret);
/* The same after the user's maps: a mapped column of the file counts as the canonical one. */
bool column_find_mapped(const struct import_options *options, const char *name, size_t length,
                        struct column_target *ret);
/* Is there a map for this canonical column that says the file has none ("timestamp_ms=none")? */
bool column_is_mapped_to_none(const struct import_options *options, const char *canonical);
/* Is that the name in the field, without blanks, byte order mark and regard to case? */
bool column_is_named(const char *text, size_t length, const char *name);
/* Checks "canonical=their" of all maps; false with ERROR_USAGE that names the wrong one. */
bool column_check_maps(const struct import_options *options, struct error *error);
/*
 * Every column that the user names with --map is in the file: a typing error must not look like a file without it. NULL,
 * or the first map ("canonical=theirs") whose column is not there; has() says whether the file has the name.
 */
const char *column_map_without_column(const struct import_options *options, bool (*has)(const void *user, const char *name),
                                      const void *user);
/* Names that look like personal data: their columns are left out and named. */
bool personal_column(const char *name);

/*
 * Cleans a text from a file (base/text), with line breaks shown as a mark, outer blanks as they are, and
 * gives its id; 0 for an empty one. *broken (may be NULL) is set when bytes had to be replaced.
 */
uint32_t column_add_text(struct dictionary *texts, const char *text, size_t length, bool *broken);

#endif
