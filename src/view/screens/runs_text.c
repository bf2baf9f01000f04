#include "runs_text.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

static const struct import_row *find_import(const struct import_list *imports, int64_t id)
{
    for (size_t i = 0; i < imports->count; i++)
        if (imports->items[i].id == id)
            return &imports->items[i];
    return NULL;
}

static void add_sampling(struct text_buffer *text, const struct run_row *run)
{
    if (run_row_is_sampled(run))
        text_add(text, "  sampled: frames are missing everywhere, the log does not say how; no stutters are "
                       "looked for\n");
    else if (run->sampling.every > 1 && run->sampling.kept_over_ns != VALUE_UNKNOWN)
        text_add_print(text, "  declared sampling: one of %lld frames, and all over %s ms\n",
                       (long long)run->sampling.every, word_ms(run->sampling.kept_over_ns).text);
    else if (run->sampling.every > 1)
        text_add_print(text, "  declared sampling: one of %lld frames\n", (long long)run->sampling.every);
}

/* The notes are a JSON array of texts. */
static void add_notes(struct text_buffer *text, const char *notes)
{
    struct json *list = notes ? json_parse(notes, strlen(notes), NULL) : NULL;

    for (const struct json *note = list ? json_first(list) : NULL; note; note = json_next(note))
        if (json_text(note))
            text_add_print(text, "  note: %s\n", json_text(note));
    json_destroy(list);
}

static void add_run(struct text_buffer *text, const struct run_row *run, const struct import_list *imports)
{
    const struct import_row *import = find_import(imports, run->import);

    text_add_print(text, "# run %s%s%s\n", run->name ? run->name : "?",
                   run->started_at_ms != VALUE_UNKNOWN ? "  " : "", word_date(run->started_at_ms).text);
    text_add_print(text, "  %lld frame%s, %s", (long long)run->frames, text_plural(run->frames), word_duration(run->sum_ns).text);
    if (run->dropped)
        text_add_print(text, ", %lld dropped", (long long)run->dropped);
    if (run->gaps)
        text_add_print(text, ", %lld gap%s of %s in all", (long long)run->gaps, text_plural(run->gaps),
                       word_duration(run->gap_ns).text);
    if (run->clock_steps)
        text_add_print(text, ", %lld clock step%s", (long long)run->clock_steps,
                       text_plural(run->clock_steps));
    text_add_print(text, ", %lld row%s rejected\n", (long long)run->rejected, text_plural(run->rejected));
    if (run->os || run->gpu_name)
        text_add_print(text, "  %s%s%s\n", run->os ? run->os : "", run->os && run->gpu_name ? ", " : "",
                       run->gpu_name ? run->gpu_name : "");
    if (run->outcome || run->station || run->scenario)
        text_add_print(text, "  %s%s%s%s%s\n", run->outcome ? run->outcome : "",
                       run->station ? "  station " : "", run->station ? run->station : "",
                       run->scenario ? "  scenario " : "", run->scenario ? run->scenario : "");
    add_sampling(text, run);
    add_notes(text, run->notes);
    if (run->log_url)
        text_add_print(text, "  log %s\n", run->log_url);
    if (import)
        text_add_print(text, "  from %s (%s), imported %s, %lld row%s of the file rejected\n", import->path,
                       import->format, word_date(import->imported_at_ms).text, (long long)import->rejected,
                       text_plural(import->rejected));
    text_add(text, "\n");
}

/* What a report says in its members that are texts or lists of texts: formats of reports may grow. */
static void add_report(struct text_buffer *text, const struct import_row *import)
{
    struct json *report = import->report ? json_parse(import->report, strlen(import->report), NULL) : NULL;
    char *pretty = report ? json_print_pretty(report) : NULL;

    text_add_print(text, "# import of %s\n%s\n\n", import->path, pretty ? pretty : "  no report was kept");
    free(pretty);
    json_destroy(report);
}

char *runs_text(struct model *model, int64_t build, int64_t device, struct error *error)
{
    struct text_buffer text = {0};
    struct run_list runs = {0};
    struct import_list imports = {0};
    bool good = model_list_runs(model, build, device, &runs, error) &&
                store_list_imports(model_store(model), &imports, error);

    text_add_print(&text, "%s, build %s: %zu run%s\n\n", model_device_title(model_device(model, device)),
                   model_build_name(model, build), runs.count, text_plural((int64_t)runs.count));
    for (size_t i = 0; i < runs.count; i++)
        add_run(&text, &runs.items[i], &imports);
    for (size_t i = 0; i < imports.count; i++) {
        bool used = false;

        for (size_t r = 0; r < runs.count; r++)
            used |= runs.items[r].import == imports.items[i].id;
        if (used)
            add_report(&text, &imports.items[i]);
    }
    run_list_free(&runs);
    import_list_free(&imports);
    if (!good) {
        array_free(&text);
        return NULL;
    }

    char *whole = text_take(&text), *clean = text_clean_lines(whole, strlen(whole));

    free(whole);
    return clean;
}
