#include "csv_guess.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 64
#define MOST_ROWS    2000

/* ---- names ---- */

static const struct {
    const char *word;
    int64_t scale;
} unit_words[] = {
    {"ms", NS_PER_MS},      {"msec", NS_PER_MS},         {"millis", NS_PER_MS}, {"milliseconds", NS_PER_MS},
    {"us", 1000},           {"usec", 1000},              {"micros", 1000},      {"microseconds", 1000},
    {"ns", 1},              {"nsec", 1},                 {"nanos", 1},          {"nanoseconds", 1},
    {"s", NS_PER_S},        {"sec", NS_PER_S},           {"secs", NS_PER_S},    {"seconds", NS_PER_S},
    {"second", NS_PER_S},   {"millisecond", NS_PER_MS},  {"microsecond", 1000}, {"nanosecond", 1},
};

/* A name in words: "frameTime(ms)" is "frametime" and ms. */
struct parsed_name {
    char base[LONGEST_NAME]; /* lower case, without separators and unit */
    int64_t scale;           /* 0: no unit */
};

enum guess_needs { NEEDS_NOTHING, NEEDS_TIME_UNIT };

static const struct {
    const char *base;
    struct column_target target; /* scale 0: a time */
    enum guess_needs needs;
} guesses[] = {
    {"frametime", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"frametimes", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"frameduration", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"framedelta", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"frameinterval", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"deltatime", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"timedelta", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"unscaleddeltatime", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"dt", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_NOTHING},
    {"delta", {COLUMN_IS_NUMBER, COLUMN_FRAME_TIME, 0}, NEEDS_TIME_UNIT},
    {"timestamp", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"time", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"t", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"ts", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"elapsed", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"elapsedtime", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"timesincestart", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"realtimesincestartup", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"runtime", {COLUMN_IS_NUMBER, COLUMN_STAMP, 0}, NEEDS_NOTHING},
    {"cpu", {COLUMN_IS_NUMBER, COLUMN_CPU, 0}, NEEDS_TIME_UNIT},
    {"cputime", {COLUMN_IS_NUMBER, COLUMN_CPU, 0}, NEEDS_NOTHING},
    {"cpuframe", {COLUMN_IS_NUMBER, COLUMN_CPU, 0}, NEEDS_TIME_UNIT},
    {"cpuframetime", {COLUMN_IS_NUMBER, COLUMN_CPU, 0}, NEEDS_NOTHING},
    {"gpu", {COLUMN_IS_NUMBER, COLUMN_GPU, 0}, NEEDS_TIME_UNIT},
    {"gputime", {COLUMN_IS_NUMBER, COLUMN_GPU, 0}, NEEDS_NOTHING},
    {"gpuframe", {COLUMN_IS_NUMBER, COLUMN_GPU, 0}, NEEDS_TIME_UNIT},
    {"gpuframetime", {COLUMN_IS_NUMBER, COLUMN_GPU, 0}, NEEDS_NOTHING},
    {"gcallocbytes", {COLUMN_IS_NUMBER, COLUMN_GC, 1}, NEEDS_NOTHING},
    {"drawcalls", {COLUMN_IS_NUMBER, COLUMN_DRAW_CALLS, 1}, NEEDS_NOTHING},
    {"event", {COLUMN_IS_TEXT, COLUMN_EVENT, 1}, NEEDS_NOTHING},
    {"eventname", {COLUMN_IS_TEXT, COLUMN_EVENT, 1}, NEEDS_NOTHING},
    {"marker", {COLUMN_IS_TEXT, COLUMN_EVENT, 1}, NEEDS_NOTHING},
    {"scenename", {COLUMN_IS_CONTEXT, CONTEXT_SCENE, 1}, NEEDS_NOTHING},
    {"level", {COLUMN_IS_CONTEXT, CONTEXT_SCENE, 1}, NEEDS_NOTHING},
    {"levelname", {COLUMN_IS_CONTEXT, CONTEXT_SCENE, 1}, NEEDS_NOTHING},
    {"map", {COLUMN_IS_CONTEXT, CONTEXT_SCENE, 1}, NEEDS_NOTHING},
    {"mapname", {COLUMN_IS_CONTEXT, CONTEXT_SCENE, 1}, NEEDS_NOTHING},
    {"device", {COLUMN_IS_CONTEXT, CONTEXT_DEVICE, 1}, NEEDS_NOTHING},
    {"devicename", {COLUMN_IS_CONTEXT, CONTEXT_DEVICE, 1}, NEEDS_NOTHING},
    {"devicemodel", {COLUMN_IS_CONTEXT, CONTEXT_DEVICE, 1}, NEEDS_NOTHING},
    {"model", {COLUMN_IS_CONTEXT, CONTEXT_DEVICE, 1}, NEEDS_NOTHING},
    {"build", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"buildid", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"buildversion", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"buildnumber", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"appversion", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"gameversion", {COLUMN_IS_CONTEXT, CONTEXT_BUILD, 1}, NEEDS_NOTHING},
    {"quality", {COLUMN_IS_CONTEXT, CONTEXT_QUALITY, 1}, NEEDS_NOTHING},
    {"qualitylevel", {COLUMN_IS_CONTEXT, CONTEXT_QUALITY, 1}, NEEDS_NOTHING},
    {"run", {COLUMN_IS_CONTEXT, CONTEXT_RUN, 1}, NEEDS_NOTHING},
    {"runid", {COLUMN_IS_CONTEXT, CONTEXT_RUN, 1}, NEEDS_NOTHING},
    {"session", {COLUMN_IS_CONTEXT, CONTEXT_RUN, 1}, NEEDS_NOTHING},
    {"sessionid", {COLUMN_IS_CONTEXT, CONTEXT_RUN, 1}, NEEDS_NOTHING},
    {"os", {COLUMN_IS_CONTEXT, CONTEXT_OS, 1}, NEEDS_NOTHING},
    {"osversion", {COLUMN_IS_CONTEXT, CONTEXT_OS, 1}, NEEDS_NOTHING},
    {"targetfps", {COLUMN_IS_CONTEXT, CONTEXT_TARGET_FPS, 1}, NEEDS_NOTHING},
};
#define GUESSES (sizeof guesses / sizeof *guesses)

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int64_t unit_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof unit_words / sizeof *unit_words; i++) {
        if (strlen(unit_words[i].word) == length && memcmp(unit_words[i].word, word, length) == 0)
            return unit_words[i].scale;
    }
    return 0;
}

/* Takes the last word away when it is a unit; other words are joined. starts: where words begin in text. */
static void join_words(const char *text, size_t length, const size_t *starts, size_t words, struct parsed_name *ret)
{
    ret->scale = 0;
    if (words > 1) {
        size_t last = starts[words - 1];

        ret->scale = unit_of(text + last, length - last);
        if (ret->scale)
            length = last;
        if (ret->scale && words > 2 && length - starts[words - 2] == 2 && memcmp(text + starts[words - 2], "in", 2) == 0)
            length -= 2;
    }
    memcpy(ret->base, text, length);
    ret->base[length] = '\0';
}

static bool parse_name(const char *name, size_t length, struct parsed_name *ret)
{
    char text[LONGEST_NAME];
    size_t starts[LONGEST_NAME], words = 0, filled = 0;
    bool gap = true;

    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool micro = i + 1 < length && (memcmp(name + i, "\xC2\xB5", 2) == 0 || memcmp(name + i, "\xCE\xBC", 2) == 0);

        if (filled + 2 >= sizeof text)
            return false;
        if (!micro && !is_upper(c) && !is_lower(c) && !is_digit(c)) {
            if ((unsigned char)c >= 0x80)
                return false; /* words of another language */
            gap = true;
            continue;
        }
        if (gap || (i > 0 && is_upper(c) && is_lower(name[i - 1])))
            starts[words++] = filled;
        gap = false;
        text[filled++] = micro ? 'u' : (char)(is_upper(c) ? c | 0x20 : c);
        i += micro;
    }
    join_words(text, filled, starts, words, ret);
    return filled > 0;
}

static int find_guess(const struct table_field *field, struct parsed_name *ret)
{
    size_t mark = field->length >= 3 && memcmp(field->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    if (!parse_name(field->text + mark, field->length - mark, ret))
        return -1;
    for (size_t i = 0; i < GUESSES; i++) {
        if (strcmp(guesses[i].base, ret->base) == 0 && (guesses[i].needs == NEEDS_NOTHING || ret->scale))
            return (int)i;
    }
    return -1;
}

bool csv_guess_has_frame_time(const struct table_row *header)
{
    for (size_t i = 0; i < header->count; i++) {
        struct parsed_name name;
        int guess = find_guess(&header->items[i], &name);

        if (guess >= 0 && guesses[guess].target.kind == COLUMN_IS_NUMBER && guesses[guess].target.index == COLUMN_FRAME_TIME)
            return true;
    }
    return false;
}

/* ---- values ---- */

struct numbers {
    double *items;
    size_t count, capacity;
};

static double field_number(const struct table_row *row, size_t column)
{
    double value;

    if (column >= row->count)
        return NAN;
    return number_parse_decimal(row->items[column].text, row->items[column].length, true, &value) == NUMBER_OK ? value : NAN;
}

/* The two columns in the rows of the sample behind the header; NAN where there is no number. */
static void read_rows(const struct csv *csv, int64_t line, size_t time_column, size_t stamp_column, struct numbers *times,
                      struct numbers *stamps)
{
    const struct import_sample *sample = import_input_sample(csv->reader->input);
    const char *at = sample->text, *end = at + sample->length;
    struct table_row row = {0};

    for (int64_t number = 1; at < end && times->count < MOST_ROWS; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));

        if (!stop)
            break; /* perhaps cut */
        if (number > line && !table_line_is_blank(at, (size_t)(stop - at), csv->separator)) {
            table_split(at, (size_t)(stop - at), csv->separator, &row);
            array_push(times, field_number(&row, time_column));
            array_push(stamps, field_number(&row, stamp_column));
        }
        at = stop + 1;
    }
    table_row_free(&row);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median_of(const struct numbers *numbers)
{
    struct numbers known = {0};
    double median = NAN;

    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->items[i] > 0)
            array_push(&known, numbers->items[i]);
    }
    if (known.count > 0) {
        qsort(known.items, known.count, sizeof *known.items, compare_doubles);
        median = known.items[(known.count - 1) / 2];
    }
    array_free(&known);
    return median;
}

/* Span of the stamps against the sum of the frame times, both in their own units; NAN: not known. */
static double span_ratio(const struct numbers *times, const struct numbers *stamps)
{
    double span = 0, sum = 0;

    for (size_t i = 1; i < times->count; i++) {
        if (!(stamps->items[i] >= stamps->items[i - 1]) || !(times->items[i] > 0))
            continue;
        span += stamps->items[i] - stamps->items[i - 1];
        sum += times->items[i];
    }
    return span > 0 && sum > 0 ? span / sum : NAN;
}

static const int64_t scales[] = {NS_PER_S, NS_PER_MS, 1000, 1};

static const char *scale_name(int64_t scale)
{
    return scale == NS_PER_S ? "s" : scale == NS_PER_MS ? "ms" : scale == 1000 ? "µs" : "ns";
}

static int64_t scale_by_size(double median)
{
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (median * (double)scales[i] >= 0.5e6 && median * (double)scales[i] < 500e6)
            return scales[i];
    }
    return NS_PER_MS;
}

static int64_t frame_scale(int64_t named, double median, double ratio, int64_t stamp_named)
{
    double ns = median * (double)named;
    bool fits = named && stamp_named && fabs(ratio * (double)stamp_named / (double)named - 1) < 0.05;

    if (named && (isnan(median) || fits || (ns >= 0.05e6 && ns <= 5e9)))
        return named;
    return isnan(median) ? NS_PER_MS : scale_by_size(median);
}

/* The unit in which the span is nearest to the sum; gaps make spans longer, never shorter. */
static int64_t stamp_scale(int64_t named, double ratio, int64_t frame, double first)
{
    int64_t best = frame;
    double least = INFINITY;

    if (named)
        return named;
    for (size_t i = 0; i < sizeof scales / sizeof *scales && isnan(ratio); i++) {
        if (first * (double)scales[i] >= 978307200e9 && first * (double)scales[i] < 4102444800e9)
            return scales[i]; /* a date */
    }
    for (size_t i = 0; i < sizeof scales / sizeof *scales && !isnan(ratio); i++) {
        double away = fabs(log(ratio * (double)scales[i] / (double)frame));

        if (away < least) {
            least = away;
            best = scales[i];
        }
    }
    return best;
}

/* ---- joined ---- */

static bool has_target(const struct csv *csv, const struct column_target *target)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind == target->kind && csv->columns[i].index == target->index)
            return true;
    }
    return false;
}

static size_t find_column(const struct csv *csv, enum frame_column column)
{
    for (size_t i = 0; i < csv->column_count; i++) {
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].index == (int)column)
            return i;
    }
    return SIZE_MAX;
}

/* Dates and other texts are no stamps. */
static bool are_numbers(const struct numbers *numbers)
{
    size_t known = 0;

    for (size_t i = 0; i < numbers->count; i++)
        known += !isnan(numbers->items[i]);
    return numbers->count == 0 || known * 2 >= numbers->count;
}

static double first_number(const struct numbers *numbers)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (!isnan(numbers->items[i]))
            return numbers->items[i];
    }
    return NAN;
}

static void settle_units(struct csv *csv, int64_t line, int64_t *named)
{
    size_t time = find_column(csv, COLUMN_FRAME_TIME), stamp = find_column(csv, COLUMN_STAMP);
    struct numbers times = {0}, stamps = {0};
    double median, ratio;

    read_rows(csv, line, time, stamp, &times, &stamps);
    if (stamp != SIZE_MAX && named[stamp] >= 0 && !are_numbers(&stamps)) {
        csv_note(csv, memory_print("\"%.*s\" holds no numbers: it was not taken for time stamps.", (int)csv->row.items[stamp].length,
                                   csv->row.items[stamp].text));
        csv->columns[stamp].kind = COLUMN_IS_UNKNOWN;
        stamp = SIZE_MAX;
    }
    median = median_of(&times);
    ratio = stamp == SIZE_MAX ? NAN : span_ratio(&times, &stamps);
    if (time != SIZE_MAX && named[time] >= 0) {
        csv->columns[time].scale =
            frame_scale(named[time], median, ratio, stamp == SIZE_MAX ? 0 : named[stamp] < 0 ? csv->columns[stamp].scale : named[stamp]);
        if (named[time] && csv->columns[time].scale != named[time])
            csv_note(csv, memory_print("The name \"%.*s\" says %s, but half of the frames would then take less or more than %g ms: the "
                                       "values were read as %s.",
                                       (int)csv->row.items[time].length, csv->row.items[time].text, scale_name(named[time]),
                                       median * (double)named[time] / 1e6, scale_name(csv->columns[time].scale)));
    }
    if (stamp != SIZE_MAX && named[stamp] >= 0)
        csv->columns[stamp].scale =
            stamp_scale(named[stamp], ratio, time == SIZE_MAX ? NS_PER_MS : csv->columns[time].scale, first_number(&stamps));
    for (size_t i = 0; i < csv->column_count; i++) { /* CPU and GPU times without a unit have that of the frame time */
        if (csv->columns[i].kind == COLUMN_IS_NUMBER && csv->columns[i].scale == 0)
            csv->columns[i].scale = named[i] > 0 ? named[i] : time == SIZE_MAX ? NS_PER_MS : csv->columns[time].scale;
    }
    array_free(&times);
    array_free(&stamps);
}

static const char *target_name(const struct column_target *target)
{
    static const char *const numbers[COLUMN_COUNT] = {
        [COLUMN_STAMP] = "timestamp", [COLUMN_FRAME_TIME] = "frame_time", [COLUMN_CPU] = "cpu_frame", [COLUMN_GPU] = "gpu_frame",
        [COLUMN_GC] = "gc_alloc_bytes", [COLUMN_DRAW_CALLS] = "draw_calls", [COLUMN_EVENT] = "event_name"};

    return target->kind == COLUMN_IS_CONTEXT ? context_fields[target->index].column : numbers[target->index];
}

static bool is_time(const struct column_target *target)
{
    return target->kind == COLUMN_IS_NUMBER && target->index <= COLUMN_DISPLAY;
}

static void tell(struct csv *csv, const int64_t *named)
{
    struct text_buffer text = {0};
    const char *mark = "Guessed from the names of the columns:";

    for (size_t i = 0; i < csv->column_count; i++) {
        const struct column_target *target = &csv->columns[i];
        const char *unit = !is_time(target) ? "" : target->scale == 1000 ? "_us" : target->scale == 1 ? "_ns" : target->scale == NS_PER_S ? "_s" : "_ms";
        char *name;

        if (named[i] < 0 || target->kind == COLUMN_IS_UNKNOWN)
            continue;
        name = text_clean(csv->row.items[i].text, csv->row.items[i].length);
        text_add_print(&text, "%s %s%s=\"%s\"%s", mark, target_name(target), unit, name,
                       is_time(target) && named[i] == 0 ? " (the unit by the values)" : "");
        mark = ",";
        free(name);
    }
    if (text.count == 0)
        return;
    text_add(&text, ". What is wrong is corrected with --map, for example --map frame_time_ms=COLUMN; --save-preset NAME keeps it.");
    csv_note(csv, text_take(&text));
}

void csv_guess_columns(struct csv *csv, int64_t line)
{
    /* Unit of the name of each column guessed here; 0: none in the name, -1: not guessed. */
    int64_t *named = memory_take((csv->column_count + 1) * sizeof *named);

    for (size_t i = 0; i < csv->column_count; i++) {
        struct parsed_name name;
        int guess = csv->columns[i].kind == COLUMN_IS_UNKNOWN ? find_guess(&csv->row.items[i], &name) : -1;

        named[i] = -1;
        if (guess < 0 || has_target(csv, &guesses[guess].target) ||
            (guesses[guess].target.index == COLUMN_STAMP && guesses[guess].target.kind == COLUMN_IS_NUMBER &&
             column_is_mapped_to_none(csv->reader->options, "timestamp_ms")))
            continue;
        csv->columns[i] = guesses[guess].target;
        named[i] = name.scale;
    }
    settle_units(csv, line, named);
    tell(csv, named);
    free(named);
}
