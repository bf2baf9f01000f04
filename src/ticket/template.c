#include "stutterscope/ticket/template.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "template_tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DELIMITER_LIMIT = 16 };

struct parser {
    struct template *template;
    const char *text; /* the original: names in template->bytes get their NUL while this is read */
    size_t length;
    size_t at, line; /* where the next text begins */
    char open[DELIMITER_LIMIT + 1], close[DELIMITER_LIMIT + 2];
    size_t sections[TEMPLATE_DEPTH_LIMIT]; /* nodes of those that are open */
    size_t depth;
    struct error *error;
};

struct tag {
    char sigil; /* one of "#^/!>&={", or 0 for a plain variable */
    size_t line;
    size_t begin, end;             /* of the whole tag */
    size_t content, content_count; /* without the blanks around it */
};

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

static bool is_space(char byte)
{
    return is_blank(byte) || byte == '\n' || byte == '\r' || byte == '\f' || byte == '\v';
}

static size_t count_lines(const char *text, size_t from, size_t to)
{
    size_t lines = 0;
    for (; from < to; from++)
        lines += text[from] == '\n';
    return lines;
}

/* Offset of the next occurrence, or SIZE_MAX. */
static size_t find(const struct parser *parser, size_t from, const char *wanted)
{
    const char *found = memmem(parser->text + from, parser->length - from, wanted, strlen(wanted));
    return found ? (size_t)(found - parser->text) : SIZE_MAX;
}

/* "name:line: message, found "what is there"". */
static bool fail(struct parser *parser, const struct tag *tag, const char *message)
{
    size_t size = tag->end - tag->begin;
    char *found = text_clean(parser->text + tag->begin, size < 60 ? size : 60);
    error_set(parser->error, ERROR_INPUT, "%s:%zu: %s, found \"%s\"", parser->template->name, tag->line,
              message, found);
    free(found);
    return false;
}

static bool read_tag(struct parser *parser, size_t begin, struct tag *tag)
{
    char close[DELIMITER_LIMIT + 3];
    const char *inner;
    size_t content = begin + strlen(parser->open), end;

    *tag = (struct tag){.begin = begin, .line = parser->line + count_lines(parser->text, parser->at, begin)};
    if (content < parser->length && parser->text[content] && strchr("#^/!>&={", parser->text[content]))
        tag->sigil = parser->text[content++];
    inner = tag->sigil == '{' ? "}" : tag->sigil == '=' ? "=" : "";
    snprintf(close, sizeof close, "%s%s", inner, parser->close);
    end = find(parser, content, close);
    if (end == SIZE_MAX)
        return error_set(
            parser->error, ERROR_INPUT,
            "%s:%zu: the tag that begins here is not closed: expected \"%s\", found the end of the template",
            parser->template->name, tag->line, close);
    tag->end = end + strlen(close);
    while (content < end && is_space(parser->text[content]))
        content++;
    while (content < end && is_space(parser->text[end - 1]))
        end--;
    tag->content = content;
    tag->content_count = end - content;
    return true;
}

static bool check_name(struct parser *parser, const struct tag *tag)
{
    const char *name = parser->text + tag->content;
    size_t count = tag->content_count;

    if (count == 0)
        return fail(parser, tag, "expected a name in the tag");
    if (count > TEMPLATE_NAME_LIMIT)
        return fail(parser, tag, "expected a name of at most 200 bytes");
    for (size_t i = 0; i < count; i++)
        if (is_space(name[i]))
            return fail(parser, tag, "expected a name without blanks");
    if (tag->sigil == '>' || (count == 1 && name[0] == '.'))
        return true;
    if (name[0] == '.' || name[count - 1] == '.' || memmem(name, count, "..", 2))
        return fail(parser, tag, "expected a name before and after every dot");
    return true;
}

static bool set_delimiters(struct parser *parser, const struct tag *tag)
{
    const char *words = parser->text + tag->content;
    size_t open = 0, close = 0, gap;

    while (open < tag->content_count && !is_space(words[open]))
        open++;
    for (gap = open; gap < tag->content_count && is_space(words[gap]);)
        gap++;
    while (gap + close < tag->content_count && !is_space(words[gap + close]))
        close++;
    if (open == 0 || close == 0 || gap + close != tag->content_count || open > DELIMITER_LIMIT ||
        close > DELIMITER_LIMIT || memchr(words, '=', tag->content_count))
        return fail(parser, tag,
                    "expected two delimiters of at most 16 bytes without \"=\", with a blank between");
    memcpy(parser->open, words, open);
    parser->open[open] = '\0';
    memcpy(parser->close, words + gap, close);
    parser->close[close] = '\0';
    return true;
}

static bool close_section(struct parser *parser, const struct tag *tag)
{
    struct node *node;

    if (parser->depth == 0)
        return fail(parser, tag, "expected no closing tag, because no section is open here");
    node = &parser->template->nodes.items[parser->sections[parser->depth - 1]];
    if (strlen(node->name) != tag->content_count ||
        memcmp(node->name, parser->text + tag->content, tag->content_count) != 0) {
        char *message = memory_print("expected the section \"%s\" of line %zu to be closed first", node->name,
                                     node->line);
        fail(parser, tag, message);
        free(message);
        return false;
    }
    node->end = parser->template->nodes.count;
    parser->depth--;
    return true;
}

/* A tag that leaves a node behind; the indentation is that of a partial alone on its line. */
static bool add_tag(struct parser *parser, const struct tag *tag, size_t indentation)
{
    static const enum node_kind kinds[128] = {
        [0] = NODE_VALUE,     ['{'] = NODE_RAW,      ['&'] = NODE_RAW,
        ['#'] = NODE_SECTION, ['^'] = NODE_INVERTED, ['>'] = NODE_PARTIAL,
    };
    char *bytes = parser->template->bytes;
    struct node node = {.kind = kinds[(unsigned char)tag->sigil], .line = tag->line};

    node.name = bytes + tag->content;
    node.text = bytes + tag->begin - indentation;
    node.length = indentation;
    bytes[tag->content + tag->content_count] = '\0';
    if (node.kind == NODE_SECTION || node.kind == NODE_INVERTED) {
        if (parser->depth == TEMPLATE_DEPTH_LIMIT)
            return fail(parser, tag, "expected at most 64 sections inside one another");
        parser->sections[parser->depth++] = parser->template->nodes.count;
    }
    array_push(&parser->template->nodes, node);
    return true;
}

static void add_text(struct parser *parser, size_t end)
{
    struct node node = {.kind = NODE_TEXT, .line = parser->line, .length = end - parser->at};

    node.text = parser->template->bytes + parser->at;
    if (node.length > 0)
        array_push(&parser->template->nodes, node);
}

/* Whether nothing but blanks is beside the tag on its line; then *ret_begin … *ret_end is the whole line. */
static bool is_alone(const struct parser *parser, const struct tag *tag, size_t *ret_begin, size_t *ret_end)
{
    size_t begin = tag->begin, end = tag->end;

    if (tag->sigil == 0 || tag->sigil == '{' || tag->sigil == '&')
        return false;
    while (begin > 0 && is_blank(parser->text[begin - 1]))
        begin--;
    while (end < parser->length && is_blank(parser->text[end]))
        end++;
    if (begin > 0 && parser->text[begin - 1] != '\n')
        return false;
    if (end + 1 < parser->length && parser->text[end] == '\r' && parser->text[end + 1] == '\n')
        end++;
    if (end < parser->length && parser->text[end++] != '\n')
        return false;
    *ret_begin = begin;
    *ret_end = end;
    return true;
}

static bool read_all(struct parser *parser)
{
    size_t begin;

    while ((begin = find(parser, parser->at, parser->open)) != SIZE_MAX) {
        struct tag tag;
        size_t text_end = begin, next;
        bool ok = true;

        if (!read_tag(parser, begin, &tag))
            return false;
        next = tag.end;
        is_alone(parser, &tag, &text_end, &next);
        add_text(parser, text_end);
        if (tag.sigil == '=')
            ok = set_delimiters(parser, &tag);
        else if (tag.sigil == '/')
            ok = check_name(parser, &tag) && close_section(parser, &tag);
        else if (tag.sigil != '!')
            ok = check_name(parser, &tag) && add_tag(parser, &tag, begin - text_end);
        if (!ok)
            return false;
        parser->line += count_lines(parser->text, parser->at, next);
        parser->at = next;
    }
    add_text(parser, parser->length);
    if (parser->depth > 0) {
        const struct node *node = &parser->template->nodes.items[parser->sections[parser->depth - 1]];
        return error_set(parser->error, ERROR_INPUT,
                         "%s:%zu: expected the section \"%s\" to be closed, found the end of the template",
                         parser->template->name, node->line, node->name);
    }
    return true;
}

struct template *template_parse(const char *name, const char *text, size_t length, struct error *error)
{
    struct parser parser = {
        .text = text, .length = length, .line = 1, .open = "{{", .close = "}}", .error = error};
    const char *zero = length ? memchr(text, '\0', length) : NULL;

    if (length > TEMPLATE_TEXT_LIMIT) {
        error_set(error, ERROR_INPUT, "%s: expected a template of at most 1 MiB, found %zu bytes", name,
                  length);
        return NULL;
    }
    if (zero) {
        error_set(error, ERROR_INPUT, "%s:%zu: expected text, found a zero byte", name,
                  1 + count_lines(text, 0, (size_t)(zero - text)));
        return NULL;
    }
    parser.template = memory_take_zeroed(1, sizeof *parser.template);
    parser.template->name = memory_copy_text(name);
    parser.template->bytes = memory_copy_bytes(text, length);
    if (!read_all(&parser)) {
        template_destroy(parser.template);
        return NULL;
    }
    return parser.template;
}

void template_destroy(struct template *template)
{
    if (!template)
        return;
    array_free(&template->nodes);
    free(template->bytes);
    free(template->name);
    free(template);
}
