/*
 * Many frame times as a sorted list of distinct values with weights. Most values are small multiples of a
 * common unit (a microsecond, say) and are counted in a table; the others are sorted by their digits in
 * chunks, whose lists are merged. Memory grows with the distinct values, not with the frames. For the sources
 * of analysis/ only.
 */
#ifndef STUTTERSCOPE_ANALYSIS_VALUES_H
#define STUTTERSCOPE_ANALYSIS_VALUES_H

#include "stutterscope/analysis/piece.h"
#include "value_table.h"

struct value_list {
    int64_t *values; /* ascending, distinct */
    int64_t *weights;
    size_t count, capacity;
    int64_t unit_ns; /* divides all values */
};

void value_list_reserve(struct value_list *list, size_t wanted);
/* There must be room. */
static inline void value_list_push(struct value_list *list, int64_t value, int64_t weight)
{
    list->values[list->count] = value;
    list->weights[list->count++] = weight;
}

/* ret is another list than a and b. */
void value_list_merge(const struct value_list *a, const struct value_list *b, struct value_list *ret);

#define VALUE_STACK_MOST 64

struct value_sorter {
    int64_t unit_ns, next_unit_ns; /* 1000, 100 or 1; the next one holds from the next sort on */
    struct value_table table;      /* how often each small multiple of the unit was seen */
    uint32_t *pending, *spare;     /* larger multiples, in no order */
    size_t pending_count, pending_capacity;
    struct {
        int64_t *items; /* ns: what does not fit into 32 bits */
        size_t count, capacity;
    } large;
    size_t taken;     /* since the last sort */
    bool no_counting; /* set for short-lived sorters: to sort is cheaper than to take the table's pages */
    struct value_list stack[VALUE_STACK_MOST];
    size_t depth;
    struct value_list scratch;
    struct value_sorter *lender; /* may be NULL: whose table this one merges with while that one has taken nothing */
};

void value_sorter_clear(struct value_sorter *sorter); /* a zeroed sorter is made ready; memory is kept */
void value_sorter_free(struct value_sorter *sorter);

/* Takes as many values as it can and says how many; fewer than count: call value_sorter_sort() and give it
 * the rest. */
size_t value_sorter_take(struct value_sorter *sorter, const int64_t *values, size_t count);
/* Sorts what was taken, weighs it by the policy and puts it on the stack; NULL when nothing was taken. After
 * it, and when its list is no longer needed, value_sorter_settle() keeps the stack low. */
const struct value_list *value_sorter_sort(struct value_sorter *sorter, struct sample_policy policy);
void value_sorter_settle(struct value_sorter *sorter);
/* Moves everything that another one has sorted; it is empty then. */
void value_sorter_move(struct value_sorter *sorter, struct value_sorter *other);
/* Everything as one list; valid until the next call. */
const struct value_list *value_sorter_collapse(struct value_sorter *sorter);

/* The usual median, doubled so that it is an integer; total > 0 is the sum of the weights. */
int64_t value_list_median_doubled(const struct value_list *list, int64_t total);
/* The usual median of |2 x - center|, doubled again: four times the MAD when center is twice the median. */
int64_t value_list_mad_quadrupled(const struct value_list *list, int64_t total, int64_t center);
/* The first place (smallest value) whose cumulative weight is at least `need`; the last one when none is. */
size_t value_list_rank(const struct value_list *list, int64_t total, int64_t need);

#endif
