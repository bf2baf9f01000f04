/*
 * What a screen must tell within a second and without a key, on the canvases of 80 x 24: the moments that
 * decide whether it is of use in the morning. Numbers are those of the list of moments that the screens are
 * made for.
 */
#include "night.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/model/coverage.h"
#include "stutterscope/store/writer.h"
#include "stutterscope/view/screens.h"
#include "twelve.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS   86400000LL
#define FIRST_MS 1763316300000LL /* 2025-11-16 18:05 UTC */

static char *line_of(struct night *night, int wanted)
{
    char *text = night_text(night), *rest = text, *line = NULL, *copy;

    for (int i = 0; i <= wanted; i++)
        line = strsep(&rest, "\n");
    copy = strdup(line ? line : "");
    free(text);
    return copy;
}

static void expect_on_line(struct night *night, int number, const char *text)
{
    char *line = line_of(night, number);

    cr_assert_not_null(strstr(line, text), "\"%s\" is not on line %d: %s", text, number + 1, line);
    free(line);
}

Test(moments, the_1st_opening_says_how_many_decisions_and_which)
{
    struct night night = night_open(&map_screen, true);

    expect_on_line(&night, 2, "4 TO DECIDE   boss_spawn new · Raid_02 slower · Pixel 6a silent");
    night_size(&night, 12, 40, GLYPHS_FULL);
    expect_on_line(&night, 2, "4 TO DECIDE");
    night_close(&night);
}

/* One device uploads every night, the other one in the first only; later it has a run of another series. */
static void add_run(struct store_writer *writer, const char *device, const char *series, int build)
{
    enum { FRAMES = 60 };
    static const char *const scenes[] = {"Lobby", "Battle_03", "Raid_02", "Gacha", "Field_05"};
    static int64_t times[FRAMES], stamps[FRAMES];
    char build_name[24];
    struct run_facts facts = {.build = build_name,
                              .built_at_ms = FIRST_MS + build * DAY_MS,
                              .device_model = device,
                              .name = series,
                              .series = series,
                              .started_at_ms = FIRST_MS + build * DAY_MS,
                              .sample_every = VALUE_UNKNOWN,
                              .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = VALUE_UNKNOWN,
                              .refresh_milli_hz = VALUE_UNKNOWN,
                              .interval = "present",
                              .tests_holes = true,
                              .has_clock = true};
    struct segment_facts segment = {.quality = "High", .target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};
    struct frame_columns columns = {.count = FRAMES};
    struct error error = {0};
    int64_t stamp = 0;
    size_t number;

    columns.values[COLUMN_FRAME_TIME] = times;
    columns.values[COLUMN_STAMP] = stamps;
    snprintf(build_name, sizeof build_name, "1.0(%d)", 100 + build);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    for (size_t scene = 0; scene < sizeof scenes / sizeof *scenes; scene++) {
        for (int i = 0; i < FRAMES; i++) {
            times[i] = 16000000 + 100000 * (i % 5);
            stamp += times[i];
            stamps[i] = stamp;
        }
        segment.scene = scenes[scene];
        segment.visit = (int64_t)scene;
        cr_assert(store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
    }
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = FRAMES});
}

static void fill_nights(struct store *store, int builds)
{
    for (int build = 0; build < builds; build++) {
        struct dictionary *texts = dictionary_create();
        struct import_facts import = {.path = "night.csv", .format = "csv"};
        struct import_outcome outcome;
        struct store_writer *writer;
        struct error error = {0};
        char fingerprint[33];

        cr_assert(store_writer_begin(store, texts, &writer, &error), "%s", error.text);
        add_run(writer, "Always", "nightly", build);
        if (build == 0)
            add_run(writer, "Silent", "nightly", build);
        else
            add_run(writer, "Silent", "verify", build);
        snprintf(fingerprint, sizeof fingerprint, "%032d", build);
        import.fingerprint = fingerprint;
        cr_assert(store_writer_commit(writer, &import, &outcome, &error), "%s", error.text);
        dictionary_destroy(texts);
    }
}

static void fill_two_missing(struct store *store)
{
    fill_nights(store, 3);
}

static void fill_twelve_missing(struct store *store)
{
    fill_nights(store, 13);
}

static void expect_missing(void (*fill)(struct store *store), const char *sentence)
{
    struct night night = night_open_with(&map_screen, fill);

    expect_on_line(&night, 2, "1 TO DECIDE   Silent silent");
    cr_assert(night_shows(&night, sentence), "%s", sentence);
    night_size(&night, 30, 100, GLYPHS_FULL);
    expect_on_line(&night, 3, "MISSING Silent since (101)");
    night_size(&night, 24, 80, GLYPHS_ASCII);
    cr_assert(night_shows(&night, sentence), "%s, in ASCII", sentence);
    night_size(&night, 12, 40, GLYPHS_FULL);
    cr_assert(night_shows(&night, "Silent silent"));
    night_close(&night);

    night = night_open_with(&cover_screen, fill);
    expect_on_line(&night, 2, "1 silent");
    cr_assert(night_shows(&night, "SILENT since 1.0(101)"));
    night_close(&night);
}

Test(moments, the_2nd_missing_data_is_there_on_the_second_night_though_a_fix_was_verified)
{
    expect_missing(fill_two_missing, "MISSING  no upload for 2 builds, last (100)");
}

Test(moments, the_2nd_missing_data_is_there_on_the_twelfth_night_too)
{
    expect_missing(fill_twelve_missing, "MISSING  no upload for 12 builds, last (100)");
}

/* Nights 16, 17, 18 November; today is the 27th. */
Test(moments, the_2nd_missing_data_names_nights_on_which_nothing_came)
{
    struct night night = night_open_with(&cover_screen, fill_two_missing);

    night_size(&night, 40, 120, GLYPHS_FULL);
    expect_on_line(&night, 2, "nothing since 2025-11-18, 8 nights");
    night_close(&night);
}

static void file_all_findings(struct night *night, enum action action)
{
    for (int i = 0; i < 4; i++) {
        night_do(night, ACTION_NEXT_OPEN);
        night_do(night, action);
    }
}

/* The same colour of heat, but # in its own role: without colour and from afar it is no star any more. */
Test(moments, the_3rd_a_red_cell_with_a_ticket_is_visibly_no_work)
{
    struct night night = night_open(&map_screen, true);

    cr_assert(night_shows(&night, "[█103*]"));
    night_do(&night, ACTION_INVESTIGATE);
    cr_assert(night_shows(&night, "[█103#]"));
    expect_on_line(&night, 2, "3 TO DECIDE");
    cr_assert(night_shows(&night, "# ticket"), "the legend says what it is");
    night_size(&night, 24, 80, GLYPHS_ASCII);
    cr_assert(night_shows(&night, "[@103#]"));
    night_do(&night, ACTION_UNDO);
    cr_assert(night_shows(&night, "[@103*]"));
    night_close(&night);
}

/* 92.4 ms in four of five runs, weight 1.4: 103.488. */
Test(moments, the_4th_the_cell_at_the_cursor_answers_the_room)
{
    struct night night = night_open(&map_screen, true);

    cr_assert(night_shows(&night, "boss_spawn NEW   103.5 = 92.4 × 4/5 × 1.4"));
    cr_assert(night_shows(&night, "peak +60.8"));
    cr_assert(night_shows(&night, "▪▪▫▪▪"));
    night_size(&night, 30, 100, GLYPHS_FULL);
    cr_assert(night_shows(&night, "clean iPhone 15 Pro, Galaxy A54, Galaxy A15"));
    night_close(&night);
}

Test(moments, the_5th_the_next_open_line_is_selected_with_its_reason_and_the_keys)
{
    struct night night = night_open(&queue_screen, true);

    cr_assert(night_shows(&night, "▸ *  boss_spawn"));
    cr_assert(night_shows(&night, "new"));
    cr_assert(night_shows(&night, "I F O X E W D decide"));
    night_do(&night, ACTION_INVESTIGATE);
    cr_assert(night_shows(&night, "▸ ^  whole scene"), "the next one, without a key");
    night_close(&night);
}

Test(moments, the_6th_a_decision_says_what_for_how_many_and_u)
{
    struct night night = night_open(&map_screen, true);

    night_do(&night, ACTION_INVESTIGATE);
    cr_assert_not_null(strstr(night.reply.message, "investigating · boss_spawn"), "%s", night.reply.message);
    cr_assert_not_null(strstr(night.reply.message, "u takes it back"));
    night_close(&night);
}

/* The last decision ends the work: what to tell the others is there without being asked for. */
Test(moments, the_6th_the_queue_ends_with_a_summary_for_the_chat)
{
    struct night night = night_open(&queue_screen, true);

    file_all_findings(&night, ACTION_INVESTIGATE);
    night_size(&night, 24, 80, GLYPHS_FULL);
    cr_assert(night_shows(&night, "NOTHING TO DECIDE"));
    cr_assert(night_shows(&night, "All decided: for the chat"));
    cr_assert(night_shows(&night, "1.8.0(421) vs 1.8.0(420): 16 of 20 runs, 0 to decide"));
    night_close(&night);
}

Test(moments, the_8th_one_sentence_says_where_the_step_is_and_that_the_baseline_hides_it)
{
    struct night night = night_open_with(&trend_screen, twelve_fill);
    const struct device_list *devices = model_devices(night.session->model);
    struct error error = {0};

    for (size_t i = 0; i < devices->count; i++)
        if (strcmp(devices->items[i].model, "SM-A546B") == 0)
            night.session->device = devices->items[i].id;
    for (size_t i = 0; i < model_scenes(night.session->model)->count; i++)
        if (strcmp(model_scenes(night.session->model)->items[i].text, "Raid_02") == 0)
            night.session->scene = model_scenes(night.session->model)->items[i].id;
    cr_assert(screen_recompute(night.screen, NULL, &error), "%s", error.text);
    expect_on_line(&night, 2, "STEP UP at 1.7.9(415)  24.3 → 29.8  +5.5, noise ±");
    expect_on_line(&night, 2, "HIDDEN BY BASELINE (420)");
    cr_assert(night_shows(&night, "not run   (414)"));
    night_close(&night);
}
