#include "hostile.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/escape.h"
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *escape(enum escape_kind kind, const char *text)
{
    struct text_buffer buffer = {0};
    escape_add(&buffer, kind, text);
    return text_take(&buffer);
}

struct pair {
    const char *value, *expected;
};

static void check_pairs(enum escape_kind kind, const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *result = escape(kind, pairs[i].value);
        cr_expect_str_eq(result, pairs[i].expected, "\"%s\": expected \"%s\", got \"%s\"", pairs[i].value,
                         pairs[i].expected, result);
        free(result);
    }
}

#define CHECK(kind, pairs) check_pairs(kind, pairs, sizeof pairs / sizeof *pairs)

Test(escape, none_html_and_json)
{
    static const struct pair none[] = {{"", ""}, {"<a & \"b\">\n", "<a & \"b\">\n"}};
    static const struct pair html[] = {
        {"", ""}, {"<a & \"b\" 'c'>", "&lt;a &amp; &quot;b&quot; &#39;c&#39;&gt;"}, {"보스", "보스"}};
    static const struct pair json[] = {{"", ""},
                                       {"a\"b\\c/d", "a\\\"b\\\\c/d"},
                                       {"\n\r\t\b\f", "\\n\\r\\t\\b\\f"},
                                       {"\x01\x1f\x7f보", "\\u0001\\u001f\x7f보"}};
    CHECK(ESCAPE_NONE, none);
    CHECK(ESCAPE_HTML, html);
    CHECK(ESCAPE_JSON, json);
}

Test(escape, csv)
{
    static const struct pair pairs[] = {
        {"", ""},
        {"plain text", "plain text"},
        {"a,b", "\"a,b\""},
        {"a;b", "\"a;b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"two\nlines", "\"two\nlines\""},
        {" edge", "\" edge\""},
        {"=1+2", "'=1+2"},
        {"  =1+2", "\"'  =1+2\""},
        {"+call()", "'+call()"},
        {"-a", "'-a"},
        {"-", "'-"},
        {"@sum(a,b)", "\"'@sum(a,b)\""},
        {"\t=x", "\"'\t=x\""},
        {"＝1", "'＝1"},
        {"-3", "-3"},
        {"-16.67", "-16.67"},
        {"+1.5e3", "+1.5e3"},
        {"-3 ms", "'-3 ms"},
        {"a=b", "a=b"},
    };
    CHECK(ESCAPE_CSV, pairs);
}

Test(escape, markdown_leaves_common_names_readable)
{
    static const struct pair pairs[] = {
        {"boss_fight_intro", "boss_fight_intro"},
        {"SM-G991B", "SM-G991B"},
        {"1.8.0", "1.8.0"},
        {"2024-05-01", "2024-05-01"},
        {"12:30:45", "12:30:45"},
        {"16666667", "16666667"},
        {"60 %", "60 %"},
        {"보스 전투", "보스 전투"},
        {"a+b=c", "a+b=c"},
    };
    CHECK(ESCAPE_MARKDOWN, pairs);
}

Test(escape, markdown)
{
    static const struct pair pairs[] = {
        {"a|b", "a&#124;b"},
        {"\\|", "&#92;&#124;"},
        {"<b>&", "&lt;b&gt;&amp;"},
        {"*x* _y_", "\\*x\\* \\_y\\_"},
        {"@bob", "`@bob`"},
        {"#123", "`#123`"},
        {"GH-1", "`GH-1`"},
        {"!12", "`!12`"},
        {"fix 0a1b2c3d.", "`fix 0a1b2c3d.`"},
        {"http://x", "`http://x`"},
        {"www.x", "`www.x`"},
        {":fire:", "`:fire:`"},
        {"nightly#2", "`nightly#2`"},
        {"a|@bob", "a&#124;@&#8203;bob"},
        {"`@bob", "&#96;@&#8203;bob"},
        {" @bob", "&#32;@&#8203;bob"},
        {"- item", "\\- item"},
        {"1. item", "1\\. item"},
        {"/close", "&#47;close"},
        {"a\r\nb\nc\td", "a b c d"},
        {"  two  ", "&#32;&#32;two&#32;&#32;"},
    };
    CHECK(ESCAPE_MARKDOWN, pairs);
}

Test(escape, jira)
{
    static const struct pair pairs[] = {
        {"{code}", "\\{code\\}"},
        {"[a|http://x]", "\\[a\\|http&#58;//x\\]"},
        {"{color:red}x{color}", "\\{color:red\\}x\\{color\\}"},
        {"0:07.7 Mailto mailto:x", "0:07.7 Mailto mailto&#58;x"},
        {"[~bob] @bob", "\\[\\~bob\\] \\@bob"},
        {"!a.png!", "\\!a.png\\!"},
        {"*b* _i_ -d- +u+ ^s^ ??c??", "\\*b\\* \\_i\\_ \\-d\\- \\+u\\+ \\^s\\^ \\?\\?c\\?\\?"},
        {"h1. big", "h1&#46; big"},
        {" bq. said", " bq&#46; said"},
        {"h10. x, a h1. y", "h10. x, a h1. y"},
        {"# one", "\\# one"},
        {"----", "\\-\\-\\-\\-"},
        {"ABC-12", "ABC\\-12"},
        {"\\\\server\\x", "&#92;&#92;server&#92;x"},
        {"&#64; <b>", "&amp;\\#64; &lt;b&gt;"},
        {":) :P (y) a: b", ":\\) &#58;P \\(y\\) a: b"},
        {"a\r\nb\nc", "a b c"},
        {"60 % 보스", "60 \\% 보스"},
    };
    CHECK(ESCAPE_JIRA, pairs);
}

Test(escape, safe_addresses)
{
    static const char *const good[] = {"https://ci.example/run/7?log=1&x=a_b#L3",
                                       "http://10.0.0.2:8080/a%20b"};
    static const char *const bad[] = {"",
                                      "https://",
                                      "https:///x",
                                      "ftp://x",
                                      "javascript:alert(1)",
                                      "https://x)y",
                                      "https://x y",
                                      "https://x|y",
                                      "https://x]",
                                      "http://x\"",
                                      "http://x\ny",
                                      "http://보",
                                      "http://x<",
                                      "http://x'",
                                      "http://x\\",
                                      "http://x{a}",
                                      "http://x!a!"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(escape_is_safe_address(good[i]), "%s", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(escape_is_safe_address(bad[i]), "%s", bad[i]);
}

enum { NAME_COUNT = 1000 };

/* One document with every name at the same kind of place; each must come back from between the marks. */
static void check_place(char *const names[], const char *head, const char *before, const char *after,
                        const char *mark, const char *end_mark)
{
    struct text_buffer markdown = {0};
    const char *at;
    char *html;

    text_add(&markdown, head);
    for (size_t i = 0; i < NAME_COUNT; i++) {
        text_add(&markdown, before);
        escape_add(&markdown, ESCAPE_MARKDOWN, names[i]);
        text_add(&markdown, after);
    }
    html = run_cmark(markdown.items);
    at = html;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        const char *begin = strstr(at, mark), *end = begin ? strstr(begin, end_mark) : NULL;
        struct text_buffer text = {0};
        char *flat = flatten(names[i]), *shown;
        bool in_code;

        cr_assert(end, "name %zu \"%s\" after \"%s\" is lost", i, flat, before);
        begin += strlen(mark);
        in_code = strncmp(begin, "<code>", 6) == 0;
        if (in_code) { /* all of it, or the tags are left and fail */
            cr_assert(end - begin > 13 && strncmp(end - 7, "</code>", 7) == 0);
            begin += 6;
            end -= 7;
        }
        cr_assert(decode_html(begin, (size_t)(end - begin), &text), "\"%s\" after \"%s\" became %.*s", flat,
                  before, (int)(end - begin), begin);
        cr_assert(in_code || !has_reference(text.items), "\"%s\" after \"%s\" could be linked", flat, before);
        shown = in_code ? memory_copy_text(text.items) : remove_breaks(text.items);
        cr_assert_str_eq(shown, flat, "after \"%s\": expected \"%s\", got \"%s\"", before, flat, shown);
        at = end + (in_code ? 7 : 0) + strlen(end_mark);
        free(shown);
        free(flat);
        array_free(&text);
    }
    cr_assert_null(strstr(at, mark), "more than the names came back after \"%s\"", before);
    free(html);
    array_free(&markdown);
}

Test(escape, markdown_shows_hostile_names_literally)
{
    char *names[NAME_COUNT];
    uint32_t state = 20240501;

    if (!has_cmark())
        cr_skip_test("cmark-gfm is not installed");
    for (size_t i = 0; i < NAME_COUNT; i++) {
        struct text_buffer name = {0};
        make_hostile_name(&state, &name);
        names[i] = text_take(&name);
    }
    check_place(names, "", "", "\n\n", "<p>", "</p>\n");
    check_place(names, "", "start\n", "\n\n", "<p>start\n", "</p>\n");
    check_place(names, "", "a ", " z\n\n", "<p>a ", " z</p>\n");
    check_place(names, "", "## ", "\n", "<h2>", "</h2>\n");
    check_place(names, "", "- ", "\n", "<li>", "</li>\n");
    check_place(names, "", "1. ", "\n", "<li>", "</li>\n");
    check_place(names, "| a | b |\n|---|---|\n", "| ", " | - |\n", "<tr>\n<td>", "</td>\n");
    check_place(names, "", "**", "**\n\n", "<p><strong>", "</strong></p>\n");
    for (size_t i = 0; i < NAME_COUNT; i++)
        free(names[i]);
}
