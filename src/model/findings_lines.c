/*
 * Findings as lines of the queue: one line is probably one bug, or one device.
 */
#include "findings_parts.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Which line a finding belongs to, and in what order lines and members come. */
struct placed {
    struct finding finding;
    size_t line, position; /* position: as found, the worst first */
};

static bool is_of_line(const struct finding_line *line, const struct finding *finding)
{
    if (line->kind != finding->kind)
        return false;
    if (line->kind == FINDING_SILENT || line->kind == FINDING_PARTIAL)
        return line->device == finding->key.device;
    return line->event == finding->event && line->scene == finding->key.scene;
}

static size_t find_line(struct findings *findings, const struct finding *finding)
{
    size_t i = 0;

    while (i < findings->lines.count && !is_of_line(&findings->lines.items[i], finding))
        i++;
    if (i == findings->lines.count)
        array_push(&findings->lines, (struct finding_line){.kind = finding->kind,
                                                           .event = finding->event,
                                                           .scene = finding->key.scene,
                                                           .device = finding->key.device,
                                                           .verdict = finding->verdict,
                                                           .state = finding->triage.state});
    findings->lines.items[i].decide |= finding->triage.state == TRIAGE_UNDECIDED;
    return i;
}

/* How much worse a drift or a slow group is; hitches come worst first already. */
static double growth(const struct finding *finding)
{
    return finding->kind == FINDING_DRIFT || finding->kind == FINDING_SLOW ? (finding->after - finding->before) / finding->before : 0;
}

static int compare_members(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    double left = growth(&x->finding), right = growth(&y->finding);

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (left > right || right > left) /* unknown ones are equal */
        return left > right ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

static size_t count_devices(const struct finding *members, size_t count)
{
    size_t devices = 0;

    for (size_t i = 0; i < count; i++) {
        bool first = true;

        for (size_t j = 0; j < i && first; j++)
            first = members[j].key.device != members[i].key.device;
        devices += first;
    }
    return devices;
}

struct ordered_line {
    struct finding_line line;
    size_t position;
};

static int compare_lines(const void *a, const void *b)
{
    const struct ordered_line *x = a, *y = b;

    if (x->line.decide != y->line.decide)
        return y->line.decide - x->line.decide;
    if (x->line.kind != y->line.kind)
        return x->line.kind < y->line.kind ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

static void order_lines(struct findings *findings)
{
    struct ordered_line *ordered = memory_take_zeroed(findings->lines.count + 1, sizeof *ordered);

    for (size_t i = 0; i < findings->lines.count; i++)
        ordered[i] = (struct ordered_line){findings->lines.items[i], i};
    qsort(ordered, findings->lines.count, sizeof *ordered, compare_lines);
    for (size_t i = 0; i < findings->lines.count; i++)
        findings->lines.items[i] = ordered[i].line;
    free(ordered);
}

/* Members stand together, the worst first; it is what the line says. */
static void place_members(struct findings *findings)
{
    struct placed *placed = memory_take_zeroed(findings->items.count + 1, sizeof *placed);

    for (size_t i = 0; i < findings->items.count; i++)
        placed[i] = (struct placed){findings->items.items[i], find_line(findings, &findings->items.items[i]), i};
    qsort(placed, findings->items.count, sizeof *placed, compare_members);
    for (size_t i = 0; i < findings->items.count; i++) {
        struct finding_line *line = &findings->lines.items[placed[i].line];

        findings->items.items[i] = placed[i].finding;
        if (!line->count++)
            line->first = i;
    }
    free(placed);
    for (size_t i = 0; i < findings->lines.count; i++) {
        struct finding_line *line = &findings->lines.items[i];
        const struct finding *worst = &findings->items.items[line->first];

        line->device = worst->key.device;
        line->verdict = worst->verdict;
        line->state = line->decide ? TRIAGE_UNDECIDED : worst->triage.state;
        line->devices = count_devices(worst, line->count);
        findings->to_decide += line->decide;
    }
}

static int compare_verify(const void *a, const void *b)
{
    const struct verify_item *x = a, *y = b;
    const int64_t left[] = {x->subject.event, x->subject.key.scene, x->subject.key.device, x->subject.key.quality};
    const int64_t right[] = {y->subject.event, y->subject.key.scene, y->subject.key.device, y->subject.key.quality};

    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static void make_verify_lines(struct findings *findings)
{
    if (findings->verify.count)
        qsort(findings->verify.items, findings->verify.count, sizeof *findings->verify.items, compare_verify);
    for (size_t i = 0; i < findings->verify.count; i++) {
        const struct triage_subject *subject = &findings->verify.items[i].subject;
        struct verify_line *last = findings->verify_lines.count ? &findings->verify_lines.items[findings->verify_lines.count - 1] : NULL;

        if (last && last->event == subject->event && last->scene == subject->key.scene)
            last->count++;
        else
            array_push(&findings->verify_lines, (struct verify_line){subject->event, subject->key.scene, i, 1});
    }
    findings->to_verify = findings->verify_lines.count;
}

void findings_make_lines(struct findings *findings)
{
    place_members(findings);
    order_lines(findings);
    make_verify_lines(findings);
}
