#include "../leftovers.h"
#include "texts.h"

#include "small_store.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The user's folder of the tests: empty unless a test fills it. */
static char config[] = "/tmp/stutterscope-config-XXXXXX";

void use_empty_config(void)
{
    cr_assert(mkdtemp(config));
    leftover_note(config);
    setenv("XDG_CONFIG_HOME", config, 1);
}

void remove_config(void)
{
    leftover_remove(config);
}

void write_config(const char *name, const char *text)
{
    char *path = memory_print("%s/stutterscope/%s", config, name);
    struct error error = {0};

    cr_assert(path_make_parents(path, &error), "%s", error.text);
    cr_assert(path_write_all(path, text, strlen(text), &error), "%s", error.text);
    free(path);
}

char *payload_text(const char *scene, size_t count)
{
    struct model *model = small_store_open(scene);
    const char *ids[] = {small_store_stutter(model, "SM-S918N", "boss_spawn"),
                         small_store_stutter(model, "SM-F731N", "boss_spawn")};
    struct error error = {0};
    struct json *payload = ticket_payload(model, ids, count, &error);
    char *text;

    cr_assert(payload, "%s", error.text);
    text = json_print(payload);
    json_destroy(payload);
    small_store_close(model);
    return text;
}

struct json *parse_payload(const char *text)
{
    struct error error = {0};
    struct json *payload = json_parse(text, strlen(text), &error);

    cr_assert(payload, "%s", error.text);
    return payload;
}

struct ticket write_ticket(const char *payload_as_text, const char *from, const char *to,
                           const struct ticket_options *options)
{
    struct text_buffer changed = {0};
    struct error error = {0};
    struct ticket ticket;
    struct json *payload;

    while (*payload_as_text) {
        size_t length = from && strncmp(payload_as_text, from, strlen(from)) == 0 ? strlen(from) : 0;

        if (length)
            text_add(&changed, to);
        text_add_bytes(&changed, payload_as_text, length ? 0 : 1);
        payload_as_text += length ? length : 1;
    }
    payload = parse_payload(changed.items);
    cr_assert(ticket_write(payload, options, &ticket, &error), "%s", error.text);
    json_destroy(payload);
    array_free(&changed);
    return ticket;
}

size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

void expect_in_order(const char *text, const char *const *parts, size_t count)
{
    const char *at = text;

    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);

        cr_assert(found, "\"%s\" is not there, or not in its place:\n%s", parts[i], text);
        at = found + strlen(parts[i]);
    }
}

void check_rows(const char *text, const char *bar, size_t cells)
{
    size_t rows = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (*line == '|') {
            char *row = memory_copy_bytes(line, strcspn(line, "\n"));

            rows++;
            if (strncmp(row, "||", 2) != 0)
                cr_assert_eq(count_of(row, bar) - count_of(row, "\\|"), cells + 1, "%s", row);
            free(row);
        }
    cr_assert_gt(rows, 2);
}

struct json *some_verification(struct model *model, enum verification_result second)
{
    const char *ids[] = {small_store_stutter(model, "SM-S918N", "boss_spawn"),
                         small_store_stutter(model, "SM-F731N", "boss_spawn")};
    struct error error = {0};
    struct json *then = ticket_payload(model, ids, 2, &error), *payload;
    const struct json *first = json_first(json_member(then, "stutters"));
    struct verification_member members[] = {
        {.then = first,
         .peak_ns = VALUE_UNKNOWN,
         .runs = 5,
         .seen = 5,
         .luck = 0.00032,
         .needed = VALUE_UNKNOWN},
        {.then = json_next(first),
         .peak_ns = VALUE_UNKNOWN,
         .runs = 3,
         .seen = 2,
         .luck = 0.16,
         .needed = 3,
         .result = second},
    };
    struct verification verification = {
        .ticket = "MG-1211", .build = model_newest_build(model), .members = members, .count = 2};

    if (second == VERIFICATION_STILL_THERE) {
        members[1].peak_ns = 80 * NS_PER_MS;
        members[1].runs_hit = members[1].windows = 1;
        members[1].luck = NAN;
        members[1].needed = VALUE_UNKNOWN;
    }
    verification.result = verification_join(&verification);
    payload = verification_payload(model, &verification);
    json_destroy(then);
    return payload;
}
