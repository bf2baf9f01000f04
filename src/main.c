/*
 * Locale and arguments; what is to be browsed goes to the terminal, everything else to the command line.
 */
#include "stutterscope/base/paths.h"
#include "stutterscope/cli/cli.h"
#include "stutterscope/tui/app.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Files of the sample telemetry, in the order of its nights. */
static const char *const sample_files[] = {"sample/nightly-418.csv", "sample/nightly-420.csv",
                                           "sample/nightly-421.csv"};

static bool run_verb(const char *const *words, int count)
{
    char *arguments[16] = {NULL};

    for (int i = 0; i < count; i++)
        arguments[i] = (char *)(size_t)words[i];
    return cli_main(count, arguments, NULL) == EXIT_DONE;
}

/* The store of the sample, filled on first use by the same verbs that a user has. A new path, NULL with an
 * error. */
static char *demo_store(struct error *error)
{
    char *folder = path_state_folder(), *store = path_join(folder, "demo.db");
    char *devices = path_data("sample/devices.csv", error);
    bool good = devices && path_make_parents(store, error);

    for (size_t i = 0; good && access(store, F_OK) != 0 && i < 1; i++) {
        for (size_t f = 0; good && f < sizeof sample_files / sizeof *sample_files; f++) {
            char *file = path_data(sample_files[f], error);

            good =
                file &&
                (run_verb((const char *[]){"stutterscope", "import", "--store", store, "--quiet", file}, 6) ||
                 error_set(error, ERROR_INPUT, "the sample telemetry could not be read: %s", file));
            free(file);
        }
        good = good &&
               (run_verb((const char *[]){"stutterscope", "devices", "--store", store, "--quiet", "--load",
                                          devices},
                         7) ||
                error_set(error, ERROR_INPUT, "the devices of the sample could not be read: %s", devices));
    }
    free(devices);
    free(folder);
    if (good)
        return store;
    free(store);
    return NULL;
}

/* The user's own store may be new; one that was named must be there. */
static enum store_mode mode_for(const char *path, bool demo)
{
    char *own = path_default_store();
    bool may_be_new = demo || strcmp(own, path) == 0;

    free(own);
    if (access(path, F_OK) != 0 && may_be_new)
        return STORE_CREATE;
    return access(path, W_OK) == 0 ? STORE_WRITE : STORE_READ;
}

static int browse(const struct browse_request *request, struct error *error)
{
    char *path = request->demo ? demo_store(error) : NULL;
    const char *store = request->demo ? path : request->store;
    struct model_options options = {.series = request->series, .settings = request->settings};
    struct app_options app = {.open_key = request->open_key,
                              .theme = request->theme,
                              .glyphs = request->glyphs,
                              .no_mouse = request->no_mouse,
                              .no_colour = request->no_colour};
    struct model *model;
    int status = EXIT_TROUBLE;

    if (store) {
        options.mode = mode_for(store, request->demo);
        if (path_make_parents(store, error) && model_open(store, &options, &model, error))
            status = app_run(model, &app, error);
    }
    free(path);
    return status;
}

int main(int argc, char **argv)
{
    /* LC_CTYPE only: a comma locale must never reach SQL, JSON or CSV. */
    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C.UTF-8");
    return cli_main(argc, argv, browse);
}
