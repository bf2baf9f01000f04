#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static enum number_fault parse(const char *text, int64_t scale, bool comma, int64_t *ret)
{
    return number_parse_scaled(text, strlen(text), scale, comma, ret);
}

Test(number, reads_decimals_exactly)
{
    static const struct {
        const char *text;
        int64_t scale, expected;
    } cases[] = {
        {"0", NS_PER_MS, 0},
        {"16.667", NS_PER_MS, 16667000},
        {"-3", NS_PER_MS, -3000000},
        {"+3", NS_PER_MS, 3000000},
        {"1.5e-3", NS_PER_MS, 1500},
        {"1.5E+3", NS_PER_MS, 1500000000},
        {"  16.6\t", NS_PER_MS, 16600000},
        {".5", NS_PER_MS, 500000},
        {"5.", NS_PER_MS, 5000000},
        {"00016.6", NS_PER_MS, 16600000},
        {"00000000000000000000000000000016.6", NS_PER_MS, 16600000},
        {"16.60000000000000000000000000000000", NS_PER_MS, 16600000},
        {"1e-320", NS_PER_MS, 0},
        {"0e999999999999999999999", NS_PER_MS, 0},
        {"1e-999999999999999999999", NS_PER_MS, 0},
        {"0.0000005", NS_PER_MS, 1},
        {"-0.0000005", NS_PER_MS, -1},
        {"0.00000049999999999999999999999999", NS_PER_MS, 0},
        {"0.00000050000000000000000000000000", NS_PER_MS, 1},
        {"5e-7", NS_PER_MS, 1},
        {"4.9999999999999999999999e-7", NS_PER_MS, 0},
        {"2.5", 1, 3},
        {"2.4999999999999999999", 1, 2},
        {"0.4", 1, 0},
        {"99.99999999999999999999", 1, 100},
        {"0.1", 1024, 102}, /* 102.4 */
        {"1.5", 60, 90},
        {"0.333333333333333333333333", 3, 1},
        {"9223372036854775807", 1, INT64_MAX},
        {"-9223372036854775807", 1, -INT64_MAX},
        {"9223372036854775807.4", 1, INT64_MAX},
        {"9223372036854.775807", NS_PER_MS, INT64_MAX},
        {"92233720368547758.07e-4", NS_PER_MS, INT64_MAX},
        {"0.0000000000000000001", 1000000000000000000, 0},
        {"0.0000000000000000005", 1000000000000000000, 1},
        {"123456789012345678", 1, 123456789012345678},
        {"100000000000000000000e-20", NS_PER_MS, 1000000},
        {"0.00000000000000000001e20", NS_PER_MS, 1000000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -77;
        enum number_fault fault = parse(cases[i].text, cases[i].scale, false, &value);

        cr_assert_eq(fault, NUMBER_OK, "%s: %s", cases[i].text, number_fault_text(fault));
        cr_assert_eq(value, cases[i].expected, "%s: %lld", cases[i].text, (long long)value);
    }
}

Test(number, tells_what_is_wrong)
{
    static const struct {
        const char *text;
        enum number_fault expected;
    } cases[] = {
        {"", NUMBER_EMPTY},
        {"  ", NUMBER_EMPTY},
        {"-", NUMBER_EMPTY},
        {"NA", NUMBER_EMPTY},
        {"n/a", NUMBER_EMPTY},
        {" Null ", NUMBER_EMPTY},
        {"None", NUMBER_EMPTY},
        {"abc", NUMBER_NOT_A_NUMBER},
        {"+", NUMBER_NOT_A_NUMBER},
        {".", NUMBER_NOT_A_NUMBER},
        {"e5", NUMBER_NOT_A_NUMBER},
        {"--5", NUMBER_NOT_A_NUMBER},
        {"+-5", NUMBER_NOT_A_NUMBER},
        {"- 5", NUMBER_NOT_A_NUMBER},
        {"nano", NUMBER_NOT_A_NUMBER},
        {"0x10", NUMBER_HEXADECIMAL},
        {"-0XfF", NUMBER_HEXADECIMAL},
        {"16.6ms", NUMBER_TRAILING_TEXT},
        {"1e", NUMBER_TRAILING_TEXT},
        {"1e+", NUMBER_TRAILING_TEXT},
        {"1.2.3", NUMBER_TRAILING_TEXT},
        {"1 2", NUMBER_TRAILING_TEXT},
        {"16,6", NUMBER_TRAILING_TEXT},
        {"1_000", NUMBER_TRAILING_TEXT},
        {"nan", NUMBER_NOT_FINITE},
        {"NaN", NUMBER_NOT_FINITE},
        {"-nan(ind)", NUMBER_NOT_FINITE},
        {"inf", NUMBER_NOT_FINITE},
        {"-Infinity", NUMBER_NOT_FINITE},
        {"1.#IND", NUMBER_NOT_FINITE},
        {"-1.#INF", NUMBER_NOT_FINITE},
        {"1e400", NUMBER_NOT_FINITE},
        {"1e999999999999999999999999", NUMBER_NOT_FINITE},
        {"1e30", NUMBER_TOO_LARGE},
        {"9223372036854.775808", NUMBER_TOO_LARGE},
        {"-9223372036854.775808", NUMBER_TOO_LARGE}, /* would be VALUE_UNKNOWN */
        {"9223372036854.7758070001", NUMBER_OK},
        {"9223372036854.7758075", NUMBER_TOO_LARGE},
        {"99999999999999", NUMBER_TOO_LARGE},
        {"999999999999999999", NUMBER_TOO_LARGE},
        {"12345678901234567890123", NUMBER_TOO_LARGE},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value = -77;
        enum number_fault fault = parse(cases[i].text, NS_PER_MS, false, &value);

        cr_assert_eq(fault, cases[i].expected, "'%s': %s", cases[i].text, number_fault_text(fault));
        if (fault != NUMBER_OK)
            cr_assert_eq(value, -77, "'%s' changed the result", cases[i].text);
    }
}

Test(number, stops_at_the_length)
{
    int64_t value;

    cr_assert_eq(number_parse_scaled("12345", 2, 1, false, &value), NUMBER_OK);
    cr_assert_eq(value, 12);
    cr_assert_eq(number_parse_scaled("1e55", 3, 1, false, &value), NUMBER_OK);
    cr_assert_eq(value, 100000);
    cr_assert_eq(number_parse_scaled("1\0002", 3, 1, false, &value), NUMBER_TRAILING_TEXT);
}

Test(number, takes_the_comma_only_when_asked)
{
    int64_t value;

    cr_assert_eq(parse("16,667", NS_PER_MS, true, &value), NUMBER_OK);
    cr_assert_eq(value, 16667000);
    cr_assert_eq(parse("16.667", NS_PER_MS, true, &value), NUMBER_OK);
    cr_assert_eq(value, 16667000);
    cr_assert_eq(parse(" 1,5e1 ", NS_PER_MS, true, &value), NUMBER_OK);
    cr_assert_eq(value, 15000000);
    cr_assert_eq(parse("1,234.5", NS_PER_MS, true, &value), NUMBER_TRAILING_TEXT);
}

/* The expected value is put together from the same digits with integers only. */
Test(number, agrees_with_integers)
{
    uint64_t state = 88172645463325252ULL;

    for (int i = 0; i < 200000; i++) {
        char text[96];
        int64_t whole, fraction, expected, value;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        whole = (int64_t)(state % 1000000);
        fraction = (int64_t)(state / 1000000 % 1000000000);
        expected = whole * 1000000 + (fraction + 500) / 1000;
        snprintf(text, sizeof text, "%lld.%09lld", (long long)whole, (long long)fraction);
        cr_assert_eq(parse(text, NS_PER_MS, false, &value), NUMBER_OK);
        cr_assert_eq(value, expected, "%s", text);
        /* The same through the thorough way. */
        snprintf(text, sizeof text, " %lld%09lld.00000000000000000000e-9", (long long)whole,
                 (long long)fraction);
        cr_assert_eq(parse(text, NS_PER_MS, false, &value), NUMBER_OK);
        cr_assert_eq(value, expected, "%s", text);
    }
}

/* Every short text of these characters: a grammar written out plainly says which are numbers, and which. */
Test(number, agrees_with_the_grammar_on_short_texts)
{
    static const char alphabet[] = "019.-/:";
    enum { LETTERS = sizeof alphabet - 1 };

    for (int length = 1; length <= 7; length++) {
        int combinations = 1;

        for (int i = 0; i < length; i++)
            combinations *= LETTERS;
        for (int number = 0; number < combinations; number++) {
            char text[8] = {0};
            int64_t value = -77, expected = 0, weight = 1000000;
            int digits = 0, points = 0, others = 0, rest = number, begin;

            for (int i = 0; i < length; i++, rest /= LETTERS)
                text[i] = alphabet[rest % LETTERS];
            begin = text[0] == '-';
            for (int i = begin; i < length; i++) {
                if (text[i] >= '0' && text[i] <= '9') {
                    digits++;
                    if (points)
                        expected += (text[i] - '0') * (weight /= 10);
                    else
                        expected = expected * 10 + (text[i] - '0') * 1000000;
                } else if (text[i] == '.') {
                    points++;
                } else {
                    others++;
                }
            }
            if (digits == 0 || points > 1 || others > 0) {
                cr_assert_neq(parse(text, NS_PER_MS, false, &value), NUMBER_OK, "%s", text);
                continue;
            }
            cr_assert_eq(parse(text, NS_PER_MS, false, &value), NUMBER_OK, "%s", text);
            cr_assert_eq(value, begin ? -expected : expected, "%s: %lld", text, (long long)value);
        }
    }
}

Test(number, reads_every_short_length)
{
    static const char digits[] = "987654321";
    int64_t expected = 0, value;

    for (size_t length = 1; length <= 9; length++) {
        expected = expected * 10 + (digits[length - 1] - '0');
        cr_assert_eq(number_parse_scaled(digits, length, 1, false, &value), NUMBER_OK);
        cr_assert_eq(value, expected);
    }
    cr_assert_eq(parse("1234.567", NS_PER_MS, false, &value), NUMBER_OK);
    cr_assert_eq(value, 1234567000);
    cr_assert_eq(parse(".1234567", NS_PER_S, false, &value), NUMBER_OK);
    cr_assert_eq(value, 123456700);
    cr_assert_eq(parse("1234567.", 1, false, &value), NUMBER_OK);
    cr_assert_eq(value, 1234567);
    cr_assert_eq(parse("123,4567", 1000, true, &value), NUMBER_OK);
    cr_assert_eq(value, 123457);
}

Test(number, knows_absent_values)
{
    cr_assert(number_is_absent("", 0));
    cr_assert(number_is_absent(" n/A ", 5));
    cr_assert(number_is_absent("-", 1));
    cr_assert_not(number_is_absent("nan", 3));
    cr_assert_not(number_is_absent("0", 1));
}

Test(number, reads_doubles)
{
    double value = -77;

    cr_assert_eq(number_parse_double(" -1.25e2 ", 9, &value), NUMBER_OK);
    cr_assert(value == -125.0);
    cr_assert_eq(number_parse_double("1e400", 5, &value), NUMBER_NOT_FINITE);
    cr_assert_eq(number_parse_double("1,5", 3, &value), NUMBER_TRAILING_TEXT);
    cr_assert(value == -125.0);
    cr_assert_eq(number_parse_decimal("1,5", 3, true, &value), NUMBER_OK);
    cr_assert(value == 1.5);
    cr_assert_eq(number_parse_decimal("-2.25e1", 7, true, &value), NUMBER_OK);
    cr_assert(value == -22.5);
    cr_assert_eq(number_parse_decimal("1,234.5", 7, true, &value), NUMBER_TRAILING_TEXT);
}

Test(number, knows_whole_numbers)
{
    cr_assert(number_is_whole("0123456789", 10));
    cr_assert(number_is_whole("12.5", 2));
    cr_assert_not(number_is_whole("", 0));
    cr_assert_not(number_is_whole("-1", 2));
    cr_assert_not(number_is_whole("1 ", 2));
}

Test(number, prints_scaled_values)
{
    static const struct {
        int64_t value, scale;
        const char *expected;
    } cases[] = {
        {92400000, NS_PER_MS, "92.4"},
        {0, NS_PER_MS, "0"},
        {-1, NS_PER_MS, "-0.000001"},
        {16667000, NS_PER_MS, "16.667"},
        {5000000, NS_PER_MS, "5"},
        {-5500000, NS_PER_MS, "-5.5"},
        {1, NS_PER_S, "0"},
        {-1, NS_PER_S, "0"},
        {500, NS_PER_S, "0.000001"},
        {999999999, NS_PER_S, "1"},
        {INT64_MAX, 1, "9223372036854775807"},
        {-INT64_MAX, NS_PER_MS, "-9223372036854.775807"},
        {1, 3, "0.333333"},
        {2, 3, "0.666667"},
        {VALUE_UNKNOWN, NS_PER_MS, ""},
    };
    char buffer[64];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_str_eq(number_print_scaled(buffer, sizeof buffer, cases[i].value, cases[i].scale),
                         cases[i].expected);
    cr_assert_str_eq(number_print_scaled(buffer, 4, 92400000, NS_PER_MS), "92.");
}

Test(number, prints_doubles)
{
    static const struct {
        double value;
        int decimals;
        const char *expected;
    } cases[] = {
        {0.1, 17, "0.1"},
        {0.1, 1, "0.1"},
        {-0.0001, 2, "0"},
        {-0.0, 3, "0"},
        {1.5, 0, "2"},
        {2.0, 3, "2"},
        {123456.7891, 3, "123456.789"},
        {1e21, 2, "1000000000000000000000"},
        {1.0 / 3, 4, "0.3333"},
        {100, 2, "100"},
        {NAN, 2, ""},
        {INFINITY, 2, ""},
        {0.30000000000000004, 17, "0.30000000000000004"},
    };
    char buffer[128];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_str_eq(number_print_double(buffer, sizeof buffer, cases[i].value, cases[i].decimals),
                         cases[i].expected);
}

/* Whatever way is taken, it is the one of printf without the zeros at the end. */
Test(number, prints_doubles_as_printf_does)
{
    uint64_t state = 88172645463325252ULL;

    for (int i = 0; i < 400000; i++) {
        char buffer[512], expected[512];
        int decimals = i % 8, kind = i / 8 % 5;
        double value;

        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        value = kind == 0   ? (double)(state % 2000001) / 1000                 /* many are the middle between two */
                : kind == 1 ? (double)(state % 4000001) / 8 - 250000           /* and some exactly that */
                : kind == 2 ? (double)(int64_t)state / 1e10
                : kind == 3 ? (double)(int64_t)state / 1e17
                            : (double)(state % 1000) * 1e9 + 0.5;
        if (kind == 0 && i % 3 == 0)
            value = nextafter(value, i % 2 ? 0 : 1e9);
        snprintf(expected, sizeof expected, "%.*f", decimals, value);
        if (decimals && strlen(expected) > 15)
            continue; /* these are shortened, on purpose */
        if (strchr(expected, '.')) {
            while (expected[strlen(expected) - 1] == '0')
                expected[strlen(expected) - 1] = '\0';
            if (expected[strlen(expected) - 1] == '.')
                expected[strlen(expected) - 1] = '\0';
        }
        cr_assert_str_eq(number_print_double(buffer, sizeof buffer, value, decimals), strcmp(expected, "-0") == 0 ? "0" : expected, "%a with %d",
                         value, decimals);
    }
}

Test(number, has_words_for_faults)
{
    cr_assert_str_eq(number_fault_text(NUMBER_NOT_A_NUMBER), "not a number");
    cr_assert_str_eq(number_fault_text(NUMBER_TRAILING_TEXT), "trailing text");
}
