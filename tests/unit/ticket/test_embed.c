/*
 * The payload that a ticket's text carries, and finding it again.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload_read.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(embed, .init = use_empty_config, .fini = remove_config);

static const char *const formats[] = {"github", "gitlab", "jira", "plain"};
static const char *const languages[] = {"en", "ko", "ja"};
static const char hostile[] = "Boss {code} {noformat}|#12 @all <b>`x`</details> \\u0041 \"q\" ``` [~me] 광장";

static struct json *find(const char *text, enum ticket_kind kind)
{
    struct error error = {0};
    struct json *found = payload_find(text, strlen(text), kind, &error);

    cr_assert(found, "%s\n%s", error.text, text);
    return found;
}

static void check_same(const struct json *a, const struct json *b)
{
    char *x = json_print(a), *y = json_print(b);

    cr_assert_str_eq(x, y);
    free(x);
    free(y);
}

/* From every format and language, for one stutter and for two, whatever the names: what was put in comes out.
 */
Test(embed, comes_back_from_every_text)
{
    for (size_t count = 1; count <= 2; count++) {
        char *name = memory_print("%s", hostile);
        char *text = payload_text(name, count);
        struct json *payload = parse_payload(text);

        for (size_t f = 0; f < 4; f++)
            for (size_t l = 0; l < 3; l++) {
                char *template = memory_print("%s-%s", formats[f], languages[l]);
                struct ticket ticket =
                    write_ticket(text, NULL, NULL, &(struct ticket_options){.template = template});
                struct json *found = find(ticket.text, TICKET_STUTTERS);

                cr_assert_not(ticket.shortened);
                check_same(found, payload);
                json_destroy(found);
                ticket_free(&ticket);
                free(template);
            }
        json_destroy(payload);
        free(text);
        free(name);
    }
}

Test(embed, can_be_left_out)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket =
        write_ticket(payload, NULL, NULL, &(struct ticket_options){.without_payload = true});
    struct error error = {0};

    cr_assert_null(strstr(ticket.text, "<details>"));
    cr_assert_null(payload_find(ticket.text, strlen(ticket.text), TICKET_KIND_COUNT, &error));
    cr_assert(strstr(error.text, "stutterscope.ticket/1"), "%s", error.text);
    ticket_free(&ticket);
    free(payload);
}

/* The text with every line changed as a tracker or a mail does. */
static char *with_lines(const char *text, const char *before, const char *end)
{
    struct text_buffer changed = {0};

    while (*text) {
        size_t length = strcspn(text, "\n");

        text_add(&changed, before);
        text_add_bytes(&changed, text, length);
        text_add(&changed, end);
        text += length + (text[length] == '\n');
    }
    return text_take(&changed);
}

Test(embed, comes_back_from_what_others_made_of_it)
{
    char *text = payload_text("Battle_03", 1), *pretty, *lines;
    struct json *payload = parse_payload(text), *found;
    struct ticket ticket = write_ticket(text, NULL, NULL, &(struct ticket_options){.template = "github"});

    check_same(payload, found = find(text, TICKET_STUTTERS));
    json_destroy(found);
    pretty = json_print_pretty(payload);
    check_same(payload, found = find(pretty, TICKET_STUTTERS));
    json_destroy(found);
    lines = with_lines(pretty, "> > ", "\r\n");
    check_same(payload, found = find(lines, TICKET_STUTTERS));
    json_destroy(found);
    free(lines);
    lines = with_lines(ticket.text, "    ", "  \n");
    check_same(payload, found = find(lines, TICKET_STUTTERS));
    json_destroy(found);
    free(lines);
    lines = memory_print(
        "Hi {team}, {\"schema\": 1} {\"schema\":\"stutterscope.other/1\"}\n\xEF\xBB\xBF%s\nbye }",
        ticket.text);
    check_same(payload, found = find(lines, TICKET_STUTTERS));
    json_destroy(found);
    free(lines);
    /* Sorted members, as jq -S writes them. */
    lines =
        memory_print("{\"a\":{\"b\":[{\"c\":1}]},\"schema\":\"stutterscope.ticket/1\",\"stutters\":[{}]}");
    found = find(lines, TICKET_STUTTERS);
    cr_assert_eq(json_count(found), 3);
    json_destroy(found);
    free(lines);
    free(pretty);
    json_destroy(payload);
    ticket_free(&ticket);
    free(text);
}

Test(embed, says_what_is_wrong)
{
    char *text = payload_text("Battle_03", 1);
    struct ticket ticket = write_ticket(text, NULL, NULL, &(struct ticket_options){.template = "plain"});
    size_t length = strlen(ticket.text);
    struct error error = {0};

    cr_assert_null(payload_find("", 0, TICKET_KIND_COUNT, &error));
    cr_assert_null(payload_find(text, strlen(text), TICKET_VERIFICATION, &error));
    /* Cut at any place it is never half a payload. */
    for (size_t cut = 0; cut < length - 2; cut += 97)
        cr_assert_null(payload_find(ticket.text, cut, TICKET_STUTTERS, &error));
    cr_assert_null(payload_find(ticket.text, length - 3, TICKET_STUTTERS, &error));
    cr_assert(strstr(error.text, "cut"), "%s", error.text);
    cr_assert_null(payload_read("/nonexistent/ticket.md", TICKET_KIND_COUNT, &error));
    cr_assert(strstr(error.text, "/nonexistent/ticket.md"), "%s", error.text);
    ticket_free(&ticket);
    free(text);
}

/* Many open braces must not take for ever. */
Test(embed, hostile_texts_end, .timeout = 10)
{
    enum { SIZE = 1 << 20 };
    struct text_buffer text = {0};
    char *braces = memory_take_zeroed(1, SIZE + 1);

    memset(braces, '{', SIZE);
    for (int i = 0; i < 50; i++)
        text_add(&text, "{\"schema\":\"stutterscope.ticket/1\"");
    text_add(&text, braces);
    text_add(&text, "\"schema\":\"stutterscope.ticket/1\"");
    cr_assert_null(payload_find(text.items, text.count, TICKET_KIND_COUNT, NULL));
    array_free(&text);
    free(braces);
}

static char *member_of(const char *payload, const char *name)
{
    struct json *whole = parse_payload(payload);
    char *text = json_print(json_member(whole, name));

    json_destroy(whole);
    return text;
}

/* The payload of a text that had to lose just the evidence in it: with an ever longer name the tracker's limit is met. */
static struct json *lean_payload(const char *payload)
{
    struct json *found = NULL;

    for (size_t length = 500; length < 20000 && !found; length += 100) {
        char *name = memory_take_zeroed(1, length + 1);
        struct ticket ticket;

        memset(name, 's', length);
        ticket = write_ticket(payload, "Battle_03", name, &(struct ticket_options){.template = "jira"});
        if (ticket.shortened) {
            found = find(ticket.text, TICKET_STUTTERS);
            cr_assert_null(json_member(found, "shortened"), "too late");
        }
        ticket_free(&ticket);
        free(name);
    }
    cr_assert(found);
    return found;
}

/* What was left out is not "none": a lean payload says null, and its ticket does not say that no cause stands out. */
Test(embed, lean_lists_are_unknown)
{
    static const char *const lists[] = {"events_before", "events_during", "events_after",  "causes",
                                        "not_causes",    "worst_windows", "clean_devices", "chart"};
    char *text = payload_text("Battle_03", 1), *causes;
    struct json *found = lean_payload(text);
    struct error error = {0};
    struct ticket ticket;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        cr_assert_eq(json_kind(json_member(found, lists[i])), JSON_NULL, "%s", lists[i]);
        cr_assert_eq(json_kind(json_member(json_first(json_member(found, "stutters")), lists[i])), JSON_NULL);
    }
    cr_assert(ticket_write(found, &(struct ticket_options){.template = "plain"}, &ticket, &error));
    cr_assert_null(strstr(ticket.text, "No cause stands out"));
    cr_assert(strstr(ticket.text, "Left out of these figures"), "%s", ticket.text);
    cr_assert(strstr(ticket.text, "Which cause is probable?"));
    cr_assert_null(strstr(ticket.text, "Worst windows"));
    ticket_free(&ticket);
    json_destroy(found);
    /* An empty list is what was measured: there it is said. */
    causes = member_of(text, "causes");
    ticket = write_ticket(text, causes, "[]", &(struct ticket_options){.template = "plain"});
    cr_assert(strstr(ticket.text, "No cause stands out"));
    ticket_free(&ticket);
    free(causes);
    free(text);
}

/* Shortened for the limit, it still has what a later build is compared with. */
Test(embed, is_shortened_before_the_text_is)
{
    char *long_name = memory_take_zeroed(1, 7001), *text, *scene;
    struct json *found;
    struct ticket ticket;

    memset(long_name, 's', 7000);
    scene = memory_print("Scene %s", long_name);
    text = payload_text(scene, 2);
    ticket = write_ticket(text, NULL, NULL, &(struct ticket_options){.template = "jira"});
    cr_assert(ticket.shortened);
    cr_assert_leq(ticket.length, 32767);
    found = find(ticket.text, TICKET_STUTTERS);
    for (const struct json *item = json_first(json_member(found, "stutters")); item; item = json_next(item)) {
        cr_assert_str_eq(json_text(json_member(item, "scene")), scene);
        cr_assert_eq(strlen(json_text(json_member(item, "fingerprint"))), 16);
        cr_assert_eq(json_kind(json_member(item, "windows")), JSON_NUMBER);
        cr_assert_eq(json_kind(json_member(item, "seen")), JSON_NUMBER);
    }
    cr_assert_eq(json_count(json_member(found, "stutters")), 2);
    json_destroy(found);
    ticket_free(&ticket);
    free(text);
    free(scene);
    free(long_name);
}
