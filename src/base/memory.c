#include "stutterscope/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define SMALLEST_CAPACITY 8

__attribute__((noreturn)) static void memory_give_up(void)
{
    fputs("stutterscope: out of memory\n", stderr);
    abort();
}

static size_t memory_bytes(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        memory_give_up();
    /* malloc(0) may give NULL, which would look like exhaustion. */
    return bytes > 0 ? bytes : 1;
}

void *memory_take(size_t bytes)
{
    void *memory = malloc(memory_bytes(bytes, 1));

    if (!memory)
        memory_give_up();
    return memory;
}

void *memory_take_zeroed(size_t count, size_t size)
{
    void *memory = calloc(memory_bytes(count, size), 1);

    if (!memory)
        memory_give_up();
    return memory;
}

void *memory_resize(void *old, size_t count, size_t size)
{
    void *memory = realloc(old, memory_bytes(count, size));

    if (!memory)
        memory_give_up();
    return memory;
}

char *memory_copy_text(const char *text)
{
    return text ? memory_copy_bytes(text, strlen(text)) : NULL;
}

char *memory_copy_bytes(const char *bytes, size_t size)
{
    char *copy;

    if (size == SIZE_MAX)
        memory_give_up();
    copy = memory_take(size + 1);
    if (size > 0)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

char *memory_print(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        memory_give_up();
    va_end(arguments);
    return text;
}

void *memory_grow(void *items, size_t *capacity, size_t wanted, size_t size)
{
    size_t next = *capacity < SMALLEST_CAPACITY ? SMALLEST_CAPACITY : *capacity;

    if (*capacity >= wanted)
        return items;
    while (next < wanted)
        next = next > SIZE_MAX / 2 ? wanted : next * 2;
    items = memory_resize(items, next, size);
    *capacity = next;
    return items;
}

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
enum { LARGE_PAGE = 2 << 20, PREPARED = 4 * LARGE_PAGE };

/*
 * malloc() takes from the break of the program what it has not set aside: it is moved so that what is asked for here ends
 * just before a large page can begin. A page that was touched before it was said to be large would stay small.
 */
void memory_prepare(void)
{
    enum { ASKED = 192 << 10, BEFORE = ASKED + (8 << 10), LEFT_TO_MALLOC = 4 << 20 };
    char *end = sbrk(0);
    size_t gap = -((uintptr_t)end + BEFORE) & (LARGE_PAGE - 1);
    volatile char *block;

    if (end == (char *)-1 || sbrk((intptr_t)gap) == (void *)-1)
        return;
    mallopt(M_MMAP_THRESHOLD, LEFT_TO_MALLOC);
    mallopt(M_TRIM_THRESHOLD, 2 * PREPARED);
    mallopt(M_TOP_PAD, PREPARED + BEFORE);
    block = memory_take(ASKED); /* more than is set aside so early */
    *block = 0;                 /* else compilers leave out both calls */
    free((void *)block);
    mallopt(M_TOP_PAD, ASKED);
    madvise(end + gap + BEFORE, PREPARED, MADV_HUGEPAGE);
}

/* What was prepared is kept: small pages would come in its place. */
void memory_give_back(void)
{
#if __GLIBC_PREREQ(2, 33)
    if (mallinfo2().fordblks < 2 * PREPARED)
        return;
#endif
    malloc_trim(0);
}
#else
void memory_prepare(void)
{
}

void memory_give_back(void)
{
}
#endif
