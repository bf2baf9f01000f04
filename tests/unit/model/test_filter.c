#include "fixture.h"
#include "stutterscope/model/filter.h"
#include "stutterscope/model/history.h"
#include "stutterscope/model/tables.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct filter *parsed(const char *text)
{
    struct error error = {0};
    struct filter *filter = NULL;

    cr_assert(filter_parse(text, &filter, NULL, NULL, &error), "%s: %s", text, error.text);
    return filter;
}

/* boss_spawn on a Galaxy S23 Ultra: new, filed by minji, severity 103.5, peak 92.4. */
static struct filter_subject boss(void)
{
    struct filter_subject subject;

    filter_subject_clear(&subject);
    filter_subject_set(&subject, FILTER_DEVICE, "Galaxy S23 Ultra");
    filter_subject_set(&subject, FILTER_DEVICE, "SM-S918N");
    filter_subject_set(&subject, FILTER_SCENE, "Battle_03");
    filter_subject_set(&subject, FILTER_EVENT, "boss_spawn");
    filter_subject_set(&subject, FILTER_BUILD, "1.8.0(421)");
    filter_subject_set(&subject, FILTER_TIER, "high");
    filter_subject_set(&subject, FILTER_KIND, "hitch");
    filter_subject_set(&subject, FILTER_VERDICT, "new");
    filter_subject_set(&subject, FILTER_STATE, "filed");
    filter_subject_set(&subject, FILTER_OWNER, "minji");
    filter_subject_set(&subject, FILTER_LABEL, "scene change");
    subject.numbers[FILTER_SEVERITY] = 103.5;
    subject.numbers[FILTER_PEAK] = 92.4;
    return subject;
}

Test(filter, terms_hold_or_do_not)
{
    static const struct {
        const char *text;
        bool fits;
    } cases[] = {
        {"", true},
        {"  ", true},
        {"boss", true},
        {"BOSS s23", true},
        {"boss pixel", false},
        {"-pixel", true},
        {"-boss", false},
        {"\"s23 ultra\"", true},
        {"\"ultra s23\"", false},
        {"421", false}, /* the build is no name that a word is looked for in */
        {"build:421", true},
        {"device:918", true},
        {"device:galaxy*", true},
        {"device:*s23", false},
        {"scene:battle,lobby", true},
        {"scene:lobby,login", false},
        {"scene:lobby,\"battle_03\"", true},
        {"state:filed", true},
        {"state:fil", true},
        {"state:known,filed", true},
        {"-state:known,filed", false},
        {"State:FILED", true},
        {"owner:minji", true},
        {"owner:none", false},
        {"-owner:none", true},
        {"ticket:none", true},
        {"kind:hitch verdict:new owner:min", true},
        {"kind:drift", false},
        {"label:scene-change", true},
        {"label:\"scene change\"", true},
        {"severity>100", true},
        {"severity>103.5", false},
        {"severity>=103.5", true},
        {"severity<103.5", false},
        {"peak<=92.4", true},
        {"peak:92.4", true},
        {"peak=92", false},
        {"-peak>100", true},
        {"weight>0", false}, /* not known */
    };
    struct filter_subject subject = boss();

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct filter *filter = parsed(cases[i].text);

        cr_expect_eq(filter_fits(filter, &subject), cases[i].fits, "%s", cases[i].text);
        filter_destroy(filter);
    }
    cr_expect(filter_fits(NULL, &subject));
}

Test(filter, what_a_thing_cannot_have_does_not_count)
{
    struct filter_subject subject = boss();
    struct filter *filter = parsed("state:known"), *negated = parsed("-state:filed");

    subject.known &= ~(1u << FILTER_STATE);
    cr_expect(filter_fits(filter, &subject));
    cr_expect(filter_fits(negated, &subject));
    filter_destroy(filter);
    filter_destroy(negated);
}

Test(filter, mistakes_are_named_with_their_place)
{
    static const struct {
        const char *text;
        size_t at, length;
        const char *says;
    } cases[] = {
        {"boss state:fild", 11, 4, "undecided"},
        {"owner:", 6, 0, "none: nobody"},
        {"state:known,", 12, 0, "a value behind"},
        {"boss foo:bar", 5, 3, "device scene event"},
        {"peak>fast", 5, 4, "a number"},
        {"peak>", 5, 0, "a number"},
        {"a \"b c", 2, 4, "a quote at the end"},
        {"a - b", 2, 1, "a word behind the minus"},
        {"state>3", 0, 5, "a number such as"},
        {"\"a\"b", 3, 1, "a blank"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        struct filter *filter = NULL;
        size_t at = 99, length = 99;

        cr_expect_not(filter_parse(cases[i].text, &filter, &at, &length, &error), "%s", cases[i].text);
        cr_expect_eq(at, cases[i].at, "%s: at %zu", cases[i].text, at);
        cr_expect_eq(length, cases[i].length, "%s: length %zu", cases[i].text, length);
        cr_expect_not_null(strstr(error.text, cases[i].says), "%s: %s", cases[i].text, error.text);
    }
}

Test(filter, is_no_longer_than_it_may_be)
{
    char text[FILTER_LONGEST + 2];
    struct filter *filter;
    size_t at = 0;
    struct error error = {0};

    memset(text, 'a', sizeof text);
    text[FILTER_LONGEST + 1] = '\0';
    cr_expect_not(filter_parse(text, &filter, &at, NULL, &error));
    cr_expect_eq(at, FILTER_LONGEST);
    for (size_t i = 1; i < FILTER_LONGEST; i += 2)
        text[i] = ' ';
    text[FILTER_LONGEST] = '\0';
    cr_expect_not(filter_parse(text, &filter, &at, NULL, &error), "128 terms are too many");
    text[63] = '\0'; /* 32 of them */
    filter = parsed(text);
    filter_destroy(filter);
}

static const struct slow_frame slow[] = {{100, 92400, 76200, 14800, "boss_spawn"}};
static const struct slow_frame other[] = {{100, 60000, 50000, 10000, "shop open"}};

static struct model *small_model(struct fixture *fixture)
{
    fixture_open(fixture);
    for (int i = 0; i < 3; i++) {
        char run[8] = {'r', (char)('0' + i), 0};

        fixture_add(fixture, &(struct test_run){"b1", "SM-S918N", "Battle_03", "High", run, "Android 14", 300, slow, 1, i * 1000});
        run[0] = 's';
        fixture_add(fixture, &(struct test_run){"b1", "Pixel 8", "Lobby", "Low", run, "Android 15", 300, other, 1, i * 1000});
    }
    return fixture_model(fixture);
}

Test(filter, names_that_are_not_there_are_refused_with_those_that_are)
{
    struct fixture fixture;
    struct model *model = small_model(&fixture);
    struct filter_names names;
    struct error error = {0};
    size_t at = 0, length = 0;
    struct filter *good = parsed("scene:batt device:pixel,s918 os:15 owner:none"), *bad = parsed("x scene:batle");

    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    model_filter_names(model, -1, &names);
    cr_expect(filter_check_names(good, &names, NULL, NULL, &error), "%s", error.text);
    cr_expect_not(filter_check_names(bad, &names, &at, &length, &error));
    cr_expect_eq(at, 2);
    cr_expect_eq(length, 11);
    cr_expect_str_eq(error.text, "no scene has \"batle\"; there are: Battle_03, Lobby");
    cr_expect(model_check_event(model, "BOSS_SPAWN", &error));
    cr_expect_not(model_check_event(model, "boss", &error));
    cr_expect_not_null(strstr(error.text, "boss_spawn, shop open"), "%s", error.text);
    filter_names_free(&names);
    filter_destroy(good);
    filter_destroy(bad);
    fixture_close(&fixture, model);
}

/* One device of two is analysed: what the other one may have is not refused. */
Test(filter, events_that_wait_for_analysis_are_names_too)
{
    struct fixture fixture;
    struct model *model = small_model(&fixture);
    struct filter_names names;
    struct error error = {0};
    struct filter *filter = parsed("event:\"shop open\"");
    struct group_key key = {.build = model_newest_build(model)};
    int64_t left;

    for (size_t i = 0; i < model_scenes(model)->count; i++)
        if (strcmp(model_scenes(model)->items[i].text, "Battle_03") == 0)
            key.scene = model_scenes(model)->items[i].id;
    cr_assert(model_analyze_history_step(model, &key, &left, &error), "%s", error.text);
    cr_assert_eq(left, 0);
    model_filter_names(model, -1, &names);
    cr_expect(filter_check_names(filter, &names, NULL, NULL, &error), "%s", error.text);
    filter_names_free(&names);
    filter_destroy(filter);
    fixture_close(&fixture, model);
}

Test(filter, completes_keys_values_and_names)
{
    static const struct {
        const char *text;
        const char *want[4];
    } cases[] = {
        {"sta", {"state:", NULL}},
        {"boss -st", {"boss -state:", NULL}},
        {"se", {"severity>", NULL}},
        {"state:k", {"state:known", NULL}},
        {"state:known,fi", {"state:known,filed", NULL}},
        {"verdict:not", {"verdict:not-exercised", NULL}},
        {"scene:", {"scene:Battle_03", "scene:Lobby", NULL}},
        {"bo", {"boss_spawn", NULL}},
        {"event:sh", {"event:\"shop open\"", NULL}},
        {"event:\"sh", {"event:\"shop open\"", NULL}},
        {"a spawn", {"a boss_spawn", NULL}}, /* inside a name */
        {"zzz", {NULL}},
        {"foo:b", {NULL}},
    };
    struct fixture fixture;
    struct model *model = small_model(&fixture);
    struct filter_names names;
    struct error error = {0};
    char buffer[200];

    cr_assert(model_analyze(model, 0, NULL, &error), "%s", error.text);
    model_filter_names(model, -1, &names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = 0;

        for (; cases[i].want[n]; n++) {
            cr_expect(filter_complete(&names, cases[i].text, n, buffer, sizeof buffer), "%s", cases[i].text);
            cr_expect_str_eq(buffer, cases[i].want[n], "%s gave %s", cases[i].text, buffer);
        }
        cr_expect_not(filter_complete(&names, cases[i].text, n, buffer, sizeof buffer), "%s: one too many: %s",
                      cases[i].text, buffer);
    }
    filter_names_free(&names);
    fixture_close(&fixture, model);
}

Test(filter, tables_keep_the_rows_that_fit)
{
    struct fixture fixture;
    struct model *model = small_model(&fixture);
    struct table_request request;
    struct error error = {0};
    struct filter *pixel = parsed("device:pixel peak>50"), *none = parsed("nothing"), *owner = parsed("owner:x");

    table_request_default(&request);
    struct table *table = table_stutters(model, &request, &error);

    cr_assert(table, "%s", error.text);
    cr_assert_eq(table->row_count, 2);
    cr_expect(filter_table(NULL, model, table, &error));
    cr_expect(filter_table(pixel, model, table, &error));
    cr_expect_eq(table->row_count, 1);
    cr_expect_str_eq(table_cell(table, 0, 3)->text, "Pixel 8");
    cr_expect(filter_table(none, model, table, &error));
    cr_expect_eq(table->row_count, 0);
    cr_expect_str_eq(table->message, "nothing fits the filter nothing: it hides all 1 rows");
    table_destroy(table);
    table = table_stats(model, &request, &error);
    cr_expect_not(filter_table(owner, model, table, &error));
    cr_expect_not_null(strstr(error.text, "stats has no owner"), "%s", error.text);
    table_destroy(table);
    filter_destroy(pixel);
    filter_destroy(none);
    filter_destroy(owner);
    fixture_close(&fixture, model);
}
