/* The tables of database servers, as the verb import takes them. */
#include "import_work.h"

#include "preset.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include "stutterscope/remote/address.h"
#include "stutterscope/remote/import.h"
#include <stdlib.h>
#include <string.h>

static struct json *build_report(const struct import_work *work, const struct remote_build_report *build)
{
    struct json *report = json_object();

    json_add(report, "file", json_from_text(build->address));
    json_add(report, "format", json_from_text("clickhouse"));
    json_add(report, "build", json_from_text(build->build));
    json_add(report, "result", json_from_text(!build->build                ? "left out"
                                              : build->unchanged           ? "unchanged"
                                              : work->options.dry_run      ? "would be taken"
                                                                           : "summarised"));
    json_add(report, "frames", json_from_integer(build->frames));
    if (!build->unchanged) {
        json_add(report, "runs", json_from_integer(build->runs));
        json_add(report, "rejected", json_from_integer(build->rejected));
        json_add(report, "frames_kept", work->options.dry_run ? json_null() : json_from_integer(build->frames_kept));
    }
    return report;
}

static char *build_text(const struct import_work *work, const struct remote_build_report *build)
{
    struct text_buffer text = {0};

    if (!build->build) {
        text_add_print(&text, "%s: left out: %lld row%s without a build\n", build->address, (long long)build->rejected, text_plural(build->rejected));
        return text_take(&text);
    }
    text_add_print(&text, "%s: build %s: ", build->address, build->build);
    if (build->unchanged)
        text_add(&text, "unchanged\n");
    else if (work->options.dry_run)
        text_add_print(&text, "%lld run%s, %lld frames would be summarised\n", (long long)build->runs, text_plural(build->runs),
                       (long long)build->frames);
    else
        text_add_print(&text, "%lld run%s, %lld frames summarised, %lld of them kept here\n", (long long)build->runs, text_plural(build->runs),
                       (long long)build->frames, (long long)build->frames_kept);
    if (!build->unchanged && build->rejected)
        text_add_print(&text, "  left out: %lld " REMOTE_REJECTED "\n", (long long)build->rejected);
    return text_take(&text);
}

static void tell_build(void *user, const struct remote_build_report *build)
{
    struct import_work *work = user;

    clear_progress(work->invocation);
    work->changed += build->build && !build->unchanged;
    if (!invocation_has(work->invocation, OPTION_JSON) && !invocation_has(work->invocation, OPTION_QUIET)) {
        char *text = build_text(work, build);

        import_work_write(work, text);
        free(text);
    }
    import_work_keep(work, build_report(work, build));
}

/* What a table says of itself cannot be said over by hand, but for the build that is wanted and the FPS. */
static bool check_server_options(const struct invocation *invocation, struct error *error)
{
    static const enum option others[] = {OPTION_FORMAT, OPTION_STREAM, OPTION_INTERVAL, OPTION_ENCODING, OPTION_PATH_PATTERN,
                                         OPTION_UNPACK_LIMIT, OPTION_UNPACK_RATIO};

    for (size_t i = 0; i < CONTEXT_COUNT; i++) {
        const char *name = context_fields[i].option;
        enum option option = name ? option_by_name(name + 2, strlen(name + 2)) : OPTION_COUNT;

        if (option != OPTION_COUNT && option != OPTION_BUILD && option != OPTION_FPS && invocation_has(invocation, option))
            return error_set(error, ERROR_USAGE, "--%s says nothing about the table of a server, whose rows say it themselves; leave it out, or "
                                                 "import files and servers one after the other", option_table[option].name);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (invocation_has(invocation, others[i]))
            return error_set(error, ERROR_USAGE, "--%s is about files; a table of a server needs none", option_table[others[i]].name);
    return true;
}

/* --fps is the target of the runs, as for files, so that whoever looks at them needs no option. */
static bool server_settings(const struct import_work *work, struct analysis_settings *settings, int64_t *ret_fps_milli, struct error *error)
{
    int64_t usual_fps_milli;
    bool changed;

    analysis_settings_default(settings);
    if (work->model)
        *settings = *model_settings(work->model);
    usual_fps_milli = settings->fps_milli;
    if (!invocation_settings(work->invocation, settings, &changed, error))
        return false;
    *ret_fps_milli = invocation_has(work->invocation, OPTION_FPS) ? settings->fps_milli : 0;
    settings->fps_milli = usual_fps_milli;
    return true;
}

bool import_server(struct import_work *work, const char *address)
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
    char *warning = remote_plain_warning(address);

    if (warning)
        say_failure(work->invocation, warning);
    free(warning);
    if (check_server_options(work->invocation, &failure) && server_settings(work, &settings, &import.target_fps_milli, &failure) &&
        remote_import(work->model ? model_store(work->model) : NULL, &import, &failure))
        return true;

    char *shown = text_without_user_info(address);

    import_work_fail(work, shown, &failure);
    free(shown);
    return failure.code != ERROR_STOPPED;
}
