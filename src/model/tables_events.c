/*
 * events: event lift.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/event_lift.h"
#include "tables_common.h"
#include <math.h>
#include <stdlib.h>

static void add_row(struct model *model, struct table *table, const struct event_lift_row *row)
{
    const struct device_row *device = model_device(model, row->key.device);
    struct row_writer writer = {table_add_row(table)};

    cell_set_text(next_cell(&writer), model_build_name(model, row->key.build));
    cell_set_text(next_cell(&writer), device ? device->model : NULL);
    cell_set_text(next_cell(&writer), device ? device->chip : NULL);
    cell_set_text(next_cell(&writer), model_scene_name(model, row->key.scene));
    cell_set_text(next_cell(&writer), model_quality_name(model, row->key.quality));
    cell_set_text(next_cell(&writer), model_text(model, row->event));
    cell_set_integer(next_cell(&writer), row->runs);
    cell_set_integer(next_cell(&writer), row->lift.occurrences);
    cell_set_integer(next_cell(&writer), row->lift.followed);
    cell_set_real(next_cell(&writer), row->lift.expected);
    cell_set_real(next_cell(&writer), 100 * row->lift.share);
    cell_set_real(next_cell(&writer), 100 * row->lift.base);
    cell_set_real(next_cell(&writer), row->lift.lift);
    cell_set_real(next_cell(&writer), row->lift.chance);
    cell_set_bool(next_cell(&writer), row->lift.stands_out);
}

struct table *table_events(struct model *model, const struct table_request *request, struct error *error)
{
    static const struct table_column columns[] = {
        {"build", "build", COLUMN_DATA_ONLY},  {"device", "device", COLUMN_SHOWN},     {"chip", "chip", COLUMN_DATA_ONLY},
        {"scene", "scene", COLUMN_SHOWN},      {"quality", "quality", COLUMN_SHOWN},   {"event", "event", COLUMN_SHOWN},
        {"runs", "runs", COLUMN_DATA_ONLY},    {"occurrences", "seen", COLUMN_SHOWN},  {"followed", "followed", COLUMN_SHOWN},
        {"expected", "expected", COLUMN_SHOWN}, {"share_percent", "%", COLUMN_SHOWN},  {"base_percent", "base %", COLUMN_SHOWN},
        {"lift", "lift", COLUMN_SHOWN},        {"chance", "chance", COLUMN_DATA_ONLY}, {"stands_out", "stands out", COLUMN_SHOWN},
    };
    struct build_choice builds;
    struct event_lift lift;
    int64_t build;

    if (!request_builds(model, request, &builds, error))
        return NULL;
    build = builds.items[builds.count - 1];
    array_free(&builds);

    const struct event_lift_request wanted = {build, request->device, request->scene, request->quality, request->within_ns, false};

    if (!model_event_lift(model, &wanted, &lift, error))
        return NULL;

    struct table *table = table_create("events", columns, COLUMN_NUMBER(columns));

    table_put_head(table, model, build, 0);
    json_add(table->head, "within_ms", json_from_scaled(lift.within_ns, NS_PER_MS));
    json_add(table->head, "answer", json_from_text(lift.answer));
    for (size_t i = 0; i < lift.count; i++)
        if (!request->event || text_equals_ignoring_case(request->event, model_text(model, lift.items[i].event)))
            add_row(model, table, &lift.items[i]);
    table->message = memory_copy_text(lift.answer);
    event_lift_free(&lift);
    return table;
}
