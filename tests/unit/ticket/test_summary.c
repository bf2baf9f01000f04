#include "stutterscope/base/memory.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/ticket/post.h"
#include "stutterscope/ticket/summary.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(summary, .init = use_empty_config, .fini = remove_config);
TestSuite(post, .init = use_empty_config, .fini = remove_config);

static const char figures[] =
    "{\"device_name\":\"Galaxy S23 "
    "Ultra\",\"device\":\"SM-S918N\",\"build\":\"1.8.0(421)\",\"peak_frame_ms\":92.4,"
    "\"budget_ms\":16.667,\"occurrence\":0.8,\"runs\":25,\"delta_ms\":-43.06,\"p99_ms\":48,\"bytes\":1310720,"
    "\"stutter_window\":\"7752-8265ms\",\"built_at\":\"2025-11-26T18:05:00Z\",\"event\":\"wave_12\","
    "\"os\":\"Android 14\",\"list\":[{\"offset_ms\":-808.5}]}";

static void check_marks(const char *text, const char *expected)
{
    struct json *payload = parse_payload(figures);
    size_t marked, count = 0;
    char *result = summary_mark_numbers(text, payload, &marked);

    for (const char *at = expected; (at = strstr(at, "(?)")); at++)
        count++;
    cr_expect_str_eq(result, expected, "\"%s\": expected \"%s\", got \"%s\"", text, expected, result);
    cr_expect_eq(marked, count);
    free(result);
    json_destroy(payload);
}

/* Rounded to the digits written. */
Test(summary, numbers_of_the_payload_stay)
{
    static const char *const fine[] = {
        "",
        "no number",
        "peak 92.4 ms, or 92.40, or 92 ms, budget 16.67, 16.7, 17",
        "fell by 43.06 ms, 43.1, 43; -43.06; −43.06",
        "in 80 % of the runs (0.8), 80% of 25",
        "3 of 5 times, 9 twice, 0 ms",     /* counts below 10 are not checked */
        "since 1999 and 2024, until 2100", /* years neither */
        "1,310,720 bytes or 1310720 bytes",
        "Galaxy S23 Ultra, S23, SM-S918N, 1.8.0(421), build 421, wave_12, Android 14, P99",
        "at 7752-8265ms, from 7752 to 8265, on 2025-11-26 at 18:05",
        "808.5 ms before",
        "최대 92.4ms였고 25회 중 80%에서 발생", /* digits next to letters of other scripts */
        "９２.４",
    };

    for (size_t i = 0; i < sizeof fine / sizeof *fine - 1; i++)
        check_marks(fine[i], fine[i]);
    check_marks("最大 ９２．４ ms", "最大 92.4 ms");
}

Test(summary, other_numbers_are_marked)
{
    check_marks("peak 95 ms", "peak 95 (?) ms");
    check_marks("92.5 and 92.41", "92.5 (?) and 92.41 (?)");
    check_marks("16.66", "16.66 (?)");
    check_marks("10 runs", "10 (?) runs");
    check_marks("9.5 ms", "9.5 (?) ms");
    check_marks("in 1899 or 2101", "in 1899 (?) or 2101 (?)");
    check_marks("2024.5", "2024.5 (?)");
    check_marks("Galaxy S24", "Galaxy S24 (?)");
    check_marks("P95", "P95 (?)");
    check_marks("1.8.1(422)", "1.8.1 (?)(422 (?))");
    check_marks("70 %", "70 (?) %");
    check_marks("23 ms", "23 (?) ms"); /* of S23, but no 23 */
    check_marks("25회와 27회", "25회와 27 (?)회");
    check_marks("1,310,721", "1,310,721 (?)");
    check_marks("99999999999999999999999999999999", "99999999999999999999999999999999 (?)");
}

static char *run_summary(const char *command, int seconds, struct error *error)
{
    struct json *payload = parse_payload(figures);
    char *text;

    *error = (struct error){0};
    text = summary_run(command, seconds, payload, NULL, error);
    json_destroy(payload);
    return text;
}

Test(summary, command_reads_json_and_its_text_is_one_paragraph)
{
    struct error error;
    char *text =
        run_summary("sh -c 'printf \"  The peak \\n\\n is %s ms. \\033[1m\\n\" $(grep -o 92.4)'", 0, &error);

    cr_assert(text, "%s", error.text);
    cr_assert(strncmp(text, "The peak is 92.4 ms. ", 21) == 0, "%s", text);
    cr_assert_null(strchr(text, '\033'));
    free(text);
    text = run_summary("echo 'It took 250 ms, not 92.4.'", 0, &error);
    cr_assert_str_eq(text, "It took 250 (?) ms, not 92.4.");
    free(text);
}

/* Words as sh quotes them, and no shell. */
Test(summary, command_is_no_shell_text)
{
    struct error error;
    char *text = run_summary("echo '$(reboot)' `id` \"$HOME\" a\\ b ; echo no", 0, &error);

    cr_assert_str_eq(text, "$(reboot) `id` $HOME a b ; echo no");
    free(text);
}

Test(summary, failures_are_told, .timeout = 20)
{
    struct error error;

    cr_assert_null(run_summary("false", 0, &error));
    cr_assert(strstr(error.text, "false ended with status 1"), "%s", error.text);
    cr_assert_null(run_summary("true", 0, &error));
    cr_assert(strstr(error.text, "true wrote nothing"), "%s", error.text);
    cr_assert_null(run_summary("no-such-program-here", 0, &error));
    cr_assert(strstr(error.text, "could not be started"), "%s", error.text);
    cr_assert_null(run_summary("sleep 100", 1, &error));
    cr_assert(strstr(error.text, "sleep was not done after 1.0 s"), "%s", error.text);
    cr_assert_null(run_summary("yes", 0, &error));
    cr_assert(strstr(error.text, "more than 4000 bytes"), "%s", error.text);
    cr_assert_null(run_summary("echo 'open", 0, &error));
    cr_assert(strstr(error.text, "quote"), "%s", error.text);
    cr_assert_null(run_summary("  ", 0, &error));
}

/* ---- post ---- */

Test(post, finds_references)
{
    static const char *const pairs[][2] = {
        {"https://github.com/a/b/issues/12\n", "https://github.com/a/b/issues/12"},
        {"Creating issue in a/b\n\nhttps://github.com/a/b/issues/12 (done).",
         "https://github.com/a/b/issues/12"},
        {"see http://x.example/old. new: <https://jira.example/browse/MG-1211>",
         "https://jira.example/browse/MG-1211"},
        {"Issue MG-1211 created", "MG-1211"},
        {"created #42.", "#42"},
        {"UTF-8 is no issue; GAME_2-7 is", "GAME_2-7"},
        {"AB-1x C#7 x#8 issue-3", NULL},
        {"", NULL},
        {"https://", NULL},
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *found = ticket_find_reference(pairs[i][0]);

        if (pairs[i][1])
            cr_expect(found && strcmp(found, pairs[i][1]) == 0, "%s: %s", pairs[i][0],
                      found ? found : "none");
        else
            cr_expect_null(found, "%s: %s", pairs[i][0], found);
        free(found);
    }
}

static struct ticket some_ticket(const char *device)
{
    char *payload = payload_text("Battle_03", 1), *changed = memory_print("\"device_name\":\"%s\"", device);
    struct ticket ticket = write_ticket(payload, "\"device_name\":\"Galaxy S23 Ultra\"", changed,
                                        &(struct ticket_options){.template = "github"});

    free(changed);
    free(payload);
    return ticket;
}

Test(post, text_goes_to_the_input_and_the_title_is_one_argument)
{
    struct ticket ticket = some_ticket("$(reboot) `id` {title} ' \\\" ; rm");
    struct ticket_post post;
    struct error error = {0};
    char *expected = memory_print("%s|-F|x=%s\nhttps://t.example/7\n", ticket.title, ticket.title);

    cr_assert(strstr(ticket.title, "$(reboot) `id` {title} ' \" ; rm"), "%s", ticket.title);
    cr_assert(ticket_post("sh -c 'cat >/dev/null; printf \"%s|%s|%s\\n\" \"$@\"; echo https://t.example/7' "
                          "sh {title} -F x={title}",
                          &ticket, NULL, &post, &error),
              "%s", error.text);
    cr_assert_str_eq(post.output, expected);
    cr_assert_str_eq(post.reference, "https://t.example/7");
    ticket_post_free(&post);
    free(expected);
    cr_assert(ticket_post("cat", &ticket, NULL, &post, &error), "%s", error.text);
    cr_assert_str_eq(post.output, ticket.text);
    ticket_post_free(&post);
    cr_assert(ticket_post("sh -c cat {title}", &ticket, NULL, &post, &error), "%s", error.text);
    cr_assert_str_eq(post.output, ticket.body);
    ticket_post_free(&post);
    ticket_free(&ticket);
}

Test(post, failures_keep_what_was_printed)
{
    struct ticket ticket = some_ticket("Galaxy");
    struct ticket_post post;
    struct error error = {0};

    cr_assert_not(
        ticket_post("sh -c 'echo trying; echo not logged in >&2; exit 4'", &ticket, NULL, &post, &error));
    cr_assert_str_eq(post.output, "trying\nnot logged in\n");
    cr_assert_null(post.reference);
    cr_assert(strstr(error.text, "status 4: not logged in"), "%s", error.text);
    ticket_post_free(&post);
    cr_assert_not(ticket_post("", &ticket, NULL, &post, &error));
    cr_assert_eq(error.code, ERROR_USAGE);
    ticket_post_free(&post);
    ticket_free(&ticket);
}

Test(post, settings)
{
    struct settings *settings = settings_create();
    struct ticket_config config;
    struct error error = {0};

    cr_assert(ticket_config_read(settings, &config, &error));
    cr_assert_null(config.summary_command, "off unless somebody sets it");
    cr_assert_null(config.post);
    cr_assert_eq(config.summary_seconds, 20);
    settings_set(settings, "ticket.template", "jira-ko");
    settings_set(settings, "ticket.post", "gh issue create -F -");
    settings_set(settings, "ticket.summary_seconds", "5");
    settings_set(settings, "ticket.payload", "off");
    cr_assert(ticket_config_read(settings, &config, &error));
    cr_assert_str_eq(ticket_config_options(&config).template, "jira-ko");
    cr_assert(ticket_config_options(&config).without_payload);
    cr_assert_str_eq(config.post, "gh issue create -F -");
    cr_assert_eq(config.summary_seconds, 5);
    settings_set(settings, "ticket.summary_seconds", "soon");
    cr_assert_not(ticket_config_read(settings, &config, &error));
    cr_assert(strstr(error.text, "summary_seconds") && strstr(error.text, "soon"), "%s", error.text);
    settings_destroy(settings);
}
