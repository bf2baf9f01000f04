#include "stutterscope/ticket/post.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/process.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    POST_LIMIT_MS = 120000, /* networks are slow */
    OUTPUT_LIMIT = 256 * 1024,
    LONGEST_REFERENCE = 500
};

/* ---- reference ---- */

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static size_t match_address(const char *text, const char *at)
{
    size_t scheme = strncmp(at, "https://", 8) == 0 ? 8 : strncmp(at, "http://", 7) == 0 ? 7 : 0, length;

    if (!scheme || (at > text && is_word_byte(at[-1])))
        return 0;
    length = strcspn(at, " \t\r\n<>\"'`|\\");
    while (length > scheme && strchr(".,;:!?)]}", at[length - 1]))
        length--;
    return length > scheme ? length : 0;
}

/* "MG-1211": capitals and digits, then a number. */
static size_t match_key(const char *text, const char *at)
{
    size_t key = 0, number;

    if (!isupper((unsigned char)*at) || (at > text && (is_word_byte(at[-1]) || strchr("/.", at[-1]))))
        return 0;
    while (isupper((unsigned char)at[key]) || isdigit((unsigned char)at[key]) || at[key] == '_')
        key++;
    number = at[key] == '-' ? strspn(at + key + 1, "0123456789") : 0;
    return key >= 2 && number && !is_word_byte(at[key + 1 + number]) ? key + 1 + number : 0;
}

static size_t match_number(const char *text, const char *at)
{
    size_t number = *at == '#' ? strspn(at + 1, "0123456789") : 0;

    return number && !(at > text && is_word_byte(at[-1])) && !is_word_byte(at[1 + number]) ? 1 + number : 0;
}

char *ticket_find_reference(const char *text)
{
    static size_t (*const kinds[])(const char *text, const char *at) = {match_address, match_key,
                                                                        match_number};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *found = NULL;
        size_t found_length = 0;

        for (const char *at = text; *at; at++) {
            size_t length = kinds[i](text, at);

            if (length && length <= LONGEST_REFERENCE) {
                found = at;
                found_length = length;
            }
            at += length ? length - 1 : 0;
        }
        if (found)
            return memory_copy_bytes(found, found_length);
    }
    return NULL;
}

/* ---- running ---- */

/* The word with the title wherever it asks for it. */
static char *fill_word(const char *word, const char *title, bool *ret_filled)
{
    static const char mark[] = "{title}";
    struct text_buffer filled = {0};

    text_add(&filled, "");
    while (*word) {
        bool here = strncmp(word, mark, strlen(mark)) == 0;

        if (here)
            text_add(&filled, title);
        else
            text_add_bytes(&filled, word, 1);
        word += here ? strlen(mark) : 1;
        *ret_filled |= here;
    }
    return text_take(&filled);
}

static bool run(const struct words *arguments, const char *text, const struct progress *progress,
                struct ticket_post *ret, struct error *error)
{
    const struct process_options options = {
        .arguments = arguments->items,
        .input = text,
        .input_size = strlen(text),
        .limit_ms = POST_LIMIT_MS,
        .output_limit = OUTPUT_LIMIT,
        .progress = progress,
    };
    struct process_result result;
    char *clean;
    bool good;

    if (!process_run(&options, &result, error))
        return false;
    clean = text_clean_lines(result.output, result.output_size);
    ret->output = memory_print("%s%s%s%s", clean, *clean && clean[strlen(clean) - 1] != '\n' ? "\n" : "",
                               result.errors, *result.errors ? "\n" : "");
    good = process_succeeded(&result, &options, error);
    if (good && !(ret->reference = ticket_find_reference(clean)))
        ret->reference = ticket_find_reference(result.errors);
    free(clean);
    process_result_free(&result);
    return good;
}

bool ticket_post(const char *command, const struct ticket *ticket, const struct progress *progress,
                 struct ticket_post *ret, struct error *error)
{
    struct words words, filled = {0};
    bool has_title = false, good;

    memset(ret, 0, sizeof *ret);
    if (!words_split(command, &words, error))
        return false;
    if (!words.count)
        return error_set(error, ERROR_USAGE,
                         "expected a command that takes the ticket, found none: set post = "
                         "gh issue create --title {title} -F - under [ticket]");
    for (size_t i = 0; i < words.count; i++) {
        char *word = fill_word(words.items[i], ticket->title, &has_title);

        words_add(&filled, word);
        free(word);
    }
    good = run(&filled, has_title ? ticket->body : ticket->text, progress, ret, error);
    words_free(&words);
    words_free(&filled);
    return good;
}

void ticket_post_free(struct ticket_post *post)
{
    free(post->output);
    free(post->reference);
    memset(post, 0, sizeof *post);
}
