#include "night.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/model/heatmap.h"
#include "stutterscope/model/snapshots.h"
#include "stutterscope/store/writer.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/place.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two nights of two devices, two runs each, with 60 calm frames at Gacha. MB by category, the second run 2 MB more of Textures:
 *   Galaxy S23 Ultra  Gacha      Textures 300 → 384  Meshes 90 → 90    Audio 25
 *                     Lobby      Textures 200 → 200  Meshes 40 → 41
 *                     Login      Textures 100 with a profiler in (420), 80 without one in (421)
 *   Galaxy A54        Gacha      Textures 250 → 290; in (421) a run took one more with a profiler: 500
 */
static const struct fact {
    int build, device;
    const char *scene, *category, *profiler;
    int megabytes;
} facts[] = {
    {420, 0, "Gacha", "Textures", "", 300}, {420, 0, "Gacha", "Meshes", "", 90}, {420, 0, "Gacha", "Audio", "", 25},
    {420, 0, "Lobby", "Textures", "", 200}, {420, 0, "Lobby", "Meshes", "", 40}, {420, 0, "Login", "Textures", "unity", 100},
    {420, 1, "Gacha", "Textures", "", 250}, {421, 0, "Gacha", "Textures", "", 384}, {421, 0, "Gacha", "Meshes", "", 90},
    {421, 0, "Gacha", "Audio", "", 25},     {421, 0, "Lobby", "Textures", "", 200}, {421, 0, "Lobby", "Meshes", "", 41},
    {421, 0, "Login", "Textures", "", 80},  {421, 1, "Gacha", "Textures", "", 290}, {421, 1, "Gacha", "Textures", "unity", 500},
};

static void add_frames(struct store_writer *writer, size_t number)
{
    enum { FRAMES = 60 };
    static int64_t times[FRAMES], stamps[FRAMES];
    struct segment_facts segment = {.scene = "Gacha", .quality = "High", .target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};
    struct frame_columns columns = {.count = FRAMES};
    struct error error = {0};

    for (int i = 0; i < FRAMES; i++) {
        times[i] = 16000000 + 100000 * (i % 5);
        stamps[i] = times[i] + (i ? stamps[i - 1] : 0);
    }
    columns.values[COLUMN_FRAME_TIME] = times;
    columns.values[COLUMN_STAMP] = stamps;
    cr_assert(store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
}

static void add_run(struct store_writer *writer, int build, int device, int run)
{
    static const char *const models[] = {"SM-S918N", "SM-A546B"};
    char name[24], build_name[24];
    struct run_facts run_facts = {.build = build_name,
                                  .built_at_ms = 1764093900000 + (build - 420) * 86400000LL,
                                  .device_model = models[device],
                                  .name = name,
                                  .started_at_ms = 1764100000000 + (build - 420) * 86400000LL,
                                  .sample_every = VALUE_UNKNOWN,
                                  .kept_over_ns = VALUE_UNKNOWN,
                                  .target_fps_milli = VALUE_UNKNOWN,
                                  .refresh_milli_hz = VALUE_UNKNOWN,
                                  .interval = "present",
                                  .tests_holes = true,
                                  .has_clock = true};
    struct error error = {0};
    size_t number;

    snprintf(build_name, sizeof build_name, "1.8.0(%d)", build);
    snprintf(name, sizeof name, "m%d", run);
    cr_assert(store_writer_add_run(writer, &run_facts, &number, &error), "%s", error.text);
    add_frames(writer, number);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        bool textures = strcmp(facts[i].category, "Textures") == 0;
        struct sample_facts sample = {facts[i].scene, facts[i].category, facts[i].profiler,
                                      1e6 * (facts[i].megabytes + (textures && run ? 2 : 0)), VALUE_UNKNOWN, true};

        if (facts[i].build == build && facts[i].device == device)
            cr_assert(store_writer_add_sample(writer, number, &sample, &error), "%s", error.text);
    }
    store_writer_set_measures(writer, number, &(struct run_measures){0});
}

static void fill(struct store *store)
{
    static char models[][16] = {"SM-S918N", "SM-A546B"}, names[][24] = {"Galaxy S23 Ultra", "Galaxy A54"}, tiers[][8] = {"high", "mid"};

    for (int build = 420; build <= 421; build++) {
        struct dictionary *texts = dictionary_create();
        struct import_facts import = {.path = "snapshots.csv", .format = "csv"};
        struct import_outcome outcome;
        struct store_writer *writer;
        struct error error = {0};
        char fingerprint[33];

        cr_assert(store_writer_begin(store, texts, &writer, &error), "%s", error.text);
        for (int device = 0; device < 2; device++)
            for (int run = 0; run < 2; run++)
                add_run(writer, build, device, run);
        snprintf(fingerprint, sizeof fingerprint, "%032d", build);
        import.fingerprint = fingerprint;
        cr_assert(store_writer_commit(writer, &import, &outcome, &error), "%s", error.text);
        dictionary_destroy(texts);
    }
    for (int i = 0; i < 2; i++) {
        struct device_row row = {.model = models[i], .name = names[i], .tier = tiers[i], .target_fps_milli = 60000, .weight = 1, .declared = true};
        struct error error = {0};

        cr_assert(store_declare_device(store, &row, &error), "%s", error.text);
    }
}

static const struct {
    int rows, columns;
    enum glyph_set glyphs;
    const char *name;
} sizes[] = {
    {12, 40, GLYPHS_FULL, "memory-40x12"},        {24, 80, GLYPHS_FULL, "memory-80x24"},
    {40, 120, GLYPHS_FULL, "memory-120x40"},      {60, 200, GLYPHS_FULL, "memory-200x60"},
    {24, 80, GLYPHS_ASCII, "memory-80x24-ascii"},
};

/* By its key, in another session on the same store. */
Test(screen_memory, is_come_back_to)
{
    static const enum action ways[][4] = {{ACTION_NONE}, {ACTION_DOWN, ACTION_RIGHT, ACTION_RIGHT}, {ACTION_NEXT_SIBLING, ACTION_LAST},
                                          {ACTION_OLDER_BUILD, ACTION_COMPARE}, {ACTION_LAST, ACTION_RIGHT}};

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct night night = night_open_with(&memory_screen, fill), again;
        char *text, *roles, *key, *text_again, *roles_again;

        for (size_t k = 0; k < 4 && ways[i][k] != ACTION_NONE; k++)
            night_do(&night, ways[i][k]);
        text = night_text(&night);
        roles = canvas_dump_roles(night.canvas);
        key = place_of_screen(night.session, night.screen, NULL);
        again = night_again(&night, key);
        text_again = night_text(&again);
        roles_again = canvas_dump_roles(again.canvas);
        cr_expect_str_eq(text_again, text, "%s:\n%s\ninstead of\n%s", key, text_again, text);
        cr_expect_str_eq(roles_again, roles, "%s", key);
        free(text);
        free(roles);
        free(text_again);
        free(roles_again);
        free(key);
        night_close(&again);
        night_close(&night);
    }
}

Test(screen_memory, looks_as_committed)
{
    struct night night = night_open_with(&memory_screen, fill);

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        night_size(&night, sizes[i].rows, sizes[i].columns, sizes[i].glyphs);
        night_expect(&night, sizes[i].name);
    }
    night_close(&night);
}

/* Gacha: 385 + 90 + 25 = 500 MB against 301 + 90 + 25 = 416: the median of two runs is their mean. */
Test(screen_memory, begins_at_what_grew_most_and_names_the_part)
{
    struct night night = night_open_with(&memory_screen, fill);

    cr_assert(night_shows(&night, "GREW +84 MB  Gacha (+20.2 %) · Textures +84 · on 2 of 2 devices"));
    cr_assert(night_shows(&night, "▸Gacha         500.0    +84.0   +20.2"));
    cr_assert(night_shows(&night, " Lobby         242.0     +1.0    +0.4"));
    cr_assert(night_shows(&night, "total: (421) 500.0  (420) 416.0"));
    cr_assert(night_shows(&night, "total here on Galaxy A54 291.0 (+40.0)"));
    night_close(&night);
}

/* Login was taken with a profiler before and without one now: two numbers, no difference. */
Test(screen_memory, compares_like_with_like_only)
{
    struct night night = night_open_with(&memory_screen, fill);

    cr_assert(night_shows(&night, " Login          81.0        ?"));
    night_do(&night, ACTION_NEXT_SIBLING);
    cr_assert(night_shows(&night, "▸Gacha         291.0    +40.0   +15.9"), "the 500 of the profiler is no part of it");
    cr_assert(night_shows(&night, "with a profiler, too"));
    night_close(&night);
}

Test(screen_memory, c_shows_differences_and_arrows_reach_every_category)
{
    struct night night = night_open_with(&memory_screen, fill);

    night_do(&night, ACTION_COMPARE);
    cr_assert(night_shows(&night, "+84.0   +20.2      +84.0        0.0        0.0"));
    night_do(&night, ACTION_RIGHT);
    cr_assert(night_shows(&night, "Textures: (421) 385.0  (420) 301.0"));
    night_do(&night, ACTION_OLDER_BUILD);
    cr_assert(night_shows(&night, "NO BASELINE no earlier build has these snapshots"));
    night_close(&night);
}

Test(screen_memory, enter_shows_the_cell_on_the_map_by_memory)
{
    struct night night = night_open_with(&memory_screen, fill);

    night_do(&night, ACTION_ENTER);
    cr_assert(night.reply.go && night.reply.go_to == SCREEN_MAP);
    cr_assert_eq(night.session->metric, METRIC_MEMORY);
    night_close(&night);
}

/* The same figures as cells of the heatmap, bytes with their difference; Lobby was not measured on the A54. */
Test(screen_memory, the_heatmap_has_the_same_figures)
{
    struct night night = night_open_with(&map_screen, fill);
    struct heatmap_request request = {.metric = METRIC_MEMORY, .quality = -1};
    struct heatmap *map;
    struct error error = {0};

    cr_assert(model_heatmap(night.session->model, &request, NULL, &map, &error), "%s", error.text);
    cr_assert_eq(map->devices.count, 2);
    cr_assert_eq(map->scenes.count, 3);
    cr_assert_eq(heatmap_cell(map, 0, 0)->value, 500e6);
    cr_assert_eq(heatmap_cell(map, 0, 0)->delta, 84e6);
    cr_assert_eq(heatmap_cell(map, 1, 0)->value, 291e6);
    cr_assert_eq(heatmap_cell(map, 1, 0)->delta, 40e6);
    cr_assert(isnan(heatmap_cell(map, 1, 1)->value));
    cr_assert_eq(heatmap_cell(map, 0, 2)->value, 81e6);
    cr_assert(isnan(heatmap_cell(map, 0, 2)->delta), "a profiler ran before, none now");
    heatmap_destroy(map);
    night.session->metric = METRIC_MEMORY;
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    night_size(&night, 30, 100, GLYPHS_FULL);
    night_expect(&night, "map-memory-100x30");
    night_close(&night);
}

Test(screen_memory, says_what_to_do_without_snapshots)
{
    struct night night = night_open(&memory_screen, true);

    cr_assert_not(night.session->has_snapshots);
    cr_assert(night_shows(&night, "NO SNAPSHOTS in this build"));
    cr_assert(night_shows(&night, "stutterscope import"));
    cr_assert_not(night_do(&night, ACTION_DOWN));
    night_close(&night);
}

Test(screen_memory, harmless_at_any_size)
{
    struct night night = night_open_with(&memory_screen, fill);

    for (int rows = 1; rows <= 64; rows += 3)
        for (int columns = 1; columns <= 220; columns += 7) {
            night_size(&night, rows, columns, GLYPHS_FULL);
            free(night_text(&night));
            night_do(&night, ACTION_DOWN);
            night_do(&night, ACTION_RIGHT);
            night_click(&night, rows / 2, columns / 2, 1);
        }
    night_close(&night);
}
