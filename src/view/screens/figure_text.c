#include "figure_text.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/telemetry.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* value is in units of 10^-decimals (0 … 9). Screens print thousands of these for a key: without printf. */
static struct figure_text fixed(int64_t value, int decimals, const char *plus)
{
    struct figure_text text;
    char digits[32], *at = digits + sizeof digits;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    const char *sign = value < 0 ? "-" : value > 0 ? plus : "";
    size_t before = strlen(sign);
    *--at = '\0';
    for (int i = 0; size > 0 || i <= decimals; i++) {
        if (i == decimals && decimals > 0)
            *--at = '.';
        *--at = (char)('0' + size % 10);
        size /= 10;
    }
    memcpy(text.text, sign, before);
    memcpy(text.text + before, at, (size_t)(digits + sizeof digits - at));
    return text;
}

static int64_t tenths_of_ms(int64_t ns)
{
    const int64_t tenth = NS_PER_MS / 10;
    return (ns + (ns < 0 ? -tenth / 2 : tenth / 2)) / tenth;
}

struct figure_text figure_ms(int64_t ns)
{
    if (ns == VALUE_UNKNOWN)
        return (struct figure_text){""};
    return fixed(tenths_of_ms(ns), 1, "");
}

struct figure_text figure_delta_ms(int64_t ns)
{
    if (ns == VALUE_UNKNOWN)
        return (struct figure_text){""};
    return fixed(tenths_of_ms(ns), 1, "+");
}

struct figure_text figure_number(double value, int decimals)
{
    double scaled = value * pow(10, decimals);
    if (!isfinite(scaled) || fabs(scaled) > 9e15)
        return (struct figure_text){""};
    return fixed(llround(scaled), decimals, "");
}

struct figure_text figure_share(int64_t part, int64_t whole)
{
    struct figure_text text;
    snprintf(text.text, sizeof text.text, "%" PRId64 "/%" PRId64, part, whole);
    return text;
}

struct figure_text figure_build(const char *name)
{
    struct figure_text text;
    const char *open = name ? strrchr(name, '(') : NULL;
    snprintf(text.text, sizeof text.text, "%s", open && strchr(open, ')') ? open : name ? name : "none");
    return text;
}

struct figure_text figure_seconds(int64_t ns)
{
    struct figure_text text = fixed((ns + 5 * NS_PER_MS) / (10 * NS_PER_MS), 2, "");
    size_t length = strlen(text.text);
    snprintf(text.text + length, sizeof text.text - length, " s");
    return text;
}

struct figure_text figure_time(int64_t ns)
{
    struct figure_text text;
    clock_print_position(text.text, sizeof text.text, ns);
    return text;
}

struct figure_text figure_time_exact(int64_t ns)
{
    struct figure_text text = figure_time(ns);
    size_t length = strlen(text.text);
    if (length > 0 && ns >= 0)
        snprintf(text.text + length, sizeof text.text - length, "%02" PRId64,
                 (int64_t)(ns / NS_PER_MS % 100));
    return text;
}

struct figure_text figure_grouped(int64_t value)
{
    struct figure_text plain, text;
    if (value == VALUE_UNKNOWN)
        return (struct figure_text){""};
    snprintf(plain.text, sizeof plain.text, "%" PRId64, value);
    size_t length = strlen(plain.text), at = 0;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && plain.text[i - 1] != '-')
            text.text[at++] = ' ';
        text.text[at++] = plain.text[i];
    }
    text.text[at] = '\0';
    return text;
}
