#include "helper.h"
#include <criterion/criterion.h>

static const struct event_figures *find_event(const struct event_tally *tally, int64_t event)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->items[i].event == event)
            return &tally->items[i];
    return NULL;
}

Test(tally, frames_belong_to_events)
{
    struct sample sample = sample_create(1000, 20);
    struct event_tally tally = {0};
    sample_event(&sample, 100, 7, "boss_spawn"); /* owns the frames 100 … 200 */
    sample_put(&sample, 101, 31);
    sample_put(&sample, 300, 45);
    sample_event(&sample, 400, 8, "explosion");
    sample_put(&sample, 401, 28);
    sample_event(&sample, 402, 7, "boss_spawn");
    sample_put(&sample, 402, 25);
    sample_event(&sample, 500, 9, "screenshot");
    sample_put(&sample, 500, 90);
    sample_label(&sample);
    struct frame_piece piece = sample_piece(&sample);
    events_tally(&piece, 1, &tally);
    cr_assert(tally.count == 4);
    cr_assert(tally.items[0].event == 0 && tally.items[0].peak_ns == MS(45) &&
              tally.items[0].occurrences == 0);
    cr_assert(tally.items[1].event == 7 && tally.items[1].occurrences == 2 &&
              tally.items[1].peak_ns == MS(31));
    cr_assert(tally.items[2].event == 8 && tally.items[2].occurrences == 1 &&
              tally.items[2].peak_ns == MS(28));
    cr_assert(tally.items[3].event == 9 && tally.items[3].occurrences == 1);
    cr_assert(tally.items[3].peak_ns == VALUE_UNKNOWN, "silent events own no frame");
    cr_assert(tally.items[1].run == 1 && tally.items[1].scene == 1 && tally.items[1].quality == 1);
    free(tally.items);
    sample_free(&sample);
}

Test(tally, reach_is_two_seconds)
{
    struct sample sample = sample_create(300, 20);
    struct event_tally tally = {0};
    sample_event(&sample, 100, 7, "boss_spawn");
    sample_put(&sample, 200, 40); /* starts 2000 ms after it */
    sample_label(&sample);
    struct frame_piece piece = sample_piece(&sample);
    events_tally(&piece, 1, &tally);
    cr_assert(find_event(&tally, 7)->peak_ns == MS(40) && find_event(&tally, 0)->peak_ns == MS(20));
    sample_put(&sample, 200, 20);
    sample_put(&sample, 201, 40);
    tally.count = 0;
    events_tally(&piece, 1, &tally);
    cr_assert(find_event(&tally, 7)->peak_ns == MS(20) && find_event(&tally, 0)->peak_ns == MS(40));
    piece.stamp_ns = NULL; /* frame times do as well */
    tally.count = 0;
    events_tally(&piece, 1, &tally);
    cr_assert(find_event(&tally, 7)->peak_ns == MS(20) && find_event(&tally, 0)->peak_ns == MS(40));
    free(tally.items);
    sample_free(&sample);
}

Test(tally, runs_are_added)
{
    struct sample sample = sample_create(10, 20);
    struct event_tally tally = {0};
    struct frame_piece piece = sample_piece(&sample);
    events_tally(&piece, 1, &tally);
    piece.run = 2;
    events_tally(&piece, 1, &tally);
    cr_assert(tally.count == 2 && tally.items[0].run == 1 && tally.items[1].run == 2);
    events_tally(NULL, 0, &tally);
    cr_assert(tally.count == 2);
    free(tally.items);
    sample_free(&sample);
}

/* The event of one frame by looking at all marks; pieces share the sample's arrays. */
static int64_t plain_event(const struct frame_piece *pieces, size_t piece, size_t frame)
{
    int64_t event = 0, start = pieces[piece].stamp_ns[frame] - pieces[piece].frame_ns[frame];
    for (size_t p = 0; p <= piece; p++) {
        if (pieces[p].visit != pieces[piece].visit)
            continue;
        for (size_t m = 0; m < pieces[p].event_count; m++) {
            const struct event_mark *mark = &pieces[p].events[m];
            if ((p == piece && mark->frame > frame) || event_class_is_silent(mark->class))
                continue;
            int64_t begin = pieces[p].stamp_ns[mark->frame] - pieces[p].frame_ns[mark->frame];
            if (p == piece && mark->frame == frame)
                return mark->event;
            if (mark->begins)
                event = start - begin <= 2000000000 ? mark->event : 0;
        }
    }
    return event;
}

Test(tally, equals_a_plain_second_implementation)
{
    static const char *const names[] = {"boss_spawn", "screenshot", "loading_start", "loading_end",
                                        "explosion"};
    uint64_t random = 5;
    for (int round = 0; round < 30; round++) {
        struct sample sample = sample_create(1200, 16);
        struct label_spans spans[4] = {{0}, {0}, {0}, {0}};
        struct frame_piece pieces[4];
        struct event_tally tally = {0};
        int64_t peaks[6], occurrences[6] = {0};
        for (size_t i = 0; i < sample.count; i++) {
            sample.frame_ns[i] += (int64_t)(next_random(&random) % 40000000);
            if (next_random(&random) % 80 == 0) {
                size_t name = next_random(&random) % 5;
                for (uint64_t length = next_random(&random) % 3; length > 0 && i + 1 < sample.count;
                     length--, i++)
                    sample_event(&sample, i + 1, (int64_t)name + 1, names[name]);
            }
        }
        sample_restamp(&sample, 0, 0);
        sample_restamp(&sample, 500, sample.stamp_ns[499] + MS(1500));
        size_t mark = 0;
        for (size_t i = 0; i < 4; i++) {
            pieces[i] = sample_piece(&sample);
            pieces[i].count = 300;
            pieces[i].frame_ns += 300 * i;
            pieces[i].stamp_ns += 300 * i;
            pieces[i].visit = (int64_t)(i + 1) / 2; /* the second and the third are one visit */
            pieces[i].events += mark;
            for (pieces[i].event_count = 0;
                 mark < sample.mark_count && sample.marks[mark].frame < 300 * (i + 1); mark++) {
                sample.marks[mark].frame -= 300 * i;
                pieces[i].event_count++;
            }
        }
        label_run(pieces, 4, &sample.settings, spans, &sample.report);
        for (size_t i = 0; i < 6; i++)
            peaks[i] = VALUE_UNKNOWN;
        for (size_t i = 0; i < 4; i++) {
            pieces[i].labels = &spans[i];
            for (size_t f = 0; f < 300; f++) {
                int64_t event = plain_event(pieces, i, f), frame_ns = pieces[i].frame_ns[f];
                if (label_at(&spans[i], f) == LABEL_GAMEPLAY && frame_ns > peaks[event])
                    peaks[event] = frame_ns;
            }
            for (size_t m = 0; m < pieces[i].event_count; m++)
                occurrences[pieces[i].events[m].event] += pieces[i].events[m].begins;
        }
        events_tally(pieces, 4, &tally);
        for (int64_t event = 0; event < 6; event++) {
            const struct event_figures *found = find_event(&tally, event);
            cr_assert((found ? found->peak_ns : VALUE_UNKNOWN) == peaks[event], "round %d event %ld", round,
                      (long)event);
            cr_assert((found ? found->occurrences : 0) == occurrences[event]);
        }
        for (size_t i = 0; i < 4; i++)
            free(spans[i].items);
        free(tally.items);
        sample_free(&sample);
    }
}

Test(tally, many_events)
{
    struct sample sample = sample_create(5000, 20);
    struct event_tally tally = {0};
    for (size_t row = 1; row <= 5000; row++)
        sample_event(&sample, row, (int64_t)(row % 1000) + 1000000, "x");
    struct frame_piece piece = sample_piece(&sample);
    events_tally(&piece, 1, &tally);
    cr_assert(tally.count == 1000);
    for (size_t i = 0; i < tally.count; i++)
        cr_assert(tally.items[i].occurrences == 5);
    free(tally.items);
    sample_free(&sample);
}
