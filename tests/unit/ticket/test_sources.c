#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(sources, .init = use_empty_config, .fini = remove_config);

Test(sources, names_the_profiler_for_system_and_cause)
{
    static const struct {
        const char *from, *to, *expected;
    } cases[] = {
        {"\"os\":\"Android 14\"", "\"os\":\"iOS 17.6\"",
         "with Xcode Instruments (Time Profiler) or Unity Profiler (CPU Usage)"},
        {"\"cause\":\"CPU-bound\"", "\"cause\":\"GPU-bound\"",
         "with Android GPU Inspector (System Profiler) or Perfetto"},
        {"\"cause\":\"CPU-bound\"", "\"cause\":\"GC pressure\"", "with Unity Profiler (Memory) or Perfetto"},
        {"\"os\":\"Android 14\"", "\"os\":null", "with Unity Profiler (CPU Usage),"},
    };
    char *payload = payload_text("Battle_03", 1);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ticket ticket =
            write_ticket(payload, cases[i].from, cases[i].to, &(struct ticket_options){.template = "plain"});

        cr_expect(strstr(ticket.body, cases[i].expected), "%s: %s", cases[i].to,
                  strstr(ticket.body, "Record"));
        ticket_free(&ticket);
    }
    write_config("profilers.table", "# mine\n*|*|*|House Profiler|\n");
    {
        struct ticket ticket =
            write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "plain"});

        cr_assert(strstr(ticket.body, "with House Profiler,"));
        ticket_free(&ticket);
    }
    free(payload);
}

Test(sources, own_templates_and_languages_go_first)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket_templates templates;
    struct error error = {0};
    struct ticket ticket;
    size_t own = 0;

    write_config("templates/mine.mustache", "{{>observed}}: {{device}} {{peak_frame_ms}}\n");
    write_config("templates/languages/de.phrases", "%% observed\nBeobachtet\n");
    ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "mine-de"});
    cr_assert_str_eq(ticket.body, "Beobachtet: SM-S918N 92.4\n"); /* Markdown: '-' inside a word stays */
    cr_assert(strncmp(ticket.title, "[Stutter]", 9) == 0); /* English where the own language lacks a phrase */
    ticket_free(&ticket);
    ticket = write_ticket(payload, NULL, NULL,
                          &(struct ticket_options){.template = "mine", .format = "jira", .language = "ko"});
    cr_assert_str_eq(ticket.body, "관측 (측정값): SM\\-S918N 92.4\n");
    ticket_free(&ticket);
    cr_assert(ticket_list_templates(&templates, &error), "%s", error.text);
    cr_assert_eq(templates.count, (12 + 1) * 4);
    for (size_t i = 0; i < templates.count; i++)
        own += templates.items[i].own;
    cr_assert_eq(own, 4 + 12); /* mine in four languages, four others in German */
    ticket_templates_free(&templates);
    free(payload);
}

Test(sources, names_what_is_there_when_something_is_not)
{
    char *payload = payload_text("Battle_03", 1);
    struct json *document = parse_payload(payload),
                *other = parse_payload("{\"schema\": \"stutterscope.stats/1\"}");
    struct error error = {0};
    struct ticket ticket;

    cr_assert_not(ticket_write(document, &(struct ticket_options){.template = "gitbub"}, &ticket, &error));
    cr_assert(strstr(error.text, "gitbub") && strstr(error.text, "github, gitlab, jira, plain"), "%s",
              error.text);
    cr_assert_not(ticket_write(document, &(struct ticket_options){.language = "xx"}, &ticket, &error));
    cr_assert(strstr(error.text, "en, ja, ko"), "%s", error.text);
    cr_assert_not(ticket_write(document, &(struct ticket_options){.format = "html"}, &ticket, &error));
    cr_assert_not(
        ticket_write(document, &(struct ticket_options){.template = "/nowhere/x.mustache"}, &ticket, &error));
    cr_assert(strstr(error.text, "/nowhere/x.mustache"), "%s", error.text);
    cr_assert_not(ticket_write(other, &(struct ticket_options){0}, &ticket, &error));
    cr_assert(strstr(error.text, "stutterscope.ticket/1"), "%s", error.text);
    json_destroy(document);
    json_destroy(other);
    free(payload);
}

static void note(void *user, const char *line)
{
    text_add(user, line);
    text_add(user, "\n");
}

Test(sources, checks_templates)
{
    struct text_buffer lines = {0};
    struct error error = {0};
    size_t faults;
    char *text;

    for (size_t i = 0; i < 4; i++) {
        cr_assert(ticket_check_template((const char *const[]){"github", "gitlab-ko", "jira-ja", "plain"}[i],
                                        note, &lines, &faults, &error),
                  "%s", error.text);
        cr_assert_eq(faults, 0, "%s", lines.items);
    }
    write_config("templates/mine.mustache",
                 "{{devise}}\n{{#causes}}{{is.cpu_bond}}{{cpu}}{{/causes}}\n{{cpu}} "
                 "{{worst.peak_frame_ms}}\n{{>observd}}"
                 "{{#stutters}}{{event}}{{commit_range.from}}{{commit_range.form}}{{/stutters}}");
    cr_assert(ticket_check_template("mine", note, &lines, &faults, &error), "%s", error.text);
    cr_assert_eq(faults, 5, "%s", lines.items);
    EXPECT_IN_ORDER(lines.items, "mine.mustache:1:", "\"devise\"", "\"device\" meant", ":2:", "is.cpu_bond",
                    "\"cpu_bound\" meant", ":3:", "\"cpu\"", ":4:", "\"observd\"", "\"observed\" meant",
                    "commit_range.form", "\"from\" meant");
    text = ticket_show_template("mine", &error);
    cr_assert(text && strncmp(text, "{{devise}}", 10) == 0);
    free(text);
    array_free(&lines);
}
