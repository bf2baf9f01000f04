#include "stutterscope/model/event_lift.h"

#include "internal.h"
#include "pieces.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct event_count {
    int64_t event, occurrences, followed;
};
/* One group while its runs are read. */
struct group_count {
    struct group_key key;
    int64_t runs, last_run; /* of which visits were added last */
    struct lift_time time;
    struct { struct event_count *items; size_t count, capacity; } events;
};
struct lift_work {
    struct model *model;
    const struct event_lift_request *request;
    const struct build_results *results;
    const struct stutter_window_list *windows;
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

struct starts {
    int64_t *items;
    size_t count, capacity;
};

static int compare_starts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Of the gameplay windows that have their peak in these pieces. */
static void list_starts(const struct lift_work *work, const struct frame_piece *pieces, size_t count, struct starts *ret)
{
    for (size_t i = 0; i < work->windows->count; i++) {
        const struct stutter_window *window = &work->windows->items[i];
        size_t p = 0;

        if (window->run != pieces[0].run || window->label != LABEL_GAMEPLAY)
            continue;
        while (p < count && pieces[p].segment != window->segment)
            p++;
        if (p < count)
            array_push(ret, window->start_ns);
    }
    if (ret->count)
        qsort(ret->items, ret->count, sizeof *ret->items, compare_starts);
}

/* Occurrences that begin in gameplay. */
static void add_events(const struct lift_work *work, struct group_count *group, const struct frame_piece *piece, const struct starts *starts)
{
    for (size_t i = 0; i < piece->event_count; i++) {
        const struct event_mark *mark = &piece->events[i];

        if (!mark->begins || mark->frame >= piece->count || event_class_is_silent(mark->class) ||
            label_at(piece->labels, mark->frame) != LABEL_GAMEPLAY)
            continue;

        struct event_count *count = event_of(group, mark->event);
        int64_t begin = piece->stamp_ns[mark->frame] - piece->frame_ns[mark->frame];

        count->occurrences++;
        count->followed += window_follows(starts->items, starts->count, begin, work->within_ns);
    }
}

static void add_visit(struct lift_work *work, struct group_count *group, const struct frame_piece *pieces, size_t count)
{
    struct starts starts = {0};
    struct lift_time time;

    list_starts(work, pieces, count, &starts);
    lift_time_of(pieces, count, starts.items, starts.count, work->within_ns, &time);
    group->time.play_ns += time.play_ns;
    group->time.followed_ns += time.followed_ns;
    for (size_t i = 0; i < count; i++)
        add_events(work, group, &pieces[i], &starts);
    array_free(&starts);
}

static bool is_asked_for(const struct lift_work *work, int64_t scene, int64_t quality)
{
    const struct event_lift_request *request = work->request;

    return (!request->scene || request->scene == scene) && (request->quality < 0 || request->quality == quality);
}

static bool can_show_windows(const struct lift_work *work, const struct group_key *key, int64_t run)
{
    size_t count;
    const struct run_figures *runs = results_runs(work->results, key, &count);

    for (size_t i = 0; i < count; i++)
        if (runs[i].run == run)
            return !(runs[i].flags & (FIGURE_NO_WINDOWS | FIGURE_SAMPLED | FIGURE_SPIKE_ONLY));
    return false;
}

/* A visit up to a clock step is one stretch: across it, times say nothing. */
static void add_pieces(struct lift_work *work, const struct run_pieces *run)
{
    for (size_t first = 0, end; first < run->count; first = end) {
        const struct frame_piece *lead = &run->pieces[first];
        struct group_key key = {work->results->build, run->run->device, lead->scene, lead->quality};

        for (end = first + 1; end < run->count && run->pieces[end].visit == lead->visit && !run->pieces[end].broken; end++)
            ;
        if (!is_asked_for(work, key.scene, key.quality) || !lead->stamp_ns || !can_show_windows(work, &key, run->run->id))
            continue;

        struct group_count *group = group_of(work, &key);

        group->runs += group->last_run != run->run->id;
        group->last_run = run->run->id;
        add_visit(work, group, lead, end - first);
    }
}

/* Runs are read only where something of them is asked for: labels need the whole run. */
static bool add_run(struct lift_work *work, const struct run_row *run, struct error *error)
{
    struct segment_filter filter = {.run = run->id, .quality = -1};
    struct segment_list segments = {0};
    struct run_pieces pieces = {0};
    bool wanted = false, good;

    if (!store_list_segments(work->model->store, &filter, &segments, error))
        return false;
    for (size_t i = 0; i < segments.count && !wanted; i++)
        wanted = is_asked_for(work, segments.items[i].scene, segments.items[i].quality);
    good = !wanted || run_pieces_load(work->model, run, model_device(work->model, run->device), segments.items,
                                      segments.count, &pieces, error);
    if (good && wanted)
        add_pieces(work, &pieces);
    run_pieces_free(&pieces);
    segment_list_free(&segments);
    return good;
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

static char *say(const struct model *model, const struct event_lift *lift)
{
    enum { NAME_COLUMNS = 60 };
    const struct event_lift_row *best = NULL;
    char within[32], expected[32];

    number_print_scaled(within, sizeof within, lift->within_ns, NS_PER_S);
    for (size_t i = 0; i < lift->count; i++)
        if (lift->items[i].lift.stands_out && (!best || lift->items[i].lift.chance < best->lift.chance))
            best = &lift->items[i];
    if (!best)
        return memory_copy_text(lift->count ? "no event stands out" : "no events in runs that can show windows");
    number_print_double(expected, sizeof expected, best->lift.expected, 1);

    char *name = text_cut_end(model_text(model, best->event), NAME_COLUMNS, "…");
    char *answer = memory_print("%s stands out: %lld of %lld followed by a window within %s s, %s expected%s", name,
                                (long long)best->lift.followed, (long long)best->lift.occurrences, within, expected,
                                lift->outstanding > 1 ? "; others too" : "");

    free(name);
    return answer;
}

static void finish(struct lift_work *work, struct event_lift *ret)
{
    for (size_t g = 0; g < work->groups.count; g++) {
        struct group_count *group = &work->groups.items[g];
        double base = group->time.play_ns > 0 ? (double)group->time.followed_ns / (double)group->time.play_ns : 0;

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
    ret->answer = say(work->model, ret);
}

bool model_event_lift(struct model *model, const struct event_lift_request *request, struct event_lift *ret, struct error *error)
{
    struct lift_work work = {.model = model, .request = request,
                             .within_ns = request->within_ns ? request->within_ns : EVENT_LIFT_WITHIN_NS};
    int64_t build = request->build ? request->build : model_newest_build(model);
    const struct run_list *runs = NULL;
    bool good;

    work.results = model_results(model, build, request->as_it_is, NULL, error);
    work.windows = work.results ? results_all_windows(work.results, error) : NULL;
    runs = work.windows ? model_build_runs(model, build, error) : NULL;
    good = runs != NULL;
    memset(ret, 0, sizeof *ret);
    ret->within_ns = work.within_ns;
    for (size_t i = 0; good && i < runs->count; i++)
        if (!request->device || runs->items[i].device == request->device)
            good = add_run(&work, &runs->items[i], error);
    finish(&work, ret);
    if (!good)
        event_lift_free(ret);
    return good;
}

void event_lift_free(struct event_lift *lift)
{
    free(lift->answer);
    lift->answer = NULL;
    array_free(lift);
}
