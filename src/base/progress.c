#include "stutterscope/base/progress.h"

#include <stddef.h>

bool progress_report(const struct progress *progress, const char *what, int64_t done, int64_t total,
                     struct error *error)
{
    if (!progress || !progress->report || progress->report(progress->user, what, done, total))
        return true;
    return error_set(error, ERROR_STOPPED, "Stopped by the user (%s).", what);
}
