#include "stutterscope/base/clock.h"
#include "stutterscope/base/telemetry.h"

#include <criterion/criterion.h>
#include <time.h>

Test(clock, reads_dates)
{
    static const struct {
        const char *text;
        int64_t expected;
    } cases[] = {
        /* 19783 days from 1970 to 2024-03-01: 54 years of 365, 13 leap days before 2024, then 31 + 29. */
        {"2024-03-01", 19783 * 86400000LL},
        {"1970-01-01", 0},
        {"2024-03-01T02:10:00Z", 1709259000000},
        {"2024-03-01t02:10:00z", 1709259000000},
        {"2024-03-01 02:10", 1709259000000},
        {"2024-03-01 02:10:00", 1709259000000},
        {" 2024-03-01T11:10:00+09:00 ", 1709259000000},
        {"2024-03-01T11:10:00+0900", 1709259000000},
        {"2024-03-01T11:10:00+09", 1709259000000},
        {"2024-03-01 11:10:00 +09:00", 1709259000000},
        {"2024-02-29T23:40:00-02:30", 1709259000000},
        {"2024-03-01T02:10:00.5Z", 1709259000500},
        {"2024-03-01T02:10:00.123999Z", 1709259000123},
        {"2024-03-01T02:10:00,25", 1709259000250},
        {"1709259000", 1709259000000},
        {"1709259000.25", 1709259000250},
        {"1709259000123", 1709259000123},
        {"1709259000123456", 1709259000123},
        {"1709259000123456789", 1709259000123},
        {"1969-12-31T23:59:59.999Z", -1},
        {"2000-02-29", 951782400000},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ms = -77;

        cr_assert(clock_parse(cases[i].text, &ms), "%s", cases[i].text);
        cr_assert_eq(ms, cases[i].expected, "%s: %lld", cases[i].text, (long long)ms);
    }
}

Test(clock, refuses_what_is_no_date)
{
    static const char *const texts[] = {
        "",
        "today",
        "2024-02-30",
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-00-01",
        "2024-03-01T",
        "2024-03-01T24:00:00Z",
        "2024-03-01T02:60:00Z",
        "2024-3-1",
        "12345",
        "2024-03-01T02:10:00X",
        "2024-03-01T02:10:00+",
        "2024-03-01T02:10:00+9",
        "20240301",
        "1709259000x",
        "1709259000123.5",
        "2024-03-01x",
        "2024-03-01\n2024-03-01",
        "-1709259000",
        "99999999999999999999",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t ms = -77;

        cr_assert_not(clock_parse(texts[i], &ms), "%s", texts[i]);
        cr_assert_eq(ms, -77);
    }
}

/* gmtime_r of the C library is the second method. */
Test(clock, knows_who_says_the_zone)
{
    static const char *const zoned[] = {"2024-03-01T02:10:00Z", "2024-03-01 02:10 z", "2024-03-01T02:10:00.5+09:00", "2024-03-01T02:10-0800",
                                        "1700000000", " 1700000000123"};
    static const char *const unzoned[] = {"2024-03-01", "2024-03-01T02:10:00", "2024-03-01 02:10:00.123", " 2024-03-01 02:10 "};

    for (size_t i = 0; i < sizeof zoned / sizeof *zoned; i++)
        cr_expect(clock_says_zone(zoned[i]), "%s", zoned[i]);
    for (size_t i = 0; i < sizeof unzoned / sizeof *unzoned; i++)
        cr_expect_not(clock_says_zone(unzoned[i]), "%s", unzoned[i]);
}

Test(clock, prints_dates)
{
    char buffer[64], expected[64];

    cr_assert_str_eq(clock_print(buffer, sizeof buffer, 1709259000000), "2024-03-01T02:10:00Z");
    cr_assert_str_eq(clock_print(buffer, sizeof buffer, 1709259000007), "2024-03-01T02:10:00.007Z");
    cr_assert_str_eq(clock_print(buffer, sizeof buffer, -1), "1969-12-31T23:59:59.999Z");
    cr_assert_str_eq(clock_print(buffer, sizeof buffer, VALUE_UNKNOWN), "");
    for (int64_t s = -62135596800; s < 253402300800; s += 12345677) {
        time_t seconds = (time_t)s;
        struct tm parts;
        int64_t back;

        gmtime_r(&seconds, &parts);
        strftime(expected, sizeof expected, "-%m-%dT%H:%M:%SZ", &parts);
        clock_print(buffer, sizeof buffer, s * 1000);
        cr_assert_str_eq(buffer + 4, expected);
        cr_assert(clock_parse(buffer, &back));
        cr_assert_eq(back, s * 1000);
    }
}

Test(clock, counts_days)
{
    cr_assert_eq(clock_day(0), 0);
    cr_assert_eq(clock_day(86399999), 0);
    cr_assert_eq(clock_day(86400000), 1);
    cr_assert_eq(clock_day(-1), -1);
    cr_assert_eq(clock_day(-86400000), -1);
    cr_assert_eq(clock_day(VALUE_UNKNOWN), VALUE_UNKNOWN);
}

Test(clock, prints_positions)
{
    char buffer[64];

    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, 0), "0:00.0");
    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, 184300000000), "3:04.3");
    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, 59999999999), "0:59.9");
    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, 3723400000000), "1:02:03.4");
    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, -1500000000), "-0:01.5");
    cr_assert_str_eq(clock_print_position(buffer, sizeof buffer, VALUE_UNKNOWN), "");
}

Test(clock, knows_now)
{
    cr_assert(clock_now_ms() > 1700000000000);
}
