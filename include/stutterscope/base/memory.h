/*
 * Memory that is always there: these functions end the program with a message when it is exhausted, so that no
 * caller needs an untested path. Release with free().
 */
#ifndef STUTTERSCOPE_BASE_MEMORY_H
#define STUTTERSCOPE_BASE_MEMORY_H

#include <stddef.h>

void *memory_take(size_t bytes);
void *memory_take_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t count, size_t size);
char *memory_copy_text(const char *text);                /* NULL stays NULL */
char *memory_copy_bytes(const char *bytes, size_t size); /* adds a terminating NUL */
__attribute__((format(printf, 1, 2))) char *memory_print(const char *format, ...);

/*
 * Growable arrays: any struct with the members items, count, capacity.
 *     struct { int *items; size_t count, capacity; } numbers = {0};
 *     array_push(&numbers, 3);
 */
#define array_reserve(array, wanted)                                                                                   \
    do {                                                                                                               \
        if ((array)->capacity < (wanted))                                                                              \
            (array)->items = memory_grow((array)->items, &(array)->capacity, (wanted), sizeof *(array)->items);        \
    } while (0)
#define array_push(array, ...)                                                                                         \
    do {                                                                                                               \
        array_reserve(array, (array)->count + 1);                                                                      \
        if (!(array)->items) /* what has room for something has items; said for compilers and analyzers */             \
            __builtin_unreachable();                                                                                   \
        (array)->items[(array)->count++] = (__VA_ARGS__);                                                              \
    } while (0)
#define array_free(array)                                                                                              \
    do {                                                                                                               \
        free((array)->items);                                                                                          \
        (array)->items = NULL;                                                                                         \
        (array)->count = (array)->capacity = 0;                                                                        \
    } while (0)
void *memory_grow(void *items, size_t *capacity, size_t wanted, size_t size);

/*
 * For a program that takes some megabytes before anybody sees something: the next ones come in large pages, where the
 * system has them, instead of in a thousand small ones that each interrupt the program. Nothing else changes; once, at
 * the begin.
 */
void memory_prepare(void);
/* After work that took much memory and before other work does: what was freed goes back to the system. */
void memory_give_back(void);

#endif
