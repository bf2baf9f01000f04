/*
 * Names in narrow columns: cut so that they stay readable and no two of them look equal.
 */
#ifndef STUTTERSCOPE_VIEW_SCREENS_NAMES_H
#define STUTTERSCOPE_VIEW_SCREENS_NAMES_H

#include <stddef.h>

/* New strings of at most `columns` (at least 3) columns in ret[count]; equal ones only where names are equal. */
void names_cut(const char *const *names, size_t count, int columns, char **ret);
/*
 * The same over two lines: "Battle_03" becomes "Battle" over "03". Names without a place to split, or short enough,
 * stand on the lower line, and the upper is "".
 */
void names_cut_two(const char *const *names, size_t count, int upper_columns, int lower_columns, char **ret_upper,
                   char **ret_lower);
void names_free(char **names, size_t count); /* the strings; NULLs are allowed */

#endif
