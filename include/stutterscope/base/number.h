/*
 * Decimal text to integers and back, exactly and independent of the locale.
 */
#ifndef STUTTERSCOPE_BASE_NUMBER_H
#define STUTTERSCOPE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_fault {
    NUMBER_OK,
    NUMBER_EMPTY,         /* nothing, or only blanks; also NA, N/A, -, null, none: see number_is_absent() */
    NUMBER_NOT_A_NUMBER,  /* letters */
    NUMBER_HEXADECIMAL,   /* 0x10 */
    NUMBER_TRAILING_TEXT, /* 16.6ms */
    NUMBER_NOT_FINITE,    /* nan, inf, 1e400 */
    NUMBER_TOO_LARGE      /* does not fit into int64_t after scaling */
};

/*
 * Reads a decimal number ("16.667", "-3", "1.5e-3"; blanks around it allowed; `comma` also accepts ',' as the decimal
 * mark) and multiplies it by scale (for example 1000000 for ms to ns). Digits beyond the resolution are rounded to
 * nearest, half away from zero; everything else is exact. *ret is set only on NUMBER_OK.
 */
enum number_fault number_parse_scaled(const char *text, size_t length, int64_t scale, bool comma, int64_t *ret);
enum number_fault number_parse_double(const char *text, size_t length, double *ret);
enum number_fault number_parse_decimal(const char *text, size_t length, bool comma, double *ret); /* the same with `comma` */
/* Digits and nothing else, at least one. */
bool number_is_whole(const char *text, size_t length);

/* Texts with which tools write "no value": empty, NA, N/A, -, null, none (any case). "nan" is not among them. */
bool number_is_absent(const char *text, size_t length);

/* Words for people: "not a number", "trailing text", … */
const char *number_fault_text(enum number_fault fault);

/*
 * Writes value/scale as a decimal with as many digits as needed, at most six after the point: 92400000 ns with scale
 * 1000000 is "92.4". Returns buffer. VALUE_UNKNOWN gives "".
 */
char *number_print_scaled(char *buffer, size_t size, int64_t value, int64_t scale);
/* Shortest decimal with at most `decimals` digits after the point, no exponent, no trailing zeros; "-0" is "0". */
char *number_print_double(char *buffer, size_t size, double value, int decimals);

#endif
