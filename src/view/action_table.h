/*
 * The rows of the action table, for action.c alone.
 */
#ifndef SRC_VIEW_ACTION_TABLE_H
#define SRC_VIEW_ACTION_TABLE_H

#include "stutterscope/view/action.h"

extern const struct action_info action_table[ACTION_TABLE_COUNT];

#endif
