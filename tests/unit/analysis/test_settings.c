#include "helper.h"
#include <criterion/criterion.h>

Test(settings, alert_threshold_is_exact)
{
    struct analysis_settings settings;
    analysis_settings_default(&settings);
    const int64_t rates[] = {60000, 59940, 30000, 45000, 120000, 23976, 144000, 90000};
    const int64_t factors[] = {2000, 1050, 1500, 3333};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 4; k++) {
            settings.factor_milli = factors[k];
            int64_t alert = frame_limits_of(&settings, rates[i]).alert_ns;
            /* over iff frame_ns x fps > factor x 10^9, both in thousandths */
            cr_assert(alert * rates[i] <= factors[k] * 1000000000);
            cr_assert((alert + 1) * rates[i] > factors[k] * 1000000000);
        }
}

Test(settings, budgets_of_the_definitions)
{
    struct analysis_settings settings;
    analysis_settings_default(&settings);
    struct frame_limits sixty = frame_limits_of(&settings, 60000);
    cr_assert(sixty.budget_ns == 16667000);
    cr_assert(sixty.late_ns == 17500000);
    cr_assert(sixty.slow_ns == 25000000);
    cr_assert(sixty.alert_ns == 33333333);
    cr_assert(sixty.start_up_ns == 100000000);
    cr_assert(frame_limits_of(&settings, 45000).budget_ns == 22222000);
    cr_assert(frame_limits_of(&settings, 120000).budget_ns == 8333000);
    cr_assert(frame_limits_of(&settings, 0).budget_ns == 16667000, "60 FPS where nothing is known");
    settings.fps_milli = 30000;
    cr_assert(frame_limits_of(&settings, 120000).budget_ns == 33333000, "the override wins");
}

Test(settings, values_are_read_and_printed)
{
    struct analysis_settings settings;
    struct error error = {0};
    char text[64];
    analysis_settings_default(&settings);
    cr_assert(analysis_settings_set(&settings, "factor", "1.5", &error) && settings.factor_milli == 1500);
    cr_assert(analysis_settings_set(&settings, "rule", "EITHER", &error) && settings.rule == RULE_EITHER);
    cr_assert(analysis_settings_set(&settings, "gap", "990", &error) && settings.gap_ns == 990000000);
    cr_assert(analysis_settings_set(&settings, "mad-floor", "0", &error) && settings.mad_floor_ns == 0);
    cr_assert(analysis_settings_set(&settings, "fps", "59.94", &error) && settings.fps_milli == 59940);
    cr_assert(analysis_settings_set(&settings, "labels", "off", &error) && !settings.labels);
    cr_assert_str_eq(analysis_settings_print(&settings, "factor", text, sizeof text), "1.5");
    cr_assert_str_eq(analysis_settings_print(&settings, "fps", text, sizeof text), "59.94");
    cr_assert(analysis_settings_set(&settings, "fps", "auto", &error) && settings.fps_milli == 0);
    cr_assert_str_eq(analysis_settings_print(&settings, "fps", text, sizeof text), "auto");
    cr_assert_str_eq(analysis_settings_print(&settings, "rule", text, sizeof text), "either");
}

Test(settings, wrong_values_change_nothing)
{
    struct analysis_settings settings, before;
    static const char *const wrong[][2] = {{"factor", "0"},   {"factor", "-2"}, {"factor", "2x"},
                                           {"factor", "nan"}, {"gap", "70000"}, {"rule", "all"},
                                           {"labels", "2"},   {"few", "0"},     {"zz", "1"},
                                           {"z", ""},         {"fps", "0.5"}};
    analysis_settings_default(&settings);
    before = settings;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};
        cr_assert_not(analysis_settings_set(&settings, wrong[i][0], wrong[i][1], &error), "%s", wrong[i][0]);
        cr_assert(error.code == ERROR_USAGE && strstr(error.text, wrong[i][0]));
        char *key = analysis_settings_key(&settings), *old = analysis_settings_key(&before);
        cr_assert_str_eq(key, old);
        free(key);
        free(old);
    }
}

Test(settings, every_setting_is_part_of_the_key)
{
    static const char *const other[][2] = {{"rule", "mad"}, {"factor", "3"},    {"z", "4"},
                                           {"gap", "400"},  {"mad-floor", "1"}, {"few", "20"},
                                           {"fps", "30"},   {"labels", "off"}};
    size_t count;
    struct analysis_settings settings;
    analysis_settings_table(&count);
    cr_assert(count == sizeof other / sizeof *other);
    analysis_settings_default(&settings);
    for (size_t i = 0; i < count; i++) {
        char *before = analysis_settings_key(&settings);
        cr_assert(analysis_settings_set(&settings, other[i][0], other[i][1], NULL));
        char *after = analysis_settings_key(&settings);
        cr_assert_str_neq(before, after);
        free(before);
        free(after);
    }
}

static uint32_t bits(const char *name)
{
    return event_class_of(name) & ((1u << EVENT_STEM_SHIFT) - 1) & ~(uint32_t)EVENT_LOADS;
}

Test(events, lists)
{
    cr_assert(bits("app_background") == EVENT_PAUSE_BEGIN);
    cr_assert(bits("APP_Background") == EVENT_PAUSE_BEGIN);
    cr_assert(bits("App Background") == EVENT_PAUSE_BEGIN);
    cr_assert(bits("pause") == EVENT_PAUSE_BEGIN);
    cr_assert(bits("app_foreground") == EVENT_PAUSE_END);
    cr_assert(bits("resume") == EVENT_PAUSE_END);
    cr_assert(bits("loading_start") == EVENT_LOADING_BEGIN);
    cr_assert(bits("load_begin") == EVENT_LOADING_BEGIN);
    cr_assert(bits("level_load_start") == EVENT_LOADING_BEGIN);
    cr_assert(bits("loading_end") == EVENT_LOADING_END);
    cr_assert(bits("load_done") == EVENT_LOADING_END);
    cr_assert(bits("screenshot") == EVENT_INTERFERENCE);
    cr_assert(bits("Memory_Snapshot") == EVENT_INTERFERENCE);
    cr_assert(bits("profiler_flush") == EVENT_INTERFERENCE);
    cr_assert(bits("memory_snapshot_begin") == (EVENT_INTERFERENCE | EVENT_INTERFERENCE_BEGIN));
    cr_assert(bits("memory_snapshot_done") == (EVENT_INTERFERENCE | EVENT_INTERFERENCE_END));
}

Test(events, what_happens_in_play_is_in_no_list)
{
    static const char *const names[] = {
        "boss_spawn",       "scene_load",      "gc_collect",   "texture_stream", "asset_load",
        "asset_load_start", "pause_menu_open", "snapshot",     "weekend",        "",
        "skill_begin",      "resume_fight",    "respawn_start"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_assert(bits(names[i]) == 0 && !event_class_is_silent(event_class_of(names[i])), "%s", names[i]);
    cr_assert(event_class_of("boss_spawn") == EVENT_LOADS);
    cr_assert(event_class_of("Texture_Stream") == EVENT_LOADS);
    cr_assert(event_class_of("scene_load") == EVENT_LOADS);
    cr_assert(event_class_of("gc_collect") == 0);
}

Test(events, pairs_are_known_by_their_stem)
{
    uint32_t begin = event_class_of("memory_snapshot_begin") >> EVENT_STEM_SHIFT;
    cr_assert(begin != 0);
    cr_assert(begin == event_class_of("Memory_Snapshot_END") >> EVENT_STEM_SHIFT);
    cr_assert(begin != event_class_of("heap_dump_end") >> EVENT_STEM_SHIFT);
    cr_assert(event_class_of("screenshot") >> EVENT_STEM_SHIFT == 0);
}
