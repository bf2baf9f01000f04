/*
 * The table of options and how a command line is taken apart.
 */
#include "company.h"
#include "verbs.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option_info option_table[OPTION_COUNT] = {
    [OPTION_STORE] = {"store", "FILE", "the store; else $STUTTERSCOPE_STORE, else the user's own", false},
    [OPTION_JSON] = {"json", NULL, "print one JSON object", false},
    [OPTION_CSV] = {"csv", NULL, "print CSV with a header line", false},
    [OPTION_COLOR] = {"color", "WHEN", "when to colour: auto, always or never", false},
    [OPTION_QUIET] = {"quiet", NULL, "no progress and no remarks on standard error", false},
    [OPTION_HELP] = {"help", NULL, "say how this is used", false},
    [OPTION_VERSION] = {"version", NULL, "print the version", false},
    [OPTION_SERIES] = {"series", "NAME", "the series of runs: nightly unless said", false},
    [OPTION_BUILD] = {"build", "BUILD", "a build (or a part of its name), \"all\", or the newest", false},
    [OPTION_BASELINE] = {"baseline", "BUILD", "compare with this build; for builds: pin it as the baseline of the store (\"none\" takes the pin away)", false},
    [OPTION_LIMIT] = {"limit", "N", "at most N rows; 0: all", false},
    [OPTION_SORT] = {"sort", "COLUMN", "sort by this column, greatest first; +COLUMN: smallest first", false},
    [OPTION_RULE] = {"rule", "RULE", "which frames are candidates: both, budget, mad or either", false},
    [OPTION_FACTOR] = {"factor", "N", "alert threshold as a multiple of the frame budget (2)", false},
    [OPTION_Z] = {"z", "N", "limit of the robust z (3.5)", false},
    [OPTION_GAP] = {"gap", "MS", "candidates with at most this much time between them are one window (500)", false},
    [OPTION_MAD_FLOOR] = {"mad-floor", "MS", "least MAD that z is divided by (0.5)", false},
    [OPTION_FPS] = {"fps", "N", "target FPS, over what the telemetry and the devices file say", false},
    [OPTION_NO_LABELS] = {"no-labels", NULL, "count every frame as gameplay", false},
    [OPTION_DEVICE] = {"device", "MODEL", "a device by model or name", false},
    [OPTION_SCENE] = {"scene", "SCENE", "a scene", false},
    [OPTION_QUALITY] = {"quality", "LEVEL", "a quality level; \"?\": the unknown one", false},
    [OPTION_EVENT] = {"event", "NAME", "an event", false},
    [OPTION_VERDICT] = {"verdict", "VERDICT", "only this verdict: new, back, worse, better, same, sporadic, gone, \"not exercised\", missing or none", false},
    [OPTION_STATE] = {"state", "STATE", "a triage state", false},
    [OPTION_LABEL] = {"label", "LABEL", "only this label: gameplay, loading, start-up, scene change or interference", false},
    [OPTION_RUN] = {"run", "ID", "a run", false},
    [OPTION_NO_TRANSITIONS] = {"no-transitions", NULL, "leave out what is not gameplay", false},
    [OPTION_METRIC] = {"metric", "NAME", "what is shown: severity, peak, p95, p99, max, median, hitch_ratio, rate or lost", false},
    [OPTION_KIND] = {"kind", "KIND", "only this kind: hitch, drift, slow, silent or partial", false},
    [OPTION_FILTER] = {"filter", "FILTER", "only rows that fit, in the language of the screens' f: words, state:filed, -device:pixel, severity>50", false},
    [OPTION_NAME] = {"name", "GLOB", "only names (or categories) that look like this", false},
    [OPTION_FIGURE] = {"figure", "NAME", "the figure: p95_ms, p99_ms, max_ms or hitch_ratio_ms_per_s; of an event: peak_frame_ms or rate_per_min", false},
    [OPTION_PERCENTILES] = {"percentiles", "LIST", "more percentiles, such as 7,50,99.9", false},
    [OPTION_WITHIN] = {"within", "MS", "how long after an event a window counts as its (2000)", false},
    [OPTION_FROM] = {"from", "MS", "frames from this time stamp on", false},
    [OPTION_FETCH] = {"fetch", NULL, "ask the server for frames that stay there", false},
    [OPTION_TO] = {"to", "MS", "frames up to this time stamp", false},
    [OPTION_OS] = {"os", "TEXT", "operating system and its version", false},
    [OPTION_SCENARIO] = {"scenario", "TEXT", "the automated scenario", false},
    [OPTION_SOC] = {"soc", "TEXT", "the chip; tells devices of one name apart", false},
    [OPTION_MODEL_CODE] = {"model-code", "TEXT", "the model code", false},
    [OPTION_GPU] = {"gpu", "TEXT", "name of the GPU", false},
    [OPTION_COMMIT] = {"commit", "HASH", "commit of the build", false},
    [OPTION_CI_RUN] = {"ci-run", "ID", "CI run of the build", false},
    [OPTION_BUILT_AT] = {"built-at", "TIME", "when the build was made", false},
    [OPTION_STARTED_AT] = {"started-at", "TIME", "when the run began", false},
    [OPTION_LOG_URL] = {"log-url", "URL", "where the log of the run is", false},
    [OPTION_OUTCOME] = {"outcome", "TEXT", "how the run ended", false},
    [OPTION_STATION] = {"station", "TEXT", "the place in the device farm", false},
    [OPTION_SAMPLE_EVERY] = {"sample-every", "N", "the log keeps every N-th frame", false},
    [OPTION_KEPT_OVER] = {"kept-over", "MS", "and every frame above this", false},
    [OPTION_REFRESH] = {"refresh", "HZ", "refresh rate of the display", false},
    [OPTION_FORMAT] = {"format", "NAME", "the format instead of finding it by content; for export: csv or ndjson", false},
    [OPTION_FORMATS] = {"formats", NULL, "list the formats", false},
    [OPTION_STREAM] = {"stream", "KEY", "which stream of a file with several", false},
    [OPTION_INTERVAL] = {"interval", "KIND", "which interval is the frame time: present or display", false},
    [OPTION_ENCODING] = {"encoding", "NAME", "text encoding instead of guessing it", false},
    [OPTION_MAP] = {"map", "COLUMN=NAME", "take a column of ours from a column of theirs; may be repeated", true},
    [OPTION_PATH_PATTERN] = {"path-pattern", "PATTERN", "context from the path: '{device}/{build}/{scene}.csv'", false},
    [OPTION_DRY_RUN] = {"dry-run", NULL, "say what would be taken, store nothing", false},
    [OPTION_UNPACK_LIMIT] = {"unpack-limit", "MB", "most that one compressed file or archive may unpack to (65536); 0: any", false},
    [OPTION_UNPACK_RATIO] = {"unpack-ratio", "N", "most that it may unpack to as a multiple of its size (1000); 0: any", false},
    [OPTION_PRESET] = {"preset", "NAME", "take the options that were kept under this name", false},
    [OPTION_SAVE_PRESET] = {"save-preset", "NAME", "keep the options given here (--map, --format, context) under a name", false},
    [OPTION_WATCH] = {"watch", "FOLDER", "take what is dropped there, until Ctrl-C", false},
    [OPTION_BAD] = {"bad", "BUILD", "mark a build as bad: never a baseline; may be repeated", true},
    [OPTION_GOOD] = {"good", "BUILD", "take that mark away; may be repeated", true},
    [OPTION_LOAD] = {"load", "FILE", "read device_model, name, tier, target_fps, weight from a CSV file", false},
    [OPTION_EXPECT] = {"expect", "FILE", "read the expected device_model, scene from a CSV file", false},
    [OPTION_RETIRE] = {"retire", "DEVICE[/SCENE]", "expect it no longer; may be repeated", true},
    [OPTION_SKIP] = {"skip", "DEVICE", "excuse a device for one build (--build)", false},
    [OPTION_NOTE] = {"note", "TEXT", "why", false},
    [OPTION_LINK] = {"link", "NAME=TEMPLATE", "link template: compare=URL with {from} and {to}, ci=URL with {ci_run}; nothing behind \"=\" takes it away", true},
    [OPTION_POLICY] = {"policy", "TIER:FIGURE=LIMIT", "limit of a tier, such as low:p95_ms=50; nothing behind \"=\" takes it away", true},
    [OPTION_TODAY] = {"today", "DATE", "the date that counts as today (UTC), for nights without upload", false},
    [OPTION_STRICT] = {"strict", NULL, "cells without a baseline or not comparable, and devices with fewer runs, are incomplete too", false},
    [OPTION_OWNER] = {"owner", "NAME", "who has it; \"\": nobody", false},
    [OPTION_TICKET] = {"ticket", "REFERENCE", "number or link of its ticket; \"\": none", false},
    [OPTION_UNDO] = {"undo", NULL, "take back your last decision", false},
    [OPTION_REDO] = {"redo", NULL, "decide again what was taken back last", false},
    [OPTION_LOG] = {"log", NULL, "who decided what, when, for how many", false},
    [OPTION_SUMMARY] = {"summary", NULL, "what was decided and what is open, as text for a chat", false},
    [OPTION_RENAME] = {"rename", "OLD=NEW", "the scene (--scene) or event (--event) OLD is called NEW from now on", false},
    [OPTION_REPAIR] = {"repair", NULL, "rebuild what is derived", false},
    [OPTION_TEMPLATE] = {"template", "NAME|FILE", "the template of the ticket: a name of --list-templates, or any file", false},
    [OPTION_LANGUAGE] = {"language", "CODE", "language of the ticket", false},
    [OPTION_LIST_TEMPLATES] = {"list-templates", NULL, "list the templates", false},
    [OPTION_SHOW_TEMPLATE] = {"show-template", NULL, "print the template itself", false},
    [OPTION_CHECK_TEMPLATE] = {"check-template", "FILE", "look for names that no ticket fills", false},
    [OPTION_DATA] = {"data", "FILE", "a JSON document: for template what fills it, for ticket a payload or a text that carries one", false},
    [OPTION_ESCAPE] = {"escape", "KIND", "what values are escaped for: html, markdown, jira, json, csv or none", false},
    [OPTION_OUTPUT] = {"output", "FILE", "write to a file instead of standard output; the old content or the new one, never half", false},
    [OPTION_PAYLOAD] = {"payload", NULL, "print the ticket's JSON payload", false},
    [OPTION_REGRESSIONS] = {"regressions", NULL, "summarise what is new, worse, back, gone or missing in a build", false},
    [OPTION_LIST_NAMES] = {"list-names", NULL, "list the names that templates may use", false},
    [OPTION_SUMMARY_COMMAND] = {"summary-command", "COMMAND", "a program that gets the payload as JSON and answers with a paragraph; \"\": none", false},
    [OPTION_EDIT] = {"edit", NULL, "change the text in $VISUAL or $EDITOR before it goes anywhere", false},
    [OPTION_COPY] = {"copy", NULL, "send the text to the clipboard", false},
    [OPTION_POST] = {"post", NULL, "file the ticket with the command of the settings", false},
    [OPTION_POST_COMMAND] = {"post-command", "COMMAND", "file the ticket with this command: the text on its input, {title} the title", false},
    [OPTION_AGAIN] = {"again", NULL, "file it although there is a ticket about it", false},
    [OPTION_OPEN] = {"open", "KEY", "open exactly this view: a stutter's id, or SCREEN[:DEVICE/SCENE][@BUILD][?WORDS]", false},
    [OPTION_RESUME] = {"resume", NULL, "begin where this store was left last", false},
    [OPTION_SVG] = {"svg", "FILE", "write the screen as a picture; - for standard output", false},
    [OPTION_HTML] = {"html", "FILE", "write the screen as a web page; - for standard output", false},
    [OPTION_SIZE] = {"size", "COLUMNSxROWS", "how large the picture is (120x40)", false},
    [OPTION_THEME] = {"theme", "NAME", "the colours: dark, light, mono or projector; for browsing a theme of the configuration, too", false},
    [OPTION_GLYPHS] = {"glyphs", "SET", "the characters: full, narrow or ascii", false},
    [OPTION_ASCII] = {"ascii", NULL, "the same as --glyphs ascii", false},
    [OPTION_LINEAR] = {"linear", NULL, "browse line by line: for screen readers, dumb terminals and pipes", false},
    [OPTION_NO_MOUSE] = {"no-mouse", NULL, "leave the mouse to the terminal", false},
};

enum option option_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(option_table[i].name) == length && strncmp(option_table[i].name, name, length) == 0)
            return (enum option)i;
    return OPTION_COUNT;
}

/* "bulids", near "builds": what was meant among the options of the verb. */
static const char *nearest_option(const struct verb *verb, const char *name)
{
    enum { NEAR = 3 };
    size_t best = NEAR + 1;
    const char *near = NULL;

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        size_t distance = text_distance(name, option_table[i].name);

        if (verb_takes(verb, (enum option)i) && distance < best) {
            best = distance;
            near = option_table[i].name;
        }
    }
    return near;
}

static bool refuse_unknown(const struct verb *verb, const char *name, struct error *error)
{
    char *clean = text_clean(name, strlen(name));
    const char *near = nearest_option(verb, clean);

    error_set(error, ERROR_USAGE, "%s has no option --%s%s%s%s; \"stutterscope%s%s --help\" lists them", *verb->name ? verb->name : "stutterscope", clean,
              near ? " (did you mean --" : "", near ? near : "", near ? "?)" : "", *verb->name ? " " : "", verb->name);
    free(clean);
    return false;
}

/* An option that others take: which ones. */
static bool refuse_option(const struct verb *verb, enum option option, struct error *error)
{
    struct text_buffer verbs = {0};
    size_t count = 0;

    for (size_t i = 0; i < verb_count; i++)
        if (verb_takes(&verb_table[i], option))
            text_add_print(&verbs, "%s%s", count++ ? ", " : "", verb_table[i].name);
    if (verb_takes(&browse_verb, option))
        text_add_print(&verbs, "%sbrowsing", count++ ? ", " : "");
    error_set(error, ERROR_USAGE, "%s does nothing with --%s; %s do%s", *verb->name ? verb->name : "browsing (no verb)", option_table[option].name, verbs.items,
              count == 1 ? "es" : "");
    array_free(&verbs);
    return false;
}

/* Options may stand before the verb, so they are looked at when it is known. */
static bool check_options(const struct invocation *invocation, struct error *error)
{
    const struct verb *verb = invocation->verb ? invocation->verb : &browse_verb;

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        enum option option = (enum option)i;
        const char *argument = option_table[i].argument, *value = invocation_value(invocation, option);

        if (value && !verb_takes(verb, option))
            return refuse_option(verb, option, error);
        /* An empty variable of a script must not become another file than the one that was meant. */
        if (value && !*value && argument && (strstr(argument, "FILE") || strstr(argument, "FOLDER")))
            return error_set(error, ERROR_USAGE, "--%s: expected a file, found nothing: is the variable that should name it empty?", option_table[i].name);
    }
    return company_check(invocation, error);
}

/* --rename is told by these what it renames: there they take no value. */
static bool takes_value(const struct verb *verb, enum option option)
{
    bool renames = verb && verb_takes(verb, OPTION_RENAME) && (option == OPTION_SCENE || option == OPTION_EVENT);

    return option_table[option].argument && !renames;
}

/* "--name value", "--name=value"; *index is moved past what was used. */
static bool take_option(int argc, char **argv, int *index, struct invocation *invocation, struct error *error)
{
    const char *name = argv[*index] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    enum option option = option_by_name(name, length);
    const char *value = equals ? equals + 1 : NULL;

    if (option == OPTION_COUNT) {
        char *wrong = memory_copy_bytes(name, length);

        refuse_unknown(invocation->verb ? invocation->verb : &browse_verb, wrong, error);
        free(wrong);
        return false;
    }
    if (!takes_value(invocation->verb, option) && value)
        return error_set(error, ERROR_USAGE, "--%s takes no value", option_table[option].name);
    if (takes_value(invocation->verb, option) && !value) {
        if (*index + 1 >= argc)
            return error_set(error, ERROR_USAGE, "--%s needs a value: --%s %s", option_table[option].name, option_table[option].name,
                             option_table[option].argument);
        value = argv[++*index];
    }
    array_push(&invocation->values[option], value ? value : "");
    return true;
}

static bool refuse_verb(const char *name, struct error *error)
{
    enum { NEAR = 3 };
    size_t best = NEAR;
    const char *near = NULL;
    char *clean = text_clean(name, strlen(name));

    for (size_t i = 0; i < verb_count; i++)
        if (text_distance(clean, verb_table[i].name) < best) {
            best = text_distance(clean, verb_table[i].name);
            near = verb_table[i].name;
        }
    error_set(error, ERROR_USAGE, "\"%s\" is neither a verb nor a store%s%s%s; \"stutterscope --help\" lists the verbs", clean,
              near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    free(clean);
    return false;
}

static bool check_operands(const struct invocation *invocation, struct error *error)
{
    const struct verb *verb = invocation->verb;

    if (invocation_has(invocation, OPTION_HELP) || invocation_has(invocation, OPTION_FORMATS) || invocation_has(invocation, OPTION_LIST_TEMPLATES) ||
        invocation_has(invocation, OPTION_SHOW_TEMPLATE) || invocation_has(invocation, OPTION_CHECK_TEMPLATE) ||
        invocation_has(invocation, OPTION_LIST_NAMES) || invocation_has(invocation, OPTION_WATCH) || invocation_has(invocation, OPTION_SAVE_PRESET))
        return true;
    if (verb->run == verb_ticket && (invocation_has(invocation, OPTION_REGRESSIONS) || invocation_has(invocation, OPTION_DATA)))
        return !invocation->operand_count || error_set(error, ERROR_USAGE, "%s takes ids, --regressions or --data, one of these", verb->name);
    if (invocation->operand_count < verb->least_operands)
        return error_set(error, ERROR_USAGE, "%s needs %s: stutterscope %s %s", verb->name, verb->operands, verb->name, verb->operands);
    if (invocation->operand_count > verb->most_operands)
        return error_set(error, ERROR_USAGE, "%s takes %s\"%s\" is too much; \"stutterscope %s --help\" says how it is used", verb->name,
                         verb->most_operands ? "fewer operands: " : "options only: ", invocation->operands[verb->most_operands], verb->name);
    return true;
}

static bool looks_like_path(const char *text)
{
    FILE *file;

    if (strchr(text, '/') || strchr(text, '.'))
        return true;
    file = fopen(text, "re");
    if (file)
        fclose(file);
    return file != NULL;
}

bool invocation_parse(int argc, char **argv, struct invocation *ret, struct error *error)
{
    bool only_operands = false;

    memset(ret, 0, sizeof *ret);
    ret->operands = memory_take_zeroed((size_t)argc + 1, sizeof *ret->operands);
    for (int i = 1; i < argc; i++) {
        if (only_operands || argv[i][0] != '-' || argv[i][1] == '\0') {
            if (!ret->verb && !ret->operand_count) {
                ret->verb = verb_by_name(argv[i]);
                if (ret->verb)
                    continue;
                if (!looks_like_path(argv[i]))
                    return refuse_verb(argv[i], error);
            }
            ret->operands[ret->operand_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (strcmp(argv[i], "-h") == 0) {
            array_push(&ret->values[OPTION_HELP], "");
        } else if (argv[i][1] != '-') {
            return error_set(error, ERROR_USAGE, "options have two dashes: --%s", argv[i] + 1);
        } else if (!take_option(argc, argv, &i, ret, error)) {
            return false;
        }
    }
    if (!check_options(ret, error))
        return false;
    if (ret->verb)
        return check_operands(ret, error);
    return ret->operand_count <= 1 || error_set(error, ERROR_USAGE, "one store at a time: \"%s\" is too much", ret->operands[1]);
}

void invocation_free(struct invocation *invocation)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        array_free(&invocation->values[i]);
    free(invocation->operands);
}

bool invocation_has(const struct invocation *invocation, enum option option)
{
    return invocation->values[option].count > 0;
}

const char *invocation_value(const struct invocation *invocation, enum option option)
{
    const struct option_values *values = &invocation->values[option];

    return values->count ? values->items[values->count - 1] : NULL;
}

bool parse_count(const char *text, int64_t least, int64_t most, const char *what, int64_t *ret, struct error *error)
{
    if (number_parse_scaled(text, strlen(text), 1, false, ret) == NUMBER_OK && *ret >= least && *ret <= most && !strpbrk(text, ".eE"))
        return true;
    return error_set(error, ERROR_USAGE, "%s: expected a whole number from %lld to %lld, found \"%s\"", what, (long long)least, (long long)most, text);
}
