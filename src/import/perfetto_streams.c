#include "perfetto_streams.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A surface that was made again (the game came back from the background) has the same name with another number. */
struct layer_life {
    uint32_t layer;
    char *base; /* the key without "#123" */
    int64_t first, last;
    size_t frames;
};

/* "TX - SurfaceView[…](BLAST)#123|456" without "#123"; a new string. */
static char *key_without_number(const char *key)
{
    const char *bar = strrchr(key, '|'), *mark = bar;

    while (mark && mark > key && mark[-1] >= '0' && mark[-1] <= '9')
        mark--;
    if (!mark || mark == bar || mark <= key + 1 || mark[-1] != '#')
        return memory_copy_text(key);
    return memory_print("%.*s%s", (int)(mark - 1 - key), key, bar);
}

static int compare_lives(const void *a, const void *b)
{
    const struct layer_life *left = a, *right = b;
    int order = strcmp(left->base, right->base);

    return order != 0 ? order : left->first < right->first ? -1 : left->first > right->first;
}

static bool follow_each_other(const struct layer_life *lives, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (lives[i].first < lives[i - 1].last)
            return false;
    }
    return count > 1;
}

/* heirs[layer - 1] becomes the layer under whose name the frames go. */
static void join_lives(struct layer_life *lives, size_t count, uint32_t *heirs)
{
    size_t most = 0;

    if (!follow_each_other(lives, count))
        return;
    for (size_t i = 1; i < count; i++) {
        if (lives[i].frames > lives[most].frames)
            most = i;
    }
    for (size_t i = 0; i < count; i++)
        heirs[lives[i].layer - 1] = lives[most].layer;
}

uint32_t *trace_join_layers(const struct trace_data *data)
{
    size_t count = dictionary_count(data->layers), lived = 0, end;
    struct layer_life *lives = memory_take_zeroed(count + 1, sizeof *lives);
    uint32_t *heirs = memory_take_zeroed(count + 1, sizeof *heirs);

    for (size_t i = 0; i < data->frames.count; i++) {
        const struct trace_frame *frame = &data->frames.items[i];
        struct layer_life *life = &lives[frame->layer - 1];

        if (frame->expected)
            continue;
        if (life->frames++ == 0 || frame->start < life->first)
            life->first = frame->start;
        if (life->frames == 1 || frame->start > life->last)
            life->last = frame->start;
    }
    for (size_t i = 0; i < count; i++) {
        heirs[i] = (uint32_t)i + 1;
        lives[i].layer = (uint32_t)i + 1;
        if (lives[i].frames == 0)
            continue;
        lives[lived] = lives[i];
        lives[lived++].base = key_without_number(dictionary_text(data->layers, (uint32_t)i + 1));
    }
    if (lived > 0)
        qsort(lives, lived, sizeof *lives, compare_lives);
    for (size_t i = 0; i < lived; i = end) {
        for (end = i + 1; end < lived && strcmp(lives[end].base, lives[i].base) == 0;)
            end++;
        join_lives(lives + i, end - i, heirs);
    }
    for (size_t i = 0; i < lived; i++)
        free(lives[i].base);
    free(lives);
    return heirs;
}

static int compare_integers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

static bool is_expected_of(const struct trace_frame *frame, const uint32_t *heirs, uint32_t layer)
{
    return frame->expected && heirs[frame->layer - 1] == layer;
}

void trace_expected(const struct trace_data *data, const uint32_t *heirs, uint32_t layer, struct trace_expected *ret)
{
    int64_t *starts = memory_take((data->frames.count + 1) * sizeof *starts);
    int64_t *lengths = memory_take((data->frames.count + 1) * sizeof *lengths);
    size_t count = 0, steps = 0;

    *ret = (struct trace_expected){VALUE_UNKNOWN, VALUE_UNKNOWN};
    for (size_t i = 0; i < data->frames.count; i++) {
        const struct trace_frame *frame = &data->frames.items[i];

        if (!is_expected_of(frame, heirs, layer) || frame->end <= frame->start)
            continue;
        starts[count] = frame->start;
        lengths[count++] = frame->end - frame->start;
    }
    if (count > 0) {
        qsort(starts, count, sizeof *starts, compare_integers);
        qsort(lengths, count, sizeof *lengths, compare_integers);
        ret->length = lengths[count / 2];
    }
    for (size_t i = 1; i < count; i++) {
        int64_t step = starts[i] - starts[i - 1];

        if (step >= NS_PER_MS && step <= 100 * NS_PER_MS)
            starts[steps++] = step; /* behind what is still read */
    }
    if (steps >= 5) {
        qsort(starts, steps, sizeof *starts, compare_integers);
        ret->period = starts[steps / 4];
    }
    free(starts);
    free(lengths);
}
