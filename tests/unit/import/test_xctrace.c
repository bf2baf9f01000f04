#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

#define HEAD "<?xml version=\"1.0\"?>\n<trace-query-result>\n"
#define TAIL "</trace-query-result>\n"
#define HITCHES                                                                                                        \
    "<node><schema name=\"hitches\"><col><mnemonic>start</mnemonic></col><col><mnemonic>duration</mnemonic></col>"     \
    "<col><mnemonic>process</mnemonic></col><col><mnemonic>is-system</mnemonic></col>"                                 \
    "<col><mnemonic>display</mnemonic></col><col><mnemonic>narrative-description</mnemonic></col></schema>\n"
#define SURFACES                                                                                                       \
    "<node><schema name=\"displayed-surfaces-interval\"><col><mnemonic>start</mnemonic></col>"                         \
    "<col><mnemonic>duration</mnemonic></col><col><mnemonic>display-name</mnemonic></col>"                             \
    "<col><mnemonic>event-label</mnemonic></col></schema>\n"
#define SWAPS                                                                                                          \
    "<node><schema name=\"display-surface-swap\"><col><mnemonic>timestamp</mnemonic></col>"                            \
    "<col><mnemonic>delay</mnemonic></col><col><mnemonic>display-name</mnemonic></col></schema>\n"
#define DISPLAYS                                                                                                       \
    "<node><schema name=\"device-display-info\"><col><mnemonic>max-refresh-rate</mnemonic></col>"                      \
    "<col><mnemonic>is-main-display</mnemonic></col></schema>"                                                         \
    "<row><uint32 fmt=\"60\">60</uint32><boolean>0</boolean></row>"                                                    \
    "<row><uint32 fmt=\"120\">120</uint32><boolean>1</boolean></row></node>"

/* The game's three hitches; the second row refers to cells of the first, also to those inside of others. */
static const char hitches[] =
    HEAD HITCHES
    "<row><start-time id=\"1\">1000000000</start-time><duration id=\"2\" fmt=\"50.00 ms\">50000000</duration>"
    "<process id=\"3\" fmt=\"Game (77)\"><pid id=\"4\" fmt=\"77\">77</pid></process><boolean id=\"5\">0</boolean>"
    "<display-name id=\"6\" fmt=\"Display 1\">Display 1</display-name><string id=\"7\">Slow commit</string></row>\n"
    "<row><start-time id=\"8\">3000000000</start-time><duration ref=\"2\"/><process ref=\"3\"/><boolean ref=\"5\"/>"
    "<display-name ref=\"6\"/><sentinel/></row>\n"
    "<row><start-time id=\"9\">2000000000</start-time><duration id=\"10\">16666666</duration><process ref=\"3\"/>"
    "<boolean ref=\"5\"/><display-name ref=\"6\"/><string ref=\"7\"/></row>\n"
    "<row><start-time id=\"11\">2000000000</start-time><duration ref=\"2\"/><process id=\"12\" fmt=\"backboardd (31)\">"
    "<pid id=\"13\">31</pid></process><boolean id=\"14\">1</boolean><display-name ref=\"6\"/><string ref=\"7\"/></row>\n"
    "</node>" TAIL;

Test(xctrace, hitches_are_the_only_frames_known)
{
    struct recorder *recorder = record_text(hitches, &some_context);
    int64_t *times, *stamps;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_str_eq(recorder->reading.format->name, "xctrace");
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    stamps = recorded_column(recorder, 0, COLUMN_STAMP, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(times[0], 50 * MS);
    cr_expect_eq(stamps[0], 1050 * MS);
    cr_expect_eq(times[1], 16666666);
    cr_expect_eq(stamps[1], 2016666666);
    cr_expect_eq(times[2], 50 * MS);
    cr_expect_eq(recorder->runs.items[0].facts.kept_over_ns, 0);
    cr_expect_eq(recorder->runs.items[0].facts.sample_every, VALUE_UNKNOWN);
    cr_expect_not(recorder->runs.items[0].facts.tests_holes);
    cr_expect_eq(recorded_rejects(recorder, REJECT_OTHER_STREAM), 1);
    cr_expect(recorded_note(recorder, "nothing is known of the others"));
    cr_expect(recorded_note(recorder, "2 of 3 hitches: Slow commit"));
    free(times);
    free(stamps);
    recorder_free(recorder);
}

Test(xctrace, displayed_surfaces_are_frames)
{
    /* The label of the second row names its process by reference; the last node has no schema of its own. */
    static const char text[] =
        HEAD DISPLAYS SURFACES
        "<row><start-time id=\"1\">100000000</start-time><duration id=\"2\">8333333</duration>"
        "<display-name id=\"3\">Display 1</display-name>"
        "<narrative id=\"4\" fmt=\"Direct to Display (Surface 1, Game (77) :Frame 5 :Surface 1)\"><narrative-text id=\"5\">a"
        "</narrative-text><process id=\"6\" fmt=\"Game (77)\"><pid id=\"7\">77</pid></process></narrative></row>\n"
        "<row><start-time id=\"8\">108333333</start-time><duration id=\"9\">25000000</duration><display-name ref=\"3\"/>"
        "<narrative id=\"10\" fmt=\"Direct\"><process ref=\"6\"/></narrative></row>\n"
        "<row><start-time id=\"11\">133333333</start-time><sentinel/><display-name ref=\"3\"/><narrative ref=\"4\"/></row>\n"
        "</node><node><row><start-time id=\"12\">141666666</start-time><duration ref=\"2\"/><display-name ref=\"3\"/>"
        "<narrative fmt=\"Direct to Display (Surface 1, Game (77) :Frame 9 :Surface 1)\"/></row></node>" TAIL;
    struct recorder *recorder = record_text(text, &some_context);
    int64_t *times;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    cr_assert_eq(count, 3);
    cr_expect_eq(times[0], 8333333);
    cr_expect_eq(times[1], 25 * MS);
    cr_expect_eq(times[2], 8333333);
    cr_expect_eq(recorded_rejects(recorder, REJECT_UNFINISHED), 1);
    cr_expect_eq(recorder->segments.items[0].refresh_milli_hz, 120000);
    cr_expect_str_eq(recorder->runs.items[0].interval, "display");
    cr_expect_eq(recorder->runs.items[0].facts.kept_over_ns, VALUE_UNKNOWN);
    free(times);
    recorder_free(recorder);
}

Test(xctrace, swaps_are_frames_by_their_distances)
{
    static const char text[] = HEAD SWAPS
        "<row><start-time id=\"1\">100</start-time><start-time id=\"2\">22909083</start-time><display-name id=\"3\">A"
        "</display-name></row><row><start-time id=\"4\">16666766</start-time><start-time ref=\"2\"/><display-name ref=\"3\"/>"
        "</row><row><start-time id=\"5\">50000100</start-time><sentinel/><display-name ref=\"3\"/></row></node>" TAIL;
    struct recorder *recorder = record_text(text, &some_context);
    int64_t *times;
    size_t count;

    cr_assert(recorder->fine, "%s", recorder->error.text);
    times = recorded_column(recorder, 0, COLUMN_FRAME_TIME, &count);
    cr_assert_eq(count, 2);
    cr_expect_eq(times[0], 16666666);
    cr_expect_eq(times[1], 33333334);
    free(times);
    recorder_free(recorder);
}

/* Every row taken is one of the file, and a cut is reported. */
Test(xctrace, a_file_cut_anywhere_gives_complete_rows_only)
{
    size_t length = strlen(hitches), first_row = (size_t)(strstr(hitches, "</row>") - hitches) + 6;
    size_t last_row = (size_t)(strstr(hitches, "</node>") - hitches), end = (size_t)(strstr(hitches, TAIL) - hitches) + 21;

    for (size_t size = 60; size < length; size++) {
        struct recorder *recorder = record_bytes(hitches, size, &some_context);

        if (recorder->fine) {
            int64_t *times;
            size_t count;

            times = recorded_column(recorder, SIZE_MAX, COLUMN_FRAME_TIME, &count);
            for (size_t i = 0; i < count; i++)
                cr_expect(times[i] == 50 * MS || times[i] == 16666666, "cut at %zu: %" PRId64, size, times[i]);
            cr_expect_geq(size, first_row);
            cr_expect_eq(recorded_note(recorder, "The file is cut or damaged"), size < end, "cut at %zu", size);
            if (size >= last_row)
                cr_expect_eq(count, 3, "cut at %zu: %zu", size, count);
            free(times);
        } else {
            cr_expect_lt(size, last_row, "%s", recorder->error.text);
            cr_expect_neq(*recorder->error.text, '\0');
        }
        recorder_free(recorder);
    }
}

Test(xctrace, what_cannot_be_used_says_why)
{
    static const struct { const char *text, *expected; } cases[] = {
        {HEAD DISPLAYS TAIL, "found the tables device-display-info"},
        {HEAD TAIL, "found no table"},
        {"<?xml version=\"1.0\"?><trace-toc><run number=\"1\"><info><target><device platform=\"iOS\" model=\"iPhone14,2\" "
         "os-version=\"17.0 (21A)\"/></target></info></run></trace-toc>",
         "iPhone14,2 with the system 17.0 (21A)"},
        {"<?xml version=\"1.0\"?><!DOCTYPE trace-query-result [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>"
         "<trace-query-result>&a;</trace-query-result>",
         "declares a document type"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recorder *recorder = record_text(cases[i].text, &some_context);

        cr_expect_not(recorder->fine);
        cr_expect(strstr(recorder->error.text, cases[i].expected), "%s", recorder->error.text);
        recorder_free(recorder);
    }
}

/* Distances and durations read from the files by hand: the longest hitch is 216.67 ms. */
Test(xctrace, reference_files)
{
    char *path = reference_path("telemetry/ios_xctrace/hitches.xml");
    struct recorder *recorder;

    if (!path)
        cr_skip_test("skipped: STUTTERSCOPE_REFERENCE is not set");
    recorder = record_file(path, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_figures(recorder, SIZE_MAX).frames, 11);
    cr_expect_eq(recorded_figures(recorder, SIZE_MAX).max, 216666666);
    recorder_free(recorder);
    free(path);
    path = reference_path("telemetry/ios_xctrace/display-surface-swap.xml");
    recorder = record_file(path, &some_context);
    cr_assert(recorder->fine, "%s", recorder->error.text);
    cr_expect_eq(recorded_figures(recorder, SIZE_MAX).frames, 11);
    cr_expect_eq(recorded_figures(recorder, SIZE_MAX).min / 100000, 166);
    recorder_free(recorder);
    free(path);
}
