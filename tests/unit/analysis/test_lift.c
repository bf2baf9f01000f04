/*
 * Event lift against counts on paper.
 */
#include "stutterscope/analysis/lift.h"
#include <criterion/criterion.h>
#include <math.h>

Test(lift, follows_within)
{
    static const int64_t starts[] = {100, 500};

    cr_assert(window_follows(starts, 2, 100, 0), "at the event itself");
    cr_assert(window_follows(starts, 2, 300, 200), "the limit is included");
    cr_assert(!window_follows(starts, 2, 299, 200));
    cr_assert(!window_follows(starts, 2, 501, 1000), "only what comes after");
}

/* Windows at 100 and 150, within 80: (20, 100] and (100, 150] of 0 … 1000; one at 30 reaches back to 0 only. */
Test(lift, time_is_counted_once)
{
    static const int64_t starts[] = {100, 150}, early[] = {30}, outside[] = {2000};

    cr_assert_eq(time_followed(starts, 2, 0, 1000, 80), 80 + 50);
    cr_assert_eq(time_followed(early, 1, 0, 1000, 80), 30);
    cr_assert_eq(time_followed(outside, 1, 0, 1000, 80), 0);
}

Test(lift, binomial)
{
    cr_assert_float_eq(binomial_at_least(2, 3, 0.5), 4.0 / 8, 1e-12);
    cr_assert_float_eq(binomial_at_least(3, 3, 0.1), 0.001, 1e-12);
    cr_assert_float_eq(binomial_at_least(0, 3, 0.1), 1, 1e-12);
    cr_assert_float_eq(binomial_at_least(1, 3, 0), 0, 1e-12);
}

/* 9 of 11 against 5 %: 0.55 expected; one of one is no evidence. */
Test(lift, what_stands_out)
{
    struct lift lift;

    lift_measure(11, 9, 0.05, 4, &lift);
    cr_assert_float_eq(lift.expected, 0.55, 1e-12);
    cr_assert_float_eq(lift.lift, 9.0 / 11 / 0.05, 1e-9);
    cr_assert(lift.stands_out);
    lift_measure(1, 1, 0.001, 1, &lift);
    cr_assert(!lift.stands_out, "once is nothing");
    lift_measure(10, 4, 0.3, 1, &lift);
    cr_assert(!lift.stands_out, "not twice the base rate");
    lift_measure(4, 0, 0, 1, &lift);
    cr_assert(isnan(lift.lift) && !lift.stands_out);
}

/*
 * Ten frames of 100 ms, the fourth and fifth loading: play is 0 … 300 and 500 … 1000 ms. A window at 700 ms reaches back
 * to 400: 200 ms of play are followed. Then nothing for 2 s, and two frames more: the window at 3000 ms reaches into the
 * hole only.
 */
Test(lift, only_gameplay_is_followed)
{
    struct label_span loading = {3, 2, LABEL_LOADING};
    const struct label_spans spans = {.items = &loading, .count = 1}, none = {0};
    int64_t stamps[10], frames[10], later[] = {3100 * NS_PER_MS, 3200 * NS_PER_MS};
    const int64_t starts[] = {700 * NS_PER_MS, 3000 * NS_PER_MS};
    struct frame_piece pieces[] = {{.stamp_ns = stamps, .frame_ns = frames, .count = 10, .labels = &spans},
                                   {.stamp_ns = later, .frame_ns = frames, .count = 2, .labels = &none}};
    struct lift_time time;

    for (int i = 0; i < 10; i++) {
        frames[i] = 100 * NS_PER_MS;
        stamps[i] = (i + 1) * frames[i];
    }
    lift_time_of(pieces, 2, starts, 2, 300 * NS_PER_MS, &time);
    cr_assert_eq(time.play_ns, 1000 * NS_PER_MS);
    cr_assert_eq(time.followed_ns, 200 * NS_PER_MS);
}
