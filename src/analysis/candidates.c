#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/memory.h"
#include "scan.h"
#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

#define Z_SCALE                                                                                              \
    0.6745 /* makes the MAD of a normal distribution its standard deviation (Iglewicz and Hoaglin 1993) */

/*
 * Smallest integer x with 0.6745 (x - median) / divisor >= z, in integers: the median has halves, the divisor
 * quarters of ns, z is in thousandths; all of it times 40000 gives 4 * 6745 x >= 2 * 6745 (2 median) + 10
 * z_milli (4 divisor).
 */
static int64_t find_z_limit(double median_ns, double divisor_ns, int64_t z_milli)
{
    wide median_doubled = (wide)llround(2 * median_ns), divisor_quadrupled = (wide)llround(4 * divisor_ns);
    wide right = 2 * 6745 * median_doubled + 10 * (wide)z_milli * divisor_quadrupled, left = 4 * 6745;
    wide limit = (right + left - 1) / left;
    return limit > INT64_MAX ? INT64_MAX : (int64_t)limit;
}

struct candidate_limits candidate_limits_of(const struct distribution *distribution,
                                            const struct analysis_settings *settings)
{
    struct candidate_limits limits = {.rule = settings->rule, .z_limit_ns = INT64_MAX};
    if (!distribution || distribution->frames <= 0) {
        limits.rule = RULE_BUDGET;
        return limits;
    }
    limits.median_ns = distribution->median_ns;
    limits.floor_used = distribution->mad_ns < (double)settings->mad_floor_ns;
    limits.divisor_ns = limits.floor_used ? (double)settings->mad_floor_ns : distribution->mad_ns;
    if (limits.divisor_ns > 0)
        limits.z_limit_ns = find_z_limit(limits.median_ns, limits.divisor_ns, settings->z_milli);
    if (!(limits.divisor_ns > 0) || distribution->frames_kept < settings->few_frames)
        limits.rule = RULE_BUDGET;
    return limits;
}

double candidate_z(const struct candidate_limits *limits, int64_t frame_ns)
{
    if (!(limits->divisor_ns > 0))
        return NAN;
    return Z_SCALE * ((double)frame_ns - limits->median_ns) / limits->divisor_ns;
}

/* Gameplay frames are candidates when their time is greater than this. */
static int64_t gameplay_limit(const struct candidate_limits *limits, int64_t alert_ns)
{
    int64_t z_ns = limits->z_limit_ns - 1;
    switch (limits->rule) {
    case RULE_BOTH:
        return z_ns > alert_ns ? z_ns : alert_ns;
    case RULE_MAD:
        return z_ns;
    case RULE_EITHER:
        return z_ns < alert_ns ? z_ns : alert_ns;
    case RULE_BUDGET:
        break;
    }
    return alert_ns;
}

void candidates_find(const struct frame_piece *piece, const struct candidate_limits *limits,
                     const struct analysis_settings *settings, struct frame_indices *ret)
{
    int64_t alert_ns = frame_limits_of(settings, piece->fps_milli).alert_ns;
    size_t at = 0, span = 0, first, end;
    enum frame_label label;

    ret->count = 0;
    while (next_stretch(piece, piece->count, &at, &span, &first, &end, &label)) {
        if (label == LABEL_PAUSE)
            continue;
        int64_t limit = label == LABEL_GAMEPLAY ? gameplay_limit(limits, alert_ns) : alert_ns;
        for (size_t i = first; (i = scan_over(piece->frame_ns, i, end, limit)) < end; i++)
            array_push(ret, i);
    }
}
