#include "recorder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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

static void expect_refusal(struct recorder *r, const char *part)
{
    cr_expect_not(r->fine);
    cr_expect_not_null(strstr(r->error.text, part), "%s", r->error.text);
    recorder_free(r);
}

#define COMMA                                                                                                \
    "Frame Offset, Frame Index, Frame Time (ms), Time from first frame "                                     \
    "(ms)\n0,7,16.5,0\n1,8,20.25,16.5\n2,9,30,36.75\n"
#define SEMICOLON                                                                                            \
    "Frame Offset; Frame Index; Frame Time (ms); Time from first frame "                                     \
    "(ms)\n0;7;16.5;0\n1;8;20.25;16.5\n2;9;30;36.75\n"

Test(unity_profile, both_separators)
{
    static const char *const texts[] = {COMMA, SEMICOLON};

    for (int i = 0; i < 2; i++) {
        struct recorder *r = record_text(texts[i], &some_context);

        cr_assert(r->fine, "%s", r->error.text);
        cr_assert_str_eq(r->reading.format->name, "unity-profile");
        expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16500000, 20250000, 30000000}, 3);
        expect_values(r, 0, COLUMN_STAMP, (int64_t[]){16500000, 36750000, 66750000}, 3);
        cr_expect(r->runs.items[0].facts.has_clock);
        recorder_free(r);
    }
}

Test(unity_profile, two_captures_are_two_streams)
{
    static const char text[] =
        "Frame Offset; Left Frame Index; Right Frame Index; Left Frame Time (ms); Left time from first "
        "frame (ms); Right Frame Time (ms); Right time from first frame (ms)\n"
        "0;1;1;10;0;40;0\n1;2;2;11;10;41;40\n";
    struct import_options options = some_context;
    struct recorder *r = record_text(text, &options);

    cr_assert(r->fine, "%s", r->error.text);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){10000000, 11000000}, 2);
    recorder_free(r);
    options.stream = "right";
    r = record_text(text, &options);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){40000000, 41000000}, 2);
    expect_values(r, 0, COLUMN_STAMP, (int64_t[]){40000000, 81000000}, 2);
    recorder_free(r);
}

Test(unity_profile, a_cut_at_any_byte_gives_whole_frames_only)
{
    static const int64_t times[] = {16500000, 20250000, 30000000}, stamps[] = {16500000, 36750000, 66750000};

    for (size_t size = 0; size < sizeof COMMA - 1; size++) {
        struct recorder *r = record_bytes(COMMA, size, &some_context);
        size_t count = (size_t)recorded_frames(r);

        cr_assert_leq(count, 2);
        if (count > 0) {
            expect_values(r, 0, COLUMN_FRAME_TIME, times, count);
            expect_values(r, 0, COLUMN_STAMP, stamps, count);
        }
        if (count > 0 && COMMA[size - 1] != '\n')
            cr_assert(recorded_note(r, "cut"));
        recorder_free(r);
    }
}

Test(unity_profile, marker_tables_and_pdata_are_refused_with_advice)
{
    static const char pdata[] = "\7\0\0\0\100\1\0\0\0\0\0\0\0\0\0\0abc";

    expect_refusal(record_text("Name;Median Time;Min Time;Max Time\nUpdate;1;2;3\n", &some_context),
                   "marker table");
    expect_refusal(record_text("Name, Median Time, Min Time\nUpdate,1,2\n", &some_context), "marker table");
    expect_refusal(record_bytes(pdata, sizeof pdata, &some_context), ".pdata, version 7");
}

Test(unity_profile, reference_file)
{
    char *path = reference_path("telemetry/unity/profile_analyzer_frameTime_comma_v1.1.csv");
    struct recorded_figures figures;
    struct recorder *r;

    if (!path)
        cr_skip_test("no reference data");
    r = record_file(path, &some_context);
    figures = recorded_figures(r, 0);
    cr_expect_eq(figures.frames, 300);
    cr_expect_eq(figures.sum, 5872852000);
    cr_expect_eq(figures.median, 17656500);
    cr_expect_eq(figures.mad, 2263500);
    cr_expect_eq(figures.p95, 29879000);
    cr_expect_eq(figures.p99, 35289000);
    cr_expect_eq(figures.max, 45843000);
    cr_expect_eq(r->runs.items[0].measures.holes_wide, 0);
    recorder_free(r);
    free(path);
}

#define RESULT1                                                                                              \
    "{\"Name\":\"Tests.Forest\",\"Version\":\"1\",\"SampleGroups\":[{\"Name\":\"FrameTime\",\"Unit\":2,"     \
    "\"Samples\":[16.5,17.25,33]},{\"Name\":\"FPS\",\"Unit\":8,\"Samples\":[60,58]}]}"
#define RESULT2                                                                                              \
    "{\"Name\":\"Tests.Cave\",\"SampleGroups\":[{\"Name\":\"Time\",\"Unit\":1,\"Samples\":[20000,\"NaN\","   \
    "21000]}]}"
#define RUN                                                                                                  \
    "\"TestSuite\":\"Playmode\",\"Date\":1700000000000,\"Player\":{\"GraphicsApi\":\"Vulkan\"},"             \
    "\"Hardware\":{"                                                                                         \
    "\"OperatingSystem\":\"Android OS 13\",\"DeviceModel\":\"Google Pixel 7\",\"DeviceName\":\"Anna's "      \
    "phone\","                                                                                               \
    "\"GraphicsDeviceName\":\"Mali-G710\"}"

static const struct import_options build = {.context[CONTEXT_BUILD] = "b1"};

static void expect_tests(struct recorder *r, const char *format)
{
    cr_assert(r->fine, "%s", r->error.text);
    cr_assert_str_eq(r->reading.format->name, format);
    cr_assert_eq(r->runs.count, 1);
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){16500000, 17250000, 33000000, 20000000, 21000000}, 5);
    cr_expect_not(r->runs.items[0].facts.has_clock);
    cr_expect_not(r->runs.items[0].facts.tests_holes);
    cr_expect_str_eq(r->runs.items[0].interval, "samples");
    cr_expect_str_eq(r->runs.items[0].device, "Google Pixel 7");
    cr_expect_str_eq(r->runs.items[0].os, "Android OS 13");
    cr_expect_eq(r->segments.count, 2);
    cr_expect_str_eq(r->segments.items[0].scene, "Tests.Forest");
    cr_expect_str_eq(r->segments.items[1].scene, "Tests.Cave");
    cr_expect_eq(recorded_rejects(r, REJECT_NOT_FINITE), 1);
    cr_expect_eq(r->reading.log->personal.count, 1);
    cr_expect_eq(r->reading.log->left_out.count, 1);
    recorder_free(r);
}

Test(unity_tests, json_of_version_2)
{
    expect_tests(record_text("{" RUN ",\"Results\":[" RESULT1 "," RESULT2 "]}", &build), "unity-tests");
    /* what describes the run may stand behind the results */
    expect_tests(record_text("{\"Results\":[" RESULT1 "," RESULT2 "]," RUN "}", &build), "unity-tests");
}

Test(unity_tests, json_of_version_1)
{
    struct recorder *r = record_text(
        "[{\"PlayerSystemInfo\":{\"OperatingSystem\":\"iOS 16\",\"DeviceModel\":\"iPhone14,2\"},"
        "\"StartTime\":0,\"Results\":[{\"TestName\":\"T\",\"SampleGroups\":[{\"Samples\":[5000000],"
        "\"Definition\":{\"Name\":\"Time\",\"SampleUnit\":0}}]}]},"
        "{\"PlayerSystemInfo\":{\"DeviceModel\":\"iPhone14,2\"},\"Results\":[{\"TestName\":\"T\","
        "\"SampleGroups\":[{\"Samples\":[6],\"Definition\":{\"Name\":\"Time\",\"SampleUnit\":2}}]}]}]",
        &build);

    cr_assert(r->fine, "%s", r->error.text);
    cr_expect_eq(r->runs.count, 2);
    cr_expect_str_eq(r->runs.items[0].device, "iPhone14,2");
    expect_values(r, 0, COLUMN_FRAME_TIME, (int64_t[]){5000000}, 1);
    expect_values(r, 1, COLUMN_FRAME_TIME, (int64_t[]){6000000}, 1);
    recorder_free(r);
}

#define XML_START                                                                                            \
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<test-run id=\"2\" start-time=\"2024-03-01 02:10:00Z\">\n"
static const char xml[] = XML_START
    "<test-case name=\"Forest\"><output><![CDATA[hello\n##performancetestresult2:" RESULT1
    "\n]]></output></test-case>\n<test-case name=\"Cave\"><output>##performancetestresult2:"
    "{&quot;Name&quot;:&quot;Tests.Cave&quot;,&quot;SampleGroups&quot;:[{&quot;Name&quot;:&quot;Time&quot;,"
    "&quot;Unit&quot;:1,&quot;Samples&quot;:[20000,&quot;NaN&quot;,21000]}]}\n"
    "##performancetestruninfo2:{&quot;Hardware&quot;:{&quot;OperatingSystem&quot;:&quot;Android OS 13&quot;,"
    "&quot;DeviceModel&quot;:&quot;Google Pixel 7&quot;,&quot;DeviceName&quot;:&quot;x&quot;}}"
    "</output></test-case>\n</test-run>\n";

Test(unity_tests, nunit_xml)
{
    expect_tests(record_text(xml, &build), "unity-nunit");
    expect_refusal(record_text(XML_START "<test-case name=\"a\"/></test-run>", &build),
                   "without a performance result");
    expect_refusal(record_text("{\"Results\":[{\"Name\":\"T\",\"SampleGroups\":[{\"Name\":\"FPS\",\"Unit\":8,"
                               "\"Samples\":[1]}]}]}",
                               &some_context),
                   "no frame times");
}

static void cut_everywhere(const char *text)
{
    static const int64_t wanted[] = {16500000, 17250000, 33000000, 20000000, 21000000};

    for (size_t size = 0; size < strlen(text); size++) {
        struct recorder *r = record_bytes(text, size, &some_context);
        int64_t count = recorded_frames(r);

        cr_assert(count == 0 || count == 3 || count == 5, "cut at %zu: %d", size, (int)count);
        if (count > 0)
            expect_values(r, SIZE_MAX, COLUMN_FRAME_TIME, wanted, (size_t)count);
        if (r->fine && size + 1 < strlen(text))
            cr_assert(recorded_note(r, "breaks off"), "cut at %zu", size);
        recorder_free(r);
    }
}

Test(unity_tests, a_cut_at_any_byte_gives_whole_tests_only)
{
    cut_everywhere("{" RUN ",\"Results\":[" RESULT1 "," RESULT2 "]}");
    cut_everywhere(xml);
}
