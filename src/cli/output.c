/*
 * A table as text, CSV or JSON.
 */
#include "invocation.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include "stutterscope/ticket/escape.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Widest column of readable text; what is longer is cut with a mark (CSV and JSON have it whole). */
enum { WIDEST = 60, GAP = 2 };

static void add_csv_row(struct text_buffer *out, const struct table *table, size_t row)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const struct cell *cell = table_cell(table, row, c);
        char *text = cell_to_text(cell);

        if (c)
            text_add(out, ",");
        if (cell->kind == CELL_TEXT || cell->kind == CELL_JSON)
            escape_add(out, ESCAPE_CSV, text);
        else
            text_add(out, text);
        free(text);
    }
    text_add(out, "\n");
}

static void render_csv(struct text_buffer *out, const struct table *table)
{
    for (size_t c = 0; c < table->column_count; c++)
        text_add_print(out, "%s%s", c ? "," : "", table->columns[c].name);
    text_add(out, "\n");
    for (size_t row = 0; row < table->row_count; row++)
        add_csv_row(out, table, row);
}

static void render_json(struct text_buffer *out, const struct table *table)
{
    struct json *document = table_to_json(table);
    char *text = json_print_pretty(document);

    text_add(out, text);
    text_add(out, "\n");
    free(text);
    json_destroy(document);
}

static bool is_number(const struct cell *cell)
{
    return cell->kind == CELL_INTEGER || cell->kind == CELL_SCALED || cell->kind == CELL_REAL;
}

static char *readable(const struct cell *cell)
{
    char *text, *cut;

    if (cell->kind == CELL_NULL)
        return memory_copy_text("-");
    if (cell->kind == CELL_REAL) {
        char buffer[64];

        snprintf(buffer, sizeof buffer, "%.2f", cell->real);
        return memory_copy_text(buffer);
    }
    text = cell_to_text(cell);
    cut = text_cut_end(text, WIDEST, "…");
    free(text);
    return cut;
}

struct layout {
    size_t *widths;  /* 0: not shown */
    bool *right;
    size_t last;     /* the last shown column is not padded */
};

static void measure(const struct table *table, struct layout *layout)
{
    for (size_t c = 0; c < table->column_count; c++) {
        bool any = table->row_count == 0;

        if (table->columns[c].use != COLUMN_SHOWN)
            continue;
        layout->widths[c] = text_width(table->columns[c].title);
        for (size_t row = 0; row < table->row_count; row++) {
            const struct cell *cell = table_cell(table, row, c);
            char *text = readable(cell);
            size_t width = text_width(text);

            if (width > layout->widths[c])
                layout->widths[c] = width;
            layout->right[c] |= is_number(cell);
            any |= cell->kind != CELL_NULL;
            free(text);
        }
        if (!any) /* a column that nobody filled is not worth its room */
            layout->widths[c] = 0;
        else
            layout->last = c;
    }
}

static void add_field(struct text_buffer *out, const char *text, const struct layout *layout, size_t column, bool first)
{
    size_t width = text_width(text), pad = layout->widths[column] > width ? layout->widths[column] - width : 0;

    if (!first)
        text_add(out, "  ");
    for (size_t i = 0; layout->right[column] && i < pad; i++)
        text_add(out, " ");
    text_add(out, text);
    for (size_t i = 0; !layout->right[column] && column != layout->last && i < pad; i++)
        text_add(out, " ");
}

static void add_heading(struct text_buffer *out, const struct table *table)
{
    for (const struct json *member = json_first(table->head); member; member = json_next(member))
        if (json_text(member) && strcmp(json_name(member), "store") != 0) {
            char *clean = text_clean(json_text(member), strlen(json_text(member)));

            text_add_print(out, "%s%s %s", out->count ? "   " : "", json_name(member), clean);
            free(clean);
        }
    if (out->count)
        text_add(out, "\n");
}

static void render_text(struct text_buffer *out, const struct table *table, bool bold)
{
    struct layout layout = {memory_take_zeroed(table->column_count, sizeof *layout.widths), memory_take_zeroed(table->column_count, sizeof *layout.right), 0};
    bool first = true;

    add_heading(out, table);
    if (!table->row_count) {
        text_add_print(out, "%s\n", table->message ? table->message : "nothing to list: no rows fit what was asked for");
    } else {
        measure(table, &layout);
        text_add(out, bold ? "\033[1m" : "");
        for (size_t c = 0; c < table->column_count; c++)
            if (layout.widths[c]) {
                add_field(out, table->columns[c].title, &layout, c, first);
                first = false;
            }
        text_add(out, bold ? "\033[0m\n" : "\n");
    }
    for (size_t row = 0; row < table->row_count; row++) {
        first = true;
        for (size_t c = 0; c < table->column_count; c++) {
            if (!layout.widths[c])
                continue;

            char *text = readable(table_cell(table, row, c));

            add_field(out, text, &layout, c, first);
            first = false;
            free(text);
        }
        text_add(out, "\n");
    }
    free(layout.widths);
    free(layout.right);
}

static bool wants_colour(const struct invocation *invocation, bool *ret, struct error *error)
{
    const char *when = invocation_value(invocation, OPTION_COLOR), *none = getenv("NO_COLOR"), *term = getenv("TERM");

    *ret = false;
    if (when && strcmp(when, "always") == 0)
        *ret = true;
    else if (!when || strcmp(when, "auto") == 0)
        *ret = !invocation->capture && isatty(STDOUT_FILENO) && !(none && *none) && term && strcmp(term, "dumb") != 0;
    else if (strcmp(when, "never") != 0)
        return error_set(error, ERROR_USAGE, "--color: expected auto, always or never, found \"%s\"", when);
    return true;
}

bool write_out(const struct invocation *invocation, const char *bytes, size_t size, struct error *error)
{
    if (invocation->capture) {
        text_add_bytes(invocation->capture, bytes, size);
        return true;
    }
    if (fwrite(bytes, 1, size, stdout) != size || fflush(stdout) != 0) {
        if (errno == EPIPE) /* the reader has seen enough */
            return true;
        return error_set(error, ERROR_IO, "standard output: %s", strerror(errno));
    }
    return true;
}

void clear_progress(const struct invocation *invocation)
{
    if (invocation->shows_progress && !invocation->capture)
        fputs("\r\033[K", stderr);
}

void say_failure(const struct invocation *invocation, const char *text)
{
    char *shown = text_without_user_info(text);

    clear_progress(invocation);
    if (invocation->capture)
        text_add_print(invocation->capture, "%s\n", shown);
    else
        fprintf(stderr, "stutterscope: %s\n", shown);
    free(shown);
}

void say_remark(const struct invocation *invocation, const char *text)
{
    if (!invocation_has(invocation, OPTION_QUIET))
        say_failure(invocation, text);
}

bool write_output(const struct invocation *invocation, const char *bytes, size_t size, struct error *error)
{
    const char *path = invocation_value(invocation, OPTION_OUTPUT);

    if (path && strcmp(path, "-") != 0) {
        struct file_writer *file = file_writer_open(path, error);
        bool good = file && file_writer_add(file, bytes, size, error);

        return (file && file_writer_close(file, good, error) && good) || error_prefix(error, "--output");
    }
    return write_out(invocation, bytes, size, error);
}

static bool sort_table(const struct invocation *invocation, struct table *table, struct error *error)
{
    const char *sort = invocation_value(invocation, OPTION_SORT);
    bool ascending = sort && *sort == '+';

    if (!sort || table_sort(table, sort + ascending, !ascending))
        return true;

    struct text_buffer names = {0};

    for (size_t i = 0; i < table->column_count; i++)
        text_add_print(&names, "%s%s", i ? ", " : "", table->columns[i].name);
    error_set(error, ERROR_USAGE, "--sort: there is no column \"%s\"; there are: %s", sort, names.items);
    array_free(&names);
    return false;
}

int print_table(struct invocation *invocation, struct table *table, struct error *error)
{
    const char *limit = invocation_value(invocation, OPTION_LIMIT);
    int64_t rows = 0;
    bool bold = false;
    struct text_buffer out = {0};
    bool good = (!limit || parse_count(limit, 0, INT32_MAX, "--limit", &rows, error)) && wants_colour(invocation, &bold, error) &&
                sort_table(invocation, table, error);

    if (good) {
        table_limit(table, (size_t)rows);
        if (invocation_has(invocation, OPTION_JSON))
            render_json(&out, table);
        else if (invocation_has(invocation, OPTION_CSV))
            render_csv(&out, table);
        else
            render_text(&out, table, bold);
        good = write_output(invocation, out.items ? out.items : "", out.count, error);
    }
    array_free(&out);
    table_destroy(table);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
