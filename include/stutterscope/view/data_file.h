/*
 * What a screen shows as data for a file: the JSON that its payload action shows, or the rows of that as CSV.
 */
#ifndef STUTTERSCOPE_VIEW_DATA_FILE_H
#define STUTTERSCOPE_VIEW_DATA_FILE_H

#include "stutterscope/base/json.h"
#include "stutterscope/view/screen.h"

bool data_file_is_name(const char *name); /* ends in .json or .csv */
/* A new string; NULL with an error when the screen has no data, or no rows for CSV. */
char *data_file_text(struct screen *screen, struct area area, const char *name, struct error *error);
/* The members of the rows of a document with "rows", the first row's names as the header line; NULL without rows. */
char *data_file_csv(const struct json *document);

#endif
