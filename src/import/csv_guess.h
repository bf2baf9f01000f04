/*
 * Columns of anybody's logger, by the words of their names: what they probably are and in which unit, checked against
 * the first rows.
 */
#ifndef IMPORT_CSV_GUESS_H
#define IMPORT_CSV_GUESS_H

#include "csv.h"

/* Does a name of the header stand for a frame time ("dt_us", "Frame Time [s]", "delta seconds")? */
bool csv_guess_has_frame_time(const struct table_row *header);
/* The first such column; -1: none. */
int csv_guess_frame_time(const struct table_row *header);
/*
 * Fills what is COLUMN_IS_UNKNOWN in csv->columns as far as names tell and csv->row (the header) has nothing canonical
 * for it, and tells the sink. line: of the header. Units: that of the name, unless half of the values in it would be
 * no frame times (below 0.05 ms or above 5 s) and do not fit the time stamps; without one in the name that in which
 * the median is 0.5 ms to 0.5 s. Time stamps without a unit: that in which they span the summed frame times.
 */
void csv_guess_columns(struct csv *csv, int64_t line);

#endif
