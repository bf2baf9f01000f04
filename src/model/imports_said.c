#include "stutterscope/model/imports.h"

#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 30

static bool has_run(const struct run_list *runs, int64_t import, int64_t device)
{
    for (size_t i = 0; i < runs->count; i++)
        if (runs->items[i].import == import && (!device || runs->items[i].device == device))
            return true;
    return false;
}

static void add_import(struct json *list, const struct import_row *row)
{
    struct json *object = json_object(), *report = row->report ? json_parse(row->report, strlen(row->report), NULL) : NULL;
    char when[48];

    json_add(object, "imported_at", json_from_text(clock_print(when, sizeof when, row->imported_at_ms)));
    json_add(object, "report", report ? report : json_null());
    json_append(list, object);
}

struct json *model_imports(struct model *model, int64_t build, int64_t device, struct error *error)
{
    const struct run_list *runs = model_build_runs(model, build, error);
    struct import_list imports = {0};
    struct json *list = NULL;

    if (runs && store_list_imports(model->store, &imports, error)) {
        list = json_array();
        for (size_t i = 0; i < imports.count; i++)
            if (has_run(runs, imports.items[i].id, device))
                add_import(list, &imports.items[i]);
    }
    import_list_free(&imports);
    return list;
}

/* ---- as text ---- */

struct remark {
    char *text;
    int64_t files;
};
struct remarks {
    struct remark *items;
    size_t count, capacity;
};

static void add_remark(struct remarks *remarks, char *text) /* takes the text */
{
    for (size_t i = 0; i < remarks->count; i++)
        if (strcmp(remarks->items[i].text, text) == 0) {
            remarks->items[i].files++;
            free(text);
            return;
        }
    array_push(remarks, ((struct remark){text, 1}));
}

static void add_list(struct remarks *remarks, const struct json *report, const char *member, const char *words)
{
    const struct json *list = json_member(report, member);
    struct text_buffer line = {0};

    for (const struct json *item = json_first(list); item; item = json_next(item))
        if (json_text(item))
            text_add_print(&line, "%s%s", line.count ? ", " : words, json_text(item));
    if (line.count)
        add_remark(remarks, text_take(&line));
    else
        array_free(&line);
}

static void add_streams(struct remarks *remarks, const struct json *report)
{
    size_t streams = json_count(json_member(report, "streams"));
    const char *chosen = json_text(json_member(report, "stream"));

    if (streams > 1 && chosen)
        add_remark(remarks, memory_print("stream %s, one of %zu", chosen, streams));
}

static void add_sampling(struct remarks *remarks, const struct json *report)
{
    for (const struct json *run = json_first(json_member(report, "run_list")); run; run = json_next(run)) {
        const char *sampling = json_text(json_member(run, "sampling"));
        double share;

        if (sampling && strcmp(sampling, "every frame") != 0 && json_number(json_member(run, "logged_share"), &share))
            add_remark(remarks, memory_print("frames kept: %s (%.0f %% of the time logged)", sampling, share * 100));
    }
}

static void add_report(struct remarks *remarks, const struct json *report)
{
    const char *interval = json_text(json_member(report, "interval"));

    if (interval && strcmp(interval, "display") == 0)
        add_remark(remarks, memory_copy_text("the frame times are display intervals"));
    for (const struct json *reason = json_first(json_member(report, "rejected")); reason; reason = json_next(reason)) {
        double count = 0;

        json_number(json_member(reason, "count"), &count);
        add_remark(remarks, memory_print("left out: %.0f %s", count, json_name(reason)));
    }
    add_streams(remarks, report);
    add_sampling(remarks, report);
    add_list(remarks, report, "personal", "personal columns left out: ");
    add_list(remarks, report, "left_out", "unknown columns left out: ");
    for (const struct json *note = json_first(json_member(report, "notes")); note; note = json_next(note))
        if (json_text(note))
            add_remark(remarks, memory_copy_text(json_text(note)));
}

char *imports_text(const struct json *imports)
{
    struct text_buffer text = {0};
    struct remarks remarks = {0};

    for (const struct json *import = json_first(imports); import; import = json_next(import))
        add_report(&remarks, json_member(import, "report"));
    if (remarks.count)
        text_add(&text, "what the import said:\n");
    for (size_t i = 0; i < remarks.count; i++) {
        if (i < MOST_LINES)
            text_add_print(&text, "  %" PRId64 " file%s: %s\n", remarks.items[i].files, text_plural(remarks.items[i].files), remarks.items[i].text);
        free(remarks.items[i].text);
    }
    if (remarks.count > MOST_LINES)
        text_add_print(&text, "  … and %zu more (--json has all)\n", remarks.count - MOST_LINES);
    array_free(&remarks);
    return text_take(&text);
}
