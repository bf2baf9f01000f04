/*
 * The table of verbs, and what starts one.
 */
#include "verbs.h"
#include "invocation.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANALYSIS_OPTIONS OPTION_RULE, OPTION_FACTOR, OPTION_Z, OPTION_GAP, OPTION_MAD_FLOOR, OPTION_FPS, OPTION_NO_LABELS
#define STORE_OPTIONS    OPTION_STORE, OPTION_SERIES
#define TABLE_OPTIONS    OPTION_JSON, OPTION_CSV
#define LIST_OPTIONS     OPTION_LIMIT, OPTION_SORT, OPTION_OUTPUT, TABLE_OPTIONS, STORE_OPTIONS
#define PICTURE_OPTIONS  OPTION_SVG, OPTION_HTML, OPTION_SIZE, OPTION_THEME
#define GROUP_FILTERS    OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_QUALITY
#define FILTERED_LIST    OPTION_FILTER, LIST_OPTIONS

const enum option changes_always[] = {OPTION_COUNT};
const enum option common_options[] = {OPTION_COLOR, OPTION_QUIET, OPTION_HELP, OPTION_VERSION, OPTION_COUNT};

#define OPTIONS(...) ((const enum option[]){__VA_ARGS__, OPTION_COUNT})
enum { ANY_NUMBER = 1000000 };
#define SCREEN_OPTIONS OPTION_OPEN, OPTION_RESUME, OPTION_THEME, OPTION_GLYPHS, OPTION_ASCII, OPTION_NO_MOUSE, OPTION_LINEAR
#define CHANGES        changes_always

const struct verb browse_verb = {.name = "", .operands = "[STORE]", .options = OPTIONS(SCREEN_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)};

const struct verb verb_table[] = {
    {"import", "PATH...|-|clickhouse://...", "bring telemetry into the store",
     "Of a database server (clickhouse://HOST[:PORT]/DATABASE[/TABLE], clickhouses:// with TLS) figures are taken, and the frames over the threshold: --factor, --gap, --fps and --no-labels say how. A PATH is a file, a folder (walked) or an archive (.zip, .tar.*); .gz, .zst, .xz and .bz2 are unpacked. The format is found by content; build, device and scene must be in the file or be given. Each file is taken whole or not at all.",
     OPTIONS(OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_QUALITY, OPTION_RUN, OPTION_OS, OPTION_SCENARIO, OPTION_SOC, OPTION_MODEL_CODE,
             OPTION_GPU, OPTION_COMMIT, OPTION_CI_RUN, OPTION_BUILT_AT, OPTION_STARTED_AT, OPTION_LOG_URL, OPTION_OUTCOME, OPTION_STATION,
             OPTION_FPS, OPTION_REFRESH, OPTION_SAMPLE_EVERY, OPTION_KEPT_OVER, OPTION_FORMAT, OPTION_FORMATS, OPTION_STREAM, OPTION_INTERVAL,
             OPTION_ENCODING, OPTION_MAP, OPTION_PATH_PATTERN, OPTION_DRY_RUN, OPTION_WATCH, OPTION_PRESET, OPTION_SAVE_PRESET, OPTION_UNPACK_LIMIT, OPTION_UNPACK_RATIO,
             OPTION_FACTOR, OPTION_GAP, OPTION_NO_LABELS, TABLE_OPTIONS, STORE_OPTIONS),
     1, ANY_NUMBER, CHANGES, verb_import},
    {"builds", "", "list the builds; load their commits, pin a baseline, mark bad ones",
     "The builds file is CSV with the columns build (required), commit, ci_run, built_at. --baseline pins for the whole store, or with --device and --scene "
     "for that cell; who moved it, from where and to where, is in triage --log.",
     OPTIONS(OPTION_BUILD, OPTION_BASELINE, OPTION_DEVICE, OPTION_SCENE, OPTION_BAD, OPTION_GOOD, OPTION_LOAD, OPTION_LINK, FILTERED_LIST), 0, 0, OPTIONS(OPTION_BASELINE, OPTION_BAD, OPTION_GOOD, OPTION_LOAD, OPTION_LINK), verb_builds},
    {"devices", "", "list the devices; load their names, tiers, target FPS and weights",
     "The devices file is CSV with the columns device_model (required), soc, name, tier, target_fps, weight.",
     OPTIONS(OPTION_BUILD, OPTION_LOAD, OPTION_POLICY, FILTERED_LIST), 0, 0, OPTIONS(OPTION_LOAD, OPTION_POLICY), verb_devices},
    {"runs", "", "figures of every run, scene and quality", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_RUN, OPTION_PERCENTILES, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_runs},
    {"stats", "", "the distribution of every device, scene and quality", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_PERCENTILES, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_stats},
    {"heatmap", "", "device x scene by one metric", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_METRIC, OPTION_BASELINE, PICTURE_OPTIONS, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_heatmap},
    {"stutters", "", "what a ticket is about: windows of the same event, with severity and verdict", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_EVENT, OPTION_VERDICT, OPTION_STATE, OPTION_LABEL, OPTION_NO_TRANSITIONS, OPTION_BASELINE, ANALYSIS_OPTIONS,
             FILTERED_LIST),
     0, 0, NULL, verb_stutters},
    {"windows", "", "every stutter window", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_RUN, OPTION_EVENT, OPTION_LABEL, OPTION_NO_TRANSITIONS, OPTION_BASELINE, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_windows},
    {"frames", "", "the frames of a run", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_RUN, OPTION_FROM, OPTION_TO, OPTION_FETCH, ANALYSIS_OPTIONS, LIST_OPTIONS), 0, 0, NULL, verb_frames},
    {"compare", "", "deltas and verdicts against the baseline, with the reason for each", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_BASELINE, OPTION_EVENT, OPTION_VERDICT, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_compare},
    {"events", "", "which events are followed by stutter windows more often than the scene is anyway",
     "The share of an event's occurrences that a gameplay window follows within --within MS, against the share of the scene's time that is followed by one. "
     "Runs that cannot show windows are left out.",
     OPTIONS(GROUP_FILTERS, OPTION_EVENT, OPTION_WITHIN, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_events},
    {"trend", "", "one figure over all builds, run by run: since when it is so, and how sure that is",
     "--device and --scene choose the group, --event a stutter of it.", OPTIONS(GROUP_FILTERS, OPTION_EVENT, OPTION_FIGURE, OPTION_BASELINE, PICTURE_OPTIONS, ANALYSIS_OPTIONS, LIST_OPTIONS),
     0, 0, NULL, verb_trend},
    {"coverage", "", "what is missing, fewer, skipped or retired",
     "The file of --expect is CSV with the columns device_model and scene.",
     OPTIONS(OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_EXPECT, OPTION_RETIRE, OPTION_SKIP, OPTION_NOTE, OPTION_TODAY, FILTERED_LIST), 0, 0, OPTIONS(OPTION_EXPECT, OPTION_RETIRE, OPTION_SKIP), verb_coverage},
    {"findings", "", "what waits for a decision: hitch, drift, slow, silent, partial",
     "Lists what was decided, too: --state undecided leaves it out. What is to verify stands in the JSON as \"verify\".",
     OPTIONS(GROUP_FILTERS, OPTION_EVENT, OPTION_KIND, OPTION_VERDICT, OPTION_STATE, OPTION_BASELINE, ANALYSIS_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_findings},
    {"status", "", "a build in one object, for a chat notification",
     "With --json everything; as text a few lines.", OPTIONS(OPTION_BUILD, OPTION_BASELINE, OPTION_TODAY, ANALYSIS_OPTIONS, LIST_OPTIONS), 0, 0, NULL, verb_status},
    {"gate", "", "for CI: exit 0 clean, 1 regression, 3 incomplete",
     "Missing data is never a pass. A regression beats incomplete; both are printed. Findings that are known, noise, environment or won't fix are "
     "accepted. A build that is not in the store is incomplete, not an error.",
     OPTIONS(OPTION_BUILD, OPTION_BASELINE, OPTION_STRICT, OPTION_TODAY, ANALYSIS_OPTIONS, LIST_OPTIONS), 0, 0, CHANGES, verb_gate},
    {"triage", "ID... STATE", "decide: state, owner, note and ticket of a finding; undo, log, summary",
     "STATE is undecided, investigating, filed, known, noise, environment, wont-fix or done. IDs are those of findings or stutters. --rename OLD=NEW "
     "with --scene or --event (without a value) carries decisions to a new name.",
     OPTIONS(OPTION_BUILD, OPTION_OWNER, OPTION_NOTE, OPTION_TICKET, OPTION_UNDO, OPTION_REDO, OPTION_LOG, OPTION_SUMMARY, OPTION_RENAME,
             OPTION_SCENE, OPTION_EVENT, LIST_OPTIONS),
     0, ANY_NUMBER, CHANGES, verb_triage},
    {"verify", "TICKET", "a ticket against a later build: exit 0 gone, 1 still there, 3 not enough",
     "TICKET is a file with the payload of a ticket, or a text that holds it; or the number it was filed under with triage. Not enough: seeing nothing would be luck in more than 5 % of cases.",
     OPTIONS(OPTION_BUILD, OPTION_TEMPLATE, OPTION_LANGUAGE, OPTION_EDIT, OPTION_COPY, OPTION_POST, OPTION_POST_COMMAND, OPTION_SUMMARY_COMMAND, ANALYSIS_OPTIONS,
             LIST_OPTIONS),
     1, 1, CHANGES, verb_verify},
    {"ticket", "ID...", "the text of a ticket for one or more stutters; file it",
     "With --regressions it is the summary of a build, with --data FILE the ticket of a stored payload.",
     OPTIONS(OPTION_TEMPLATE, OPTION_LANGUAGE, OPTION_PAYLOAD, OPTION_OUTPUT, OPTION_EDIT, OPTION_COPY, OPTION_POST, OPTION_POST_COMMAND, OPTION_AGAIN, OPTION_SUMMARY_COMMAND,
             OPTION_REGRESSIONS, OPTION_BUILD, OPTION_BASELINE, OPTION_DATA, OPTION_LIMIT, OPTION_LIST_TEMPLATES, OPTION_SHOW_TEMPLATE,
             OPTION_CHECK_TEMPLATE, OPTION_LIST_NAMES, ANALYSIS_OPTIONS, TABLE_OPTIONS, STORE_OPTIONS),
     1, ANY_NUMBER, OPTIONS(OPTION_POST, OPTION_POST_COMMAND), verb_ticket},
    {"template", "FILE", "fill any Mustache template from a JSON document",
     "Partials are the files NAME.mustache beside it.", OPTIONS(OPTION_DATA, OPTION_ESCAPE, OPTION_OUTPUT), 1, 1, NULL, verb_template},
    {"view", "KEY", "a screen as somebody sees it: text, JSON, CSV or a picture of it",
     "KEY is that of --open; what is written from a screen ends with it. Without a picture and without --json or --csv it is text, as large as --size says.",
     OPTIONS(PICTURE_OPTIONS, ANALYSIS_OPTIONS, OPTION_OUTPUT, TABLE_OPTIONS, STORE_OPTIONS), 1, 1, NULL, verb_view},
    {"samples", "", "values beside frames (start-up time, memory, 1 Hz tools): each build's median against its baseline",
     NULL, OPTIONS(GROUP_FILTERS, OPTION_NAME, OPTION_BASELINE, FILTERED_LIST), 0, 0, NULL, verb_samples},
    {"snapshots", "", "memory snapshots by scene and category: each build's median against its baseline",
     "Snapshots taken while a profiler ran are compared with such only.", OPTIONS(GROUP_FILTERS, OPTION_NAME, OPTION_BASELINE, PICTURE_OPTIONS, FILTERED_LIST), 0, 0, NULL, verb_snapshots},
    {"sql", "SELECT", "ask the store with SQL",
     "The frames are rows of the table frame (run, build, device, scene, quality, number, timestamp_ms, frame_time_ms, cpu_frame_ms, event ...); "
     "\"PRAGMA table_list\" names the tables beside it. Nothing can be changed.",
     OPTIONS(LIST_OPTIONS), 1, 1, NULL, verb_sql},
    {"check", "", "look for damage in the store", NULL, OPTIONS(OPTION_REPAIR, TABLE_OPTIONS, STORE_OPTIONS), 0, 0, OPTIONS(OPTION_REPAIR), verb_check},
    {"export", "", "frames back as canonical CSV or NDJSON", NULL,
     OPTIONS(GROUP_FILTERS, OPTION_RUN, OPTION_FORMAT, OPTION_OUTPUT, STORE_OPTIONS), 0, 0, NULL, verb_export},
    {"demo", "", "browse the sample telemetry that comes with the program", NULL,
     OPTIONS(SCREEN_OPTIONS, ANALYSIS_OPTIONS, OPTION_SERIES), 0, 0, CHANGES, NULL},
};
const size_t verb_count = sizeof verb_table / sizeof *verb_table;

const char *cli_verb_name(size_t index)
{
    return index < verb_count ? verb_table[index].name : NULL;
}

const struct verb *verb_by_name(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(verb_table[i].name, name) == 0)
            return &verb_table[i];
    return NULL;
}

bool verb_takes(const struct verb *verb, enum option option)
{
    for (const enum option *taken = verb->options; *taken != OPTION_COUNT; taken++)
        if (*taken == option)
            return true;
    for (const enum option *taken = common_options; *taken != OPTION_COUNT; taken++)
        if (*taken == option)
            return true;
    return false;
}

static bool offer_option(enum option option, const char *line, size_t kept, size_t *index, char *buffer, size_t size)
{
    const char *part = line + kept, *name = option_table[option].name;

    if (strncmp(part, "--", strlen(part) < 2 ? strlen(part) : 2) != 0 || (strlen(part) > 2 && strncmp(name, part + 2, strlen(part) - 2) != 0))
        return false;
    return (*index)-- == 0 && snprintf(buffer, size, "%.*s--%s", (int)kept, line, name) < (int)size;
}

bool cli_complete_line(const char *line, size_t index, char *buffer, size_t size)
{
    const char *blank = strrchr(line, ' ');
    size_t kept = blank ? (size_t)(blank - line) + 1 : 0, first = strcspn(line, " ");

    for (size_t i = 0; i < verb_count; i++) {
        const struct verb *verb = &verb_table[i];

        if (!blank && verb->run && strncmp(verb->name, line, strlen(line)) == 0 && index-- == 0)
            return snprintf(buffer, size, "%s", verb->name) < (int)size;
        if (!blank || strlen(verb->name) != first || strncmp(verb->name, line, first) != 0 || line[kept] != '-')
            continue;
        for (const enum option *option = verb->options; *option != OPTION_COUNT; option++)
            if (offer_option(*option, line, kept, &index, buffer, size))
                return true;
        for (const enum option *option = common_options; *option != OPTION_COUNT; option++)
            if (offer_option(*option, line, kept, &index, buffer, size))
                return true;
    }
    return false;
}

static bool show_progress(void *user, const char *what, int64_t done, int64_t total)
{
    (void)user;
    if (total > 0)
        fprintf(stderr, "\r%s %lld of %lld\033[K", what, (long long)done, (long long)total);
    else
        fprintf(stderr, "\r%s %lld\033[K", what, (long long)done);
    return true;
}

static void prepare_progress(struct invocation *invocation)
{
    invocation->progress.report = show_progress;
    invocation->shows_progress = isatty(STDERR_FILENO) && !invocation_has(invocation, OPTION_QUIET);
}

static int browse_store(const struct invocation *invocation, browse_function *browse, struct error *error)
{
    struct analysis_settings settings;
    bool changed;
    struct browse_request request = {
        .series = invocation_value(invocation, OPTION_SERIES),
        .open_key = invocation_value(invocation, OPTION_OPEN),
        .theme = invocation_value(invocation, OPTION_THEME),
        .glyphs = invocation_has(invocation, OPTION_ASCII) ? "ascii" : invocation_value(invocation, OPTION_GLYPHS),
        .no_mouse = invocation_has(invocation, OPTION_NO_MOUSE),
        .linear = invocation_has(invocation, OPTION_LINEAR),
        .resume = invocation_has(invocation, OPTION_RESUME),
    };
    const char *colour = invocation_value(invocation, OPTION_COLOR);
    char *store = invocation->verb ? NULL : memory_copy_text(invocation->operands[0]);
    int status;

    if (invocation->verb && !demo_prepare(&store, error))
        return EXIT_TROUBLE;
    if (!store)
        store = invocation_store(invocation);
    request.no_colour = colour && strcmp(colour, "never") == 0;
    request.store = store;
    analysis_settings_default(&settings);
    if (!invocation_settings(invocation, &settings, &changed, error)) {
        free(store);
        return EXIT_TROUBLE;
    }
    request.settings = changed ? &settings : NULL;
    status = browse(&request, error);
    free(store);
    return status;
}

static int run_invocation(struct invocation *invocation, browse_function *browse, struct error *error)
{
    if (invocation_has(invocation, OPTION_VERSION)) {
        puts("stutterscope " STUTTERSCOPE_VERSION);
        return EXIT_DONE;
    }
    if (invocation_has(invocation, OPTION_HELP)) {
        char *text = verb_help_text(invocation->verb);

        fputs(text, stdout);
        free(text);
        return EXIT_DONE;
    }
    if (invocation->verb && invocation->verb->run) {
        prepare_progress(invocation);

        int status = invocation->verb->run(invocation, error);

        if (invocation->shows_progress)
            fputs("\r\033[K", stderr);
        return status;
    }
    if (!isatty(STDOUT_FILENO) && !invocation->verb && !invocation->operand_count && !invocation_has(invocation, OPTION_STORE) &&
        !invocation_has(invocation, OPTION_LINEAR)) {
        print_usage();
        return EXIT_TROUBLE;
    }
    return browse_store(invocation, browse, error);
}

/* Whatever part of the command line a message repeats. */
static void hide_user_info(struct error *error)
{
    char *shown = text_without_user_info(error->text);

    text_print(error->text, sizeof error->text, "%s", shown);
    free(shown);
}

/* At the prompt the terminal belongs to the screens: nothing may read it, or wait for ever. */
static bool check_for_prompt(const struct invocation *invocation, struct error *error)
{
    static const enum option readers[] = {OPTION_DATA, OPTION_LOAD, OPTION_EXPECT, OPTION_CHECK_TEMPLATE};
    bool reads = false;

    for (size_t i = 0; i < invocation->operand_count; i++)
        reads |= strcmp(invocation->operands[i], "-") == 0;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        reads |= invocation_has(invocation, readers[i]) && strcmp(invocation_value(invocation, readers[i]), "-") == 0;
    if (reads)
        return error_set(error, ERROR_USAGE, "\"-\" is the keyboard here, which the screens read: name a file");
    return !invocation_has(invocation, OPTION_WATCH) ||
           error_set(error, ERROR_USAGE, "--watch does not end by itself: it needs a terminal of its own");
}

/* What was said beside the figures is shown with them; a failure comes last, as it does on a terminal. */
static bool run_captured(struct invocation *invocation, struct text_buffer *out, struct error *error)
{
    if (invocation_has(invocation, OPTION_VERSION)) {
        text_add(out, "stutterscope " STUTTERSCOPE_VERSION "\n");
        return true;
    }
    if (invocation_has(invocation, OPTION_HELP)) {
        char *text = verb_help_text(invocation->verb);

        text_add(out, text);
        free(text);
        return true;
    }
    if (!(invocation->verb && invocation->verb->run))
        return error_set(error, ERROR_USAGE, "expected a verb, such as \"stutters --verdict new\"");
    if (!check_for_prompt(invocation, error))
        return false;
    if (invocation->verb->run(invocation, error) != EXIT_TROUBLE)
        return true;
    if (!error->text[0] && !out->count)
        return error_set(error, ERROR_IO, "%s failed", invocation->verb->name);
    if (error->text[0] && out->count)
        say_failure(invocation, error->text);
    return out->count > 0;
}

char *cli_run_line(const char *store, const char *line, const struct progress *progress, struct error *error)
{
    struct invocation invocation;
    struct text_buffer out = {0};
    struct words words, arguments = {0};
    bool good;

    *error = (struct error){0};
    if (!words_split(line, &words, error))
        return NULL;

    /* The words as arguments of the program, with the store that is looked at. */
    words_add(&arguments, "stutterscope");
    for (size_t i = 0; i < words.count; i++)
        words_add(&arguments, words.items[i]);
    good = invocation_parse((int)arguments.count, arguments.items, &invocation, error);
    if (good) {
        if (!invocation_has(&invocation, OPTION_STORE))
            array_push(&invocation.values[OPTION_STORE], store);
        invocation.capture = &out;
        invocation.progress = progress ? *progress : (struct progress){0};
        invocation.shows_progress = progress != NULL;
        good = run_captured(&invocation, &out, error);
    }
    invocation_free(&invocation);
    words_free(&arguments);
    words_free(&words);
    if (good)
        return text_take(&out);
    array_free(&out);
    hide_user_info(error);
    return NULL;
}

/* Whether all that was printed was taken. A reader that has seen enough ("| head") is fine. */
static bool stdout_arrived(struct error *error)
{
    struct pollfd reader = {.fd = STDOUT_FILENO, .events = POLLOUT};

    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (errno == EPIPE || (poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR)))
        return true;
    if (error->text[0])
        return false;
    return error_set(error, ERROR_IO, "standard output: %s", errno ? strerror(errno) : "not all of it could be written; is the disk full?");
}

int cli_main(int argc, char **argv, browse_function *browse)
{
    struct invocation invocation = {0};
    struct error error = {0};
    int status = EXIT_TROUBLE;

    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, too */
    signal(SIGCHLD, SIG_DFL); /* ignored by some callers, and then nobody learns how a program that was started ended */
    signal(SIGPIPE, SIG_IGN); /* writing to a closed pipe is an error to look at, not the end */
    if (argc == 3 && strcmp(argv[1], "--print-table") == 0) {
        status = print_program_table(argv[2], &error);
    } else {
        if (invocation_parse(argc, argv, &invocation, &error))
            status = run_invocation(&invocation, browse, &error);
        invocation_free(&invocation);
    }
    if (error.code == ERROR_STORE && strstr(error.text, " is damaged (") && invocation.verb && invocation.verb->run != verb_check)
        error_set(&error, ERROR_STORE, "%s \"stutterscope check\" tells what is affected.", error.text);
    if (!stdout_arrived(&error))
        status = EXIT_TROUBLE;
    hide_user_info(&error);
    if (error.text[0])
        fprintf(stderr, "stutterscope: %s\n", error.text);
    return status;
}
