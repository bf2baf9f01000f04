#include "stutterscope/base/clock.h"

#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MS_PER_DAY   86400000LL
#define EPOCH_DIGITS 9 /* a number with that many digits is no date */

int64_t clock_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clock_steady_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t divide_down(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

/*
 * Days since 1970-01-01 of a Gregorian date. Years are taken to begin in March, so that the leap day is their
 * last; then the lengths of months follow (153 m + 2) / 5, and 400 years have 146097 days.
 */
static int64_t days_from_date(int64_t year, int month, int day)
{
    int64_t from_march = month > 2 ? month - 3 : month + 9, era, year_of_era;

    year -= month <= 2;
    era = divide_down(year, 400);
    year_of_era = year - era * 400;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 +
           (153 * from_march + 2) / 5 + day - 1 - 719468;
}

static void date_from_days(int64_t days, int64_t *ret_year, int *ret_month, int *ret_day)
{
    int64_t era, day_of_era, year_of_era, day_of_year, from_march;

    days += 719468;
    era = divide_down(days, 146097);
    day_of_era = days - era * 146097;
    year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    day_of_year = day_of_era - (year_of_era * 365 + year_of_era / 4 - year_of_era / 100);
    from_march = (5 * day_of_year + 2) / 153;
    *ret_day = (int)(day_of_year - (153 * from_march + 2) / 5 + 1);
    *ret_month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    *ret_year = era * 400 + year_of_era + (*ret_month <= 2);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads exactly `count` digits and steps over them. */
static bool read_digits(const char **text, int count, int *ret)
{
    int value = 0;

    for (int i = 0; i < count; i++) {
        if (!is_digit((*text)[i]))
            return false;
        value = value * 10 + ((*text)[i] - '0');
    }
    *text += count;
    *ret = value;
    return true;
}

static bool read_mark(const char **text, char mark)
{
    if (**text != mark)
        return false;
    (*text)++;
    return true;
}

static bool read_date(const char **text, int64_t *ret_days)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    bool leap;

    if (!read_digits(text, 4, &year) || !read_mark(text, '-') || !read_digits(text, 2, &month) ||
        !read_mark(text, '-') || !read_digits(text, 2, &day))
        return false;
    if (month < 1 || month > 12)
        return false;
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (day < 1 || day > lengths[month - 1] + (month == 2 && leap))
        return false;
    *ret_days = days_from_date(year, month, day);
    return true;
}

/* "02:10", "02:10:00", "02:10:00.123"; digits beyond milliseconds are dropped. A leap second counts as the
 * next one. */
static bool read_time(const char **text, int64_t *ret_ms)
{
    int hour, minute, second = 0, unit = 100;
    int64_t ms = 0;

    if (!read_digits(text, 2, &hour) || !read_mark(text, ':') || !read_digits(text, 2, &minute))
        return false;
    if (read_mark(text, ':')) {
        if (!read_digits(text, 2, &second))
            return false;
        if ((**text == '.' || **text == ',') && is_digit((*text)[1])) {
            for ((*text)++; is_digit(**text); (*text)++, unit /= 10)
                ms += (**text - '0') * unit;
        }
    }
    if (hour > 23 || minute > 59 || second > 60)
        return false;
    *ret_ms = ((hour * 60LL + minute) * 60 + second) * 1000 + ms;
    return true;
}

/* "Z", "+09:00", "+0900", "+09", or nothing (UTC). */
static bool read_offset(const char **text, int64_t *ret_ms)
{
    int hours, minutes = 0, sign;

    *ret_ms = 0;
    if (read_mark(text, 'Z') || read_mark(text, 'z') || (**text != '+' && **text != '-'))
        return true;
    sign = *(*text)++ == '-' ? -1 : 1;
    if (!read_digits(text, 2, &hours))
        return false;
    if (read_mark(text, ':')) {
        if (!read_digits(text, 2, &minutes))
            return false;
    } else if (is_digit(**text) && !read_digits(text, 2, &minutes)) {
        return false;
    }
    if (hours > 23 || minutes > 59)
        return false;
    *ret_ms = sign * (hours * 60LL + minutes) * 60000;
    return true;
}

/* The number of digits tells the unit: each covers the years 1973 to 5138. Seconds may have a fraction. */
static bool parse_epoch(const char *text, size_t length, int64_t *ret_ms)
{
    size_t digits = strspn(text, "0123456789");
    int64_t value;

    if (digits < 9 || digits > 20 || (digits < length && digits > 11))
        return false;
    if (number_parse_scaled(text, length, digits <= 11 ? 1000 : 1, false, &value) != NUMBER_OK)
        return false;
    if (digits >= 18)
        value /= 1000000;
    else if (digits >= 15)
        value /= 1000;
    *ret_ms = value;
    return true;
}

bool clock_parse(const char *text, int64_t *ret_ms)
{
    int64_t days, time = 0, offset = 0;
    size_t length;

    text += strspn(text, " \t");
    length = strcspn(text, "\r\n");
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (text[length + strspn(text + length, " \t\r\n")] != '\0')
        return false;
    if (strspn(text, "0123456789") >= EPOCH_DIGITS)
        return parse_epoch(text, length, ret_ms);

    const char *at = text;

    if (!read_date(&at, &days))
        return false;
    if (at < text + length) {
        if (*at != 'T' && *at != 't' && *at != ' ')
            return false;
        at++;
        if (!read_time(&at, &time))
            return false;
        if (*at == ' ' && (at[1] == '+' || at[1] == '-' || at[1] == 'Z'))
            at++;
        if (!read_offset(&at, &offset))
            return false;
    }
    if (at != text + length)
        return false;
    *ret_ms = days * MS_PER_DAY + time - offset;
    return true;
}

bool clock_says_zone(const char *text)
{
    const char *time = strchr(text, ':');

    text += strspn(text, " \t");
    return strspn(text, "0123456789") >= EPOCH_DIGITS || (time && strpbrk(time, "Zz+-"));
}

char *clock_print(char *buffer, size_t size, int64_t ms)
{
    int64_t days = divide_down(ms, MS_PER_DAY), rest, year;
    char fraction[8] = "";
    int month, day;

    if (ms == VALUE_UNKNOWN) {
        if (size > 0)
            *buffer = '\0';
        return buffer;
    }
    rest = ms - days * MS_PER_DAY;
    date_from_days(days, &year, &month, &day);
    if (rest % 1000 != 0)
        snprintf(fraction, sizeof fraction, ".%03d", (int)(rest % 1000));
    snprintf(buffer, size, "%04lld-%02d-%02dT%02d:%02d:%02d%sZ", (long long)year, month, day,
             (int)(rest / 3600000), (int)(rest / 60000 % 60), (int)(rest / 1000 % 60), fraction);
    return buffer;
}

int64_t clock_day(int64_t ms)
{
    return ms == VALUE_UNKNOWN ? VALUE_UNKNOWN : divide_down(ms, MS_PER_DAY);
}

char *clock_print_position(char *buffer, size_t size, int64_t ns)
{
    const char *sign = ns < 0 ? "-" : "";
    uint64_t tenths = (ns < 0 ? -(uint64_t)ns : (uint64_t)ns) / (NS_PER_S / 10);
    unsigned long long hours = tenths / 36000, minutes = tenths / 600 % 60;
    unsigned second_tenths = (unsigned)(tenths % 600);

    if (ns == VALUE_UNKNOWN) {
        if (size > 0)
            *buffer = '\0';
    } else if (hours > 0) {
        snprintf(buffer, size, "%s%llu:%02llu:%02u.%u", sign, hours, minutes, second_tenths / 10,
                 second_tenths % 10);
    } else { /* by far the most; charts print many */
        char text[sizeof "-59:59.9"], *at = text;
        size_t length;

        if (tenths > 0 && *sign)
            *at++ = '-';
        if (minutes >= 10)
            *at++ = (char)('0' + minutes / 10);
        *at++ = (char)('0' + minutes % 10);
        *at++ = ':';
        *at++ = (char)('0' + second_tenths / 100);
        *at++ = (char)('0' + second_tenths / 10 % 10);
        *at++ = '.';
        *at++ = (char)('0' + second_tenths % 10);
        length = (size_t)(at - text);
        if (size > 0) {
            length = length < size ? length : size - 1;
            memcpy(buffer, text, length);
            buffer[length] = '\0';
        }
    }
    return buffer;
}
