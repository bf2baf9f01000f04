#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/template.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule {
    const char *what, *template, *data, *expected;
};

static const char *find_partial(void *context, const char *name)
{
    return json_text(json_member(context, name));
}

/* Renders with the partials of a JSON object; NULL and an error when that fails. */
static char *render_with(const char *text, const struct json *data, const struct json *partials,
                         enum escape_kind escape, struct error *error)
{
    struct template_partials source = {.find = find_partial, .context = (void *)partials};
    struct template *template = template_parse("test", text, strlen(text), error);
    char *result = template ? template_render(template, data, escape, &source, error) : NULL;
    template_destroy(template);
    return result;
}

static char *render(const char *text, const char *data, const char *partials, struct error *error)
{
    struct json *root = json_parse(data, strlen(data), error);
    struct json *others = json_parse(partials, strlen(partials), error);
    char *result;

    cr_assert(root && others, "%s", error->text);
    result = render_with(text, root, others, ESCAPE_HTML, error);
    json_destroy(root);
    json_destroy(others);
    return result;
}

static void check_rules(const struct rule *rules, size_t count, const char *partials)
{
    for (size_t i = 0; i < count; i++) {
        struct error error = {0};
        char *result = render(rules[i].template, rules[i].data, partials, &error);
        cr_assert(result, "%s: %s", rules[i].what, error.text);
        cr_assert_str_eq(result, rules[i].expected, "%s: expected \"%s\", got \"%s\"", rules[i].what,
                         rules[i].expected, result);
        free(result);
    }
}

#define CHECK(rules, partials) check_rules(rules, sizeof rules / sizeof *rules, partials)

Test(template, variables)
{
    static const struct rule rules[] = {
        {"empty", "", "{}", ""},
        {"plain text", "16.7 ms {one} }}\n", "{}", "16.7 ms {one} }}\n"},
        {"escaped", "{{s}}", "{\"s\": \"a<b & 'c' \\\"d\\\" >e\"}",
         "a&lt;b &amp; &#39;c&#39; &quot;d&quot; &gt;e"},
        {"raw", "{{{s}}}|{{& s }}|{{{ s }}}", "{\"s\": \"<&>\"}", "<&>|<&>|<&>"},
        {"not filled twice", "{{a}}{{{a}}}", "{\"a\": \"{{b}}\", \"b\": \"no\"}", "{{b}}{{b}}"},
        {"integer", "{{n}} {{{n}}} {{&n}}", "{\"n\": 421}", "421 421 421"},
        {"decimal", "{{n}}, {{m}}, {{z}}", "{\"n\": 33.35, \"m\": -0.5, \"z\": 0}", "33.35, -0.5, 0"},
        {"truth", "{{t}} {{f}}", "{\"t\": true, \"f\": false}", "true false"},
        {"null and unknown", "({{n}}{{u}}{{{u}}})", "{\"n\": null}", "()"},
        {"null hides the outer name", "{{#a}}({{n}}){{/a}}", "{\"n\": 1, \"a\": {\"n\": null}}", "()"},
        {"dots", "{{a.b.c}}", "{\"a\": {\"b\": {\"c\": \"deep\"}}}", "deep"},
        {"broken dots", "({{a.x.c}}{{a.b.c.d}})", "{\"a\": {\"b\": {\"c\": 1}}, \"x\": {\"c\": 2}}", "()"},
        {"dots from the inside", "{{#a}}{{b.c}}{{/a}}", "{\"a\": {\"b\": {}}, \"b\": {\"c\": \"outer\"}}",
         ""},
        {"a dotted key is no path", "({{a.b}})", "{\"a.b\": 1}", "()"},
        {"case matters", "({{Name}})", "{\"name\": 1}", "()"},
        {"root value", "{{.}}!", "\"<x>\"", "&lt;x&gt;!"},
        {"object as JSON", "{{{o}}}{{{l}}}", "{\"o\": {\"a\": 1}, \"l\": [1, 2]}", "{\"a\":1}[1,2]"},
        {"blanks around", " {{a}}\n{{ a }}|{{\n\ta\n}}\n", "{\"a\": 7}", " 7\n7|7\n"},
        {"Korean", "{{이름}} 입니다", "{\"이름\": \"보스\"}", "보스 입니다"},
    };
    CHECK(rules, "{}");
}

Test(template, sections)
{
    static const struct rule rules[] = {
        {"true", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": true}", "<yes>"},
        {"false", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": false}", "<no>"},
        {"null", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": null}", "<no>"},
        {"unknown", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{}", "<no>"},
        {"empty list", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": []}", "<no>"},
        {"empty text", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": \"\"}", "<no>"},
        {"zero", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": 0}", "<yes>"},
        {"empty object", "<{{#a}}yes{{/a}}{{^a}}no{{/a}}>", "{\"a\": {}}", "<yes>"},
        {"text as context", "{{#a}}({{.}} {{a}}){{/a}}", "{\"a\": \"x\"}", "(x x)"},
        {"object", "{{#d}}{{m}} {{b}}{{/d}}", "{\"d\": {\"m\": \"A52\"}, \"m\": \"no\", \"b\": 9}", "A52 9"},
        {"list", "{{#l}}[{{n}}]{{/l}}", "{\"l\": [{\"n\": 1}, {}, {\"n\": 3}], \"n\": \"-\"}", "[1][-][3]"},
        {"list of texts", "{{#l}}{{.}},{{/l}}", "{\"l\": [\"<\", 2.5, true]}", "&lt;,2.5,true,"},
        {"nested lists", "{{#l}}({{#.}}{{.}}{{/.}}){{/l}}", "{\"l\": [[1, 2], [], [3]]}", "(12)()(3)"},
        {"list at the root", "{{#.}}{{n}};{{/.}}", "[{\"n\": 1}, {\"n\": 2}]", "1;2;"},
        {"three levels", "{{#a}}{{#b}}{{#c}}{{x}}{{y}}{{z}} {{/c}}{{/b}}{{/a}}",
         "{\"a\": [{\"x\": 1, \"b\": [{\"y\": 2, \"c\": [{\"z\": 3}, {\"z\": 4}]}]}]}", "123 124 "},
        {"dotted", "{{#a.b}}{{c}}{{/a.b}}{{^a.x.b}}none{{/a.x.b}}", "{\"a\": {\"b\": {\"c\": 5}}}", "5none"},
        {"same name inside itself", "{{#a}}1{{#a}}2{{/a}}3{{/a}}", "{\"a\": true}", "123"},
        {"inverted inside", "{{#a}}{{^b}}{{n}}{{/b}}{{/a}}", "{\"a\": {\"n\": 4}}", "4"},
        {"padded", "{{# a }}{{^ b}}x{{/ b }}{{/a }}", "{\"a\": 1}", "x"},
    };
    CHECK(rules, "{}");
}

Test(template, lines_with_nothing_but_a_tag)
{
    static const struct rule rules[] = {
        {"section lines", "one\n{{#a}}\ntwo\n{{/a}}\nthree\n", "{\"a\": 1}", "one\ntwo\nthree\n"},
        {"indented", "one\n  {{#a}}  \n  two\n\t{{/a}}\nthree", "{\"a\": 1}", "one\n  two\nthree"},
        {"carriage returns", "x\r\n{{^a}}\r\n{{/a}}\r\ny", "{}", "x\r\ny"},
        {"first line", " {{#a}}\nx{{/a}}", "{\"a\": 1}", "x"},
        {"last line", "x{{#a}}\n  {{/a}}", "{\"a\": 1}", "x\n"},
        {"two tags keep their line", "{{#a}} {{/a}}\nx", "{\"a\": 1}", " \nx"},
        {"text keeps the line", "- {{#a}}\nx\n{{/a}} -\n", "{\"a\": 1}", "- \nx\n -\n"},
        {"variables stay", "  {{a}}\n {{{a}}} \n{{&a}}\n", "{\"a\": 1}", "  1\n 1 \n1\n"},
        {"comment", "a\n {{! nothing }}\nb", "{}", "a\nb"},
        {"comment of many lines", "a\n{{!\n one }\n two\n}}  \nb", "{}", "a\nb"},
        {"comment in text", "a {{! x }} b{{!}}\n", "{}", "a  b\n"},
        {"tag behind a long comment", "{{!\n}} {{#a}}\nx{{/a}}", "{\"a\": 1}", " \nx"},
        {"delimiters", "a\n  {{=<% %>=}}\n<%n%>", "{\"n\": 1}", "a\n1"},
        {"delimiters in text", " {{=| |=}} |n|", "{\"n\": 1}", "  1"},
    };
    CHECK(rules, "{}");
}

Test(template, delimiters)
{
    static const struct rule rules[] = {
        {"changed", "{{=<% %>=}}<%n%> {{n}}", "{\"n\": 1}", "1 {{n}}"},
        {"and back", "{{=[ ]=}}[n][={{ }}=]{{n}}[n]", "{\"n\": 1}", "11[n]"},
        {"blanks", "{{=   @@\t $$   =}}@@n$$", "{\"n\": 1}", "1"},
        {"raw ones", "{{=<% %>=}}<%{n}%><%&n%>", "{\"n\": \"<\"}", "<<"},
        {"sections and comments", "{{=<% %>=}}<%#n%>a<%!x%><%/n%>", "{\"n\": 1}", "a"},
        {"partials begin anew", "{{=<% %>=}}<%>p%>", "{\"n\": 1}", "(1<%n%>)"},
        {"partials keep theirs", "{{>q}}{{n}}", "{\"n\": 1}", "11"},
    };
    CHECK(rules, "{\"p\": \"({{n}}<%n%>)\", \"q\": \"{{=<% %>=}}<%n%>\"}");
}

Test(template, partials)
{
    static const struct rule rules[] = {
        {"in a line", " {{> line }}. ", "{\"n\": 3}", " n is 3. "},
        {"unknown", "({{>none}})", "{}", "()"},
        {"context", "{{#l}}{{>line}} {{/l}}", "{\"l\": [{\"n\": 1}, {\"n\": 2}]}", "n is 1 n is 2 "},
        {"itself", "{{>tree}}",
         "{\"v\": 1, \"c\": [{\"v\": 2, \"c\": []}, {\"v\": 3, \"c\": [{\"v\": 4, \"c\": []}]}]}",
         "1(2()3(4()))"},
        {"indented", "<\n  {{>lines}}\n>", "{\"n\": \"x\\ny\"}", "<\n  a\n  x\ny\n\n  b\n>"},
        {"indented twice", " {{>outer}}\n", "{\"n\": 1}", " -\n   a\n   1\n\n   b\n"},
        {"not indented in a line", "  {{n}} {{>lines}}\n", "{\"n\": 1}", "  1 a\n1\n\nb\n\n"},
        {"same with and without indentation", "{{>line}}\n {{>line}}\n{{>line}}", "{\"n\": 1}",
         "n is 1 n is 1n is 1"},
        {"carriage returns", "x\r\n {{>line}}\r\ny", "{\"n\": 1}", "x\r\n n is 1y"},
    };
    CHECK(
        rules,
        "{\"line\": \"n is {{n}}\", \"lines\": \"a\\n{{{n}}}\\n\\nb\\n\", \"outer\": \"-\\n  {{>lines}}\\n\","
        "\"tree\": \"{{v}}({{#c}}{{>tree}}{{/c}})\"}");
}

Test(template, escapes_for_the_format)
{
    struct error error = {0};
    struct json *data = json_parse("{\"a\": \"x|y\"}", 12, &error);
    char *markdown = render_with("{{a}} {{{a}}}", data, NULL, ESCAPE_MARKDOWN, &error);
    char *plain = render_with("{{a}}", data, NULL, ESCAPE_NONE, &error);

    cr_assert_str_eq(markdown, "x&#124;y x|y");
    cr_assert_str_eq(plain, "x|y");
    free(markdown);
    free(plain);
    json_destroy(data);
}

Test(template, errors_name_template_line_expected_and_found)
{
    static const struct {
        const char *template, *words[4];
    } cases[] = {
        {"a\nb {{c", {"test:2:", "expected \"}}\"", "end of the template"}},
        {"{{{c}}", {"test:1:", "expected \"}}}\""}},
        {"\n\n{{#a}}\n{{#b}}\n{{/a}}\n", {"test:5:", "\"b\" of line 4", "found \"{{/a}}\""}},
        {"x\n{{/a}}", {"test:2:", "no section is open", "{{/a}}"}},
        {"\n{{#a}}\n{{^b}}{{/b}}\n", {"test:2:", "section \"a\"", "end of the template"}},
        {"{{}}", {"test:1:", "expected a name", "{{}}"}},
        {"{{! long\n\n}}\n{{a b}}", {"test:4:", "without blanks", "{{a b}}"}},
        {"{{a..b}}", {"test:1:", "every dot", "a..b"}},
        {"{{.a}}", {"test:1:", "every dot"}},
        {"{{=a=}}", {"test:1:", "two delimiters", "{{=a=}}"}},
        {"{{=a b c=}}", {"two delimiters"}},
        {"{{=a= b=}}", {"two delimiters"}},
        {"{{=12345678901234567 b=}}", {"two delimiters"}},
        {"\n{{>bad}}", {"bad:2:", "expected \"}}\""}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        char *result = render(cases[i].template, "{}", "{\"bad\": \"\\n{{x\"}", &error);
        cr_assert_null(result, "%s", cases[i].template);
        cr_assert_eq(error.code, ERROR_INPUT);
        for (size_t j = 0; j < 4 && cases[i].words[j]; j++)
            cr_assert(strstr(error.text, cases[i].words[j]), "\"%s\" is not in \"%s\"", cases[i].words[j],
                      error.text);
    }
    cr_assert_null(template_parse("zero", "a\nb\0c", 5, &(struct error){0}));
}

static void expect_limit(const char *text, const char *data, const char *partials, const char *word)
{
    struct error error = {0};
    char *result = render(text, data, partials, &error);
    cr_assert_null(result, "no limit: %s", word);
    cr_assert(strstr(error.text, word), "\"%s\" is not in \"%s\"", word, error.text);
}

Test(template, runaways_end)
{
    struct text_buffer deep = {0};

    expect_limit("{{>a}}", "{}", "{\"a\": \"x{{>a}}\"}", "does a partial include itself");
    expect_limit("{{>a}}", "{}", "{\"a\": \"\\n {{>a}}\\n\"}", "does a partial include itself");
    expect_limit("{{>a}}", "{\"l\": [1, 2]}",
                 "{\"a\": \"{{#l}}{{>b}}{{/l}}\", \"b\": \"{{>c}}{{>c}}\","
                 "\"c\": \"{{>d}}{{>d}}{{>d}}{{>d}}\", \"d\": "
                 "\"{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}"
                 "{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{#l}}{{/l}}{{/l}}{{/"
                 "l}}{{/l}}{{/l}}"
                 "{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/l}}{{/"
                 "l}}{{/l}}{{/l}}\"}",
                 "less work");
    expect_limit("{{#l}}{{#l}}{{#l}}{{#l}}{{s}}{{s}}{{s}}{{s}}{{/l}}{{/l}}{{/l}}{{/l}}",
                 "{\"l\": [1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0], \"s\": \"sixteen letters.\"}", "{}",
                 "8 MiB");
    for (int i = 0; i <= TEMPLATE_DEPTH_LIMIT; i++)
        text_add(&deep, "{{#a}}");
    expect_limit(deep.items, "{}", "{}", "at most 64 sections");
    array_free(&deep);
}

static void note_name(void *context, const struct template_name *name)
{
    static const char sigils[] = {[TEMPLATE_USE_VALUE] = '=',
                                  [TEMPLATE_USE_RAW] = '&',
                                  [TEMPLATE_USE_SECTION] = '#',
                                  [TEMPLATE_USE_INVERTED] = '^',
                                  [TEMPLATE_USE_PARTIAL] = '>'};

    text_add_print(context, "%s:%zu ", name->template_name, name->line);
    for (size_t i = 0; i < name->section_count; i++)
        text_add_print(context, "%s/", name->sections[i]);
    text_add_print(context, "%c%s\n", sigils[name->use], name->name);
}

Test(template, tells_the_names_it_uses)
{
    static const char text[] =
        "{{title}}\n{{! no }}\n{{#windows}}\n{{device.model}} {{{log}}}\n{{^cause}}{{x}}{{/cause}}\n"
        "{{#cause}}{{.}}{{>part}}{{/cause}}\n{{/windows}}\n{{&end}}\n";
    struct error error = {0};
    static const char parts[] = "{\"part\": \"\\n{{score}}{{>part}}{{>gone}}\"}";
    struct json *partials = json_parse(parts, strlen(parts), &error);
    struct template_partials source = {.find = find_partial, .context = partials};
    struct template *template = template_parse("t", text, strlen(text), &error);
    struct text_buffer notes = {0};

    cr_assert(template && partials, "%s", error.text);
    cr_assert(template_visit_names(template, &source, note_name, &notes, &error));
    cr_assert_str_eq(notes.items,
                     "t:1 =title\nt:3 #windows\nt:4 windows/=device.model\nt:4 windows/&log\n"
                     "t:5 windows/^cause\nt:5 windows/=x\nt:6 windows/#cause\nt:6 windows/cause/=.\n"
                     "t:6 windows/cause/>part\npart:2 windows/cause/=score\npart:2 windows/cause/>part\n"
                     "part:2 windows/cause/>gone\nt:8 &end\n");
    array_free(&notes);
    cr_assert(template_visit_names(template, NULL, note_name, &notes, &error));
    cr_assert_null(strstr(notes.items, "score"));
    array_free(&notes);
    template_destroy(template);
    json_destroy(partials);
}

static char *read_file(const char *folder, const char *name)
{
    char *path = memory_print("%s/mustache-spec/%s.json", folder, name);
    FILE *file = fopen(path, "rb");
    struct text_buffer text = {0};
    char part[4096];
    size_t size;

    free(path);
    if (!file)
        return NULL;
    while ((size = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(&text, part, size);
    fclose(file);
    return text_take(&text);
}

Test(template, official_specification)
{
    static const char *const suites[] = {"comments", "delimiters", "interpolation",
                                         "inverted", "partials",   "sections"};
    const char *folder = getenv("STUTTERSCOPE_REFERENCE");
    size_t count = 0;

    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
        char *text = folder ? read_file(folder, suites[i]) : NULL;
        struct error error = {0};
        struct json *suite;

        if (!text)
            cr_skip_test("the specification is not in $STUTTERSCOPE_REFERENCE/mustache-spec");
        suite = json_parse(text, strlen(text), &error);
        cr_assert(suite, "%s", error.text);
        for (const struct json *test = json_first(json_member(suite, "tests")); test;
             test = json_next(test), count++) {
            const char *expected = json_text(json_member(test, "expected"));
            char *result = render_with(json_text(json_member(test, "template")), json_member(test, "data"),
                                       json_member(test, "partials"), ESCAPE_HTML, &error);
            cr_expect(result && strcmp(result, expected) == 0, "%s, %s: expected \"%s\", got \"%s\"",
                      suites[i], json_text(json_member(test, "name")), expected,
                      result ? result : error.text);
            free(result);
        }
        json_destroy(suite);
        free(text);
    }
    cr_assert_gt(count, 100);
}
