#include "stutterscope/base/words.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* Where the address ends that begins here: at a blank, or at the quote that it is in. */
static size_t address_length(const char *text, char quote)
{
    return quote ? strcspn(text, (const char[]){quote, '\0'}) : strcspn(text, " \t\r\n\"'`");
}

/* How much of the authority is user info, with its '@'. Passwords of database servers have every sign, '/' too. */
static size_t user_info_length(const char *text, size_t length, bool any_sign)
{
    size_t end = any_sign ? length : strcspn(text, "/?#"), info = 0;

    for (size_t i = 0; i < length && i < end; i++)
        if (text[i] == '@')
            info = i + 1;
    return info;
}

char *text_without_user_info(const char *text)
{
    static const char database[] = "clickhouse";
    struct text_buffer shown = {0};
    const char *from = text;

    text_add(&shown, "");
    for (const char *at = text; (at = strstr(at, "://"));) {
        const char *scheme = at;
        size_t length;

        while (scheme > text && (isalnum((unsigned char)scheme[-1]) || strchr("+-.", scheme[-1])))
            scheme--;
        at += strlen("://");
        length = address_length(at, scheme > text && strchr("\"'`", scheme[-1]) ? scheme[-1] : '\0');
        text_add_bytes(&shown, from, (size_t)(at - from));
        at += user_info_length(at, length, strncasecmp(scheme, database, sizeof database - 1) == 0);
        from = at;
    }
    text_add(&shown, from);
    return text_take(&shown);
}
