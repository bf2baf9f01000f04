/* F on Ticket with a post command: asked, sent, shown, kept, taken back. */
#include "golden.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/model/tickets.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/stutterscope-post-XXXXXX";

/* Settings with this post command; what it gets goes to the file "sent" beside them. */
static void use_command(const char *command)
{
    char *path = memory_print("%s/stutterscope/config", folder), *text = memory_print("[ticket]\npost = %s\n", command);
    struct error error = {0};
    cr_assert(path_make_parents(path, &error) && path_write_all(path, text, strlen(text), &error), "%s", error.text);
    free(path);
    free(text);
}

static char *sent(void)
{
    char *path = memory_print("%s/sent", folder), *text = NULL;
    size_t size;
    if (!path_read_all(path, 1 << 20, &text, &size, NULL))
        text = NULL;
    free(path);
    return text;
}

static void unlink_sent(void)
{
    char *path = memory_print("%s/sent", folder);
    cr_assert_eq(unlink(path), 0);
    free(path);
}

static void start(void)
{
    cr_assert(mkdtemp(folder));
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("STUTTERSCOPE_USER", "minji", 1);
    setenv("SENT", folder, 1);
}

static void finish(void)
{
    static const char *const names[] = {"stutterscope/config", "sent"};
    for (size_t i = 0; i < 2; i++) {
        char *path = memory_print("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    char *inner = memory_print("%s/stutterscope", folder);
    rmdir(inner);
    rmdir(folder);
    free(inner);
}
TestSuite(post, .init = start, .fini = finish);

static void shows(struct desk *desk, const char *text)
{
    desk_draw(desk);
    char *all = desk_text(desk);
    cr_assert(strstr(all, text), "\"%s\" is not in\n%s", text, all);
    free(all);
}

static void says(struct desk *desk, const char *text)
{
    cr_assert(strstr(desk->message, text), "\"%s\" is not in \"%s\"", text, desk->message);
}

#define KEEP_IT "sh -c 'cat >\"$SENT/sent\"; echo \"{title}\" >>\"$SENT/sent\"; echo created https://tracker.example/issues/7' x"

Test(post, files_what_is_shown_and_keeps_the_reference)
{
    use_command(KEEP_IT);
    struct desk *desk = desk_open_own(&ticket_screen, 120, 40);
    desk_press(desk, "F");
    shows(desk, "file it with sh (3 stutters)?  y/n");
    cr_assert_null(sent(), "nothing is sent before it was asked");
    desk_press(desk, "n");
    cr_assert_null(sent());
    desk_press(desk, "F y");
    says(desk, "filed https://tracker.example/issues/7 · boss_spawn");
    says(desk, "for 3 · u takes it back (here, not in the tracker)");
    shows(desk, "created https://tracker.example/issues/7");
    char *text = sent();
    cr_assert(text && strstr(text, "## Observed"));
    cr_assert(strstr(text, "[Stutter] Battle_03: 92.4 ms hitch at boss_spawn"), "the title takes the place of its mark");
    free(text);

    unlink_sent();
    desk_press(desk, "q F");
    shows(desk, "there is https://tracker.example/issues/7, filed, in 1.8.0(421) by minji. File another ticket with sh?  y/n");
    desk_press(desk, "n");
    cr_assert_null(sent(), "nothing is sent a second time without a yes");
    desk_press(desk, "u");
    says(desk, "taken back: filed");
    desk_press(desk, "F");
    shows(desk, "file it with sh (3 stutters)?  y/n"); /* nothing is filed any more */
    desk_close(desk);
}

Test(post, failures_are_shown_and_change_nothing)
{
    use_command("sh -c 'echo not logged in >&2; exit 3'");
    struct desk *desk = desk_open_own(&ticket_screen, 120, 40);
    desk_press(desk, "F y");
    says(desk, "not filed");
    shows(desk, "not logged in");
    desk_press(desk, "q u");
    says(desk, "nothing");
    desk_close(desk);
}

Test(post, without_a_reference_it_asks_for_the_number)
{
    use_command("true");
    struct desk *desk = desk_open_own(&ticket_screen, 120, 40);
    desk_press(desk, "F y");
    says(desk, "printed no reference");
    shows(desk, "ticket number or link, for 3");
    desk_press(desk, "MG-12 Enter");
    says(desk, "filed MG-12");
    desk_close(desk);
}

Test(post, without_a_command_it_asks_for_the_number_of_its_members)
{
    use_command("");
    struct desk *desk = desk_open_own(&ticket_screen, 120, 40);
    desk_press(desk, "Space Space Esc F");
    shows(desk, "ticket number or link, for 2");
    desk_close(desk);
}

Test(post, a_mistake_in_the_settings_is_said_until_it_is_mended)
{
    use_command("true\nmembers = many");
    struct desk *desk = desk_open_own(&map_screen, 120, 40);
    struct screen *screen = screen_create(&ticket_screen, desk->session);
    for (int i = 0; i < 2; i++) {
        struct error error = {0};
        cr_expect_not(screen_recompute(screen, NULL, &error));
        cr_expect(strstr(error.text, "many"), "%s", error.text);
    }
    use_command("true");
    struct error error = {0};
    cr_expect(screen_recompute(screen, NULL, &error), "%s", error.text);
    screen_destroy(screen);
    desk_close(desk);
}

Test(post, edited_texts_keep_the_title_or_bring_theirs)
{
    struct ticket before = {.title = (char *)"as it was", .text = (char *)"# Boss\\_1 \\(a\\)\n\nbody\n"}, after;
    size_t count;
    before.format = &ticket_formats(&count)[0];
    ticket_take_edited(&before, "# Boss\\_1 \\(a\\)\n\nother body\n", &after);
    cr_expect_str_eq(after.title, "as it was");
    cr_expect_str_eq(after.body, "other body\n");
    ticket_free(&after);
    ticket_take_edited(&before, "# `@x`: a\\_b &lt;c&gt; &#35;&#8203;1\nbody", &after);
    cr_expect_str_eq(after.title, "@x: a_b <c> #1");
    cr_expect_str_eq(after.body, "body");
    cr_expect_eq(after.length, strlen("# `@x`: a\\_b &lt;c&gt; &#35;&#8203;1\nbody"));
    ticket_free(&after);
    ticket_take_edited(&before, "only a line", &after);
    cr_expect_str_eq(after.title, "only a line");
    cr_expect_str_eq(after.body, "");
    ticket_free(&after);
}
