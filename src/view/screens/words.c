#include "words.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/telemetry.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* value is in units of 10^-decimals. */
static struct word fixed(int64_t value, int decimals, const char *plus)
{
    struct word word;
    int64_t scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    uint64_t size = value < 0 ? (uint64_t) -value : (uint64_t) value;
    const char *sign = value < 0 ? "-" : value > 0 ? plus : "";
    if (decimals > 0)
        snprintf(word.text, sizeof word.text, "%s%" PRIu64 ".%0*" PRIu64, sign, size / (uint64_t) scale, decimals,
                 size % (uint64_t) scale);
    else
        snprintf(word.text, sizeof word.text, "%s%" PRIu64, sign, size);
    return word;
}

static int64_t tenths_of_ms(int64_t ns)
{
    const int64_t tenth = NS_PER_MS / 10;
    return (ns + (ns < 0 ? -tenth / 2 : tenth / 2)) / tenth;
}

struct word word_ms(int64_t ns)
{
    return ns == VALUE_UNKNOWN ? (struct word) {""} : fixed(tenths_of_ms(ns), 1, "");
}

struct word word_delta_ms(int64_t ns)
{
    return ns == VALUE_UNKNOWN ? (struct word) {""} : fixed(tenths_of_ms(ns), 1, "+");
}

struct word word_number(double value, int decimals)
{
    double scaled = value * pow(10, decimals);
    if (!isfinite(scaled) || fabs(scaled) > 9e15)
        return (struct word) {""};
    return fixed(llround(scaled), decimals, "");
}

struct word word_share(int64_t part, int64_t whole)
{
    struct word word;
    snprintf(word.text, sizeof word.text, "%" PRId64 "/%" PRId64, part, whole);
    return word;
}

struct word word_build(const char *name)
{
    struct word word;
    const char *open = name ? strrchr(name, '(') : NULL;
    snprintf(word.text, sizeof word.text, "%s", open && strchr(open, ')') ? open : name ? name : "none");
    return word;
}

struct word word_seconds(int64_t ns)
{
    struct word word = fixed((ns + 5 * NS_PER_MS) / (10 * NS_PER_MS), 2, "");
    strcat(word.text, " s");
    return word;
}

struct word word_time(int64_t ns)
{
    struct word word;
    clock_print_position(word.text, sizeof word.text, ns);
    return word;
}

struct word word_time_exact(int64_t ns)
{
    struct word word = word_time(ns);
    size_t length = strlen(word.text);
    if (length > 0 && ns >= 0)
        snprintf(word.text + length, sizeof word.text - length, "%02" PRId64, (int64_t) (ns / NS_PER_MS % 100));
    return word;
}

struct word word_grouped(int64_t value)
{
    struct word plain, word;
    if (value == VALUE_UNKNOWN)
        return (struct word) {""};
    snprintf(plain.text, sizeof plain.text, "%" PRId64, value);
    size_t length = strlen(plain.text), at = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && plain.text[i - 1] != '-')
            word.text[at++] = ' ';
        word.text[at++] = plain.text[i];
    }
    word.text[at] = '\0';
    return word;
}
