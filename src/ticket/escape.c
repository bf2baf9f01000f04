#include "stutterscope/ticket/escape.h"
#include "escape_markup.h"
#include "stutterscope/base/number.h"
#include <ctype.h>
#include <string.h>

static void add_html(struct text_buffer *buffer, const char *text)
{
    static const char *const forms[128] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
    };

    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte < 128 && forms[byte])
            text_add(buffer, forms[byte]);
        else
            text_add_bytes(buffer, text, 1);
    }
}

static void add_json(struct text_buffer *buffer, const char *text)
{
    static const char short_forms[32] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            text_add_print(buffer, "\\%c", byte);
        else if (byte < 32 && short_forms[byte])
            text_add_print(buffer, "\\%c", short_forms[byte]);
        else if (byte < 32)
            text_add_print(buffer, "\\u%04x", byte);
        else
            text_add_bytes(buffer, text, 1);
    }
}

/* Spreadsheets take a cell that begins so for a formula; the wide forms count in East Asian editions. */
static bool is_formula(const char *text)
{
    static const char *const starts[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    double number;

    if (number_parse_double(text, strlen(text), &number) == NUMBER_OK)
        return false;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void add_csv(struct text_buffer *buffer, const char *text)
{
    size_t length = strlen(text);
    bool quoted = length > 0 && (strpbrk(text, ",;\"\r\n\t") || text[0] == ' ' || text[length - 1] == ' ');

    if (quoted)
        text_add(buffer, "\"");
    if (is_formula(text))
        text_add(buffer, "'");
    for (; *text; text++)
        text_add_bytes(buffer, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    if (quoted)
        text_add(buffer, "\"");
}

void escape_add(struct text_buffer *buffer, enum escape_kind kind, const char *text)
{
    static void (*const writers[])(struct text_buffer *, const char *) = {
        [ESCAPE_NONE] = text_add,        [ESCAPE_HTML] = add_html, [ESCAPE_MARKDOWN] = escape_add_markdown,
        [ESCAPE_JIRA] = escape_add_jira, [ESCAPE_JSON] = add_json, [ESCAPE_CSV] = add_csv,
    };
    writers[kind](buffer, text);
}

bool escape_is_safe_address(const char *text)
{
    size_t scheme = strncmp(text, "https://", 8) == 0 ? 8 : strncmp(text, "http://", 7) == 0 ? 7 : 0;

    if (scheme == 0 || !isalnum((unsigned char)text[scheme]))
        return false;
    for (text += scheme; *text; text++)
        if ((unsigned char)*text >= 128 ||
            (!isalnum((unsigned char)*text) && !strchr("-._~:/?#@&=+%,;", *text)))
            return false;
    return true;
}
