#include "stutterscope/model/event_lift.h"

#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/model/detail.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event_count {
    int64_t event, occurrences, followed;
};
/* One group while its runs are read. */
struct group_count {
    struct group_key key;
    int64_t runs, time_ns, followed_ns;
    struct { struct event_count *items; size_t count, capacity; } events;
};
struct lift_work {
    struct model *model;
    int64_t within_ns;
    struct { struct group_count *items; size_t count, capacity; } groups;
};

static struct group_count *group_of(struct lift_work *work, const struct group_key *key)
{
    for (size_t i = 0; i < work->groups.count; i++)
        if (compare_group_keys(&work->groups.items[i].key, key) == 0)
            return &work->groups.items[i];
    array_push(&work->groups, (struct group_count){.key = *key});
    return &work->groups.items[work->groups.count - 1];
}

static struct event_count *event_of(struct group_count *group, int64_t event)
{
    for (size_t i = 0; i < group->events.count; i++)
        if (group->events.items[i].event == event)
            return &group->events.items[i];
    array_push(&group->events, (struct event_count){.event = event});
    return &group->events.items[group->events.count - 1];
}

static void add_visit(struct lift_work *work, struct group_count *group, const struct run_detail *detail, const struct run_visit *visit)
{
    struct { int64_t *items; size_t count, capacity; } starts = {0};

    for (size_t i = 0; i < detail->windows.count; i++) {
        const struct stutter_window *window = &detail->windows.items[i];

        if (window->label == LABEL_GAMEPLAY && window->start_ns >= visit->start_ns && window->start_ns < visit->end_ns)
            array_push(&starts, window->start_ns);
    }
    group->time_ns += visit->end_ns - visit->start_ns;
    group->followed_ns += time_followed(starts.items, starts.count, visit->start_ns, visit->end_ns, work->within_ns);
    for (size_t i = 0; i < detail->events.count; i++) {
        const struct run_event *event = &detail->events.items[i];

        if (event->stamp_ns < visit->start_ns || event->stamp_ns >= visit->end_ns ||
            event_class_is_silent(model_text_class(work->model, event->event)))
            continue;

        struct event_count *count = event_of(group, event->event);

        count->occurrences++;
        count->followed += window_follows(starts.items, starts.count, event->stamp_ns, work->within_ns);
    }
    array_free(&starts);
}

static bool can_show_windows(const struct build_results *results, const struct group_key *key, int64_t run)
{
    size_t count;
    const struct run_figures *runs = results_runs(results, key, &count);

    for (size_t i = 0; i < count; i++)
        if (runs[i].run == run)
            return !(runs[i].flags & (FIGURE_NO_WINDOWS | FIGURE_SAMPLED | FIGURE_SPIKE_ONLY));
    return false;
}

static bool add_run(struct lift_work *work, const struct event_lift_request *request, const struct run_row *run, const struct build_results *results,
                    struct error *error)
{
    struct run_detail *detail;
    struct group_count *last = NULL;

    if (!model_run_detail(work->model, run->id, &detail, error))
        return false;
    for (size_t v = 0; v < detail->visits.count; v++) {
        const struct run_visit *visit = &detail->visits.items[v];
        struct group_key key = {results->build, run->device, visit->scene, visit->quality};

        if ((request->scene && request->scene != key.scene) || (request->quality >= 0 && request->quality != key.quality) ||
            !can_show_windows(results, &key, run->id))
            continue;

        struct group_count *group = group_of(work, &key);

        group->runs += group != last;
        last = group;
        add_visit(work, group, detail, visit);
    }
    run_detail_destroy(detail);
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    const struct event_lift_row *x = a, *y = b;
    double left = isnan(x->lift.lift) ? -1 : x->lift.lift, right = isnan(y->lift.lift) ? -1 : y->lift.lift;
    int order = compare_group_keys(&x->key, &y->key);

    if (order)
        return order;
    if (x->lift.stands_out != y->lift.stands_out)
        return y->lift.stands_out - x->lift.stands_out;
    if (left != right)
        return left > right ? -1 : 1;
    return (x->event > y->event) - (x->event < y->event);
}

static void say(const struct model *model, struct event_lift *lift)
{
    const struct event_lift_row *best = NULL;
    char within[32], expected[32];

    number_print_scaled(within, sizeof within, lift->within_ns, NS_PER_S);
    for (size_t i = 0; i < lift->count; i++)
        if (lift->items[i].lift.stands_out && (!best || lift->items[i].lift.chance < best->lift.chance))
            best = &lift->items[i];
    if (!best) {
        snprintf(lift->answer, sizeof lift->answer, lift->count ? "no event stands out" : "no events in runs that can show windows");
        return;
    }
    number_print_double(expected, sizeof expected, best->lift.expected, 1);
    snprintf(lift->answer, sizeof lift->answer, "%.60s stands out: %lld of %lld followed by a window within %s s, %s expected%s", model_text(model, best->event),
             (long long)best->lift.followed, (long long)best->lift.occurrences, within, expected, lift->outstanding > 1 ? "; others too" : "");
}

static void finish(struct lift_work *work, struct event_lift *ret)
{
    for (size_t g = 0; g < work->groups.count; g++) {
        struct group_count *group = &work->groups.items[g];
        double base = group->time_ns > 0 ? (double)group->followed_ns / (double)group->time_ns : 0;

        for (size_t e = 0; e < group->events.count; e++) {
            struct event_lift_row row = {group->key, group->events.items[e].event, group->runs, {0}};

            lift_measure(group->events.items[e].occurrences, group->events.items[e].followed, base, group->events.count, &row.lift);
            ret->outstanding += row.lift.stands_out;
            array_push(ret, row);
        }
        array_free(&group->events);
    }
    ret->groups = work->groups.count;
    array_free(&work->groups);
    if (ret->count)
        qsort(ret->items, ret->count, sizeof *ret->items, compare_rows);
    say(work->model, ret);
}

bool model_event_lift(struct model *model, const struct event_lift_request *request, struct event_lift *ret, struct error *error)
{
    struct lift_work work = {.model = model, .within_ns = request->within_ns ? request->within_ns : EVENT_LIFT_WITHIN_NS};
    int64_t build = request->build ? request->build : model_newest_build(model);
    const struct build_results *results = model_results(model, build, false, NULL, error);
    const struct run_list *runs = results ? model_build_runs(model, build, error) : NULL;
    bool good = runs != NULL;

    memset(ret, 0, sizeof *ret);
    ret->within_ns = work.within_ns;
    for (size_t i = 0; good && i < runs->count; i++)
        if (!request->device || runs->items[i].device == request->device)
            good = add_run(&work, request, &runs->items[i], results, error);
    finish(&work, ret);
    if (!good)
        event_lift_free(ret);
    return good;
}

void event_lift_free(struct event_lift *lift)
{
    array_free(lift);
}
