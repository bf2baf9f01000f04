#include "stutterscope/model/heat.h"

#include "internal.h"
#include "pieces.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_FRAMES = 30 };

struct quarter_values {
    double *items;
    size_t count, capacity;
};
/* One scene and quality of the run that is worked on. */
struct scene_work {
    int64_t scene, quality;
    struct quarter_values values[HEAT_QUARTERS];
};
struct heat_work {
    struct model *model;
    struct { struct scene_work *items; size_t count, capacity; } scenes;
    const char *states[HEAT_QUARTERS];
    const char *state; /* holds until another one is said */
    int64_t frames, passed; /* of gameplay in the run; before the one looked at */
};

/* What systems call how hot they are, the coolest first. A word nobody knows ranks as the coolest. */
static int state_rank(const char *state)
{
    static const char *const words[][3] = {{"none", "nominal", "normal"},    {"light", "fair", "warm"},         {"moderate", "throttled", NULL},
                                           {"severe", "serious", "hot"},     {"critical", NULL, NULL},          {"emergency", NULL, NULL},
                                           {"shutdown", NULL, NULL}};
    int rank = 0;

    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++)
        for (int j = 0; j < 3 && words[i][j]; j++)
            if (text_equals_ignoring_case(words[i][j], state))
                rank = i;
    if (state[0] >= '0' && state[0] <= '6' && !state[1])
        rank = state[0] - '0';
    return rank;
}

static struct scene_work *find_scene(struct heat_work *work, const struct frame_piece *piece)
{
    for (size_t i = 0; i < work->scenes.count; i++)
        if (work->scenes.items[i].scene == piece->scene && work->scenes.items[i].quality == piece->quality)
            return &work->scenes.items[i];
    array_push(&work->scenes, ((struct scene_work){.scene = piece->scene, .quality = piece->quality}));
    return &work->scenes.items[work->scenes.count - 1];
}

static void say_state(struct heat_work *work, int quarter)
{
    if (work->state && (!work->states[quarter] || state_rank(work->state) > state_rank(work->states[quarter])))
        work->states[quarter] = work->state;
}

/* The frames of a run in four equal parts: one more in the first ones when they do not divide. */
static int quarter_at(const struct heat_work *work)
{
    int64_t size = work->frames / HEAT_QUARTERS, larger = work->frames % HEAT_QUARTERS, in_larger = larger * (size + 1);

    if (work->passed < in_larger)
        return (int)(work->passed / (size + 1));
    if (work->passed >= work->frames) /* what comes after the last frame of gameplay */
        return HEAT_QUARTERS - 1;
    return (int)(larger + (work->passed - in_larger) / size);
}

static bool add_piece(struct heat_work *work, const struct run_pieces *pieces, size_t at, struct error *error)
{
    const struct frame_piece *piece = &pieces->pieces[at];
    struct scene_work *scene = find_scene(work, piece);
    struct column_marks marks = {0};
    size_t mark = 0;

    if (!store_read_marks(work->model->store, &pieces->segments[at], COLUMN_THERMAL, &marks, error))
        return false;
    for (size_t i = 0; i < piece->count; i++) {
        int quarter = quarter_at(work);

        for (; mark < marks.count && marks.items[mark].frame <= i; mark++)
            work->state = model_text(work->model, marks.items[mark].value);
        say_state(work, quarter);
        if (label_at(piece->labels, i) != LABEL_GAMEPLAY)
            continue;
        array_push(&scene->values[quarter], (double)piece->frame_ns[i]);
        work->passed++;
    }
    array_free(&marks);
    return true;
}

static int64_t gameplay_frames(const struct run_pieces *pieces)
{
    int64_t frames = 0;

    for (size_t p = 0; p < pieces->count; p++)
        for (size_t i = 0; i < pieces->pieces[p].count; i++)
            frames += label_at(pieces->pieces[p].labels, i) == LABEL_GAMEPLAY;
    return frames;
}

static void finish_run(struct heat_work *work, int64_t run, struct quarter_list *ret)
{
    for (size_t i = 0; i < work->scenes.count; i++) {
        struct scene_work *scene = &work->scenes.items[i];
        struct run_quarters quarters = {.run = run, .scene = scene->scene, .quality = scene->quality};

        for (int q = 0; q < HEAT_QUARTERS; q++) {
            quarters.median_ns[q] = scene->values[q].count >= FEWEST_FRAMES ? median_of(scene->values[q].items, scene->values[q].count) : NAN;
            quarters.state[q] = work->states[q];
            array_free(&scene->values[q]);
        }
        array_push(ret, quarters);
    }
    array_free(&work->scenes);
}

static bool add_run(struct model *model, const struct run_row *run, const struct segment_row *segments, size_t count,
                    struct quarter_list *ret, struct error *error)
{
    struct heat_work work = {.model = model};
    struct run_pieces pieces = {0};
    bool good;

    if (run->summarised || run_row_is_spike_only(run)) /* what is here is no whole run */
        return true;
    good = run_pieces_load(model, run, model_device(model, run->device), segments, count, &pieces, error);
    work.frames = good ? gameplay_frames(&pieces) : 0;
    for (size_t i = 0; i < pieces.count && good; i++)
        good = add_piece(&work, &pieces, i, error);
    finish_run(&work, run->id, ret);
    run_pieces_free(&pieces);
    return good;
}

bool model_quarters(struct model *model, int64_t build, int64_t device, int64_t run, struct quarter_list *ret, struct error *error)
{
    struct segment_filter filter = {.build = build, .device = device, .run = run, .quality = -1};
    struct segment_list segments = {0};
    const struct run_list *runs = model_build_runs(model, build, error);
    bool good = runs && store_list_segments(model->store, &filter, &segments, error);

    for (size_t first = 0, end; first < segments.count && good; first = end) {
        const struct run_row *row = run_list_find(runs, segments.items[first].run);

        for (end = first; end < segments.count && segments.items[end].run == segments.items[first].run; end++)
            ;
        good = !row || add_run(model, row, &segments.items[first], end - first, ret, error);
    }
    segment_list_free(&segments);
    return good;
}

void quarter_list_free(struct quarter_list *list)
{
    array_free(list);
}

const struct run_quarters *quarters_find(const struct quarter_list *list, int64_t run, int64_t scene, int64_t quality)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].run == run && list->items[i].scene == scene && list->items[i].quality == quality)
            return &list->items[i];
    return NULL;
}

char *quarters_text(const struct run_quarters *quarters)
{
    struct text_buffer text = {0};
    int known = 0;

    for (int q = 0; q < HEAT_QUARTERS; q++)
        known += !isnan(quarters->median_ns[q]);
    for (int q = 0; q < HEAT_QUARTERS && known > 1; q++) {
        char ms[32] = ".";

        if (!isnan(quarters->median_ns[q]))
            number_print_double(ms, sizeof ms, quarters->median_ns[q] / NS_PER_MS, 1);
        text_add_print(&text, "%s%s", q ? " " : "", ms);
    }
    for (int q = 0; q < HEAT_QUARTERS; q++)
        if (quarters->state[q] && (q == 0 || !quarters->state[q - 1] || strcmp(quarters->state[q], quarters->state[q - 1]) != 0))
            text_add_print(&text, "%s%s", !text.count ? "" : q && quarters->state[0] ? " > " : " ", quarters->state[q]);
    return text_take(&text);
}

double quarters_growth(const struct run_quarters *quarters)
{
    double first = NAN, last = NAN;

    for (int q = 0; q < HEAT_QUARTERS; q++) {
        if (isnan(quarters->median_ns[q]))
            continue;
        if (isnan(first))
            first = quarters->median_ns[q];
        else
            last = quarters->median_ns[q];
    }
    return 100 * (last - first) / first;
}
