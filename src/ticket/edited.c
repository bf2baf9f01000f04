/*
 * A ticket whose text was changed by hand.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/ticket.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *escaped;
    char plain;
} entities[] = {{"&amp;", '&'},  {"&lt;", '<'},   {"&gt;", '>'},   {"&quot;", '"'}, {"&#92;", '\\'}, {"&#96;", '`'},
                {"&#124;", '|'}, {"&#123;", '{'}, {"&#125;", '}'}, {"&#91;", '['},  {"&#93;", ']'},  {"&#126;", '~'},
                {"&#35;", '#'},  {"&#36;", '$'},  {"&#47;", '/'},  {"&#46;", '.'},  {"&#58;", ':'},  {"&#32;", ' '},
                {"&#8203;", 0}};

/* Adds the character that the entity at text stands for; its length, 0 when there is none. */
static size_t take_entity(const char *text, struct text_buffer *plain)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        size_t length = strlen(entities[i].escaped);

        if (strncmp(text, entities[i].escaped, length) == 0) {
            text_add_bytes(plain, &entities[i].plain, entities[i].plain != 0);
            return length;
        }
    }
    return 0;
}

/* The line without what escaping adds: backslashes before punctuation, entities, backticks. */
static char *without_markup(const char *line, size_t length)
{
    struct text_buffer plain = {0};

    text_add(&plain, "");
    for (size_t i = 0; i < length;) {
        size_t entity = take_entity(line + i, &plain);

        if (line[i] == '\\' && i + 1 < length && ispunct((unsigned char)line[i + 1]))
            i++;
        if (!entity && line[i] != '`')
            text_add_bytes(&plain, line + i, 1);
        i += entity ? entity : 1;
    }
    return text_take(&plain);
}

void ticket_take_edited(const struct ticket *before, const char *text, struct ticket *ret)
{
    size_t first = strcspn(text, "\n"), blanks = first + strspn(text + first, "\n");
    enum escape_kind escape = before->format ? before->format->escape : ESCAPE_NONE;
    const char *mark = escape == ESCAPE_JIRA ? "h1. " : escape == ESCAPE_MARKDOWN ? "# " : "";
    size_t marked = strncmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
    bool same = before->text && strcspn(before->text, "\n") == first && strncmp(before->text, text, first) == 0;

    *ret = (struct ticket){.format = before->format, .shortened = before->shortened};
    if (same)
        ret->title = memory_copy_text(before->title);
    else if (escape == ESCAPE_NONE)
        ret->title = memory_copy_bytes(text, first);
    else
        ret->title = without_markup(text + marked, first - marked);
    ret->body = memory_copy_text(text + blanks);
    ret->text = memory_copy_text(text);
    ret->length = text_units(text);
}
