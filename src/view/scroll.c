#include "stutterscope/view/scroll.h"

#include <stdio.h>

static int between(int value, int least, int most)
{
    if (value > most)
        value = most;
    return value < least ? least : value;
}

void scroll_set_count(struct scroll *scroll, int count)
{
    scroll->count = count > 0 ? count : 0;
    scroll->selected = between(scroll->selected, 0, scroll->count - 1);
    scroll->first = between(scroll->first, 0, scroll->count - 1);
}

int scroll_top(const struct scroll *scroll, int page)
{
    if (page < 1)
        return scroll->selected;
    int top = between(scroll->first, 0, scroll->count - page);
    return between(top, scroll->selected - page + 1, scroll->selected);
}

void scroll_select(struct scroll *scroll, int row, int page)
{
    scroll->selected = between(row, 0, scroll->count - 1);
    scroll->first = scroll_top(scroll, page);
}

/* By how many rows the action moves; false when it is no move. */
static bool distance_of(const struct screen_event *event, int count, int page, int *ret)
{
    int steps = event->argument > 1 ? event->argument : 1;
    int whole = page > 1 ? page : 1, half = page > 2 ? page / 2 : 1;
    switch (event->action) {
    case ACTION_UP:
        *ret = -steps;
        return true;
    case ACTION_DOWN:
        *ret = steps;
        return true;
    case ACTION_HALF_UP:
        *ret = -half;
        return true;
    case ACTION_HALF_DOWN:
        *ret = half;
        return true;
    case ACTION_PAGE_UP:
        *ret = -whole;
        return true;
    case ACTION_PAGE_DOWN:
        *ret = whole;
        return true;
    case ACTION_FIRST:
        *ret = -count;
        return true;
    case ACTION_LAST:
        *ret = count;
        return true;
    default:
        return false;
    }
}

bool scroll_act(struct scroll *scroll, const struct screen_event *event, int page)
{
    int distance = 0;
    if (!distance_of(event, scroll->count, page, &distance))
        return false;
    scroll_select(scroll, scroll->selected + distance, page);
    return true;
}

bool scroll_act_view(struct scroll *scroll, const struct screen_event *event, int page)
{
    int distance = 0;
    if (!distance_of(event, scroll->count, page, &distance))
        return false;
    scroll->first = between(scroll->first + distance, 0, scroll->count - page);
    scroll->selected = scroll->first;
    return true;
}

char *scroll_print(const struct scroll *scroll, int page, char *buffer, size_t size)
{
    int top = scroll_top(scroll, page);
    int last = top + page < scroll->count ? top + page : scroll->count;
    if (page >= scroll->count)
        snprintf(buffer, size, "all %d", scroll->count);
    else
        snprintf(buffer, size, "%d-%d of %d", top + 1, last, scroll->count);
    return buffer;
}
