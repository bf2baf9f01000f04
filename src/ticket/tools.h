/*
 * Which profiler to use: a table in the program's data, or the user's own, by operating system, chip and
 * cause.
 */
#ifndef STUTTERSCOPE_TICKET_TOOLS_H
#define STUTTERSCOPE_TICKET_TOOLS_H

#include "stutterscope/base/error.h"
#include "stutterscope/base/json.h"

struct tool_table; /* the text of the table */

/* Errors name file and line. */
bool tool_table_read(struct tool_table **ret, struct error *error);
bool tool_table_parse(const char *name, const char *text, struct tool_table **ret, struct error *error);
void tool_table_destroy(struct tool_table *table);
/* At most two different tools as [{"tool": …, "view": … or null}], in the order of the table. NULL counts as
 * "". */
struct json *tool_table_find(const struct tool_table *table, const char *os, const char *chip,
                             const char *cause);

#endif
