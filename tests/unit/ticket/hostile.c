#include "../leftovers.h"
#include "hostile.h"

#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Names made of what Markdown, GitHub and GitLab look for; the same ones in every run. */
void make_hostile_name(uint32_t *state, struct text_buffer *name)
{
    static const char *const pieces[] = {
        "`",
        "``",
        "```",
        "~~~",
        "**",
        "*",
        "__",
        "_",
        "_a_",
        "a_b",
        "[a](b)",
        "![i](j)",
        "[",
        "]",
        "(",
        ")",
        "[x]: y",
        "[^1]",
        "[ ] ",
        "[x] ",
        "<b>",
        "</td>",
        "<!--",
        "-->",
        "<script>",
        "<http://a.b>",
        "&amp;",
        "&lt;",
        "&#64;",
        "&",
        "|",
        "\\",
        "\\|",
        "\\\\",
        "|-|",
        ":-:",
        "---",
        "===",
        "***",
        "+++",
        "# ",
        "## x #",
        "- ",
        "+ ",
        "* ",
        "1. ",
        "1) ",
        "> ",
        "12345",
        ". ",
        "~~",
        "~x~",
        "~bug",
        "@bob",
        "@",
        "#12",
        "#",
        "GH-7",
        "ABC-99",
        "bob/x#3",
        "deadbeef01",
        "0123456789abcdef0123456789abcdef01234567",
        "http://a.b/c",
        "https://x.io",
        "ftp://f",
        "www.a.com",
        "WWW.b.org",
        "me@a.com",
        "mailto:me@a.com",
        "xmpp:x@y.zz",
        ":smile:",
        ":+1:",
        "$x$",
        "!5",
        "!",
        "%7",
        "&5",
        "{{x}}",
        "${x}",
        "{+ y +}",
        "/close",
        "^",
        "=",
        ":",
        "\"q\"",
        "'",
        " ",
        "  ",
        "    ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "    x",
        "보스",
        "é",
        "“",
        "word",
        "a",
        "7",
        ".",
        "-",
        "1.8.0",
        "SM-G991B",
        "!",
        "&nbsp;",
        "&copy",
    };
    size_t count;

    *state = *state * 1664525u + 1013904223u;
    count = 1 + (*state >> 24) % 6;
    for (size_t i = 0; i < count; i++) {
        *state = *state * 1664525u + 1013904223u;
        text_add(name, pieces[(*state >> 12) % (sizeof pieces / sizeof *pieces)]);
    }
}

/* A second, plain reading of what a browser shows: entities back to characters; false at any tag. */
bool decode_html(const char *html, size_t length, struct text_buffer *text)
{
    static const struct {
        const char *value, *expected;
    } entities[] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};

    for (size_t i = 0; i < length;) {
        size_t step = 1;
        if (html[i] == '<')
            return false;
        for (size_t j = 0; html[i] == '&' && j < sizeof entities / sizeof *entities; j++)
            if (strncmp(html + i, entities[j].value, strlen(entities[j].value)) == 0) {
                text_add(text, entities[j].expected);
                step = strlen(entities[j].value);
                break;
            }
        if (step == 1)
            text_add_bytes(text, html + i, 1);
        i += step;
    }
    return true;
}

/* What later passes of GitHub and GitLab look for in the decoded text. */
bool has_reference(const char *text)
{
    for (const char *at = text; *at; at++) {
        size_t hex = strspn(at, "0123456789abcdefABCDEF");
        bool starts_word = at == text || !isalnum((unsigned char)at[-1]);

        if (strchr("@#~", *at) && isalnum((unsigned char)at[1]))
            return true;
        if (strchr("!&%$", *at) && isdigit((unsigned char)at[1]))
            return true;
        if (strncmp(at, "://", 3) == 0 || strncasecmp(at, "www.", 4) == 0 || strncmp(at, ":smile:", 7) == 0)
            return true;
        if (strncmp(at, "GH-7", 4) == 0 || strncmp(at, "ABC-99", 6) == 0)
            return true;
        if (starts_word && hex >= 7 && hex > strspn(at, "0123456789") && !isalnum((unsigned char)at[hex]))
            return true;
    }
    return false;
}

/* The value as it must show: line ends and tabs as blanks. */
char *flatten(const char *value)
{
    struct text_buffer flat = {0};

    for (; *value; value++)
        if (*value != '\r' || value[1] != '\n')
            text_add_bytes(&flat, strchr("\r\n\t", *value) ? " " : value, 1);
    return text_take(&flat);
}

char *remove_breaks(const char *text)
{
    struct text_buffer plain = {0};

    while (*text) {
        size_t step = strncmp(text, "\xe2\x80\x8b", 3) == 0 ? 3 : 1;
        if (step == 1)
            text_add_bytes(&plain, text, 1);
        text += step;
    }
    return text_take(&plain);
}

char *run_cmark(const char *markdown)
{
    char path[] = "/tmp/stutterscope-escape-XXXXXX";
    int file = mkstemp(path);
    char *command = memory_print(
        "cmark-gfm --unsafe -e footnotes -e table -e autolink -e strikethrough -e tasklist %s", path);
    struct text_buffer html = {0};
    char part[4096];
    size_t size = strlen(markdown);
    FILE *pipe;

    leftover_note(path);
    cr_assert(file >= 0 && write(file, markdown, size) == (ssize_t)size);
    close(file);
    pipe = popen(command, "r");
    cr_assert(pipe);
    while ((size = fread(part, 1, sizeof part, pipe)) > 0)
        text_add_bytes(&html, part, size);
    cr_assert_eq(pclose(pipe), 0);
    unlink(path);
    free(command);
    return text_take(&html);
}

bool has_cmark(void)
{
    return system("command -v cmark-gfm >/dev/null 2>&1") == 0;
}
