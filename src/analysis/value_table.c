#include "value_table.h"
#include "stutterscope/base/memory.h"
#include "values.h"
#include <stdlib.h>
#include <string.h>

#define LEAST_SIZE ((size_t)1 << 17) /* most need no more: 131 ms at microseconds */
#define WORDS      ((1u << VALUE_TABLE_TOUCH) / 64) /* of a stretch */

void value_table_free(struct value_table *table)
{
    free(table->weights);
    free(table->seen);
    free(table->touched);
    *table = (struct value_table){0};
}

/* Only what was counted: copying all would take the memory of both tables, of which little is ever used. */
static void copy_touched(const struct value_table *from, struct value_table *to)
{
    memcpy(to->seen, from->seen, from->size / 64 * sizeof *to->seen);
    memcpy(to->touched, from->touched, from->size >> VALUE_TABLE_TOUCH);
    for (size_t i = 0; i < from->size >> VALUE_TABLE_TOUCH; i++)
        if (from->touched[i])
            memcpy(to->weights + (i << VALUE_TABLE_TOUCH), from->weights + (i << VALUE_TABLE_TOUCH),
                   sizeof *to->weights << VALUE_TABLE_TOUCH);
}

void value_table_reserve(struct value_table *table, size_t greatest)
{
    size_t size = greatest < LEAST_SIZE ? LEAST_SIZE : VALUE_TABLE_MOST;
    if (greatest < table->size)
        return;

    struct value_table larger = {
        .weights = memory_take_zeroed(size, sizeof *larger.weights),
        .seen = memory_take_zeroed(size / 64, sizeof *larger.seen),
        .touched = memory_take_zeroed(size >> VALUE_TABLE_TOUCH, sizeof *larger.touched),
        .size = size,
    };
    if (table->size > 0)
        copy_touched(table, &larger);
    value_table_free(table);
    *table = larger;
}

void value_table_count(struct value_table *table, const uint32_t *restrict numbers, size_t count)
{
    int64_t *restrict weights = table->weights;
    uint64_t *restrict seen = table->seen;
    uint8_t *restrict touched = table->touched;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = numbers[i];
        weights[number]++;
        seen[number >> 6] |= (uint64_t)1 << (number & 63);
        touched[number >> VALUE_TABLE_TOUCH] = 1;
    }
}

static void empty_stretch(struct value_table *table, size_t stretch, struct value_list *list, int64_t unit)
{
    value_list_reserve(list, list->count + ((size_t)1 << VALUE_TABLE_TOUCH));
    int64_t *restrict values = list->values + list->count, *restrict weights = list->weights + list->count;
    int64_t *restrict table_weights = table->weights;
    size_t count = 0;
    for (size_t word = stretch * WORDS; word < (stretch + 1) * WORDS; word++) {
        uint64_t bits = table->seen[word];
        for (; bits; bits &= bits - 1) {
            size_t number = word * 64 + (size_t)__builtin_ctzll(bits);
            values[count] = (int64_t)number * unit;
            weights[count++] = table_weights[number];
            table_weights[number] = 0;
        }
        table->seen[word] = 0;
    }
    list->count += count;
}

void value_table_empty(struct value_table *table, struct value_list *list, int64_t unit)
{
    size_t stretches = table->size >> VALUE_TABLE_TOUCH;
    for (size_t first = 0; first < stretches; first += sizeof(uint64_t)) {
        uint64_t any;
        memcpy(&any, table->touched + first, sizeof any);
        if (!any)
            continue;
        for (size_t i = first; i < first + sizeof any; i++)
            if (table->touched[i])
                empty_stretch(table, i, list, unit);
        memset(table->touched + first, 0, sizeof any);
    }
}
