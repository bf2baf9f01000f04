#include "xctrace.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/import/batch.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/streams.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_VSYNCS 5

static const char *const background[] = {"(system)*", "backboardd*", "SpringBoard*", "WindowServer*", NULL};

static void say(const struct xct_data *data, char *note)
{
    data->reader->sink->note(data->reader->sink->user, note);
    free(note);
}

/* ---- streams ---- */

static size_t count_stream(const struct xct_data *data, struct stream_table *streams, const struct xct_row *row)
{
    const char *process = dictionary_text(data->rows.texts, row->process);
    const char *display = dictionary_text(data->rows.texts, row->display);
    char *key = memory_print("%s%s|%s", row->is_system ? "(system) " : "", *process ? process : "(no process)",
                             *display ? display : "(no display)");
    size_t stream = stream_table_count(streams, key, strlen(key), row->line);

    free(key);
    return stream;
}

static int compare_starts(const void *a, const void *b)
{
    const struct xct_row *left = a, *right = b;

    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return left->line < right->line ? -1 : left->line > right->line;
}

static int compare_ends(const void *a, const void *b)
{
    const struct xct_row *left = a, *right = b;
    int64_t left_end = left->start + left->duration, right_end = right->start + right->duration;

    return left_end != right_end ? (left_end < right_end ? -1 : 1) : compare_starts(a, b);
}

/* Leaves the rows of the chosen stream in the list. */
static bool choose_stream(struct xct_data *data, struct xct_row_list *rows, struct error *error)
{
    struct stream_table streams;
    uint32_t *of_row = memory_take((rows->count + 1) * sizeof *of_row);
    size_t chosen, kept = 0;
    bool fine;

    stream_table_init(&streams);
    for (size_t i = 0; i < rows->count; i++)
        of_row[i] = (uint32_t)count_stream(data, &streams, &rows->items[i]);
    fine = stream_table_choose(&streams, data->reader->options->stream, background, &chosen, error);
    for (size_t i = 0; fine && i < rows->count; i++) {
        if (of_row[i] == chosen)
            rows->items[kept++] = rows->items[i];
    }
    if (fine) {
        rows->count = kept;
        stream_table_report(&streams, chosen, data->reader->sink);
    }
    stream_table_free(&streams);
    free(of_row);
    return fine;
}

/* ---- refresh ---- */

static int compare_integers(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return left < right ? -1 : left > right;
}

/* Hz by the distances of the vsyncs of one display; VALUE_UNKNOWN. */
static int64_t vsync_rate(struct xct_row_list *vsyncs)
{
    int64_t *steps, middle;
    size_t count = 0;

    if (vsyncs->count <= FEWEST_VSYNCS)
        return VALUE_UNKNOWN;
    qsort(vsyncs->items, vsyncs->count, sizeof *vsyncs->items, compare_starts);
    steps = memory_take(vsyncs->count * sizeof *steps);
    for (size_t i = 1; i < vsyncs->count; i++) {
        int64_t step = vsyncs->items[i].start - vsyncs->items[i - 1].start;

        if (vsyncs->items[i].display == vsyncs->items[i - 1].display && step >= NS_PER_MS && step <= 100 * NS_PER_MS)
            steps[count++] = step;
    }
    if (count > 0)
        qsort(steps, count, sizeof *steps, compare_integers);
    middle = count >= FEWEST_VSYNCS ? (NS_PER_S + steps[count / 2] / 2) / steps[count / 2] : VALUE_UNKNOWN;
    free(steps);
    return middle;
}

static void take_refresh(struct xct_data *data, struct import_context *context)
{
    const char *source = "max-refresh-rate of device-display-info";
    int64_t rate = data->max_refresh;
    char text[32];

    if (rate == VALUE_UNKNOWN) {
        rate = vsync_rate(&data->tables[XCT_VSYNCS]);
        source = "the vsyncs in the file";
    }
    if (rate == VALUE_UNKNOWN)
        return;
    number_print_scaled(text, sizeof text, rate, 1);
    context->field[CONTEXT_REFRESH_HZ] = column_add_text(data->reader->sink->texts, text, strlen(text), NULL);
    say(data, memory_print("The refresh rate comes from %s: %s Hz.", source, text));
}

/* ---- frames ---- */

static void begin(struct xct_data *data, const char *table, bool tests_holes, const char *interval,
                  struct frame_batch *batch)
{
    const struct import_sink *sink = data->reader->sink;

    sink->facts(sink->user, &(struct import_source_facts){
                                .version = table, .interval = interval, .tests_holes = tests_holes, .has_clock = true});
    frame_batch_init(batch, sink);
    take_refresh(data, &batch->context);
}

static bool add_frame(struct frame_batch *batch, int64_t stamp, int64_t time, int64_t line, struct error *error)
{
    int64_t values[COLUMN_COUNT];

    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = VALUE_UNKNOWN;
    values[COLUMN_STAMP] = stamp;
    values[COLUMN_FRAME_TIME] = time;
    return frame_batch_add(batch, values, line, error);
}

/* Rows with a start and a duration. */
static bool give_intervals(struct xct_data *data, struct xct_row_list *rows, struct frame_batch *batch, struct error *error)
{
    const struct import_sink *sink = data->reader->sink;
    bool fine = true;

    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof *rows->items, compare_ends);
    for (size_t i = 0; i < rows->count && fine; i++) {
        const struct xct_row *row = &rows->items[i];

        if (row->duration > 0)
            fine = add_frame(batch, row->start + row->duration, row->duration, row->line, error);
        else
            sink->reject(sink->user, REJECT_UNFINISHED, row->line, NULL, 0);
    }
    return fine && frame_batch_flush(batch, error);
}

static bool give_swaps(struct xct_row_list *rows, struct frame_batch *batch, struct error *error)
{
    bool fine = true;

    if (rows->count < 2)
        return error_set(error, ERROR_INPUT, "no frames: the table holds a single swap, a frame time needs two.");
    qsort(rows->items, rows->count, sizeof *rows->items, compare_starts);
    for (size_t i = 1; i < rows->count && fine; i++) {
        int64_t step = rows->items[i].start - rows->items[i - 1].start;

        if (step > 0)
            fine = add_frame(batch, rows->items[i].start, step, rows->items[i].line, error);
        else
            batch->sink->reject(batch->sink->user, REJECT_DUPLICATE, rows->items[i].line, NULL, 0);
    }
    return fine && frame_batch_flush(batch, error);
}

/* What Instruments suspects; the words are its own. */
static void note_narratives(const struct xct_data *data, const struct xct_row_list *rows)
{
    uint32_t most = 0;
    int64_t times = 0;

    for (size_t i = 0; i < rows->count && i < 1000; i++) {
        int64_t same = 0;

        for (size_t j = 0; j < rows->count && j < 1000; j++)
            same += rows->items[j].narrative == rows->items[i].narrative;
        if (rows->items[i].narrative && same > times) {
            most = rows->items[i].narrative;
            times = same;
        }
    }
    if (most)
        say(data, memory_print("Instruments suspects at %" PRId64 " of %zu hitches: %s.", times, rows->count,
                               dictionary_text(data->rows.texts, most)));
}

static bool give_hitches(struct xct_data *data, struct xct_row_list *rows, struct error *error)
{
    struct dictionary *texts = data->reader->sink->texts;
    struct frame_batch batch;
    bool fine;

    begin(data, "hitches", false, "duration", &batch);
    batch.context.field[CONTEXT_KEPT_OVER_MS] = dictionary_add(texts, "0", 1);
    say(data, memory_print("Hitches are the frames that came too late, and by how much: nothing is known of the others. "
                           "The run has windows by the threshold, and no percentiles. The time of a frame here is how late "
                           "it was; export displayed-surfaces-interval for all frames."));
    note_narratives(data, rows);
    fine = give_intervals(data, rows, &batch, error);
    frame_batch_free(&batch);
    return fine;
}

static bool give_all_frames(struct xct_data *data, enum xct_table table, struct error *error)
{
    struct xct_row_list *rows = &data->tables[table];
    struct frame_batch batch;
    bool fine;

    begin(data, table == XCT_SWAPS ? "display-surface-swap" : "displayed-surfaces-interval", true, "display", &batch);
    fine = table == XCT_SWAPS ? give_swaps(rows, &batch, error) : give_intervals(data, rows, &batch, error);
    frame_batch_free(&batch);
    return fine;
}

static bool explain_nothing(const struct xct_data *data, struct error *error)
{
    const struct xct_rows *rows = &data->rows;

    if (rows->is_contents)
        return error_set(error, ERROR_INPUT,
                         "no frames: this is the table of contents of a trace. It names the device %s with the system %s: "
                         "give them with --device and --os when you import an exported table (xctrace export --xpath "
                         "'//table[@schema=\"displayed-surfaces-interval\"]').",
                         rows->device ? rows->device : "(unknown)", rows->os ? rows->os : "(unknown)");
    return error_set(error, ERROR_INPUT,
                     "no frames: expected rows of displayed-surfaces-interval, display-surface-swap or hitches, found %s%s%s.",
                     rows->tables.count ? "the tables " : "no table", rows->tables.count ? rows->tables.items : "",
                     rows->fault ? " in a file that breaks off" : "");
}

bool xct_give(struct xct_data *data, struct error *error)
{
    static const enum xct_table order[] = {XCT_SURFACES, XCT_SWAPS, XCT_HITCHES};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        struct xct_row_list *rows = &data->tables[order[i]];

        if (rows->count == 0)
            continue;
        for (size_t j = i + 1; j < sizeof order / sizeof *order; j++) {
            if (data->tables[order[j]].count > 0)
                say(data, memory_print("%zu rows of another table of the same frames were left out.",
                                       data->tables[order[j]].count));
        }
        if (!choose_stream(data, rows, error))
            return false;
        return order[i] == XCT_HITCHES ? give_hitches(data, rows, error) : give_all_frames(data, order[i], error);
    }
    return data->reader->sink->sample && xct_has_values(data) ? xct_give_values(data, error) : explain_nothing(data, error);
}
