/*
 * Rows that a server sends, read as they arrive: the format TabSeparatedWithNamesAndTypes, whose header says
 * whether the answer is what was asked for. The sender is not trusted: lines, rows and values have limits.
 */
#ifndef STUTTERSCOPE_REMOTE_ANSWER_H
#define STUTTERSCOPE_REMOTE_ANSWER_H

#include "stutterscope/base/error.h"
#include <stddef.h>
#include <stdint.h>

enum answer_kind {
    ANSWER_INTEGER, /* any whole number that fits into int64_t */
    ANSWER_TEXT
};
struct answer_column {
    const char *name;
    enum answer_kind kind;
};
struct answer_value {
    int64_t integer;
    const char *text; /* unescaped and ended by a NUL; may hold any other byte too */
    size_t length;
};

enum {
    ANSWER_LINE_MOST = 1 << 20, /* bytes */
    ANSWER_ROWS_MOST = 50000000,
    ANSWER_COLUMNS_MOST = 64
};

struct answer;
/* row: called for every complete row; false ends it, with its error. The columns must outlive the answer. */
struct answer *answer_create(const struct answer_column *columns, size_t count,
                             bool (*row)(void *user, const struct answer_value *values, struct error *error),
                             void *user);
/* The next bytes. false with ERROR_INPUT when they are not what was asked for. */
bool answer_take(struct answer *answer, const char *bytes, size_t size, struct error *error);
/* The end of the answer: false when it was cut. */
bool answer_finish(struct answer *answer, struct error *error);
int64_t answer_rows(const struct answer *answer);
void answer_destroy(struct answer *answer);

#endif
