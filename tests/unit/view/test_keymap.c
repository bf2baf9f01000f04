#include "stutterscope/base/memory.h"
#include "stutterscope/base/settings.h"
#include "stutterscope/view/help.h"
#include "stutterscope/view/keymap.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(key, words_and_numbers_agree)
{
    static const struct {
        const char *text;
        key_code key;
    } keys[] = {
        {"j", 'j'},
        {"J", 'J'},
        {"?", '?'},
        {"Space", ' '},
        {"Ctrl-D", 4},
        {"Enter", 13},
        {"Esc", 27},
        {"Backspace", 127},
        {"PgDn", KEY_CODE_PAGE_DOWN},
        {"Tab", 9},
        {"F5", KEY_CODE_F1 + 4},
        {"F12", KEY_CODE_F12},
        {"Shift-Tab", KEY_CODE_SHIFT_TAB},
        {"ㅓ", 0x3153},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        key_code key = 0;
        char text[16];
        cr_assert(key_parse(keys[i].text, strlen(keys[i].text), &key), "%s", keys[i].text);
        cr_assert_eq(key, keys[i].key, "%s", keys[i].text);
        cr_assert_str_eq(key_print(text, sizeof text, key), keys[i].text);
    }
    key_code key = 0;
    cr_assert(key_parse("^d", 2, &key) && key == 4);
    cr_assert(key_parse("ctrl-d", 6, &key) && key == 4);
    cr_assert_not(key_parse("F13", 3, &key));
    cr_assert_not(key_parse("Meta-x", 6, &key));
    cr_assert_not(key_parse("", 0, &key));
    cr_assert_not(key_parse("\x01", 1, &key));
}

Test(keymap, no_key_has_two_meanings_and_every_action_is_told_somewhere)
{
    key_code seen[256];
    int count = 0;
    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
        const struct action_info *info = action_info((enum action)action);
        cr_assert(info->name && info->keys && info->help, "action %d", action);
        cr_assert_eq(action_by_name(info->name), (enum action)action, "%s twice", info->name);
        bool somewhere = false;
        for (int kind = 0; kind < SCREEN_COUNT; kind++)
            somewhere = somewhere || action_is_on((enum action)action, (enum screen_kind)kind);
        cr_assert(somewhere, "%s is nowhere", info->name);
        char *keys = memory_copy_text(info->keys), *rest = keys;
        for (char *word; (word = strsep(&rest, " "));) {
            key_code key = 0;
            cr_assert(key_parse(word, strlen(word), &key), "%s of %s", word, info->name);
            for (int i = 0; i < count; i++)
                cr_assert_neq(seen[i], key, "%s has two meanings", word);
            seen[count++] = key;
        }
        free(keys);
    }
}

Test(keymap, capitals_decide_and_small_letters_look)
{
    struct keymap *keymap = keymap_create();
    for (char letter = 'a'; letter <= 'z'; letter++) {
        struct keymap_match small = keymap_find(keymap, (key_code)letter);
        bool decides = small.action != ACTION_NONE && action_info(small.action)->decides;
        cr_assert_eq(decides, letter == 'u', "%c", letter);
        struct keymap_match capital = keymap_find(keymap, (key_code)(letter - 'a' + 'A'));
        decides = capital.action != ACTION_NONE && action_info(capital.action)->decides;
        cr_assert_eq(decides, strchr("ifoxewduacvbs", letter) != NULL, "capital %c", letter);
    }
    cr_assert_eq(keymap_find(keymap, 'H').action, ACTION_CAPS_LOCK);
    cr_assert_eq(keymap_find(keymap, '4').action, ACTION_GO);
    cr_assert_eq(keymap_find(keymap, '4').argument, 4);
    cr_assert_eq(keymap_find(keymap, KEY_CODE_F1 + 9).action, ACTION_CLOSE);
    cr_assert_eq(keymap_find(keymap, 'M').action, ACTION_NONE);
    keymap_destroy(keymap);
}

Test(keymap, hangul_letters_are_the_keys_they_stand_on)
{
    /* Rows of the two-set keyboard: ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ, ㅁㄴㅇㄹㅎㅗㅓㅏㅣ, ㅋㅌㅊㅍㅠㅜㅡ. */
    static const uint32_t hangul[] = {0x3142, 0x3148, 0x3137, 0x3131, 0x3145, 0x315b, 0x3155, 0x3151, 0x3150,
                                      0x3154, 0x3141, 0x3134, 0x3147, 0x3139, 0x314e, 0x3157, 0x3153, 0x314f,
                                      0x3163, 0x314b, 0x314c, 0x314a, 0x314d, 0x3160, 0x315c, 0x3161};
    static const char keys[] = "qwertyuiopasdfghjklzxcvbnm";
    for (size_t i = 0; i < sizeof hangul / sizeof *hangul; i++)
        cr_assert_eq(keymap_from_hangul(hangul[i]), (key_code)keys[i], "%zu", i);
    cr_assert_eq(keymap_from_hangul(0x3133), 0); /* a cluster */
    cr_assert_eq(keymap_from_hangul(0xac00), 0); /* a syllable */
    struct keymap *keymap = keymap_create();
    struct keymap_match match = keymap_find(keymap, 0x3153);
    cr_assert(match.action == ACTION_DOWN && match.input_method);
    cr_assert_not(keymap_find(keymap, 'j').input_method);
    keymap_destroy(keymap);
}

static struct settings *with(const char *name, const char *value)
{
    struct settings *settings = settings_create();
    settings_set(settings, name, value);
    return settings;
}

Test(keymap, the_configuration_moves_keys)
{
    struct keymap *keymap = keymap_create();
    struct settings *settings = with("keys.reload", "M Ctrl-T");
    settings_set(settings, "keys.mark", "r"); /* was the runs */
    struct error error = {0};
    cr_assert(keymap_configure(keymap, settings, &error), "%s", error.text);
    cr_assert_eq(keymap_find(keymap, 'M').action, ACTION_RELOAD);
    cr_assert_eq(keymap_find(keymap, 20).action, ACTION_RELOAD);
    cr_assert_eq(keymap_find(keymap, 'R').action, ACTION_NONE);
    cr_assert_eq(keymap_find(keymap, 'r').action, ACTION_MARK);
    char text[64];
    cr_assert_str_eq(keymap_print_all(keymap, ACTION_RELOAD, text, sizeof text), "M Ctrl-T");
    cr_assert_str_eq(keymap_print_all(keymap, ACTION_RUNS, text, sizeof text), "");
    settings_destroy(settings);
    keymap_destroy(keymap);
}

Test(keymap, wrong_settings_are_named)
{
    struct keymap *keymap = keymap_create();
    struct settings *settings = with("keys.reload", "Hyper-Q");
    struct error error = {0};
    cr_assert_not(keymap_configure(keymap, settings, &error));
    cr_assert(strstr(error.text, "keys.reload") && strstr(error.text, "Hyper-Q"));
    settings_destroy(settings);
    keymap_destroy(keymap);
    keymap = keymap_create();
    settings = with("keys.reload", "M");
    settings_set(settings, "keys.copy", "M");
    cr_assert_not(keymap_configure(keymap, settings, &error));
    cr_assert(strstr(error.text, "keys.reload") && strstr(error.text, "keys.copy"));
    settings_destroy(settings);
    keymap_destroy(keymap);
}

Test(keymap, while_typing_letters_are_text)
{
    struct keymap *keymap = keymap_create();
    cr_assert_eq(keymap_find_editing(keymap, 'q'), ACTION_TYPE);
    cr_assert_eq(keymap_find_editing(keymap, 0xac00), ACTION_TYPE);
    cr_assert_eq(keymap_find_editing(keymap, KEY_CODE_ESC), ACTION_BACK);
    cr_assert_eq(keymap_find_editing(keymap, KEY_CODE_BACKSPACE), ACTION_ERASE);
    cr_assert_eq(keymap_find_editing(keymap, KEY_CODE_CONTROL('Z')), ACTION_SUSPEND);
    cr_assert_eq(keymap_find_editing(keymap, KEY_CODE_F1), ACTION_NONE);
    keymap_destroy(keymap);
}

Test(help, tells_only_what_is_there_and_follows_the_keys)
{
    struct keymap *keymap = keymap_create();
    struct settings *settings = with("keys.reload", "M");
    struct error error = {0};
    cr_assert(keymap_configure(keymap, settings, &error));
    char *map = help_text(keymap, SCREEN_MAP), *frames = help_text(keymap, SCREEN_FRAMES);
    cr_assert(strstr(map, "  M                read the store again\n"));
    cr_assert_null(strstr(map, "next run"));
    cr_assert_not_null(strstr(frames, "next run"));
    cr_assert(strstr(map, "# Decide") && strstr(frames, "frame before"));
    char *manual = help_manual(keymap);
    cr_assert(strstr(manual, ".SS Move") && strstr(manual, ".TP\n.B Ctrl\\-D\n"));
    free(map);
    free(frames);
    free(manual);
    settings_destroy(settings);
    keymap_destroy(keymap);
}
