/*
 * Deep copies of JSON values. Numbers with at most six decimals stay exact.
 */
#ifndef STUTTERSCOPE_TICKET_COPY_H
#define STUTTERSCOPE_TICKET_COPY_H

#include "stutterscope/base/json.h"

/* Texts are cut to so many columns, 0: not at all. NULL copies as null. */
struct json *copy_value(const struct json *value, size_t columns);
/* Every member whose name is not there yet. */
void copy_members(struct json *to, const struct json *object, size_t columns);

#endif
