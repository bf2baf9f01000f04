#include "../leftovers.h"
#include "night.h"

#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/store/writer.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/screens.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 400
#define MIDDLE 200

struct night_device {
    const char *model, *name, *tier;
    double weight;
    int64_t fps;
};
static const struct night_device devices[] = {
    {"SM-S918N", "Galaxy S23 Ultra", "high", 1.4, 60}, {"SM-F731N", "Galaxy Z Flip5", "high", 1.1, 60},
    {"iPhone16,1", "iPhone 15 Pro", "high", 1.2, 60},  {"SM-A546B", "Galaxy A54", "mid", 1.2, 60},
    {"Pixel 6a", "Pixel 6a", "mid", 0.4, 60},          {"SM-A155F", "Galaxy A15", "low", 0.9, 60},
};
enum { S23, FLIP5, IPHONE, A54, PIXEL, A15, DEVICES };

static const char *const scenes[] = {"Login", "Lobby", "Battle_03", "Raid_02"};
enum { LOGIN, LOBBY, BATTLE, RAID, SCENES };

static const struct {
    const char *name, *commit;
    int64_t built_at_ms;
} builds[] = {
    {"1.7.9(418)", "5d20c7e0", 1764007500000}, /* 2025-11-24 18:05 UTC */
    {"1.8.0(420)", "93be41f0", 1764093900000},
    {"1.8.0(421)", "a1b2c3d0", 1764180300000},
};
enum { B418, B420, B421, BUILDS };

/* Times in µs; 0: a calm frame. */
static int64_t event_frame(int build, int device, int scene, int run)
{
    static const int64_t boss[] = {92400, 71000, 0, 88200, 64900};

    if (scene == BATTLE && device == S23)
        return build == B421 ? boss[run] : 31600;
    if (scene == BATTLE && device == FLIP5)
        return 72000;
    if (scene == LOBBY && device == IPHONE && build == B421 && run == 0)
        return 40000;
    return 0;
}

static int runs_of(int build, int device)
{
    if (device == S23)
        return 5;
    if (build == B421)
        return device == PIXEL ? 0 : device == A15 ? 2 : 3;
    return 3;
}

static void fill_frame(struct frame_columns *columns, size_t i, int64_t us, int64_t event, int64_t *stamp)
{
    bool slow = us > 0;

    if (!slow)
        us = 16000 + 100 * (int64_t)(i % 5);
    *stamp += 1000 * us;
    columns->values[COLUMN_STAMP][i] = *stamp;
    columns->values[COLUMN_FRAME_TIME][i] = 1000 * us;
    columns->values[COLUMN_CPU][i] = slow ? 825 * us : 10000000;
    columns->values[COLUMN_GPU][i] = slow ? 14800000 : 11000000;
    columns->values[COLUMN_EVENT][i] = event;
}

static void add_visit(struct store_writer *writer, struct dictionary *texts, size_t number, int build,
                      int device, int scene, int run, int64_t *stamp)
{
    static const enum frame_column used[] = {COLUMN_STAMP, COLUMN_FRAME_TIME, COLUMN_CPU, COLUMN_GPU,
                                             COLUMN_EVENT};
    struct segment_facts facts = {.scene = scenes[scene],
                                  .quality = "High",
                                  .visit = scene,
                                  .target_fps_milli = VALUE_UNKNOWN,
                                  .refresh_milli_hz = VALUE_UNKNOWN};
    struct frame_columns columns = {.count = device == A15 && scene == LOGIN ? 10 : FRAMES};
    const char *event = scene == BATTLE ? "boss_spawn" : scene == LOBBY ? "shop_open" : NULL;
    struct error error = {0};

    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        columns.values[used[c]] = memory_take(columns.count * sizeof(int64_t));
    for (size_t i = 0; i < columns.count; i++) {
        bool raid =
            device == A54 && build == B421 && scene == RAID && i >= MIDDLE && i < MIDDLE + 16 && i % 2 == 0;
        int64_t us = i == MIDDLE ? event_frame(build, device, scene, run) : 0;
        bool marked = event && i == MIDDLE;

        fill_frame(&columns, i, raid ? 30000 : us,
                   marked ? (int64_t)dictionary_add(texts, event, strlen(event)) : VALUE_UNKNOWN, stamp);
    }
    cr_assert(store_writer_add_segment(writer, number, &facts, &columns, &error), "%s", error.text);
    for (size_t c = 0; c < sizeof used / sizeof *used; c++)
        free(columns.values[used[c]]);
}

static void add_run(struct store_writer *writer, struct dictionary *texts, int build, int device, int run)
{
    char name[8];
    struct run_facts facts = {.build = builds[build].name,
                              .commit = builds[build].commit,
                              .built_at_ms = builds[build].built_at_ms,
                              .device_model = devices[device].model,
                              .name = name,
                              .os = "14",
                              .started_at_ms = builds[build].built_at_ms + 8 * 3600 * 1000,
                              .sample_every = VALUE_UNKNOWN,
                              .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = VALUE_UNKNOWN,
                              .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present",
                              .tests_holes = true,
                              .has_clock = true};
    struct error error = {0};
    int64_t stamp = 0;
    size_t number;

    snprintf(name, sizeof name, "%d", run + 1);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    for (int scene = 0; scene < SCENES; scene++)
        add_visit(writer, texts, number, build, device, scene, run, &stamp);
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = FRAMES});
}

static void add_build(struct store *store, int build)
{
    struct dictionary *texts = dictionary_create();
    struct import_facts facts = {.path = "night.csv", .format = "csv", .rejected = 3};
    struct import_outcome outcome;
    struct store_writer *writer;
    struct error error = {0};
    char fingerprint[33];

    cr_assert(store_writer_begin(store, texts, &writer, &error), "%s", error.text);
    for (int device = 0; device < DEVICES; device++)
        for (int run = 0; run < runs_of(build, device); run++)
            add_run(writer, texts, build, device, run);
    snprintf(fingerprint, sizeof fingerprint, "%032d", build + 1);
    facts.fingerprint = fingerprint;
    cr_assert(store_writer_commit(writer, &facts, &outcome, &error), "%s", error.text);
    dictionary_destroy(texts);
}

static void fill(struct store *store)
{
    struct error error = {0};

    for (int build = 0; build < BUILDS; build++)
        add_build(store, build);
    for (int i = 0; i < DEVICES; i++) {
        struct device_row row = {.model = (char *)(size_t)devices[i].model,
                                 .name = (char *)(size_t)devices[i].name,
                                 .tier = (char *)(size_t)devices[i].tier,
                                 .target_fps_milli = 1000 * devices[i].fps,
                                 .weight = devices[i].weight,
                                 .declared = true};

        cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    }
}

struct night night_open(const struct screen_type *type, bool with_runs)
{
    return night_open_with(type, with_runs ? fill : NULL);
}

struct night night_open_with(const struct screen_type *type, void (*fill_store)(struct store *store))
{
    struct night night = {.folder = "/tmp/stutterscope-night-XXXXXX"};
    struct model_options options = {.mode = STORE_WRITE};
    struct error error = {0};
    struct store *store;
    struct model *model;

    cr_assert_not_null(mkdtemp(night.folder));
    leftover_note(night.folder);
    snprintf(night.path, sizeof night.path, "%s/nightly.db", night.folder);
    cr_assert(store_open(night.path, STORE_CREATE, &store, &error), "%s", error.text);
    if (fill_store)
        fill_store(store);
    store_close(store);
    cr_assert(model_open(night.path, &options, &model, &error), "%s", error.text);
    night.session = session_create(model);
    night.session->today_ms = 1764277200000; /* 2025-11-27 21:00 UTC */
    night.screen = screen_create(type, night.session);
    night.keymap = keymap_create();
    night.canvas = canvas_create(24, 80, GLYPHS_FULL);
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    return night;
}

struct night night_again(const struct night *night, const char *key)
{
    struct night again = {.keymap = keymap_create()};
    struct model_options options = {.mode = STORE_WRITE};
    struct error error = {0};
    enum screen_kind kind;
    struct model *model;

    cr_assert(model_open(night->path, &options, &model, &error), "%s", error.text);
    again.session = session_create(model);
    again.session->today_ms = night->session->today_ms;
    again.canvas = canvas_create(canvas_rows(night->canvas), canvas_columns(night->canvas), canvas_glyphs(night->canvas));
    cr_assert(place_go(again.session, key, NULL, &kind, &error), "%s: %s", key, error.text);
    again.screen = screen_create(all_screens[kind], again.session);
    cr_assert(screen_recompute(again.screen, NULL, &error), "%s", error.text);
    return again;
}

void night_close(struct night *night)
{
    screen_destroy(night->overlay);
    screen_destroy(night->screen);
    session_destroy(night->session);
    keymap_destroy(night->keymap);
    canvas_destroy(night->canvas);
    if (night->folder[0])
        leftover_remove(night->folder);
}

void night_size(struct night *night, int rows, int columns, enum glyph_set glyphs)
{
    canvas_destroy(night->canvas);
    night->canvas = canvas_create(rows, columns, glyphs);
}

static bool act(struct night *night, struct screen_event *event)
{
    struct screen *to = night->overlay ? night->overlay : night->screen;
    struct screen_reply reply = {0};
    struct error error = {0};
    bool mine;

    event->area = night->overlay ? canvas_area(night->canvas) : chrome_body(night->canvas);
    mine = to->type->act(to->state, event, &reply);
    if (reply.close) {
        screen_destroy(night->overlay);
        night->overlay = NULL;
    }
    if (reply.recompute)
        cr_assert(screen_recompute(night->screen, NULL, &error), "%s", error.text);
    if (reply.open) {
        night->overlay = reply.open;
        reply.open = NULL;
    }
    night->reply = reply;
    reply_clear(&reply);
    return mine;
}

bool night_do(struct night *night, enum action action)
{
    return act(night, &(struct screen_event){.action = action, .argument = 1});
}

bool night_type(struct night *night, const char *text)
{
    return act(night, &(struct screen_event){.action = ACTION_ERASE_ALL, .argument = 1}) &&
           act(night, &(struct screen_event){.action = ACTION_TYPE, .argument = 1, .text = text}) &&
           act(night, &(struct screen_event){.action = ACTION_ENTER, .argument = 1});
}

bool night_click(struct night *night, int row, int column, int times)
{
    return act(night, &(struct screen_event){
                          .action = ACTION_CLICK, .argument = times, .row = row, .column = column});
}

/* When the sample was imported is not the same in two runs. */
static void hide_import_date(char *text)
{
    char *at = strstr(text, "last import "), *end = at ? strstr(at, " UTC") : NULL;

    if (end) {
        at += strlen("last import ");
        memmove(at + 1, end, strlen(end) + 1);
        *at = '?';
    }
}

char *night_text(struct night *night)
{
    struct chrome chrome = {
        .store = "nightly.db", .user = "minji", .clock = "09:04", .keymap = night->keymap};
    char *text;

    chrome.tabs[SCREEN_MEMORY].absent = !night->session->has_snapshots;
    chrome.covered = night->overlay && night->overlay->type->covers;
    chrome_draw(night->canvas, &chrome, night->screen);
    if (night->overlay)
        chrome_draw_above(night->canvas, &chrome, night->overlay);
    text = canvas_dump_text(night->canvas);
    hide_import_date(text);
    return text;
}

bool night_shows(struct night *night, const char *text)
{
    char *screen = night_text(night);
    bool shows = strstr(screen, text) != NULL;

    if (!shows)
        fprintf(stderr, "\"%s\" is not on this screen:\n%s", text, screen);
    free(screen);
    return shows;
}

void night_expect(struct night *night, const char *name)
{
    char *path = memory_print("%s/%s.txt", SCREENS_FOLDER, name), *text = night_text(night), *expected = NULL;
    struct error error = {0};
    size_t size;

    if (getenv("STUTTERSCOPE_UPDATE_SCREENS"))
        cr_assert(path_write_all(path, text, strlen(text), &error), "%s", error.text);
    else {
        cr_assert(path_read_all(path, 1 << 20, &expected, &size, &error), "%s", error.text);
        cr_expect_str_eq(text, expected, "%s differs; it is now:\n%s", path, text);
    }
    free(expected);
    free(text);
    free(path);
}
