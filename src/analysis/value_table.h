/*
 * Counts how often each small whole number was seen: an array of weights, and bits that say which of them are not
 * zero, so that looking through it costs the numbers seen and not its size. For the sources of analysis/ only.
 */
#ifndef STUTTERSCOPE_ANALYSIS_VALUE_TABLE_H
#define STUTTERSCOPE_ANALYSIS_VALUE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct value_list;

#define VALUE_TABLE_MOST  (1u << 20) /* numbers below: 1.05 s at microseconds, 105 ms at 100 ns */
#define VALUE_TABLE_TOUCH 10         /* bits of a number within its stretch of `touched` */

struct value_table {
    int64_t *weights; /* of each number below size */
    uint64_t *seen;   /* a bit for each: its weight is not zero */
    uint8_t *touched; /* one for each stretch of numbers: some bit of it is set */
    size_t size;      /* at most VALUE_TABLE_MOST */
};

void value_table_free(struct value_table *table);
/* Makes room for numbers up to `greatest`, which is below VALUE_TABLE_MOST. */
void value_table_reserve(struct value_table *table, size_t greatest);
/* There must be room. */
static inline void value_table_mark(struct value_table *table, uint32_t number)
{
    table->seen[number >> 6] |= (uint64_t)1 << (number & 63);
    table->touched[number >> VALUE_TABLE_TOUCH] = 1;
}
void value_table_count(struct value_table *table, const uint32_t *numbers, size_t count);
/* Appends what was counted, times the unit, in ascending order and empties the table. */
void value_table_empty(struct value_table *table, struct value_list *list, int64_t unit);

#endif
