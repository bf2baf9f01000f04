#include "analyze_stutters.h"

#include "id_index.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

static struct stutter *find_stutter(struct group_results *results, struct dictionary *keys, const struct stutter_window *window)
{
    const int64_t key[] = {(int64_t)window->label, window->event};
    uint32_t id = dictionary_add(keys, (const char *)key, sizeof key);

    if (id > results->stutters.count)
        array_push(&results->stutters, (struct stutter){.key = results->group.key, .label = window->label, .event = window->event,
                                                        .peak_ns = VALUE_UNKNOWN});
    return &results->stutters.items[id - 1];
}

static void count_exposure(struct group_results *results)
{
    struct id_index places = {0};
    int64_t play_ns = 0;

    for (size_t i = 0; i < results->runs.count; i++)
        if (!(results->runs.items[i].flags & FIGURE_NO_WINDOWS))
            play_ns += results->runs.items[i].distribution.duration_ns;
    for (size_t i = 0; i < results->events.count && results->stutters.count; i++)
        array_push(&places, (struct id_place){results->events.items[i].event, i});
    id_index_sort(&places);
    for (size_t i = 0; i < results->stutters.count; i++) {
        struct stutter *stutter = &results->stutters.items[i];
        size_t count;
        const struct id_place *place = id_index_find(&places, stutter->event, &count);

        stutter->runs = results->group.runs_windows;
        stutter->play_ns = play_ns;
        if (!stutter->event)
            stutter->seen = stutter->runs;
        for (size_t e = 0; stutter->event && e < count; e++)
            stutter->seen += results->events.items[place[e].at].occurrences;
    }
    array_free(&places);
}

void group_join_stutters(struct group_results *results)
{
    struct dictionary *keys = dictionary_create();
    int64_t *last_run = memory_take_zeroed(results->windows.count + 1, sizeof *last_run); /* of each stutter */

    for (size_t i = 0; i < results->windows.count; i++) {
        const struct stutter_window *window = &results->windows.items[i];
        struct stutter *stutter = find_stutter(results, keys, window);
        int64_t *last = &last_run[stutter - results->stutters.items];

        stutter->runs_hit += *last != window->run;
        *last = window->run;
        stutter->windows++;
        stutter->over += window->over;
        stutter->excess_ns += window->excess_ns;
        if (window->peak_ns > stutter->peak_ns) {
            stutter->peak_ns = window->peak_ns;
            stutter->worst_window = (int64_t)i;
            stutter->causes = window->causes;
        }
    }
    dictionary_destroy(keys);
    free(last_run);
    count_exposure(results);
}
