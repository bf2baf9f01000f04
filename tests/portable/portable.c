/* What must come out the same on every target: run.sh builds this for several. The right answers are worked out by hand;
 * the packed bytes, which it prints, are compared with those of the other targets. */
#include "segment_codec.h"
#include "stutterscope/analysis/distribution.h"
#include "stutterscope/analysis/windows.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/wide.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS(x)     ((int64_t)(x) * NS_PER_MS)
#define LENGTH(a) (sizeof(a) / sizeof *(a))

static int faults;

#define CHECK(right) check((right), #right, __LINE__)

static void check(bool right, const char *what, int line)
{
    if (right)
        return;
    printf("portable.c:%d: not so: %s\n", line, what);
    faults++;
}

static void numbers(void)
{
    static const struct {
        const char *text;
        int64_t scale;
        bool comma;
        enum number_fault fault;
        int64_t value;
    } scaled[] = {
        {"16.667", 1000000, false, NUMBER_OK, 16667000},
        {" -3 ", 1, false, NUMBER_OK, -3},
        {"1.5e-3", 1000000, false, NUMBER_OK, 1500},
        {"0,5", 1000, true, NUMBER_OK, 500},
        {"0.0000005", 1000000, false, NUMBER_OK, 1}, /* half away from zero */
        {"9223372036854775807", 1, false, NUMBER_OK, INT64_MAX},
        {"9223372036854775808", 1, false, NUMBER_TOO_LARGE, 0},
        {"4294967297", 1, false, NUMBER_OK, 4294967297}, /* 2^32 + 1 */
        {"16.6ms", 1, false, NUMBER_TRAILING_TEXT, 0},
        {"0x10", 1, false, NUMBER_HEXADECIMAL, 0},
    };
    char text[64];

    for (size_t i = 0; i < LENGTH(scaled); i++) {
        int64_t value = 0;
        enum number_fault fault =
            number_parse_scaled(scaled[i].text, strlen(scaled[i].text), scaled[i].scale, scaled[i].comma, &value);

        if (fault != scaled[i].fault || value != scaled[i].value) {
            printf("\"%s\" is %" PRId64 " (%s)\n", scaled[i].text, value, number_fault_text(fault));
            faults++;
        }
    }

    /* 3 (2^63 + 1) = 2^64 + 2^63 + 3 */
    uint64_t rest = 0;
    CHECK(wide_scale(3, (UINT64_C(1) << 63) + 1, 0, (UINT64_C(1) << 63) + 2, &rest) == 2);
    CHECK(rest == (UINT64_C(1) << 63) - 1);

    /* The nearest double, not one that a wider register held: volatile keeps it out of the registers. */
    volatile double parsed = 0;
    double value = 0;
    CHECK(number_parse_double("0.1", 3, &value) == NUMBER_OK);
    parsed = value;
    CHECK(parsed == 0x1.999999999999ap-4);
    CHECK(number_parse_double("123456789.125", 13, &value) == NUMBER_OK);
    parsed = value;
    CHECK(parsed == 123456789.125);
    CHECK(number_parse_double("1e400", 5, &value) == NUMBER_NOT_FINITE);

    CHECK(strcmp(number_print_scaled(text, sizeof text, 92400000, 1000000), "92.4") == 0);
    CHECK(strcmp(number_print_scaled(text, sizeof text, INT64_MAX, 1000000), "9223372036854.775807") == 0);
    CHECK(strcmp(number_print_scaled(text, sizeof text, -1, 1000), "-0.001") == 0);
    CHECK(strcmp(number_print_scaled(text, sizeof text, VALUE_UNKNOWN, 1), "") == 0);
    CHECK(strcmp(number_print_double(text, sizeof text, 33.34, 1), "33.3") == 0);
    CHECK(strcmp(number_print_double(text, sizeof text, 4294967296.5, 3), "4294967296.5") == 0);
    CHECK(strcmp(number_print_double(text, sizeof text, -0.04, 1), "0") == 0);
}

static void texts(void)
{
    size_t width = 0;

    CHECK(text_width("Raid_02") == 7);
    CHECK(text_width("\xe6\x97\xa5\xe6\x9c\xac") == 4); /* two ideographs */
    CHECK(text_width("e\xcc\x81") == 1);                /* e and a combining acute */
    CHECK(text_fit("\xe6\x97\xa5\xe6\x9c\xac", 3, &width) == 3 && width == 2);
    CHECK(text_compare_natural("1.8.0(99)", "1.8.0(421)") < 0);
    CHECK(text_units("\xf0\x9f\x8e\xae") == 2); /* U+1F3AE: a surrogate pair */
    char *clean = text_clean("a\x1b[31m\xff", 7);
    CHECK(strcmp(clean, "a\xef\xbf\xbd[31m\xef\xbf\xbd") == 0);
    free(clean);
    /* Of the function's own test vectors: no bytes, seed 0. */
    CHECK(hash_bytes("", 0) == 0x2d06800538d394c2u);
}

static void distribution(void)
{
    const int64_t frames[] = {MS(100), MS(10), MS(40), MS(20), MS(30)};
    struct frame_piece piece = {.fps_milli = 60000, .count = LENGTH(frames), .frame_ns = frames};
    struct sample_policy policy = {.every = 1, .kept_over_ns = VALUE_UNKNOWN};
    struct analysis_settings settings;
    struct distribution figures;

    analysis_settings_default(&settings);
    struct distribution_builder *builder = distribution_builder_create(&settings);
    distribution_builder_add(builder, &piece, policy);
    distribution_builder_finish(builder, &figures);
    CHECK(figures.frames == 5 && figures.duration_ns == MS(200));
    CHECK(figures.median_ns == 3e7);
    CHECK(figures.mad_ns == 1e7); /* of 70, 20, 10, 10, 0 ms */
    CHECK(figures.mean_ns == 4e7);
    CHECK(figures.p95_ns == MS(100) && figures.p99_ns == MS(100));
    CHECK(distribution_builder_percentile(builder, 60000) == MS(30)); /* the third of five */
    CHECK(figures.min_ns == MS(10) && figures.max_ns == MS(100));
    /* the budget is 16.667 ms, the alert threshold 33.333 */
    CHECK(figures.late == 4 && figures.over == 2);
    distribution_builder_destroy(builder);
}

static void windows(void)
{
    const int64_t frames[] = {MS(10), MS(50), MS(10), MS(40), MS(10)};
    const int64_t stamps[] = {MS(10), MS(60), MS(70), MS(110), MS(120)};
    struct frame_piece piece = {.segment = 1, .run = 2, .fps_milli = 60000, .count = LENGTH(frames), .frame_ns = frames,
                                .stamp_ns = stamps};
    struct frame_indices candidates = {0};
    struct stutter_windows found = {0};
    struct analysis_settings settings;

    analysis_settings_default(&settings);
    struct candidate_limits limits = candidate_limits_of(NULL, &settings); /* the threshold alone decides */
    candidates_find(&piece, &limits, &settings, &candidates);
    CHECK(candidates.count == 2 && candidates.items[0] == 1 && candidates.items[1] == 3);
    windows_find(&piece, &candidates, 1, &limits, &settings, &found);
    CHECK(found.count == 1);
    if (found.count == 1) {
        const struct stutter_window *window = &found.items[0];

        CHECK(window->start_ns == MS(10) && window->end_ns == MS(110));
        CHECK(window->peak_ns == MS(50) && window->over == 2 && window->frames == 3);
        CHECK(window->excess_ns == MS(90) - 2 * 16667000);
        CHECK(isnan(window->z));
    }
    free(candidates.items);
    free(found.items);
}

/* Packs and unpacks; prints the bytes; a byte that is another one is refused. */
static void column(struct segment_codec *codec, const char *name, enum frame_column which, const int64_t *values,
                   const int64_t *frame_times, size_t count)
{
    struct byte_buffer packed = {0};
    struct error error = {0};
    int64_t *back = calloc(count, sizeof *back);

    segment_pack(codec, which, values, frame_times, count, &packed);
    printf("%s:", name);
    for (size_t i = 0; i < packed.count; i++)
        printf(" %02x", packed.items[i]);
    printf("\n");
    CHECK(back && segment_unpack(codec, which, packed.items, packed.count, frame_times, back, count, &error));
    CHECK(back && memcmp(values, back, count * sizeof *values) == 0);
    packed.items[packed.count / 2] ^= 1;
    CHECK(back && !segment_unpack(codec, which, packed.items, packed.count, frame_times, back, count, &error));
    CHECK(error.code == ERROR_STORE);
    free(back);
    free(packed.items);
}

static void segments(void)
{
    enum { COUNT = 40 };
    int64_t same[COUNT], times[COUNT], stamps[COUNT], unknown[COUNT], names[COUNT], wide[COUNT], end = 0;
    struct segment_codec *codec = segment_codec_create();

    for (size_t i = 0; i < COUNT; i++) {
        same[i] = 16667000;
        times[i] = 16667000 + (int64_t)(i * 7919 % 31) * 1000;
        stamps[i] = end += times[i];
        unknown[i] = i % 3 ? times[i] / 2 : VALUE_UNKNOWN;
        names[i] = i >= 10 && i < 30 ? 5 : 0;
        wide[i] = i % 2 ? INT64_MAX - (int64_t)i : -((int64_t)1 << 40);
    }
    column(codec, "equal", COLUMN_FRAME_TIME, same, NULL, COUNT);
    column(codec, "times", COLUMN_FRAME_TIME, times, NULL, COUNT);
    column(codec, "stamps", COLUMN_STAMP, stamps, times, COUNT);
    column(codec, "unknown", COLUMN_CPU, unknown, NULL, COUNT);
    column(codec, "names", COLUMN_EVENT, names, NULL, COUNT);
    column(codec, "wide", COLUMN_MEMORY, wide, NULL, COUNT);
    segment_codec_destroy(codec);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    numbers();
    texts();
    distribution();
    windows();
    segments();
    return faults > 0;
}
