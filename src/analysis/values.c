#include "values.h"
#include "stutterscope/base/memory.h"
#include "walk.h"
#include <stdlib.h>
#include <string.h>

#define CHUNK (1u << 18) /* values sorted at a time: fits into the cache together with its copy */
#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)
#define DIGIT_MASK (DIGITS - 1)

void value_sorter_clear(struct value_sorter *sorter)
{
    sorter->pending_count = sorter->large.count = sorter->depth = 0;
    sorter->unit_ns = 1000;
}

void value_sorter_free(struct value_sorter *sorter)
{
    for (size_t i = 0; i < VALUE_STACK_MOST; i++) {
        free(sorter->stack[i].values);
        free(sorter->stack[i].weights);
    }
    free(sorter->scratch.values);
    free(sorter->scratch.weights);
    free(sorter->pending);
    free(sorter->spare);
    array_free(&sorter->large);
    *sorter = (struct value_sorter){0};
}

/*
 * value / unit where the unit divides the value, else something of at least 2^32. The unit is 2^shift times an odd
 * number; multiplying by that number's inverse modulo 2^64 and rotating the zeros out is exact division for multiples
 * and throws all others above 2^64 / unit (Granlund and Montgomery 1994, section 9).
 */
static inline uint64_t divide_exactly(int64_t value, uint64_t inverse, int shift)
{
    uint64_t product = (uint64_t)value * inverse;
    return shift ? product >> shift | product << (64 - shift) : product;
}

/* Returns nonzero when a value did not fit. */
static inline uint64_t convert(const int64_t *restrict values, size_t count, uint64_t inverse, int shift,
                               uint32_t *restrict ret)
{
    uint64_t high = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t quotient = divide_exactly(values[i], inverse, shift);
        ret[i] = (uint32_t)quotient;
        high |= quotient >> 32;
    }
    return high;
}

#define INVERSE_125 0x1cac083126e978d5u
#define INVERSE_25 0x8f5c28f5c28f5c29u
_Static_assert((uint64_t)(125 * INVERSE_125) == 1 && (uint64_t)(25 * INVERSE_25) == 1, "inverses modulo 2^64");

static uint64_t convert_by_unit(const int64_t *values, size_t count, int64_t unit, uint32_t *ret)
{
    if (unit == 1000)
        return convert(values, count, INVERSE_125, 3, ret);
    if (unit == 100)
        return convert(values, count, INVERSE_25, 2, ret);
    return convert(values, count, 1, 0, ret);
}

/* Makes the unit smaller by `factor`; what no longer fits moves over to the large ones. */
static void refine_unit(struct value_sorter *sorter, int64_t factor)
{
    size_t kept = 0;
    for (size_t i = 0; i < sorter->pending_count; i++) {
        uint64_t scaled = (uint64_t)sorter->pending[i] * (uint64_t)factor;
        if (scaled <= UINT32_MAX)
            sorter->pending[kept++] = (uint32_t)scaled;
        else
            array_push(&sorter->large, (int64_t)sorter->pending[i] * sorter->unit_ns);
    }
    sorter->pending_count = kept;
    sorter->unit_ns /= factor;
}

/* The slow way, for blocks in which some value is no multiple of the unit or too large for 32 bits. */
static void take_singly(struct value_sorter *sorter, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t value = values[i];
        if (value < 0 || value > (int64_t)UINT32_MAX * 1000) {
            array_push(&sorter->large, value);
            continue;
        }
        while (value % sorter->unit_ns != 0)
            refine_unit(sorter, sorter->unit_ns == 1000 ? 10 : 100);
        if (value / sorter->unit_ns > UINT32_MAX)
            array_push(&sorter->large, value);
        else
            sorter->pending[sorter->pending_count++] = (uint32_t)(value / sorter->unit_ns);
    }
}

size_t value_sorter_take(struct value_sorter *sorter, const int64_t *values, size_t count)
{
    size_t used = sorter->pending_count + sorter->large.count;
    size_t room = used < CHUNK ? CHUNK - used : 0;
    const size_t block = 4096;
    if (count > room)
        count = room;
    if (sorter->pending_capacity < used + count) {
        size_t capacity = used + count < 1024 ? 1024 : used + count;
        capacity = capacity < CHUNK / 2 && capacity < 2 * sorter->pending_capacity ? 2 * sorter->pending_capacity
                                                                                    : capacity;
        sorter->pending = memory_resize(sorter->pending, capacity, sizeof *sorter->pending);
        sorter->spare = memory_resize(sorter->spare, capacity, sizeof *sorter->spare);
        sorter->pending_capacity = capacity;
    }
    for (size_t i = 0; i < count; i += block) {
        size_t size = count - i < block ? count - i : block;
        if (convert_by_unit(values + i, size, sorter->unit_ns, sorter->pending + sorter->pending_count) == 0)
            sorter->pending_count += size;
        else
            take_singly(sorter, values + i, size);
    }
    return count;
}

/* Least significant digit first; digits that all values share are skipped. The result is in `pending`. */
static void sort_digits(struct value_sorter *sorter)
{
    uint32_t counts[3][DIGITS];
    size_t count = sorter->pending_count;
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < count; i++) {
        uint32_t value = sorter->pending[i];
        counts[0][value & DIGIT_MASK]++;
        counts[1][value >> DIGIT_BITS & DIGIT_MASK]++;
        counts[2][value >> 2 * DIGIT_BITS]++;
    }
    for (int digit = 0; digit < 3; digit++) {
        int shift = digit * DIGIT_BITS;
        uint32_t *places = counts[digit], sum = 0;
        if (places[sorter->pending[0] >> shift & DIGIT_MASK] == count)
            continue;
        for (uint32_t i = 0; i < DIGITS; i++) {
            uint32_t size = places[i];
            places[i] = sum;
            sum += size;
        }
        for (size_t i = 0; i < count; i++) {
            uint32_t value = sorter->pending[i];
            sorter->spare[places[value >> shift & DIGIT_MASK]++] = value;
        }
        uint32_t *sorted = sorter->spare;
        sorter->spare = sorter->pending;
        sorter->pending = sorted;
    }
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void sort_pending(struct value_sorter *sorter)
{
    if (sorter->pending_count > 64) {
        sort_digits(sorter);
        return;
    }
    for (size_t i = 1; i < sorter->pending_count; i++) {
        uint32_t value = sorter->pending[i];
        size_t at = i;
        for (; at > 0 && sorter->pending[at - 1] > value; at--)
            sorter->pending[at] = sorter->pending[at - 1];
        sorter->pending[at] = value;
    }
}

static void list_reserve(struct value_list *list, size_t wanted)
{
    if (list->capacity >= wanted)
        return;
    size_t capacity = wanted < 2 * list->capacity ? 2 * list->capacity : wanted;
    list->values = memory_resize(list->values, capacity, sizeof *list->values);
    list->weights = memory_resize(list->weights, capacity, sizeof *list->weights);
    list->capacity = capacity;
}

static inline void list_push(struct value_list *list, int64_t value, int64_t weight)
{
    list->values[list->count] = value;
    list->weights[list->count++] = weight;
}

const struct value_list *value_sorter_sort(struct value_sorter *sorter, struct sample_policy policy)
{
    size_t count = sorter->pending_count;
    const uint32_t *sorted;
    if (count + sorter->large.count == 0)
        return NULL;
    sort_pending(sorter);
    sorted = sorter->pending;

    size_t distinct = sorter->large.count + (count > 0);
    for (size_t i = 1; i < count; i++)
        distinct += sorted[i] != sorted[i - 1];
    struct value_list *list = &sorter->stack[sorter->depth++];
    list->count = 0;
    list_reserve(list, distinct);

    qsort(sorter->large.items, sorter->large.count, sizeof *sorter->large.items, compare_numbers);
    size_t large = 0;
    for (; large < sorter->large.count && sorter->large.items[large] < 0; large++)
        list_push(list, sorter->large.items[large], 1);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sorted[next] == sorted[i];)
            next++;
        list_push(list, (int64_t)sorted[i] * sorter->unit_ns, (int64_t)(next - i));
    }
    for (; large < sorter->large.count; large++) {
        if (list->count > 0 && list->values[list->count - 1] == sorter->large.items[large])
            list->weights[list->count - 1]++;
        else
            list_push(list, sorter->large.items[large], 1);
    }
    if (policy.every > 1)
        for (size_t i = 0; i < list->count; i++)
            if (policy.kept_over_ns == VALUE_UNKNOWN || list->values[i] <= policy.kept_over_ns)
                list->weights[i] = ns_times(list->weights[i], policy.every);
    sorter->pending_count = sorter->large.count = 0;
    return list;
}

static void merge_lists(const struct value_list *a, const struct value_list *b, struct value_list *ret)
{
    size_t i = 0, k = 0;
    ret->count = 0;
    list_reserve(ret, a->count + b->count);
    while (i < a->count && k < b->count) {
        int64_t left = a->values[i], right = b->values[k];
        int64_t weight = 0;
        if (left <= right)
            weight += a->weights[i++];
        if (right <= left)
            weight = ns_plus(weight, b->weights[k++]);
        list_push(ret, left <= right ? left : right, weight);
    }
    for (; i < a->count; i++)
        list_push(ret, a->values[i], a->weights[i]);
    for (; k < b->count; k++)
        list_push(ret, b->values[k], b->weights[k]);
}

static void merge_top(struct value_sorter *sorter)
{
    struct value_list *below = &sorter->stack[sorter->depth - 2], old = *below;
    merge_lists(below, below + 1, &sorter->scratch);
    *below = sorter->scratch;
    sorter->scratch = old;
    sorter->depth--;
}

void value_sorter_settle(struct value_sorter *sorter)
{
    while (sorter->depth > 1 &&
           sorter->stack[sorter->depth - 2].count < 2 * sorter->stack[sorter->depth - 1].count)
        merge_top(sorter);
}

void value_sorter_add_list(struct value_sorter *sorter, const struct value_list *list)
{
    struct value_list *top = &sorter->stack[sorter->depth];
    if (list->count == 0)
        return;
    top->count = list->count;
    list_reserve(top, list->count);
    memcpy(top->values, list->values, list->count * sizeof *list->values);
    memcpy(top->weights, list->weights, list->count * sizeof *list->weights);
    sorter->depth++;
    value_sorter_settle(sorter);
}

const struct value_list *value_sorter_collapse(struct value_sorter *sorter)
{
    while (sorter->depth > 1)
        merge_top(sorter);
    if (sorter->depth == 0)
        sorter->stack[0].count = 0;
    return &sorter->stack[0];
}

size_t value_list_rank(const struct value_list *list, int64_t total, int64_t need)
{
    size_t at;
    if (need > total / 2) { /* most ranks asked for are high ones */
        int64_t upto = total;
        for (at = list->count - 1; at > 0 && upto - list->weights[at] >= need; at--)
            upto -= list->weights[at];
        return at;
    }
    int64_t upto = list->weights[0];
    for (at = 0; at + 1 < list->count && upto < need;)
        upto = ns_plus(upto, list->weights[++at]);
    return at;
}

int64_t value_list_median_doubled(const struct value_list *list, int64_t total)
{
    int64_t low = list->values[value_list_rank(list, total, total / 2 + total % 2)];
    int64_t high = list->values[value_list_rank(list, total, total / 2 + 1)];
    return ns_plus(low, high);
}

/* Walks outwards from the center on both sides, the nearer value first, until half of the weight is behind. */
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
    for (size_t left = right;;) {
        int64_t left_far = left > 0 ? ns_minus(center, ns_times(list->values[left - 1], 2)) : INT64_MAX;
        int64_t right_far = right < list->count ? ns_minus(ns_times(list->values[right], 2), center) : INT64_MAX;
        int64_t far = left_far <= right_far ? left_far : right_far;
        behind = ns_plus(behind, left_far <= right_far ? list->weights[--left] : list->weights[right++]);
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
