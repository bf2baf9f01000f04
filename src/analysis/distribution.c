#include "stutterscope/analysis/distribution.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/wide.h"
#include "values.h"
#include "walk.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct distribution_builder {
    struct analysis_settings settings;
    struct value_sorter sorter;
    struct frame_limits limits;    /* of what the sorter has taken but not sorted */
    struct sample_policy policy;   /* likewise */
    struct distribution sums;      /* what adds up: counts and sums of all that was sorted */
    const struct value_list *list; /* after finish */
};

struct distribution_builder *distribution_builder_create(const struct analysis_settings *settings)
{
    struct distribution_builder *builder = memory_take_zeroed(1, sizeof *builder);
    builder->settings = *settings;
    distribution_builder_clear(builder);
    return builder;
}

struct distribution_builder *distribution_builder_create_beside(struct distribution_builder *other)
{
    struct distribution_builder *builder = distribution_builder_create(&other->settings);
    builder->sorter.lender = &other->sorter;
    return builder;
}

void distribution_builder_destroy(struct distribution_builder *builder)
{
    if (!builder)
        return;
    value_sorter_free(&builder->sorter);
    free(builder);
}

void distribution_builder_clear(struct distribution_builder *builder)
{
    value_sorter_clear(&builder->sorter);
    builder->sums = (struct distribution){0};
    builder->list = NULL;
}

static int64_t frame_weight(struct sample_policy policy, int64_t frame_ns)
{
    if (policy.every <= 1)
        return 1;
    return policy.kept_over_ns == VALUE_UNKNOWN || frame_ns <= policy.kept_over_ns ? policy.every : 1;
}

/* For values and weights of any size. */
static void add_up_slowly(const struct value_list *list, const struct frame_limits *limits, struct distribution *sums)
{
    for (size_t i = 0; i < list->count; i++) {
        int64_t value = list->values[i], weight = list->weights[i];
        sums->frames = ns_plus(sums->frames, weight);
        sums->duration_ns = ns_plus(sums->duration_ns, ns_times(value, weight));
        sums->late = ns_plus(sums->late, value > limits->late_ns ? weight : 0);
        sums->slow_frames = ns_plus(sums->slow_frames, value > limits->slow_ns ? weight : 0);
        sums->over = ns_plus(sums->over, value > limits->alert_ns ? weight : 0);
        if (value > limits->budget_ns)
            sums->excess_ns = ns_plus(sums->excess_ns, ns_times(value - limits->budget_ns, weight));
    }
}

/* The first place with a value over the limit. */
static size_t first_over(const struct value_list *list, int64_t limit)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->values[middle] > limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t weight_from(const struct value_list *list, size_t first)
{
    uint64_t sum = 0;
    for (size_t i = first; i < list->count; i++)
        sum += (uint64_t)list->weights[i];
    return (int64_t)sum;
}

static int64_t time_from(const struct value_list *list, size_t first, size_t end)
{
    uint64_t sum = 0;
    for (size_t i = first; i < end; i++)
        sum += (uint64_t)list->values[i] * (uint64_t)list->weights[i];
    return (int64_t)sum;
}

/* Below 2^32 ns each and fewer than 2^31 in all: no sum of them comes near the end of int64_t. */
static bool sums_fit(const struct value_list *list, const struct frame_limits *limits)
{
    uint64_t any = 0;
    if (list->values[0] < 0 || list->values[list->count - 1] >> 32 || limits->budget_ns < 0)
        return false;
    for (size_t i = 0; i < list->count; i++)
        any |= (uint64_t)list->weights[i];
    return any >> 31 == 0 && list->count < UINT32_MAX && weight_from(list, 0) >> 31 == 0;
}

/*
 * Sorts what was taken. All of it has the same limits, so that the counts come from the few distinct values
 * instead of from a pass over all frames: what is over a limit is the end of their list.
 */
static void sort_taken(struct distribution_builder *builder)
{
    const struct frame_limits *limits = &builder->limits;
    struct distribution *sums = &builder->sums;
    const struct value_list *list = value_sorter_sort(&builder->sorter, builder->policy);
    if (!list)
        return;
    if (list->count > 0 && sums_fit(list, limits)) {
        size_t above = first_over(list, limits->budget_ns);
        int64_t time_above = time_from(list, above, list->count);
        sums->frames = ns_plus(sums->frames, weight_from(list, 0));
        sums->duration_ns = ns_plus(sums->duration_ns, time_from(list, 0, above) + time_above);
        sums->late = ns_plus(sums->late, weight_from(list, first_over(list, limits->late_ns)));
        sums->slow_frames = ns_plus(sums->slow_frames, weight_from(list, first_over(list, limits->slow_ns)));
        sums->over = ns_plus(sums->over, weight_from(list, first_over(list, limits->alert_ns)));
        sums->excess_ns = ns_plus(sums->excess_ns, time_above - limits->budget_ns * weight_from(list, above));
    } else {
        add_up_slowly(list, limits, sums);
    }
    value_sorter_settle(&builder->sorter);
}

static void add_gameplay(struct distribution_builder *builder, const int64_t *values, size_t count)
{
    builder->sums.frames_kept += (int64_t)count;
    for (;;) {
        size_t taken = value_sorter_take(&builder->sorter, values, count);
        values += taken;
        count -= taken;
        if (count == 0)
            return;
        sort_taken(builder);
    }
}

static void add_labelled(struct distribution_builder *builder, const int64_t *values, size_t count,
                         enum frame_label label)
{
    struct label_total *total = &builder->sums.labelled[label];
    for (size_t i = 0; i < count; i++) {
        int64_t weight = frame_weight(builder->policy, values[i]);
        total->frames = ns_plus(total->frames, weight);
        total->ns = ns_plus(total->ns, ns_times(values[i], weight));
        total->over = ns_plus(total->over, values[i] > builder->limits.alert_ns ? weight : 0);
    }
}

void distribution_builder_add(struct distribution_builder *builder, const struct frame_piece *piece,
                              struct sample_policy policy)
{
    struct frame_limits limits = frame_limits_of(&builder->settings, piece->fps_milli);
    size_t at = 0, span = 0, first, end;
    enum frame_label label;

    if (policy.every <= 1)
        policy = (struct sample_policy){1, VALUE_UNKNOWN};
    if (memcmp(&limits, &builder->limits, sizeof limits) != 0 || policy.every != builder->policy.every ||
        policy.kept_over_ns != builder->policy.kept_over_ns) {
        sort_taken(builder);
        builder->limits = limits;
        builder->policy = policy;
    }
    builder->list = NULL;
    while (next_stretch(piece, piece->count, &at, &span, &first, &end, &label)) {
        if (label == LABEL_GAMEPLAY)
            add_gameplay(builder, piece->frame_ns + first, end - first);
        else
            add_labelled(builder, piece->frame_ns + first, end - first, label);
    }
}

void distribution_builder_merge(struct distribution_builder *builder, struct distribution_builder *other)
{
    struct distribution *sums = &builder->sums;
    const struct distribution *more = &other->sums;

    sort_taken(other);
    builder->list = NULL;
    value_sorter_move(&builder->sorter, &other->sorter);
    sums->frames = ns_plus(sums->frames, more->frames);
    sums->frames_kept += more->frames_kept;
    sums->duration_ns = ns_plus(sums->duration_ns, more->duration_ns);
    sums->late = ns_plus(sums->late, more->late);
    sums->over = ns_plus(sums->over, more->over);
    sums->slow_frames = ns_plus(sums->slow_frames, more->slow_frames);
    sums->excess_ns = ns_plus(sums->excess_ns, more->excess_ns);
    for (int i = LABEL_GAMEPLAY + 1; i < LABEL_COUNT; i++) {
        sums->labelled[i].frames = ns_plus(sums->labelled[i].frames, more->labelled[i].frames);
        sums->labelled[i].ns = ns_plus(sums->labelled[i].ns, more->labelled[i].ns);
        sums->labelled[i].over = ns_plus(sums->labelled[i].over, more->labelled[i].over);
    }
    other->sums = (struct distribution){0};
    other->list = NULL;
}

/* Mean of the slowest ceil(N / 100) frames. */
static double mean_of_slowest(const struct value_list *list, int64_t total)
{
    int64_t wanted = total / 100 + (total % 100 != 0), left = wanted;
    double sum = 0;
    for (size_t i = list->count; i > 0 && left > 0; i--) {
        int64_t weight = list->weights[i - 1] < left ? list->weights[i - 1] : left;
        sum += (double)list->values[i - 1] * (double)weight;
        left -= weight;
    }
    return sum / (double)wanted;
}

void distribution_builder_finish(struct distribution_builder *builder, struct distribution *ret)
{
    sort_taken(builder);
    const struct value_list *list = value_sorter_collapse(&builder->sorter);
    builder->list = list;
    *ret = builder->sums;
    if (ret->frames <= 0 || list->count == 0)
        return;
    int64_t median = value_list_median_doubled(list, ret->frames);
    ret->median_ns = (double)median / 2;
    ret->mad_ns = (double)value_list_mad_quadrupled(list, ret->frames, median) / 4;
    ret->p95_ns = distribution_builder_percentile(builder, 95000);
    ret->p99_ns = distribution_builder_percentile(builder, 99000);
    ret->min_ns = list->values[0];
    ret->max_ns = list->values[list->count - 1];
    ret->mean_ns = (double)ret->duration_ns / (double)ret->frames;
    ret->low1_ns = mean_of_slowest(list, ret->frames);
    ret->labelled[LABEL_GAMEPLAY] = (struct label_total){ret->frames, ret->duration_ns, ret->over};
}

int64_t distribution_builder_percentile(const struct distribution_builder *builder, int64_t percent_milli)
{
    int64_t total = builder->sums.frames;
    if (!builder->list || builder->list->count == 0 || total <= 0)
        return VALUE_UNKNOWN;
    if (percent_milli > 100000)
        percent_milli = 100000;
    if (percent_milli < 0)
        percent_milli = 0;
    int64_t need = (int64_t)wide_scale((uint64_t)percent_milli, (uint64_t)total, 99999, 100000, NULL);
    return builder->list->values[value_list_rank(builder->list, total, need < 1 ? 1 : need)];
}

size_t distribution_builder_values(const struct distribution_builder *builder, const int64_t **ret_values,
                                   const int64_t **ret_weights)
{
    if (!builder->list)
        return 0;
    *ret_values = builder->list->values;
    *ret_weights = builder->list->weights;
    return builder->list->count;
}

uint32_t distribution_flags(const struct distribution *distribution, const struct analysis_settings *settings)
{
    uint32_t flags = 0;
    if (distribution->frames_kept < settings->few_frames)
        flags |= FIGURE_FEW;
    if (distribution->frames > 0 && distribution->slow_frames > distribution->frames / 2)
        flags |= FIGURE_SLOW;
    return flags;
}

double distribution_hitch_ratio(const struct distribution *distribution)
{
    if (distribution->duration_ns <= 0)
        return NAN;
    return 1000.0 * (double)distribution->excess_ns / (double)distribution->duration_ns;
}

double distribution_fps(const struct distribution *distribution)
{
    if (distribution->duration_ns <= 0)
        return NAN;
    return (double)NS_PER_S * (double)distribution->frames / (double)distribution->duration_ns;
}
