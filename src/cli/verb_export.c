#include "stutterscope/model/export.h"
#include "verbs.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_to_invocation(void *user, const char *bytes, size_t size, struct error *error)
{
    return write_out(user, bytes, size, error);
}

static bool write_bytes(void *user, const char *bytes, size_t size, struct error *error)
{
    FILE *out = user;

    if (fwrite(bytes, 1, size, out) == size)
        return true;
    return error_set(error, ERROR_IO, "writing the export: %s", strerror(errno));
}

static bool export_to(struct model *model, const struct table_request *request, enum export_format format, FILE *out, struct error *error)
{
    bool good = model_export(model, request, format, write_bytes, out, error);

    if (good && fflush(out) != 0)
        good = error_set(error, ERROR_IO, "writing the export: %s", strerror(errno));
    return good || (ferror(out) && errno == EPIPE);
}

int verb_export(struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_FORMAT), *path = invocation_value(invocation, OPTION_OUTPUT);
    enum export_format format = name && strcmp(name, "ndjson") == 0 ? EXPORT_NDJSON : EXPORT_CSV;
    struct table_request request;
    struct model *model;
    FILE *out = stdout;
    bool good;

    if (name && strcmp(name, "csv") != 0 && strcmp(name, "ndjson") != 0)
        return error_set(error, ERROR_USAGE, "--format: expected csv or ndjson, found \"%s\"", name) ? EXIT_DONE : EXIT_TROUBLE;
    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    good = invocation_request(invocation, model, &request, error);
    if (good && path && strcmp(path, "-") != 0) {
        out = fopen(path, "we");
        good = out || error_set(error, ERROR_IO, "%s: %s", path, strerror(errno));
    }
    if (good) {
        if (!invocation_has(invocation, OPTION_BUILD))
            request.build = -1; /* everything, unless a build is named */
        good = out == stdout ? model_export(model, &request, format, write_to_invocation, invocation, error)
                             : export_to(model, &request, format, out, error);
    }
    if (out && out != stdout)
        good = (fclose(out) == 0 || error_set(error, ERROR_IO, "%s: %s", path, strerror(errno))) && good;
    model_close(model);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
