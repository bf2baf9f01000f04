/*
 * Files that make importers stumble, with the figures that must come out. Read from the folder that
 * STUTTERSCOPE_REFERENCE names; figures are sums and ranks over all frames that import hands over.
 */
#include "recorder.h"
#include "stutterscope/base/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS NS_PER_MS

static struct recorder *open_case(const char *name, const struct import_options *options)
{
    char *file = memory_print("cases/%s", name), *path = reference_path(file);
    struct recorder *recorder;

    free(file);
    if (!path)
        return NULL;
    recorder = record_file(path, options);
    free(path);
    return recorder;
}

static void need_reference(void)
{
    char *path = reference_path("cases/README.md");

    if (!path)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    free(path);
}

struct expectation {
    const char *file;
    size_t frames, runs;
    double sum, median, p95, p99, max; /* ms; 0: not told */
};

static void expect_ms(double ns, double ms, const char *what, const char *file)
{
    if (ms != 0)
        cr_expect(ns / 1e6 > ms - 0.0005 && ns / 1e6 < ms + 0.0005, "%s: %s %.6f, expected %.6f", file, what,
                  ns / 1e6, ms);
}

static void check(const struct expectation *wanted, size_t count)
{
    need_reference();
    for (size_t i = 0; i < count; i++) {
        struct recorder *recorder = open_case(wanted[i].file, NULL);
        struct recorded_figures figures;

        cr_assert(recorder, "%s", wanted[i].file);
        cr_assert(recorder->fine, "%s", recorder->error.text);
        figures = recorded_figures(recorder, SIZE_MAX);
        cr_expect_eq(figures.frames, wanted[i].frames, "%s: %zu frames", wanted[i].file, figures.frames);
        cr_expect_eq(recorder->runs.count, wanted[i].runs, "%s: %zu runs", wanted[i].file,
                     recorder->runs.count);
        expect_ms((double)figures.sum, wanted[i].sum, "sum", wanted[i].file);
        expect_ms(figures.median, wanted[i].median, "median", wanted[i].file);
        expect_ms((double)figures.p95, wanted[i].p95, "P95", wanted[i].file);
        expect_ms((double)figures.p99, wanted[i].p99, "P99", wanted[i].file);
        expect_ms((double)figures.max, wanted[i].max, "maximum", wanted[i].file);
        recorder_free(recorder);
    }
}

#define CHECK(wanted) check(wanted, sizeof wanted / sizeof *(wanted))

Test(cases, figures)
{
    static const struct expectation wanted[] = {
        {"01-decimal-comma-semicolon/en_reference.csv", 480, 1, 8107.598, 16.1, 16.3, 83.333, 83.333},
        {"01-decimal-comma-semicolon/de_semicolon.csv", 480, 1, 8107.598, 16.1, 16.3, 83.333, 83.333},
        {"01-decimal-comma-semicolon/de_excel_sep_line.csv", 480, 1, 8107.598, 16.1, 16.3, 83.333, 83.333},
        {"01-decimal-comma-semicolon/de_quoted_comma.csv", 480, 1, 8107.598, 16.1, 16.3, 83.333, 83.333},
        {"04-background-gap/a_marked_pause.csv", 601, 1, 9630 + 45016.4, 0, 0, 0, 45016.4},
        {"04-background-gap/b_timestamp_hole.csv", 600, 1, 9630, 16.05, 16.3, 16.3, 16.3},
        {"04-background-gap/c_real_freeze.csv", 601, 1, 13830, 16.1, 16.3, 16.3, 4200},
        {"05-nan-zero-negative/bad_samples.csv", 100, 1, 1704.8, 16.1, 16.3, 41, 41},
        {"07-loading-and-first-frames/a_loading_marked.csv", 488, 1, 7763 + 3221, 0, 0, 0, 0},
        {"07-loading-and-first-frames/b_startup_and_scene_change.csv", 600, 1, 9603.7 + 949 + 368, 0, 0, 0,
         0},
        {"14-unit-confusion/a_ms.csv", 480, 1, 8003.6, 16.1, 16.3, 66, 66},
        {"14-unit-confusion/b_epoch_s.ndjson", 480, 1, 8003.6, 16.1, 16.3, 66, 66},
        {"14-unit-confusion/c_epoch_us.ndjson", 480, 1, 8003.6, 16.1, 16.3, 66, 66},
        {"14-unit-confusion/d_epoch_ns.ndjson", 480, 1, 8003.6, 16.1, 16.3, 66, 66},
        {"14-unit-confusion/g_mislabelled_seconds.csv", 480, 1, 8003.6, 16.1, 16.3, 66, 66},
        {"16-bom-crlf/a_lf.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/b_bom_lf.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/c_bom_crlf.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/d_crlf.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/e_cr_only.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/f_mixed.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/g_bom_twice.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"16-bom-crlf/h_blank_lines.csv", 480, 1, 7889.6, 16.1, 16.3, 47, 47},
        {"19-clock-step-and-restart/a_clock_back_250ms.csv", 300, 1, 4815, 16.05, 16.3, 16.3, 16.3},
        {"19-clock-step-and-restart/b_clock_forward_1h.csv", 300, 1, 4815, 16.05, 16.3, 16.3, 16.3},
        {"19-clock-step-and-restart/c_restart_no_run_id.csv", 400, 2, 3210.1 + 4094.1, 0, 0, 0, 900},
        {"19-clock-step-and-restart/d_restart_run_id.csv", 400, 2, 3210.1 + 4094.1, 0, 0, 0, 900},
        {"19-clock-step-and-restart/e_uint32_wrap.csv", 300, 1, 4815, 16.05, 16.3, 16.3, 16.3},
        {"23-sampled-log/c_sampled_canonical.csv", 480, 1, 0, 0, 0, 16.3, 16.3},
        {"28-quotes-commas-names/a_valid_quoting.csv", 360, 6, 0, 0, 0, 0, 35},
        {"28-quotes-commas-names/b_stray_quote_midfield.csv", 100, 2, 0, 0, 0, 0, 0},
        {"28-quotes-commas-names/c_unclosed_quote.csv", 99, 1, 0, 0, 0, 0, 0},
        {"29-import-twice/a_run.csv", 480, 1, 7955.6, 16.1, 16.3, 58, 58},
        {"29-import-twice/c_grown.csv", 600, 1, 0, 0, 0, 0, 0},
        {"32-process-locale/en_reference.csv", 480, 1, 8108.164, 16.1, 16.3, 83.333, 83.333},
        {"32-process-locale/en_reference.ndjson", 480, 1, 8108.164, 16.1, 16.3, 83.333, 83.333},
        {"32-process-locale/upper_case_header.csv", 480, 1, 8108.164, 16.1, 16.3, 83.333, 83.333},
        {"34-header-oddities/a_header_repeated.csv", 200, 2, 1649.1 + 1650.1, 16.1, 16.3, 0, 61},
        {"34-header-oddities/b_header_changes_order.csv", 200, 2, 1649.1 + 1650.1, 16.1, 16.3, 0, 61},
        {"34-header-oddities/d_header_case_blanks.csv", 100, 1, 1649.1, 16.1, 16.3, 16.3, 60},
        {"35-json-ndjson/a_mixed.ndjson", 120, 1, 2333.33334, 0, 33.333334, 33.333334, 33.333334},
        {"35-json-ndjson/b_string_and_duplicate_key.ndjson", 11, 1, 0, 0, 0, 0, 0},
        {"35-json-ndjson/c_array.json", 50, 1, 0, 0, 0, 16.7, 0},
        {"35-json-ndjson/d_array_cut.json", 30, 1, 0, 0, 0, 0, 0},
        {"35-json-ndjson/e_object_with_frames.json", 20, 1, 0, 0, 0, 0, 0},
        {"41-utf16-legacy-encoding/a_utf8.csv", 480, 1, 7913.6, 16.1, 16.3, 51, 51},
        {"41-utf16-legacy-encoding/b_utf16le_bom.csv", 480, 1, 7913.6, 16.1, 16.3, 51, 51},
        {"41-utf16-legacy-encoding/c_utf16be_bom.csv", 480, 1, 7913.6, 16.1, 16.3, 51, 51},
        {"41-utf16-legacy-encoding/d_utf16le_no_bom.csv", 480, 1, 7913.6, 16.1, 16.3, 51, 51},
        {"41-utf16-legacy-encoding/e_cp949.csv", 480, 1, 7913.6, 16.1, 16.3, 51, 51},
        {"41-utf16-legacy-encoding/g_one_bad_byte.csv", 60, 1, 0, 0, 0, 0, 0},
        {"44-empty-and-one-frame/g_one_frame.csv", 1, 1, 16.6, 16.6, 16.6, 16.6, 16.6},
        {"44-empty-and-one-frame/h_two_frames.csv", 2, 1, 66.6, 33.3, 50, 50, 50},
    };

    CHECK(wanted);
}

Test(cases, refusals_say_why)
{
    static const struct {
        const char *file, *words;
    } refused[] = {
        {"01-decimal-comma-semicolon/de_unquoted_broken.csv", "13 fields, expected 10"},
        {"34-header-oddities/c_duplicate_column.csv", "as column 2"},
        {"34-header-oddities/e_required_column_missing.csv", "frame_time_ms is missing"},
        {"35-json-ndjson/f_deep_nesting.json", "100 levels"},
        {"44-empty-and-one-frame/a_zero_bytes.csv", "empty"},
        {"44-empty-and-one-frame/b_header_only.csv", "header but no rows"},
        {"44-empty-and-one-frame/c_bom_only.csv", "empty"},
        {"44-empty-and-one-frame/d_blank_lines.csv", "empty"},
        {"44-empty-and-one-frame/e_empty_array.json", "no frames"},
        {"44-empty-and-one-frame/f_empty.ndjson", "empty"},
        {"44-empty-and-one-frame/i_all_rows_bad.csv", "10 rows, all rejected"},
    };

    need_reference();
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct recorder *recorder = open_case(refused[i].file, NULL);

        cr_assert(recorder, "%s", refused[i].file);
        cr_expect(!recorder->fine, "%s", refused[i].file);
        cr_expect(strstr(recorder->error.text, refused[i].words), "%s", recorder->error.text);
        cr_expect_eq(recorder->segments.count, 0);
        recorder_free(recorder);
    }
}

Test(cases, measures)
{
    struct recorder *recorder;

    need_reference();
    recorder = open_case("04-background-gap/b_timestamp_hole.csv", NULL);
    cr_expect_eq(recorder->runs.items[0].measures.gaps, 1);
    cr_expect_eq(recorder->runs.items[0].measures.gap_ns, 45000 * MS);
    recorder_free(recorder);
    recorder = open_case("19-clock-step-and-restart/a_clock_back_250ms.csv", NULL);
    cr_expect(recorded_note(recorder, "-250 ms"));
    cr_expect_eq(recorder->runs.items[0].measures.clock_steps, 1);
    recorder_free(recorder);
    recorder = open_case("19-clock-step-and-restart/b_clock_forward_1h.csv", NULL);
    cr_expect(recorded_note(recorder, "3600000 ms"));
    recorder_free(recorder);
    recorder = open_case("23-sampled-log/c_sampled_canonical.csv", NULL);
    cr_expect_eq(recorder->runs.items[0].measures.gaps, 0);
    cr_expect_eq(recorder->runs.items[0].measures.holes_wide, 479);
    recorder_free(recorder);
    recorder = open_case("14-unit-confusion/c_epoch_us.ndjson", NULL);
    cr_expect_eq(recorder->runs.items[0].facts.started_at_ms, 1772452800000);
    recorder_free(recorder);
}

/* Line numbers that the bug reports name: rejected 8, 15, 22, … 106. */
Test(cases, rejected_lines)
{
    struct recorder *recorder;
    int64_t lines = 0, sum = 0;

    need_reference();
    recorder = open_case("05-nan-zero-negative/bad_samples.csv", NULL);
    for (int reason = 0; reason < REJECT_COUNT; reason++) {
        const struct import_rejects *rejects = &recorder->reading.log->rejects[reason];

        for (size_t i = 0; i < rejects->line_count; i++) {
            cr_expect_eq(rejects->lines[i] % 7, 1, "line %ld", (long)rejects->lines[i]);
            sum += rejects->lines[i];
            lines++;
        }
    }
    cr_expect_eq(lines, 15);
    cr_expect_eq(sum, 15 * (8 + 106) / 2);
    recorder_free(recorder);
}

Test(cases, same_content_same_fingerprint)
{
    struct recorder *a, *b, *d;

    need_reference();
    a = open_case("29-import-twice/a_run.csv", NULL);
    b = open_case("29-import-twice/b_same_other_name_crlf.csv", NULL);
    d = open_case("29-import-twice/d_same_numbers_other_scene.csv", NULL);
    cr_expect_str_eq(a->fingerprint, b->fingerprint);
    cr_expect_str_neq(a->fingerprint, d->fingerprint);
    recorder_free(a);
    recorder_free(b);
    recorder_free(d);
}

Test(cases, names)
{
    struct import_options options = {.encoding = "SHIFT_JIS"};
    struct recorder *recorder;

    need_reference();
    recorder = open_case("41-utf16-legacy-encoding/f_shift_jis.csv", &options);
    cr_expect_str_eq(recorder->segments.items[0].scene, "\u5E83\u5834");
    recorder_free(recorder);
    recorder = open_case("41-utf16-legacy-encoding/c_utf16be_bom.csv", NULL);
    cr_expect_str_eq(recorder->segments.items[0].scene, "\uAD11\uC7A5");
    recorder_free(recorder);
    recorder = open_case("28-quotes-commas-names/c_unclosed_quote.csv", NULL);
    cr_expect_eq(recorder->reading.log->rejects[REJECT_MALFORMED].lines[0], 51);
    recorder_free(recorder);
}
