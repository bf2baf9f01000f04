/*
 * Locale and arguments; what is to be browsed goes to the terminal, everything else to the command line.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/cli/cli.h"
#include "stutterscope/tui/app.h"
#include "stutterscope/tui/terminal.h"
#include <stdlib.h>
#include <unistd.h>

struct prompt_verbs {
    const char *store;
};

/* What is typed at the : prompt of the screens is a line of the command line. */
static char *run_verb(void *user, const char *line, const struct progress *progress, struct error *error)
{
    const struct prompt_verbs *verbs = user;

    return cli_run_line(verbs->store, line, progress, error);
}

static bool complete_line(void *user, const char *line, size_t index, char *buffer, size_t size)
{
    (void)user;
    return cli_complete_line(line, index, buffer, size);
}

static bool store_is_there(const char *path, struct error *error)
{
    return access(path, F_OK) == 0 || error_set(error, ERROR_IO,
                                                "%s: there is no store yet; \"stutterscope import FILE\" makes one, \"stutterscope demo\" "
                                                "shows the sample telemetry",
                                                path);
}

static int browse(const struct browse_request *request, struct error *error)
{
    struct model_options options = {
        .mode = access(request->store, W_OK) == 0 ? STORE_WRITE : STORE_READ,
        .series = request->series,
        .settings = request->settings,
    };
    struct prompt_verbs verbs = {request->store};
    struct {
        const char **items;
        size_t count, capacity;
    } names = {0};
    struct model *model;
    int status;

    if (!store_is_there(request->store, error) || !model_open(request->store, &options, &model, error))
        return EXIT_TROUBLE;
    if (!model_check_series(model, error)) {
        model_close(model);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; cli_verb_name(i); i++)
        array_push(&names, cli_verb_name(i));
    array_push(&names, NULL);
    status = app_run(model,
                     &(struct app_options){
                         .open_key = request->open_key,
                         .resume = request->resume,
                         .theme = request->theme,
                         .glyphs = request->glyphs,
                         .no_mouse = request->no_mouse,
                         .linear = request->linear,
                         .no_colour = request->no_colour,
                         .verbs = names.items,
                         .run_verb = run_verb,
                         .complete_line = complete_line,
                         .user = &verbs,
                     },
                     error);
    array_free(&names);
    return status;
}

int main(int argc, char **argv)
{
    memory_prepare();
    terminal_adopt_locale();
    return cli_main(argc, argv, browse);
}
