/* Which rows are shown, in which order: sections, filter, sorting. */
#include "queue.h"

#include "figure_text.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <math.h>
#include <stdlib.h>

bool queue_section_is_open(const struct queue *queue, enum queue_section section)
{
    return section == SECTION_DECIDE || section == SECTION_VERIFY || queue->open[section] || queue->session->shows_folded;
}

const char *queue_section_title(enum queue_section section)
{
    static const char *const titles[SECTION_COUNT] = {
        [SECTION_VERIFY] = "TO VERIFY",
        [SECTION_DECIDED] = "DECIDED",
        [SECTION_DECIDE] = "TO DECIDE",
        [SECTION_UNCLEAR] = "UNCLEAR",
        [SECTION_ONCE] = "ONCE",
        [SECTION_SAME] = "SAME OR BETTER",
        [SECTION_GONE] = "GONE",
        [SECTION_NOT_EXERCISED] = "NOT EXERCISED",
        [SECTION_TRANSITIONS] = "TRANSITIONS",
    };
    return titles[section];
}

const char *queue_line_mark(const struct queue_line *line)
{
    static const char *const marks[VERDICT_COUNT] = {
        [VERDICT_NONE] = "?",     [VERDICT_NEW] = "*",    [VERDICT_BACK] = "!",
        [VERDICT_WORSE] = "^",    [VERDICT_BETTER] = "v", [VERDICT_SAME] = "=",
        [VERDICT_SPORADIC] = "'", [VERDICT_GONE] = "-",   [VERDICT_NOT_EXERCISED] = "~",
        [VERDICT_MISSING] = "-",
    };
    if (line->kind == QUEUE_SILENT || line->kind == QUEUE_PARTIAL)
        return "?";
    if (line->section == SECTION_TRANSITIONS)
        return " ";
    if (line->section == SECTION_DECIDED) /* somebody has it, or nobody has to look */
        return triage_state_is_accepted(line->triage.state) ? "=" : "#";
    if (line->kind == QUEUE_VERIFY)
        return line->gone ? "v" : "?";
    if (line->kind == QUEUE_SLOW)
        return "^";
    return line->verdict < VERDICT_COUNT ? marks[line->verdict] : "?";
}

bool queue_line_contains(const struct queue_line *line, const char *text)
{
    return finder_contains(line->what, text) || finder_contains(line->where, text) ||
           finder_contains(line->devices, text) || finder_contains(line->why, text);
}

/* Kind of finding; to verify is a stutter that was decided on. */
static enum finding_kind kind_of(const struct queue_line *line)
{
    static const enum finding_kind kinds[] = {
        [QUEUE_STUTTER] = FINDING_HITCH,  [QUEUE_DRIFT] = FINDING_DRIFT,     [QUEUE_SLOW] = FINDING_SLOW,
        [QUEUE_SILENT] = FINDING_SILENT,  [QUEUE_PARTIAL] = FINDING_PARTIAL, [QUEUE_VERIFY] = FINDING_HITCH,
    };
    return kinds[line->kind];
}

/* A line fits when a member of it does. */
static bool members_fit(const struct queue *queue, const struct filter *filter, const struct queue_line *line)
{
    for (size_t i = 0; i < line->members.count; i++) {
        struct filter_subject subject;
        filter_subject_entry(&subject, queue->session->model, &line->members.items[i]);
        subject.also = line->why;
        if (filter_fits(filter, &subject))
            return true;
    }
    return false;
}

static bool line_fits(const struct queue *queue, const struct filter *filter, const struct queue_line *line)
{
    struct model *model = queue->session->model;
    if (line->kind == QUEUE_STUTTER && line->members.count)
        return members_fit(queue, filter, line);
    size_t devices = line->subjects.count ? line->subjects.count : 1;
    for (size_t i = 0; i < devices; i++) {
        struct filter_subject subject;
        filter_subject_clear(&subject);
        filter_subject_device(&subject, model, queue->session->build,
                              line->subjects.count ? line->subjects.items[i].key.device : line->device);
        if (line->subjects.count)
            filter_subject_set(&subject, FILTER_QUALITY, model_quality_name(model, line->subjects.items[i].key.quality));
        filter_subject_set(&subject, FILTER_SCENE, line->scene ? model_scene_name(model, line->scene) : NULL);
        filter_subject_set(&subject, FILTER_EVENT, line->event > 0 ? model_text(model, line->event) : NULL);
        filter_subject_set(&subject, FILTER_BUILD, model_build_name(model, queue->session->build));
        filter_subject_set(&subject, FILTER_KIND, finding_kind_name(kind_of(line)));
        filter_subject_set(&subject, FILTER_VERDICT, verdict_name(line->verdict));
        filter_subject_triage(&subject, &line->triage);
        subject.also = line->why;
        subject.numbers[FILTER_SEVERITY] = line->severity;
        subject.numbers[FILTER_PEAK] = line->peak_ns == VALUE_UNKNOWN ? NAN : (double)line->peak_ns / NS_PER_MS;
        if (filter_fits(filter, &subject))
            return true;
    }
    return false;
}

size_t queue_count_fitting(const void *state, const struct filter *filter, size_t *ret_of)
{
    const struct queue *queue = state;
    size_t count = 0;
    for (size_t i = 0; i < queue->lines.count; i++)
        count += line_fits(queue, filter, &queue->lines.items[i]);
    *ret_of = queue->lines.count;
    return count;
}

static int compare_numbers(double a, double b)
{
    if (isnan(a) || isnan(b)) /* unknown last */
        return (int)isnan(a) - (int)isnan(b);
    return (a < b) - (a > b);
}

static double known(int64_t ns)
{
    return ns == VALUE_UNKNOWN ? NAN : (double)ns;
}

static int compare_by(enum queue_order order, const struct queue_line *a, const struct queue_line *b)
{
    switch (order) {
    case ORDER_SEVERITY:
        return a->order != b->order ? (a->order > b->order) - (a->order < b->order)
                                    : compare_numbers(a->severity, b->severity);
    case ORDER_PEAK:
        return compare_numbers(known(a->peak_ns), known(b->peak_ns));
    case ORDER_CHANGE:
        return compare_numbers(known(a->delta_ns), known(b->delta_ns));
    case ORDER_RUNS:
        return compare_numbers(a->runs ? (double)a->runs_hit / (double)a->runs : NAN,
                               b->runs ? (double)b->runs_hit / (double)b->runs : NAN);
    case ORDER_WHERE:
        return text_compare_natural(a->where, b->where);
    default:
        return text_compare_natural(a->what, b->what);
    }
}

struct sorted_line {
    const struct queue *queue;
    size_t line;
};

static int compare_lines(const void *a, const void *b)
{
    const struct sorted_line *x = a, *y = b;
    const struct queue *queue = x->queue;
    const struct queue_line *left = &queue->lines.items[x->line], *right = &queue->lines.items[y->line];
    if (left->section != right->section)
        return (int)left->section - (int)right->section;
    int result = compare_by(queue->order, left, right);
    if (result != 0)
        return queue->reversed ? -result : result;
    return (x->line > y->line) - (x->line < y->line);
}

static void add_line_rows(struct queue *queue, size_t at)
{
    const struct queue_line *line = &queue->lines.items[at];
    array_push(&queue->rows, (struct queue_row){.kind = ROW_LINE, .section = line->section, .line = at});
    size_t members = line->kind == QUEUE_STUTTER ? line->members.count : line->drifts.count;
    for (size_t i = 0; line->unfolded && i < members; i++)
        array_push(&queue->rows, (struct queue_row){ROW_MEMBER, line->section, at, i});
}

void queue_make_rows(struct queue *queue)
{
    struct {
        struct sorted_line *items;
        size_t count, capacity;
    } sorted = {0};
    size_t counts[SECTION_COUNT] = {0};
    for (size_t i = 0; i < queue->lines.count; i++)
        if (line_fits(queue, queue->session->filter, &queue->lines.items[i])) {
            array_push(&sorted, (struct sorted_line){queue, i});
            counts[queue->lines.items[i].section]++;
        }
    if (sorted.count > 1)
        qsort(sorted.items, sorted.count, sizeof *sorted.items, compare_lines);
    queue->filtered = queue->lines.count - sorted.count;
    queue->rows.count = 0;
    size_t next = 0;
    for (int section = 0; section < SECTION_COUNT; section++) {
        bool open = queue_section_is_open(queue, (enum queue_section)section);
        if (section != SECTION_DECIDE && counts[section])
            array_push(&queue->rows,
                       (struct queue_row){.kind = ROW_SECTION, .section = (enum queue_section)section});
        for (; next < sorted.count &&
               queue->lines.items[sorted.items[next].line].section == (enum queue_section)section;
             next++)
            if (open)
                add_line_rows(queue, sorted.items[next].line);
    }
    if (queue->selected >= queue->rows.count)
        queue->selected = queue->rows.count ? queue->rows.count - 1 : 0;
    array_free(&sorted);
}

struct queue_line *queue_line_at(const struct queue *queue, size_t row)
{
    if (row >= queue->rows.count || queue->rows.items[row].kind == ROW_SECTION)
        return NULL;
    return &queue->lines.items[queue->rows.items[row].line];
}

const struct stutter_entry *queue_entry_at(const struct queue *queue, size_t row)
{
    const struct queue_line *line = queue_line_at(queue, row);
    if (line == NULL || line->kind != QUEUE_STUTTER || line->members.count == 0)
        return NULL;
    size_t member = queue->rows.items[row].kind == ROW_MEMBER ? queue->rows.items[row].member : 0;
    return &line->members.items[member];
}
