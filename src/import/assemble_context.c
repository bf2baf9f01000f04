#include "assemble_private.h"

#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

/* What numbers among the context fields may be. */
static const struct {
    enum context_field field;
    int64_t scale, least, most; /* value × scale */
    const char *expected;
} ranges[] = {
    {CONTEXT_TARGET_FPS, 1000, 1000, 1000000, "a number from 1 to 1000"},
    {CONTEXT_REFRESH_HZ, 1000, 1000, 1000000, "a number from 1 to 1000"},
    {CONTEXT_SAMPLE_EVERY, 1, 1, 1000000, "a whole number from 1 on"},
    {CONTEXT_KEPT_OVER_MS, NS_PER_MS, 0, LONGEST_FRAME_NS, "milliseconds"},
};

static const char *expectation(enum context_field field)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].field == field)
            return ranges[i].expected;
    }
    return "a date like 2024-03-01T02:10:00Z";
}

bool context_check(enum context_field field, const char *text, int64_t *ret)
{
    *ret = VALUE_UNKNOWN;
    if (field == CONTEXT_BUILT_AT || field == CONTEXT_STARTED_AT)
        return clock_parse(text, ret);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        int64_t value;

        if (ranges[i].field != field)
            continue;
        if (number_parse_scaled(text, strlen(text), ranges[i].scale, true, &value) != NUMBER_OK ||
            value < ranges[i].least || value > ranges[i].most)
            return false;
        *ret = value;
    }
    return true;
}

int64_t context_number(struct assembler *assembler, enum context_field field, uint32_t id)
{
    const char *text = dictionary_text(assembler->texts, id);
    int64_t value = VALUE_UNKNOWN;

    if (id != 0 && !context_check(field, text, &value) && !number_is_absent(text, strlen(text))) {
        char *note = memory_print("%s \"%s\" is not %s: left unknown.", context_fields[field].column, text,
                                  expectation(field));

        import_log_note(assembler->log, note);
        free(note);
    } else if (field == CONTEXT_STARTED_AT && value != VALUE_UNKNOWN && !clock_says_zone(text)) {
        import_log_note(assembler->log, "The start time of the run is said without its zone: it was taken as UTC.");
    }
    return value;
}

void note_missing(struct assembler *assembler, enum context_field field, int64_t line)
{
    assembler->missing[field] = true;
    if (assembler->missing_line == 0)
        assembler->missing_line = line;
}

char *missing_words(const struct assembler *assembler)
{
    struct text_buffer what = {0}, columns = {0}, options = {0};
    size_t count = 0;
    char *words = NULL;

    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (!assembler->missing[i])
            continue;
        text_add_print(&what, "%sthe %s", count ? " and " : "", context_fields[i].help);
        text_add_print(&columns, "%s%s", count ? " and no " : "", context_fields[i].column);
        text_add_print(&options, "%s%s NAME", count ? " " : "", context_fields[i].option);
        count++;
    }
    if (count > 0)
        words = memory_print("%s %s not known: the file has no %s here. Give %s with %s; a column under another name with --map.",
                             what.items, count > 1 ? "are" : "is", columns.items, count > 1 ? "them" : "it", options.items);
    array_free(&what);
    array_free(&columns);
    array_free(&options);
    return words;
}

/* The user's words, once, as texts; wrong numbers are the user's error. */
static bool take_overrides(struct assembler *assembler, const struct import_options *options,
                           struct error *error)
{
    for (int i = 0; options && i < CONTEXT_COUNT; i++) {
        const char *text = options->context[i], *fallback = options->fallback[i];
        int64_t ignored;

        if (fallback && *fallback)
            assembler->fallbacks[i] = dictionary_add(assembler->texts, fallback, strlen(fallback));
        if (!text || !*text)
            continue;
        if (!context_check((enum context_field)i, text, &ignored))
            return error_set(error, ERROR_USAGE, "%s \"%s\": expected %s.",
                             context_fields[i].option ? context_fields[i].option : context_fields[i].column,
                             text, expectation((enum context_field)i));
        assembler->overrides[i] = dictionary_add(assembler->texts, text, strlen(text));
    }
    return true;
}

static void assembler_facts(void *user, const struct import_source_facts *facts)
{
    import_log_facts(((struct assembler *)user)->log, facts);
}

static void count_rejected(struct assembler *assembler, int64_t count)
{
    if (assembler->last_lane)
        assembler->last_lane->rejected += count;
    else
        assembler->rejected_before += count;
}

static void assembler_reject(void *user, enum reject_reason reason, int64_t line, const char *text,
                             size_t length)
{
    struct assembler *assembler = user;

    count_rejected(assembler, 1);
    import_log_reject(assembler->log, reason, line, text, length);
}

static void assembler_reject_many(void *user, enum reject_reason reason, int64_t count, int64_t first_line)
{
    struct assembler *assembler = user;

    /* Rows of other streams say nothing about this run. */
    if (reason != REJECT_OTHER_STREAM)
        count_rejected(assembler, count);
    import_log_reject_many(assembler->log, reason, count, first_line);
}

static void assembler_note(void *user, const char *text)
{
    import_log_note(((struct assembler *)user)->log, text);
}

static void assembler_column(void *user, const char *name, bool personal)
{
    import_log_column(((struct assembler *)user)->log, name, personal);
}

static void assembler_streams(void *user, const struct import_stream *streams, size_t count,
                              const char *chosen)
{
    import_log_streams(((struct assembler *)user)->log, streams, count, chosen);
}

struct assembler *assembler_create(const struct import_options *options, struct dictionary *texts,
                                   struct import_log *log, const struct segment_sink *sink,
                                   struct error *error)
{
    struct assembler *assembler = memory_take_zeroed(1, sizeof *assembler);

    assembler->texts = texts;
    assembler->log = log;
    assembler->out = sink;
    assembler->hash = hash_stream_create();
    assembler->lane_keys = dictionary_create();
    for (size_t i = 0; i < LIMITED_FIELDS; i++)
        assembler->named[i] = dictionary_create();
    assembler->slot_count = 64;
    assembler->slots = memory_take_zeroed(assembler->slot_count, sizeof *assembler->slots);
    assembler->sink = (struct import_sink){.user = assembler,
                                           .texts = texts,
                                           .facts = assembler_facts,
                                           .frames = assembler_take,
                                           .reject = assembler_reject,
                                           .reject_many = assembler_reject_many,
                                           .note = assembler_note,
                                           .column_left_out = assembler_column,
                                           .streams = assembler_streams,
                                           .sample = sink->add_sample ? assembler_take_sample : NULL};
    if (!take_overrides(assembler, options, error)) {
        assembler_destroy(assembler);
        return NULL;
    }
    return assembler;
}

void assembler_destroy(struct assembler *assembler)
{
    if (!assembler)
        return;
    for (size_t i = 0; i < assembler->slot_count; i++)
        free(assembler->slots[i]);
    for (size_t i = 0; i < assembler->lanes.count; i++) {
        struct lane *lane = assembler->lanes.items[i];

        frame_store_free(&lane->early);
        array_free(&lane->spans);
        array_free(&lane->early_lines);
        array_free(&lane->samples);
        free(lane);
    }
    for (size_t i = 0; i < assembler->runs.count; i++)
        run_destroy(assembler->runs.items[i]);
    array_free(&assembler->numbered);
    array_free(&assembler->lanes);
    array_free(&assembler->runs);
    hash_stream_destroy(assembler->hash);
    dictionary_destroy(assembler->lane_keys);
    for (size_t i = 0; i < LIMITED_FIELDS; i++)
        dictionary_destroy(assembler->named[i]);
    free(assembler->slots);
    if (assembler->mixed) {
        frame_store_free(&assembler->mixed->frames);
        frame_store_free(&assembler->mixed->sorted);
        array_free(&assembler->mixed->lanes);
        free(assembler->mixed);
    }
    free(assembler->lines);
    free(assembler->stamps);
    free(assembler->flags);
    free(assembler);
}

const struct import_sink *assembler_sink(struct assembler *assembler)
{
    return &assembler->sink;
}

const struct assembled_run *assembler_run(const struct assembler *assembler, size_t index)
{
    return index < assembler->runs.count ? &assembler->runs.items[index]->public : NULL;
}

int64_t assembler_frames(const struct assembler *assembler)
{
    return assembler->frames;
}

bool assembler_has_display(const struct assembler *assembler)
{
    return assembler->has_display;
}

int64_t assembler_samples(const struct assembler *assembler)
{
    return assembler->samples;
}

void assembler_fingerprint(const struct assembler *assembler, char hex[33])
{
    hash_stream_print(assembler->hash, hex);
}
