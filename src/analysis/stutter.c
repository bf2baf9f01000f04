#include "stutterscope/analysis/windows.h"
#include <math.h>

double stutter_severity(const struct stutter *stutter, double weight)
{
    if (stutter->runs <= 0)
        return 0;
    double occurrence = (double)stutter->runs_hit / (double)stutter->runs;
    return (double)stutter->peak_ns / (double)NS_PER_MS * occurrence * weight;
}

double stutter_rate_per_minute(const struct stutter *stutter)
{
    return stutter->play_ns > 0
               ? (double)stutter->windows * 60.0 * (double)NS_PER_S / (double)stutter->play_ns
               : NAN;
}

double stutter_lost_ms_per_s(const struct stutter *stutter)
{
    return stutter->play_ns > 0 ? 1000.0 * (double)stutter->excess_ns / (double)stutter->play_ns : NAN;
}
