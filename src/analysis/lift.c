#include "stutterscope/analysis/lift.h"

#include "walk.h"
#include <math.h>
#include <string.h>

#define CHANCE_LIMIT 0.01
#define LEAST_LIFT   2
enum { LEAST_FOLLOWED = 2 };

bool window_follows(const int64_t *starts, size_t count, int64_t at, int64_t within_ns)
{
    for (size_t i = 0; i < count; i++)
        if (starts[i] >= at)
            return ns_minus(starts[i], at) <= within_ns;
    return false;
}

int64_t time_followed(const int64_t *starts, size_t count, int64_t from, int64_t to, int64_t within_ns)
{
    int64_t sum = 0, done = from;

    for (size_t i = 0; i < count; i++) {
        int64_t begin = ns_minus(starts[i], within_ns), end = starts[i] < to ? starts[i] : to;

        begin = begin > done ? begin : done;
        if (end > begin) {
            sum = ns_plus(sum, ns_minus(end, begin));
            done = end;
        }
    }
    return sum;
}

/* Frames of gameplay that follow each other. */
struct play {
    bool open;
    int64_t start_ns, end_ns;
};

static void close_play(struct play *play, const int64_t *starts, size_t count, int64_t within_ns, struct lift_time *ret)
{
    if (play->open && play->end_ns > play->start_ns) {
        ret->play_ns = ns_plus(ret->play_ns, ns_minus(play->end_ns, play->start_ns));
        ret->followed_ns = ns_plus(ret->followed_ns, time_followed(starts, count, play->start_ns, play->end_ns, within_ns));
    }
    play->open = false;
}

void lift_time_of(const struct frame_piece *pieces, size_t count, const int64_t *starts, size_t start_count,
                  int64_t within_ns, struct lift_time *ret)
{
    struct play play = {0};

    *ret = (struct lift_time){0};
    for (size_t p = 0; p < count; p++) {
        size_t at = 0, span = 0, first, end;
        enum frame_label label;

        while (next_stretch(&pieces[p], pieces[p].count, &at, &span, &first, &end, &label)) {
            if (label != LABEL_GAMEPLAY)
                close_play(&play, starts, start_count, within_ns, ret);
            for (size_t i = first; i < end && label == LABEL_GAMEPLAY; i++) {
                int64_t hole = p || i ? hole_before(pieces, p, i) : 0;

                if (hole == VALUE_UNKNOWN || hole > GAP_NS)
                    close_play(&play, starts, start_count, within_ns, ret);
                if (!play.open)
                    play = (struct play){true, frame_start(&pieces[p], i), 0};
                play.end_ns = pieces[p].stamp_ns[i];
            }
        }
    }
    close_play(&play, starts, start_count, within_ns, ret);
}

double binomial_at_least(int64_t k, int64_t n, double p)
{
    double sum = 0;

    if (k <= 0 || p >= 1)
        return k <= n ? 1 : 0;
    for (int64_t i = k; i <= n && p > 0; i++)
        sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) + (double)i * log(p) +
                   (double)(n - i) * log1p(-p));
    return sum < 1 ? sum : 1;
}

void lift_measure(int64_t occurrences, int64_t followed, double base, size_t events, struct lift *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->occurrences = occurrences;
    ret->followed = followed;
    ret->share = occurrences ? (double)followed / (double)occurrences : NAN;
    ret->base = base;
    ret->expected = (double)occurrences * base;
    ret->lift = base > 0 ? ret->share / base : NAN;
    ret->chance = binomial_at_least(followed, occurrences, base);
    ret->stands_out = followed >= LEAST_FOLLOWED && ret->share >= LEAST_LIFT * base && ret->chance * (double)events <= CHANCE_LIMIT;
}
