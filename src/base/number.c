#include "stutterscope/base/number.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/wide.h"

#include <endian.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FAST_DIGITS 18 /* 10^18 - 1 fits into uint64_t with room for a carry */
#define MOST_PLACES 6  /* digits after the point that number_print_scaled() writes */

static const uint64_t powers[FAST_DIGITS + 1] = {
    1ULL,
    10ULL,
    100ULL,
    1000ULL,
    10000ULL,
    100000ULL,
    1000000ULL,
    10000000ULL,
    100000000ULL,
    1000000000ULL,
    10000000000ULL,
    100000000000ULL,
    1000000000000ULL,
    10000000000000ULL,
    100000000000000ULL,
    1000000000000000ULL,
    10000000000000000ULL,
    100000000000000000ULL,
    1000000000000000000ULL,
};

/* A decimal as it stands in the text: digits, with the mark (if any) among them, and the exponent. */
struct decimal {
    const char *begin, *end; /* of digits and mark */
    const char *mark;        /* NULL: none, that is, at end */
    int64_t exponent;
    bool negative;
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void trim(const char **begin, const char **end)
{
    while (*begin < *end && is_blank(**begin))
        (*begin)++;
    while (*begin < *end && is_blank((*end)[-1]))
        (*end)--;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

bool number_is_absent(const char *text, size_t length)
{
    static const char *const words[] = {"", "na", "n/a", "-", "null", "none"};
    const char *end = text + length;

    trim(&text, &end);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(text, (size_t)(end - text), words[i]))
            return true;
    }
    return false;
}

/* Names of values that are no finite number, as C libraries, Java, Python and old Windows write them. */
static bool is_not_finite_word(const char *text, size_t length)
{
    static const char *const words[] = {"nan", "inf", "infinity", "\u221E"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_word(text, length, words[i]))
            return true;
    }
    return length >= 5 && strncasecmp(text, "nan(", 4) == 0 && text[length - 1] == ')';
}

static enum number_fault classify_words(const char *text, const char *end)
{
    return is_not_finite_word(text, (size_t)(end - text)) ? NUMBER_NOT_FINITE : NUMBER_NOT_A_NUMBER;
}

static bool is_hexadecimal(const char *text, const char *end)
{
    return end - text > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' &&
           (is_digit(text[2]) || ((text[2] | 0x20) >= 'a' && (text[2] | 0x20) <= 'f'));
}

/* Reads "e+12" at text; returns where it ends, or text when there is no exponent. */
static const char *scan_exponent(const char *text, const char *end, int64_t *ret)
{
    const int64_t limit = 1000000000000000000;
    const char *at = text;
    bool negative = false;
    int64_t value = 0;

    if (at == end || (*at | 0x20) != 'e')
        return text;
    at++;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end || !is_digit(*at))
        return text;
    for (; at < end && is_digit(*at); at++) {
        if (value < limit / 10)
            value = value * 10 + (*at - '0');
    }
    *ret = negative ? -value : value;
    return at;
}

/* The grammar, and the words for everything that is outside of it. */
static enum number_fault scan_decimal(const char *text, size_t length, bool comma, struct decimal *decimal)
{
    const char *end = text + length, *at;
    size_t digits = 0;

    if (number_is_absent(text, length))
        return NUMBER_EMPTY;
    trim(&text, &end);
    *decimal = (struct decimal){.negative = *text == '-'};
    if (*text == '-' || *text == '+')
        text++;
    if (is_hexadecimal(text, end))
        return NUMBER_HEXADECIMAL;
    for (at = text; at < end; at++) {
        if (is_digit(*at))
            digits++;
        else if (!decimal->mark && (*at == '.' || (comma && *at == ',')))
            decimal->mark = at;
        else
            break;
    }
    if (digits == 0)
        return classify_words(text, end);
    decimal->begin = text;
    decimal->end = at;
    /* "1.#IND", "1.#INF", "-1.#QNAN": old Windows run-time libraries. */
    if (at < end && *at == '#' && decimal->mark == at - 1)
        return NUMBER_NOT_FINITE;
    at = scan_exponent(at, end, &decimal->exponent);
    return at == end ? NUMBER_OK : NUMBER_TRAILING_TEXT;
}

static double decimal_to_double(const char *begin, const char *end)
{
    /* glibc's "C" locale object is static: nothing to release, nothing to fail. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *copy = memory_copy_bytes(begin, (size_t)(end - begin));
    double value;

    for (char *at = copy; *at; at++) {
        if (*at == ',')
            *at = '.';
    }
    value = strtod_l(copy, NULL, plain);
    free(copy);
    freelocale(plain);
    return value;
}

/*
 * Exact for any number of digits. The whole part is at most 19 digits long, else the result is too large; 19 digits fit
 * into 64 bits without a sign. The
 * fraction is multiplied by scale from its last digit to its first, dividing by ten at each step: dropping
 * what is left of every step changes neither the whole part of the product nor its first decimal, and that
 * one decides the rounding.
 */
static bool scale_decimal(const struct decimal *decimal, uint64_t scale, uint64_t *ret)
{
    const char *mark = decimal->mark ? decimal->mark : decimal->end;
    const char *first = decimal->begin, *at;
    uint64_t whole = 0, fraction = 0; /* the fraction is always less than the scale */
    int64_t point, position = 0; /* number of digits before the shifted point, counted from the first not 0 */
    unsigned decimal_digit = 0;

    while (first < decimal->end && (*first == '0' || first == mark))
        first++;
    if (first == decimal->end) {
        *ret = 0;
        return true;
    }
    point = (mark > first ? mark - first : mark - first + 1) + decimal->exponent;
    if (point > 19)
        return false;
    if (point < -19) { /* less than 10^-20 times 2^63: rounds to 0 */
        *ret = 0;
        return true;
    }
    for (at = first; position < point; position++) {
        if (at == mark && at < decimal->end)
            at++;
        whole = whole * 10 + (unsigned)(at < decimal->end ? *at++ - '0' : 0);
    }
    for (const char *last = decimal->end; last > at;) {
        uint64_t digit;

        if (--last == mark)
            continue;
        fraction = wide_scale((unsigned)(*last - '0'), scale, fraction, 10, &digit);
        decimal_digit = (unsigned)digit;
    }
    for (; point < 0; point++) {
        decimal_digit = (unsigned)(fraction % 10);
        fraction /= 10;
    }
    *ret = wide_scale(whole, scale, fraction + (decimal_digit >= 5), 1, NULL);
    return *ret <= INT64_MAX;
}

__attribute__((noinline)) static enum number_fault parse_slowly(const char *text, size_t length,
                                                                int64_t scale, bool comma, int64_t *ret)
{
    struct decimal decimal;
    enum number_fault fault = scan_decimal(text, length, comma, &decimal);
    uint64_t value;

    if (fault != NUMBER_OK)
        return fault;
    if (!scale_decimal(&decimal, (uint64_t)scale, &value)) {
        const char *end = text + length;

        return isinf(decimal_to_double(decimal.begin, end)) ? NUMBER_NOT_FINITE : NUMBER_TOO_LARGE;
    }
    *ret = decimal.negative ? -(int64_t)value : (int64_t)value;
    return NUMBER_OK;
}

/*
 * Reads 4 to 8 characters "123.456" at once, without a loop whose length no processor can foresee. They are
 * put right-aligned into one word (first character lowest) with '0' before them; the point is taken out by
 * moving what is before it; then pairs, fours and eights of digits are joined by one multiplication each.
 */
static bool read_short_decimal(const char *text, size_t length, uint64_t *ret_value, size_t *ret_places)
{
    const uint64_t ones = 0x0101010101010101, zeros = '0' * ones, high_halves = 0xF0 * ones;
    uint32_t first, last;
    uint64_t word, points;

    memcpy(&first, text, 4);
    memcpy(&last, text + length - 4, 4);
    word = (uint64_t)le32toh(last) << 32 | (uint64_t)le32toh(first) << (64 - 8 * length);
    if (length < 8)
        word |= zeros >> 8 * length;
    *ret_places = 0;
    points = word ^ '.' * ones;
    points = (points - ones) & ~points & 0x80 * ones; /* the lowest bit is the first point */
    if (points) {
        unsigned at = (unsigned)__builtin_ctzll(points) & ~7U;
        uint64_t before = ((uint64_t)1 << at) - 1;

        word = (word & ~(before << 8 | 0xFF)) | (word & before) << 8 | '0';
        *ret_places = 7 - at / 8;
    }
    if ((word & high_halves) != zeros || ((word + 6 * ones) & high_halves) != zeros)
        return false;
    word = (word & 0x0F * ones) * (10 << 8 | 1) >> 8;
    word = (word & 0x00FF00FF00FF00FF) * (100 << 16 | 1) >> 16;
    *ret_value = (word & 0x0000FFFF0000FFFF) * ((uint64_t)10000 << 32 | 1) >> 32;
    return true;
}

/* Up to FAST_DIGITS characters: digits with at most one mark among them and nothing else. */
static bool read_plain_decimal(const char *text, size_t length, bool comma, uint64_t *ret_value,
                               size_t *ret_places)
{
    const char *at = text, *end = text + length, *digits;
    uint64_t value = 0;

    for (; at < end && is_digit(*at); at++)
        value = value * 10 + (unsigned)(*at - '0');
    if (at == text)
        return false;
    *ret_places = 0;
    if (at < end && (*at == '.' || (comma && *at == ','))) {
        for (digits = ++at; at < end && is_digit(*at); at++)
            value = value * 10 + (unsigned)(*at - '0');
        *ret_places = (size_t)(at - digits);
    }
    *ret_value = value;
    return at == end;
}

/*
 * Called for every cell of every imported file: plain decimals of up to 18 characters are done here,
 * everything else (blanks, exponents, long digits, faults) is left to the slow and thorough way.
 */
enum number_fault number_parse_scaled(const char *text, size_t length, int64_t scale, bool comma,
                                      int64_t *ret)
{
    bool negative = length > 0 && *text == '-';
    const char *plain = text + negative;
    size_t plain_length = length - negative, places;
    uint64_t value, scaled;

    if (plain_length > FAST_DIGITS)
        return parse_slowly(text, length, scale, comma, ret);
    if (!(plain_length >= 4 && plain_length <= 8 &&
          read_short_decimal(plain, plain_length, &value, &places)) &&
        !read_plain_decimal(plain, plain_length, comma, &value, &places))
        return parse_slowly(text, length, scale, comma, ret);

    if (scale == NS_PER_MS && places <= 6) {
        /* By far the most frequent case (milliseconds to ns) needs no division. */
        if (__builtin_mul_overflow(value, powers[6 - places], &scaled))
            return NUMBER_TOO_LARGE;
    } else {
        if (__builtin_mul_overflow(value, (uint64_t)scale, &scaled))
            return parse_slowly(text, length, scale, comma, ret);
        if (places > 0) {
            uint64_t rest = scaled % powers[places];

            scaled = scaled / powers[places] + (rest >= powers[places] - rest);
        }
    }
    if (scaled > INT64_MAX)
        return NUMBER_TOO_LARGE;
    *ret = negative ? -(int64_t)scaled : (int64_t)scaled;
    return NUMBER_OK;
}

enum number_fault number_parse_decimal(const char *text, size_t length, bool comma, double *ret)
{
    const char *end = text + length;
    struct decimal decimal;
    enum number_fault fault = scan_decimal(text, length, comma, &decimal);
    double value;

    if (fault != NUMBER_OK)
        return fault;
    value = decimal_to_double(decimal.begin, end);
    if (isinf(value))
        return NUMBER_NOT_FINITE;
    *ret = decimal.negative ? -value : value;
    return NUMBER_OK;
}

enum number_fault number_parse_double(const char *text, size_t length, double *ret)
{
    return number_parse_decimal(text, length, false, ret);
}

bool number_is_whole(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return false;
    }
    return length > 0;
}

const char *number_fault_text(enum number_fault fault)
{
    static const char *const words[] = {
        [NUMBER_OK] = "a number",
        [NUMBER_EMPTY] = "empty",
        [NUMBER_NOT_A_NUMBER] = "not a number",
        [NUMBER_HEXADECIMAL] = "hexadecimal",
        [NUMBER_TRAILING_TEXT] = "trailing text",
        [NUMBER_NOT_FINITE] = "not finite",
        [NUMBER_TOO_LARGE] = "too large",
    };

    return (unsigned)fault < sizeof words / sizeof *words ? words[fault] : "unknown fault";
}

char *number_print_scaled(char *buffer, size_t size, int64_t value, int64_t scale)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    uint64_t whole = magnitude / (uint64_t)scale, rest = magnitude % (uint64_t)scale;
    uint64_t fraction = wide_scale(rest, powers[MOST_PLACES] * 2, (uint64_t)scale, (uint64_t)scale * 2, NULL);
    const char *sign;
    int places = MOST_PLACES;

    if (value == VALUE_UNKNOWN) {
        if (size > 0)
            *buffer = '\0';
        return buffer;
    }
    if (fraction == powers[MOST_PLACES]) {
        whole++;
        fraction = 0;
    }
    sign = value < 0 && (whole > 0 || fraction > 0) ? "-" : "";
    while (places > 0 && fraction % 10 == 0) {
        fraction /= 10;
        places--;
    }
    if (places == 0)
        snprintf(buffer, size, "%s%llu", sign, (unsigned long long)whole);
    else
        snprintf(buffer, size, "%s%llu.%0*llu", sign, (unsigned long long)whole, places,
                 (unsigned long long)fraction);
    return buffer;
}

/* Takes away zeros after the point, the point, and the sign of "-0". */
static void strip_zeros(char *text)
{
    size_t length = strlen(text);

    if (strchr(text, '.')) {
        while (text[length - 1] == '0')
            length--;
        if (text[length - 1] == '.')
            length--;
        text[length] = '\0';
    }
    if (strcmp(text, "-0") == 0)
        memcpy(text, "0", sizeof "0");
}

/*
 * Figures on screens: up to 12 digits, by integers, twenty times as fast as printf. False where the last digit could be
 * another one: near the middle between two, where only the exact value of the binary fraction tells.
 */
static bool print_scaled(char text[32], double value, int decimals)
{
    enum { MOST_DECIMALS = 6 };
    double scaled, whole, rest;
    char digits[24];
    int count = 0;

    if (decimals > MOST_DECIMALS)
        return false;
    scaled = fabs(value) * (double)powers[decimals];
    if (!(scaled < 1e12)) /* the product is off by 1e-4 at most */
        return false;
    rest = modf(scaled, &whole);
    if (fabs(rest - 0.5) < 1e-3)
        return false;

    uint64_t left = (uint64_t)whole + (rest > 0.5);

    while (left || count <= decimals) {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    }
    if (signbit(value))
        *text++ = '-';
    while (count) {
        if (count == decimals)
            *text++ = '.';
        *text++ = digits[--count];
    }
    *text = '\0';
    return true;
}

char *number_print_double(char *buffer, size_t size, double value, int decimals)
{
    /* The longest: sign, 309 digits, point, decimals (1074 at most have meaning). */
    char text[1 + 309 + 1 + 1074 + 1];
    locale_t plain, before;

    if (size == 0)
        return buffer;
    *buffer = '\0';
    if (!isfinite(value))
        return buffer;
    decimals = decimals < 0 ? 0 : decimals > 1074 ? 1074 : decimals;
    if (print_scaled(text, value, decimals)) {
        size_t length;

        strip_zeros(text);
        length = strlen(text) < size ? strlen(text) : size - 1;
        memcpy(buffer, text, length);
        buffer[length] = '\0';
        return buffer;
    }
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    before = uselocale(plain);
    snprintf(text, sizeof text, "%.*f", decimals, value);
    /* Beyond 15 digits the tail is the noise of binary fractions: take the first length that reads back the
     * same. */
    if (decimals > 0 && strlen(text) > 15) {
        int places = 0;

        do {
            snprintf(text, sizeof text, "%.*f", places, value);
        } while (strtod(text, NULL) != value && ++places <= decimals);
    }
    uselocale(before);
    freelocale(plain);
    strip_zeros(text);
    snprintf(buffer, size, "%s", text);
    return buffer;
}
