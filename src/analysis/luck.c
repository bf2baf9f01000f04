#include "stutterscope/analysis/luck.h"

#include <math.h>

double hit_rate(int64_t windows, int64_t seen)
{
    if (seen <= 0)
        return NAN;
    return windows >= seen ? 1 : (double)windows / (double)seen;
}

double luck_of(double rate, int64_t seen)
{
    if (seen <= 0)
        return 1;
    return pow(1 - rate, (double)seen); /* NaN stays NaN */
}

int64_t luck_needs(double rate, int64_t seen)
{
    int64_t wanted;

    if (!(rate > 0))
        return -1;
    if (luck_of(rate, seen) <= LUCK_LIMIT)
        return 0;
    wanted = rate >= 1 ? 1 : (int64_t)ceil(log(LUCK_LIMIT) / log1p(-rate));
    while (luck_of(rate, wanted) > LUCK_LIMIT) /* the logarithm may fall short by rounding */
        wanted++;
    return wanted - seen;
}
