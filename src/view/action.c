#include "stutterscope/view/action.h"

#include "action_table.h"
#include <stddef.h>
#include <string.h>

static const char *const screen_names[SCREEN_COUNT] = {"Map",   "Queue",  "Frames", "Trend",
                                                       "Cover",  "Ticket", "Tune",   "Memory"};

static const char *const group_names[GROUP_COUNT] = {
    [GROUP_MOVE] = "Move", [GROUP_LOOK] = "Look",     [GROUP_FIND] = "Find, filter, mark",
    [GROUP_TAKE] = "Take", [GROUP_DECIDE] = "Decide", [GROUP_PROGRAM] = "Program",
};

const char *screen_kind_name(enum screen_kind kind)
{
    return kind < SCREEN_COUNT ? screen_names[kind] : "";
}

const char *action_group_name(enum action_group group)
{
    return group_names[group];
}

const struct action_info *action_info(enum action action)
{
    return &action_table[action < ACTION_TABLE_COUNT ? action : ACTION_NONE];
}

enum action action_by_name(const char *name)
{
    for (int i = ACTION_NONE + 1; i < ACTION_TABLE_COUNT; i++)
        if (strcmp(action_table[i].name, name) == 0)
            return (enum action)i;
    return ACTION_NONE;
}

bool action_is_on(enum action action, enum screen_kind kind)
{
    return kind < SCREEN_COUNT && action_info(action)->on[kind] != NULL;
}

const char *action_help(enum action action, enum screen_kind kind)
{
    const struct action_info *info = action_info(action);
    if (kind < SCREEN_COUNT && info->on[kind] != NULL && info->on[kind][0] != '\0')
        return info->on[kind];
    return info->help;
}

bool action_opens_text(enum action action)
{
    return action == ACTION_DISTRIBUTION || action == ACTION_WHY || action == ACTION_RUNS || action == ACTION_PAYLOAD;
}
