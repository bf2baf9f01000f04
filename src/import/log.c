#include "stutterscope/import/log.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NOTES 100
#define MOST_NAMES 1000

struct import_log *import_log_create(void)
{
    struct import_log *log = memory_take_zeroed(1, sizeof *log);

    log->has_clock = true;
    return log;
}

void import_log_destroy(struct import_log *log)
{
    if (!log)
        return;
    for (int i = 0; i < REJECT_COUNT; i++)
        free(log->rejects[i].text);
    for (size_t i = 0; i < log->notes.count; i++)
        free(log->notes.items[i]);
    for (size_t i = 0; i < log->left_out.count; i++)
        free(log->left_out.items[i]);
    for (size_t i = 0; i < log->personal.count; i++)
        free(log->personal.items[i]);
    for (size_t i = 0; i < log->streams.count; i++)
        free(log->streams.items[i]);
    array_free(&log->notes);
    array_free(&log->left_out);
    array_free(&log->personal);
    array_free(&log->streams);
    array_free(&log->stream_rows);
    free(log->chosen_stream);
    free(log->version);
    free(log->interval);
    free(log);
}

void import_log_facts(void *user, const struct import_source_facts *facts)
{
    struct import_log *log = user;

    free(log->version);
    free(log->interval);
    log->version = memory_copy_text(facts->version);
    log->interval = memory_copy_text(facts->interval);
    log->tests_holes = facts->tests_holes;
    log->has_clock = facts->has_clock;
    log->unit_is_named = facts->unit_is_named;
}

void import_log_reject(void *user, enum reject_reason reason, int64_t line, const char *text, size_t length)
{
    struct import_rejects *rejects = &((struct import_log *)user)->rejects[reason];

    if (rejects->count == 0 && text) {
        char *clean = text_clean(text, length < 200 ? length : 200);

        rejects->text = text_cut_end(clean, 60, "…");
        free(clean);
    }
    import_log_reject_many(user, reason, 1, line);
}

void import_log_reject_many(void *user, enum reject_reason reason, int64_t count, int64_t first_line)
{
    struct import_log *log = user;
    struct import_rejects *rejects = &log->rejects[reason];

    if (count == 0)
        return;
    if (rejects->line_count < LOG_FIRST_LINES)
        rejects->lines[rejects->line_count++] = first_line;
    rejects->count += count;
    log->rejected += count;
}

void import_log_note(void *user, const char *text)
{
    struct import_log *log = user;

    for (size_t i = 0; i < log->notes.count; i++) {
        if (strcmp(log->notes.items[i], text) == 0)
            return;
    }
    if (log->notes.count < MOST_NOTES)
        array_push(&log->notes, memory_copy_text(text));
    else if (log->notes.count == MOST_NOTES)
        array_push(&log->notes, memory_copy_text("There is more to note than is shown here."));
}

void import_log_column(void *user, const char *name, bool personal)
{
    struct import_log *log = user;
    char *clean = text_clean(name, strlen(name));

    for (size_t i = 0; i < (personal ? log->personal.count : log->left_out.count); i++) {
        if (strcmp(personal ? log->personal.items[i] : log->left_out.items[i], clean) == 0) {
            free(clean);
            return;
        }
    }
    if (personal && log->personal.count < MOST_NAMES)
        array_push(&log->personal, clean);
    else if (!personal && log->left_out.count < MOST_NAMES)
        array_push(&log->left_out, clean);
    else
        free(clean);
}

void import_log_streams(void *user, const struct import_stream *streams, size_t count, const char *chosen)
{
    struct import_log *log = user;

    for (size_t i = 0; i < count; i++) {
        array_push(&log->streams, memory_copy_text(streams[i].key));
        array_push(&log->stream_rows, streams[i].rows);
    }
    free(log->chosen_stream);
    log->chosen_stream = memory_copy_text(chosen);
}

static struct json *text_array(char *const *items, size_t count)
{
    struct json *array = json_array();

    for (size_t i = 0; i < count; i++)
        json_append(array, json_from_text(items[i]));
    return array;
}

static struct json *rejects_json(const struct import_log *log)
{
    struct json *all = json_object();

    for (int i = 0; i < REJECT_COUNT; i++) {
        const struct import_rejects *rejects = &log->rejects[i];
        struct json *one, *lines;

        if (rejects->count == 0)
            continue;
        one = json_object();
        lines = json_array();
        for (size_t j = 0; j < rejects->line_count; j++)
            json_append(lines, json_from_integer(rejects->lines[j]));
        json_add(one, "count", json_from_integer(rejects->count));
        json_add(one, "first_lines", lines);
        json_add(one, "text", json_from_text(rejects->text));
        json_add(all, reject_reason_names[i], one);
    }
    return all;
}

void import_log_report(const struct import_log *log, struct json *report)
{
    struct json *streams = json_array();

    for (size_t i = 0; i < log->streams.count; i++) {
        struct json *stream = json_object();

        json_add(stream, "key", json_from_text(log->streams.items[i]));
        json_add(stream, "rows", json_from_integer(log->stream_rows.items[i]));
        json_append(streams, stream);
    }
    json_add(report, "version", json_from_text(log->version && *log->version ? log->version : NULL));
    json_add(report, "interval", json_from_text(log->interval));
    json_add(report, "stream", json_from_text(log->chosen_stream));
    json_add(report, "streams", streams);
    json_add(report, "rejected_rows", json_from_integer(log->rejected));
    json_add(report, "rejected", rejects_json(log));
    json_add(report, "left_out", text_array(log->left_out.items, log->left_out.count));
    json_add(report, "personal", text_array(log->personal.items, log->personal.count));
    json_add(report, "notes", text_array(log->notes.items, log->notes.count));
}

char *import_log_why_empty(const struct import_log *log)
{
    struct text_buffer text = {0};
    const char *between = "";

    if (log->rejected == 0)
        return memory_copy_text("no rows");
    text_add_print(&text, "%" PRId64 " row%s, all rejected: ", log->rejected, text_plural(log->rejected));
    for (int i = 0; i < REJECT_COUNT; i++) {
        const struct import_rejects *rejects = &log->rejects[i];

        if (rejects->count == 0)
            continue;
        text_add_print(&text, "%s%" PRId64 " %s (first in line %" PRId64, between, rejects->count,
                       reject_reason_names[i], rejects->lines[0]);
        if (rejects->text && *rejects->text)
            text_add_print(&text, ": \"%s\"", rejects->text);
        text_add(&text, ")");
        between = ", ";
    }
    return text_take(&text);
}
