/*
 * Verdicts as the store keeps them. They are taken only when everything that they were made from is as it was: the stamp is
 * a hash of that, so whatever changes (an import, a decision, a pin, another target FPS, other settings) they are made anew.
 */
#include "internal.h"
#include "stutterscope/analysis/compare.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/store/verdicts.h"
#include <stdlib.h>
#include <string.h>

/* To be raised with every change of how verdicts or their reasons are made. */
static const char rules[] = "2 " STUTTERSCOPE_VERSION;

static void add_number(struct hash_stream *stream, int64_t number)
{
    hash_stream_add(stream, &number, sizeof number);
}

/* With the end, so that "a" and "bc" is not "ab" and "c". */
static void add_text(struct hash_stream *stream, const char *text)
{
    hash_stream_add(stream, text ? text : "\x1f", (text ? strlen(text) : 1) + 1);
}

static void add_builds(struct hash_stream *stream, const struct model *model)
{
    for (size_t i = 0; i < model->builds.count; i++) {
        add_number(stream, model->builds.items[i].id);
        add_number(stream, model->builds.items[i].bad);
        add_text(stream, model->builds.items[i].name);
    }
}

static void add_devices(struct hash_stream *stream, const struct model *model)
{
    for (size_t i = 0; i < model->devices.count; i++) {
        const struct device_row *device = &model->devices.items[i];

        add_number(stream, device->id);
        add_number(stream, device->target_fps_milli);
        hash_stream_add(stream, &device->weight, sizeof device->weight);
        add_text(stream, device->model);
        add_text(stream, device->chip);
    }
}

static void add_groups(struct hash_stream *stream, const struct model *model)
{
    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_state *group = &model->groups.items[i];
        const int64_t numbers[] = {group->key.build, group->key.device, group->key.scene, group->key.quality,
                                   group->frames,    group->runs,       group->version,   group->stale};

        hash_stream_add(stream, numbers, sizeof numbers);
    }
}

/* A decision taken in an earlier build makes a return news. */
static void add_decisions(struct hash_stream *stream, const struct model *model, int64_t build)
{
    for (size_t i = 0; i < model->triage.sorted.count; i++) {
        const struct triage_state_row *row = &model->triage.sorted.items[i];
        int64_t decided_in;

        if (!row->row->state || !row->row->first_build || !model_find_build(model, row->row->first_build, &decided_in, NULL) ||
            model_build_position(model, decided_in) >= model_build_position(model, build))
            continue;
        add_text(stream, row->fingerprint);
        add_text(stream, row->row->state);
    }
}

static void make_stamp(const struct model *model, int64_t build, char hex[33])
{
    const struct baseline_pin_list *pins = &model->triage.pins;
    struct hash_stream *stream = hash_stream_create();

    add_text(stream, rules);
    add_builds(stream, model);
    add_devices(stream, model);
    add_groups(stream, model);
    add_decisions(stream, model, build);
    for (size_t i = 0; i < pins->count; i++) {
        add_number(stream, pins->items[i].device);
        add_number(stream, pins->items[i].scene);
        add_number(stream, pins->items[i].build);
    }
    hash_stream_print(stream, hex);
    hash_stream_destroy(stream);
}

static int64_t known_or_none(int64_t id)
{
    return id == VALUE_UNKNOWN ? 0 : id;
}

static int64_t none_as_unknown(int64_t id)
{
    return id ? id : VALUE_UNKNOWN;
}

/* The store is a file that others can write to: what no rule could have made is not taken. */
static bool are_sound(const struct model *model, const struct build_verdicts *kept)
{
    for (size_t i = 0; i < kept->stutters.count; i++) {
        const struct stutter_verdict_row *row = &kept->stutters.items[i];

        if (row->verdict >= VERDICT_COUNT || (unsigned)row->stutter.label >= LABEL_COUNT || !model_device(model, row->stutter.key.device) ||
            row->stutter.runs_hit < 0 || row->stutter.runs < row->stutter.runs_hit)
            return false;
    }
    for (size_t i = 0; i < kept->clean.count; i++)
        if (kept->clean.items[i].place < 0 || (size_t)kept->clean.items[i].place >= kept->stutters.count)
            return false;
    for (size_t i = 0; i < kept->groups.count; i++)
        if (kept->groups.items[i].verdict >= VERDICT_COUNT || kept->groups.items[i].figure >= COMPARED_COUNT)
            return false;
    return true;
}

/* Most of them fit, and need no printing. */
static void take_reason(char *buffer, size_t size, const char *reason)
{
    size_t length = strlen(reason);

    if (length < size)
        memcpy(buffer, reason, length + 1);
    else
        text_print(buffer, size, "%s", reason);
}

static void take_stutter(const struct model *model, const struct stutter_verdict_row *row, struct stutter_entries *entries)
{
    struct stutter_entry entry;

    entry_start(model, &entry, &row->stutter, row->present);
    entry.verdict = (enum verdict)row->verdict;
    entry.history_short = row->history_short;
    entry.doubted = row->doubted;
    take_reason(entry.reason, sizeof entry.reason, row->reason);
    entry.baseline_build = known_or_none(row->baseline_build);
    entry.baseline_pinned = row->baseline_pinned;
    entry.baseline_peak_ns = row->baseline_peak_ns;
    entry.delta_peak_ns = row->delta_peak_ns;
    entry.first_seen_build = known_or_none(row->first_seen_build);
    entry.last_clean_build = known_or_none(row->last_clean_build);
    array_push(entries, entry);
}

static void take_group(const struct group_verdict_row *row, struct group_comparisons *comparisons)
{
    struct group_comparison comparison = {
        .key = row->key,
        .figure = (enum compared_figure)row->figure,
        .baseline_build = known_or_none(row->baseline_build),
        .comparison = {(enum verdict)row->verdict, row->before, row->after, row->delta, row->delta_percent, row->noise, row->history_short, ""}};

    take_reason(comparison.comparison.reason, sizeof comparison.comparison.reason, row->reason);
    array_push(comparisons, comparison);
}

void verdicts_take(struct model *model, struct cached_entries *cached)
{
    struct build_verdicts kept;
    char stamp[33];
    bool found;

    if (cached->looked || cached->baseline || cached->has_entries || cached->has_comparisons)
        return;
    cached->looked = true;
    make_stamp(model, cached->build, stamp);
    if (!store_read_verdicts(model->store, model->key, cached->build, stamp, &kept, &found, NULL))
        return;
    if (found && are_sound(model, &kept)) {
        for (size_t i = 0; i < kept.stutters.count; i++)
            take_stutter(model, &kept.stutters.items[i], &cached->entries);
        for (size_t i = 0; i < kept.clean.count; i++)
            array_push(&cached->entries.items[kept.clean.items[i].place].clean_devices, kept.clean.items[i].device);
        for (size_t i = 0; i < kept.groups.count; i++)
            take_group(&kept.groups.items[i], &cached->comparisons);
        entries_fill_triage(model, &cached->entries);
        cached->has_entries = cached->has_comparisons = true;
    }
    build_verdicts_free(&kept);
}

/* Made from results that are in the store and current, all of them. */
static bool are_lasting(const struct model *model)
{
    if (!model->keeps_results)
        return false;
    for (size_t i = 0; i < model->builds.count; i++)
        if (model->cached[i].taken.groups.count || (model->cached[i].loaded && !model->cached[i].results.complete))
            return false;
    return true;
}

static void list_entries(const struct stutter_entries *entries, struct build_verdicts *ret)
{
    for (size_t i = 0; i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];

        array_push(&ret->stutters, (struct stutter_verdict_row){
                                       .stutter = entry->stutter,
                                       .present = entry->present,
                                       .verdict = (unsigned)entry->verdict,
                                       .history_short = entry->history_short,
                                       .doubted = entry->doubted,
                                       .reason = memory_copy_text(entry->reason),
                                       .baseline_build = none_as_unknown(entry->baseline_build),
                                       .baseline_pinned = entry->baseline_pinned,
                                       .baseline_peak_ns = entry->baseline_peak_ns,
                                       .delta_peak_ns = entry->delta_peak_ns,
                                       .first_seen_build = none_as_unknown(entry->first_seen_build),
                                       .last_clean_build = none_as_unknown(entry->last_clean_build),
                                   });
        for (size_t d = 0; d < entry->clean_devices.count; d++)
            array_push(&ret->clean, (struct clean_device_row){(int64_t)i, entry->clean_devices.items[d]});
    }
}

static void list_comparisons(const struct group_comparisons *comparisons, struct build_verdicts *ret)
{
    for (size_t i = 0; i < comparisons->count; i++) {
        const struct group_comparison *group = &comparisons->items[i];
        const struct figure_comparison *comparison = &group->comparison;

        array_push(&ret->groups, (struct group_verdict_row){
                                     .key = group->key,
                                     .figure = (unsigned)group->figure,
                                     .verdict = (unsigned)comparison->verdict,
                                     .baseline_build = none_as_unknown(group->baseline_build),
                                     .before = comparison->before,
                                     .after = comparison->after,
                                     .delta = comparison->delta,
                                     .delta_percent = comparison->delta_percent,
                                     .noise = comparison->noise,
                                     .history_short = comparison->history_short,
                                     .reason = memory_copy_text(comparison->reason),
                                 });
    }
}

void verdicts_keep(struct model *model, const struct cached_entries *cached)
{
    struct build_verdicts verdicts = {0};
    char stamp[33];

    if (cached->baseline || !cached->has_entries || !cached->has_comparisons || !are_lasting(model))
        return;
    make_stamp(model, cached->build, stamp);
    list_entries(&cached->entries, &verdicts);
    list_comparisons(&cached->comparisons, &verdicts);
    store_keep_verdicts(model->store, model->key, cached->build, stamp, &verdicts); /* if not, they are made again next time */
    build_verdicts_free(&verdicts);
}
