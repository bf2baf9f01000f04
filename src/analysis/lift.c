#include "stutterscope/analysis/lift.h"

#include <math.h>
#include <string.h>

#define CHANCE_LIMIT 0.01
#define LEAST_LIFT   2
enum { LEAST_FOLLOWED = 2 };

bool window_follows(const int64_t *starts, size_t count, int64_t at, int64_t within_ns)
{
    for (size_t i = 0; i < count; i++)
        if (starts[i] >= at)
            return starts[i] - at <= within_ns;
    return false;
}

int64_t time_followed(const int64_t *starts, size_t count, int64_t from, int64_t to, int64_t within_ns)
{
    int64_t sum = 0, done = from;

    for (size_t i = 0; i < count; i++) {
        int64_t begin = starts[i] - within_ns;

        if (starts[i] < from || starts[i] >= to)
            continue;
        begin = begin > done ? begin : done;
        if (starts[i] > begin)
            sum += starts[i] - begin;
        done = starts[i];
    }
    return sum;
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
