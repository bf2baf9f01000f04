/*
 * One call of the program, taken apart: verb, options, operands. Files of cli/ only.
 */
#ifndef STUTTERSCOPE_CLI_INVOCATION_H
#define STUTTERSCOPE_CLI_INVOCATION_H

#include "stutterscope/cli/cli.h"
#include "stutterscope/model/tables.h"
#include "stutterscope/base/text.h"
#include <stdint.h>

enum option {
    /* every verb */
    OPTION_STORE,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_COLOR,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_SERIES,
    /* figures */
    OPTION_BUILD,
    OPTION_BASELINE,
    OPTION_LIMIT,
    OPTION_SORT,
    OPTION_RULE,
    OPTION_FACTOR,
    OPTION_Z,
    OPTION_GAP,
    OPTION_MAD_FLOOR,
    OPTION_FPS,
    OPTION_NO_LABELS,
    /* filters */
    OPTION_DEVICE,
    OPTION_SCENE,
    OPTION_QUALITY,
    OPTION_EVENT,
    OPTION_VERDICT,
    OPTION_STATE,
    OPTION_LABEL,
    OPTION_RUN,
    OPTION_NO_TRANSITIONS,
    OPTION_METRIC,
    OPTION_KIND,
    OPTION_FILTER,
    OPTION_FIGURE,
    OPTION_NAME,
    OPTION_PERCENTILES,
    OPTION_FETCH,
    OPTION_WITHIN,
    OPTION_FROM,
    OPTION_TO,
    /* import */
    OPTION_OS,
    OPTION_SCENARIO,
    OPTION_SOC,
    OPTION_MODEL_CODE,
    OPTION_GPU,
    OPTION_COMMIT,
    OPTION_CI_RUN,
    OPTION_BUILT_AT,
    OPTION_STARTED_AT,
    OPTION_LOG_URL,
    OPTION_OUTCOME,
    OPTION_STATION,
    OPTION_SAMPLE_EVERY,
    OPTION_KEPT_OVER,
    OPTION_REFRESH,
    OPTION_FORMAT,
    OPTION_FORMATS,
    OPTION_STREAM,
    OPTION_INTERVAL,
    OPTION_ENCODING,
    OPTION_MAP,
    OPTION_PATH_PATTERN,
    OPTION_DRY_RUN,
    OPTION_UNPACK_LIMIT,
    OPTION_UNPACK_RATIO,
    OPTION_PRESET,
    OPTION_SAVE_PRESET,
    OPTION_WATCH,
    /* changes */
    OPTION_BAD,
    OPTION_GOOD,
    OPTION_LOAD,
    OPTION_EXPECT,
    OPTION_RETIRE,
    OPTION_SKIP,
    OPTION_NOTE,
    OPTION_REPAIR,
    OPTION_LINK,
    OPTION_POLICY,
    OPTION_TODAY,
    OPTION_STRICT,
    /* triage */
    OPTION_OWNER,
    OPTION_TICKET,
    OPTION_UNDO,
    OPTION_REDO,
    OPTION_LOG,
    OPTION_SUMMARY,
    OPTION_RENAME,
    /* ticket, export */
    OPTION_TEMPLATE,
    OPTION_LANGUAGE,
    OPTION_LIST_TEMPLATES,
    OPTION_SHOW_TEMPLATE,
    OPTION_CHECK_TEMPLATE,
    OPTION_DATA,
    OPTION_ESCAPE,
    OPTION_OUTPUT,
    OPTION_PAYLOAD,
    OPTION_REGRESSIONS,
    OPTION_LIST_NAMES,
    OPTION_SUMMARY_COMMAND,
    OPTION_EDIT,
    OPTION_COPY,
    OPTION_POST,
    OPTION_POST_COMMAND,
    OPTION_AGAIN,
    /* browse */
    OPTION_OPEN,
    OPTION_RESUME,
    OPTION_SVG,
    OPTION_HTML,
    OPTION_SIZE,
    OPTION_THEME,
    OPTION_GLYPHS,
    OPTION_ASCII,
    OPTION_NO_MOUSE,
    OPTION_LINEAR,
    OPTION_COUNT
};

struct option_info {
    const char *name;     /* without "--" */
    const char *argument; /* NULL: none */
    const char *help;
    bool repeats;
};
extern const struct option_info option_table[OPTION_COUNT];
enum option option_by_name(const char *name, size_t length); /* OPTION_COUNT: none */

struct invocation;

struct verb {
    const char *name, *operands, *summary;
    const char *details; /* more sentences for --help; NULL: none */
    const enum option *options; /* beside those of every verb; ends with OPTION_COUNT */
    size_t least_operands, most_operands;
    const enum option *changing; /* with these it does more than look at the store; ends with OPTION_COUNT; NULL: it never does */
    int (*run)(struct invocation *invocation, struct error *error); /* exit status; EXIT_TROUBLE with a text: it is printed */
};
extern const struct verb verb_table[];
extern const size_t verb_count;
extern const struct verb browse_verb; /* what can be said without a verb */
extern const enum option changes_always[]; /* what `changing` of a verb is that never only looks */
extern const enum option common_options[]; /* of every verb; ends with OPTION_COUNT */
const struct verb *verb_by_name(const char *name);
bool verb_takes(const struct verb *verb, enum option option);

struct option_values {
    const char **items;
    size_t count, capacity;
};

struct invocation {
    const struct verb *verb; /* NULL: browse */
    struct option_values values[OPTION_COUNT];
    const char **operands;
    size_t operand_count;
    struct progress progress; /* to standard error when that is a terminal */
    bool shows_progress;
    struct text_buffer *capture; /* what would go to standard output and standard error; NULL: there */
};

bool invocation_parse(int argc, char **argv, struct invocation *ret, struct error *error);
void invocation_free(struct invocation *invocation);
bool invocation_has(const struct invocation *invocation, enum option option);
const char *invocation_value(const struct invocation *invocation, enum option option); /* last one; NULL */
/* Path of the store by --store, $STUTTERSCOPE_STORE, default; new string. */
char *invocation_store(const struct invocation *invocation);
/* Settings given on the command line over those of the store; *ret_changed: any was given. */
bool invocation_settings(const struct invocation *invocation, struct analysis_settings *settings, bool *ret_changed, struct error *error);
/* Opens the store for figures: results are kept where the store can be written and the settings are its own. */
bool invocation_open_model(struct invocation *invocation, struct model **ret, struct error *error);
/* The same for verbs that add: the store is made when it is not there. */
bool invocation_create_model(struct invocation *invocation, struct model **ret, struct error *error);
/* Filters, build, baseline, metric … as ids of the model. */
bool invocation_request(struct invocation *invocation, struct model *model, struct table_request *ret, struct error *error);
/* --today; VALUE_UNKNOWN when it is not given. */
bool invocation_today(const struct invocation *invocation, int64_t *ret_ms, struct error *error);
bool parse_count(const char *text, int64_t least, int64_t most, const char *what, int64_t *ret, struct error *error);

/* Leaves the rows that fit --filter; without the option all. */
bool filter_rows(const struct invocation *invocation, struct model *model, struct table *table, struct error *error);
/* Prints a table as --json, --csv or text, after --sort and --limit. Destroys it. */
int print_table(struct invocation *invocation, struct table *table, struct error *error);
/*
 * A sentence beside what is printed: to standard error, or where a capture takes everything. What failed is said always,
 * a remark not with --quiet.
 */
void say_failure(const struct invocation *invocation, const char *text);
void say_remark(const struct invocation *invocation, const char *text);
/* The line of the progress makes room. */
void clear_progress(const struct invocation *invocation);
/* Text to standard output (or what captures it), whatever --output says. */
bool write_out(const struct invocation *invocation, const char *bytes, size_t size, struct error *error);
/* Text to --output FILE or standard output. */
bool write_output(const struct invocation *invocation, const char *bytes, size_t size, struct error *error);

void print_usage(void);
char *verb_help_text(const struct verb *verb); /* NULL: of the program; a new string */
int print_program_table(const char *name, struct error *error); /* for man pages and completions */

#endif
