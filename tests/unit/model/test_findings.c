/*
 * What is to decide and to verify, from stored frames: findings, decisions, and the story of a stutter over builds.
 */
#include "fixture.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/model/findings.h"
#include "stutterscope/model/heatmap.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use_name(void)
{
    setenv("STUTTERSCOPE_USER", "hana", 1);
}
TestSuite(findings, .init = use_name);

/* Three runs of a build on a device: the boss comes once in each, its frame takes so long. 0: it never comes. */
static void add_runs(struct fixture *fixture, const char *build, const char *device, const char *scene, int64_t peak_us)
{
    for (int i = 0; i < 3; i++) {
        struct slow_frame slow = {300, peak_us, peak_us > 33333 ? 60000 : 12000, 9000, "boss_spawn"};
        char run[16];

        snprintf(run, sizeof run, "r%d", i);
        fixture_add(fixture, &(struct test_run){.build = build, .device = device, .scene = scene, .quality = "High", .run = run,
                                                .os = "Android 14", .frames = 600, .slow = &slow, .slow_count = peak_us ? 1 : 0,
                                                .started_at_ms = VALUE_UNKNOWN});
    }
}

static struct findings *find(struct model *model, const char *build)
{
    struct findings *findings;
    struct error error = {0};
    int64_t id;

    cr_assert(model_find_build(model, build, &id, &error), "%s", error.text);
    cr_assert(model_findings(model, id, 0, false, NULL, &findings, &error), "%s", error.text);
    return findings;
}

static void decide(struct model *model, const char *id, struct triage_change change)
{
    struct triage_subject subject;
    struct error error = {0};
    enum verdict verdict;
    int64_t decision;

    cr_assert(model_find_subject(model, id, &subject, &verdict, &error), "%s", error.text);
    cr_assert(model_decide(model, &subject, 1, &change, subject.key.build, &decision, &error), "%s", error.text);
    cr_assert_gt(decision, 0);
}

static struct model *reopen(struct fixture *fixture, struct model *model)
{
    struct error error = {0};

    model_close(model);
    cr_assert(store_open(fixture->path, STORE_WRITE, &fixture->store, &error), "%s", error.text);
    return NULL;
}

Test(findings, one_line_per_event_and_scene)
{
    struct fixture fixture;

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "1", "Pixel 9", "Battle_03", 20000);
    add_runs(&fixture, "1", "Pixel 9", "Raid_02", 20000);
    add_runs(&fixture, "2", "Pixel 8", "Battle_03", 80000);
    add_runs(&fixture, "2", "Pixel 9", "Battle_03", 90000);
    add_runs(&fixture, "2", "Pixel 9", "Raid_02", 70000);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    cr_assert_eq(findings->items.count, 3);
    cr_assert_eq(findings->lines.count, 2);
    cr_assert_eq(findings->to_decide, 2);
    cr_assert_eq(findings->lines.items[0].devices, 2, "the worst line first: Battle_03 with 90 ms");
    cr_assert_str_eq(model_device(model, findings->lines.items[0].device)->model, "Pixel 9");
    cr_assert_eq(findings->items.items[findings->lines.items[0].first].after, 90.0);
    cr_assert_eq(findings->items.items[findings->lines.items[0].first].before, 20.0);

    /* one of two decided: the other joins, and there is one line less to decide */
    char id[192];

    snprintf(id, sizeof id, "%s", findings->items.items[findings->lines.items[0].first].id);
    findings_destroy(findings);
    decide(model, id, (struct triage_change){.state = "filed", .ticket = "MG-1211", .owner = "minho"});
    findings = find(model, "2");
    cr_assert_eq(findings->to_decide, 1);
    cr_assert_eq(findings->lines.count, 2);
    cr_assert(findings->lines.items[0].decide && !findings->lines.items[1].decide);

    const struct finding *own = &findings->items.items[findings->lines.items[1].first], *joined = own + 1;

    cr_assert_eq(own->triage.state, TRIAGE_FILED);
    cr_assert(!own->triage.joined);
    cr_assert_eq(joined->triage.state, TRIAGE_FILED);
    cr_assert(joined->triage.joined);
    cr_assert_str_eq(joined->triage.ticket, "MG-1211");
    cr_assert_str_eq(joined->triage.owner, "minho");
    findings_destroy(findings);

    /* what was decided by itself does not follow the others */
    snprintf(id, sizeof id, "%s", "");
    findings = find(model, "2");
    snprintf(id, sizeof id, "%s", findings->items.items[findings->lines.items[1].first + 1].id);
    findings_destroy(findings);
    decide(model, id, (struct triage_change){.state = "undecided", .note = "looks different"});
    findings = find(model, "2");
    cr_assert_eq(findings->to_decide, 2);
    findings_destroy(findings);
    fixture_close(&fixture, model);
}

Test(findings, heatmap_tells_work_from_what_somebody_has)
{
    struct fixture fixture;
    struct heatmap_request request = {.metric = METRIC_SEVERITY, .quality = -1};
    static const struct {
        const char *state;
        bool decide;
        char mark;
    } states[] = {{"undecided", true, '*'}, {"filed", false, '#'}, {"known", false, '='}, {"investigating", false, '#'}};

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "2", "Pixel 8", "Battle_03", 80000);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct heatmap *map;
        struct error error = {0};

        decide(model, findings->items.items[0].id, (struct triage_change){.state = states[i].state});
        cr_assert(model_heatmap(model, &request, NULL, &map, &error), "%s", error.text);
        cr_assert_eq(heatmap_cell(map, 0, 0)->decide, states[i].decide, "%s", states[i].state);
        cr_assert_eq(heatmap_cell(map, 0, 0)->mark, states[i].mark, "%s: %c", states[i].state, heatmap_cell(map, 0, 0)->mark);
        heatmap_destroy(map);
    }
    findings_destroy(findings);
    fixture_close(&fixture, model);
}

/* Filed, gone, back; then done, and back again. */
Test(findings, the_story_of_a_stutter)
{
    struct fixture fixture;
    struct error error = {0};
    char *text;

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "2", "Pixel 8", "Battle_03", 80000);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    decide(model, findings->items.items[0].id, (struct triage_change){.state = "filed", .ticket = "MG-1211"});
    findings_destroy(findings);
    model = reopen(&fixture, model);
    add_runs(&fixture, "3", "Pixel 8", "Battle_03", 21000);
    model = fixture_model(&fixture);
    findings = find(model, "3");
    cr_assert_eq(findings->to_decide, 0);
    cr_assert_eq(findings->to_verify, 1);

    const struct verify_item *item = &findings->verify.items[0];

    cr_assert_eq(item->verdict, VERDICT_GONE);
    cr_assert_eq(item->seen, 3);
    cr_assert_eq(item->then_peak_ns, 80000000);
    cr_assert_eq(item->then_windows, 3);
    cr_assert_eq(item->then_seen, 3);
    cr_assert_float_eq(item->luck, 0, 1e-12, "a hit at every boss before, none in 3 now");
    cr_assert_eq(item->needed, 0);
    cr_assert_str_eq(item->triage.ticket, "MG-1211");
    findings_destroy(findings);

    model = reopen(&fixture, model);
    add_runs(&fixture, "4", "Pixel 8", "Battle_03", 82000);
    model = fixture_model(&fixture);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 1);
    cr_assert_eq(findings->to_verify, 0);
    cr_assert_eq(findings->items.items[0].verdict, VERDICT_BACK, "%s", findings->items.items[0].reason);
    cr_assert(strstr(findings->items.items[0].reason, "gone in 3"), "%s", findings->items.items[0].reason);
    cr_assert(findings->items.items[0].triage.reopened);
    cr_assert_eq(findings->items.items[0].triage.was, TRIAGE_FILED);
    cr_assert_str_eq(findings->items.items[0].triage.ticket, "MG-1211");
    decide(model, findings->items.items[0].id, (struct triage_change){.state = "done"});
    findings_destroy(findings);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 0, "decided at this build");
    findings_destroy(findings);
    findings = find(model, "3");
    cr_assert_eq(findings->to_verify, 0, "a decision does not reach back");
    findings_destroy(findings);

    model = reopen(&fixture, model);
    add_runs(&fixture, "5", "Pixel 8", "Battle_03", 0);
    add_runs(&fixture, "6", "Pixel 8", "Battle_03", 81000);
    model = fixture_model(&fixture);
    findings = find(model, "5");
    cr_assert_eq(findings->to_verify, 1, "claimed");
    cr_assert_eq(findings->verify.items[0].verdict, VERDICT_NOT_EXERCISED);
    cr_assert_float_eq(findings->verify.items[0].luck, 1, 1e-12);
    cr_assert_eq(findings->verify.items[0].needed, 1);
    findings_destroy(findings);
    findings = find(model, "6");
    cr_assert_eq(findings->to_verify, 1, "still there though done");
    cr_assert_eq(findings->verify.items[0].verdict, VERDICT_SAME);
    cr_assert_eq(findings->verify.items[0].peak_ns, 81000000);
    findings_destroy(findings);

    cr_assert(model_take_back(model, false, &text, &error), "%s", error.text);
    cr_assert(strstr(text, "done") && strstr(text, "boss_spawn") && strstr(text, "Battle_03"), "%s", text);
    free(text);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 1);
    findings_destroy(findings);
    cr_assert(model_take_back(model, true, &text, &error), "%s", error.text);
    free(text);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 0);
    findings_destroy(findings);
    fixture_close(&fixture, model);
}

/* "Done" with the stutter gone in the same build is verified: it does not come up again. */
Test(findings, verified_is_out_of_the_way)
{
    struct fixture fixture;

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "2", "Pixel 8", "Battle_03", 80000);
    add_runs(&fixture, "3", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "4", "Pixel 8", "Battle_03", 20000);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    decide(model, findings->items.items[0].id, (struct triage_change){.state = "filed"});
    findings_destroy(findings);
    findings = find(model, "4");
    cr_assert_eq(findings->to_verify, 1, "also when the baseline has been clean for long");
    decide(model, findings->verify.items[0].id, (struct triage_change){.state = "done", .verified = "4"});
    findings_destroy(findings);
    findings = find(model, "4");
    cr_assert_eq(findings->to_verify, 0);
    findings_destroy(findings);
    fixture_close(&fixture, model);
}

Test(findings, a_renamed_scene_keeps_its_decisions)
{
    struct fixture fixture;
    struct error error = {0};

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Pixel 8", "Battle_03", 20000);
    add_runs(&fixture, "2", "Pixel 8", "Battle_03", 80000);
    add_runs(&fixture, "3", "Pixel 8", "Colosseum", 20000);
    add_runs(&fixture, "4", "Pixel 8", "Colosseum", 80000);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    decide(model, findings->items.items[0].id, (struct triage_change){.state = "wont-fix", .note = "by design"});
    findings_destroy(findings);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 1);
    findings_destroy(findings);
    cr_assert(model_rename(model, RENAME_SCENE, "Battle_03", "Colosseum", &error), "%s", error.text);
    findings = find(model, "4");
    cr_assert_eq(findings->to_decide, 0);
    cr_assert_eq(findings->items.items[0].triage.state, TRIAGE_WONT_FIX);
    cr_assert_str_eq(findings->items.items[0].triage.note, "by design");
    findings_destroy(findings);
    findings = find(model, "2");
    cr_assert_eq(findings->to_decide, 0, "builds with the old name keep theirs, too");
    findings_destroy(findings);
    fixture_close(&fixture, model);
}

Test(findings, silent_and_partial_devices_are_lines_of_their_own)
{
    struct fixture fixture;
    struct error error = {0};

    fixture_open(&fixture);
    for (int b = 1; b <= 3; b++) {
        char build[8];

        snprintf(build, sizeof build, "%d", b);
        add_runs(&fixture, build, "Pixel 8", "Battle_03", 20000);
        if (b == 1)
            add_runs(&fixture, build, "Pixel 9", "Battle_03", 20000);
        if (b < 3)
            add_runs(&fixture, build, "Pixel 7", "Battle_03", 20000);
    }
    fixture_add(&fixture, &(struct test_run){.build = "3", .device = "Pixel 7", .scene = "Battle_03", .quality = "High", .run = "only",
                                             .os = "Android 14", .frames = 600, .started_at_ms = VALUE_UNKNOWN});

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "3");

    cr_assert_eq(findings->to_decide, 2);
    cr_assert_eq(findings->silent, 1);
    cr_assert_eq(findings->partial, 1);
    cr_assert_eq(findings->items.items[0].kind, FINDING_SILENT);
    cr_assert_eq(findings->items.items[0].before, 3.0);
    cr_assert_eq(findings->items.items[0].after, 0.0);
    cr_assert(strstr(findings->items.items[0].reason, "from 2 on"), "%s", findings->items.items[0].reason);
    cr_assert_eq(findings->items.items[1].kind, FINDING_PARTIAL);
    cr_assert_eq(findings->items.items[1].after, 1.0);
    decide(model, findings->items.items[0].id, (struct triage_change){.state = "environment"});
    findings_destroy(findings);
    findings = find(model, "3");
    cr_assert_eq(findings->to_decide, 1);
    cr_assert_eq(findings->silent, 1, "decided or not");
    findings_destroy(findings);
    (void)error;
    fixture_close(&fixture, model);
}

/* A device that was always slow is no finding; one over its tier's limit is. */
Test(findings, the_policy_of_a_tier)
{
    struct fixture fixture;
    struct device_row device = {.model = (char *)"Galaxy A15", .tier = (char *)"low", .target_fps_milli = 60000, .weight = 1};
    struct error error = {0};

    fixture_open(&fixture);
    add_runs(&fixture, "1", "Galaxy A15", "Battle_03", 0);
    add_runs(&fixture, "2", "Galaxy A15", "Battle_03", 0);
    cr_assert(store_declare_device(fixture.store, &device, &error), "%s", error.text);

    struct model *model = fixture_model(&fixture);
    struct findings *findings = find(model, "2");

    cr_assert_eq(findings->items.count, 0);
    findings_destroy(findings);
    cr_assert(!model_set_policy(model, "low:p95=16", &error));
    cr_assert(strstr(error.text, "p95_ms"), "%s", error.text);
    cr_assert(model_set_policy(model, "low:p95_ms=16.3", &error), "%s", error.text); /* its P95 is 16.4 */
    findings = find(model, "2");
    cr_assert_eq(findings->items.count, 1);
    cr_assert_eq(findings->items.items[0].kind, FINDING_SLOW);
    cr_assert_float_eq(findings->items.items[0].before, 16.3, 1e-9);
    cr_assert_float_eq(findings->items.items[0].after, 16.4, 1e-9);
    findings_destroy(findings);
    cr_assert(model_set_policy(model, "low:p95_ms=16.4", &error)); /* at the limit is within */
    findings = find(model, "2");
    cr_assert_eq(findings->items.count, 0);
    findings_destroy(findings);
    cr_assert(model_set_policy(model, "low:p95_ms=", &error));
    cr_assert(isnan(model_policy_limit(model, "low", COMPARED_P95)));
    fixture_close(&fixture, model);
}
