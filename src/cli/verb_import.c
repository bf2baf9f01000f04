#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include "import_work.h"
#include "preset.h"
#include "stutterscope/import/watch.h"
#include "stutterscope/remote/address.h"
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

void import_work_write(struct import_work *work, const char *text)
{
    struct error *error = work->unwritten.text[0] ? NULL : &work->unwritten;

    write_out(work->invocation, text, strlen(text), error);
}

void import_work_keep(struct import_work *work, struct json *report)
{
    if (work->watches && invocation_has(work->invocation, OPTION_JSON)) {
        char *text = json_print(report);

        import_work_write(work, text);
        import_work_write(work, "\n");
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

        import_work_write(work, text);
        free(text);
    }
}

static void tell_passed_over(const struct import_work *work, const char *why)
{
    char *text = memory_print("%s (passed over)", why);

    say_remark(work->invocation, text);
    free(text);
}

/* A night's folder holds screenshots and notes too: what nobody named and is no telemetry is no failure. */
static bool take_item(void *user, const struct import_item *item)
{
    struct import_work *work = user;
    struct import_summary summary = {0};
    struct error failure = {0};
    const struct progress *progress = work->progress.report ? &work->progress : NULL;
    struct model *model = work->model ? work->model : work->rehearsal;
    bool good = import_item(model ? model_store(model) : NULL, item, &work->options, progress, &summary, &failure);
    bool passed_over = !good && item->found && failure.code == ERROR_FOREIGN;
    struct json *report = file_report(&summary, item->path, good ? NULL : &failure);

    clear_progress(work->invocation);
    work->failed += !good && !passed_over;
    work->passed_over += passed_over;
    work->taken += good;
    work->there += good && summary.outcome.result == IMPORT_ALREADY_THERE;
    work->changed += good && summary.outcome.result != IMPORT_ALREADY_THERE;
    if (good)
        tell(work, report);
    else if (!passed_over)
        say_failure(work->invocation, failure.text);
    else
        tell_passed_over(work, failure.text);
    import_work_keep(work, report);
    return failure.code != ERROR_STOPPED;
}

void import_work_fail(void *user, const char *path, const struct error *error)
{
    struct import_work *work = user;
    struct json *report = json_object();

    work->failed++;
    say_failure(work->invocation, error->text);
    json_add(report, "file", json_from_text(path));
    json_add(report, "error", json_from_text(error->text));
    import_work_keep(work, report);
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
    work->intake = (struct intake){work, take_item, import_work_fail, {UNPACK_MOST_BYTES, UNPACK_MOST_RATIO}};
    return read_limit(work->invocation, OPTION_UNPACK_LIMIT, 1 << 20, &work->intake.limits.bytes, error) &&
           read_limit(work->invocation, OPTION_UNPACK_RATIO, 1, &work->intake.limits.ratio, error);
}

/* A folder without telemetry is a mistake as a file without any is: nobody must go on as if the night were in the store. */
static bool import_path(struct import_work *work, const char *path)
{
    size_t before = work->taken + work->failed;
    bool goes_on = intake_path(&work->intake, path);

    if (work->taken + work->failed == before) {
        struct json *report = json_object();
        char *text = memory_print("no telemetry in %s: nothing was imported", path);

        work->found_nothing = true;
        say_failure(work->invocation, text);
        json_add(report, "file", json_from_text(path));
        json_add(report, "error", json_from_text(text));
        import_work_keep(work, report);
        free(text);
    }
    return goes_on;
}

/* After more than one file; zeros are left out, but for what was imported. */
static void tell_totals(const struct import_work *work)
{
    struct text_buffer text = {0};

    if (work->taken + work->failed + work->passed_over < 2 || work->taken + work->failed == 0)
        return;
    text_add_print(&text, "%zu %simported", work->taken - work->there, work->options.dry_run ? "would be " : "");
    if (work->there)
        text_add_print(&text, ", %zu already there", work->there);
    if (work->failed)
        text_add_print(&text, ", %zu failed", work->failed);
    if (work->passed_over)
        text_add_print(&text, ", %zu passed over", work->passed_over);
    say_remark(work->invocation, text.items);
    array_free(&text);
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
        if (!import_path(work, invocation->operands[i]))
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
    memory_give_back();
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
        say_failure(work->invocation, error.text);
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
    char *said;
    bool good;

    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &before);
    watch.stop_descriptor = signalfd(-1, &stops, SFD_CLOEXEC);
    work->watches = true;
    work->progress = (struct progress){may_go_on, work};
    said = memory_print("watching %s; Ctrl-C ends it", folder);
    say_remark(work->invocation, said);
    free(said);
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
    tell_totals(work);
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
    return good && !work->failed && !work->found_nothing ? EXIT_DONE : EXIT_TROUBLE;
}

/* How figures are made matters where they are made now; of files it is said when they are looked at. */
static bool check_analysis_options(const struct invocation *invocation, struct error *error)
{
    static const enum option options[] = {OPTION_FACTOR, OPTION_GAP, OPTION_NO_LABELS};
    bool server = false;

    for (size_t i = 0; i < invocation->operand_count; i++)
        server |= remote_is_address(invocation->operands[i]);
    for (size_t i = 0; i < sizeof options / sizeof *options && !server; i++)
        if (invocation_has(invocation, options[i]))
            return error_set(error, ERROR_USAGE, "import does nothing with --%s of files; it goes with the address of a server (clickhouse://...)",
                             option_table[options[i]].name);
    return true;
}

static bool store_is_there(const struct invocation *invocation)
{
    char *path = invocation_store(invocation);
    bool is_there = access(path, F_OK) == 0;

    free(path);
    return is_there;
}

/* So that a dry run knows what is in the store already; one that only can be read is left alone. */
static bool open_rehearsal(struct import_work *work, struct error *error)
{
    char *path = invocation_store(work->invocation);
    struct model_options options = {.mode = STORE_WRITE, .lists_later = true};
    bool good = access(path, F_OK | W_OK) != 0 || model_open(path, &options, &work->rehearsal, error);

    free(path);
    return good;
}

/* A store that was made for folders without telemetry goes again, unless somebody else has put something into it by now. */
static void close_store(struct import_work *work)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    bool goes = work->is_new && work->found_nothing && work->taken + work->failed == 0 && model_reload(work->model, NULL) &&
                model_newest_build(work->model) == 0;
    char *path = memory_copy_text(model_path(work->model));

    model_close(work->model);
    for (size_t i = 0; i < sizeof endings / sizeof *endings && goes; i++) {
        char *file = memory_print("%s%s", path, endings[i]);

        unlink(file);
        free(file);
    }
    free(path);
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
    if (check_analysis_options(invocation, error) && preset_apply(invocation, &preset, error) && preset_save(invocation, error) && prepare_intake(&work, error)) {
        collect_options(invocation, &work.options);
        work.files = json_array();
        work.is_new = !store_is_there(invocation);
        if (work.options.dry_run ? open_rehearsal(&work, error) : invocation_create_model(invocation, true, &work.model, error))
            status = do_import(&work, error);
        else
            json_destroy(work.files);
        if (work.model)
            close_store(&work);
        if (work.rehearsal)
            model_close(work.rehearsal);
    }
    settings_destroy(preset);
    return status;
}
