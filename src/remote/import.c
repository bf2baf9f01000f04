#include "stutterscope/remote/import.h"

#include "import_internal.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUILDS_MOST = 100000 };

static bool note_build(void *user, const struct answer_value *values, struct error *error)
{
    struct remote_work *work = user;

    if (work->builds.count == BUILDS_MOST)
        return error_set(error, ERROR_INPUT, "there are more than %d builds", BUILDS_MOST);
    if (!*values[BUILD_NAME].text) {
        work->nameless += values[BUILD_FRAMES].integer;
        return true;
    }
    array_push(&work->builds,
               (struct remote_build){memory_copy_text(values[BUILD_NAME].text), values[BUILD_FRAMES].integer,
                                     memory_copy_text(values[BUILD_CONTENT].text)});
    return true;
}

static bool list_builds(struct remote_work *work, struct error *error)
{
    struct text_buffer sql = {0};
    struct remote_question question = {
        .columns = build_columns, .column_count = BUILD_COLUMNS, .row = note_build, .user = work};
    bool good;

    statement_builds(&sql, remote_server_address(work->server), &work->columns, work->import->build);
    question.sql = sql.items;
    good = remote_server_ask(work->server, &question, error);
    array_free(&sql);
    if (good && work->builds.count == 0)
        good = error_set(error, ERROR_INPUT, "%s: %s", remote_server_address(work->server)->shown,
                         work->import->build ? "there is no such build"
                                             : "the table has no frames of any build");
    return good;
}

/* Frames, settings and names: when this is the same, so is everything. */
static char *content_of(const struct remote_work *work, const struct remote_build *build)
{
    char *settings = analysis_labelling_text(work->import->settings, VALUE_UNKNOWN), gap[64];
    struct text_buffer text = {0};

    text_add_print(&text, "%" PRId64 " %s %s gap=%s", build->frames, build->content, settings,
                   analysis_settings_print(work->import->settings, "gap", gap, sizeof gap));
    for (size_t i = 0; i < work->devices.count; i++) {
        const struct device_row *device = &work->devices.items[i];

        if (device->target_fps_milli != VALUE_UNKNOWN)
            text_add_print(&text, " %s/%s=%" PRId64, device->model, device->chip ? device->chip : "*",
                           device->target_fps_milli);
    }
    text_add_print(&text, " %" PRId64, work->import->target_fps_milli);
    for (size_t i = 0; i < work->import->map_count; i++)
        text_add_print(&text, " %s", work->import->maps[i]);
    free(settings);

    struct hash_stream *hash = hash_stream_create();
    char hex[33];

    hash_stream_add(hash, text.items, text.count);
    hash_stream_print(hash, hex);
    hash_stream_destroy(hash);
    array_free(&text);
    return memory_copy_text(hex);
}

static bool is_there(const struct source_build_list *stored, const struct remote_build *build,
                     const char *content)
{
    for (size_t i = 0; i < stored->count; i++)
        if (strcmp(stored->items[i].build, build->name) == 0)
            return strcmp(stored->items[i].content, content) == 0;
    return false;
}

static bool import_build(struct remote_work *work, const struct remote_build *build, bool there,
                         const char *content, struct error *error)
{
    char *name = text_clean(build->name, strlen(build->name));
    struct remote_build_report report = {.address = remote_server_address(work->server)->shown,
                                         .build = name,
                                         .unchanged = there,
                                         .frames = build->frames};
    bool good = there || take_build(work, build, content, &report, error);

    if (good && work->import->tell)
        work->import->tell(work->import->user, &report);
    else if (!good && error->code != ERROR_STOPPED)
        error_prefix(error, "build %s", name);
    free(name);
    return good;
}

/* Rows that say no build can belong to none: they are told, too. */
static void tell_nameless(const struct remote_work *work)
{
    struct remote_build_report report = {.address = remote_server_address(work->server)->shown,
                                         .rejected = work->nameless};

    if (work->nameless && work->import->tell)
        work->import->tell(work->import->user, &report);
}

static bool import_builds(struct remote_work *work, struct error *error)
{
    struct source_build_list stored = {0};
    bool good = !work->store || store_list_source_builds(
                                    work->store, remote_server_address(work->server)->shown, &stored, error);

    for (size_t i = 0; i < work->builds.count && good; i++) {
        char *content = content_of(work, &work->builds.items[i]);

        work->done = (int64_t)i;
        good = progress_report(work->import->progress, "asking the server", (int64_t)i,
                               (int64_t)work->builds.count, error) &&
               import_build(work, &work->builds.items[i], is_there(&stored, &work->builds.items[i], content),
                            content, error);
        free(content);
    }
    source_build_list_free(&stored);
    if (good)
        tell_nameless(work);
    return good;
}

static char *maps_text(const struct remote_import *import)
{
    struct json *list = json_array();
    char *text;

    for (size_t i = 0; i < import->map_count; i++)
        json_append(list, json_from_text(import->maps[i]));
    text = json_print(list);
    json_destroy(list);
    return text;
}

bool remote_import(struct store *store, const struct remote_import *import, struct error *error)
{
    struct remote_work work = {.import = import, .store = import->dry_run ? NULL : store};
    struct remote_address address;

    if (!remote_address_parse(import->address, &address, error))
        return false;

    bool good = remote_server_create(&address, &work.server, error);

    if (good)
        remote_server_set_progress(work.server, import->progress, "asking the server", 0, 0);
    work.maps = maps_text(import);
    good = good && (!store || store_list_declared_devices(store, &work.devices, error)) &&
           remote_columns_find(work.server, import->maps, import->map_count, &work.columns, error) &&
           remote_columns_fix_fps(&work.columns, import->target_fps_milli) && list_builds(&work, error) && import_builds(&work, error);
    for (size_t i = 0; i < work.builds.count; i++) {
        free(work.builds.items[i].name);
        free(work.builds.items[i].content);
    }
    array_free(&work.builds);
    device_list_free(&work.devices);
    remote_columns_free(&work.columns);
    remote_server_destroy(work.server);
    remote_address_free(&address);
    free(work.maps);
    return good;
}
