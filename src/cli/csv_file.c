#include "csv_file.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_LIMIT = 16 << 20 };

struct row_fields {
    char **items;
    size_t count, capacity;
};

static char *trimmed(const char *text, size_t length)
{
    while (length && (*text == ' ' || *text == '\t'))
        text++, length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return text_clean(text, length);
}

/* One field from *at on; leaves *at behind its separator. False at the end of the row. */
static bool take_field(const char **at, size_t *line, char separator, struct row_fields *row)
{
    struct text_buffer field = {0};
    bool quoted = **at == '"';

    if (quoted) {
        for ((*at)++; **at && !(**at == '"' && (*at)[1] != '"'); (*at)++) {
            if (**at == '"')
                (*at)++;
            *line += **at == '\n';
            text_add_bytes(&field, *at, 1);
        }
        *at += **at == '"';
    }
    const char *rest = *at;

    while (**at && **at != separator && **at != '\n' && **at != '\r')
        (*at)++;
    text_add_bytes(&field, rest, (size_t)(*at - rest));
    array_push(row, trimmed(field.items ? field.items : "", field.count));
    array_free(&field);
    if (**at == separator) {
        (*at)++;
        return true;
    }
    return false;
}

static void end_row(const char **at, size_t *line)
{
    if (**at == '\r')
        (*at)++;
    if (**at == '\n')
        (*at)++;
    ++*line;
}

static void add_row(struct csv_file *file, size_t *capacity, struct row_fields *row, size_t line)
{
    if (file->count == *capacity) {
        size_t wanted = *capacity ? *capacity * 2 : 64;

        file->rows = memory_resize(file->rows, wanted, sizeof *file->rows);
        file->widths = memory_resize(file->widths, wanted, sizeof *file->widths);
        file->lines = memory_resize(file->lines, wanted, sizeof *file->lines);
        *capacity = wanted;
    }
    file->rows[file->count] = row->items;
    file->widths[file->count] = row->count;
    file->lines[file->count++] = line;
}

bool csv_file_read(const char *path, struct csv_file *ret, struct error *error)
{
    char *bytes;
    size_t size, capacity = 0, line = 1;

    memset(ret, 0, sizeof *ret);
    if (!path_read_all(path, SIZE_LIMIT, &bytes, &size, error))
        return false;

    const char *at = bytes;

    if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;

    const char *first_end = at + strcspn(at, "\r\n");
    char separator = memchr(at, ';', (size_t)(first_end - at)) && !memchr(at, ',', (size_t)(first_end - at)) ? ';' : ',';

    ret->path = memory_copy_text(path);
    while (*at) {
        struct row_fields row = {0};
        size_t began = line;

        while (take_field(&at, &line, separator, &row))
            ;
        end_row(&at, &line);
        if (row.count == 1 && !*row.items[0]) { /* a blank line */
            free(row.items[0]);
            array_free(&row);
            continue;
        }
        add_row(ret, &capacity, &row, began);
    }
    free(bytes);
    if (ret->count)
        return true;
    csv_file_free(ret);
    return error_set(error, ERROR_INPUT, "%s: expected a header line and rows, found an empty file", path);
}

void csv_file_free(struct csv_file *file)
{
    for (size_t r = 0; r < file->count; r++) {
        for (size_t c = 0; c < file->widths[r]; c++)
            free(file->rows[r][c]);
        free(file->rows[r]);
    }
    free(file->rows);
    free(file->widths);
    free(file->lines);
    free(file->path);
    memset(file, 0, sizeof *file);
}

size_t csv_file_column(const struct csv_file *file, const char *name)
{
    for (size_t c = 0; c < file->widths[0]; c++)
        if (text_equals_ignoring_case(file->rows[0][c], name))
            return c;
    return SIZE_MAX;
}

const char *csv_file_field(const struct csv_file *file, size_t row, size_t column)
{
    return column < file->widths[row] ? file->rows[row][column] : "";
}
