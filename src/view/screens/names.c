#include "names.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS    " _-."
#define LEAST_COLUMNS 3
#define SHORT_WORD    3 /* columns of a first word that gives way */

/* Without blanks and underscores. */
static char *squeeze(const char *name)
{
    char *squeezed = memory_copy_text(name), *to = squeezed;

    for (const char *from = name; *from; from++)
        if (*from != ' ' && *from != '_')
            *to++ = *from;
    *to = '\0';
    return squeezed;
}

/* The first word cut to so many columns, the rest as it is. */
static char *shorten_first_word(const char *name, size_t columns)
{
    size_t word = strcspn(name, SEPARATORS);
    char *first = memory_copy_bytes(name, word);
    char *result = memory_print("%.*s%s", (int)text_fit(first, columns, NULL), first, name + word);

    free(first);
    return result;
}

static char *squeeze_and_free(char *name)
{
    char *squeezed = squeeze(name);

    free(name);
    return squeezed;
}

/* "Battle_03" in 5 columns is "Bat03": the last word whole, of what is before as much as there is room for.
 */
static char *join_ends(const char *name, size_t columns)
{
    const char *last = name;

    for (const char *at = name; *at; at++)
        if (strchr(SEPARATORS, *at) && at[1])
            last = at + 1;
    if (last == name || text_width(last) + 2 > columns)
        return NULL;

    char *head = memory_copy_bytes(name, (size_t)(last - name) - 1);
    char *result = memory_print("%.*s%s", (int)text_fit(head, columns - text_width(last), NULL), head, last);

    free(head);
    return result;
}

enum way { WAY_WHOLE, WAY_SQUEEZED, WAY_SHORT_FIRST, WAY_SHORT_SQUEEZED, WAY_ENDS, WAY_MIDDLE };

static char *cut_in_way(const char *name, size_t columns, enum way way)
{
    switch (way) {
    case WAY_WHOLE:
        return memory_copy_text(name);
    case WAY_SQUEEZED:
        return squeeze(name);
    case WAY_SHORT_FIRST:
        return shorten_first_word(name, SHORT_WORD);
    case WAY_SHORT_SQUEEZED:
        return squeeze_and_free(shorten_first_word(name, SHORT_WORD));
    case WAY_ENDS:
        return join_ends(name, columns);
    case WAY_MIDDLE:
        break;
    }
    return text_cut_middle(name, columns, "…");
}

static char *cut_one(const char *name, size_t columns)
{
    for (enum way way = WAY_WHOLE; way < WAY_MIDDLE; way++) {
        char *cut = cut_in_way(name, columns, way);

        if (cut && *cut && text_width(cut) <= columns)
            return cut;
        free(cut);
    }
    return cut_in_way(name, columns, WAY_MIDDLE);
}

static bool is_taken(char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* "Stage_24_Castle" in 5 columns is "Sta24": names that look alike often differ by their number. NULL without one. */
static char *keep_number(const char *name, size_t columns)
{
    const char *digits = strpbrk(name, "0123456789");
    size_t length = digits ? strspn(digits, "0123456789") : 0;

    if (!digits || digits == name || length + 1 > columns)
        return NULL;

    char *head = memory_copy_bytes(name, (size_t)(digits - name)), *squeezed = squeeze(head);
    char *result = memory_print("%.*s%.*s", (int)text_fit(squeezed, columns - length, NULL), squeezed, (int)length, digits);

    free(head);
    free(squeezed);
    return result;
}

/* Of names that would look the same, each that has a number shows it. */
static void tell_apart_by_number(const char *const *names, size_t count, size_t columns, char **cut)
{
    bool *same = memory_take_zeroed(count + 1, sizeof *same);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(cut[i], cut[j]) == 0)
                same[i] = same[j] = true;
    for (size_t i = 0; i < count; i++) {
        char *numbered = same[i] ? keep_number(names[i], columns) : NULL;

        if (numbered) {
            free(cut[i]);
            cut[i] = numbered;
        }
    }
    free(same);
}

/* "Gal…2": when nothing else tells two names apart. */
static char *number_name(const char *name, size_t columns, size_t number)
{
    char *tail = memory_print("…%zu", number);
    size_t width = text_width(tail), room = columns > width ? columns - width : 0;
    char *result = memory_print("%.*s%s", (int)text_fit(name, room, NULL), name, tail);

    free(tail);
    return result;
}

void names_cut(const char *const *names, size_t count, int columns, char **ret)
{
    size_t room = columns < LEAST_COLUMNS ? LEAST_COLUMNS : (size_t)columns;

    for (size_t i = 0; i < count; i++)
        ret[i] = cut_one(names[i], room);
    tell_apart_by_number(names, count, room, ret);
    for (size_t i = 0; i < count; i++) {
        if (is_taken(ret, i, ret[i])) {
            free(ret[i]);
            ret[i] = cut_in_way(names[i], room, WAY_MIDDLE);
        }
        for (size_t number = 2; number < 1000 && is_taken(ret, i, ret[i]); number++) {
            free(ret[i]);
            ret[i] = number_name(names[i], room, number);
        }
    }
}

/* Where the lower line begins: behind the last separator that has something on both sides. */
static const char *lower_part(const char *name)
{
    const char *lower = NULL;

    for (const char *at = name + (*name != '\0'); *at; at++)
        if (strchr("_ ", *at) && at[1])
            lower = at + 1;
    return lower;
}

void names_cut_two(const char *const *names, size_t count, int upper_columns, int lower_columns,
                   char **ret_upper, char **ret_lower)
{
    size_t room = lower_columns < LEAST_COLUMNS ? LEAST_COLUMNS : (size_t)lower_columns;
    size_t upper_room = upper_columns < LEAST_COLUMNS ? LEAST_COLUMNS : (size_t)upper_columns;
    char **whole = memory_take_zeroed(count + 1, sizeof *whole);
    bool differ = true;

    names_cut(names, count, lower_columns, whole);
    for (size_t i = 0; i < count; i++) {
        const char *lower = text_width(names[i]) > room ? lower_part(names[i]) : NULL;

        if (!lower || text_width(lower) > room) {
            ret_upper[i] = memory_copy_text("");
            ret_lower[i] = memory_copy_text(whole[i]);
        } else {
            char *upper = memory_copy_bytes(names[i], (size_t)(lower - names[i]) - 1);

            ret_upper[i] = text_cut_middle(upper, upper_room, "…");
            ret_lower[i] = memory_copy_text(lower);
            free(upper);
        }
        for (size_t j = 0; j < i; j++)
            differ &= strcmp(ret_upper[i], ret_upper[j]) != 0 || strcmp(ret_lower[i], ret_lower[j]) != 0;
    }
    for (size_t i = 0; i < count && !differ; i++) {
        free(ret_upper[i]);
        free(ret_lower[i]);
        ret_upper[i] = memory_copy_text("");
        ret_lower[i] = memory_copy_text(whole[i]);
    }
    names_free(whole, count);
    free(whole);
}

void names_free(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
        names[i] = NULL;
    }
}
