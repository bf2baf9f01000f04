/*
 * The morning in a few lines, to paste into a chat.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/status.h"
#include <stdlib.h>
#include <string.h>

/* Rows decided at this build that say the same: state, ticket and what it is about. */
static bool is_same_line(const struct triage_row *a, const struct triage_row *b)
{
    const char *const left[] = {a->state, a->ticket, a->scene, a->event, a->owner}, *const right[] = {b->state, b->ticket, b->scene, b->event, b->owner};

    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (strcmp(left[i] ? left[i] : "", right[i] ? right[i] : "") != 0)
            return false;
    return strcmp(a->event, "(uploads)") != 0 || strcmp(a->device_model, b->device_model) == 0;
}

static bool is_decided_here(const struct triage_row *row, const char *build)
{
    return row->state && row->build && strcmp(row->build, build) == 0 && strcmp(row->state, triage_state_name(TRIAGE_UNDECIDED)) != 0;
}

static void add_clean(struct text_buffer *out, const char *before, const char *text)
{
    char *clean = text_clean(text, strlen(text));

    text_add_print(out, "%s%s", before, clean);
    free(clean);
}

static void add_decided(const struct model *model, struct text_buffer *out, const char *build)
{
    const struct triage_list *rows = &model->triage.rows;

    for (size_t i = 0; i < rows->count; i++) {
        const struct triage_row *row = &rows->items[i];
        size_t members = 0;
        bool first = is_decided_here(row, build);

        for (size_t j = 0; j < i && first; j++)
            first = !(is_decided_here(&rows->items[j], build) && is_same_line(&rows->items[j], row));
        if (!first)
            continue;
        for (size_t j = i; j < rows->count; j++)
            members += is_decided_here(&rows->items[j], build) && is_same_line(&rows->items[j], row);

        char *what = model_fingerprint_text(model, row->fingerprint);

        add_clean(out, "- ", row->state);
        if (row->ticket)
            add_clean(out, " ", row->ticket);
        text_add_print(out, ": %s", what);
        if (members > 1)
            text_add_print(out, " and %zu more", members - 1);
        if (row->owner)
            add_clean(out, ", ", row->owner);
        if (row->note)
            add_clean(out, ": ", row->note);
        text_add(out, "\n");
        free(what);
    }
}

static void add_line_text(const struct model *model, struct text_buffer *out, const struct finding_line *line, const struct finding *worst)
{
    const struct device_row *device = model_device(model, line->device);
    const char *title = device ? model_device_title(device) : "?", *event = model_text(model, line->event);
    bool whole_device = line->kind == FINDING_SILENT || line->kind == FINDING_PARTIAL;

    text_add(out, "- ");
    add_clean(out, "", whole_device ? title : line->kind == FINDING_HITCH ? (event ? event : "no event") : finding_kind_name(line->kind));
    if (!whole_device) {
        const char *scene = model_scene_name(model, line->scene);

        add_clean(out, " · ", scene ? scene : "?");
        add_clean(out, " · ", title);
        if (line->devices > 1)
            text_add_print(out, " and %zu more", line->devices - 1);
        text_add_print(out, ": %s", verdict_name(line->verdict));
    }
    add_clean(out, whole_device ? ": " : ", ", worst->reason);
    text_add(out, "\n");
}

static void add_to_verify(const struct model *model, struct text_buffer *out, const struct findings *findings)
{
    for (size_t i = 0; i < findings->verify_lines.count; i++) {
        const struct verify_line *line = &findings->verify_lines.items[i];
        const struct verify_item *item = &findings->verify.items[line->first];
        const char *event = model_text(model, line->event), *scene = model_scene_name(model, line->scene);

        add_clean(out, "- ", event ? event : "no event");
        add_clean(out, " · ", scene ? scene : "?");
        text_add_print(out, ": %s", item->verdict == VERDICT_SAME ? "still there" : verdict_name(item->verdict));
        if (!item->hits)
            text_add_print(out, ", 0 hitches in %lld", (long long)item->seen);
        if (item->triage.ticket)
            add_clean(out, ", ", item->triage.ticket);
        text_add(out, "\n");
    }
}

char *model_summary(struct model *model, int64_t build, int64_t baseline, bool as_it_is, struct error *error)
{
    struct findings *findings;
    struct coverage *coverage;
    struct text_buffer out = {0};
    const char *name = model_build_name(model, build);

    if (!model_findings(model, build, baseline, as_it_is, NULL, &findings, error))
        return NULL;
    if (!model_coverage(model, build, &coverage, error)) {
        findings_destroy(findings);
        return NULL;
    }
    add_clean(&out, "", name);
    if (findings->baseline)
        add_clean(&out, " vs ", model_build_name(model, findings->baseline));
    text_add_print(&out, ": %lld of %lld run%s, %zu to decide, %zu to verify%s\n", (long long)coverage->runs, (long long)coverage->expected_runs, text_plural(coverage->expected_runs),
                   findings->to_decide, findings->to_verify, findings->silent ? ", incomplete" : "");
    add_decided(model, &out, name);
    if (findings->to_decide)
        text_add(&out, "to decide\n");
    for (size_t i = 0; i < findings->to_decide; i++) /* they come first */
        add_line_text(model, &out, &findings->lines.items[i], &findings->items.items[findings->lines.items[i].first]);
    if (findings->to_verify)
        text_add(&out, "to verify\n");
    add_to_verify(model, &out, findings);
    coverage_destroy(coverage);
    findings_destroy(findings);
    return text_take(&out);
}
