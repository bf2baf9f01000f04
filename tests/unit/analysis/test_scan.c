#include "../../../src/analysis/scan.h"
#include "helper.h"
#include "stutterscope/analysis/holes.h"
#include <criterion/criterion.h>

#define ROOM 400

/* Ordinary frame times, and now and then what only a damaged store hands over. */
static int64_t hostile_value(uint64_t *random, unsigned one_in)
{
    const int64_t odd[] = {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, -1, 0, 1, -NS_PER_S, (int64_t)1 << 56,
                           ((int64_t)1 << 56) - 1, (int64_t)1 << 62, -((int64_t)1 << 62), (int64_t)1 << 32};
    if (one_in > 0 && next_random(random) % one_in == 0)
        return odd[next_random(random) % (sizeof odd / sizeof *odd)];
    return MS(8) + (int64_t)(next_random(random) % 20000000);
}

/* What one case looks at: some values, a stretch of them, a limit. */
struct scan_case {
    int64_t values[ROOM];
    size_t first, end;
    int64_t limit;
};

static void make_case(struct scan_case *ret, uint64_t *random, int round)
{
    unsigned one_in = round % 3 == 0 ? 0 : round % 3 == 1 ? 100 : 5;
    for (size_t i = 0; i < ROOM; i++)
        ret->values[i] = hostile_value(random, one_in);
    ret->first = next_random(random) % 70;
    ret->end = ret->first + next_random(random) % (ROOM - 70);
    ret->limit = round % 4 == 0 ? hostile_value(random, 2) : ret->values[next_random(random) % ROOM];
    if (round % 5 == 0)
        ret->limit = MS(27.9);
}

Test(scan, finds_what_a_plain_loop_finds)
{
    uint64_t random = 3;
    struct scan_case it;
    for (int round = 0; round < 20000; round++) {
        make_case(&it, &random, round);
        size_t over = it.first, below = 0;
        int64_t greatest = round % 7 ? VALUE_UNKNOWN : hostile_value(&random, 4), begun = greatest;
        while (over < it.end && it.values[over] <= it.limit)
            over++;
        for (size_t i = it.first; i < it.end; i++) {
            below += it.values[i] < it.limit;
            greatest = it.values[i] > greatest ? it.values[i] : greatest;
        }
        cr_assert(scan_over(it.values, it.first, it.end, it.limit) == over, "round %d", round);
        cr_assert(scan_count_below(it.values + it.first, it.end - it.first, it.limit) == below, "round %d", round);
        cr_assert(scan_greatest(it.values, it.first, it.end, begun) == greatest, "round %d", round);
    }
}

Test(scan, adds_up_like_a_plain_loop)
{
    uint64_t random = 4;
    struct scan_case it;
    size_t in_the_middle = 0;
    for (int round = 0; round < 20000; round++) {
        make_case(&it, &random, round);
        int64_t begun = round % 4 == 1 ? hostile_value(&random, 2) : 0, time = begun, limit = it.limit;
        if (round % 2)
            limit = (int64_t)(next_random(&random) % 5000) * NS_PER_MS;
        size_t stop = it.first;
        for (; stop < it.end && time < limit; stop++)
            time = ns_plus(time, it.values[stop]);
        size_t at = it.first;
        scan_add_up_to(it.values, it.end, limit, &at, &begun);
        cr_assert(at == stop && begun == time, "round %d", round);
        in_the_middle += at > it.first + SCAN_BLOCK && at < it.end;
    }
    cr_assert(in_the_middle > 1000);
}

Test(scan, gaps_are_those_of_the_holes)
{
    uint64_t random = 5;
    int64_t found = 0;
    for (int round = 0; round < 3000; round++) {
        struct scan_case frames, stamps;
        struct frame_piece pieces[3];
        struct hole_figures fast[3], plain[3];
        int64_t time = 0;
        make_case(&frames, &random, round);
        make_case(&stamps, &random, round);
        for (size_t i = 0; i < ROOM; i++) {
            uint64_t kind = next_random(&random) % 100;
            time = ns_plus(time, ns_plus(frames.values[i], kind == 0 ? GAP_NS : kind == 1 ? GAP_NS + 1 : kind == 2 ? 2 * GAP_NS : 0));
            stamps.values[i] = round % 3 == 2 && kind > 90 ? stamps.values[i] : time;
        }
        for (size_t i = 0; i < 3; i++)
            pieces[i] = (struct frame_piece){.run = 1, .segment = (int64_t)i + 1, .frame_ns = frames.values + 130 * i,
                                             .stamp_ns = round % 50 == 0 ? NULL : stamps.values + 130 * i,
                                             .count = next_random(&random) % 131, .broken = next_random(&random) % 5 == 0};
        holes_find(pieces, 3, plain);
        gaps_find(pieces, 3, fast);
        for (size_t i = 0; i < 3; i++) {
            cr_assert(fast[i].gaps == plain[i].gaps && fast[i].gap_ns == plain[i].gap_ns, "round %d", round);
            cr_assert(fast[i].tested == 0 && fast[i].wide == 0);
            found += fast[i].gaps;
        }
    }
    cr_assert(found > 1000);
}
