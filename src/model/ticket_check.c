/*
 * A ticket's own figures against a later build: gone only when its event came often enough to show it.
 */
#include "internal.h"
#include "sides.h"
#include "stutterscope/analysis/luck.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *verify_result_name(enum verify_result result)
{
    static const char *const names[] = {"gone", "still there", "not enough"};

    return names[result];
}

/* ---- reading ---- */

static char *member_text(const struct json *object, const char *name)
{
    const char *text = json_text(json_member(object, name));

    return text && *text ? text_clean(text, strlen(text)) : NULL;
}

static int64_t member_number(const struct json *object, const char *name, double scale)
{
    double value;

    if (!json_number(json_member(object, name), &value) || !(value >= 0) || value * scale > 9e15)
        return VALUE_UNKNOWN;
    return (int64_t)llround(value * scale);
}

static void add_member(const struct json *object, struct ticket_members *ret)
{
    struct ticket_member member = {
        .device = member_text(object, "device"),
        .chip = member_text(object, "chip"),
        .scene = member_text(object, "scene"),
        .quality = member_text(object, "quality"),
        .label = member_text(object, "label"),
        .event = member_text(object, "event"),
        .build = member_text(object, "build"),
        .peak_ns = member_number(object, "peak_frame_ms", NS_PER_MS),
        .windows = member_number(object, "windows", 1),
        .seen = member_number(object, "seen", 1),
        .runs_hit = member_number(object, "runs_hit", 1),
        .runs = member_number(object, "runs", 1),
    };

    array_push(ret, member);
}

static void free_member(struct ticket_member *member)
{
    char *const texts[] = {member->device, member->chip, member->scene, member->quality, member->label, member->event, member->build};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
}

void ticket_members_free(struct ticket_members *members)
{
    for (size_t i = 0; i < members->count; i++)
        free_member(&members->items[i]);
    array_free(members);
}

/* Of a payload of one stutter its fields stand at the top too; those of the list are the same. */
bool ticket_members_take(const struct json *payload, struct ticket_members *ret, struct error *error)
{
    const struct json *stutters = json_member(payload, "stutters");
    double told;
    bool good;

    *ret = (struct ticket_members){0};
    for (const struct json *item = json_first(stutters); item; item = json_next(item))
        add_member(item, ret);
    good = ret->count > 0;
    for (size_t i = 0; i < ret->count; i++)
        good = good && ret->items[i].device && ret->items[i].scene;
    if (!good) {
        ticket_members_free(ret);
        return error_set(error, ERROR_INPUT, "expected a ticket payload with stutters, each with device and scene, as "
                                             "\"stutterscope ticket ID --payload\" writes it; found one without");
    }
    if (json_number(json_member(payload, "stutter_count"), &told) && told > (double)ret->count && told < 1e9)
        ret->left_out = (int64_t)told - (int64_t)ret->count;
    return true;
}

/* ---- comparing ---- */

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool fits_member(const struct model *model, const struct group_key *key, const struct ticket_member *member)
{
    const struct device_row *device = model_device(model, key->device);
    const char *scene = model_scene_name(model, key->scene);

    return device && scene && same_text(device->model, member->device) && (!member->chip || same_text(device->chip, member->chip)) &&
           same_text(model_quality_name(model, key->quality), member->quality) &&
           same_text(triage_new_name(model, RENAME_SCENE, scene), triage_new_name(model, RENAME_SCENE, member->scene));
}

static int64_t find_event(const struct model *model, const char *name)
{
    if (!name)
        return 0;
    for (size_t i = 0; i < model->texts.count; i++)
        if (same_text(triage_new_name(model, RENAME_EVENT, model->texts.items[i].text), triage_new_name(model, RENAME_EVENT, name)))
            return model->texts.items[i].id;
    return -1;
}

/* Stutters of transitions are not in the events' figures. */
static void count_labelled(const struct build_results *results, const struct group_key *key, const struct ticket_member *member, int64_t event,
                           struct ticket_check *ret)
{
    size_t count;
    const struct stutter *stutters = results_stutters(results, key, &count);

    ret->runs_hit = 0;
    ret->peak_ns = VALUE_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        if (stutters[i].event == event && strcmp(frame_label_name(stutters[i].label), member->label) == 0) {
            ret->runs_hit = stutters[i].runs_hit;
            ret->peak_ns = stutters[i].peak_ns;
        }
}

static bool look(struct model *model, const struct build_results *results, const struct group_key *key, const struct ticket_member *member,
                 struct ticket_check *ret, struct error *error)
{
    int64_t event = find_event(model, member->event);
    struct event_side side;
    bool good;

    event_side_start(&side);
    good = event_side_add(model, key, event < 0 ? INT64_MAX : event, NULL, &side, error);
    ret->runs += side.runs;
    ret->seen += event < 0 ? 0 : side.seen;
    ret->runs_hit += side.hits;
    if (side.hits && side.peak_ns > ret->peak_ns)
        ret->peak_ns = side.peak_ns;
    event_side_free(&side);
    if (good && member->label && strcmp(member->label, frame_label_name(LABEL_GAMEPLAY)) != 0)
        count_labelled(results, key, member, event, ret);
    return good;
}

static void judge(const struct ticket_member *member, struct ticket_check *ret)
{
    const char *what = member->event ? member->event : "runs";

    ret->rate = member->windows != VALUE_UNKNOWN && member->seen != VALUE_UNKNOWN ? hit_rate(member->windows, member->seen) : NAN;
    ret->luck = luck_of(ret->rate, ret->seen);
    ret->needed = luck_needs(ret->rate, ret->seen);
    ret->result = ret->runs_hit ? VERIFY_STILL_THERE : ret->needed == 0 ? VERIFY_GONE : VERIFY_NOT_ENOUGH;
    if (ret->result != VERIFY_NOT_ENOUGH)
        return;
    if (ret->needed < 0)
        text_print(ret->reason, sizeof ret->reason, "the ticket does not say how often %s was hit", what);
    else
        text_print(ret->reason, sizeof ret->reason, "%s: %s seen %lld time%s, needs %lld more", ret->runs ? "too rarely" : "no runs here", what,
                 (long long)ret->seen, text_plural(ret->seen), (long long)ret->needed);
}

/* A build from before the fix, or the one that the ticket is about, proves nothing. One that the store does not know has no place
 * in the order. */
static bool is_later(const struct model *model, int64_t build, const struct ticket_member *member, struct error *error)
{
    int64_t position = model_build_position(model, build);

    for (size_t i = 0; position >= 0 && member->build && i < model->builds.count; i++) {
        bool same = position == (int64_t)i;

        if (position > (int64_t)i || strcmp(model->builds.items[i].name, member->build) != 0)
            continue;
        return error_set(error, ERROR_USAGE, "the ticket is about build %s; %s is %s, and only a later build tells whether it is gone",
                         member->build, model->builds.items[position].name, same ? "the same build" : "older");
    }
    return true;
}

bool model_verify_member(struct model *model, int64_t build, const struct ticket_member *member, struct ticket_check *ret, struct error *error)
{
    const struct build_results *results = is_later(model, build, member, error) ? model_results(model, build, false, NULL, error) : NULL;

    *ret = (struct ticket_check){.peak_ns = VALUE_UNKNOWN};
    if (!results)
        return false;
    for (size_t g = 0; g < results->groups.count; g++)
        if (fits_member(model, &results->groups.items[g].key, member) &&
            !look(model, results, &results->groups.items[g].key, member, ret, error))
            return false;
    judge(member, ret);
    return true;
}
