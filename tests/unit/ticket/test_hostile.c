/*
 * Whole tickets of hostile names, through a renderer: every value shows as it is, and nothing else is made of
 * it.
 */
#include "hostile.h"
#include "stutterscope/base/memory.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(hostile, .init = use_empty_config, .fini = remove_config);

/* Places of the payload that a ticket of one stutter shows. */
static const char *const places[][2] = {
    {"\"device_name\":\"Galaxy S23 Ultra\"", "device_name"},
    {"\"device\":\"SM-S918N\"", "device"},
    {"\"device_tier\":\"high\"", "device_tier"},
    {"\"chip\":null", "chip"},
    {"\"gpu\":\"Adreno 740\"", "gpu"},
    {"\"os\":\"Android 14\"", "os"},
    {"\"quality\":\"High\"", "quality"},
    {"\"scene\":\"Battle_03\"", "scene"},
    {"\"scenario\":null", "scenario"},
    {"\"step\":null", "step"},
    {"\"event\":\"boss_spawn\"", "event"},
    {"\"event\":\"door_open\"", "event"},
    {"\"build\":\"1.8.0(421)\"", "build"},
    {"\"baseline_build\":\"1.7.9(418)\"", "baseline_build"},
    {"\"ci_run\":\"8867\"", "ci_run"},
    {"\"commit\":\"a1b2c3d\"", "commit"},
    {"\"from\":\"5d20c7e\"", "from"},
    {"\"to\":\"a1b2c3d\"", "to"},
    {"\"screenshot\":\"shots/0042.png\"", "screenshot"},
    {"\"log_url\":\"https://ci.example.com/runs/8867/log\"", "log_url"},
};
enum { PLACES = sizeof places / sizeof *places, NAMES = 500 };

static char *with_names(const char *payload, char *const names[PLACES])
{
    struct text_buffer changed = {0};
    size_t found[PLACES] = {0};

    while (*payload) {
        size_t place = 0;

        while (place < PLACES && strncmp(payload, places[place][0], strlen(places[place][0])) != 0)
            place++;
        if (place == PLACES) {
            text_add_bytes(&changed, payload++, 1);
            continue;
        }
        found[place]++;
        text_add_print(&changed, "\"%s\":\"", places[place][1]);
        escape_add(&changed, ESCAPE_JSON, names[place]);
        text_add(&changed, "\"");
        payload += strlen(places[place][0]);
    }
    for (size_t i = 0; i < PLACES; i++)
        cr_assert(found[i], "%s is not in the payload", places[i][0]);
    return text_take(&changed);
}

/* The text between the tags. Only tags of our own layouts may be there. */
static char *text_between_tags(const char *html)
{
    static const char *const ours[] = {"h1",      "h2",      "ul",    "li",    "p",     "code", "pre", "a",
                                       "summary", "details", "table", "thead", "tbody", "tr",   "th",  "td"};
    struct text_buffer text = {0};

    text_add(&text, "");
    while (*html) {
        size_t plain = strcspn(html, "<"), length;
        const char *name = html + plain + 1;
        bool known = false;

        cr_assert(decode_html(html, plain, &text));
        if (!html[plain])
            break;
        name += *name == '/';
        length = strcspn(name, " >/\n");
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            known |= strlen(ours[i]) == length && strncmp(ours[i], name, length) == 0;
        cr_assert(known, "a tag that is not ours: %.*s", (int)strcspn(name, ">"), name);
        html = name + strcspn(name, ">");
        html += *html == '>';
    }
    return text_take(&text);
}

/* An address that can stand raw is a link on purpose, and shows as it is. */
static void check_links(const char *html)
{
    for (const char *at = html; (at = strstr(at, "<a href=\"")); at++) {
        const char *address = at + strlen("<a href=\"");
        size_t length = strcspn(address, "\"");
        char *copy = memory_copy_bytes(address, length);

        cr_assert(escape_is_safe_address(copy) || strstr(copy, "&amp;"), "a link to %s", copy);
        free(copy);
    }
}

static void check_ticket(const struct ticket *ticket, char *const names[PLACES])
{
    char *html = run_cmark(ticket->text), *text, *plain, *carried;

    check_links(html);
    text = text_between_tags(html);
    plain = remove_breaks(text);
    carried = strstr(plain, "{\"schema\"");
    cr_assert(carried);
    *carried = '\0'; /* what is only there is shown to nobody */
    for (size_t i = 0; i < PLACES; i++) {
        char *flat = flatten(names[i]);

        cr_assert(strstr(plain, flat), "%s \"%s\" is not shown in:\n%s\n%s", places[i][1], flat, plain,
                  ticket->text);
        free(flat);
    }
    free(html);
    free(text);
    free(plain);
}

/* A second, plain reading of Jira's text outside of its blocks: backslashes and entities back to characters. */
static char *read_jira(const char *body)
{
    static const struct {
        const char *entity;
        char plain;
    } entities[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&#92;", '\\'}, {"&#46;", '.'}, {"&#58;", ':'}};
    struct text_buffer text = {0};

    text_add(&text, "");
    while (*body) {
        size_t step = 0;

        for (size_t i = 0; i < sizeof entities / sizeof *entities && !step; i++)
            if (strncmp(body, entities[i].entity, strlen(entities[i].entity)) == 0) {
                text_add_bytes(&text, &entities[i].plain, 1);
                step = strlen(entities[i].entity);
            }
        if (!step && *body == '\\' && body[1] && strchr("-#*_+?^~%{}[]()!@|", body[1]))
            body++;
        if (!step)
            text_add_bytes(&text, body, 1);
        body += step ? step : 1;
    }
    return text_take(&text);
}

/* What starts something in Jira is escaped inside the value wherever it stands. */
static void check_jira_value(const char *name)
{
    struct text_buffer value = {0};

    escape_add(&value, ESCAPE_JIRA, name);
    for (const char *at = value.items; at && *at; at++) {
        bool escaped = at > value.items && (at[-1] == '\\' || (at[-1] == '&' && *at == '#')); /* or an entity */

        cr_expect(escaped || !strchr("{}[]|*_-+^~?!#@()", *at), "%c in %s of %s", *at, value.items, name);
        cr_expect(*at != '<' && *at != '>' && *at != '\n', "%c in %s", *at, value.items);
    }
    array_free(&value);
}

static void check_other(const struct ticket *ticket, char *const names[PLACES], bool jira)
{
    char *text = jira ? read_jira(ticket->body) : memory_copy_text(ticket->body);

    for (size_t i = 0; i < PLACES; i++) {
        char *flat = flatten(names[i]);

        cr_assert(strstr(text, flat), "%s \"%s\" is not shown in:\n%s", places[i][1], flat, ticket->body);
        if (jira)
            check_jira_value(names[i]);
        free(flat);
    }
    free(text);
}

Test(hostile, jira_and_plain_tickets_show_every_value, .timeout = 60)
{
    static const char *const templates[] = {"jira-en", "plain-en", "jira-ja", "plain-ko"};
    char *payload = payload_text("Battle_03", 1);
    uint32_t state = 20251130;

    for (size_t count = 0; count < NAMES; count += PLACES) {
        struct ticket_options options = {.template = templates[count / PLACES % 4]};
        char *names[PLACES], *changed;
        struct ticket ticket;

        for (size_t i = 0; i < PLACES; i++) {
            struct text_buffer name = {0};

            do {
                name.count = 0;
                make_hostile_name(&state, &name);
            } while (strspn(name.items, " \t\r\n") == name.count);
            names[i] = text_clean(name.items, name.count);
            array_free(&name);
        }
        changed = with_names(payload, names);
        ticket = write_ticket(changed, NULL, NULL, &options);
        check_other(&ticket, names, count / PLACES % 2 == 0);
        ticket_free(&ticket);
        free(changed);
        for (size_t i = 0; i < PLACES; i++)
            free(names[i]);
    }
    free(payload);
}

Test(hostile, whole_tickets_show_every_value, .timeout = 60)
{
    static const char *const templates[] = {"github-en", "gitlab-ko", "github-ja"};
    char *payload = payload_text("Battle_03", 1);
    uint32_t state = 20251129;

    if (!has_cmark())
        cr_skip_test("cmark-gfm is not installed");
    for (size_t count = 0; count < NAMES; count += PLACES) {
        struct ticket_options options = {.template = templates[count / PLACES % 3]};
        char *names[PLACES], *changed;
        struct ticket ticket;

        for (size_t i = 0; i < PLACES; i++) {
            struct text_buffer name = {0};

            do {
                name.count = 0;
                make_hostile_name(&state, &name);
            } while (strspn(name.items, " \t\r\n") == name.count); /* blanks are no value */
            names[i] = text_take(&name);
        }
        changed = with_names(payload, names);
        ticket = write_ticket(changed, NULL, NULL, &options);
        check_ticket(&ticket, names);
        ticket_free(&ticket);
        free(changed);
        for (size_t i = 0; i < PLACES; i++)
            free(names[i]);
    }
    free(payload);
}
