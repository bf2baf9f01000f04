#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "preset.h"
#include "stutterscope/import/intake.h"
#include "stutterscope/import/watch.h"
#include "stutterscope/remote/address.h"
#include "stutterscope/remote/import.h"
#include "verbs.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { SETTLE_MS = 1000 };

static void collect_options(const struct invocation *invocation, struct import_options *options)
{
    memset(options, 0, sizeof *options);
    for (size_t i = 0; i < CONTEXT_COUNT; i++) {
        const char *name = context_fields[i].option;
        enum option option = name ? option_by_name(name + 2, strlen(name + 2)) : OPTION_COUNT;

        if (option != OPTION_COUNT)
            options->context[i] = invocation_value(invocation, option);
    }
    options->format = invocation_value(invocation, OPTION_FORMAT);
    options->stream = invocation_value(invocation, OPTION_STREAM);
    options->interval = invocation_value(invocation, OPTION_INTERVAL);
    options->encoding = invocation_value(invocation, OPTION_ENCODING);
    options->path_pattern = invocation_value(invocation, OPTION_PATH_PATTERN);
    options->maps = invocation->values[OPTION_MAP].items;
    options->map_count = invocation->values[OPTION_MAP].count;
    options->dry_run = invocation_has(invocation, OPTION_DRY_RUN);
}

/* What is known about a file that failed: its name and why; the report has the rest. */
static struct json *file_report(struct import_summary *summary, const char *path, const struct error *failure)
{
    struct json *report = summary->report;

    summary->report = NULL;
    if (!report) {
        report = json_object();
        json_add(report, "file", json_from_text(path));
    }
    if (failure && !json_member(report, "error"))
        json_add(report, "error", json_from_text(failure->text));
    return report;
}

struct import_work {
    struct invocation *invocation;
    struct import_options options;
    struct model *model; /* NULL: a dry run */
    struct intake intake;
    struct progress progress; /* of one file; report NULL: nobody looks */
    bool watches;
    struct json *files;
    size_t failed, changed, passed_over;
    struct error unwritten; /* the first time that a report could not be written */
};

/* A report that nobody can read must not look like success. */
static void write_report(struct import_work *work, const char *text)
{
    struct error *error = work->unwritten.text[0] ? NULL : &work->unwritten;

    write_out(work->invocation, text, strlen(text), error);
}

/* All in one object at the end; of a folder that is watched, one line each. */
static void keep_report(struct import_work *work, struct json *report)
{
    if (work->watches && invocation_has(work->invocation, OPTION_JSON)) {
        char *text = json_print(report);

        write_report(work, text);
        write_report(work, "\n");
        free(text);
    }
    if (work->watches)
        json_destroy(report);
    else
        json_append(work->files, report);
}

static void tell(struct import_work *work, struct json *report)
{
    if (!invocation_has(work->invocation, OPTION_JSON) && !invocation_has(work->invocation, OPTION_QUIET)) {
        char *text = import_report_text(report);

        write_report(work, text);
        free(text);
    }
}

/* A night's folder holds screenshots and notes too: what nobody named and is no telemetry is no failure. */
static bool take_item(void *user, const struct import_item *item)
{
    struct import_work *work = user;
    struct import_summary summary = {0};
    struct error failure = {0};
    const struct progress *progress = work->progress.report ? &work->progress : NULL;
    bool good = import_item(work->model ? model_store(work->model) : NULL, item, &work->options, progress, &summary, &failure);
    bool passed_over = !good && item->found && failure.code == ERROR_FOREIGN;
    struct json *report = file_report(&summary, item->path, good ? NULL : &failure);

    if (work->invocation->shows_progress)
        fputs("\r\033[K", stderr);
    work->failed += !good && !passed_over;
    work->passed_over += passed_over;
    work->changed += good && summary.outcome.result != IMPORT_ALREADY_THERE;
    if (good)
        tell(work, report);
    else if (!passed_over || !invocation_has(work->invocation, OPTION_QUIET))
        fprintf(stderr, "stutterscope: %s%s\n", failure.text, passed_over ? " (passed over)" : "");
    keep_report(work, report);
    return failure.code != ERROR_STOPPED;
}

static void fail_item(void *user, const char *path, const struct error *error)
{
    struct import_work *work = user;
    struct json *report = json_object();

    work->failed++;
    fprintf(stderr, "stutterscope: %s\n", error->text);
    json_add(report, "file", json_from_text(path));
    json_add(report, "error", json_from_text(error->text));
    keep_report(work, report);
}

static bool read_limit(const struct invocation *invocation, enum option option, int64_t scale, int64_t *limit, struct error *error)
{
    const char *value = invocation_value(invocation, option);
    int64_t number;

    if (!value)
        return true;
    if (!parse_count(value, 0, 1000000000, option_table[option].name, &number, error))
        return false;
    *limit = number * scale;
    return true;
}

static bool prepare_intake(struct import_work *work, struct error *error)
{
    work->intake = (struct intake){work, take_item, fail_item, {UNPACK_MOST_BYTES, UNPACK_MOST_RATIO}};
    return read_limit(work->invocation, OPTION_UNPACK_LIMIT, 1 << 20, &work->intake.limits.bytes, error) &&
           read_limit(work->invocation, OPTION_UNPACK_RATIO, 1, &work->intake.limits.ratio, error);
}

/* ---- frames that stay in a server ---- */

static void tell_build(void *user, const struct remote_build_report *build)
{
    struct import_work *work = user;
    struct json *report = json_object();

    if (work->invocation->shows_progress)
        fputs("\r\033[K", stderr);
    json_add(report, "file", json_from_text(build->address));
    json_add(report, "format", json_from_text("clickhouse"));
    json_add(report, "build", json_from_text(build->build));
    json_add(report, "result", json_from_text(build->unchanged ? "unchanged" : work->options.dry_run ? "would be taken" : "summarised"));
    json_add(report, "frames", json_from_integer(build->frames));
    if (!build->unchanged) {
        json_add(report, "runs", json_from_integer(build->runs));
        json_add(report, "rejected", json_from_integer(build->rejected));
        json_add(report, "frames_kept", work->options.dry_run ? json_null() : json_from_integer(build->frames_kept));
    }
    work->changed += !build->unchanged;
    if (!invocation_has(work->invocation, OPTION_JSON) && !invocation_has(work->invocation, OPTION_QUIET)) {
        char line[512];
        int length;

        if (build->unchanged)
            length = snprintf(line, sizeof line, "%.300s: build %.100s: unchanged\n", build->address, build->build);
        else if (work->options.dry_run)
            length = snprintf(line, sizeof line, "%.300s: build %.100s: %lld runs, %lld frames would be summarised\n", build->address,
                              build->build, (long long)build->runs, (long long)build->frames);
        else
            length = snprintf(line, sizeof line, "%.300s: build %.100s: %lld runs, %lld frames summarised, %lld of them kept here\n",
                              build->address, build->build, (long long)build->runs, (long long)build->frames, (long long)build->frames_kept);
        write_out(work->invocation, line, (size_t)length, NULL);
    }
    keep_report(work, report);
}

static bool import_server(struct import_work *work, const char *address)
{
    struct analysis_settings settings;
    struct remote_import import = {
        .address = address,
        .settings = &settings,
        .maps = work->options.maps,
        .map_count = work->options.map_count,
        .build = work->options.context[CONTEXT_BUILD],
        .dry_run = work->options.dry_run,
        .progress = work->progress.report ? &work->progress : NULL,
        .user = work,
        .tell = tell_build,
    };
    struct error failure = {0};

    bool changed;

    analysis_settings_default(&settings);
    if (work->model)
        settings = *model_settings(work->model);
    if (invocation_settings(work->invocation, &settings, &changed, &failure) &&
        remote_import(work->model ? model_store(work->model) : NULL, &import, &failure))
        return true;
    if (work->invocation->shows_progress)
        fputs("\r\033[K", stderr);

    /* an address that cannot be read may hold a password */
    fail_item(work, strchr(address, '@') ? "clickhouse://" : address, &failure);
    return failure.code != ERROR_STOPPED;
}

static void import_operands(struct import_work *work)
{
    const struct invocation *invocation = work->invocation;

    for (size_t i = 0; i < invocation->operand_count; i++) {
        if (remote_is_address(invocation->operands[i])) {
            if (!import_server(work, invocation->operands[i]))
                return;
            continue;
        }
        if (!intake_path(&work->intake, invocation->operands[i]))
            return;
    }
}

static bool print_reports(struct import_work *work, struct error *error)
{
    struct json *document = json_object();
    char *text;
    bool good;

    json_add(document, "schema", json_from_text("stutterscope.import/1"));
    json_add(document, "store", json_from_text(work->model ? model_path(work->model) : NULL));
    json_add(document, "rows", work->files);
    text = json_print_pretty(document);
    good = write_out(work->invocation, text, strlen(text), error) && write_out(work->invocation, "\n", 1, error);
    free(text);
    json_destroy(document);
    return good;
}

/* So that the next thing anybody opens is ready. */
static bool analyse_now(struct import_work *work, struct error *error)
{
    return model_reload(work->model, error) &&
           model_analyze(work->model, 0, work->invocation->shows_progress ? &work->invocation->progress : NULL, error);
}

/* ---- --watch ---- */

static bool take_dropped(void *user, const char *path)
{
    struct import_work *work = user;

    return intake_path(&work->intake, path);
}

static bool analyse_dropped(void *user)
{
    struct import_work *work = user;
    struct error error = {0};
    bool good = !work->changed || !work->model || analyse_now(work, &error);

    if (!good)
        fprintf(stderr, "stutterscope: %s\n", error.text);
    work->changed = 0;
    return true;
}

/* Ctrl-C ends a long file too; what was read of it is not stored then. */
static bool may_go_on(void *user, const char *what, int64_t done, int64_t total)
{
    const struct import_work *work = user;
    sigset_t waiting;

    if (work->invocation->shows_progress)
        work->invocation->progress.report(work->invocation->progress.user, what, done, total);
    return sigpending(&waiting) != 0 || !(sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM));
}

static bool watch_for_captures(struct import_work *work, const char *folder, struct error *error)
{
    struct watch watch = {work, take_dropped, analyse_dropped, SETTLE_MS, -1};
    sigset_t stops, before;
    bool good;

    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before);
    watch.stop_descriptor = signalfd(-1, &stops, SFD_CLOEXEC);
    work->watches = true;
    work->progress = (struct progress){may_go_on, work};
    if (!invocation_has(work->invocation, OPTION_QUIET))
        fprintf(stderr, "stutterscope: watching %s; Ctrl-C ends it\n", folder);
    good = watch_folder(folder, &watch, error);
    close(watch.stop_descriptor);
    return good; /* the signals stay blocked: the one that ended this was taken */
}

static int list_formats(struct invocation *invocation, struct error *error)
{
    static const struct table_column columns[] = {
        {"format", "format", COLUMN_SHOWN}, {"title", "what it is", COLUMN_SHOWN}, {"recognised_by", "recognised by", COLUMN_SHOWN}};
    struct table *table = table_create("formats", columns, sizeof columns / sizeof *columns);

    for (const struct import_format *const *format = import_formats; *format; format++) {
        struct cell *row = table_add_row(table);

        cell_set_text(&row[0], (*format)->name);
        cell_set_text(&row[1], (*format)->title);
        cell_set_text(&row[2], (*format)->recognised_by);
    }
    return print_table(invocation, table, error);
}

static int do_import(struct import_work *work, struct error *error)
{
    const char *watched = invocation_value(work->invocation, OPTION_WATCH);
    bool good = true;

    import_operands(work);
    if (work->changed && work->model)
        good = analyse_now(work, error);
    work->changed = 0;
    if (invocation_has(work->invocation, OPTION_JSON) && !watched)
        good = print_reports(work, error) && good;
    else
        json_destroy(work->files);
    if (good && watched)
        good = watch_for_captures(work, watched, error);
    if (good && work->unwritten.text[0]) {
        *error = work->unwritten;
        good = false;
    }
    return good && !work->failed ? EXIT_DONE : EXIT_TROUBLE;
}

int verb_import(struct invocation *invocation, struct error *error)
{
    struct import_work work = {.invocation = invocation};
    struct settings *preset = NULL;
    int status = EXIT_TROUBLE;

    if (invocation_has(invocation, OPTION_FORMATS))
        return list_formats(invocation, error);
    if (invocation->shows_progress)
        work.progress = invocation->progress;
    if (preset_apply(invocation, &preset, error) && preset_save(invocation, error) && prepare_intake(&work, error)) {
        collect_options(invocation, &work.options);
        work.files = json_array();
        if (work.options.dry_run || invocation_create_model(invocation, true, &work.model, error))
            status = do_import(&work, error);
        else
            json_destroy(work.files);
        if (work.model)
            model_close(work.model);
    }
    settings_destroy(preset);
    return status;
}
