/*
 * Small CSV files that people write for the program (devices, expectations): a header, then rows, read whole.
 */
#ifndef STUTTERSCOPE_CLI_CSV_FILE_H
#define STUTTERSCOPE_CLI_CSV_FILE_H

#include "stutterscope/base/error.h"
#include <stddef.h>

struct csv_file {
    char *path;
    char ***rows;       /* [row][column]; the first row is the header */
    size_t *widths;     /* fields of each row */
    size_t *lines;      /* line in the file on which each row begins */
    size_t count;
};

bool csv_file_read(const char *path, struct csv_file *ret, struct error *error);
void csv_file_free(struct csv_file *file);
/* Column by name without regard to case and blanks; SIZE_MAX when it is not there. */
size_t csv_file_column(const struct csv_file *file, const char *name);
/* "" when the row is shorter or the column is not there. */
const char *csv_file_field(const struct csv_file *file, size_t row, size_t column);

#endif
