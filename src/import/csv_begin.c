/* Where a table begins: its header is the first line, or stands behind a title and facts ("Device;Pixel 8"). */
#include "csv.h"
#include "csv_guess.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <string.h>

#define MOST_LINES_BEFORE 30
#define SCORE_OF_A_TIME   25 /* a header with one number, which may be the frame time */
#define BEST_SCORE_BEHIND 40 /* formats that begin with lines of their own are surer */

static int score_header(const struct table_row *header, const struct import_options *options)
{
    const unsigned value = 1u << SAMPLE_NAME | 1u << SAMPLE_VALUE, snapshot = 1u << SAMPLE_CATEGORY | 1u << SAMPLE_BYTES;
    struct column_target target;
    unsigned parts = 0;
    int score = 0;

    for (size_t i = 0; i < header->count; i++) {
        if (column_find_mapped(options, header->items[i].text, header->items[i].length, &target))
            score += target.kind == COLUMN_IS_NUMBER ? SCORE_OF_A_TIME : target.kind == COLUMN_IS_SAMPLE ? 0 : 10;
        if (target.kind == COLUMN_IS_SAMPLE)
            parts |= 1u << target.index;
    }
    if ((parts & value) == value || (parts & snapshot) == snapshot)
        score += 50;
    if (options && options->map_count > 0 && score > 0)
        score = 95; /* the user says which columns: no other format is meant */
    score = score > 90 && score != 95 ? 90 : score;
    return score < SCORE_OF_A_TIME && csv_guess_has_frame_time(header) ? SCORE_OF_A_TIME : score;
}

/* The column of the frame times; -1: none. */
static int find_frame_time(const struct table_row *header, const struct import_options *options)
{
    struct column_target target;

    for (size_t i = 0; i < header->count; i++) {
        if (column_find_mapped(options, header->items[i].text, header->items[i].length, &target) && target.kind == COLUMN_IS_NUMBER &&
            target.index == COLUMN_FRAME_TIME)
            return (int)i;
    }
    return csv_guess_frame_time(header);
}

/* The next line that is not blank; false at the end of the sample, which may cut its last line. */
static bool next_line(const char **at, const char *end, int64_t *number, const char **ret_line, size_t *ret_length)
{
    while (*at < end) {
        const char *stop = memchr(*at, '\n', (size_t)(end - *at));

        if (!stop)
            return false;
        *ret_line = *at;
        *ret_length = (size_t)(stop - *at);
        *at = stop + 1;
        (*number)++;
        if (!table_line_is_blank(*ret_line, *ret_length, 0))
            return true;
    }
    return false;
}

/*
 * The first line that names a frame time above a line that has a number there, for prose names it, too. 0: none among the
 * first lines. *ret: its fields.
 */
static int64_t find_header_behind(const struct import_sample *sample, const struct import_options *options, struct table_row *ret)
{
    const char *at = sample->text, *end = at + sample->length, *line;
    struct table_row first = {0};
    int64_t number = 0, found = 0;
    size_t length;

    while (!found && number < MOST_LINES_BEFORE && next_line(&at, end, &number, &line, &length)) {
        char separator = table_find_separator(line, length);
        const char *after = at;
        int64_t ignored, follows = number;
        int column;

        if (!separator)
            continue;
        table_split(line, length, separator, ret);
        column = find_frame_time(ret, options);
        if (column < 0 || !next_line(&after, end, &follows, &line, &length))
            continue;
        table_split(line, length, separator, &first);
        if ((size_t)column < first.count && number_parse_scaled(first.items[column].text, first.items[column].length, 1, true, &ignored) == NUMBER_OK)
            found = number;
    }
    table_row_free(&first);
    return found;
}

bool csv_find_header(struct csv *csv, struct error *error)
{
    struct import_input *input = csv->reader->input;
    struct import_line line;
    int64_t behind = 0;

    while (import_input_next_line(input, &line)) {
        if (line.number < behind)
            continue;
        if (!csv->separator && table_sep_line(line.text, line.length)) {
            csv->separator = table_sep_line(line.text, line.length);
            continue;
        }
        if (table_line_is_blank(line.text, line.length, 0) || line.text[0] == '#')
            continue;
        if (!csv->separator)
            csv->separator = table_find_separator(line.text, line.length);
        if (!csv->separator)
            csv->separator = ',';
        table_read_row(input, &line, csv->separator, &csv->row);
        if (behind == 0 && score_header(&csv->row, csv->reader->options) < SCORE_OF_A_TIME) {
            struct table_row header = {0};

            behind = find_header_behind(import_input_sample(input), csv->reader->options, &header);
            table_row_free(&header);
            if (behind > line.number) {
                csv_note(csv, memory_print("The header is in line %" PRId64 ": the lines before it were left out.", behind));
                csv->separator = 0;
                continue;
            }
        }
        return csv_take_header(csv, line.number, error);
    }
    if (!import_input_end(input, error))
        return false;
    return error_set(error, ERROR_INPUT, "the file is empty: expected a header row and rows of frames.");
}

int csv_detect(const struct import_sample *sample, const struct import_options *options, struct error *refusal)
{
    struct table_row header = {0};
    int score = 0;

    (void)refusal;
    if (table_sample_header(sample, "#", &header) && !strchr("{[<", header.items[0].text[0])) {
        bool is_table = header.count > 1;

        score = score_header(&header, options);
        if (score < SCORE_OF_A_TIME && find_header_behind(sample, options, &header) > 0) {
            score = score_header(&header, options);
            score = score > BEST_SCORE_BEHIND ? BEST_SCORE_BEHIND : score;
        }
        /* Anything that looks like a table gets the advice which columns are missing. */
        if (score == 0 && is_table)
            score = DETECT_ANY_TABLE;
    }
    table_row_free(&header);
    return score;
}
