/*
 * Event lift of a scene that a run visits twice.
 */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/event_lift.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { FRAMES = 500 };
struct visit {
    const char *scene;
    bool loads; /* its first 250 frames, 5 s */
};

/* Frames of 20 ms; in Raid every hundredth is one of 120 ms with the event of the name, in the last 250 frames. */
static void add_run(struct fixture *fixture, const struct visit *visits, size_t count, const char *name)
{
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer;
    struct error error = {0};
    struct run_facts facts = {.build = "1.0", .device_model = "Pixel", .name = "r1", .built_at_ms = VALUE_UNKNOWN,
                              .started_at_ms = VALUE_UNKNOWN, .sample_every = VALUE_UNKNOWN, .kept_over_ns = VALUE_UNKNOWN,
                              .target_fps_milli = 60000, .refresh_milli_hz = VALUE_UNKNOWN, .interval = "present",
                              .tests_holes = true, .has_clock = true};
    int64_t stamps[FRAMES], frames[FRAMES], events[FRAMES], stamp = 0;
    struct frame_columns columns = {
        .count = FRAMES, .values = {[COLUMN_STAMP] = stamps, [COLUMN_FRAME_TIME] = frames, [COLUMN_EVENT] = events}};
    struct import_outcome outcome;
    size_t number;

    cr_assert(store_writer_begin(fixture->store, texts, &writer, &error), "%s", error.text);
    cr_assert(store_writer_add_run(writer, &facts, &number, &error), "%s", error.text);
    for (size_t v = 0; v < count; v++) {
        const struct segment_facts segment = {.scene = visits[v].scene, .visit = (int64_t)v, .target_fps_milli = VALUE_UNKNOWN,
                                              .refresh_milli_hz = VALUE_UNKNOWN};
        bool raid = strcmp(visits[v].scene, "Raid") == 0;

        for (int i = 0; i < FRAMES; i++) {
            bool slow = raid && i >= FRAMES / 2 && i % 100 == 99;
            const char *event = slow ? name : visits[v].loads && i == 0 ? "loading_start" : visits[v].loads && i == FRAMES / 2 - 1 ? "loading_end" : NULL;

            frames[i] = (slow ? 120 : 20) * NS_PER_MS;
            stamps[i] = stamp += frames[i];
            events[i] = event ? (int64_t)dictionary_add(texts, event, strlen(event)) : VALUE_UNKNOWN;
        }
        cr_assert(store_writer_add_segment(writer, number, &segment, &columns, &error), "%s", error.text);
    }
    store_writer_set_measures(writer, number, &(struct run_measures){.holes_tested = (int64_t)count * FRAMES - 1});
    cr_assert(store_writer_commit(writer, &(struct import_facts){.path = "test", .format = "test", .fingerprint = "1"}, &outcome, &error),
              "%s", error.text);
    dictionary_destroy(texts);
}

/*
 * Raid twice, Town between; the second visit loads for 5 s. Frames 299, 399 and 499 of a visit are slow: 3 windows, each
 * with the event. Play of a visit is 497 × 20 + 3 × 120 ms = 10.3 s, of the second 5.3 s. The windows begin at 5.98, 8.08
 * and 10.18 s, 2.1 s apart: each is preceded by 2 s of play, but the first one of the second visit by 0.98 s only. Followed
 * are 6 of 10.3 and 4.98 of 5.3 s: 10.98 of 15.6.
 */
Test(event_lift, runs_are_runs_and_time_is_gameplay)
{
    static const struct visit visits[] = {{"Raid", false}, {"Town", false}, {"Raid", true}};
    struct fixture fixture;
    struct event_lift lift;
    struct error error = {0};

    fixture_open(&fixture);
    add_run(&fixture, visits, 3, "boss");

    struct model *model = fixture_model(&fixture);

    cr_assert(model_event_lift(model, &(struct event_lift_request){.quality = -1}, &lift, &error), "%s", error.text);
    cr_assert_eq(lift.count, 1, "%zu: Town has no events, and loading is none", lift.count);
    cr_assert_eq(lift.groups, 2);
    cr_assert_eq(lift.items[0].runs, 1, "two visits of one run: %lld", (long long)lift.items[0].runs);
    cr_assert_eq(lift.items[0].lift.occurrences, 6);
    cr_assert_eq(lift.items[0].lift.followed, 6);
    cr_assert_float_eq(lift.items[0].lift.base, 10.98 / 15.6, 1e-9, "%f", lift.items[0].lift.base);
    event_lift_free(&lift);

    int64_t town = 0;

    for (size_t i = 0; i < model_scenes(model)->count; i++)
        if (strcmp(model_scenes(model)->items[i].text, "Town") == 0)
            town = model_scenes(model)->items[i].id;
    cr_assert(model_event_lift(model, &(struct event_lift_request){.scene = town, .quality = -1}, &lift, &error), "%s", error.text);
    cr_assert_eq(lift.count, 0);
    event_lift_free(&lift);
    fixture_close(&fixture, model);
}

/* A name of 200 characters of three bytes is cut between two of them. */
Test(event_lift, an_answer_is_whole_text)
{
    static const struct visit visits[] = {{"Raid", false}, {"Raid", false}, {"Raid", false}, {"Town", false}};
    struct fixture fixture;
    struct event_lift lift;
    struct error error = {0};
    struct text_buffer name = {0};

    for (int i = 0; i < 200; i++)
        text_add(&name, "\u5c06");
    fixture_open(&fixture);
    add_run(&fixture, visits, 4, name.items);

    struct model *model = fixture_model(&fixture);

    cr_assert(model_event_lift(model, &(struct event_lift_request){.quality = -1, .within_ns = 50 * NS_PER_MS}, &lift, &error), "%s", error.text);
    cr_assert_eq(lift.outstanding, 1, "9 of 9, 0.05 of 3.43 s before each");
    cr_assert(text_is_valid_utf8(lift.answer, strlen(lift.answer)), "%s", lift.answer);
    cr_assert(strstr(lift.answer, "\u5c06…") && strstr(lift.answer, "9 of 9 followed by a window within 0.05 s, 0.1 expected"), "%s", lift.answer);
    event_lift_free(&lift);
    array_free(&name);
    fixture_close(&fixture, model);
}
