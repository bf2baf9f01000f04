#include "stutterscope/base/json.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST_NESTING 100
#define LONGEST_NUMBER  60 /* cJSON reads numbers through a buffer of 64 bytes */

/* "struct json" is never defined: it is cJSON behind a name of our own. */
static cJSON *inside(const struct json *value)
{
    return (cJSON *)value;
}

static struct json *outside(cJSON *value)
{
    if (!value) {
        fputs("stutterscope: out of memory\n", stderr);
        abort();
    }
    return (struct json *)value;
}

/* Valid UTF-8 of the same text: every broken part becomes U+FFFD. */
static char *repair_text(const char *text)
{
    struct text_buffer buffer = {0};
    uint32_t code_point;
    size_t length;

    while ((length = text_decode(text, &code_point)) > 0) {
        char encoded[4];

        text_add_bytes(&buffer, encoded, text_encode(code_point, encoded));
        text += length;
    }
    return text_take(&buffer);
}

/* cJSON frees its strings with free(), as no hooks are set. */
static void repair_string(char **string)
{
    char *repaired;

    if (!*string || text_is_valid_utf8(*string, strlen(*string)))
        return;
    repaired = repair_text(*string);
    free(*string);
    *string = repaired;
}

/* As deep as the document at most, and that is limited. */
static void repair_tree(cJSON *value)
{
    for (; value; value = value->next) {
        repair_string(&value->string);
        repair_string(&value->valuestring);
        repair_tree(value->child);
    }
}

static bool is_number_byte(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* Refuses what would overrun the stack or buffers of the parser. */
static bool check_limits(const char *text, size_t length, struct error *error)
{
    size_t depth = 0, number = 0;
    bool in_string = false;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (in_string) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_string = false;
            continue;
        }
        number = is_number_byte(c) ? number + 1 : 0;
        if (number > LONGEST_NUMBER)
            return error_set(
                error, ERROR_INPUT,
                "JSON: at byte %zu: expected a number of at most %d characters, found a longer one.", i,
                LONGEST_NUMBER);
        if (c == '"') {
            in_string = true;
        } else if (c == '[' || c == '{') {
            if (++depth > DEEPEST_NESTING)
                return error_set(error, ERROR_INPUT, "JSON: at byte %zu: nested deeper than %d levels.", i,
                                 DEEPEST_NESTING);
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return true;
}

static void set_syntax_error(const char *text, size_t length, size_t offset, const char *expected,
                             struct error *error)
{
    char *found;

    if (offset >= length) {
        error_set(error, ERROR_INPUT, "JSON: at byte %zu: expected %s, found the end of the text.", length,
                  expected);
        return;
    }
    found = text_clean(text + offset, length - offset < 20 ? length - offset : 20);
    error_set(error, ERROR_INPUT, "JSON: at byte %zu: expected %s, found \"%s\".", offset, expected, found);
    free(found);
}

struct json *json_parse(const char *text, size_t length, struct error *error)
{
    const char *end = NULL;
    char *copy;
    cJSON *value;
    size_t offset;

    if (!check_limits(text, length, error))
        return NULL;
    /* Releases up to 1.7.17 look one byte behind the end in some broken documents: give them a NUL to find.
     */
    copy = memory_copy_bytes(text, length);
    value = cJSON_ParseWithLengthOpts(copy, length, &end, false);
    offset = end ? (size_t)(end - copy) : 0;
    free(copy);
    if (!value) {
        set_syntax_error(text, length, offset, "valid JSON", error);
        return NULL;
    }
    while (offset < length && strchr(" \t\r\n", text[offset]) && text[offset] != '\0')
        offset++;
    if (offset < length) {
        set_syntax_error(text, length, offset, "the end of the document", error);
        cJSON_Delete(value);
        return NULL;
    }
    if (!text_is_valid_utf8(text, length))
        repair_tree(value);
    return outside(value);
}

void json_destroy(struct json *value)
{
    cJSON_Delete(inside(value));
}

enum json_kind json_kind(const struct json *value)
{
    if (cJSON_IsObject(inside(value)))
        return JSON_OBJECT;
    if (cJSON_IsArray(inside(value)))
        return JSON_ARRAY;
    if (cJSON_IsString(inside(value)))
        return JSON_TEXT;
    if (cJSON_IsNumber(inside(value)) || cJSON_IsRaw(inside(value)))
        return JSON_NUMBER;
    return cJSON_IsBool(inside(value)) ? JSON_BOOL : JSON_NULL;
}

const struct json *json_member(const struct json *object, const char *name)
{
    if (!cJSON_IsObject(inside(object)))
        return NULL;
    return (const struct json *)cJSON_GetObjectItemCaseSensitive(inside(object), name);
}

size_t json_count(const struct json *array_or_object)
{
    size_t count = 0;

    for (const struct json *item = json_first(array_or_object); item; item = json_next(item))
        count++;
    return count;
}

const struct json *json_item(const struct json *array, size_t index)
{
    const struct json *item = json_first(array);

    while (item && index-- > 0)
        item = json_next(item);
    return item;
}

const struct json *json_first(const struct json *array_or_object)
{
    return array_or_object ? (const struct json *)inside(array_or_object)->child : NULL;
}

const struct json *json_next(const struct json *item)
{
    return item ? (const struct json *)inside(item)->next : NULL;
}

const char *json_name(const struct json *item)
{
    return item ? inside(item)->string : NULL;
}

const char *json_text(const struct json *value)
{
    return cJSON_GetStringValue(inside(value));
}

bool json_number(const struct json *value, double *ret)
{
    const cJSON *item = inside(value);

    if (cJSON_IsRaw(item))
        return number_parse_double(item->valuestring, strlen(item->valuestring), ret) == NUMBER_OK;
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble))
        return false;
    *ret = item->valuedouble;
    return true;
}

bool json_is_true(const struct json *value)
{
    return cJSON_IsTrue(inside(value));
}

struct json *json_object(void)
{
    return outside(cJSON_CreateObject());
}

struct json *json_array(void)
{
    return outside(cJSON_CreateArray());
}

void json_add(struct json *object, const char *name, struct json *value)
{
    char *repaired = repair_text(name);

    cJSON_AddItemToObject(inside(object), repaired, inside(value));
    free(repaired);
}

void json_append(struct json *array, struct json *value)
{
    cJSON_AddItemToArray(inside(array), inside(value));
}

struct json *json_from_text(const char *text)
{
    struct json *value;
    char *repaired;

    if (!text)
        return json_null();
    repaired = repair_text(text);
    value = outside(cJSON_CreateString(repaired));
    free(repaired);
    return value;
}

struct json *json_from_bool(bool value)
{
    return outside(cJSON_CreateBool(value));
}

struct json *json_from_integer(int64_t value)
{
    return json_from_scaled(value, 1);
}

/* Raw, because cJSON keeps numbers as doubles. */
struct json *json_from_scaled(int64_t value, int64_t scale)
{
    char text[64];

    if (value == VALUE_UNKNOWN)
        return json_null();
    return outside(cJSON_CreateRaw(number_print_scaled(text, sizeof text, value, scale)));
}

struct json *json_from_double(double value, int decimals)
{
    char text[1536];

    if (!isfinite(value))
        return json_null();
    return outside(cJSON_CreateRaw(number_print_double(text, sizeof text, value, decimals)));
}

struct json *json_null(void)
{
    return outside(cJSON_CreateNull());
}

static void print_string(struct text_buffer *buffer, const char *text)
{
    static const char short_forms[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r', ['"'] = '"', ['\\'] = '\\'};
    const char *start = text;

    text_add(buffer, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        char form = c < sizeof short_forms ? short_forms[c] : '\0';

        if (!form && c >= 0x20 && c != 0x7F)
            continue;
        text_add_bytes(buffer, start, (size_t)(text - start));
        if (form)
            text_add_print(buffer, "\\%c", form);
        else
            text_add_print(buffer, "\\u%04x", c);
        start = text + 1;
    }
    text_add_bytes(buffer, start, (size_t)(text - start));
    text_add(buffer, "\"");
}

/* Of numbers that came from a parsed document: up to 17 digits tell every double from its neighbours. */
static void print_number(struct text_buffer *buffer, double value)
{
    char text[1536];

    if (!isfinite(value))
        text_add(buffer, "null");
    else
        text_add(buffer, number_print_double(text, sizeof text, value, 340));
}

static void print_line_break(struct text_buffer *buffer, int depth)
{
    if (depth >= 0)
        text_add_print(buffer, "\n%*s", 2 * depth, "");
}

/* depth: of the indentation; below 0: everything on one line. */
static void print_value(struct text_buffer *buffer, const cJSON *value, int depth)
{
    bool is_object = cJSON_IsObject(value);
    int inner = depth < 0 ? depth : depth + 1;

    if (cJSON_IsString(value)) {
        print_string(buffer, value->valuestring);
    } else if (cJSON_IsRaw(value)) {
        text_add(buffer, value->valuestring);
    } else if (cJSON_IsNumber(value)) {
        print_number(buffer, value->valuedouble);
    } else if (cJSON_IsBool(value)) {
        text_add(buffer, cJSON_IsTrue(value) ? "true" : "false");
    } else if (!is_object && !cJSON_IsArray(value)) {
        text_add(buffer, "null");
    } else {
        text_add(buffer, is_object ? "{" : "[");
        for (const cJSON *item = value->child; item; item = item->next) {
            print_line_break(buffer, inner);
            if (is_object) {
                print_string(buffer, item->string);
                text_add(buffer, depth < 0 ? ":" : ": ");
            }
            print_value(buffer, item, inner);
            if (item->next)
                text_add(buffer, ",");
        }
        if (value->child)
            print_line_break(buffer, depth);
        text_add(buffer, is_object ? "}" : "]");
    }
}

static char *print_document(const struct json *value, int depth)
{
    struct text_buffer buffer = {0};

    print_value(&buffer, inside(value), depth);
    return text_take(&buffer);
}

char *json_print(const struct json *value)
{
    return print_document(value, -1);
}

char *json_print_pretty(const struct json *value)
{
    return print_document(value, 0);
}
