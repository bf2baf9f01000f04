#include "stutterscope/import/table.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_JOINED_LINES 20
#define MOST_SAMPLED_ROWS 200
#define MOST_NAMED        30

char table_find_separator(const char *line, size_t length)
{
    static const char candidates[] = {',', ';', '\t', '|'};
    size_t counts[sizeof candidates] = {0}, best = 0;
    bool quoted = false;

    for (size_t i = 0; i < length; i++) {
        if (line[i] == '"')
            quoted = !quoted;
        for (size_t j = 0; j < sizeof candidates && !quoted; j++)
            counts[j] += line[i] == candidates[j];
    }
    for (size_t j = 1; j < sizeof candidates; j++) {
        if (counts[j] > counts[best])
            best = j;
    }
    return counts[best] > 0 ? candidates[best] : 0;
}

char table_sep_line(const char *line, size_t length)
{
    if (length >= 2 && line[0] == '"' && line[length - 1] == '"') {
        line++;
        length -= 2;
    }
    if (length != 5 || (line[0] | 0x20) != 's' || (line[1] | 0x20) != 'e' || (line[2] | 0x20) != 'p' ||
        line[3] != '=')
        return 0;
    return line[4];
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void trim(const char **begin, const char **end)
{
    while (*begin < *end && is_blank(**begin))
        (*begin)++;
    while (*begin < *end && is_blank((*end)[-1]))
        (*end)--;
}

/* Copies a quoted field without its doubled quotes; returns the place after the closing quote, NULL when it
 * is open. */
static const char *unquote(const char *text, const char *end, char **out)
{
    for (const char *at = text + 1; at < end; at++) {
        if (*at != '"') {
            *(*out)++ = *at;
        } else if (at + 1 < end && at[1] == '"') {
            *(*out)++ = '"';
            at++;
        } else {
            return at + 1;
        }
    }
    return NULL;
}

/* Reads the field at text; returns where its separator (or the line's end) stands. */
static const char *read_field(const char *text, const char *end, char separator, struct table_row *row,
                              char **out)
{
    const char *begin = text, *stop, *after, *kept = *out, *trimmed_end;

    while (begin < end && is_blank(*begin) && *begin != separator)
        begin++;
    if (begin < end && *begin == '"') {
        after = unquote(begin, end, out);
        if (!after) {
            row->open_quote = true;
        } else {
            while (after < end && is_blank(*after) && *after != separator)
                after++;
            if (after == end || *after == separator) {
                array_push(row, (struct table_field){kept, (size_t)(*out - kept), text});
                return after;
            }
            row->bad_quote = true;
        }
    }
    stop = text < end ? memchr(text, separator, (size_t)(end - text)) : NULL;
    if (!stop)
        stop = end;
    begin = text;
    trimmed_end = stop;
    trim(&begin, &trimmed_end);
    array_push(row, (struct table_field){begin, (size_t)(trimmed_end - begin), text});
    return stop;
}

void table_split(const char *line, size_t length, char separator, struct table_row *row)
{
    const char *at = line, *end = line + length;
    char *out;

    row->count = 0;
    row->open_quote = row->bad_quote = false;
    if (!row->scratch || row->scratch_capacity < length + 1) {
        row->scratch_capacity = length * 2 + 256;
        row->scratch = memory_resize(row->scratch, row->scratch_capacity, 1);
    }
    out = row->scratch;
    for (;;) {
        at = read_field(at, end, separator, row, &out);
        if (at == end)
            return;
        at++;
    }
}

void table_row_free(struct table_row *row)
{
    free(row->items);
    free(row->scratch);
    memset(row, 0, sizeof *row);
}

bool table_line_is_blank(const char *line, size_t length, char separator)
{
    for (size_t i = 0; i < length; i++) {
        if (!is_blank(line[i]) && line[i] != separator)
            return false;
    }
    return true;
}

void table_read_row(struct import_input *input, struct import_line *line, char separator,
                    struct table_row *ret)
{
    size_t length = line->length;

    table_split(line->text, line->length, separator, ret);
    if (!ret->open_quote)
        return;
    for (int i = 0; i < MOST_JOINED_LINES && ret->open_quote; i++) {
        if (!import_input_extend_line(input, line))
            break;
        table_split(line->text, line->length, separator, ret);
    }
    if (!ret->open_quote && !ret->bad_quote)
        return;
    import_input_shrink_line(input, line, length);
    table_split(line->text, line->length, separator, ret);
    ret->open_quote = true;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool table_field_equals(const struct table_field *field, const char *name)
{
    const char *begin = field->text, *end = begin + field->length;

    if (end - begin >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0) /* a file appended to another one */
        begin += 3;
    trim(&begin, &end);
    if ((size_t)(end - begin) != strlen(name))
        return false;
    for (; begin < end; begin++, name++) {
        if (lower(*begin) != lower(*name))
            return false;
    }
    return true;
}

int table_find_column(const struct table_row *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++) {
        if (table_field_equals(&header->items[i], name))
            return (int)i;
    }
    return -1;
}

char *table_names(const struct table_row *header)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < header->count && i < MOST_NAMED; i++) {
        char *clean = text_clean(header->items[i].text, header->items[i].length);

        text_add_print(&text, "%s%s", i ? ", " : "", clean);
        free(clean);
    }
    if (header->count > MOST_NAMED)
        text_add_print(&text, " and %zu more", header->count - MOST_NAMED);
    return text_take(&text);
}

bool table_sample_header(const struct import_sample *sample, const char *comment, struct table_row *ret)
{
    const char *at = sample->text, *end = at + sample->length;
    char separator = 0;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        bool skipped =
            table_line_is_blank(at, length, 0) || (comment && strncmp(at, comment, strlen(comment)) == 0);

        if (!separator && table_sep_line(at, length)) {
            separator = table_sep_line(at, length);
            skipped = true;
        }
        if (!skipped) {
            if (!separator)
                separator = table_find_separator(at, length);
            table_split(at, length, separator ? separator : ',', ret);
            return true;
        }
        at += length + 1;
    }
    ret->count = 0;
    return false;
}

/* Digits behind the point or comma; 0: none. */
static size_t decimal_places(const struct table_field *field)
{
    for (size_t i = 0; i < field->length; i++) {
        if (field->text[i] == '.' || field->text[i] == ',')
            return field->length - i - 1;
    }
    return 0;
}

bool table_decimals_are_fixed(const struct import_sample *sample, char separator, int64_t header_line, size_t column,
                              const struct table_field *field)
{
    const char *at = sample->text, *end = at + sample->length;
    struct table_row row = {0};
    size_t places = decimal_places(field), rows = 0;
    bool fixed = places > 0;

    for (int64_t number = 1; at < end && fixed && rows < MOST_SAMPLED_ROWS; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            break; /* the line in question, or one that the sample cuts */
        if (number > header_line && !table_line_is_blank(at, (size_t)(stop - at), separator)) {
            table_split(at, (size_t)(stop - at), separator, &row);
            if (column < row.count && row.items[column].length > 0) {
                fixed = decimal_places(&row.items[column]) == places;
                rows++;
            }
        }
        at = stop + 1;
    }
    table_row_free(&row);
    return fixed && rows > 0;
}
