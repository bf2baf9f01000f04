#include "stutterscope/import/import.h"

#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LISTED_RUNS    10
#define MOST_LISTED_STREAMS 10

static const char *text_of(const struct json *report, const char *name)
{
    return json_text(json_member(report, name));
}

static int64_t number_of(const struct json *report, const char *name)
{
    double value = 0;

    return json_number(json_member(report, name), &value) ? (int64_t)value : 0;
}

static bool is_taken(const struct json *report)
{
    const char *state = text_of(json_member(report, "result"), "state");

    return state && strcmp(state, "failed") != 0;
}

static void add_result(struct text_buffer *text, const struct json *report)
{
    const struct json *result = json_member(report, "result");
    const char *state = text_of(result, "state");
    bool taken = is_taken(report), is_dry = taken && (strcmp(state, "dry run") == 0 || strcmp(state, "would grow") == 0);
    int64_t frames = number_of(report, "frames"), runs = number_of(report, "runs");
    int64_t samples = number_of(report, "samples");

    text_add_print(text, "%s: ", text_of(report, "file") ? text_of(report, "file") : "?");
    if (!taken)
        text_add(text, "not imported");
    else if (strcmp(state, "already there") == 0)
        text_add(text, "already imported, 0 new frames");
    else if (frames == 0 && samples > 0)
        text_add_print(text, "%s%" PRId64 " sample%s in %" PRId64 " run%s, no frames", is_dry ? "would take " : "",
                       samples, text_plural(samples), runs, text_plural(runs));
    else if (strcmp(state, "dry run") == 0)
        text_add_print(text, "would take %" PRId64 " frame%s in %" PRId64 " run%s", frames, text_plural(frames), runs,
                       text_plural(runs));
    else if (is_dry)
        text_add_print(text, "would take %" PRId64 " frame%s in %" PRId64 " run%s, %" PRId64 " frame%s new (continues what is there)", frames,
                       text_plural(frames), runs, text_plural(runs), number_of(result, "frames_new"),
                       text_plural(number_of(result, "frames_new")));
    else
        text_add_print(text, "%" PRId64 " frame%s in %" PRId64 " run%s, %" PRId64 " frame%s new%s", frames,
                       text_plural(frames), runs, text_plural(runs), number_of(result, "frames_new"),
                       text_plural(number_of(result, "frames_new")),
                       strcmp(state, "grew") == 0 ? " (continues what was there)" : "");
    if (taken && frames > 0 && samples > 0)
        text_add_print(text, ", %" PRId64 " sample%s beside them", samples, text_plural(samples));
    if (text_of(report, "title"))
        text_add_print(text, " (%s%s%s)", text_of(report, "title"), text_of(report, "version") ? ", " : "",
                       text_of(report, "version") ? text_of(report, "version") : "");
    text_add(text, "\n");
    if (taken && text_of(report, "interval") && strcmp(text_of(report, "interval"), "display") == 0 && frames > 0)
        text_add(text, "  the frame times are display intervals\n");
    if (text_of(result, "earlier_file"))
        text_add_print(text, "  the same content came from %s on %s\n", text_of(result, "earlier_file"),
                       text_of(result, "earlier_at") ? text_of(result, "earlier_at") : "?");
    if (text_of(report, "error"))
        text_add_print(text, "  %s\n", text_of(report, "error"));
}

static void add_rejected(struct text_buffer *text, const struct json *report)
{
    for (const struct json *reason = json_first(json_member(report, "rejected")); reason;
         reason = json_next(reason)) {
        const char *mark = " (first in line ";

        text_add_print(text, "  left out: %" PRId64 " %s", number_of(reason, "count"), json_name(reason));
        for (const struct json *line = json_first(json_member(reason, "first_lines")); line;
             line = json_next(line)) {
            double number;

            if (json_number(line, &number))
                text_add_print(text, "%s%" PRId64, mark, (int64_t)number);
            mark = ", ";
            if (number_of(reason, "count") > 5)
                break;
        }
        if (text_of(reason, "text") && *text_of(reason, "text"))
            text_add_print(text, ": \"%s\"", text_of(reason, "text"));
        text_add(text, *mark == ',' ? ")\n" : "\n");
    }
}

static void add_names(struct text_buffer *text, const struct json *report, const char *name,
                      const char *words)
{
    const struct json *list = json_member(report, name);

    if (json_count(list) == 0)
        return;
    text_add_print(text, "  %s: ", words);
    for (const struct json *item = json_first(list); item; item = json_next(item))
        text_add_print(text, "%s%s", item == json_first(list) ? "" : ", ", json_text(item));
    text_add(text, "\n");
}

static void add_streams(struct text_buffer *text, const struct json *report)
{
    const struct json *streams = json_member(report, "streams");
    const char *chosen = text_of(report, "stream");
    size_t listed = 0;

    if (json_count(streams) < 2)
        return;
    text_add_print(text, "  stream: %s; others, see --stream:\n", chosen ? chosen : "?");
    for (const struct json *item = json_first(streams); item && listed < MOST_LISTED_STREAMS;
         item = json_next(item)) {
        const char *key = text_of(item, "key");

        if (key && (!chosen || strcmp(key, chosen) != 0)) {
            text_add_print(text, "    %s: %" PRId64 " row%s\n", key, number_of(item, "rows"), text_plural(number_of(item, "rows")));
            listed++;
        }
    }
}

static void add_runs(struct text_buffer *text, const struct json *report)
{
    size_t listed = 0;

    for (const struct json *run = json_first(json_member(report, "run_list"));
         run && listed < MOST_LISTED_RUNS; run = json_next(run), listed++) {
        double share;

        text_add_print(text, "  run %s: %s, %s, %" PRId64 " frame%s",
                       text_of(run, "run") ? text_of(run, "run") : "(no id)",
                       text_of(run, "build") ? text_of(run, "build") : "?",
                       text_of(run, "device") ? text_of(run, "device") : "?", number_of(run, "frames"), text_plural(number_of(run, "frames")));
        if (json_number(json_member(run, "logged_share"), &share) && text_of(run, "sampling") &&
            strcmp(text_of(run, "sampling"), "every frame") != 0)
            text_add_print(text, ", %s (%.0f %% of the time logged)", text_of(run, "sampling"), share * 100);
        if (number_of(run, "gaps") > 0)
            text_add_print(text, ", %" PRId64 " gap%s of %" PRId64 " ms in all", number_of(run, "gaps"),
                           text_plural(number_of(run, "gaps")), number_of(run, "gap_ms"));
        text_add(text, "\n");
    }
    if (number_of(report, "runs") > MOST_LISTED_RUNS)
        text_add_print(text, "  … and %" PRId64 " more run%s\n", number_of(report, "runs") - MOST_LISTED_RUNS,
                       text_plural(number_of(report, "runs") - MOST_LISTED_RUNS));
}

/* What was read before a file failed was not kept: nothing is said of its runs, nor that something was taken. */
char *import_report_text(const struct json *report)
{
    struct text_buffer text = {0};
    bool taken = is_taken(report);

    add_result(&text, report);
    if (taken)
        add_runs(&text, report);
    add_streams(&text, report);
    add_rejected(&text, report);
    add_names(&text, report, "personal", "personal columns left out");
    add_names(&text, report, "left_out", "unknown columns left out");
    for (const struct json *note = json_first(json_member(report, "notes")); note && taken; note = json_next(note))
        text_add_print(&text, "  note: %s\n", json_text(note));
    return text_take(&text);
}
