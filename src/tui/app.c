#include "stutterscope/tui/app.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/settings.h"
#include "stutterscope/base/text.h"
#include "stutterscope/tui/linear.h"
#include "stutterscope/tui/loop.h"
#include "stutterscope/view/config_check.h"
#include "stutterscope/view/filtering.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"
#include "stutterscope/view/theme_user.h"
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EXIT_FAILED 2

/* ---- what the user configured ---- */

struct configuration {
    struct settings *settings;
    struct keymap *keymap;
    struct terminal_options terminal;
};

static bool choose_theme(struct configuration *configuration, const char *name, struct error *error)
{
    return theme_choose(name && strcmp(name, "auto") != 0 ? name : "dark", configuration->settings,
                        &configuration->terminal.theme, error);
}

static bool choose_glyphs(struct configuration *configuration, const char *name, struct error *error)
{
    if (!name || strcmp(name, "auto") == 0)
        return true;
    configuration->terminal.choose_glyphs = true;
    return glyph_set_parse(name, &configuration->terminal.glyphs) ||
           error_set(error, ERROR_USAGE, "glyphs: expected full, narrow or ascii, found \"%s\"", name);
}

/* Options of the command line beat the file; NO_COLOR is the terminal's business. */
static bool configure(struct configuration *configuration, const struct app_options *options,
                      struct error *error)
{
    char *path = path_config_file();
    struct settings *settings = configuration->settings = settings_create();
    bool good = settings_read_file(settings, path, error);

    configuration->keymap = keymap_create();
    if (good) {
        const char *colour = settings_get(settings, "color", "auto");

        configuration->terminal.no_mouse =
            options->no_mouse || strcmp(settings_get(settings, "mouse", "on"), "off") == 0;
        configuration->terminal.no_colour = options->no_colour || strcmp(colour, "never") == 0;
        configuration->terminal.always_colour = strcmp(colour, "always") == 0;
        good =
            (config_check(settings, error) &&
             choose_theme(configuration,
                           options->theme ? options->theme : settings_get(settings, "theme", NULL), error) &&
             choose_glyphs(configuration,
                           options->glyphs ? options->glyphs : settings_get(settings, "glyphs", NULL),
                           error) &&
             keymap_configure(configuration->keymap, settings, error)) ||
            (!options->theme && !options->glyphs && strncmp(error->text, path, strlen(path)) != 0 &&
             error_prefix(error, "%s", path));
    }
    free(path);
    return good;
}

static void configuration_free(struct configuration *configuration)
{
    settings_destroy(configuration->settings);
    keymap_destroy(configuration->keymap);
}

/* ---- line 1 ---- */

static void fill_names(struct session *session)
{
    const char *user = getenv("USER");
    const struct passwd *entry = user && *user ? NULL : getpwuid(getuid());
    const char *path = path_base_name(store_path(model_store(session->model)));
    char *store = text_clean(path, strlen(path));
    char *name;

    user = user && *user ? user : entry ? entry->pw_name : "";
    name = text_clean(user, strlen(user));
    snprintf(session->header.store, sizeof session->header.store, "%.*s",
             (int)text_fit(store, sizeof session->header.store / 4, NULL), store);
    snprintf(session->header.user, sizeof session->header.user, "%.*s",
             (int)text_fit(name, sizeof session->header.user / 4, NULL), name);
    free(store);
    free(name);
}

static void print_badge(char badge[12], const char *sign, size_t count)
{
    enum { MOST = 999 };

    if (count)
        snprintf(badge, 12, "%s%u%s", sign, (unsigned)(count > MOST ? MOST : count), count > MOST ? "+" : "");
}

static void fill_chrome(struct session *session, struct chrome *chrome)
{
    time_t now = time(NULL);
    struct tm local;

    for (int i = 0; i < SCREEN_COUNT; i++)
        chrome->tabs[i].absent = all_screens[i] == NULL || (i == SCREEN_MEMORY && !session->has_snapshots);
    print_badge(chrome->tabs[SCREEN_QUEUE].badge, "", session->to_decide);
    print_badge(chrome->tabs[SCREEN_COVER].badge, "!", session->silent);
    chrome->tabs[SCREEN_COVER].missing = true;
    if (localtime_r(&now, &local))
        snprintf(session->header.clock, sizeof session->header.clock, "%02d:%02d", local.tm_hour,
                 local.tm_min);
    chrome->tuned = model_is_tuned(session->model);
    chrome->clock = session->header.clock;
    chrome->user = session->header.user;
    chrome->store = session->has_news ? "new runs · R" : session->header.store;
}

/* ---- the program ---- */

struct wanted_place {
    char *key; /* NULL: none */
    bool asked_for;
};

/* The Map shows frames; snapshots may be all there is. */
static enum screen_kind first_screen(const struct session *session)
{
    return session->has_snapshots && !model_has_frames(session->model) ? SCREEN_MEMORY : SCREEN_MAP;
}

static bool go_first(struct loop_options *loop, const struct progress *progress, struct error *error)
{
    const struct wanted_place *wanted = loop->wanted;
    struct error why = {0};
    bool good = place_go(loop->session, wanted->key, progress, &loop->first, &why);

    if (!good && (wanted->asked_for || why.code == ERROR_STOPPED)) {
        *error = why;
        return false;
    }
    if (!good || all_screens[loop->first] == NULL) /* what is no longer there is no error: nobody named it */
        loop->first = first_screen(loop->session);
    return true;
}

/*
 * Where to begin: at the place that was asked for, else where this store was left last, else on the first screen. What has to be
 * analysed before it is known is left to the loop, which shows how far it is.
 */
static bool choose_first(struct loop_options *loop, struct wanted_place *wanted, const struct app_options *options,
                         struct error *error)
{
    loop->first = first_screen(loop->session);
    loop->wanted = wanted;
    wanted->asked_for = options->open_key && *options->open_key;
    wanted->key = wanted->asked_for ? memory_copy_text(options->open_key) : options->resume ? place_recall(loop->session) : NULL;
    if (!wanted->key)
        return true;
    if (options->linear || place_is_near(loop->session, wanted->key))
        return go_first(loop, NULL, error);
    loop->find_first = go_first;
    place_screen(wanted->key, &loop->first);
    return true;
}

static void remember(struct loop_options *loop)
{
    if (loop->left)
        place_remember(loop->session, loop->left);
    free(loop->left);
}

int app_run(struct model *model, const struct app_options *options, struct error *error)
{
    struct session *session = session_create(model);
    struct configuration configuration = {0};
    struct wanted_place wanted = {0};
    struct loop_options loop = {.session = session,
                                .types = all_screens,
                                .fill_chrome = fill_chrome,
                                .look_for_news = session_look_for_news,
                                .follow = session_follow,
                                .verbs = options->verbs,
                                .run_verb = options->run_verb,
                                .complete_line = options->complete_line,
                                .user = options->user};
    int status = EXIT_FAILED;
    bool ready = configure(&configuration, options, error) && filtering_configure(session, configuration.settings, error) &&
                 choose_first(&loop, &wanted, options, error);

    if (ready && options->linear) {
        fill_names(session);
        loop.keymap = configuration.keymap;
        status = linear_run(&loop, stdin, stdout);
        remember(&loop);
    } else if (ready && (loop.terminal = terminal_open(&configuration.terminal, error))) {
        session->analyses_in_steps = true;
        session->display = terminal_display(loop.terminal);
        fill_names(session);
        loop.keymap = configuration.keymap;
        loop.scheme = configuration.terminal.theme.base;
        status = loop_run(&loop, error);
        terminal_close(loop.terminal);
        remember(&loop);
    }
    free(wanted.key);
    configuration_free(&configuration);
    session_destroy(session);
    return status;
}
