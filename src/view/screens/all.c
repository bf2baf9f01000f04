#include "stutterscope/view/screens.h"

#include <stddef.h>

const struct screen_type *const all_screens[SCREEN_COUNT] = {
    [SCREEN_MAP] = &map_screen,     [SCREEN_QUEUE] = &queue_screen, [SCREEN_FRAMES] = &frames_screen,
    [SCREEN_TREND] = &trend_screen, [SCREEN_COVER] = &cover_screen, [SCREEN_TICKET] = &ticket_screen,
    [SCREEN_TUNE] = &tune_screen,   [SCREEN_MEMORY] = &memory_screen,
};
