/*
 * The summary of a build and the result of a verification: figures and texts.
 */
#include "small_store.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/regressions.h"
#include "stutterscope/ticket/verification.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(kinds, .init = use_empty_config, .fini = remove_config);

static struct ticket write_with(const struct json *payload, const char *template)
{
    struct error error = {0};
    struct ticket ticket;

    cr_assert(ticket_write(payload, &(struct ticket_options){.template = template}, &ticket, &error),
              "%s: %s", template, error.text);
    return ticket;
}

static struct json *regressions_of(struct model *model)
{
    struct error error = {0};
    struct json *payload = regressions_payload(model, 0, 0, NULL, &error);

    cr_assert(payload, "%s", error.text);
    return payload;
}

/* Two devices are hit at boss_spawn and were not before: two new ones, worst severity first. */
Test(kinds, regressions_have_the_figures_of_the_build)
{
    struct model *model = small_store_open("Battle_03");
    struct json *payload = regressions_of(model);
    const struct json *first = json_first(json_member(payload, "stutters"));
    double value;

    cr_assert_str_eq(json_text(json_member(payload, "build")), "1.8.0(421)");
    cr_assert_str_eq(json_text(json_member(payload, "baseline_build")), "1.7.9(418)");
    cr_assert(json_number(json_member(json_member(payload, "counts"), "new"), &value) && value == 2);
    cr_assert_eq(json_count(json_member(payload, "stutters")), 2);
    cr_assert_str_eq(json_text(json_member(first, "device")), "SM-S918N");
    cr_assert(json_number(json_member(first, "peak_frame_ms"), &value) && value == 92.4);
    cr_assert(json_number(json_member(first, "baseline_build_peak_ms"), &value) && value == 31.6);
    cr_assert(json_number(json_member(first, "severity"), &value) && fabs(value - 92.4 * 0.8 * 1.4) < 1e-6);
    cr_assert_str_eq(json_text(json_first(json_member(first, "causes"))), "CPU-bound");
    json_destroy(payload);
    small_store_close(model);
}

static void check_headings(const struct ticket *ticket, size_t language)
{
    static const char *const headings[][4] = {
        {"Observed (measured)", "Compared with 1.7.9", "Probable cause (estimate)", "Please check"},
        {"관측 (측정값)", "비교: 1.7.9", "예상 원인 (추정)", "확인 부탁"},
        {"観測（実測）", "比較：1.7.9", "考えられる原因（推定）", "確認のお願い"},
    };

    expect_in_order(ticket->body, headings[language], 4);
    cr_assert_null(strstr(ticket->text, "{{"));
    cr_assert_null(strstr(ticket->text, "\n\n\n"), "%s", ticket->text);
}

static const char *const formats[] = {"github", "gitlab", "jira", "plain"};
static const char *const languages[] = {"en", "ko", "ja"};

static void check_all(const struct json *payload)
{
    for (size_t f = 0; f < 4; f++)
        for (size_t l = 0; l < 3; l++) {
            char *template = memory_print("%s-%s", formats[f], languages[l]);
            struct ticket ticket = write_with(payload, template);

            cr_assert_str_eq(ticket.format->name, formats[f]);
            check_headings(&ticket, l);
            ticket_free(&ticket);
            free(template);
        }
}

Test(kinds, regressions_in_every_format_and_language)
{
    struct model *model = small_store_open("Battle_03");
    struct json *payload = regressions_of(model);
    struct ticket ticket = write_with(payload, "github");

    check_all(payload);
    cr_assert_str_eq(ticket.title, "[Stutter summary] 1.8.0(421): 2 new");
    EXPECT_IN_ORDER(
        ticket.body, "## Observed", "Runs: ", "103.5", "## Compared", "2 new", "### New: 2",
        "| Galaxy S23 Ultra | Battle_03 | boss_spawn | High | 92.4 | 31.6 | \\+60.8 | 4/5 | 103.5 | undecided |",
        "## Probable cause (estimate)", "CPU-bound", "## Please check", "## To reproduce",
        "`5d20c7e..a1b2c3d`", "--open");
    check_rows(ticket.body, "|", 10);
    ticket_free(&ticket);
    json_destroy(payload);
    small_store_close(model);
}

Test(kinds, long_lists_show_the_worst_and_say_how_many_more)
{
    struct model *model = small_store_open("Battle_03");
    struct json *payload = regressions_of(model);
    struct error error = {0};
    struct ticket ticket;

    cr_assert(ticket_write(payload, &(struct ticket_options){.members = 1}, &ticket, &error), "%s",
              error.text);
    cr_assert_eq(count_of(ticket.body, "Galaxy Z Flip5"), 0);
    cr_assert(strstr(ticket.body, "And 1 more of 2"));
    ticket_free(&ticket);
    json_destroy(payload);
    small_store_close(model);
}

Test(kinds, hostile_names_stay_names_in_summaries)
{
    struct model *model = small_store_open("Boss {code} {noformat}|#12 @all <b>`x` [~me]");
    struct json *payload = regressions_of(model);
    struct ticket jira = write_with(payload, "jira"), markdown = write_with(payload, "github");

    check_rows(jira.body, "|", 10);
    check_rows(markdown.body, "|", 10);
    cr_assert_null(strstr(jira.body, "{code}"));
    cr_assert_null(strstr(markdown.body, "<b>"));
    cr_assert_null(strstr(markdown.body, "@all"));
    ticket_free(&jira);
    ticket_free(&markdown);
    json_destroy(payload);
    small_store_close(model);
}

/* ---- verification ---- */

Test(kinds, verification_in_every_format_and_language)
{
    struct model *model = small_store_open("Battle_03");
    struct json *payload = some_verification(model, VERIFICATION_NOT_ENOUGH);
    char *text = json_print(payload), *then_build = strstr(text, "\"then_build\":\"1.8.0(421)\"");
    struct ticket ticket = write_with(payload, "github");

    cr_assert(then_build);
    cr_assert_str_eq(json_text(json_member(payload, "result")), "not enough");
    cr_assert_str_eq(ticket.title, "[Verification] MG-1211: not enough seen yet in 1.8.0(421)");
    EXPECT_IN_ORDER(ticket.body, "## Observed", "no such hitch; runs hit: 0 of 5; boss_spawn seen: 5",
                    "## Compared",
                    "| Galaxy S23 Ultra | Battle_03 | boss_spawn | High | 92.4 | 4/5 | – | 0/5 | 5 | gone |",
                    "| not enough |", "Result: not enough", "## Probable cause (estimate)", "by luck: 0.03 %",
                    "by luck: 16 %", "## Please check", "3 more of boss_spawn");
    check_rows(ticket.body, "|", 10);
    ticket_free(&ticket);
    for (size_t f = 0; f < 4; f++)
        for (size_t l = 0; l < 3; l++) {
            char *template = memory_print("verification-%s-%s", formats[f], languages[l]);

            ticket = write_with(payload, template);
            cr_assert_null(strstr(ticket.text, "{{"));
            cr_assert_null(strstr(ticket.text, "\n\n\n"), "%s", ticket.text);
            ticket_free(&ticket);
            free(template);
        }
    free(text);
    json_destroy(payload);
    small_store_close(model);
}

Test(kinds, verification_results)
{
    static const char *const titles[] = {"gone in", "still there in", "not enough seen yet in",
                                         "not compared with"};

    for (int result = 0; result < VERIFICATION_RESULT_COUNT; result++) {
        struct model *model = small_store_open("Battle_03");
        struct json *payload = some_verification(model, (enum verification_result)result);
        struct ticket ticket = write_with(payload, "plain");

        cr_assert(strstr(ticket.title, titles[result]), "%s", ticket.title);
        cr_assert_eq(strstr(ticket.body, "80 ms") != NULL, result == VERIFICATION_STILL_THERE);
        ticket_free(&ticket);
        json_destroy(payload);
        small_store_close(model);
    }
    cr_assert_eq(verification_join(&(struct verification){0}), VERIFICATION_NOT_COMPARED);
}

/* Gone is never said of a ticket some of whose stutters nobody looked at. */
Test(kinds, a_part_of_a_ticket_is_never_gone)
{
    static const struct {
        enum verification_result member, whole;
    } cases[] = {{VERIFICATION_GONE, VERIFICATION_NOT_ENOUGH},
                 {VERIFICATION_NOT_COMPARED, VERIFICATION_NOT_ENOUGH},
                 {VERIFICATION_STILL_THERE, VERIFICATION_STILL_THERE}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct verification_member member = {.result = cases[i].member};
        struct verification verification = {.members = &member, .count = 1, .left_out = 2};

        cr_assert_eq(verification_join(&verification), cases[i].whole);
        verification.left_out = 0;
        cr_assert_eq(verification_join(&verification), cases[i].member);
    }
}

/* A template of another kind is exchanged for the one of the same tracker and language. */
Test(kinds, templates_follow_the_payload)
{
    struct model *model = small_store_open("Battle_03");
    struct json *payload = regressions_of(model);
    struct error error = {0};
    struct ticket ticket = write_with(payload, "verification-jira-ko");

    cr_assert(strstr(ticket.body, "h2. 관측"));
    ticket_free(&ticket);
    write_config("templates/mine.mustache", "mine");
    ticket = write_with(payload, "mine-ja");
    cr_assert(strstr(ticket.body, "## 観測"));
    ticket_free(&ticket);
    cr_assert_not(ticket_write(payload, &(struct ticket_options){.template = "githab"}, &ticket, &error));
    cr_assert(strstr(error.text, "githab"), "%s", error.text);
    json_destroy(payload);
    small_store_close(model);
}
