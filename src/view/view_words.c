#include "stutterscope/view/view_words.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct view_word *find(const struct view_words *words, const char *name)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i].name, name) == 0)
            return &words->items[i];
    return NULL;
}

void view_words_put(struct view_words *words, const char *name, const char *value)
{
    array_push(words, (struct view_word){memory_copy_text(name), memory_copy_text(value ? value : "")});
}

void view_words_put_number(struct view_words *words, const char *name, int64_t value)
{
    array_push(words, (struct view_word){memory_copy_text(name), memory_print("%" PRId64, value)});
}

void view_words_put_switch(struct view_words *words, const char *name, bool on)
{
    if (on)
        view_words_put(words, name, NULL);
}

void view_words_add_number(struct view_words *words, const char *name, int64_t value)
{
    struct view_word *word = find(words, name);
    char *longer;

    if (!word) {
        view_words_put_number(words, name, value);
        return;
    }
    longer = memory_print("%s%s%" PRId64, word->value, *word->value ? "," : "", value);
    free(word->value);
    word->value = longer;
}

const char *view_words_get(const struct view_words *words, const char *name)
{
    const struct view_word *word = find(words, name);

    return word ? word->value : NULL;
}

bool view_words_has(const struct view_words *words, const char *name)
{
    return find(words, name) != NULL;
}

bool view_words_number_at(const struct view_words *words, const char *name, size_t index, int64_t *ret)
{
    const char *at = view_words_get(words, name);

    while (at && index) {
        at = strchr(at, ',');
        at += at != NULL;
        index--;
    }
    return at && number_parse_scaled(at, strcspn(at, ","), 1, false, ret) == NUMBER_OK;
}

bool view_words_number(const struct view_words *words, const char *name, int64_t low, int64_t high, int64_t *ret)
{
    int64_t value;

    if (!view_words_number_at(words, name, 0, &value) || value < low || value > high)
        return false;
    *ret = value;
    return true;
}

bool view_words_place_at(const struct view_words *words, const char *name, size_t index, int count, int *ret)
{
    int64_t value;

    if (!view_words_number_at(words, name, index, &value) || value < 0 || value >= count)
        return false;
    *ret = (int)value;
    return true;
}

void view_words_free(struct view_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->items[i].name);
        free(words->items[i].value);
    }
    array_free(words);
}
