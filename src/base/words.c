#include "stutterscope/base/words.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

void words_add(struct words *words, const char *text)
{
    array_reserve(words, words->count + 2);
    words->items[words->count++] = memory_copy_text(text);
    words->items[words->count] = NULL;
}

void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->items[i]);
    array_free(words);
}

/* The quoted part from *at on (behind the quote), up to its end; *at is left behind the closing quote. */
static bool take_quoted(const char **at, char quote, struct text_buffer *word)
{
    for (; **at && **at != quote; (*at)++) {
        if (quote == '"' && **at == '\\' && (*at)[1] && strchr("\"\\$`", (*at)[1]))
            (*at)++;
        text_add_bytes(word, *at, 1);
    }
    if (!**at)
        return false;
    (*at)++;
    return true;
}

static bool take_word(const char **at, struct text_buffer *word)
{
    text_add(word, "");
    while (**at && !strchr(" \t\n", **at)) {
        char here = *(*at)++;

        if (here == '\'' || here == '"') {
            if (!take_quoted(at, here, word))
                return false;
            continue;
        }
        if (here == '\\' && **at)
            here = *(*at)++;
        text_add_bytes(word, &here, 1);
    }
    return true;
}

bool words_split(const char *line, struct words *ret, struct error *error)
{
    const char *at = line;

    memset(ret, 0, sizeof *ret);
    for (;;) {
        struct text_buffer word = {0};

        at += strspn(at, " \t\n");
        if (!*at)
            break;
        if (!take_word(&at, &word)) {
            array_free(&word);
            words_free(ret);
            return error_set(error, ERROR_USAGE, "a quote is not closed in: %s", line);
        }

        char *text = text_take(&word);

        words_add(ret, text);
        free(text);
    }
    return true;
}
