#include "../leftovers.h"
#include "night.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_place(struct session *session, const char *key, enum screen_kind kind, const char *build, const char *device, const char *scene)
{
    struct error error = {0};
    enum screen_kind got;
    const struct device_row *row;

    cr_assert(place_go(session, key, NULL, &got, &error), "%s: %s", key, error.text);
    row = model_device(session->model, session->device);
    cr_expect_eq(got, kind, "%s", key);
    cr_expect_str_eq(model_build_name(session->model, session->build), build, "%s", key);
    cr_expect_str_eq(row ? row->model : "", device, "%s", key);
    cr_expect_str_eq(session->scene ? model_scene_name(session->model, session->scene) : "", scene, "%s", key);
}

Test(place, goes_where_the_key_says)
{
    struct night night = night_open(&map_screen, true);
    struct session *session = night.session;

    expect_place(session, "trend:SM-A546B/Raid_02@1.8.0(420)", SCREEN_TREND, "1.8.0(420)", "SM-A546B", "Raid_02");
    expect_place(session, "Cover:Pixel 6a", SCREEN_COVER, "1.8.0(421)", "Pixel 6a", "");
    expect_place(session, "tune", SCREEN_TUNE, "1.8.0(421)", "", "");
    expect_place(session, "map@418", SCREEN_MAP, "1.7.9(418)", "", "");
    cr_expect_str_eq(session->stutter, "");
    night_close(&night);
}

Test(place, a_stutter_alone_is_looked_at_from_close_by)
{
    struct night night = night_open(&map_screen, true);
    struct session *session = night.session;
    struct stutter_entry entry = model_stutters(session->model, session->build, 0, false, NULL, NULL)->items[0];
    struct error error = {0};
    enum screen_kind kind;
    char key[128];

    cr_assert(place_go(session, entry.id, NULL, &kind, &error), "%s", error.text);
    cr_expect_eq(kind, SCREEN_FRAMES);
    cr_expect_str_eq(session->stutter, entry.id);
    snprintf(key, sizeof key, "ticket:%.10s@1.8.0(421)", entry.fingerprint);
    session->stutter[0] = '\0';
    cr_assert(place_go(session, key, NULL, &kind, &error), "%s", error.text);
    cr_expect_eq(kind, SCREEN_TICKET);
    cr_expect_str_eq(session->stutter, entry.id);
    night_close(&night);
}

Test(place, comes_back_to_what_was_printed)
{
    struct night night = night_open(&map_screen, true);
    struct session *session = night.session;
    struct error error = {0};
    int64_t device, scene;
    char *key;

    cr_assert(model_find_device(session->model, "iPhone16,1", &device, &error));
    cr_assert(model_find_scene(session->model, "Lobby", &scene, &error));
    session->stutter[0] = '\0';
    session->device = device;
    session->scene = scene;
    key = place_print(session, SCREEN_TREND, NULL);
    cr_expect_str_eq(key, "trend:iPhone16,1/Lobby@1.8.0(421)");
    session->device = session->scene = 0;
    expect_place(session, key, SCREEN_TREND, "1.8.0(421)", "iPhone16,1", "Lobby");
    free(key);
    night_close(&night);
}

/* Blanks, quotes and signs of the key itself in a value; a switch; what is not known to a screen is left out. */
Test(place, words_stand_behind_a_question_mark)
{
    struct night night = night_open(&map_screen, true);
    struct session *session = night.session;
    struct error error = {0};
    enum screen_kind kind;
    char *key;

    cr_assert(place_go(session, "map?metric=p99&delta&filter=event%3Aboss_spawn \"a %26 b\"&nonsense=%3d&&=", NULL, &kind, &error), "%s", error.text);
    cr_expect_eq(session->metric, METRIC_P99);
    cr_expect(session->shows_delta);
    cr_assert_not_null(session->filter);
    cr_expect_str_eq(filter_text(session->filter), "event:boss_spawn \"a & b\"");
    key = place_print(session, kind, NULL);
    cr_expect_str_eq(key, "map@1.8.0(421)?metric=p99&delta&filter=event%3Aboss_spawn \"a %26 b\"");
    free(key);
    cr_assert(place_go(session, "map", NULL, &kind, &error));
    cr_expect(session->metric == METRIC_SEVERITY && !session->shows_delta && !session->filter, "what is not named is as at the start");
    night_close(&night);
}

Test(place, wrong_words_are_said_or_left_out)
{
    static const char *const wrong[] = {"map?metric=nonsense", "map?quality=nobody", "map?baseline=9.9", "map?filter=event:(", "map?only-device=nobody",
                                        "tune?set.factor=-1", "tune?set.nonsense=1"};
    static const char *const left_out[] = {"map?rows=nonsense&weight.nobody=1&weight.SM-A546B=1e9&top=-1,99,x&verify=7&line=-3",
                                           "queue?order=x&open=-1,99&lines=77&row=9999999999999999999&top=-2",
                                           "frames?lane=9&lanes=-1&run=99&window=x&at=5&from=9&to=3&of=9.9", "trend?figure=x&scope=y&event=z&at=9.9&nights=0&first-bad=8.8&mark=x",
                                           "cover?column=9.9&top=5,5,5&row=-1", "ticket?template=../x&in=77,-1&top=100000", "tune?setting=x&top=1000,1000",
                                           "memory?row=77&column=x"};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct night night = night_open(&map_screen, true);
        struct error error = {0};
        enum screen_kind kind;

        cr_expect_not(place_go(night.session, wrong[i], NULL, &kind, &error), "%s", wrong[i]);
        cr_expect(error.text[0] != '\0', "%s", wrong[i]);
        night_close(&night);
    }
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        struct night night = night_open(&map_screen, true), again = night_again(&night, left_out[i]);
        char *text = night_text(&again);

        cr_expect_not_null(strstr(text, "(421)"), "%s:\n%s", left_out[i], text);
        free(text);
        night_close(&again);
        night_close(&night);
    }
}

Test(place, says_what_is_wrong_and_stays)
{
    static const struct {
        const char *key, *part;
    } wrong[] = {
        {"", "opens nothing"}, {"nonsense", "opens nothing"}, {"trend:nobody/Lobby", "nobody"}, {"map@9.9", "9.9"},
        {"trend:SM-A546B/%2e%2e%00", ".."}, {"frames:0123456789", "no stutter 0123456789"}, {"0123456789", "no stutter"},
    };
    struct night night = night_open(&map_screen, true);
    int64_t build = night.session->build;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};
        enum screen_kind kind;

        cr_expect_not(place_go(night.session, wrong[i].key, NULL, &kind, &error), "%s", wrong[i].key);
        cr_expect_not_null(strstr(error.text, wrong[i].part), "%s: %s", wrong[i].key, error.text);
        cr_expect_eq(night.session->build, build);
    }
    night_close(&night);
}

static void remember(struct session *session, enum screen_kind kind)
{
    char *key = place_print(session, kind, NULL);

    place_remember(session, key);
    free(key);
}

Test(place, the_last_one_is_remembered_per_store)
{
    struct night night = night_open(&map_screen, true);
    char folder[] = "/tmp/stutterscope-state-XXXXXX", path[160], *key;

    cr_assert_not_null(mkdtemp(folder));
    leftover_note(folder);
    setenv("XDG_STATE_HOME", folder, 1);
    cr_expect_null(place_recall(night.session));
    night.session->device = night.session->scene = 0;
    night.session->stutter[0] = '\0';
    remember(night.session, SCREEN_COVER);
    remember(night.session, SCREEN_TUNE);
    key = place_recall(night.session);
    cr_assert_not_null(key);
    cr_expect_str_eq(key, "tune@1.8.0(421)");
    free(key);

    /* Tried settings end with the session; the other words stay. */
    struct analysis_settings tried = *model_settings(night.session->model);
    struct error error = {0};

    tried.z_milli += 1000;
    night.session->shows_delta = night.session->shows_folded = true;
    cr_assert(model_try_settings(night.session->model, &tried, &error), "%s", error.text);
    key = place_print(night.session, SCREEN_TUNE, NULL);
    cr_expect_not_null(strstr(key, "set.z=4.5"), "a view that is written keeps them: %s", key);
    free(key);
    remember(night.session, SCREEN_TUNE);
    key = place_recall(night.session);
    cr_expect_str_eq(key, "tune@1.8.0(421)?delta&unfolded");
    free(key);
    place_remember(night.session, "tune@1.8.0(421)?set.z=4.5");
    key = place_recall(night.session);
    cr_expect_str_eq(key, "tune@1.8.0(421)");
    free(key);
    place_remember(night.session, "tune?set.z=4.5&top=1,2&set.gap=3&find=set.z");
    key = place_recall(night.session);
    cr_expect_str_eq(key, "tune?top=1,2&find=set.z");
    free(key);
    snprintf(path, sizeof path, "%s/stutterscope/places.json", folder);
    cr_expect_eq(unlink(path), 0);
    snprintf(path, sizeof path, "%s/stutterscope", folder);
    rmdir(path);
    rmdir(folder);
    night_close(&night);
}
