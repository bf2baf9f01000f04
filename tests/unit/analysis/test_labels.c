#include "helper.h"
#include <criterion/criterion.h>

/* "first-last:label" of all spans, rows counted from 1. */
static const char *spans_text(const struct label_spans *spans)
{
    static char text[1000];
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < spans->count; i++) {
        const struct label_span *span = &spans->items[i];
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%zu-%zu:%d", i ? " " : "", span->first + 1,
                               span->first + span->count, (int)span->label);
    }
    return text;
}

#define EXPECT(sample, text)                                                                                 \
    do {                                                                                                     \
        sample_label(&(sample));                                                                             \
        cr_assert_str_eq(spans_text(&(sample).spans), text);                                                 \
    } while (0)
/* 1 pause, 2 interference, 3 loading, 4 start-up, 5 scene change */

Test(labels, numbers_in_this_file)
{
    cr_assert(LABEL_PAUSE == 1 && LABEL_INTERFERENCE == 2 && LABEL_LOADING == 3);
    cr_assert(LABEL_START_UP == 4 && LABEL_SCENE_CHANGE == 5);
}

Test(labels, nothing_special)
{
    struct sample sample = sample_create(100, 16);
    sample_put(&sample, 50, 4200);
    sample_event(&sample, 10, 1, "boss_spawn");
    EXPECT(sample, "");
    cr_assert(label_at(&sample.spans, 49) == LABEL_GAMEPLAY && label_at(NULL, 3) == LABEL_GAMEPLAY);
    sample_free(&sample);
}

Test(labels, pause_with_resume)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "app_background");
    sample_put(&sample, 22, 1500); /* over 1 s, but the resume event is still to come */
    sample_event(&sample, 24, 2, "app_foreground");
    EXPECT(sample, "21-24:1");
    cr_assert(sample.report.open_pauses == 0);
    cr_assert(label_at(&sample.spans, 19) == LABEL_GAMEPLAY && label_at(&sample.spans, 20) == LABEL_PAUSE);
    cr_assert(label_at(&sample.spans, 23) == LABEL_PAUSE && label_at(&sample.spans, 24) == LABEL_GAMEPLAY);
    sample_free(&sample);
}

Test(labels, pause_without_resume_ends_with_the_long_frame)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "app_background");
    sample_put(&sample, 23, 1001);
    EXPECT(sample, "21-23:1");
    cr_assert(sample.report.open_pauses == 1);
    sample_free(&sample);
}

Test(labels, pause_of_five_minutes)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "pause");
    sample_put(&sample, 21, 300000);
    sample_event(&sample, 21, 2, "resume");
    EXPECT(sample, "21-21:1");
    cr_assert(sample.report.open_pauses == 0, "the frame with the event is the first one behind the pause");
    sample_free(&sample);
}

Test(labels, pause_behind_a_hole)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "pause");
    sample_event(&sample, 21, 2, "resume");
    sample_restamp(&sample, 20, sample.stamp_ns[19] + MS(300000));
    EXPECT(sample, "21-21:1");
    cr_assert(sample.report.open_pauses == 0);
    sample_free(&sample);
}

Test(labels, pause_gives_up_after_a_minute)
{
    struct sample sample = sample_create(1000, 100); /* 10 frames a second */
    sample.settings.fps_milli = 10000;
    sample_event(&sample, 100, 1, "pause");
    EXPECT(sample, "101-701:1"); /* the last one starts exactly 60 s after the event's frame */
    cr_assert(sample.report.open_pauses == 1);
    sample_event(&sample, 705, 2, "resume");
    EXPECT(sample, "101-701:1");
    cr_assert(sample.report.open_pauses == 1);
    sample_free(&sample);
}

Test(labels, any_frame_over_ten_seconds_is_a_pause)
{
    struct sample sample = sample_create(100, 16);
    sample_put(&sample, 40, 10000);
    EXPECT(sample, "");
    sample_put(&sample, 40, 10000.001);
    EXPECT(sample, "40-40:1");
    sample_free(&sample);
}

Test(labels, repeated_pause_events)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "app_background");
    sample_event(&sample, 21, 2, "app_pause");
    sample_put(&sample, 22, 5000);
    sample_event(&sample, 22, 3, "app_resume");
    EXPECT(sample, "21-22:1");
    sample_free(&sample);
}

Test(labels, loading_with_both_ends)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 41, 1, "loading_start");
    sample_put(&sample, 43, 905);
    sample_event(&sample, 48, 2, "loading_end");
    EXPECT(sample, "41-48:3");
    cr_assert(sample.report.open_loadings == 0);
    sample_free(&sample);
}

Test(labels, loading_over_several_frames_of_its_event)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 41, 1, "loading_start");
    sample_event(&sample, 42, 1, "loading_start");
    sample_event(&sample, 43, 1, "loading_start");
    sample_event(&sample, 48, 2, "loading_end");
    sample_event(&sample, 49, 2, "loading_end");
    EXPECT(sample, "41-48:3");
    cr_assert(sample.report.open_loadings == 0, "one occurrence, one interval");
    sample_free(&sample);
}

Test(labels, loading_ends_with_the_next_start)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 10, 1, "loading_start");
    sample_event(&sample, 30, 2, "load_begin");
    sample_event(&sample, 35, 3, "load_end");
    EXPECT(sample, "10-35:3");
    cr_assert(sample.report.open_loadings == 1);
    sample_free(&sample);
}

Test(labels, loading_without_end_up_to_the_end_of_the_run)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 90, 1, "loading_start");
    EXPECT(sample, "90-100:3");
    cr_assert(sample.report.open_loadings == 1);
    sample_free(&sample);
}

Test(labels, single_load_events_open_nothing)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "scene_load");
    sample_event(&sample, 30, 2, "asset_load");
    sample_event(&sample, 40, 3, "loading_end");
    EXPECT(sample, "");
    sample_free(&sample);
}

Test(labels, snapshot_and_what_follows_directly)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "memory_snapshot");
    sample_put(&sample, 20, 20);
    sample_put(&sample, 21, 140);
    sample_put(&sample, 22, 33.334);
    sample_event(&sample, 22, 2, "boss_spawn");
    sample_put(&sample, 24, 90); /* a stutter of its own */
    EXPECT(sample, "20-22:2");
    sample_put(&sample, 21, 16);
    EXPECT(sample, "20-20:2");
    sample_free(&sample);
}

Test(labels, interference_pairs_go_by_their_stem)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 20, 1, "memory_snapshot_begin");
    sample_event(&sample, 25, 2, "screenshot_end");
    sample_event(&sample, 30, 3, "memory_snapshot_done");
    sample_put(&sample, 31, 50);
    EXPECT(sample, "20-31:2");
    cr_assert(sample.report.open_interferences == 0);
    sample_free(&sample);
}

Test(labels, interference_without_end)
{
    struct sample sample = sample_create(1000, 100);
    sample.settings.fps_milli = 10000;
    sample_event(&sample, 20, 1, "profiler_flush_start");
    sample_event(&sample, 700, 2, "screenshot");
    EXPECT(sample, "20-621:2 700-700:2");
    cr_assert(sample.report.open_interferences == 1);
    sample_free(&sample);
}

Test(labels, the_first_of_the_list_wins)
{
    struct sample sample = sample_create(100, 16);
    sample_event(&sample, 10, 1, "loading_start");
    sample_event(&sample, 15, 2, "screenshot");
    sample_put(&sample, 16, 200);
    sample_put(&sample, 20, 12000);
    sample_event(&sample, 30, 3, "loading_end");
    EXPECT(sample, "10-14:3 15-16:2 17-19:3 20-20:1 21-30:3");
    sample_free(&sample);
}

Test(labels, start_up)
{
    struct sample sample = sample_create(300, 16);
    const double leading[] = {812, 96, 41};
    for (size_t i = 0; i < 3; i++)
        sample_put(&sample, i + 1, leading[i]);
    EXPECT(sample, "1-3:4");
    sample_put(&sample, 1, 100);
    EXPECT(sample, "1-3:4"); /* exactly 6 x budget */
    sample_put(&sample, 1, 99.999);
    EXPECT(sample, "");
    sample_free(&sample);
}

Test(labels, start_up_has_at_most_ten_frames)
{
    struct sample sample = sample_create(300, 16);
    for (size_t i = 1; i <= 10; i++)
        sample_put(&sample, i, 150);
    EXPECT(sample, "1-10:4");
    sample_put(&sample, 11, 34);
    EXPECT(sample, ""); /* the run is simply slow */
    sample_free(&sample);
}

Test(labels, start_up_needs_a_frame_behind_it)
{
    struct sample sample = sample_create(3, 200);
    EXPECT(sample, "");
    sample_put(&sample, 3, 16);
    EXPECT(sample, "1-2:4");
    sample.count = 1;
    EXPECT(sample, "");
    sample_free(&sample);
}

Test(labels, off)
{
    struct sample sample = sample_create(300, 16);
    sample_put(&sample, 1, 812);
    sample_put(&sample, 100, 45000);
    sample_event(&sample, 200, 1, "screenshot");
    sample.settings.labels = false;
    EXPECT(sample, "");
    sample_free(&sample);
}

/* One run in pieces: visits, a loading scene, an interval across the change. */
struct pieces {
    struct sample sample;
    struct frame_piece pieces[3];
    struct label_spans spans[3];
    struct event_mark marks[3][2];
    struct label_report report;
};

static void cut(struct pieces *run, size_t a, size_t b)
{
    size_t ends[] = {0, a, a + b, run->sample.count};
    for (size_t i = 0; i < 3; i++) {
        run->pieces[i] = sample_piece(&run->sample);
        run->pieces[i].events = run->marks[i];
        run->pieces[i].event_count = 0;
        run->pieces[i].visit = (int64_t)i;
        run->pieces[i].scene = (int64_t)i;
        run->pieces[i].count = ends[i + 1] - ends[i];
        run->pieces[i].frame_ns += ends[i];
        run->pieces[i].stamp_ns += ends[i];
    }
}

static void label_pieces(struct pieces *run)
{
    for (size_t i = 0; i < 3; i++)
        run->spans[i].count = 0;
    label_run(run->pieces, 3, &run->sample.settings, run->spans, &run->report);
}

static void put_mark(struct pieces *run, size_t piece, size_t frame, const char *name)
{
    struct event_mark mark = {frame, (int64_t)(10 * piece + frame), event_class_of(name), true};
    run->marks[piece][run->pieces[piece].event_count++] = mark;
}

static void free_pieces(struct pieces *run)
{
    for (size_t i = 0; i < 3; i++)
        free(run->spans[i].items);
    sample_free(&run->sample);
}

Test(labels, scene_change)
{
    struct pieces run = {.sample = sample_create(600, 16)};
    sample_put(&run.sample, 201, 310);
    sample_put(&run.sample, 202, 58);
    sample_put(&run.sample, 401, 90); /* under 6 x budget: a stutter of the new scene */
    cut(&run, 200, 200);
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[0]), "");
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-2:5");
    cr_assert_str_eq(spans_text(&run.spans[2]), "");
    free_pieces(&run);
}

Test(labels, a_visit_in_two_pieces_has_one_begin)
{
    struct pieces run = {.sample = sample_create(600, 16)};
    sample_put(&run.sample, 200, 110);
    sample_put(&run.sample, 201, 310);
    sample_put(&run.sample, 401, 400);
    cut(&run, 199, 1); /* the second piece is one frame, the third goes on in its visit */
    run.pieces[2].visit = 1;
    run.pieces[2].broken = true;
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-1:5");
    cr_assert_str_eq(spans_text(&run.spans[2]), "1-1:5");
    free_pieces(&run);
}

Test(labels, loading_spans_the_change_of_scene)
{
    struct pieces run = {.sample = sample_create(30, 16)};
    cut(&run, 10, 10);
    put_mark(&run, 0, 8, "loading_start");
    put_mark(&run, 2, 1, "loading_end");
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[0]), "9-10:3");
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-10:3");
    cr_assert_str_eq(spans_text(&run.spans[2]), "1-2:3");
    cr_assert(run.report.open_loadings == 0);
    free_pieces(&run);
}

Test(labels, declared_loading_scene)
{
    struct pieces run = {.sample = sample_create(30, 16)};
    sample_put(&run.sample, 11, 900);
    cut(&run, 10, 10);
    run.pieces[1].loading_scene = true;
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[0]), "");
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-10:3");
    free_pieces(&run);
}

Test(labels, interference_tail_crosses_pieces)
{
    struct pieces run = {.sample = sample_create(30, 16)};
    for (size_t row = 10; row <= 12; row++)
        sample_put(&run.sample, row, 70);
    cut(&run, 10, 10);
    put_mark(&run, 0, 8, "screenshot");
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[0]), "9-10:2");
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-2:2");
    free_pieces(&run);
}

Test(labels, a_clock_step_does_not_end_an_interval)
{
    struct pieces run = {.sample = sample_create(30, 16)};
    cut(&run, 10, 10);
    sample_restamp(&run.sample, 10, MS(3600000));
    run.pieces[1].broken = true;
    put_mark(&run, 0, 8, "loading_start");
    put_mark(&run, 1, 3, "loading_end");
    label_pieces(&run);
    cr_assert_str_eq(spans_text(&run.spans[0]), "9-10:3");
    cr_assert_str_eq(spans_text(&run.spans[1]), "1-4:3");
    cr_assert(run.report.open_loadings == 0);
    free_pieces(&run);
}
