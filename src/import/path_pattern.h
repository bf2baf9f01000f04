/*
 * Context out of a path: "{device}/{build}/{scene}.csv" against "nightly/Pixel 8/b100/Forest.csv".
 */
#ifndef IMPORT_PATH_PATTERN_H
#define IMPORT_PATH_PATTERN_H

#include "stutterscope/import/sink.h"

/*
 * The pattern is held against the last parts of the path; {name} takes at least one character and no '/', '*'
 * anything but '/'. Names are those of the options ({ci-run}) or of the columns ({ci_run_id}). New strings in
 * ret[], NULL where the pattern says nothing; free them with path_pattern_free(). false: a name is not known
 * (ERROR_USAGE) or the path does not fit (ERROR_INPUT).
 */
bool path_pattern_match(const char *pattern, const char *path, char *ret[CONTEXT_COUNT], struct error *error);
void path_pattern_free(char *values[CONTEXT_COUNT]);

#endif
