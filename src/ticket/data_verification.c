/*
 * A verification, made for people.
 */
#include "copy.h"
#include "data.h"
#include "stutterscope/base/number.h"
#include <stdio.h>
#include <string.h>

/* "0.03", "< 0.01", "16.3": a chance in percent. */
static struct json *percent(const struct json *number)
{
    enum { DECIMALS = 2 };
    const double least = 0.01;
    char digits[64], text[80];
    double value;

    if (!json_number(number, &value))
        return json_null();
    value *= 100;
    if (value > 0 && value < least)
        return json_from_text("< 0.01");
    number_print_double(digits, sizeof digits, value, DECIMALS);
    snprintf(text, sizeof text, "%s", digits);
    return json_from_text(text);
}

static void decorate_member(struct json *item, const struct json *from)
{
    data_add_title(item, item, 0);
    json_add(item, "result_is", data_is(json_text(json_member(from, "result"))));
    json_add(item, "now_present", json_from_bool(json_kind(json_member(from, "now_peak_ms")) == JSON_NUMBER));
    json_add(item, "luck_percent", percent(json_member(from, "luck")));
}

/* The build of the ticket, when all members have the same one. */
static const struct json *then_build(const struct json *members)
{
    const struct json *first = json_member(json_first(members), "then_build");

    for (const struct json *item = json_first(members); item; item = json_next(item)) {
        const char *a = json_text(first), *b = json_text(json_member(item, "then_build"));

        if (!a || !b || strcmp(a, b) != 0)
            return NULL;
    }
    return first;
}

/* Null for none, so that a section can ask for it. */
static struct json *left_out(const struct json *payload)
{
    double count;

    return json_number(json_member(payload, "left_out"), &count) && count > 0 ? json_from_double(count, 0) : json_null();
}

struct json *data_of_verification(const struct data_work *work, const struct json *payload)
{
    const struct json *members = json_member(payload, "members");
    struct json *data = json_object();
    struct json *shown = data_list(members, work->limits.members, work->limits.columns, decorate_member);

    json_add(data, "result_is", data_is(json_text(json_member(payload, "result"))));
    json_add(data, "baseline_build", copy_value(then_build(members), work->limits.columns));
    json_add(data, "first", copy_value(json_first(shown), 0));
    json_add(data, "more", data_left((double)json_count(members), work->limits.members));
    json_add(data, "members", shown);
    json_add(data, "left_out", left_out(payload));
    data_add_commits(work, data, payload);
    data_add_reopen(data, payload);
    json_add(data, "reopen", copy_value(json_member(payload, "reopen"), 0));
    copy_members(data, payload, work->limits.columns);
    return data;
}
