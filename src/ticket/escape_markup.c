#include "escape_markup.h"
#include <stdbool.h>
#include <string.h>

/* Zero-width: parts what GitHub and GitLab would read as a reference once entities are decoded. */
#define BREAK "&#8203;"

/* isalnum() and friends would look at the locale. */
static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_word(char byte)
{
    return is_digit(byte) || is_letter(byte);
}

static bool is_gap(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* The character before, or 0 at the start. */
static char before(const char *start, const char *at)
{
    return at > start ? at[-1] : '\0';
}

/* Length of a ":name:" at text, or 0; "12:30:45" is none. */
static size_t emoji_length(const char *text)
{
    size_t length = 1, digits = 0;

    while (is_word(text[length]) || (text[length] && strchr("_+-", text[length])))
        digits += is_digit(text[length++]);
    if (length == 1 || text[length] != ':' || (digits == length - 1 && digits < 3))
        return 0;
    return length + 1;
}

/* Whether the word that ends before `at` has a letter: "GH-1" and "ABC-12" are references, "2024-05-01" is
 * none. */
static bool follows_letters(const char *start, const char *at)
{
    while (at > start && is_word(at[-1]))
        if (is_letter(*--at))
            return true;
    return false;
}

/* Length of the word at text when GitHub could take it for a commit, else 0. Digits alone are left in peace.
 */
static size_t commit_length(const char *text)
{
    size_t length = strspn(text, "0123456789abcdefABCDEF");
    return length >= 7 && !is_word(text[length]) && strspn(text, "0123456789") < length ? length : 0;
}

/* What a character becomes whose neighbours decide; NULL: itself. */
static const char *markdown_by_neighbours(const char *start, const char *at)
{
    char previous = before(start, at), next = at[1];
    bool inside = is_word(previous) && is_word(next);

    switch (*at) {
    case '_':
        return inside ? NULL : "\\_";
    case '=':
        return inside ? NULL : "\\=";
    case '+':
        return inside ? NULL : "\\+";
    case '-':
        if (inside)
            return is_digit(next) && follows_letters(start, at) ? "-" BREAK : NULL;
        return "\\-";
    case '.':
        if (at - start >= 3 && strncasecmp(at - 3, "www", 3) == 0)
            return BREAK ".";
        return inside ? NULL : "\\.";
    case ':':
        return (next == '/' && at[2] == '/') || emoji_length(at) ? ":" BREAK : NULL;
    case '!':
        return is_digit(next) ? "\\!" BREAK : "\\!";
    case '&':
        return is_digit(next) ? "&amp;" BREAK : "&amp;";
    case '%':
        return is_word(next) || next == '"' ? "%" BREAK : NULL;
    case '/': /* a quick action of GitLab, at the start of a line */
        return previous == '\0' || is_gap(previous) ? "&#47;" : NULL;
    default:
        return NULL;
    }
}

static void add_by_character(struct text_buffer *buffer, const char *text)
{
    static const char *const forms[128] = {
        ['\\'] = "&#92;",        ['`'] = "&#96;",          ['<'] = "&lt;",           ['>'] = "&gt;",
        ['"'] = "&quot;",        ['|'] = "&#124;",         ['{'] = ("&#123;" BREAK), ['}'] = "&#125;",
        ['['] = ("&#91;" BREAK), [']'] = "&#93;",          ['*'] = "\\*",            ['('] = "\\(",
        [')'] = "\\)",           ['~'] = ("&#126;" BREAK), ['@'] = ("@" BREAK),      ['#'] = ("&#35;" BREAK),
        ['$'] = ("&#36;" BREAK), ['^'] = "\\^",
    };
    const char *start = text, *content = text + strspn(text, " \t\r\n"), *end = text + strlen(text);

    while (end > start && is_gap(end[-1]))
        end--;
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        size_t commit = is_word(before(start, text)) ? 0 : commit_length(text);
        const char *form = byte < 128 ? forms[byte] : NULL;

        if (commit) {
            for (size_t i = 0; i < commit; i += 6) { /* seven are enough for a commit */
                text_add(buffer, i ? BREAK : "");
                text_add_bytes(buffer, text + i, commit - i < 6 ? commit - i : 6);
            }
            text += commit - 1;
            continue;
        }
        if (is_gap(*text)) { /* at the ends as entities: else four make code, two a line break, and one gets
                                lost */
            if (*text == '\r' && text[1] == '\n')
                continue;
            form = text < content || text >= end ? "&#32;" : " ";
        }
        if (!form)
            form = markdown_by_neighbours(start, text);
        if (form)
            text_add(buffer, form);
        else
            text_add_bytes(buffer, text, 1);
    }
}

/*
 * Whether the text shows and copies as it is inside of one pair of backticks. Cells of tables end at any pipe. What
 * stands before could join the backtick (another one, a backslash, the mathematics of GitLab).
 */
static bool fits_code(const struct text_buffer *buffer, const char *text)
{
    char last = buffer->count ? buffer->items[buffer->count - 1] : '\0';

    return *text && *text != ' ' && text[strlen(text) - 1] != ' ' && !strpbrk(text, "`|\t\r\n") && !(last && strchr("`\\$", last));
}

/*
 * Names that trackers would link ("run#2", "@bob", "MG-12") become code, where they look for nothing: so what is copied
 * from the page is the name. Where that cannot be, something invisible breaks them.
 */
void escape_add_markdown(struct text_buffer *buffer, const char *text)
{
    size_t start = buffer->count;

    text_add(buffer, "");
    add_by_character(buffer, text);
    if (!strstr(buffer->items + start, BREAK))
        return;
    buffer->count = start;
    buffer->items[start] = '\0';
    if (fits_code(buffer, text))
        text_add_print(buffer, "`%s`", text);
    else
        add_by_character(buffer, text);
}

/* A ':' makes addresses and faces: "http://", "mailto:", ":P", ":D". Those of brackets are broken by these.
 */
static bool is_jira_colon(const char *start, const char *at)
{
    static const char mail[] = "mailto";
    size_t length = strlen(mail);

    return *at == ':' &&
           (strncmp(at + 1, "//", 2) == 0 || (at[1] && strchr("PpDd", at[1]) && !is_word(at[2])) ||
            ((size_t)(at - start) >= length && strncmp(at - length, mail, length) == 0));
}

/* Jira takes a backslash before only some characters; the others become entities. */
void escape_add_jira(struct text_buffer *buffer, const char *text)
{
    static const char *const forms[128] = {
        ['\\'] = "&#92;", ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['\n'] = " ", ['\t'] = " ",
    };
    const char *start = text + strspn(text, " \t\r\n");

    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        bool block = *text == '.' && ((text - start == 2 && (strncmp(start, "bq", 2) == 0 ||
                                                             (start[0] == 'h' && is_digit(start[1])))));

        if (*text == '\r')
            text_add(buffer, text[1] == '\n' ? "" : " ");
        else if (byte < 128 && forms[byte])
            text_add(buffer, forms[byte]);
        else if (block)
            text_add(buffer, "&#46;");
        else if (is_jira_colon(start, text))
            text_add(buffer, "&#58;");
        else if (strchr("-#*_+?^~%{}[]()!@|", *text))
            text_add_print(buffer, "\\%c", *text);
        else
            text_add_bytes(buffer, text, 1);
    }
}
