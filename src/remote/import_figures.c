/* What the server computes over the frames that stay with it. */
#include "import_internal.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Figures of one run, or of a series, in a scene at a quality, until the labelled frames are added. */
struct figure {
    size_t run, of;
    uint32_t scene, quality;
    struct summary_row row;
};
struct gathering {
    struct device_part *part;
    bool pooled;
    struct {
        struct figure *items;
        size_t count, capacity;
    } figures;
};

static uint32_t text_id(struct gathering *gathering, const struct answer_value *value)
{
    return dictionary_add(gathering->part->work->texts, value->text, value->length);
}

static struct distribution distribution_of(const struct answer_value *values)
{
    int64_t frames = values[FIGURE_FRAMES].integer, slowest = frames / 100 + (frames % 100 != 0);

    return (struct distribution){
        .frames = frames,
        .frames_kept = values[FIGURE_KEPT].integer,
        .duration_ns = values[FIGURE_DURATION].integer,
        .median_ns = (double)values[FIGURE_MEDIAN2].integer / 2,
        .mad_ns = (double)values[FIGURE_MAD4].integer / 4,
        .p95_ns = values[FIGURE_P95].integer,
        .p99_ns = values[FIGURE_P99].integer,
        .min_ns = values[FIGURE_MIN].integer,
        .max_ns = values[FIGURE_MAX].integer,
        .mean_ns = (double)values[FIGURE_DURATION].integer / (double)frames,
        .low1_ns = (double)values[FIGURE_SLOWEST].integer / (double)slowest,
        .late = values[FIGURE_LATE].integer,
        .over = values[FIGURE_OVER].integer,
        .slow_frames = values[FIGURE_SLOW_FRAMES].integer,
        .excess_ns = values[FIGURE_EXCESS].integer,
        .labelled = {[LABEL_GAMEPLAY] = {frames, values[FIGURE_DURATION].integer,
                                         values[FIGURE_OVER].integer}},
    };
}

/* A run of the part that has this series. */
static size_t any_of_series(const struct device_part *part, const char *series)
{
    for (size_t i = part->first; i < part->end; i++) {
        const char *here = part->work->runs.items[i].series;

        if (strcmp(here ? here : "", series) == 0)
            return part->work->runs.items[i].number;
    }
    return part->work->runs.items[part->first].number;
}

static bool note_figure(void *user, const struct answer_value *values, struct error *error)
{
    struct gathering *gathering = user;
    struct figure figure = {.run = SIZE_MAX,
                            .scene = text_id(gathering, &values[FIGURE_SCENE]),
                            .quality = text_id(gathering, &values[FIGURE_QUALITY])};

    if (values[FIGURE_FRAMES].integer <= 0)
        return error_set(error, ERROR_INPUT, "the server computed figures of no frames");
    for (size_t i = FIGURE_FRAMES; i < FIGURE_COLUMNS; i++)
        if (i != FIGURE_HALF && !is_within(&values[i], 0, SUM_MOST_NS))
            return refuse_changed(error);
    if (gathering->pooled) {
        figure.of = any_of_series(gathering->part, values[FIGURE_SERIES].text);
    } else {
        struct remote_run *run = part_run(gathering->part, values[FIGURE_RUN].text, error);

        if (!run)
            return false;
        figure.run = figure.of = run->number;
    }
    figure.row.hot = values[FIGURE_HOT].integer != 0;
    figure.row.half_ns = values[FIGURE_HOT].integer ? values[FIGURE_HALF].integer : VALUE_UNKNOWN;
    figure.row.distribution = distribution_of(values);
    array_push(&gathering->figures, figure);
    return true;
}

static const char *series_of_number(const struct device_part *part, size_t number)
{
    for (size_t i = part->first; i < part->end; i++)
        if (part->work->runs.items[i].number == number)
            return part->work->runs.items[i].series ? part->work->runs.items[i].series : "";
    return "";
}

/* The figures of a run or of its series; made when all of its frames there are labelled. */
static struct figure *find_figure(struct gathering *gathering, size_t run, size_t of, uint32_t scene,
                                  uint32_t quality)
{
    const char *series = series_of_number(gathering->part, of);

    for (size_t i = 0; i < gathering->figures.count; i++) {
        struct figure *figure = &gathering->figures.items[i];

        if (figure->run == run && figure->scene == scene && figure->quality == quality &&
            (run != SIZE_MAX || strcmp(series_of_number(gathering->part, figure->of), series) == 0))
            return figure;
    }
    array_push(
        &gathering->figures,
        (struct figure){
            .run = run, .of = of, .scene = scene, .quality = quality, .row = {.half_ns = VALUE_UNKNOWN}});
    return &gathering->figures.items[gathering->figures.count - 1];
}

static bool note_labelled(void *user, const struct answer_value *values, struct error *error)
{
    struct gathering *gathering = user;
    struct remote_run *run = part_run(gathering->part, values[LABELLED_RUN].text, error);
    int64_t label = values[LABELLED_LABEL].integer;
    uint32_t scene = text_id(gathering, &values[LABELLED_SCENE]),
             quality = text_id(gathering, &values[LABELLED_QUALITY]);

    if (!run)
        return false;
    if (label <= LABEL_GAMEPLAY || label >= LABEL_COUNT)
        return error_set(error, ERROR_INPUT, "the server tells of a label that was not sent to it");
    if (!is_within(&values[LABELLED_FRAMES], 0, FRAMES_MOST) || !is_within(&values[LABELLED_NS], 0, SUM_MOST_NS) ||
        !is_within(&values[LABELLED_OVER], 0, values[LABELLED_FRAMES].integer))
        return refuse_changed(error);
    for (int pooled = 0; pooled < 2; pooled++) {
        struct figure *figure =
            find_figure(gathering, pooled ? SIZE_MAX : run->number, run->number, scene, quality);
        struct label_total *total = &figure->row.distribution.labelled[label];

        if (total->ns > SUM_MOST_NS - values[LABELLED_NS].integer)
            return refuse_changed(error);
        total->frames += values[LABELLED_FRAMES].integer;
        total->ns += values[LABELLED_NS].integer;
        total->over += values[LABELLED_OVER].integer;
    }
    return true;
}

static bool note_peak(void *user, const struct answer_value *values, struct error *error)
{
    struct gathering *gathering = user;
    struct build_work *work = gathering->part->work;
    struct remote_run *run = part_run(gathering->part, values[PEAK_RUN].text, error);
    int64_t event = values[PEAK_EVENT].integer;

    if (!run)
        return false;
    if (event < 0 || event > (int64_t)dictionary_count(work->texts))
        return error_set(error, ERROR_INPUT, "the server tells of an event that was not sent to it");
    if (!is_within(&values[PEAK_NS], SHORTEST_FRAME_NS, LONGEST_FRAME_NS))
        return refuse_changed(error);

    char *scene = text_clean(values[PEAK_SCENE].text, values[PEAK_SCENE].length);
    char *quality = clean_name(values[PEAK_QUALITY].text, values[PEAK_QUALITY].length);

    store_writer_add_peak(work->writer, run->number, scene, quality,
                          event ? clean_id(work, (uint32_t)event) : 0, values[PEAK_NS].integer);
    free(scene);
    free(quality);
    return true;
}

static void hand_over(struct gathering *gathering)
{
    struct build_work *work = gathering->part->work;

    for (size_t i = 0; i < gathering->figures.count; i++) {
        const struct figure *figure = &gathering->figures.items[i];
        const char *raw_scene = dictionary_text(work->texts, figure->scene),
                   *raw_quality = dictionary_text(work->texts, figure->quality);
        char *scene = text_clean(raw_scene, strlen(raw_scene)),
             *quality = clean_name(raw_quality, strlen(raw_quality));

        store_writer_add_summary(work->writer, figure->run, figure->of, scene, quality, &figure->row);
        free(scene);
        free(quality);
    }
}

bool take_figures(struct device_part *part, struct error *error)
{
    struct gathering gathering = {.part = part};
    char *structure = span_structure(&part->work->work->columns);
    struct remote_table table = {REMOTE_SPANS, structure, part->spans.items, part->spans.count};
    struct text_buffer sql[4] = {0};
    struct remote_question questions[] = {
        {NULL, &table, figure_columns, FIGURE_COLUMNS, note_figure, &gathering},
        {NULL, &table, figure_columns, FIGURE_COLUMNS, note_figure, &gathering},
        {NULL, &table, labelled_columns, LABELLED_COLUMNS, note_labelled, &gathering},
        {NULL, &table, peak_columns, PEAK_COLUMNS, note_peak, &gathering},
    };
    bool good = true;

    statement_figures(&sql[0], &part->scope, &part->measure, false);
    statement_figures(&sql[1], &part->scope, &part->measure, true);
    statement_labelled(&sql[2], &part->scope, &part->measure);
    statement_peaks(&sql[3], &part->scope);
    for (size_t i = 0; i < 4 && good; i++) {
        gathering.pooled = i == 1;
        questions[i].sql = sql[i].items;
        good = remote_server_ask(part->work->work->server, &questions[i], error);
    }
    if (good)
        hand_over(&gathering);
    for (size_t i = 0; i < 4; i++)
        array_free(&sql[i]);
    array_free(&gathering.figures);
    free(structure);
    return good;
}
