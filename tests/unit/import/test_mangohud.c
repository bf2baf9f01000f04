#include "recorder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSTEM                                                                                               \
    "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nSteamOS,AMD APU,AMD Van Gogh, rev. "                         \
    "2,15160364,6.5,,performance\n"
#define HEADER "fps,frametime,cpu_load,elapsed\n"

static void expect_values(const struct recorder *r, size_t run, enum frame_column column,
                          const int64_t *wanted, size_t count)
{
    size_t found;
    int64_t *values = recorded_column(r, run, column, &found);

    cr_assert_eq(found, count, "%zu values", found);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(values[i], wanted[i], "value %zu is %lld", i, (long long)values[i]);
    free(values);
}

static const int64_t times[] = {16000000, 20000000, 25000000}, stamps[] = {100000000, 120000000, 145000000};

Test(mangohud, units_by_version)
{
    static const char *const logs[] = {
        SYSTEM HEADER "62.5,16,1,100000000\n50,20,1,120000000\n40,25,1,145000000\n",
        SYSTEM HEADER "62.5,16000,1,100000000\n50,20000,1,120000000\n40,25000,1,145000000\n",
        SYSTEM HEADER "62.5,16000000,1,100000000\n50,20000000,1,120000000\n40,25000000,1,145000000\n",
        SYSTEM "62.5,12,100,100000\n50,12,100,120000\n40,12,100,145000\n",
        SYSTEM "fps,cpu_load,gpu_load,elapsed\n62.5,12,100,100000\n50,12,100,120000\n40,12,100,145000\n",
        "v1\nv0.8.2\n---------------------SYSTEM INFO---------------------\n" SYSTEM
        "--------------------FRAME METRICS--------------------\n" HEADER
        "62.5,16,1,100000000\n50,20,1,120000000\n40,25,1,145000000\n",
    };

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        struct recorder *r = record_text(
            logs[i], &(struct import_options){.context = {[CONTEXT_BUILD] = "b", [CONTEXT_SCENE] = "s"}});

        cr_assert(r->fine, "%zu: %s", i, r->error.text);
        cr_assert_str_eq(r->reading.format->name, "mangohud");
        expect_values(r, 0, COLUMN_FRAME_TIME, times, 3);
        expect_values(r, 0, COLUMN_STAMP, stamps, 3);
        cr_expect_str_eq(r->runs.items[0].os, "SteamOS");
        cr_expect_str_eq(r->runs.items[0].device, "AMD APU / AMD Van Gogh, rev. 2");
        if (i == 5)
            cr_expect_str_eq(r->reading.log->version, "0.8.2");
        recorder_free(r);
    }
}

/* Text that was quoted is no part of the line any more. */
Test(mangohud, names_in_quotes)
{
    static const char *const systems[] = {
        "SteamOS,\"AMD \"\"Aerith\"\" APU\",\"AMD Van Gogh\", rev. 2,15160364,6.5,,performance\n",
        "SteamOS,AMD \"Aerith\" APU,AMD Van Gogh,\" rev. 2\",15160364,6.5,,performance\n",
    };
    static const char *const devices[] = {"AMD \"Aerith\" APU / AMD Van Gogh, rev. 2", "AMD \"Aerith\" APU / AMD Van Gogh, rev. 2"};

    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        char text[512];

        snprintf(text, sizeof text, "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n%s" HEADER "62.5,16,1,100000000\n50,20,1,120000000\n40,25,1,145000000\n",
                 systems[i]);

        struct recorder *r = record_text(text, &(struct import_options){.context = {[CONTEXT_BUILD] = "b", [CONTEXT_SCENE] = "s"}});

        cr_assert(r->fine, "%zu: %s", i, r->error.text);
        cr_assert_eq(r->runs.count, 1);
        cr_expect_str_eq(r->runs.items[0].device, devices[i]);
        recorder_free(r);
    }
}

/* As a spreadsheet saves it again: every line has as many commas as the longest. */
Test(mangohud, lines_filled_up_with_commas)
{
    struct recorder *r = record_text("v1,,,\nv0.8.2,,,\n---------------------SYSTEM INFO---------------------,,,\n" SYSTEM
                                     "--------------------FRAME METRICS--------------------,,,\n" HEADER
                                     "62.5,16,1,100000000\n50,20,1,120000000\n40,25,1,145000000\n",
                                     &some_context);

    cr_assert(r->fine, "%s", r->error.text);
    expect_values(r, 0, COLUMN_FRAME_TIME, times, 3);
    cr_expect_str_eq(r->reading.log->version, "0.8.2");
    recorder_free(r);
}

Test(mangohud, sampled_logs_show_by_their_holes)
{
    char text[8192] = SYSTEM HEADER;
    struct recorder *r;

    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "250,4,1,%d00000000\n", i + 3);
    r = record_text(text, &some_context);
    cr_assert(r->fine, "%s", r->error.text);
    cr_expect_eq(r->runs.items[0].measures.holes_tested, 39);
    cr_expect_eq(r->runs.items[0].measures.holes_wide, 39);
    cr_expect_eq(recorded_figures(r, 0).median, 4000000);
    recorder_free(r);
    /* the same without frame times: elapsed in µs */
    strcpy(text, SYSTEM);
    for (int i = 0; i < 40; i++)
        sprintf(text + strlen(text), "250,4,1,%d00000\n", i + 3);
    r = record_text(text, &some_context);
    cr_expect_eq(r->runs.items[0].measures.holes_wide, 39);
    recorder_free(r);
}

Test(mangohud, a_first_row_that_is_no_frame_is_left_out)
{
    char text[4096] = SYSTEM HEADER "2300,0.434,1,100000000\n";
    struct recorder *r;

    for (int i = 1; i <= 10; i++)
        sprintf(text + strlen(text), "100,10,1,%d\n", 100000000 + i * 10000000);
    r = record_text(text, &some_context);
    cr_expect_eq(recorded_frames(r), 10);
    cr_expect_eq(recorded_rejects(r, REJECT_UNFINISHED), 1);
    cr_expect(recorded_note(r, "first row"));
    recorder_free(r);
}

Test(mangohud, appended_logs_are_runs_of_their_own)
{
    /* The second log begins later on its clock than the first one ended. */
    struct recorder *r = record_text(SYSTEM HEADER "62.5,16,1,100000000\n50,20,1,120000000\n" SYSTEM HEADER
                                                   "40,25,1,9000000000\n",
                                     &some_context);

    cr_assert(r->fine, "%s", r->error.text);
    cr_assert_eq(r->runs.count, 2);
    cr_expect_null(r->runs.items[0].name);
    cr_expect_not_null(r->runs.items[1].name);
    expect_values(r, 1, COLUMN_FRAME_TIME, times + 2, 1);
    recorder_free(r);
}

Test(mangohud, a_summary_is_refused_with_advice)
{
    struct recorder *r =
        record_text("0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS,GPU Load,CPU Load\n"
                    "10,20,80,60,99,50",
                    &some_context);

    cr_expect_not(r->fine);
    cr_expect_not_null(strstr(r->error.text, "summary"), "%s", r->error.text);
    recorder_free(r);
}

Test(mangohud, a_cut_at_any_byte_gives_whole_frames_only)
{
    static const char text[] = SYSTEM HEADER "62.5,16,1,100000000\n50,20,1,120000000\n40,25,1,145000000\n";

    for (size_t size = 0; size < sizeof text - 1; size++) {
        struct recorder *r = record_bytes(text, size, &some_context);
        size_t count, whole = 0;

        for (size_t i = sizeof SYSTEM HEADER - 1; i < size; i++)
            whole += text[i] == '\n';
        free(recorded_column(r, SIZE_MAX, COLUMN_FRAME_TIME, &count));
        cr_assert_eq(count, whole, "cut at %zu", size);
        if (count > 0)
            expect_values(r, 0, COLUMN_STAMP, stamps, count);
        if (count > 0 && text[size - 1] != '\n')
            cr_assert(recorded_note(r, "cut"));
        recorder_free(r);
    }
}

Test(mangohud, reference_files)
{
    static const struct {
        const char *name;
        size_t frames;
        double median, mad; /* ns */
        int64_t sum, p95, p99, max;
    } files[] = {
        {"cases/14-unit-confusion/e_mangohud_old_us.csv", 480, 16100000, 0, 8003600000, 16300000, 66000000,
         66000000},
        {"cases/14-unit-confusion/f_mangohud_new_ms.csv", 480, 16100000, 0, 8003600000, 16300000, 66000000,
         66000000},
        {"cases/23-sampled-log/b_every_frame.csv", 3000, 16100000, 0, 48669600000, 16300000, 16300000,
         120000000},
        {"cases/23-sampled-log/a_sampled_100ms.csv", 480, 0, 0, 0, 0, 16300000, 16300000},
        {"telemetry/mangohud/v0.8.0-0.8.1_interval100_run1.csv", 298, 4141335, 188610, 1235486070, 4598780,
         4841720, 5188100},
        /* one frame less than the plain list: the first row, 0.43 ms, is none */
        {"telemetry/mangohud/v0.8.2_logversioning_perframe_kcd1_head.csv", 59, 10001900, 0, 590017140, 0,
         10072400, 10072400},
        {"telemetry/mangohud/v0.4.x_no_column_header_issue287.csv", 5, 0, 0, 0, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = reference_path(files[i].name);
        struct recorded_figures figures;
        struct recorder *r;

        if (!path)
            cr_skip_test("no reference data");
        r = record_file(path, &some_context);
        cr_assert(r->fine, "%s", r->error.text);
        figures = recorded_figures(r, 0);
        cr_expect_eq(figures.frames, files[i].frames, "%s: %zu", files[i].name, figures.frames);
        cr_expect(files[i].median == 0 || figures.median == files[i].median, "%s: %f", files[i].name,
                  figures.median);
        cr_expect(files[i].mad == 0 || figures.mad == files[i].mad, "%s: %f", files[i].name, figures.mad);
        cr_expect(files[i].sum == 0 || figures.sum == files[i].sum, "%s: %lld", files[i].name,
                  (long long)figures.sum);
        cr_expect(files[i].p95 == 0 || figures.p95 == files[i].p95);
        cr_expect(files[i].p99 == 0 || figures.p99 == files[i].p99);
        cr_expect(files[i].max == 0 || figures.max == files[i].max);
        recorder_free(r);
        free(path);
    }
}
