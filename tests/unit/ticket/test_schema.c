/*
 * Payloads against data/ticket.schema.json, with a checker for the keywords that are used there.
 */
#include "small_store.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/payload_read.h"
#include "stutterscope/ticket/regressions.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

struct checker {
    const struct json *root;
    struct text_buffer faults;
};

static bool check(struct checker *checker, const struct json *schema, const struct json *value,
                  const char *where);

static bool fail(struct checker *checker, const char *where, const char *what)
{
    text_add_print(&checker->faults, "%s: %s\n", where, what);
    return false;
}

static const struct json *resolve(const struct checker *checker, const struct json *schema)
{
    const char *reference = json_text(json_member(schema, "$ref"));
    const struct json *at = checker->root;

    if (!reference)
        return schema;
    cr_assert(strncmp(reference, "#/", 2) == 0);
    for (reference += 2; at && *reference; reference += strspn(reference, "/")) {
        char *name = memory_copy_bytes(reference, strcspn(reference, "/"));

        at = json_member(at, name);
        reference += strlen(name);
        free(name);
    }
    cr_assert(at);
    return at;
}

static bool is_type(const char *type, const struct json *value)
{
    static const struct {
        const char *name;
        enum json_kind kind;
    } kinds[] = {{"null", JSON_NULL},      {"boolean", JSON_BOOL}, {"number", JSON_NUMBER},
                 {"integer", JSON_NUMBER}, {"string", JSON_TEXT},  {"array", JSON_ARRAY},
                 {"object", JSON_OBJECT}};
    double number = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0 && json_kind(value) == kinds[i].kind)
            return strcmp(type, "integer") != 0 ||
                   (json_number(value, &number) && number == (double)(int64_t)number);
    return false;
}

static bool fits_type(const struct json *type, const struct json *value)
{
    bool fits = !type || (json_text(type) && is_type(json_text(type), value));

    for (const struct json *item = type && json_kind(type) == JSON_ARRAY ? json_first(type) : NULL; item;
         item = json_next(item))
        fits |= is_type(json_text(item), value);
    return fits;
}

static bool is_among(const struct json *values, const struct json *value)
{
    char *text = json_print(value);
    bool found = !values;

    for (const struct json *item = json_first(values); item && !found; item = json_next(item)) {
        char *other = json_print(item);

        found = strcmp(text, other) == 0;
        free(other);
    }
    free(text);
    return found;
}

static bool fits_pattern(const char *pattern, const char *text)
{
    regex_t expression;
    bool fits;

    if (!pattern || !text)
        return true;
    cr_assert_eq(regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB), 0);
    fits = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return fits;
}

static bool check_object(struct checker *checker, const struct json *schema, const struct json *value,
                         const char *where)
{
    const struct json *properties = json_member(schema, "properties"),
                      *others = json_member(schema, "additionalProperties");
    bool good = true;

    for (const struct json *name = json_first(json_member(schema, "required")); name; name = json_next(name))
        if (!json_member(value, json_text(name)))
            good = fail(checker, where, json_text(name));
    for (const struct json *item = json_first(value); item; item = json_next(item)) {
        const struct json *property = json_member(properties, json_name(item));
        char *path = memory_print("%s/%s", where, json_name(item));

        if (property)
            good &= check(checker, property, item, path);
        else if (others && json_kind(others) == JSON_OBJECT)
            good &= check(checker, others, item, path);
        else if (others && !json_is_true(others))
            good = fail(checker, path, "is not allowed");
        free(path);
    }
    return good;
}

static bool check_limits(const struct json *schema, const struct json *value)
{
    double limit, number;

    if (json_number(json_member(schema, "minItems"), &limit) && (double)json_count(value) < limit)
        return false;
    if (json_number(json_member(schema, "maxItems"), &limit) && (double)json_count(value) > limit)
        return false;
    return !json_number(json_member(schema, "minimum"), &limit) || !json_number(value, &number) ||
           number >= limit;
}

static bool check(struct checker *checker, const struct json *schema, const struct json *value,
                  const char *where)
{
    const struct json *constant, *choices;
    bool good = true;

    schema = resolve(checker, schema);
    constant = json_member(schema, "const");
    choices = json_member(schema, "anyOf");
    if (!fits_type(json_member(schema, "type"), value) || !is_among(json_member(schema, "enum"), value) ||
        (constant && strcmp(json_text(constant), json_text(value)) != 0) ||
        !fits_pattern(json_text(json_member(schema, "pattern")), json_text(value)) ||
        !check_limits(schema, value))
        good = fail(checker, where, "is another value than the schema allows");
    if (json_kind(value) == JSON_OBJECT)
        good &= check_object(checker, schema, value, where);
    for (const struct json *item = json_kind(value) == JSON_ARRAY ? json_first(value) : NULL;
         item && json_member(schema, "items"); item = json_next(item))
        good &= check(checker, json_member(schema, "items"), item, where);
    if (choices) {
        bool any = false;

        for (const struct json *choice = json_first(choices); choice; choice = json_next(choice))
            any |= check(checker, choice, value, where);
        good &= any;
    }
    return good;
}

static struct json *read_schema(const char *name)
{
    struct error error = {0};
    char *path = path_data(name, &error), *text;
    struct json *schema;
    size_t size;

    cr_assert(path && path_read_all(path, 1 << 20, &text, &size, &error), "%s", error.text);
    schema = json_parse(text, size, &error);
    cr_assert(schema, "%s", error.text);
    free(path);
    free(text);
    return schema;
}

static bool is_valid(const struct json *schema, const struct json *payload, char **ret_faults)
{
    struct checker checker = {.root = schema};
    bool valid = check(&checker, schema, payload, "");

    *ret_faults = text_take(&checker.faults);
    return valid;
}

static void check_valid(const char *name, const struct json *payload)
{
    struct json *schema = read_schema(name);
    char *faults;

    cr_assert(is_valid(schema, payload, &faults), "%s: %s", name, faults);
    free(faults);
    json_destroy(schema);
}

Test(schema, other_kinds_fit)
{
    struct model *model = small_store_open("Battle_03");
    struct error error = {0};
    struct json *payload = regressions_payload(model, 0, 0, NULL, &error);

    cr_assert(payload, "%s", error.text);
    check_valid("regressions.schema.json", payload);
    json_destroy(payload);
    for (int result = 0; result < VERIFICATION_RESULT_COUNT; result++) {
        payload = some_verification(model, (enum verification_result)result);
        check_valid("verification.schema.json", payload);
        json_destroy(payload);
    }
    small_store_close(model);
}

/* Shortened ever more for the limit of the tracker, what a ticket carries stays what the schema says. */
Test(schema, shortened_payloads_fit)
{
    static const size_t lengths[] = {3000, 6000, 7000, 9000};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char *scene = memory_take_zeroed(1, lengths[i] + 1), *text;
        struct error error = {0};
        struct ticket ticket;
        struct json *found;

        memset(scene, 's', lengths[i]);
        text = payload_text(scene, 2);
        ticket = write_ticket(text, NULL, NULL, &(struct ticket_options){.template = "jira"});
        found = payload_find(ticket.text, strlen(ticket.text), TICKET_STUTTERS, &error);
        cr_assert(found, "%s", error.text);
        check_valid("ticket.schema.json", found);
        json_destroy(found);
        ticket_free(&ticket);
        free(text);
        free(scene);
    }
}

Test(schema, payloads_fit)
{
    struct json *schema = read_schema("ticket.schema.json");
    struct model *model = small_store_open("Battle_03");
    const char *ids[] = {small_store_stutter(model, "SM-S918N", "boss_spawn"),
                         small_store_stutter(model, "SM-F731N", "boss_spawn")};
    struct error error = {0};
    char *faults;

    for (size_t count = 1; count <= 2; count++) {
        struct json *payload = ticket_payload(model, ids, count, &error);

        cr_assert(payload, "%s", error.text);
        cr_assert(is_valid(schema, payload, &faults), "%s", faults);
        free(faults);
        json_destroy(payload);
    }
    json_destroy(schema);
    small_store_close(model);
}

/* The checker does find faults, and the schema has no room for more than is documented. */
Test(schema, others_do_not)
{
    static const char *const changes[][2] = {
        {"\"runs\":5", "\"runs\":null"},
        {"\"peak_frame_ms\":92.4", "\"peak_frame_ms\":\"92.4\""},
        {"\"verdict\":\"new\"", "\"verdict\":\"odd\""},
        {"2497-2590ms", "2497 ms"},
        {"\"fingerprint\":", "\"fingerprints\":"},
        {"\"reason\":", "\"because\":"},
    };
    struct json *schema = read_schema("ticket.schema.json");
    struct model *model = small_store_open("Battle_03");
    const char *id = small_store_stutter(model, "SM-S918N", "boss_spawn");
    struct error error = {0};
    struct json *payload = ticket_payload(model, &id, 1, &error);
    char *text = json_print(payload);

    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *at = strstr(text, changes[i][0]), *changed, *faults;
        struct json *other;

        cr_assert(at, "%s", changes[i][0]);
        changed = memory_print("%.*s%s%s", (int)(at - text), text, changes[i][1], at + strlen(changes[i][0]));
        other = json_parse(changed, strlen(changed), &error);
        cr_assert(other, "%s", error.text);
        cr_expect(!is_valid(schema, other, &faults), "%s is accepted", changes[i][1]);
        free(faults);
        free(changed);
        json_destroy(other);
    }
    free(text);
    json_destroy(payload);
    json_destroy(schema);
    small_store_close(model);
}
