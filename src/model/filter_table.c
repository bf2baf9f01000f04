/* The filter over the rows of a table: the same language behind --filter as on the screens. */
#include "filter_parts.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns that carry a property, as the tables call them. */
static const struct {
    enum filter_key key;
    const char *column;
} carriers[] = {
    {FILTER_DEVICE, "device"},     {FILTER_DEVICE, "name"},   {FILTER_SOC, "chip"},      {FILTER_SCENE, "scene"},
    {FILTER_EVENT, "event"},       {FILTER_BUILD, "build"},   {FILTER_QUALITY, "quality"}, {FILTER_TIER, "tier"},
    {FILTER_OS, "os"},             {FILTER_KIND, "kind"},     {FILTER_VERDICT, "verdict"}, {FILTER_STATE, "state"},
    {FILTER_LABEL, "label"},       {FILTER_OWNER, "owner"},   {FILTER_TICKET, "ticket"}, {FILTER_SEVERITY, "severity"},
    {FILTER_PEAK, "peak_frame_ms"}, {FILTER_WEIGHT, "weight"},
};

enum { MOST_COLUMNS = 4 };

struct column_map {
    size_t of[FILTER_KEY_COUNT][MOST_COLUMNS]; /* SIZE_MAX: none */
    uint32_t known;
};

/* "state" is a decision only where somebody can have decided; "name" is a device only in the list of devices. */
static bool carries(const struct table *table, enum filter_key key, const char *column)
{
    if (key == FILTER_STATE)
        return strcmp(table->schema, "stutters") == 0 || strcmp(table->schema, "findings") == 0;
    if (strcmp(column, "name") == 0)
        return strcmp(table->schema, "devices") == 0;
    return true;
}

static void map_columns(const struct table *table, struct column_map *map)
{
    memset(map->of, 0xff, sizeof map->of);
    map->known = 1u << FILTER_WORD;
    for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++)
        for (size_t c = 0; c < table->column_count; c++) {
            size_t at = 0;

            if (strcmp(table->columns[c].name, carriers[i].column) != 0 || !carries(table, carriers[i].key, carriers[i].column))
                continue;
            while (at < MOST_COLUMNS - 1 && map->of[carriers[i].key][at] != SIZE_MAX)
                at++;
            map->of[carriers[i].key][at] = c;
            map->known |= 1u << carriers[i].key;
        }
    if (map->of[FILTER_DEVICE][0] != SIZE_MAX) /* what the devices file says about it */
        map->known |= 1u << FILTER_TIER | 1u << FILTER_WEIGHT;
}

static bool check_keys(const struct filter *filter, const struct table *table, const struct column_map *map, struct error *error)
{
    for (size_t i = 0; i < filter->count; i++) {
        if (map->known & 1u << filter->items[i].key)
            continue;

        struct text_buffer names = {0};

        for (int key = FILTER_WORD + 1; key < FILTER_KEY_COUNT; key++)
            if (map->known & 1u << key)
                text_add_print(&names, " %s", filter_key_info((enum filter_key)key)->name);
        error_set(error, ERROR_USAGE, "%s has no %s; it can be filtered by words%s%s", table->schema,
                  filter_key_info(filter->items[i].key)->name, names.count ? " and" : " only", names.count ? names.items : "");
        array_free(&names);
        return false;
    }
    return true;
}

static double number_of(const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_INTEGER:
        return (double)cell->integer;
    case CELL_SCALED:
        return (double)cell->integer / NS_PER_MS;
    case CELL_REAL:
        return cell->real;
    default:
        return NAN;
    }
}

static void add_device(struct filter_subject *subject, struct model *model)
{
    const struct device_list *devices = model_devices(model);
    const char *name = subject->texts[FILTER_DEVICE][0], *chip = subject->texts[FILTER_SOC][0];

    for (size_t i = 0; name && i < devices->count; i++) {
        const struct device_row *row = &devices->items[i];

        if (strcmp(row->model, name) != 0 || (chip && strcmp(row->chip, chip) != 0))
            continue;
        filter_subject_set(subject, FILTER_DEVICE, row->name);
        filter_subject_set(subject, FILTER_TIER, row->tier);
        if (isnan(subject->numbers[FILTER_WEIGHT]))
            subject->numbers[FILTER_WEIGHT] = row->weight;
        return;
    }
}

/* Texts beside the names that a word is looked for in. */
static bool is_for_words(const char *column)
{
    static const char *const columns[] = {"run", "name", "category", "metric", "reason", "note", "commit", "ci_run"};

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(column, columns[i]) == 0)
            return true;
    return false;
}

static bool row_fits(const struct filter *filter, struct model *model, const struct table *table, const struct column_map *map,
                     size_t row)
{
    struct filter_subject subject;
    struct text_buffer also = {0};
    bool fits;

    filter_subject_clear(&subject);
    subject.known = map->known;
    for (int key = FILTER_WORD + 1; key < FILTER_KEY_COUNT; key++)
        for (size_t i = 0; i < MOST_COLUMNS && map->of[key][i] != SIZE_MAX; i++) {
            const struct cell *cell = table_cell(table, row, map->of[key][i]);

            if (filter_key_info((enum filter_key)key)->number)
                subject.numbers[key] = number_of(cell);
            else if (cell->kind == CELL_TEXT)
                filter_subject_set(&subject, (enum filter_key)key, cell->text);
        }
    for (size_t c = 0; c < table->column_count; c++)
        if (is_for_words(table->columns[c].name) && table_cell(table, row, c)->kind == CELL_TEXT)
            text_add_print(&also, "%s\n", table_cell(table, row, c)->text);
    subject.also = also.items;
    add_device(&subject, model);
    fits = filter_fits(filter, &subject);
    array_free(&also);
    return fits;
}

static void drop_row(struct table *table, size_t row)
{
    for (size_t c = 0; c < table->column_count; c++)
        cell_clear(table_cell(table, row, c));
}

bool filter_table(const struct filter *filter, struct model *model, struct table *table, struct error *error)
{
    struct column_map map;
    size_t kept = 0, before = table->row_count, columns = table->column_count;

    if (filter_is_empty(filter))
        return true;
    map_columns(table, &map);
    if (!check_keys(filter, table, &map, error))
        return false;
    for (size_t row = 0; row < before; row++) {
        if (!row_fits(filter, model, table, &map, row)) {
            drop_row(table, row);
            continue;
        }
        if (kept != row)
            memcpy(table->cells + kept * columns, table->cells + row * columns, columns * sizeof *table->cells);
        kept++;
    }
    table->row_count = kept;
    if (before && !kept) {
        free(table->message);
        table->message = memory_print("nothing fits the filter %s: it hides all %zu rows", filter->text, before);
    }
    return true;
}
