#include "stutterscope/remote/frames.h"

#include "statements.h"
#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

static int64_t known(const struct answer_value *value)
{
    return value->integer < 0 ? VALUE_UNKNOWN : value->integer;
}

static bool note_frame(void *user, const struct answer_value *values, struct error *error)
{
    struct remote_frames *frames = user;
    int64_t stamp = values[INSIDE_STAMP].integer, frame = values[INSIDE_FRAME].integer;

    if (frames->count == REMOTE_FRAMES_MOST)
        return error_set(error, ERROR_INPUT, "there are more than %d frames in that time",
                         REMOTE_FRAMES_MOST);
    if (frame < 1000 || frame > 100000000000000LL || llabs((long long)stamp) > 4000000000000000000LL ||
        (frames->count > 0 && frames->items[frames->count - 1].stamp_ns > stamp))
        return error_set(error, ERROR_INPUT, "the server's frames are in no order");
    array_push(frames,
               (struct remote_frame){stamp, frame, known(&values[INSIDE_CPU]), known(&values[INSIDE_GPU]),
                                     known(&values[INSIDE_GC]), known(&values[INSIDE_DRAW_CALLS])});
    return true;
}

/* The columns that were named by hand when the run was imported: strings of the document. */
static const char **maps_of(const struct json *list, size_t *ret_count)
{
    const char **maps = memory_take_zeroed(json_count(list) + 1, sizeof *maps);

    *ret_count = 0;
    for (const struct json *item = json_first(list); item; item = json_next(item))
        if (json_text(item))
            maps[(*ret_count)++] = json_text(item);
    return maps;
}

static bool ask(struct remote_server *server, const struct remote_columns *columns,
                const struct run_source *source, int64_t from_ns, int64_t to_ns, struct remote_frames *ret,
                struct error *error)
{
    const char *runs[] = {source->name};
    struct remote_scope scope = {remote_server_address(server),
                                 columns,
                                 source->build,
                                 source->device,
                                 source->soc,
                                 source->model_code,
                                 runs,
                                 1};
    struct text_buffer sql = {0};
    struct remote_question question = {
        .columns = inside_columns, .column_count = INSIDE_COLUMNS, .row = note_frame, .user = ret};
    bool good;

    statement_stretch(&sql, &scope, from_ns, to_ns);
    question.sql = sql.items;
    good = remote_server_ask(server, &question, error);
    array_free(&sql);
    return good;
}

bool remote_fetch_frames(const struct run_source *source, int64_t from_ns, int64_t to_ns,
                         const struct progress *progress, struct remote_frames *ret, struct error *error)
{
    struct remote_address address;
    struct remote_server *server = NULL;
    struct remote_columns columns = {0};
    size_t map_count;

    if (!remote_address_parse(source->address, &address, error))
        return false;

    struct json *list = json_parse(source->maps, strlen(source->maps), NULL);
    const char **maps = maps_of(list, &map_count);
    bool good = remote_server_create(&address, &server, error);

    if (good)
        remote_server_set_progress(server, progress, "fetching frames", 0, 0);
    good = good && remote_columns_find(server, maps, map_count, &columns, error) &&
           ask(server, &columns, source, from_ns, to_ns, ret, error);
    if (!good)
        array_free(ret);
    remote_columns_free(&columns);
    remote_server_destroy(server);
    remote_address_free(&address);
    free(maps);
    json_destroy(list);
    return good;
}
