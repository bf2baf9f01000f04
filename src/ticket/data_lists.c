/*
 * Single values and the items of lists, made for people.
 */
#include "copy.h"
#include "data.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *data_key(const char *text)
{
    char *key = memory_copy_text(text ? text : "");

    for (char *at = key; *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
        else if (!((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9')))
            *at = '_';
    }
    return key;
}

struct json *data_is(const char *text)
{
    struct json *object = json_object();
    char *key = data_key(text);

    if (*key)
        json_add(object, key, json_from_bool(true));
    free(key);
    return object;
}

void data_add_title(struct json *object, const struct json *from, size_t columns)
{
    const struct json *name = json_member(from, "device_name");

    json_add(object, "device_title",
             copy_value(json_text(name) ? name : json_member(from, "device"), columns));
}

void data_add_rounded(struct json *object, const char *name, const struct json *number, int decimals)
{
    double value;

    json_add(object, name, json_number(number, &value) ? json_from_double(value, decimals) : json_null());
}

struct json *data_list(const struct json *list, size_t limit, size_t columns,
                       void (*decorate)(struct json *item, const struct json *from))
{
    struct json *result = json_array();
    size_t count = json_count(list), shown = count < limit ? count : limit, at = 0;

    for (const struct json *from = json_first(list); from && at < shown; from = json_next(from)) {
        struct json *item = copy_value(from, columns);

        json_add(item, "last", json_from_bool(++at == shown));
        if (decorate)
            decorate(item, from);
        json_append(result, item);
    }
    return result;
}

const char *data_list_name(const char *list)
{
    static const char *const pairs[][2] = {{"not_causes", "causes"},
                                           {"events_during", "events_before"},
                                           {"events_after", "events_before"},
                                           {"worse_figures", "figures"},
                                           {"first", "members"}};

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], list) == 0)
            return pairs[i][1];
    return list;
}

void data_decorate_event(struct json *item, const struct json *from)
{
    double offset;
    bool known = json_number(json_member(from, "offset_ms"), &offset);

    json_add(item, "distance_s", known ? json_from_double(fabs(offset) / 1000, 2) : json_null());
}

/* "7.75" of 7752 ms: hundredths of a second, down or up. */
static struct json *seconds(long long ms, bool up)
{
    long long hundredths = ms / 10 + (up && ms % 10);
    char text[32];

    snprintf(text, sizeof text, "%lld.%02lld", hundredths / 100, hundredths % 100);
    return json_from_text(text);
}

/* Of a clock that does not begin with the run ("1764300184233-1764300185010ms") no such words can be made. */
void data_add_window(struct json *object, const struct json *from)
{
    const long long longest_run = 100 * 3600 * 1000LL;
    const char *text = json_text(json_member(from, "stutter_window"));
    long long start, end;
    char tail[3];
    bool known = text && sscanf(text, "%18lld-%18lld%2s", &start, &end, tail) == 3 && strcmp(tail, "ms") == 0 && start >= 0 &&
                 end >= start && end <= longest_run;

    json_add(object, "window_from_s", known ? seconds(start, false) : json_null());
    json_add(object, "window_to_s", known ? seconds(end, true) : json_null());
}

static void add_megabytes(struct json *object, const char *name, const struct json *bytes)
{
    double value;

    json_add(object, name,
             json_number(bytes, &value) ? json_from_double(value / (1024 * 1024), 2) : json_null());
}

void data_decorate_cause(struct json *item, const struct json *from)
{
    const struct json *evidence = json_member(from, "evidence");

    json_add(item, "is", data_is(json_text(json_member(from, "cause"))));
    data_add_rounded(item, "cpu", json_member(evidence, "cpu_at_peak_ms"), 2);
    data_add_rounded(item, "gpu", json_member(evidence, "gpu_at_peak_ms"), 2);
    data_add_rounded(item, "limit", json_member(evidence, "threshold_ms"), 2);
    data_add_rounded(item, "times", json_member(evidence, "ratio"), 1);
    data_add_rounded(item, "explained", json_member(evidence, "explained_percent"), 0);
    add_megabytes(item, "allocated_mb", json_member(evidence, "gc_alloc_bytes"));
}

void data_decorate_device(struct json *item, const struct json *from)
{
    const struct json *name = json_member(item, "device_name");

    (void)from;
    json_add(item, "device_title", copy_value(json_text(name) ? name : json_member(item, "device"), 0));
}
