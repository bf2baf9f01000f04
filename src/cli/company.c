/*
 * Which options go together: one that would do nothing beside what else was said is refused, naming both.
 */
#include "company.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...)     ((const enum option[]){__VA_ARGS__, OPTION_COUNT})
#define STORE_OPTIONS    OPTION_STORE, OPTION_SERIES
#define TABLE_OPTIONS    OPTION_LIMIT, OPTION_SORT, OPTION_OUTPUT, OPTION_JSON, OPTION_CSV
#define ANALYSIS_OPTIONS OPTION_RULE, OPTION_FACTOR, OPTION_Z, OPTION_GAP, OPTION_MAD_FLOOR, OPTION_FPS, OPTION_NO_LABELS
#define PICTURE_OPTIONS  OPTION_SVG, OPTION_HTML, OPTION_SIZE, OPTION_THEME
#define CHOSEN           OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_QUALITY, OPTION_BASELINE
#define TEXT_OPTIONS     OPTION_TEMPLATE, OPTION_LANGUAGE, OPTION_EDIT, OPTION_COPY, OPTION_POST, OPTION_POST_COMMAND
#define PAYLOAD_OPTIONS  OPTION_PAYLOAD, OPTION_JSON, OPTION_OUTPUT, OPTION_REGRESSIONS, OPTION_DATA, OPTION_BUILD, OPTION_BASELINE

/* An option that does something beside one of these only. */
static const struct {
    const char *verb;
    enum option option;
    const enum option *with;
} needs[] = {
    {"import", OPTION_CSV, OPTIONS(OPTION_FORMATS)},
    {"builds", OPTION_DEVICE, OPTIONS(OPTION_BASELINE)},
    {"builds", OPTION_SCENE, OPTIONS(OPTION_BASELINE)},
    {"heatmap", OPTION_SIZE, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"heatmap", OPTION_THEME, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"trend", OPTION_SIZE, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"trend", OPTION_THEME, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"snapshots", OPTION_SIZE, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"snapshots", OPTION_THEME, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"view", OPTION_THEME, OPTIONS(OPTION_SVG, OPTION_HTML)},
    {"coverage", OPTION_NOTE, OPTIONS(OPTION_SKIP, OPTION_RETIRE)},
    {"triage", OPTION_BUILD, OPTIONS(OPTION_SUMMARY)},
    {"triage", OPTION_SCENE, OPTIONS(OPTION_RENAME)},
    {"triage", OPTION_EVENT, OPTIONS(OPTION_RENAME)},
    {"triage", OPTION_JSON, OPTIONS(OPTION_LOG)},
    {"triage", OPTION_CSV, OPTIONS(OPTION_LOG)},
    {"triage", OPTION_SORT, OPTIONS(OPTION_LOG)},
    {"triage", OPTION_LIMIT, OPTIONS(OPTION_LOG)},
    {"triage", OPTION_OUTPUT, OPTIONS(OPTION_LOG, OPTION_SUMMARY)},
    {"verify", OPTION_SUMMARY_COMMAND, OPTIONS(TEXT_OPTIONS)},
    {"ticket", OPTION_CSV, OPTIONS(OPTION_LIST_TEMPLATES, OPTION_LIST_NAMES)},
    {"ticket", OPTION_BUILD, OPTIONS(OPTION_REGRESSIONS)},
    {"ticket", OPTION_BASELINE, OPTIONS(OPTION_REGRESSIONS)},
    {"ticket", OPTION_AGAIN, OPTIONS(OPTION_POST, OPTION_POST_COMMAND)},
};

/* Beside this option only these do something. */
static const struct {
    const char *verb;
    enum option option;
    const enum option *with;
} modes[] = {
    {"import", OPTION_FORMATS, OPTIONS(OPTION_JSON, OPTION_CSV)},
    {"heatmap", OPTION_SVG, OPTIONS(CHOSEN, OPTION_METRIC, OPTION_FILTER, PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"heatmap", OPTION_HTML, OPTIONS(CHOSEN, OPTION_METRIC, OPTION_FILTER, PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"trend", OPTION_SVG, OPTIONS(CHOSEN, OPTION_EVENT, OPTION_FIGURE, PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"trend", OPTION_HTML, OPTIONS(CHOSEN, OPTION_EVENT, OPTION_FIGURE, PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"snapshots", OPTION_SVG, OPTIONS(OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_BASELINE, PICTURE_OPTIONS, STORE_OPTIONS)},
    {"snapshots", OPTION_HTML, OPTIONS(OPTION_BUILD, OPTION_DEVICE, OPTION_SCENE, OPTION_BASELINE, PICTURE_OPTIONS, STORE_OPTIONS)},
    {"view", OPTION_SVG, OPTIONS(PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"view", OPTION_HTML, OPTIONS(PICTURE_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"triage", OPTION_LOG, OPTIONS(TABLE_OPTIONS, STORE_OPTIONS)},
    {"triage", OPTION_SUMMARY, OPTIONS(OPTION_BUILD, OPTION_OUTPUT, STORE_OPTIONS)},
    {"triage", OPTION_UNDO, OPTIONS(STORE_OPTIONS)},
    {"triage", OPTION_REDO, OPTIONS(STORE_OPTIONS)},
    {"triage", OPTION_RENAME, OPTIONS(OPTION_SCENE, OPTION_EVENT, STORE_OPTIONS)},
    {"verify", OPTION_JSON, OPTIONS(OPTION_BUILD, OPTION_OUTPUT, OPTION_LIMIT, OPTION_SORT, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"verify", OPTION_CSV, OPTIONS(OPTION_BUILD, OPTION_OUTPUT, OPTION_LIMIT, OPTION_SORT, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"verify", OPTION_SORT, OPTIONS(OPTION_BUILD, OPTION_OUTPUT, OPTION_LIMIT, OPTION_JSON, OPTION_CSV, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"ticket", OPTION_LIST_TEMPLATES, OPTIONS(OPTION_JSON, OPTION_CSV, OPTION_LIMIT, OPTION_OUTPUT)},
    {"ticket", OPTION_LIST_NAMES, OPTIONS(OPTION_JSON, OPTION_CSV, OPTION_LIMIT, OPTION_OUTPUT)},
    {"ticket", OPTION_SHOW_TEMPLATE, OPTIONS(OPTION_TEMPLATE, OPTION_OUTPUT)},
    {"ticket", OPTION_CHECK_TEMPLATE, OPTIONS(OPTION_CHECK_TEMPLATE)},
    {"ticket", OPTION_DATA, OPTIONS(TEXT_OPTIONS, OPTION_SUMMARY_COMMAND, OPTION_PAYLOAD, OPTION_JSON, OPTION_OUTPUT, OPTION_LIMIT)},
    {"ticket", OPTION_PAYLOAD, OPTIONS(PAYLOAD_OPTIONS, ANALYSIS_OPTIONS, STORE_OPTIONS)},
    {"ticket", OPTION_JSON,
     OPTIONS(PAYLOAD_OPTIONS, OPTION_LIST_TEMPLATES, OPTION_LIST_NAMES, OPTION_LIMIT, ANALYSIS_OPTIONS, STORE_OPTIONS)},
};

static bool is_among(enum option option, const enum option *list)
{
    for (; *list != OPTION_COUNT; list++)
        if (*list == option)
            return true;
    return false;
}

static bool has_any(const struct invocation *invocation, const enum option *list)
{
    for (; *list != OPTION_COUNT; list++)
        if (invocation_has(invocation, *list))
            return true;
    return false;
}

static bool refuse_alone(const char *verb, enum option option, const enum option *with, struct error *error)
{
    struct text_buffer names = {0};

    for (const enum option *other = with; *other != OPTION_COUNT; other++)
        text_add_print(&names, "%s--%s", other == with ? "" : other[1] == OPTION_COUNT ? " or " : ", ", option_table[*other].name);
    error_set(error, ERROR_USAGE, "%s does nothing with --%s alone; it goes with %s", verb, option_table[option].name, names.items);
    array_free(&names);
    return false;
}

static bool refuse_both(const char *verb, enum option option, enum option beside, struct error *error)
{
    return error_set(error, ERROR_USAGE, "%s does nothing with --%s beside --%s", verb, option_table[option].name, option_table[beside].name);
}

/* The first option that was given and that the mode makes idle; OPTION_COUNT: none. */
static enum option find_idle(const struct invocation *invocation, enum option mode, const enum option *with)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        enum option option = (enum option)i;

        if (option != mode && invocation_has(invocation, option) && !is_among(option, with) && !is_among(option, common_options))
            return option;
    }
    return OPTION_COUNT;
}

bool company_check(const struct invocation *invocation, struct error *error)
{
    const char *verb = invocation->verb ? invocation->verb->name : "";

    if (invocation_has(invocation, OPTION_HELP) || invocation_has(invocation, OPTION_VERSION))
        return true;
    if (invocation_has(invocation, OPTION_JSON) && invocation_has(invocation, OPTION_CSV))
        return error_set(error, ERROR_USAGE, "--json and --csv exclude each other");
    if (invocation_has(invocation, OPTION_ASCII) && invocation_has(invocation, OPTION_GLYPHS))
        return error_set(error, ERROR_USAGE, "--ascii and --glyphs exclude each other");
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strcmp(needs[i].verb, verb) == 0 && invocation_has(invocation, needs[i].option) && !has_any(invocation, needs[i].with))
            return refuse_alone(verb, needs[i].option, needs[i].with, error);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        enum option idle = OPTION_COUNT;

        if (strcmp(modes[i].verb, verb) == 0 && invocation_has(invocation, modes[i].option))
            idle = find_idle(invocation, modes[i].option, modes[i].with);
        if (idle != OPTION_COUNT)
            return refuse_both(verb, idle, modes[i].option, error);
    }
    return true;
}
