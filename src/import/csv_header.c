#include "csv.h"
#include "plain_number.h"
#include "csv_guess.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void csv_forget_header(struct csv *csv)
{
    for (size_t i = 0; i < csv->contexts.count; i++) {
        free(csv->contexts.items[i].key);
        free(csv->contexts.items[i].ends);
    }
    csv->context_base += (uint32_t)csv->contexts.count;
    csv->contexts.count = 0;
    free(csv->slots);
    csv->slots = NULL;
    csv->slot_count = 0;
    csv->current = SIZE_MAX;
    csv->run_count = 0;
    csv->steps.count = 0;
    free(csv->columns);
    csv->columns = NULL;
}

bool csv_is_required(const struct column_target *target)
{
    if (target->kind == COLUMN_IS_NUMBER)
        return target->index == COLUMN_STAMP || target->index == COLUMN_FRAME_TIME;
    return target->kind == COLUMN_IS_CONTEXT &&
           (target->index == CONTEXT_BUILD || target->index == CONTEXT_DEVICE ||
            target->index == CONTEXT_SCENE);
}

void csv_note(struct csv *csv, char *text)
{
    csv->reader->sink->note(csv->reader->sink->user, text);
    free(text);
}

/* The same thing twice: nobody can know which is meant where it decides; else the first counts. */
static bool check_twice(struct csv *csv, size_t column, int64_t line, struct error *error)
{
    struct column_target *target = &csv->columns[column];

    for (size_t i = 0; i < column; i++) {
        if (csv->columns[i].kind != target->kind || csv->columns[i].index != target->index)
            continue;
        if (csv_is_required(target))
            return error_set(error, ERROR_INPUT,
                             "line %" PRId64
                             ": \"%.*s\" is there twice, as column %zu (\"%.*s\") and %zu; expected once. "
                             "Rename or remove one of them.",
                             line, (int)csv->row.items[column].length, csv->row.items[column].text, i + 1,
                             (int)csv->row.items[i].length, csv->row.items[i].text, column + 1);
        csv_note(csv, memory_print("Column %zu (\"%.*s\") repeats column %zu: the first is used.", column + 1,
                                   (int)csv->row.items[column].length, csv->row.items[column].text, i + 1));
        target->kind = COLUMN_IS_UNKNOWN;
        return true;
    }
    return true;
}

static bool has_number(const struct csv *csv, enum frame_column column)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == (int)column)
            return true;
    }
    return false;
}

/* Not one column that concerns us: some other table. */
static enum error_code header_fault(const struct csv *csv)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind != COLUMN_IS_UNKNOWN)
            return ERROR_INPUT;
    }
    return ERROR_FOREIGN;
}

/* All that is missing is said at once. */
static bool check_required(struct csv *csv, int64_t line, struct error *error)
{
    static const char advice[] = " A file without any time stamps is read with --map timestamp_ms=none.";
    bool has_time = has_number(csv, COLUMN_FRAME_TIME), has_stamp = has_number(csv, COLUMN_STAMP) || !csv->has_clock;
    char *names;

    if ((csv->takes_samples && !has_time) || (has_time && has_stamp))
        return true;
    names = table_names(&csv->row);
    if (!has_time && !has_stamp)
        error_set(error, header_fault(csv),
                  "line %" PRId64 ": the columns frame_time_ms and timestamp_ms are missing. Columns found: %s. If other columns hold them, name "
                  "them with --map frame_time_ms=COLUMN --map timestamp_ms=COLUMN.%s",
                  line, names, advice);
    else
        error_set(error, header_fault(csv),
                  "line %" PRId64 ": the column %s is missing. Columns found: %s. If another column holds it, name it with --map %s=COLUMN.%s", line,
                  has_time ? "timestamp_ms" : "frame_time_ms", names, has_time ? "timestamp_ms" : "frame_time_ms", has_time ? advice : "");
    free(names);
    return false;
}

static void plan_context(struct csv *csv, size_t column)
{
    struct csv_text_run *run = csv->run_count ? &csv->runs[csv->run_count - 1] : NULL;

    if (run && run->first + run->count == column) {
        run->count++;
        return;
    }
    csv->runs[csv->run_count] = (struct csv_text_run){column, 1};
    array_push(&csv->steps, (struct csv_step){.kind = CSV_RUN, .run = csv->run_count++});
}

void csv_plan_steps(struct csv *csv)
{
    csv->fast = true;
    csv->steps.count = 0;
    csv->run_count = 0;
    for (size_t i = 0; i < csv->column_count; i++) {
        const struct column_target *target = &csv->columns[i];
        struct csv_step *last = csv->steps.count ? &csv->steps.items[csv->steps.count - 1] : NULL;

        switch (target->kind) {
        case COLUMN_IS_CONTEXT:
            plan_context(csv, i);
            break;
        case COLUMN_IS_NUMBER:
            array_push(&csv->steps, (struct csv_step){.kind = CSV_NUMBER,
                                                      .column = target->index,
                                                      .required = csv_is_required(target),
                                                      .scale = target->scale,
                                                      .digits = plain_number_digits(target->scale)});
            frame_batch_use(&csv->batch, (enum frame_column)target->index);
            break;
        case COLUMN_IS_TEXT:
            array_push(&csv->steps, (struct csv_step){.kind = CSV_TEXT, .column = target->index});
            frame_batch_use(&csv->batch, (enum frame_column)target->index);
            break;
        case COLUMN_IS_FLAG:
        case COLUMN_IS_SAMPLE:
            csv->fast = false;
            break;
        case COLUMN_IS_UNKNOWN:
            if (last && last->kind == CSV_SKIP)
                last->count++;
            else
                array_push(&csv->steps, (struct csv_step){.kind = CSV_SKIP, .count = 1});
            break;
        }
    }
}

static void tell_left_out(struct csv *csv)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        char *name;

        if (csv->columns[i].kind != COLUMN_IS_UNKNOWN || csv->row.items[i].length == 0)
            continue;
        name = text_clean(csv->row.items[i].text, csv->row.items[i].length);
        csv->reader->sink->column_left_out(csv->reader->sink->user, name, personal_column(name));
        free(name);
    }
}

static uint64_t row_hash(const struct csv *csv)
{
    uint64_t hash = csv->row.count;

    for (size_t i = 0; i < csv->row.count; i++)
        hash = (hash << 7 | hash >> 57) ^ hash_bytes(csv->row.items[i].text, csv->row.items[i].length);
    return hash;
}

static bool has_part(const struct csv *csv, enum sample_part part)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_SAMPLE && csv->columns[i].index == (int)part)
            return true;
    }
    return false;
}

/* "value" or "bytes" mean something only beside a name or a category. */
static void find_samples(struct csv *csv)
{
    bool values = has_part(csv, SAMPLE_NAME) && has_part(csv, SAMPLE_VALUE);
    bool snapshots = has_part(csv, SAMPLE_CATEGORY) && has_part(csv, SAMPLE_BYTES);

    csv->takes_samples = values || snapshots;
    for (size_t i = 0; i < csv->column_count; i++) {
        bool of_value = csv->columns[i].index <= SAMPLE_VALUE;

        if (csv->columns[i].kind == COLUMN_IS_SAMPLE && !(of_value ? values : snapshots))
            csv->columns[i].kind = COLUMN_IS_UNKNOWN;
    }
}

/* Somebody's own logger: no frame time of ours, or no time stamp. */
static void guess_rest(struct csv *csv, int64_t line)
{
    bool foreign = !has_number(csv, COLUMN_FRAME_TIME);

    find_samples(csv);
    csv->has_clock = !column_is_mapped_to_none(csv->reader->options, "timestamp_ms");
    if (csv->takes_samples || (!foreign && (has_number(csv, COLUMN_STAMP) || !csv->has_clock)))
        return;
    csv_guess_columns(csv, line);
    csv->header_hash = row_hash(csv);
    if (!foreign || has_number(csv, COLUMN_STAMP) || !has_number(csv, COLUMN_FRAME_TIME) || !csv->has_clock)
        return;
    csv->has_clock = false;
    csv_note(csv, memory_copy_text("There are no time stamps: frames are known by their order only, and gaps between them are not seen."));
}

static bool has_name(const void *user, const char *name)
{
    const struct csv *csv = user;

    for (size_t i = 0; i < csv->row.count; i++) {
        if (column_is_named(csv->row.items[i].text, csv->row.items[i].length, name))
            return true;
    }
    return false;
}

static bool check_maps(const struct csv *csv, int64_t line, struct error *error)
{
    const char *map = column_map_without_column(csv->reader->options, has_name, csv);
    char *names;

    if (!map)
        return true;
    names = table_names(&csv->row);
    error_set(error, ERROR_INPUT, "line %" PRId64 ": --map %s: there is no column \"%s\". Columns found: %s.", line, map,
              strchr(map, '=') + 1, names);
    free(names);
    return false;
}

bool csv_take_header(struct csv *csv, int64_t line, struct error *error)
{
    if (!frame_batch_flush(&csv->batch, error))
        return false;
    frame_batch_free(&csv->batch); /* the columns of an earlier header */
    frame_batch_init(&csv->batch, csv->reader->sink);
    csv_forget_header(csv);
    csv->column_count = csv->row.count;
    csv->header_line = line;
    csv->columns = memory_take_zeroed(csv->column_count, sizeof *csv->columns);
    for (size_t i = 0; i < csv->column_count; i++) {
        const struct table_field *field = &csv->row.items[i];
        bool mark = field->length >= 3 && memcmp(field->text, "\xEF\xBB\xBF", 3) == 0;

        column_find_mapped(csv->reader->options, field->text + (mark ? 3 : 0), field->length - (mark ? 3 : 0),
                           &csv->columns[i]);
        if (csv->columns[i].kind != COLUMN_IS_UNKNOWN && !check_twice(csv, i, line, error))
            return false;
    }
    if (!csv->told_facts && !check_maps(csv, line, error))
        return false;
    guess_rest(csv, line);
    if (!check_required(csv, line, error))
        return false;
    if (!csv->told_facts)
        csv->reader->sink->facts(csv->reader->sink->user, &(struct import_source_facts){.version = "",
                                                                                        .interval = "present",
                                                                                        .tests_holes = csv->has_clock,
                                                                                        .has_clock = csv->has_clock,
                                                                                        .unit_is_named = true});
    csv->told_facts = true;
    csv_plan_steps(csv);
    tell_left_out(csv);
    return true;
}

/* Is the field that should be the frame time at least the beginning of a number? */
static bool has_frame_time(const struct csv *csv)
{
    for (size_t i = 0; i < csv->column_count && i < csv->row.count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == COLUMN_FRAME_TIME)
            return csv->row.items[i].length == 0 || strchr("0123456789+-.", csv->row.items[i].text[0]);
    }
    return false;
}

bool csv_looks_like_header(const struct csv *csv)
{
    size_t known = 0, frame_times = 0;

    if (has_frame_time(csv))
        return false;
    if (csv->header_hash && csv->header_hash == row_hash(csv))
        return true;
    for (size_t i = 0; i < csv->row.count; i++) {
        struct column_target target;

        if (!column_find_mapped(csv->reader->options, csv->row.items[i].text, csv->row.items[i].length,
                                &target)) {
            /* The mark of a second file that was appended. */
            if (csv->row.items[i].length <= 3 || memcmp(csv->row.items[i].text, "\xEF\xBB\xBF", 3) != 0 ||
                !column_find_mapped(csv->reader->options, csv->row.items[i].text + 3,
                                    csv->row.items[i].length - 3, &target))
                continue;
        }
        known++;
        frame_times += target.kind == COLUMN_IS_NUMBER && target.index == COLUMN_FRAME_TIME;
    }
    return frame_times > 0 && known * 2 >= csv->row.count;
}
