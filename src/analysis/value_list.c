#include "stutterscope/base/memory.h"
#include "scan.h"
#include "values.h"
#include "walk.h"

void value_list_reserve(struct value_list *list, size_t wanted)
{
    if (list->capacity >= wanted)
        return;
    size_t capacity = wanted < 2 * list->capacity ? 2 * list->capacity : wanted;
    list->values = memory_resize(list->values, capacity, sizeof *list->values);
    list->weights = memory_resize(list->weights, capacity, sizeof *list->weights);
    list->capacity = capacity;
}

void value_list_merge(const struct value_list *a, const struct value_list *b, struct value_list *ret)
{
    size_t i = 0, k = 0;
    ret->count = 0;
    value_list_reserve(ret, a->count + b->count);
    while (i < a->count && k < b->count) { /* which side is next is a toss-up: masks instead of branches */
        int64_t left = a->values[i], right = b->values[k];
        int64_t take_left = -(int64_t)(left <= right), take_right = -(int64_t)(right <= left);
        value_list_push(ret, (left & take_left) | (right & ~take_left),
                        ns_plus(a->weights[i] & take_left, b->weights[k] & take_right));
        i -= (size_t)take_left;
        k -= (size_t)take_right;
    }
    for (; i < a->count; i++)
        value_list_push(ret, a->values[i], a->weights[i]);
    for (; k < b->count; k++)
        value_list_push(ret, b->values[k], b->weights[k]);
}

/* Weights are added up by blocks as long as the rank lies beyond. */
static size_t rank_from_end(const struct value_list *list, int64_t total, int64_t need)
{
    const int64_t *weights = list->weights;
    size_t at = list->count - 1;
    int64_t upto = total, sum;

    while (at >= SCAN_BLOCK && scan_sum_block(weights + at + 1 - SCAN_BLOCK, &sum) && upto - sum >= need) {
        upto -= sum;
        at -= SCAN_BLOCK;
    }
    for (; at > 0 && upto - weights[at] >= need; at--)
        upto -= weights[at];
    return at;
}

static size_t rank_from_begin(const struct value_list *list, int64_t need)
{
    const int64_t *weights = list->weights;
    size_t at = 0;
    int64_t upto = weights[0], sum;

    while (at + 1 + SCAN_BLOCK <= list->count && scan_sum_block(weights + at + 1, &sum) && ns_plus(upto, sum) < need) {
        upto += sum;
        at += SCAN_BLOCK;
    }
    while (at + 1 < list->count && upto < need)
        upto = ns_plus(upto, weights[++at]);
    return at;
}

size_t value_list_rank(const struct value_list *list, int64_t total, int64_t need)
{
    return need > total / 2 ? rank_from_end(list, total, need) : rank_from_begin(list, need); /* most are high */
}

int64_t value_list_median_doubled(const struct value_list *list, int64_t total)
{
    int64_t high = list->values[value_list_rank(list, total, total / 2 + 1)];
    int64_t low = total % 2 ? high : list->values[value_list_rank(list, total, total / 2)];
    return ns_plus(low, high);
}

/* All distances from the center are far from the ends of int64_t. */
static bool distances_fit(const struct value_list *list, int64_t center)
{
    return list->values[0] >= 0 && list->values[list->count - 1] >> 60 == 0 && center >= 0 && center >> 61 == 0;
}

/*
 * Takes whole blocks of what is nearest to the center, as long as all that is not farther than such a block has less than the
 * needed weight: then it does not matter in which order it is taken.
 */
static void take_blocks(const struct value_list *list, int64_t center, int64_t need, size_t *left, size_t *right, int64_t *behind)
{
    int64_t below, above;

    while (*left >= SCAN_BLOCK && *right + SCAN_BLOCK <= list->count &&
           scan_sum_block(list->weights + *left - SCAN_BLOCK, &below) && scan_sum_block(list->weights + *right, &above) &&
           ns_plus(*behind, below + above) < need) {
        int64_t left_far = center - 2 * list->values[*left - SCAN_BLOCK];
        int64_t right_far = 2 * list->values[*right + SCAN_BLOCK - 1] - center;

        if (left_far <= right_far)
            *left -= SCAN_BLOCK;
        else
            *right += SCAN_BLOCK;
        *behind += left_far <= right_far ? below : above;
    }
}

/* Walks outwards from the center on both sides, the nearer value first, until half of the weight is behind.
 */
int64_t value_list_mad_quadrupled(const struct value_list *list, int64_t total, int64_t center)
{
    int64_t low_need = total / 2 + total % 2, high_need = total / 2 + 1, behind = 0, low = 0;
    bool has_low = false;
    size_t right = 0, size = list->count;
    while (size > 0) { /* first value at or above the center */
        size_t half = size / 2;
        if (ns_times(list->values[right + half], 2) < center) {
            right += half + 1;
            size -= half + 1;
        } else {
            size = half;
        }
    }
    size_t left = right;
    if (distances_fit(list, center))
        take_blocks(list, center, low_need, &left, &right, &behind);
    for (;;) {
        int64_t left_far = left > 0 ? ns_minus(center, ns_times(list->values[left - 1], 2)) : INT64_MAX;
        int64_t right_far =
            right < list->count ? ns_minus(ns_times(list->values[right], 2), center) : INT64_MAX;
        bool takes_left = left > 0 && (right == list->count || left_far <= right_far); /* both may be as far as there is */
        int64_t far = takes_left ? left_far : right_far;
        behind = ns_plus(behind, takes_left ? list->weights[--left] : list->weights[right++]);
        if (!has_low && behind >= low_need) {
            low = far;
            has_low = true;
        }
        if (behind >= high_need)
            return ns_plus(low, far);
        if (left == 0 && right == list->count)
            return ns_plus(low, far);
    }
}
