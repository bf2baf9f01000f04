/*
 * A scanner for JSON that keeps numbers as the text they are: a time stamp of nanoseconds does not survive a
 * double. Values are slices of the text; nested ones are skipped or looked into by the caller.
 */
#ifndef IMPORT_FLAT_JSON_H
#define IMPORT_FLAT_JSON_H

#include "stutterscope/base/text.h"
#include <stdbool.h>
#include <stddef.h>

enum flat_kind {
    FLAT_TEXT,   /* without its quotes, escapes as they stand */
    FLAT_WORD,   /* number, true, false, null, NaN: everything bare */
    FLAT_OBJECT, /* with its brackets */
    FLAT_ARRAY
};
struct flat_value {
    enum flat_kind kind;
    const char *text;
    size_t length;
    bool escaped; /* a text holds escapes */
};

const char *flat_skip_blanks(const char *at, const char *end);
/* Value at `at` (no blanks before it); returns the place after it, NULL when it is malformed, cut or too
 * deep. */
const char *flat_read_value(const char *at, const char *end, struct flat_value *ret);
/*
 * Member of an object, `at` after '{' or ','. Returns the place after the member and blanks (at ',' or '}'),
 * NULL when it is malformed.
 */
const char *flat_read_member(const char *at, const char *end, struct flat_value *ret_name,
                             struct flat_value *ret_value);
/* The text of a value without escapes, appended. */
void flat_unescape(const struct flat_value *value, struct text_buffer *ret);
/* The member of that name in a FLAT_OBJECT; false: not there. */
bool flat_find(const struct flat_value *object, const char *name, struct flat_value *ret);
/* The place of a member's value although the object may be cut off behind it; object: at '{'. NULL: not there. */
const char *flat_find_open(const char *object, const char *end, const char *name);
bool flat_is(const struct flat_value *value, const char *text);

#endif
