/*
 * Scratch files and folders of a test go with its process, however the test ends (short of a crash). Nothing stays in
 * the machine's folder for temporary files.
 */
#ifndef TESTS_UNIT_LEFTOVERS_H
#define TESTS_UNIT_LEFTOVERS_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct leftover {
    struct leftover *next;
    pid_t owner; /* a child that ends removes nothing */
    char path[256];
} *leftovers;

static inline int leftover_remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

/* With everything in it; what is not there is fine. */
static inline void leftover_remove(const char *path)
{
    nftw(path, leftover_remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void leftovers_remove_all(void)
{
    for (struct leftover *each = leftovers, *next; each; each = next) {
        next = each->next;
        if (each->owner == getpid())
            leftover_remove(each->path);
        free(each);
    }
    leftovers = NULL;
}

/* The file or folder is removed at the end of this process, unless it is gone by then. */
static inline void leftover_note(const char *path)
{
    struct leftover *noted = calloc(1, sizeof *noted);

    if (!noted)
        abort();
    if (!leftovers)
        atexit(leftovers_remove_all);
    snprintf(noted->path, sizeof noted->path, "%s", path);
    noted->owner = getpid();
    noted->next = leftovers;
    leftovers = noted;
}

#endif
