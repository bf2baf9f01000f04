#include "small_store.h"
#include "stutterscope/ticket/payload.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct json *payload_of(struct model *model, const char *const *devices, size_t count)
{
    const char *ids[4];
    struct error error = {0};
    struct json *payload;

    for (size_t i = 0; i < count; i++)
        ids[i] = small_store_stutter(model, devices[i], "boss_spawn");
    payload = ticket_payload(model, ids, count, &error);
    cr_assert(payload, "%s", error.text);
    return payload;
}

/* The member as JSON writes it: figures as read. */
static void expect(const struct json *object, const char *name, const char *expected)
{
    char *text;

    cr_assert(json_member(object, name), "%s is missing", name);
    text = json_print(json_member(object, name));
    cr_expect_str_eq(text, expected, "%s: expected %s, got %s", name, expected, text);
    free(text);
}

Test(payload, one_stutter_has_its_fields_at_the_top)
{
    static const char *const devices[] = {"SM-S918N"};
    struct model *model = small_store_open("Battle_03");
    struct json *payload = payload_of(model, devices, 1);
    static const char *const expected[][2] = {
        {"schema", "\"stutterscope.ticket/1\""},
        {"stutter_count", "1"},
        {"device", "\"SM-S918N\""},
        {"device_name", "\"Galaxy S23 Ultra\""},
        {"chip", "null"},
        {"build", "\"1.8.0(421)\""},
        {"scene", "\"Battle_03\""},
        {"event", "\"boss_spawn\""},
        {"quality", "\"High\""},
        {"os", "\"Android 14\""},
        {"commit", "\"a1b2c3d\""},
        {"ci_run", "\"8867\""},
        {"commit_range", "{\"from\":\"5d20c7e\",\"to\":\"a1b2c3d\"}"},
        /* 75 pairs of 33.3 ms before it: 2497.5 ms; then one frame of 92.4 ms. */
        {"stutter_window", "\"2497-2590ms\""},
        {"window_start_ms", "2497.5"},
        {"window_end_ms", "2589.9"},
        {"peak_frame_ms", "92.4"},
        {"over_budget_frames", "1"},
        {"cpu_frame_ms_peak", "76.2"},
        {"gpu_frame_ms_peak", "14.8"},
        {"baseline_build", "\"1.7.9(418)\""},
        {"baseline_build_peak_ms", "31.6"},
        {"delta_peak_ms", "60.8"},
        {"runs_hit", "4"},
        {"runs", "5"},
        {"occurrence", "0.8"},
        {"seen", "5"},
        {"weight", "1.4"},
        {"severity", "103.488"},
        {"verdict", "\"new\""},
        {"threshold_ms", "33.333333"},
        {"fps", "60"},
        {"p95_ms", "16.7"},
        {"p95_per_run_ms", "16.7"},
        {"delta_p95_ms", "0"},
        {"max_ms", "92.4"},
        {"max_per_run_ms", "71"},            /* of 92.4, 71, 29.3, 88.2, 64.9 */
        {"baseline_max_per_run_ms", "24.1"}, /* of 24.1, 31.6, 18.9 */
        {"delta_max_ms", "46.9"},
        /* door_open began with frame 120: 60 pairs before it. */
        {"events_before",
         "[{\"event\":\"door_open\",\"offset_ms\":-499.5},{\"event\":\"boss_spawn\",\"offset_ms\":0}]"},
        {"events_after", "[]"},
        {"clean_devices", "[{\"device\":\"Pixel 8\",\"device_name\":null,\"seen\":1}]"},
        {"log_url", "\"https://ci.example.com/runs/8867/log\""},
        {"screenshot", "\"shots/0042.png\""},
        {"sampling", "null"},
        {"interference", "null"},
        {"draw_calls_at_peak", "968"},
        {"gc_alloc_bytes_peak", "262144"},
        {"settings", "{}"},
    };

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        expect(payload, expected[i][0], expected[i][1]);
        if (i > 1 && strcmp(expected[i][0], "settings") != 0)
            expect(json_first(json_member(payload, "stutters")), expected[i][0], expected[i][1]);
    }
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, causes_carry_their_evidence)
{
    static const char *const devices[] = {"SM-S918N"};
    struct model *model = small_store_open("Battle_03");
    struct json *payload = payload_of(model, devices, 1);
    const struct json *cause = json_first(json_member(payload, "causes"));

    cr_assert_eq(json_count(json_member(payload, "causes")), 1);
    expect(cause, "cause", "\"CPU-bound\"");
    /* 76.2 / 14.8 = 5.1486; (76.2 + 14.8) / 92.4 = 98.48 % */
    expect(cause, "evidence",
           "{\"cpu_at_peak_ms\":76.2,\"gpu_at_peak_ms\":14.8,\"threshold_ms\":33.333333,"
           "\"ratio\":5.148649,\"explained_percent\":98.5,\"gc_alloc_bytes\":262144}");
    cr_assert_eq(json_count(json_member(payload, "not_causes")), 2);
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, chart_shows_the_window_in_the_middle)
{
    static const char *const devices[] = {"SM-S918N"};
    struct model *model = small_store_open("Battle_03");
    struct json *payload = payload_of(model, devices, 1);
    const struct json *chart = json_member(payload, "chart");
    const char *text = json_text(json_member(chart, "text"));
    const char *peak = strstr(text, "█");

    expect(chart, "top_ms", "100");
    expect(chart, "span_ms", "1600");
    expect(chart, "from_ms", "1743.7"); /* 2497.5 - (1600 - 92.4) / 2 */
    cr_assert_eq(strlen(text), 40 * 3);
    /* 40 columns of 40 ms: 92.4 of 100 ms in those that touch 753.8 to 846.2; others 16.7: the second of
     * eight. */
    cr_assert_eq(peak - text, 18 * 3);
    cr_assert(strncmp(peak, "████▂", 5 * 3) == 0, "%s", text);
    cr_assert(strncmp(text, "▂▂", 6) == 0);
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, several_stutters_share_what_they_have_in_common)
{
    static const char *const devices[] = {"SM-F731N", "SM-S918N", "SM-F731N"};
    struct model *model = small_store_open("Battle_03");
    struct json *payload = payload_of(model, devices, 3);
    const struct json *stutters = json_member(payload, "stutters");

    expect(payload, "stutter_count", "2");
    expect(payload, "scene", "\"Battle_03\"");
    expect(payload, "verdict", "\"new\"");
    expect(payload, "device", "null");
    cr_assert_null(json_member(payload, "peak_frame_ms"));
    cr_assert_eq(json_count(stutters), 2);
    expect(json_first(stutters), "device", "\"SM-S918N\""); /* 103.488 before 61.25 x 2/3 */
    expect(json_item(stutters, 1), "peak_frame_ms", "61.25");
    expect(json_item(stutters, 1), "device_name", "null");
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, reopens_by_a_command_that_a_shell_understands)
{
    static const char *const devices[] = {"SM-S918N"};
    struct model *model = small_store_open("Battle_03");
    struct json *payload = payload_of(model, devices, 1);
    const char *command = json_text(json_member(payload, "reopen"));
    const char *id = json_text(json_member(payload, "id"));

    cr_assert(strncmp(command, "stutterscope '/tmp/", 19) == 0, "%s", command);
    cr_assert(strstr(command, "/my store.db' --open '"), "%s", command);
    cr_assert(strstr(command, id), "%s", command);
    cr_assert_eq(strncmp(id, json_text(json_member(payload, "fingerprint")), 10), 0);
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, reopens_with_the_settings_in_use)
{
    static const char *const devices[] = {"SM-S918N"};
    struct model *model = small_store_open("Battle_03");
    struct analysis_settings settings = *model_settings(model);
    struct error error = {0};
    struct json *payload;

    settings.factor_milli = 1500;
    cr_assert(model_change_settings(model, &settings, &error), "%s", error.text);
    payload = payload_of(model, devices, 1);
    expect(payload, "settings", "{\"factor\":\"1.5\"}");
    expect(payload, "threshold_ms", "25");
    cr_assert(strstr(json_text(json_member(payload, "reopen")), " --factor 1.5 --open "));
    json_destroy(payload);
    small_store_close(model);
}

Test(payload, names_what_is_not_there)
{
    struct model *model = small_store_open("Battle_03");
    const char *ids[] = {"ffffffffff@1.8.0(421)"};
    struct error error = {0};

    cr_assert_null(ticket_payload(model, ids, 1, &error));
    cr_assert(strstr(error.text, "ffffffffff"), "%s", error.text);
    cr_assert_null(ticket_payload(model, NULL, 0, &error));
    cr_assert(strstr(error.text, "id of at least one stutter"), "%s", error.text);
    small_store_close(model);
}
