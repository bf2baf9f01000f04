#include "values.h"
#include "stutterscope/base/memory.h"
#include "walk.h"
#include <stdlib.h>
#include <string.h>

#define CHUNK      (1u << 18) /* values sorted at a time: fits into the cache together with its copy */
#define BLOCK      4096
#define SMALL      256 /* up to so many entries, merging lists is cheaper than looking through the table */
#define FEW_TO_SORT    64   /* by insertion */
#define FEW_FOR_DIGITS 8192 /* by bytes */
#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)
#define DIGIT_MASK (DIGITS - 1)

void value_sorter_clear(struct value_sorter *sorter)
{
    sorter->pending_count = sorter->large.count = sorter->depth = sorter->taken = 0;
    sorter->unit_ns = sorter->next_unit_ns = 1000;
    sorter->scratch.count = 0;
    value_table_empty(&sorter->table, &sorter->scratch, 1);
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
    value_table_free(&sorter->table);
    array_free(&sorter->large);
    *sorter = (struct value_sorter){0};
}

/*
 * value / unit where the unit divides the value, else something of at least 2^32. The unit is 2^shift times
 * an odd number; multiplying by that number's inverse modulo 2^64 and rotating the zeros out is exact
 * division for multiples and throws all others above 2^64 / unit (Granlund and Montgomery 1994, section 9).
 */
static inline uint64_t divide_exactly(int64_t value, uint64_t inverse, int shift)
{
    uint64_t product = (uint64_t)value * inverse;
    return shift ? product >> shift | product << (64 - shift) : product;
}

/* Returns all quotients or-ed: 2^32 and more say that a value did not fit. */
static inline uint64_t convert(const int64_t *restrict values, size_t count, uint64_t inverse, int shift,
                               uint32_t *restrict ret)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t quotient = divide_exactly(values[i], inverse, shift);
        ret[i] = (uint32_t)quotient;
        all |= quotient;
    }
    return all;
}

#define INVERSE_125 0x1cac083126e978d5u
#define INVERSE_25  0x8f5c28f5c28f5c29u
_Static_assert((uint64_t)(125 * INVERSE_125) == 1 && (uint64_t)(25 * INVERSE_25) == 1,
               "inverses modulo 2^64");

static uint64_t convert_by_unit(const int64_t *values, size_t count, int64_t unit, uint32_t *ret)
{
    if (unit == 1000)
        return convert(values, count, INVERSE_125, 3, ret);
    if (unit == 100)
        return convert(values, count, INVERSE_25, 2, ret);
    return convert(values, count, 1, 0, ret);
}

/*
 * The same with half the bits, for values below 2^32: all others, and those that the unit does not divide, are thrown
 * above 2^32 / unit, where no table reaches.
 */
static inline uint64_t convert_narrow(const int64_t *restrict values, size_t count, uint32_t inverse, int shift,
                                      uint32_t *restrict ret)
{
    uint64_t high = 0;
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t product = (uint32_t)values[i] * inverse;
        uint32_t quotient = product >> shift | product << (32 - shift);
        high |= (uint64_t)values[i];
        ret[i] = quotient;
        all |= quotient;
    }
    return high >> 32 ? UINT64_MAX : all;
}

_Static_assert(UINT32_MAX / 1000 >= VALUE_TABLE_MOST, "what is thrown out lies beyond every table");

/* For the units that have a table. */
static uint64_t convert_narrow_by_unit(const int64_t *values, size_t count, int64_t unit, uint32_t *ret)
{
    if (unit == 1000)
        return convert_narrow(values, count, (uint32_t)INVERSE_125, 3, ret);
    return convert_narrow(values, count, (uint32_t)INVERSE_25, 2, ret);
}

static bool is_large(int64_t value, int64_t unit)
{
    return value < 0 || value / unit > UINT32_MAX;
}

/* The largest unit, of those up to `unit`, that divides all values that are not too large for it. */
static int64_t find_unit(const int64_t *values, size_t count, int64_t unit)
{
    for (size_t i = 0; i < count; i++)
        while (!is_large(values[i], unit) && values[i] % unit != 0)
            unit = unit == 1000 ? 100 : 1;
    return unit;
}

/* Room for one more block; false when the chunk is full. */
static bool reserve_pending(struct value_sorter *sorter, size_t count)
{
    size_t wanted = sorter->pending_count + count;
    if (wanted > CHUNK)
        return false;
    if (wanted > sorter->pending_capacity) {
        size_t capacity = wanted > 2 * sorter->pending_capacity ? wanted : 2 * sorter->pending_capacity;
        sorter->pending = memory_resize(sorter->pending, capacity, sizeof *sorter->pending);
        sorter->spare = memory_resize(sorter->spare, capacity, sizeof *sorter->spare);
        sorter->pending_capacity = capacity;
    }
    return true;
}

/* At nanoseconds a table would hold 1 ms only: none is used. */
static bool uses_table(const struct value_sorter *sorter)
{
    return sorter->unit_ns > 1 && !sorter->no_counting;
}

/* For blocks that do not go into the table as a whole. */
static void take_singly(struct value_sorter *sorter, const int64_t *values, const uint32_t *multiples,
                        size_t count)
{
    bool tabled = uses_table(sorter);
    for (size_t i = 0; i < count; i++) {
        if (is_large(values[i], sorter->unit_ns)) {
            array_push(&sorter->large, values[i]);
        } else if (tabled && multiples[i] < VALUE_TABLE_MOST) {
            value_table_reserve(&sorter->table, multiples[i]);
            value_table_count(&sorter->table, &multiples[i], 1);
        } else {
            sorter->pending[sorter->pending_count++] = multiples[i];
        }
    }
}

/* Takes a block of values, all or none of them. */
static bool take_block(struct value_sorter *sorter, const int64_t *values, size_t count)
{
    uint32_t multiples[BLOCK];
    if (uses_table(sorter)) {
        uint64_t all = convert_narrow_by_unit(values, count, sorter->unit_ns, multiples);
        if (all < VALUE_TABLE_MOST) {
            value_table_reserve(&sorter->table, all);
            value_table_count(&sorter->table, multiples, count);
            sorter->taken += count;
            return true;
        }
    }
    if (convert_by_unit(values, count, sorter->unit_ns, multiples) >> 32) {
        sorter->next_unit_ns = find_unit(values, count, sorter->unit_ns);
        if (sorter->next_unit_ns != sorter->unit_ns) {
            if (sorter->taken > 0)
                return false;
            sorter->unit_ns = sorter->next_unit_ns;
            convert_by_unit(values, count, sorter->unit_ns, multiples);
        }
    }
    if (!reserve_pending(sorter, count) || sorter->large.count > CHUNK)
        return false;
    sorter->taken += count;
    take_singly(sorter, values, multiples, count);
    return true;
}

size_t value_sorter_take(struct value_sorter *sorter, const int64_t *values, size_t count)
{
    for (size_t at = 0; at < count; at += BLOCK)
        if (!take_block(sorter, values + at, count - at < BLOCK ? count - at : BLOCK))
            return at;
    return count;
}

/* One pass of a sort by digits; `places` counts how many values have each digit. */
static void sort_by_digit(struct value_sorter *sorter, uint32_t *places, uint32_t digits, int shift)
{
    size_t count = sorter->pending_count;
    uint32_t sum = 0;
    if (places[sorter->pending[0] >> shift & (digits - 1)] == count)
        return; /* all values share it */
    for (uint32_t i = 0; i < digits; i++) {
        uint32_t size = places[i];
        places[i] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t value = sorter->pending[i];
        sorter->spare[places[value >> shift & (digits - 1)]++] = value;
    }
    uint32_t *sorted = sorter->spare;
    sorter->spare = sorter->pending;
    sorter->pending = sorted;
}

/* Least significant digit first. The result is in `pending`. */
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
    for (int digit = 0; digit < 3; digit++)
        sort_by_digit(sorter, counts[digit], DIGITS, digit * DIGIT_BITS);
}

/* The same with bytes as digits: looking through the counts of large digits costs more than to sort a few values. */
static void sort_bytes(struct value_sorter *sorter)
{
    uint32_t counts[4][256];
    size_t count = sorter->pending_count;
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < count; i++) {
        uint32_t value = sorter->pending[i];
        counts[0][value & 255]++;
        counts[1][value >> 8 & 255]++;
        counts[2][value >> 16 & 255]++;
        counts[3][value >> 24]++;
    }
    for (int digit = 0; digit < 4; digit++)
        sort_by_digit(sorter, counts[digit], 256, digit * 8);
}

static int compare_numbers(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void sort_pending(struct value_sorter *sorter)
{
    if (sorter->pending_count > FEW_TO_SORT) {
        (sorter->pending_count > FEW_FOR_DIGITS ? sort_digits : sort_bytes)(sorter);
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

static void append_pending(struct value_sorter *sorter, struct value_list *list)
{
    size_t count = sorter->pending_count, distinct = count > 0;
    sort_pending(sorter);
    const uint32_t *sorted = sorter->pending;
    for (size_t i = 1; i < count; i++)
        distinct += sorted[i] != sorted[i - 1];
    value_list_reserve(list, list->count + distinct);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && sorted[next] == sorted[i];)
            next++;
        value_list_push(list, (int64_t)sorted[i] * sorter->unit_ns, (int64_t)(next - i));
    }
    sorter->pending_count = 0;
}

/* The large values from *at on: the negative ones of damaged data, or all that are left. */
static void append_large(struct value_sorter *sorter, struct value_list *list, bool negative, size_t *at)
{
    value_list_reserve(list, list->count + sorter->large.count - *at);
    for (; *at < sorter->large.count && (!negative || sorter->large.items[*at] < 0); (*at)++) {
        int64_t value = sorter->large.items[*at];
        if (list->count > 0 && list->values[list->count - 1] == value)
            list->weights[list->count - 1]++;
        else
            value_list_push(list, value, 1);
    }
}

const struct value_list *value_sorter_sort(struct value_sorter *sorter, struct sample_policy policy)
{
    size_t large = 0;
    if (sorter->taken == 0)
        return NULL;
    struct value_list *list = &sorter->stack[sorter->depth++];
    list->count = 0;
    list->unit_ns = sorter->large.count > 0 ? 1 : sorter->unit_ns;
    if (sorter->large.count > 1)
        qsort(sorter->large.items, sorter->large.count, sizeof *sorter->large.items, compare_numbers);
    append_large(sorter, list, true, &large);
    value_table_empty(&sorter->table, list, sorter->unit_ns);
    append_pending(sorter, list);
    append_large(sorter, list, false, &large);
    if (policy.every > 1)
        for (size_t i = 0; i < list->count; i++)
            if (policy.kept_over_ns == VALUE_UNKNOWN || list->values[i] <= policy.kept_over_ns)
                list->weights[i] = ns_times(list->weights[i], policy.every);
    sorter->large.count = sorter->taken = 0;
    sorter->unit_ns = sorter->next_unit_ns;
    return list;
}

static void merge_top(struct value_sorter *sorter)
{
    struct value_list *below = &sorter->stack[sorter->depth - 2], old = *below;
    value_list_merge(below, below + 1, &sorter->scratch);
    sorter->scratch.unit_ns = below[0].unit_ns < below[1].unit_ns ? below[0].unit_ns : below[1].unit_ns;
    *below = sorter->scratch;
    sorter->scratch = old;
    sorter->depth--;
}

/* Where lists are merged: another sorter's table while it is empty, so that not each has its own. */
static struct value_table *merging_table(struct value_sorter *sorter)
{
    struct value_sorter *lender = sorter->lender;
    return lender && lender->taken == 0 ? &lender->table : &sorter->table;
}

/* Moves what fits into the table from the list to there. */
static void move_to_table(struct value_table *table, struct value_list *list, int64_t unit)
{
    int64_t most = unit * (VALUE_TABLE_MOST - 1);
    uint32_t inverse = (uint32_t)(unit == 1000 ? INVERSE_125 : INVERSE_25);
    int shift = unit == 1000 ? 3 : 2;
    size_t used = list->count;
    while (used > 0 && list->values[used - 1] > most)
        used--;
    if (used > 0)
        value_table_reserve(table, (size_t)(list->values[used - 1] / unit));
    for (size_t i = 0; i < used; i++) {
        uint32_t product = (uint32_t)list->values[i] * inverse;
        uint32_t multiple = product >> shift | product << (32 - shift); /* as above: the unit divides it */
        table->weights[multiple] = ns_plus(table->weights[multiple], list->weights[i]);
        value_table_mark(table, multiple);
    }
    list->count -= used;
    memmove(list->values, list->values + used, list->count * sizeof *list->values);
    memmove(list->weights, list->weights + used, list->count * sizeof *list->weights);
}

/*
 * All lists into one by way of a table, which costs no comparisons; what lies beyond the table is rare and
 * is merged. To be called with nothing taken.
 */
static void merge_by_table(struct value_sorter *sorter, int64_t unit)
{
    struct value_table *table = merging_table(sorter);
    for (size_t i = 0; i < sorter->depth; i++)
        move_to_table(table, &sorter->stack[i], unit);
    while (sorter->depth > 1)
        merge_top(sorter);
    struct value_list *beyond = &sorter->stack[0], *all = &sorter->scratch;
    all->count = 0;
    value_table_empty(table, all, unit);
    value_list_reserve(all, all->count + beyond->count);
    for (size_t i = 0; i < beyond->count; i++)
        value_list_push(all, beyond->values[i], beyond->weights[i]);
    all->unit_ns = unit;
    struct value_list old = *beyond;
    *beyond = *all;
    sorter->scratch = old;
}

const struct value_list *value_sorter_collapse(struct value_sorter *sorter)
{
    int64_t unit = 1000;
    if (sorter->depth == 0)
        sorter->stack[0].count = 0;
    if (sorter->depth < 2)
        return &sorter->stack[0];
    for (size_t i = 0; i < sorter->depth; i++)
        unit = sorter->stack[i].unit_ns < unit ? sorter->stack[i].unit_ns : unit;
    size_t entries = 0;
    for (size_t i = 0; i < sorter->depth; i++)
        entries += sorter->stack[i].count;
    if (unit > 1 && entries > SMALL)
        merge_by_table(sorter, unit);
    while (sorter->depth > 1)
        merge_top(sorter);
    return &sorter->stack[0];
}

void value_sorter_settle(struct value_sorter *sorter)
{
    /* Lists without a coarse unit: like the digits of a binary counter, so that each value is moved a few
     * times only. */
    while (sorter->depth > 1 && sorter->stack[sorter->depth - 1].unit_ns == 1 &&
           sorter->stack[sorter->depth - 2].count < 2 * sorter->stack[sorter->depth - 1].count)
        merge_top(sorter);
    if (sorter->depth + 1 >= VALUE_STACK_MOST && sorter->taken == 0)
        value_sorter_collapse(sorter);
    while (sorter->depth + 1 >= VALUE_STACK_MOST)
        merge_top(sorter);
}

void value_sorter_move(struct value_sorter *sorter, struct value_sorter *other)
{
    struct value_list *top = &sorter->stack[sorter->depth], empty = *top;

    value_sorter_collapse(other);
    other->depth = 0;
    if (other->stack[0].count == 0)
        return;
    *top = other->stack[0];
    other->stack[0] = empty;
    sorter->depth++;
    value_sorter_settle(sorter);
}
