/*
 * The summary of a build, made for people: its stutters by verdict, each list cut to the worst.
 */
#include "copy.h"
#include "data.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

static bool has_text(const struct json *object, const char *name, const char *text)
{
    const char *found = json_text(json_member(object, name));

    return found && strcmp(found, text) == 0;
}

static bool is_worse(const struct json *stutter)
{
    return has_text(stutter, "verdict", "new") || has_text(stutter, "verdict", "back") ||
           has_text(stutter, "verdict", "worse");
}

static void decorate_stutter(struct json *item, const struct json *from)
{
    const struct json *cause = json_first(json_member(from, "causes"));

    data_add_title(item, item, 0);
    json_add(item, "delta_peak", data_signed(json_member(from, "delta_peak_ms")));
    data_add_rounded(item, "severity_rounded", json_member(from, "severity"), 1);
    json_add(item, "present", json_from_bool(json_kind(json_member(from, "peak_frame_ms")) == JSON_NUMBER));
    json_add(item, "main_cause_is", data_is(cause ? json_text(cause) : "none"));
    json_add(item, "verdict_is", data_is(json_text(json_member(from, "verdict"))));
    /* What is gone and was never decided on needs no decision. */
    json_add(item, "state_told",
             json_from_bool(json_kind(json_member(from, "peak_frame_ms")) == JSON_NUMBER || !has_text(from, "state", "undecided")));
    json_add(item, "state_is", data_is(json_text(json_member(from, "state"))));
}

static void decorate_figure(struct json *item, const struct json *from)
{
    json_add(item, "figure_is", data_is(json_text(json_member(from, "figure"))));
    data_add_rounded(item, "before_rounded", json_member(from, "before"), 2);
    data_add_rounded(item, "after_rounded", json_member(from, "after"), 2);
    json_add(item, "delta_signed", data_signed(json_member(from, "delta")));
}

static void decorate_drift(struct json *item, const struct json *from)
{
    data_add_title(item, item, 0);
    json_add(item, "worse_figures", data_list(json_member(from, "figures"), SIZE_MAX, 0, decorate_figure));
}

static void decorate_gap(struct json *item, const struct json *from)
{
    (void)from;
    data_add_title(item, item, 0);
}

static struct json *with_verdict(const struct json *stutters, const char *verdict)
{
    struct json *list = json_array();

    for (const struct json *item = json_first(stutters); item; item = json_next(item))
        if (verdict ? has_text(item, "verdict", verdict) : is_worse(item))
            json_append(list, copy_value(item, 0));
    return list;
}

static struct json *list_of(const struct data_work *work, const struct json *stutters, const char *verdict)
{
    struct json *mine = with_verdict(stutters, verdict), *list = json_object();
    size_t count = json_count(mine);

    json_add(list, "verdict_is", data_is(verdict));
    json_add(list, "count", json_from_integer((int64_t)count));
    json_add(list, "items", data_list(mine, work->limits.members, work->limits.columns, decorate_stutter));
    json_add(list, "more", data_left((double)count, work->limits.members));
    json_destroy(mine);
    if (count)
        return list;
    json_destroy(list);
    return NULL;
}

static struct json *lists_of(const struct data_work *work, const struct json *stutters)
{
    static const char *const verdicts[] = {"new", "back", "worse", "better", "gone", "not exercised"};
    struct json *lists[sizeof verdicts / sizeof *verdicts], *array = json_array();
    size_t count = 0;

    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        lists[count] = list_of(work, stutters, verdicts[i]);
        count += lists[count] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        json_add(lists[i], "last", json_from_bool(i + 1 == count));
        json_append(array, lists[i]);
    }
    return array;
}

static void put_list(const struct data_work *work, struct json *data, const struct json *payload,
                     const char *name, void (*decorate)(struct json *item, const struct json *from))
{
    const struct json *list = json_member(payload, name);
    char *has = memory_print("has_%s", name), *more = memory_print("more_%s", name);
    char *count = memory_print("%s_count", name);
    size_t items = json_count(list);

    json_add(data, name, data_list(list, work->limits.members, work->limits.columns, decorate));
    json_add(data, has, json_from_bool(items));
    json_add(data, more, data_left((double)items, work->limits.members));
    json_add(data, count, items ? json_from_integer((int64_t)items) : json_null());
    free(has);
    free(more);
    free(count);
}

struct json *data_of_regressions(const struct data_work *work, const struct json *payload)
{
    const struct json *stutters = json_member(payload, "stutters");
    struct json *data = json_object(), *worse = with_verdict(stutters, NULL);
    struct json *shown = data_list(worse, work->limits.members, work->limits.columns, decorate_stutter);

    json_add(data, "lists", lists_of(work, stutters));
    json_add(data, "has_to_check", json_from_bool(json_first(shown)));
    if (json_first(shown))
        json_add(data, "first", copy_value(json_first(shown), 0));
    else
        json_add(data, "first", json_null());
    json_add(data, "to_check", shown);
    put_list(work, data, payload, "drifts", decorate_drift);
    put_list(work, data, payload, "missing", decorate_gap);
    put_list(work, data, payload, "fewer", decorate_gap);
    data_add_commits(work, data, payload);
    data_add_reopen(data, payload);
    json_add(data, "reopen", copy_value(json_member(payload, "reopen"), 0));
    json_destroy(worse);
    copy_members(data, payload, work->limits.columns);
    return data;
}
