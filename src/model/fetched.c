/* Frames that were fetched from a server since the store was opened; and how they come between those that are
 * stored. */
#include "fetched.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/model/summary.h"
#include <stdlib.h>
#include <string.h>

enum { FETCHED_MOST = 16 }; /* stretches that are kept */

void fetched_forget(struct model *model)
{
    for (size_t i = 0; i < model->fetched.count; i++)
        free(model->fetched.items[i].frames.items);
    array_free(&model->fetched);
}

bool model_fetch_frames(struct model *model, int64_t run, int64_t from_ns, int64_t to_ns,
                        const struct progress *progress, struct error *error)
{
    struct run_source source;
    struct fetched_stretch stretch = {run, {0}};
    bool good;

    if (!store_read_run_source(model->store, run, &source, error))
        return false;
    if (source.address)
        good = remote_fetch_frames(&source, from_ns, to_ns, progress, &stretch.frames, error);
    else
        good = error_set(error, ERROR_USAGE, "all frames of this run are here");
    run_source_free(&source);
    if (!good)
        return false;
    if (model->fetched.count == FETCHED_MOST) {
        free(model->fetched.items[0].frames.items);
        memmove(model->fetched.items, model->fetched.items + 1,
                (FETCHED_MOST - 1) * sizeof *model->fetched.items);
        model->fetched.count--;
    }
    array_push(&model->fetched, stretch);
    return true;
}

/* ---- between the stored ones ---- */

static int compare_frames(const void *a, const void *b)
{
    const struct remote_frame *x = a, *y = b;

    if (x->stamp_ns != y->stamp_ns)
        return x->stamp_ns < y->stamp_ns ? -1 : 1;
    return (x->frame_ns > y->frame_ns) - (x->frame_ns < y->frame_ns);
}

/* All that was fetched of the run and is not stored, in order, each once. */
static struct remote_frames collect(const struct model *model, const struct run_detail *detail)
{
    struct remote_frames all = {0};
    size_t kept = 0, at = 0;

    for (size_t i = 0; i < model->fetched.count; i++)
        for (size_t k = 0;
             model->fetched.items[i].run == detail->run->id && k < model->fetched.items[i].frames.count; k++)
            array_push(&all, model->fetched.items[i].frames.items[k]);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, compare_frames);
    for (size_t i = 0; i < all.count; i++) {
        const struct remote_frame *frame = &all.items[i];
        bool there = kept > 0 && compare_frames(&all.items[kept - 1], frame) == 0;

        while (at < detail->count && detail->stamp_ns[at] < frame->stamp_ns)
            at++;
        for (size_t k = at; k < detail->count && detail->stamp_ns[k] == frame->stamp_ns; k++)
            there = there || detail->frame_ns[k] == frame->frame_ns;
        if (!there)
            all.items[kept++] = *frame;
    }
    all.count = kept;
    return all;
}

static void put(struct run_detail *detail, size_t to, const struct remote_frame *frame, size_t before)
{
    detail->stamp_ns[to] = frame->stamp_ns;
    detail->frame_ns[to] = frame->frame_ns;
    detail->cpu_ns[to] = frame->cpu_ns;
    detail->gpu_ns[to] = frame->gpu_ns;
    detail->gc[to] = frame->gc;
    detail->draw_calls[to] = frame->draw_calls;
    detail->screenshot[to] = 0;
    /* what decides about labels and budgets is stored: these continue what stands before them */
    detail->fps_milli[to] = detail->fps_milli[before];
    detail->labels[to] = detail->labels[before];
    detail->has_cpu = detail->has_cpu || frame->cpu_ns != VALUE_UNKNOWN;
    detail->has_gpu = detail->has_gpu || frame->gpu_ns != VALUE_UNKNOWN;
    detail->has_gc = detail->has_gc || frame->gc != VALUE_UNKNOWN;
    detail->has_draw_calls = detail->has_draw_calls || frame->draw_calls != VALUE_UNKNOWN;
}

static void move(struct run_detail *detail, size_t from, size_t to)
{
    int64_t *arrays[] = {detail->stamp_ns, detail->frame_ns,   detail->cpu_ns,     detail->gpu_ns,
                         detail->gc,       detail->draw_calls, detail->screenshot, detail->fps_milli};

    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        arrays[i][to] = arrays[i][from];
    detail->labels[to] = detail->labels[from];
}

void fetched_put(const struct model *model, struct run_detail *detail)
{
    struct remote_frames more = collect(model, detail);
    int64_t **arrays[] = {&detail->stamp_ns, &detail->frame_ns,   &detail->cpu_ns,     &detail->gpu_ns,
                          &detail->gc,       &detail->draw_calls, &detail->screenshot, &detail->fps_milli};
    size_t stored = detail->count, left = more.count, to = stored + more.count;

    if (more.count && stored) {
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
            *arrays[i] = memory_resize(*arrays[i], to + 1, sizeof **arrays[i]);
        detail->labels = memory_resize(detail->labels, to + 1, sizeof *detail->labels);
        detail->count = to;
        while (left > 0) { /* from behind, so that nothing is overwritten that is still needed */
            if (stored > 0 && detail->stamp_ns[stored - 1] > more.items[left - 1].stamp_ns) {
                move(detail, --stored, --to);
            } else {
                left--;
                put(detail, --to, &more.items[left], stored > 0 ? stored - 1 : 0);
            }
        }
    }
    free(more.items);
}
