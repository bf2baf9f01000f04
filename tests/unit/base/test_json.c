#include "stutterscope/base/json.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct json *parse(const char *text)
{
    struct error error = {0};
    struct json *value = json_parse(text, strlen(text), &error);

    cr_assert_not_null(value, "%s", error.text);
    return value;
}

Test(json, reads_values)
{
    struct json *root =
        parse(" {\"a\": [1, 2.5, -3e2], \"t\": \"x\\u00e9\\n\", \"b\": true, \"n\": null, \"A\": 7}\n");
    const struct json *array = json_member(root, "a");
    double number;

    cr_assert_eq(json_kind(root), JSON_OBJECT);
    cr_assert_eq(json_count(root), 5);
    cr_assert_eq(json_count(array), 3);
    cr_assert(json_number(json_item(array, 2), &number));
    cr_assert(number == -300.0);
    cr_assert_null(json_item(array, 3));
    cr_assert_str_eq(json_text(json_member(root, "t")), "x\xC3\xA9\n");
    cr_assert(json_is_true(json_member(root, "b")));
    cr_assert_eq(json_kind(json_member(root, "n")), JSON_NULL);
    cr_assert_null(json_member(root, "zz"));
    cr_assert_null(json_member(array, "a"));
    cr_assert_null(json_text(json_member(root, "b")));
    cr_assert(json_number(json_member(root, "A"), &number));
    cr_assert(number == 7.0);
    cr_assert_eq(json_kind(NULL), JSON_NULL);
    cr_assert_not(json_number(NULL, &number));
    cr_assert_null(json_first(NULL));
    json_destroy(root);
}

Test(json, walks_members_in_order)
{
    struct json *root = parse("{\"x\":1,\"y\":2,\"x\":3}");
    char names[4] = {0};
    size_t count = 0;
    double number;

    for (const struct json *item = json_first(root); item; item = json_next(item))
        names[count++] = json_name(item)[0];
    cr_assert_str_eq(names, "xyx");
    cr_assert(json_number(json_member(root, "x"), &number));
    cr_assert(number == 1.0);
    json_destroy(root);
}

Test(json, refuses_broken_documents)
{
    static const struct {
        const char *text, *place;
    } cases[] = {
        {"", "byte 0"},          {"[1,2", "byte"},       {"{\"a\" 1}", "byte 5"}, {"[1] x", "byte 4"},
        {"nul", "byte 0"},       {"\"abc", "byte"},      {"{\"a\":1,", "byte"},   {"{\"a\":1,}", "byte"},
        {"[1,]", "byte 3"},      {"\\", "byte 0"},       {"\"\\", "byte"},        {"{1:2}", "byte"},
        {"\"\\ud800\"", "byte"}, {"[\"a\\x\"]", "byte"}, {"]", "byte 0"},         {"-", "byte"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        /* An exact copy lets the address sanitizer see reads behind the end. */
        size_t size = strlen(cases[i].text);
        char *copy = malloc(size ? size : 1);

        memcpy(copy, cases[i].text, size);
        cr_assert_null(json_parse(copy, size, &error), "%s", cases[i].text);
        cr_assert_eq(error.code, ERROR_INPUT);
        cr_assert(strstr(error.text, cases[i].place), "%s: %s", cases[i].text, error.text);
        free(copy);
    }
    cr_assert_null(json_parse("[", 1, NULL));
}

static struct json *parse_nested(size_t depth, struct error *error)
{
    char *text = malloc(2 * depth);
    struct json *value;

    memset(text, '[', depth);
    memset(text + depth, ']', depth);
    value = json_parse(text, 2 * depth, error);
    free(text);
    return value;
}

Test(json, limits_nesting)
{
    struct error error = {0};
    struct json *value = parse_nested(100, &error);

    cr_assert_not_null(value);
    json_destroy(value);
    cr_assert_null(parse_nested(101, &error));
    cr_assert(strstr(error.text, "byte 100"), "%s", error.text);
    cr_assert_null(parse_nested(1000000, &error));
    /* Brackets inside of strings do not count; escaped quotes do not end them. */
    struct text_buffer text = {0};

    text_add(&text, "\"\\\"");
    for (int i = 0; i < 500; i++)
        text_add(&text, "[");
    text_add(&text, "\"");
    value = json_parse(text.items, text.count, &error);
    cr_assert_not_null(value);
    json_destroy(value);
    free(text.items);
}

Test(json, refuses_numbers_out_of_range)
{
    struct json *value = parse("[1e400, 1]");
    double number = -7;
    char digits[200];

    cr_assert_not(json_number(json_first(value), &number));
    cr_assert(number == -7);
    json_destroy(value);
    memset(digits, '9', sizeof digits);
    cr_assert_null(json_parse(digits, sizeof digits, NULL));
}

Test(json, repairs_broken_utf8)
{
    struct json *value = parse("{\"k\xFF\": [\"a\xC3(\"]}");
    char *text = json_print(value);

    cr_assert_str_eq(text, "{\"k\xEF\xBF\xBD\":[\"a\xEF\xBF\xBD(\"]}");
    free(text);
    json_destroy(value);
    value = json_from_text("\xED\xA0\x80");
    text = json_print(value);
    cr_assert(text_is_valid_utf8(text, strlen(text)));
    free(text);
    json_destroy(value);
}

static struct json *build_sample(void)
{
    struct json *root = json_object(), *array = json_array();

    json_add(root, "ms", json_from_scaled(92400000, NS_PER_MS));
    json_add(root, "big", json_from_integer(9007199254740993));
    json_add(root, "unknown", json_from_integer(VALUE_UNKNOWN));
    json_add(root, "p", json_from_double(0.1, 6));
    json_add(root, "nan", json_from_double(NAN, 6));
    json_add(root, "t", json_from_text("q\"\\\n\x01\x7Fö"));
    json_add(root, "none", json_from_text(NULL));
    json_append(array, json_from_bool(true));
    json_append(array, json_from_bool(false));
    json_add(root, "a", array);
    json_add(root, "empty", json_array());
    json_add(root, "o", json_object());
    return root;
}

Test(json, prints_exactly)
{
    struct json *root = build_sample();
    char *text = json_print(root);
    double number;

    cr_assert_str_eq(
        text,
        "{\"ms\":92.4,\"big\":9007199254740993,\"unknown\":null,\"p\":0.1,\"nan\":null,"
        "\"t\":\"q\\\"\\\\\\n\\u0001\\u007fö\",\"none\":null,\"a\":[true,false],\"empty\":[],\"o\":{}}");
    cr_assert_eq(json_kind(json_member(root, "ms")), JSON_NUMBER);
    cr_assert(json_number(json_member(root, "ms"), &number));
    cr_assert(number == 92.4);
    json_destroy(root);
    root = parse(text);
    json_destroy(root);
    free(text);
}

Test(json, prints_pretty)
{
    struct json *root = parse("{\"a\":[1,{\"b\":\"c\"}],\"e\":[],\"o\":{}}");
    char *text = json_print_pretty(root);

    cr_assert_str_eq(
        text, "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"c\"\n    }\n  ],\n  \"e\": [],\n  \"o\": {}\n}");
    free(text);
    json_destroy(root);
}

Test(json, keeps_parsed_numbers)
{
    struct json *root = parse("[0.1,16.667,-12345678901234,1e-7,123456.789,0]");
    char *text = json_print(root);

    cr_assert_str_eq(text, "[0.1,16.667,-12345678901234,0.0000001,123456.789,0]");
    free(text);
    json_destroy(root);
}
