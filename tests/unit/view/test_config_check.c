#include "../leftovers.h"
#include "stutterscope/view/config_check.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void expect(const char *text, const char *const *wanted)
{
    char path[] = "/tmp/stutterscope-settings-XXXXXX";
    int file = mkstemp(path);
    struct settings *settings = settings_create();
    struct error error = {0};
    bool good;

    leftover_note(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    cr_assert(settings_read_file(settings, path, &error), "%s", error.text);
    good = config_check(settings, &error);
    cr_expect_eq(good, wanted == NULL, "%s%s", text, error.text);
    for (; wanted && *wanted; wanted++)
        cr_expect(strstr(error.text, *wanted), "\"%s\" is not in \"%s\"", *wanted, error.text);
    if (!good)
        cr_expect(strncmp(error.text, path, strlen(path)) == 0, "%s", error.text);
    settings_destroy(settings);
    unlink(path);
}

#define EXPECT(text, ...) expect(text, (const char *const[]){__VA_ARGS__, NULL})

Test(config_check, what_is_documented_is_taken)
{
    expect("theme = night\nglyphs = narrow\ncolor = never\nmouse = off\n[keys]\nfind = / Ctrl-S\n[filters]\nmine = owner:minji\n"
           "[theme.night]\nbase = dark\nheat-4 = 16 on 196 bold\n[ticket]\ntemplate = jira-ko\nmembers = 5\n",
           NULL);
    expect("", NULL);
}

Test(config_check, a_wrong_name_is_told_with_its_line)
{
    EXPECT("# mine\ntheem = dark\n", ":2:", "setting \"theem\"", "did you mean theme?");
    EXPECT("[keys]\nfnid = x\n", ":2:", "action \"fnid\"", "did you mean find?");
    EXPECT("[ticket]\n\ntemplat = jira\n", ":3:", "\"templat\"", "did you mean template?");
    EXPECT("[kyes]\nfind = x\n", ":2:", "section \"kyes\"", "did you mean keys?");
    EXPECT("completely = different\n", ":1:", "theme, glyphs, color, mouse");
    EXPECT("[theme]\nbase = dark\n", ":2:", "section \"theme\"", "theme.NAME");
}

Test(config_check, a_wrong_word_is_told)
{
    EXPECT("color = alway\n", ":1:", "value of color \"alway\"", "did you mean always?");
    EXPECT("mouse = perhaps\n", ":1:", "on, off");
    EXPECT("[theme.night]\nheta-4 = red\n", ":2:", "heta-4");
}
