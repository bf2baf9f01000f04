/*
 * JSON documents; the only face of cJSON. Numbers that must stay exact are written as decimal text by us.
 */
#ifndef STUTTERSCOPE_BASE_JSON_H
#define STUTTERSCOPE_BASE_JSON_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json; /* a value: object, array, text, number, bool or null */

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

/* Parses a whole document; nesting over 100 and text after the end are errors that name the byte offset. */
struct json *json_parse(const char *text, size_t length, struct error *error);
void json_destroy(struct json *value); /* of a root only */

enum json_kind json_kind(const struct json *value); /* NULL is JSON_NULL */
/* Exact case; NULL when absent. Of members with the same name it is the first. */
const struct json *json_member(const struct json *object, const char *name);
size_t json_count(const struct json *array_or_object);
const struct json *json_item(const struct json *array, size_t index); /* linear from the start: iterate instead */
const struct json *json_first(const struct json *array_or_object);
const struct json *json_next(const struct json *item);
const char *json_name(const struct json *item); /* of a member of an object */
const char *json_text(const struct json *value); /* NULL when it is no text */
bool json_number(const struct json *value, double *ret);
bool json_is_true(const struct json *value);

/* Building. Adding hands the child over to the parent. Text is cleaned by the caller (base/text). */
struct json *json_object(void);
struct json *json_array(void);
void json_add(struct json *object, const char *name, struct json *value);
void json_append(struct json *array, struct json *value);
struct json *json_from_text(const char *text); /* NULL gives null */
struct json *json_from_bool(bool value);
struct json *json_from_integer(int64_t value);                /* VALUE_UNKNOWN gives null */
struct json *json_from_scaled(int64_t value, int64_t scale);  /* exact decimal, see number_print_scaled(); unknown: null */
struct json *json_from_double(double value, int decimals);    /* not finite gives null */
struct json *json_null(void);

/* New strings. Pretty: two blanks of indentation. */
char *json_print(const struct json *value);
char *json_print_pretty(const struct json *value);

#endif
