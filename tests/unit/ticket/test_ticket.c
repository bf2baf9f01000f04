#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW(text) "\"stutter_window\":\"" text "\""

TestSuite(ticket, .init = use_empty_config, .fini = remove_config);

Test(ticket, has_four_parts_and_what_it_takes_to_reproduce)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket_options options = {.template = "github-en"};
    struct ticket ticket = write_ticket(payload, NULL, NULL, &options);

    cr_assert_str_eq(
        ticket.title,
        "[Stutter] Battle_03: 92.4 ms hitch at boss_spawn on Galaxy S23 Ultra, new in 1.8.0(421)");
    EXPECT_IN_ORDER(ticket.body, "## Observed (measured)", "92.4 ms", "CPU 76.2 ms, GPU 14.8 ms", "4 of 5",
                    "boss_spawn seen: 5", "door_open (0.5 s)", "▂▂████▂▂", "Pixel 8",
                    "## Compared with 1.7.9\\(418\\) (measured)", "31.6 ms", "+60.8 ms", "P95 16.7 ms",
                    "new in 1.8.0", "## Probable cause (estimate)", "CPU-bound", "5.1 × GPU", "Not likely",
                    "## Please check", "Perfetto", "boss_spawn", "2.49 s to 2.59 s into run", "## ", "`a1b2c3d`", "CI 8867",
                    "`5d20c7e..a1b2c3d`", "Battle_03", "SM-S918N", "Android 14", "High",
                    "<https://ci.example.com/runs/8867/log>", "shots/0042.png", "stutterscope '", "--open '");
    cr_assert_null(strstr(ticket.body, "\n\n\n"), "%s", ticket.body);
    cr_assert_not(ticket.shortened);
    ticket_free(&ticket);
    free(payload);
}

/* The parts are told apart by their headings only: nothing of an estimate stands among measurements. */
Test(ticket, does_not_mix_facts_and_guesses)
{
    char *payload = payload_text("Battle_03", 2);
    struct ticket ticket = write_ticket(
        payload, NULL, NULL, &(struct ticket_options){.template = "plain", .without_payload = true});
    const char *cause = strstr(ticket.body, "Probable cause");
    const char *bound = strstr(ticket.body, "CPU-bound");

    cr_assert(cause && bound && bound > cause);
    cr_assert_eq(count_of(ticket.body, "CPU-bound"), 2);
    cr_assert(strstr(cause, "Please check") > strstr(cause, "Not likely"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, every_format_and_language_has_the_four_headings)
{
    static const char *const formats[] = {"github", "gitlab", "jira", "plain"};
    static const char *const marks[] = {"## ", "## ", "h2. ", "== "};
    static const struct {
        const char *language, *headings[4];
    } languages[] = {
        {"en", {"Observed (measured)", "Compared with 1.7.9", "Probable cause (estimate)", "Please check"}},
        {"ko", {"관측 (측정값)", "비교: 1.7.9", "예상 원인 (추정)", "확인 부탁"}},
        {"ja", {"観測（実測）", "比較：1.7.9", "考えられる原因（推定）", "確認のお願い"}},
    };

    for (size_t count = 1; count <= 2; count++) {
        char *payload = payload_text("Battle_03", count);

        for (size_t f = 0; f < 4; f++)
            for (size_t l = 0; l < 3; l++) {
                char *name = memory_print("%s-%s", formats[f], languages[l].language), *parts[4];
                struct ticket ticket =
                    write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = name});

                cr_assert_str_eq(ticket.format->name, formats[f]);
                for (size_t h = 0; h < 4; h++)
                    parts[h] = memory_print("%s%s", marks[f], languages[l].headings[h]);
                EXPECT_IN_ORDER(ticket.body, parts[0], parts[1], parts[2], parts[3]);
                cr_assert_null(strstr(ticket.body, "{{"));
                cr_assert_eq(count_of(ticket.body, "{noformat}") % 2, 0);
                for (size_t h = 0; h < 4; h++)
                    free(parts[h]);
                free(name);
                ticket_free(&ticket);
            }
        free(payload);
    }
}

Test(ticket, hostile_names_stay_names)
{
    static const char scene[] = "Boss {code} {noformat}|#12 @all <b>`x` [~me]";
    char *payload = payload_text(scene, 2);
    struct ticket markdown =
        write_ticket(payload, "\"High\"", "\"a|b\"", &(struct ticket_options){.template = "github"});
    struct ticket jira =
        write_ticket(payload, "\"High\"", "\"a|b\"", &(struct ticket_options){.template = "jira"});
    struct ticket plain = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "plain"});

    cr_assert(strstr(plain.body, scene));
    cr_assert(strstr(markdown.title, scene), "%s", markdown.title);
    check_rows(markdown.body, "|", 8);
    check_rows(jira.body, "|", 8);
    cr_assert_null(strstr(markdown.body, "<b>"));
    cr_assert_null(strstr(markdown.body, "@all"));
    cr_assert_null(strstr(jira.body, "{code}"));
    cr_assert_null(strstr(jira.body, " [~me]"));
    cr_assert_eq(count_of(jira.body, "{noformat}\n"), 4); /* the command, the payload */
    ticket_free(&markdown);
    ticket_free(&jira);
    ticket_free(&plain);
    free(payload);
}

/* A command with braces could end a {noformat} block: it stands escaped outside of one. */
Test(ticket, jira_blocks_cannot_be_broken)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket =
        write_ticket(payload, "/my store.db", "/{noformat}.db",
                     &(struct ticket_options){.template = "jira", .without_payload = true});

    cr_assert_eq(count_of(ticket.body, "{noformat}"), 0);
    cr_assert(strstr(ticket.body, "\\{noformat\\}"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, says_what_is_not_known)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket =
        write_ticket(payload, "\"os\":\"Android 14\"", "\"os\":null", &(struct ticket_options){0});

    cr_assert(strstr(ticket.body, "OS version: not recorded"));
    ticket_free(&ticket);
    ticket = write_ticket(payload, "\"gpu_at_peak_ms\":14.8", "\"gpu_at_peak_ms\":null",
                          &(struct ticket_options){0});
    EXPECT_IN_ORDER(ticket.body, "GPU not recorded", "## Probable", "CPU-bound", "GPU not recorded");
    ticket_free(&ticket);
    ticket = write_ticket(payload, "\"screenshot\":\"shots/0042.png\"", "\"screenshot\":null",
                          &(struct ticket_options){0});
    cr_assert(strstr(ticket.body, "Screenshot: none"));
    ticket_free(&ticket);
    ticket =
        write_ticket(payload, "\"verdict\":\"new\"", "\"verdict\":\"none\"", &(struct ticket_options){0});
    cr_assert(strstr(ticket.body, "Not compared: "));
    cr_assert(strstr(ticket.title, "not compared"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, links_commits_only_to_safe_addresses)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket_options options = {.commit_link = "https://git.example.com/compare/{from}...{to}"};
    struct ticket ticket = write_ticket(payload, NULL, NULL, &options);

    cr_assert(strstr(ticket.body, "[`5d20c7e..a1b2c3d`](https://git.example.com/compare/5d20c7e...a1b2c3d)"));
    ticket_free(&ticket);
    ticket = write_ticket(payload, "a1b2c3d", ")[x](javascript:1", &options);
    cr_assert_null(strstr(ticket.body, "https://git.example.com"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, summary_is_marked_as_an_estimate)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket =
        write_ticket(payload, NULL, NULL, &(struct ticket_options){.summary = "Boss *spawns* slowly."});

    EXPECT_IN_ORDER(ticket.body, "## Probable cause (estimate)",
                    "Written by a program (estimate): Boss \\*spawns\\* slowly", "\n\n## Please check");
    ticket_free(&ticket);
    free(payload);
}

/* Without a window there is nothing to record: only whether it stays away. */
Test(ticket, what_is_gone_asks_for_confirmation)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket = write_ticket(payload, "\"peak_frame_ms\":92.4,\"windows\"",
                                        "\"peak_frame_ms\":null,\"windows\"", &(struct ticket_options){0});

    EXPECT_IN_ORDER(ticket.body, "No such hitch here; runs: 5; boss_spawn seen: 5", "## Compared", "no hitch here, in",
                    "31.6 ms", "## Please check", "Does it stay away");
    cr_assert_null(strstr(ticket.body, "Perfetto"));
    cr_assert_null(strstr(ticket.body, "`▂"));
    ticket_free(&ticket);
    free(payload);
}

/* Hundredths of a second, the start rounded down and the end up; a clock that begins elsewhere stays as it is. */
Test(ticket, tells_the_window_in_seconds_of_the_run)
{
    static const struct {
        const char *window, *template, *words;
    } cases[] = {
        {WINDOW("7752-8265ms"), "plain-en", "7.75 s to 8.27 s into the run"},
        {WINDOW("184233-185010ms"), "plain-en", "184.23 s to 185.01 s into the run"},
        {WINDOW("0-1ms"), "plain-en", "0.00 s to 0.01 s into the run"},
        {WINDOW("7752-8265ms"), "plain-ko", "시작 후 7.75초부터 8.27초까지"},
        {WINDOW("7752-8265ms"), "jira-ja", "開始 7.75 秒後から 8.27 秒後まで"},
        {WINDOW("1764300184233-1764300185010ms"), "plain-en", "Look at 1764300184233-1764300185010ms"},
        {WINDOW("-20-30ms"), "plain-en", "Look at -20-30ms"},
    };
    char *payload = payload_text("Battle_03", 1);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ticket ticket = write_ticket(payload, WINDOW("2497-2590ms"), cases[i].window,
                                            &(struct ticket_options){.template = cases[i].template, .without_payload = true});

        cr_assert(strstr(ticket.text, cases[i].words), "%s\n%s", cases[i].words, ticket.text);
        ticket_free(&ticket);
    }
    free(payload);
}
