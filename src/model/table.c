#include "stutterscope/model/table.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REAL_DECIMALS = 6, NUMBER_BUFFER = 64 };

struct table *table_create(const char *schema, const struct table_column *columns, size_t column_count)
{
    struct table *table = memory_take_zeroed(1, sizeof *table);

    table->schema = schema;
    table->columns = columns;
    table->column_count = column_count;
    return table;
}

void cell_clear(struct cell *cell)
{
    if (cell->kind == CELL_TEXT)
        free(cell->text);
    else if (cell->kind == CELL_JSON)
        json_destroy(cell->json);
    cell->kind = CELL_NULL;
}

void table_destroy(struct table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->row_count * table->column_count; i++)
        cell_clear(&table->cells[i]);
    free(table->cells);
    json_destroy(table->head);
    free(table->message);
    free(table->owned_columns);
    free(table);
}

struct cell *table_add_row(struct table *table)
{
    if (table->row_count == table->row_capacity)
        table->cells = memory_grow(table->cells, &table->row_capacity, table->row_count + 1,
                                   table->column_count * sizeof *table->cells);
    struct cell *row = &table->cells[table->row_count++ * table->column_count];

    memset(row, 0, table->column_count * sizeof *row);
    return row;
}

struct cell *table_cell(const struct table *table, size_t row, size_t column)
{
    return &table->cells[row * table->column_count + column];
}

static double cell_number(const struct cell *cell)
{
    if (cell->kind == CELL_REAL)
        return cell->real;
    if (cell->kind == CELL_BOOL)
        return cell->truth;
    return (double)cell->integer / (cell->kind == CELL_SCALED ? (double)NS_PER_MS : 1.0);
}

/* Unknown comes last whatever the direction: "no data" is never the best nor the worst. */
static int compare_cells(const struct cell *a, const struct cell *b, int direction)
{
    if (a->kind == CELL_NULL || b->kind == CELL_NULL)
        return (a->kind == CELL_NULL) - (b->kind == CELL_NULL);
    if (a->kind == CELL_JSON || b->kind == CELL_JSON)
        return 0;
    if (a->kind == CELL_TEXT || b->kind == CELL_TEXT)
        return a->kind == b->kind ? direction * text_compare_natural(a->text, b->text) : 0;

    double x = cell_number(a), y = cell_number(b);

    return direction * ((x > y) - (x < y));
}

static void merge_rows(const struct table *table, size_t column, int direction, size_t *order, size_t *spare,
                       size_t count)
{
    if (count < 2)
        return;

    size_t half = count / 2, left = 0, right = half;

    merge_rows(table, column, direction, order, spare, half);
    merge_rows(table, column, direction, order + half, spare, count - half);
    for (size_t i = 0; i < count; i++) {
        bool take_right = left == half;

        if (!take_right && right < count)
            take_right = compare_cells(table_cell(table, order[right], column), table_cell(table, order[left], column),
                                       direction) < 0;
        spare[i] = take_right ? order[right++] : order[left++];
    }
    memcpy(order, spare, count * sizeof *order);
}

bool table_sort(struct table *table, const char *name, bool descending)
{
    size_t column = 0, count = table->row_count, width = table->column_count;

    while (column < width && strcmp(table->columns[column].name, name) != 0)
        column++;
    if (column == width)
        return false;
    if (count < 2)
        return true;

    size_t *order = memory_take(2 * count * sizeof *order);
    struct cell *sorted = memory_take(count * width * sizeof *sorted);

    for (size_t i = 0; i < count; i++)
        order[i] = i;
    merge_rows(table, column, descending ? -1 : 1, order, order + count, count);
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * width, table->cells + order[i] * width, width * sizeof *sorted);
    memcpy(table->cells, sorted, count * width * sizeof *sorted);
    free(sorted);
    free(order);
    return true;
}

void table_limit(struct table *table, size_t rows)
{
    if (!rows || rows >= table->row_count)
        return;
    for (size_t i = rows * table->column_count; i < table->row_count * table->column_count; i++)
        cell_clear(&table->cells[i]);
    table->row_count = rows;
}

void cell_set_text(struct cell *cell, const char *text)
{
    cell_clear(cell);
    if (!text)
        return;
    cell->kind = CELL_TEXT;
    cell->text = text_clean(text, strlen(text));
}

static void cell_set_number(struct cell *cell, enum cell_kind kind, int64_t value)
{
    cell_clear(cell);
    if (value == VALUE_UNKNOWN)
        return;
    cell->kind = kind;
    cell->integer = value;
}

void cell_set_integer(struct cell *cell, int64_t value)
{
    cell_set_number(cell, CELL_INTEGER, value);
}

void cell_set_ns(struct cell *cell, int64_t ns)
{
    cell_set_number(cell, CELL_SCALED, ns);
}

void cell_set_real(struct cell *cell, double value)
{
    cell_clear(cell);
    if (!isfinite(value))
        return;
    cell->kind = CELL_REAL;
    cell->real = value;
}

void cell_set_real_ns(struct cell *cell, double ns)
{
    cell_set_real(cell, ns / (double)NS_PER_MS);
}

void cell_set_bool(struct cell *cell, bool value)
{
    cell_clear(cell);
    cell->kind = CELL_BOOL;
    cell->truth = value;
}

void cell_set_json(struct cell *cell, struct json *json)
{
    cell_clear(cell);
    cell->kind = CELL_JSON;
    cell->json = json;
}

/* A copy by way of text: lists in cells are short, and the owner of a JSON value is always one. */
static struct json *json_copy(const struct json *value)
{
    char *text = json_print(value);
    struct json *copy = json_parse(text, strlen(text), NULL);

    free(text);
    return copy ? copy : json_null();
}

struct json *cell_to_json(const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_NULL:
        break;
    case CELL_TEXT:
        return json_from_text(cell->text);
    case CELL_INTEGER:
        return json_from_integer(cell->integer);
    case CELL_SCALED:
        return json_from_scaled(cell->integer, NS_PER_MS);
    case CELL_REAL:
        return json_from_double(cell->real, REAL_DECIMALS);
    case CELL_BOOL:
        return json_from_bool(cell->truth);
    case CELL_JSON:
        return json_copy(cell->json);
    }
    return json_null();
}

/* A list of texts for people: joined by commas. Other documents stay JSON. */
static char *list_to_text(const struct json *json)
{
    struct text_buffer buffer = {0};

    if (json_kind(json) != JSON_ARRAY)
        return json_print(json);
    for (const struct json *item = json_first(json); item; item = json_next(item)) {
        if (!json_text(item)) {
            array_free(&buffer);
            return json_print(json);
        }
        if (buffer.count)
            text_add(&buffer, ", ");
        text_add(&buffer, json_text(item));
    }
    return text_take(&buffer);
}

char *cell_to_text(const struct cell *cell)
{
    char buffer[NUMBER_BUFFER];

    switch (cell->kind) {
    case CELL_NULL:
        break;
    case CELL_TEXT:
        return memory_copy_text(cell->text);
    case CELL_INTEGER:
        return memory_copy_text(number_print_scaled(buffer, sizeof buffer, cell->integer, 1));
    case CELL_SCALED:
        return memory_copy_text(number_print_scaled(buffer, sizeof buffer, cell->integer, NS_PER_MS));
    case CELL_REAL:
        return memory_copy_text(number_print_double(buffer, sizeof buffer, cell->real, REAL_DECIMALS));
    case CELL_BOOL:
        return memory_copy_text(cell->truth ? "yes" : "no");
    case CELL_JSON:
        return list_to_text(cell->json);
    }
    return memory_copy_text("");
}

struct json *table_to_json(const struct table *table)
{
    struct json *document = json_object(), *rows = json_array();
    char *schema = memory_print("stutterscope.%s/1", table->schema);

    json_add(document, "schema", json_from_text(schema));
    free(schema);
    for (const struct json *member = json_first(table->head); member; member = json_next(member))
        json_add(document, json_name(member), json_copy(member));
    for (size_t i = 0; i < table->row_count; i++) {
        struct json *row = json_object();

        for (size_t c = 0; c < table->column_count; c++)
            json_add(row, table->columns[c].name, cell_to_json(table_cell(table, i, c)));
        json_append(rows, row);
    }
    json_add(document, "rows", rows);
    return document;
}
