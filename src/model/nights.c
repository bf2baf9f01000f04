/*
 * Nights on which nothing came in, whatever the builds are called.
 */
#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/status.h"
#include <stdlib.h>
#include <string.h>

enum { MS_PER_DAY = 86400000 };

char *day_print(char *buffer, size_t size, int64_t day)
{
    enum { DATE_LENGTH = 10 };

    clock_print(buffer, size, day * MS_PER_DAY);
    if (strlen(buffer) > DATE_LENGTH)
        buffer[DATE_LENGTH] = '\0';
    return buffer;
}

static int compare_days(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

bool model_missed_nights(struct model *model, int64_t today_ms, struct missed_nights *ret, struct error *error)
{
    struct { int64_t *items; size_t count, capacity; } days = {0};
    const struct run_start_list *starts;
    int64_t today = clock_day(today_ms == VALUE_UNKNOWN ? clock_now_ms() : today_ms);

    *ret = (struct missed_nights){.first_day = VALUE_UNKNOWN, .last_day = VALUE_UNKNOWN};
    starts = model_run_starts(model, error);
    if (!starts)
        return false;
    for (size_t i = 0; i < starts->count; i++) {
        int64_t day = starts->items[i].started_at_ms != VALUE_UNKNOWN ? clock_day(starts->items[i].started_at_ms) : INT64_MAX;

        if (day <= today && !(days.count && days.items[days.count - 1] == day)) /* runs of a night follow each other */
            array_push(&days, day);
    }
    if (days.count) {
        qsort(days.items, days.count, sizeof *days.items, compare_days);
        ret->first_day = days.items[0];
        ret->last_day = days.items[days.count - 1];
    }
    for (size_t i = 0; i < days.count; i++) {
        int64_t next = i + 1 < days.count ? days.items[i + 1] : today;

        for (int64_t day = days.items[i] + 1; day < next; day++)
            array_push(ret, day);
    }
    array_free(&days);
    return true;
}

void missed_nights_free(struct missed_nights *nights)
{
    array_free(nights);
}
