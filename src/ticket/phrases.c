#include "phrases.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/template.h"
#include <stdlib.h>
#include <string.h>

static const char name_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

static void finish(struct phrases *phrases, char *name, struct text_buffer *text)
{
    if (name)
        array_push(phrases, (struct phrase){name, text_take(text)});
}

bool phrases_parse(struct phrases *phrases, const char *file, const char *text, struct error *error)
{
    struct text_buffer phrase = {0};
    char *name = NULL;
    size_t line = 0;

    while (*text) {
        size_t length = strcspn(text, "\n"), used = length;

        line++;
        if (used && text[used - 1] == '\r')
            used--;
        if (strncmp(text, "%%", 2) == 0) {
            size_t blanks = 2 + strspn(text + 2, " ");
            size_t letters = strspn(text + blanks, name_letters);

            if (letters == 0 || blanks + letters != used) {
                free(name);
                array_free(&phrase);
                return error_set(error, ERROR_INPUT,
                                 "%s:%zu: expected \"%%%% name\" with small letters, digits and '_' only, "
                                 "found something else",
                                 file, line);
            }
            finish(phrases, name, &phrase);
            name = memory_copy_bytes(text + blanks, letters);
        } else if (name && strncmp(text, "%#", 2) != 0) {
            text_add_bytes(&phrase, text, used);
        }
        text += length + (text[length] == '\n');
    }
    finish(phrases, name, &phrase);
    array_free(&phrase);
    return true;
}

bool phrases_read(struct phrases *phrases, const char *path, struct error *error)
{
    char *text;
    size_t size;
    bool good;

    if (!path_read_all(path, TEMPLATE_TEXT_LIMIT, &text, &size, error))
        return false;
    good = text_is_valid_utf8(text, size)
               ? phrases_parse(phrases, path, text, error)
               : error_set(error, ERROR_INPUT, "%s: expected UTF-8, found other bytes", path);
    free(text);
    return good;
}

const char *phrases_find(const struct phrases *phrases, const char *name)
{
    for (size_t i = 0; i < phrases->count; i++)
        if (strcmp(phrases->items[i].name, name) == 0)
            return phrases->items[i].text;
    return NULL;
}

void phrases_free(struct phrases *phrases)
{
    for (size_t i = 0; i < phrases->count; i++) {
        free(phrases->items[i].name);
        free(phrases->items[i].text);
    }
    array_free(phrases);
}
