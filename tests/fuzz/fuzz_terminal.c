/*
 * Any bytes as what somebody types, pastes and clicks: the loop with all screens on the sample telemetry, on a terminal of
 * any size that changes while it is looked at; and any text as the name of a key. What is drawn is clean and fits.
 *
 * Three bytes (rows, columns, how), the rest of the line: names of keys, then what is typed. How: two bits each for the
 * characters of the terminal and for speed and store, three for the screen to begin with.
 */
#include "../unit/leftovers.h"
#include "fake_terminal.h"
#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/import/import.h"
#include "stutterscope/tui/loop.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TODAY_MS 1764547200000 /* 2025-12-01, soon after the sample's last night */

enum how { HOW_GLYPHS = 3, HOW_HURRIED = 4, HOW_WRITES = 8, HOW_SCREEN_SHIFT = 4 };

static void promise(bool kept, const char *what, const char *found)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s: %s\n", what, found);
    abort();
}

/* ---- the store: made once; what is decided in goes into a copy ---- */

struct sample {
    char folder[64], path[96], copy[96];
    char *bytes;
    size_t size;
};

static bool import_night(struct store *store, const char *name, struct error *error)
{
    struct import_options options = {0};
    struct import_summary summary = {0};
    char *path = path_data(name, error);
    bool good = path && import_file(store, path, &options, NULL, &summary, error);

    json_destroy(summary.report);
    free(path);
    return good;
}

static void make_sample(struct sample *sample)
{
    struct model_options options = {.mode = STORE_CREATE};
    struct model *model = NULL;
    struct error error = {0};

    snprintf(sample->folder, sizeof sample->folder, "/tmp/stutterscope-fuzz-XXXXXX");
    promise(mkdtemp(sample->folder) != NULL, "there is room for a store", sample->folder);
    leftover_note(sample->folder);
    snprintf(sample->path, sizeof sample->path, "%s/sample.db", sample->folder);
    snprintf(sample->copy, sizeof sample->copy, "%s/copy.db", sample->folder);
    setenv("HOME", sample->folder, 1);
    setenv("XDG_STATE_HOME", sample->folder, 1);
    setenv("XDG_CONFIG_HOME", sample->folder, 1);
    setenv("TZ", "UTC", 1);
    tzset();
    promise(model_open(sample->path, &options, &model, &error) &&
                import_night(model_store(model), "sample/nightly-420.csv", &error) &&
                import_night(model_store(model), "sample/nightly-421.csv", &error) && model_reload(model, &error) &&
                model_analyze(model, 0, NULL, &error),
            "the sample can be imported", error.text);
    model_close(model);
    promise(path_read_all(sample->path, 64u << 20, &sample->bytes, &sample->size, &error), "the store is there", error.text);
}

static const struct sample *the_sample(void)
{
    static struct sample sample;

    if (!sample.bytes) {
        setlocale(LC_CTYPE, "C.UTF-8");
        make_sample(&sample);
    }
    return &sample;
}

static struct model *open_sample(const struct sample *sample, bool writes)
{
    struct model_options options = {.mode = writes ? STORE_WRITE : STORE_READ};
    struct model *model = NULL;
    struct error error = {0};

    if (writes) {
        FILE *file = fopen(sample->copy, "wb");

        promise(file && fwrite(sample->bytes, sample->size, 1, file) == 1 && fclose(file) == 0, "there is room for a copy",
                sample->copy);
    }
    promise(model_open(writes ? sample->copy : sample->path, &options, &model, &error), "the store can be opened", error.text);
    return model;
}

/* ---- names of keys ---- */

static void try_key_name(const char *name)
{
    key_code key = 0, again = 0;
    char printed[32];

    if (!key_parse(name, strlen(name), &key))
        return;
    key_print(printed, sizeof printed, key);
    promise(key_parse(printed, strlen(printed), &again) && again == key, "a key is found by its name", printed);
}

/* A keymap in which "up" has these keys, or the usual one. */
static struct keymap *make_keymap(const char *names)
{
    struct keymap *keymap = keymap_create();
    struct settings *settings = settings_create();
    struct error error = {0};
    char first[32];
    key_code key = 0;

    settings_set(settings, "keys.up", names);
    if (!keymap_configure(keymap, settings, &error)) {
        promise(error.text[0] != '\0', "who refuses says why", names);
        keymap_destroy(keymap);
        keymap = keymap_create();
    }
    keymap_print_first(keymap, ACTION_UP, first, sizeof first);
    promise(!*first || (key_parse(first, strlen(first), &key) && keymap_find(keymap, key).action == ACTION_UP),
            "a key does what it was given for", first);
    settings_destroy(settings);
    return keymap;
}

/* ---- the loop ---- */

static void fill_chrome(struct session *session, struct chrome *chrome)
{
    for (int i = 0; i < SCREEN_COUNT; i++)
        chrome->tabs[i].absent = all_screens[i] == NULL || (i == SCREEN_MEMORY && !session->has_snapshots);
    chrome->clock = "12:00";
    chrome->user = "somebody";
    chrome->store = session->has_news ? "new runs · R" : "sample.db";
}

static char *run_verb(void *user, const char *line, const struct progress *progress, struct error *error)
{
    (void)user;
    (void)progress;
    if (*line == 'x') {
        error_set(error, ERROR_USAGE, "no such verb: %s", line);
        return NULL;
    }
    return memory_print("%s\n%s\n", line, line);
}

/* Where it was left can be gone to again, as long as nothing was changed. */
static void try_place(struct session *session, const char *place, bool writes)
{
    struct error error = {0};
    enum screen_kind kind;

    if (place && !place_go(session, place, NULL, &kind, &error))
        promise(writes && error.text[0], "a place that was left is a place", place);
}

static void run_loop(const struct fake_terminal *is, unsigned how, const struct keymap *keymap)
{
    static const char *const verbs[] = {"stats", "tickets", NULL};
    struct session *session = session_create(open_sample(the_sample(), how & HOW_WRITES));
    struct loop_options loop = {.terminal = fake_terminal_open(is),
                                .session = session,
                                .types = all_screens,
                                .first = (enum screen_kind)((how >> HOW_SCREEN_SHIFT) % SCREEN_COUNT),
                                .keymap = keymap,
                                .fill_chrome = fill_chrome,
                                .look_for_news = session_look_for_news,
                                .follow = session_follow,
                                .verbs = verbs,
                                .run_verb = run_verb};
    struct error error = {0};

    session->analyses_in_steps = true;
    session->today_ms = TODAY_MS;
    if (!all_screens[loop.first])
        loop.first = SCREEN_MAP;
    loop_run(&loop, &error);
    try_place(session, loop.left, how & HOW_WRITES);
    free(loop.left);
    fake_terminal_close(loop.terminal);
    session_destroy(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    enum { HEAD = 3, MOST_ROWS = 90, MOST_COLUMNS = 250 };
    struct fake_terminal is;
    struct keymap *keymap;
    unsigned how;
    char *names;

    if (size < HEAD)
        return 0;
    how = bytes[2];
    is = (struct fake_terminal){.rows = bytes[0] % MOST_ROWS + 1,
                                .columns = bytes[1] % MOST_COLUMNS + 1,
                                .glyphs = (enum glyph_set)((how & HOW_GLYPHS) % GLYPH_SET_COUNT),
                                .hurried = how & HOW_HURRIED};
    bytes += HEAD;
    size -= HEAD;
    names = fuzz_first_line(&bytes, &size);
    is.bytes = bytes;
    is.size = size;
    try_key_name(names);
    keymap = make_keymap(names);
    run_loop(&is, how, keymap);
    keymap_destroy(keymap);
    free(names);
    return 0;
}
