#include "small_store.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/ticket.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The user's folder of the tests: empty unless a test fills it. */
static char config[] = "/tmp/stutterscope-config-XXXXXX";

static void use_empty_config(void)
{
    cr_assert(mkdtemp(config));
    setenv("XDG_CONFIG_HOME", config, 1);
}

static void remove_config(void)
{
    static const char *const names[] = {"stutterscope/templates/languages/de.phrases", "stutterscope/templates/languages",
                                        "stutterscope/templates/mine.mustache", "stutterscope/templates/github.mustache",
                                        "stutterscope/templates", "stutterscope/profilers.table", "stutterscope", ""};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = path_join(config, names[i]);

        if (unlink(path) != 0)
            rmdir(path);
        free(path);
    }
    rmdir(config);
}

TestSuite(ticket, .init = use_empty_config, .fini = remove_config);

static void write_config(const char *name, const char *text)
{
    char *path = memory_print("%s/stutterscope/%s", config, name);
    struct error error = {0};

    cr_assert(path_make_parents(path, &error), "%s", error.text);
    cr_assert(path_write_all(path, text, strlen(text), &error), "%s", error.text);
    free(path);
}

static char *payload_text(const char *scene, size_t count)
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

static struct json *parse(const char *text)
{
    struct error error = {0};
    struct json *payload = json_parse(text, strlen(text), &error);

    cr_assert(payload, "%s", error.text);
    return payload;
}

/* Writes the ticket of a payload in which every `from` is a `to` (NULL: as it is). */
static struct ticket write_ticket(const char *payload_as_text, const char *from, const char *to,
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
    payload = parse(changed.items);
    cr_assert(ticket_write(payload, options, &ticket, &error), "%s", error.text);
    json_destroy(payload);
    array_free(&changed);
    return ticket;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static void expect_in_order(const char *text, const char *const *parts, size_t count)
{
    const char *at = text;

    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);

        cr_assert(found, "\"%s\" is not there, or not in its place:\n%s", parts[i], text);
        at = found + strlen(parts[i]);
    }
}

#define EXPECT_IN_ORDER(text, ...)                                                                                     \
    do {                                                                                                               \
        const char *const parts_[] = {__VA_ARGS__};                                                                    \
        expect_in_order(text, parts_, sizeof parts_ / sizeof *parts_);                                                 \
    } while (0)

Test(ticket, has_four_parts_and_what_it_takes_to_reproduce)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket_options options = {.template = "github-en"};
    struct ticket ticket = write_ticket(payload, NULL, NULL, &options);

    cr_assert_str_eq(ticket.title, "[Stutter] Battle_03: 92.4 ms hitch at boss_spawn on Galaxy S23 Ultra, new in 1.8.0(421)");
    EXPECT_IN_ORDER(ticket.body, "## Observed (measured)", "92.4 ms", "CPU 76.2 ms, GPU 14.8 ms", "4 of 5", "boss_spawn seen: 5",
                    "door_open (0.5 s)", "▂▂████▂▂", "Pixel 8", "## Compared with 1.7.9\\(418\\) (measured)", "31.6 ms",
                    "+60.8 ms", "P95 16.7 ms", "new in 1.8.0", "## Probable cause (estimate)", "CPU-bound",
                    "5.2 × GPU", "Not likely", "## Please check", "Perfetto", "boss_spawn", "2497-2590ms", "## ",
                    "`a1b2c3d`", "CI 8867", "`5d20c7e..a1b2c3d`", "Battle_03", "SM-S918N", "Android 14", "High",
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
    struct ticket ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "plain"});
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
        {"ko", {"관측 (측정값)", "비교: 1.7.9", "추정 원인 (추정)", "확인 부탁"}},
        {"ja", {"観測（実測）", "比較：1.7.9", "考えられる原因（推定）", "確認のお願い"}},
    };

    for (size_t count = 1; count <= 2; count++) {
        char *payload = payload_text("Battle_03", count);

        for (size_t f = 0; f < 4; f++)
            for (size_t l = 0; l < 3; l++) {
                char *name = memory_print("%s-%s", formats[f], languages[l].language), *parts[4];
                struct ticket ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = name});

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

/* Rows of a table keep their number of cells whatever the names are. */
static void check_rows(const char *text, const char *bar, size_t cells)
{
    size_t rows = 0;

    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (*line == '|') {
            char *row = memory_copy_bytes(line, strcspn(line, "\n"));

            rows++;
            if (strncmp(row, "||", 2) != 0)
                cr_assert_eq(count_of(row, bar), cells + 1, "%s", row);
            free(row);
        }
    cr_assert_gt(rows, 2);
}

Test(ticket, hostile_names_stay_names)
{
    static const char scene[] = "Boss {code} {noformat}|#12 @all <b>`x` [~me]";
    char *payload = payload_text(scene, 2);
    struct ticket markdown = write_ticket(payload, "\"High\"", "\"a|b\"", &(struct ticket_options){.template = "github"});
    struct ticket jira = write_ticket(payload, "\"High\"", "\"a|b\"", &(struct ticket_options){.template = "jira"});
    struct ticket plain = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "plain"});

    cr_assert(strstr(plain.body, scene));
    cr_assert(strstr(markdown.title, scene), "%s", markdown.title);
    check_rows(markdown.body, "|", 8);
    check_rows(jira.body, "|", 8);
    cr_assert_null(strstr(markdown.body, "<b>"));
    cr_assert_null(strstr(markdown.body, "@all"));
    cr_assert_null(strstr(jira.body, "{code}"));
    cr_assert_null(strstr(jira.body, " [~me]"));
    cr_assert_eq(count_of(jira.body, "\n{noformat}\n"), 2);
    ticket_free(&markdown);
    ticket_free(&jira);
    ticket_free(&plain);
    free(payload);
}

/* A command with braces could end a {noformat} block: it stands escaped outside of one. */
Test(ticket, jira_blocks_cannot_be_broken)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket = write_ticket(payload, "/my store.db", "/{noformat}.db", &(struct ticket_options){.template = "jira"});

    cr_assert_eq(count_of(ticket.body, "{noformat}"), 0);
    cr_assert(strstr(ticket.body, "\\{noformat\\}"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, says_what_is_not_known)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket = write_ticket(payload, "\"os\":\"Android 14\"", "\"os\":null", &(struct ticket_options){0});

    cr_assert(strstr(ticket.body, "OS version: not recorded"));
    ticket_free(&ticket);
    ticket = write_ticket(payload, "\"gpu_at_peak_ms\":14.8", "\"gpu_at_peak_ms\":null", &(struct ticket_options){0});
    EXPECT_IN_ORDER(ticket.body, "GPU not recorded", "## Probable", "CPU-bound", "GPU not recorded");
    ticket_free(&ticket);
    ticket = write_ticket(payload, "\"screenshot\":\"shots/0042.png\"", "\"screenshot\":null", &(struct ticket_options){0});
    cr_assert(strstr(ticket.body, "Screenshot: none"));
    ticket_free(&ticket);
    ticket = write_ticket(payload, "\"verdict\":\"new\"", "\"verdict\":\"none\"", &(struct ticket_options){0});
    cr_assert(strstr(ticket.body, "Not compared: "));
    cr_assert(strstr(ticket.title, "not compared"));
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, names_the_profiler_for_system_and_cause)
{
    static const struct {
        const char *from, *to, *expected;
    } cases[] = {
        {"\"os\":\"Android 14\"", "\"os\":\"iOS 17.6\"", "with Xcode Instruments (Time Profiler) or Unity Profiler (CPU Usage)"},
        {"\"cause\":\"CPU-bound\"", "\"cause\":\"GPU-bound\"", "with Android GPU Inspector (System Profiler) or Perfetto"},
        {"\"cause\":\"CPU-bound\"", "\"cause\":\"GC pressure\"", "with Unity Profiler (Memory) or Perfetto"},
        {"\"os\":\"Android 14\"", "\"os\":null", "with Unity Profiler (CPU Usage),"},
    };
    char *payload = payload_text("Battle_03", 1);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ticket ticket = write_ticket(payload, cases[i].from, cases[i].to, &(struct ticket_options){.template = "plain"});

        cr_expect(strstr(ticket.body, cases[i].expected), "%s: %s", cases[i].to, strstr(ticket.body, "Record"));
        ticket_free(&ticket);
    }
    write_config("profilers.table", "# mine\n*|*|*|House Profiler|\n");
    {
        struct ticket ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "plain"});

        cr_assert(strstr(ticket.body, "with House Profiler,"));
        ticket_free(&ticket);
    }
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

/* A payload of many stutters: the second one again and again. */
static struct json *many_stutters(size_t count, const char *long_name)
{
    char *text = payload_text("Battle_03", 2), *member = strstr(text, "\"stutters\":[") + strlen("\"stutters\":[");
    char *second = strstr(member, ",{\"id\":"), *end = strrchr(second, ']');
    struct text_buffer many = {0};
    struct json *payload;

    text_add_bytes(&many, text, (size_t)(second - text));
    for (size_t i = 1; i < count; i++) {
        char *device = memory_copy_bytes(second, (size_t)(end - second)), *at = strstr(device, "SM-F731N");

        text_add_bytes(&many, device, (size_t)(at - device));
        text_add_print(&many, "%s%zu%s", long_name, i, at + strlen("SM-F731N"));
        free(device);
    }
    text_add(&many, "]}");
    payload = parse(many.items);
    array_free(&many);
    free(text);
    return payload;
}

Test(ticket, shows_the_worst_and_says_how_many_more)
{
    struct json *payload = many_stutters(30, "D");
    struct error error = {0};
    struct ticket ticket;

    /* The count at the top still is that of the two it was made of. */
    cr_assert(ticket_write(payload, &(struct ticket_options){.template = "github"}, &ticket, &error), "%s", error.text);
    check_rows(ticket.body, "|", 8);
    cr_assert_eq(count_of(ticket.body, "\n| "), 1 + 10);
    cr_assert(strstr(ticket.body, "And 20 more"));
    ticket_free(&ticket);
    cr_assert(ticket_write(payload, &(struct ticket_options){.template = "github", .members = 3}, &ticket, &error));
    cr_assert_eq(count_of(ticket.body, "\n| "), 1 + 3);
    ticket_free(&ticket);
    json_destroy(payload);
}

Test(ticket, stays_below_the_limit_by_leaving_out_evidence)
{
    char *name = memory_take_zeroed(1, 4001);
    struct error error = {0};
    struct ticket ticket;
    struct json *payload;

    memset(name, 'N', 4000);
    payload = many_stutters(10, name);
    cr_assert(ticket_write(payload, &(struct ticket_options){.template = "jira-ko"}, &ticket, &error), "%s", error.text);
    cr_assert(ticket.shortened);
    cr_assert_leq(ticket.length, 32767);
    cr_assert_leq(text_width(ticket.title), 255);
    cr_assert(text_is_valid_utf8(ticket.text, strlen(ticket.text)));
    EXPECT_IN_ORDER(ticket.body, "관측", "비교", "추정 원인", "확인 부탁", "--open", "{noformat}");
    ticket_free(&ticket);
    json_destroy(payload);
    free(name);
}

Test(ticket, title_is_one_line_of_at_most_255)
{
    char *scene = memory_take_zeroed(1, 3 * 400 + 1), *payload;
    struct ticket ticket;

    for (size_t i = 0; i < 400; i++)
        memcpy(scene + 3 * i, "\xea\xb4\x91", 3); /* 광: two columns, one character */
    payload = payload_text(scene, 1);
    ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){0});
    cr_assert_null(strchr(ticket.title, '\n'));
    cr_assert_leq(text_width(ticket.title), 255);
    cr_assert(strstr(ticket.body, scene));
    ticket_free(&ticket);
    free(payload);
    free(scene);
}

Test(ticket, summary_is_marked_as_an_estimate)
{
    char *payload = payload_text("Battle_03", 1);
    struct ticket ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.summary = "Boss *spawns* slowly."});

    EXPECT_IN_ORDER(ticket.body, "## Probable cause (estimate)", "Written by a program (estimate): Boss \\*spawns\\* slowly",
                    "\n\n## Please check");
    ticket_free(&ticket);
    free(payload);
}

Test(ticket, own_templates_and_languages_go_first)
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
    ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){.template = "mine", .format = "jira", .language = "ko"});
    cr_assert_str_eq(ticket.body, "관측 (측정값): SM\\-S918N 92.4\n");
    ticket_free(&ticket);
    cr_assert(ticket_list_templates(&templates, &error), "%s", error.text);
    cr_assert_eq(templates.count, 5 * 4);
    for (size_t i = 0; i < templates.count; i++)
        own += templates.items[i].own;
    cr_assert_eq(own, 4 + 4); /* mine in four languages, four others in German */
    ticket_templates_free(&templates);
    free(payload);
}

Test(ticket, names_what_is_there_when_something_is_not)
{
    char *payload = payload_text("Battle_03", 1);
    struct json *document = parse(payload), *other = parse("{\"schema\": \"stutterscope.stats/1\"}");
    struct error error = {0};
    struct ticket ticket;

    cr_assert_not(ticket_write(document, &(struct ticket_options){.template = "gitbub"}, &ticket, &error));
    cr_assert(strstr(error.text, "gitbub") && strstr(error.text, "github, gitlab, jira, plain"), "%s", error.text);
    cr_assert_not(ticket_write(document, &(struct ticket_options){.language = "xx"}, &ticket, &error));
    cr_assert(strstr(error.text, "en, ja, ko"), "%s", error.text);
    cr_assert_not(ticket_write(document, &(struct ticket_options){.format = "html"}, &ticket, &error));
    cr_assert_not(ticket_write(document, &(struct ticket_options){.template = "/nowhere/x.mustache"}, &ticket, &error));
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

Test(ticket, checks_templates)
{
    struct text_buffer lines = {0};
    struct error error = {0};
    size_t faults;
    char *text;

    for (size_t i = 0; i < 4; i++) {
        cr_assert(ticket_check_template((const char *const[]){"github", "gitlab-ko", "jira-ja", "plain"}[i], note, &lines, &faults,
                                        &error),
                  "%s", error.text);
        cr_assert_eq(faults, 0, "%s", lines.items);
    }
    write_config("templates/mine.mustache",
                 "{{devise}}\n{{#causes}}{{is.cpu_bond}}{{cpu}}{{/causes}}\n{{cpu}} {{worst.peak_frame_ms}}\n{{>observd}}"
                 "{{#stutters}}{{event}}{{commit_range.from}}{{commit_range.form}}{{/stutters}}");
    cr_assert(ticket_check_template("mine", note, &lines, &faults, &error), "%s", error.text);
    cr_assert_eq(faults, 5, "%s", lines.items);
    EXPECT_IN_ORDER(lines.items, "mine.mustache:1:", "\"devise\"", "\"device\" meant", ":2:", "is.cpu_bond", "\"cpu_bound\" meant",
                    ":3:", "\"cpu\"", ":4:", "\"observd\"", "\"observed\" meant", "commit_range.form", "\"from\" meant");
    text = ticket_show_template("mine", &error);
    cr_assert(text && strncmp(text, "{{devise}}", 10) == 0);
    free(text);
    array_free(&lines);
}
