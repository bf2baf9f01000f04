#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/model/export.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

static bool write_to_invocation(void *user, const char *bytes, size_t size, struct error *error)
{
    return write_out(user, bytes, size, error);
}

static bool write_to_file(void *user, const char *bytes, size_t size, struct error *error)
{
    return file_writer_add(user, bytes, size, error);
}

static bool export_to(struct model *model, const struct table_request *request, enum export_format format, const char *path, struct error *error)
{
    struct file_writer *file = file_writer_open(path, error);
    bool good = file && model_export(model, request, format, write_to_file, file, error);

    return (file && file_writer_close(file, good, error) && good) || error_prefix(error, "--output");
}

static void remark_left_out(const struct invocation *invocation, struct model *model, const struct table_request *request)
{
    struct run_list runs = {0};
    struct error ignored;
    size_t count = 0;

    if (model_list_runs(model, request->build == -1 ? 0 : request->build, request->device, &runs, &ignored))
        for (size_t i = 0; i < runs.count; i++)
            count += runs.items[i].summarised && (!request->run_name || strcmp(request->run_name, runs.items[i].name) == 0);
    if (count) {
        char *text = memory_print("%zu run%s left out: %s frames stay in a server", count, count == 1 ? " is" : "s are", count == 1 ? "its" : "their");

        say_remark(invocation, text);
        free(text);
    }
    run_list_free(&runs);
}

int verb_export(struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_FORMAT), *path = invocation_value(invocation, OPTION_OUTPUT);
    enum export_format format = name && strcmp(name, "ndjson") == 0 ? EXPORT_NDJSON : EXPORT_CSV;
    struct table_request request;
    struct model *model;
    bool good;

    if (name && strcmp(name, "csv") != 0 && strcmp(name, "ndjson") != 0)
        return error_set(error, ERROR_USAGE, "--format: expected csv or ndjson, found \"%s\"", name) ? EXIT_DONE : EXIT_TROUBLE;
    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    good = invocation_request(invocation, model, &request, error);
    if (good && !invocation_has(invocation, OPTION_BUILD))
        request.build = -1; /* everything, unless a build is named */
    if (good && path && strcmp(path, "-") != 0)
        good = export_to(model, &request, format, path, error);
    else if (good)
        good = model_export(model, &request, format, write_to_invocation, invocation, error);
    if (good)
        remark_left_out(invocation, model, &request);
    model_close(model);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
