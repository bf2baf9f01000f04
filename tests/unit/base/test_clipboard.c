#include "../leftovers.h"
#include "stutterscope/base/clipboard.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t length_for(size_t bytes)
{
    char *text = memory_take_zeroed(1, bytes + 1), *request;
    size_t length;

    memset(text, 'x', bytes);
    request = clipboard_request(text, false, false, NULL);
    length = request ? strlen(request) : 0;
    free(text);
    free(request);
    return length ? length - strlen("\033]52;c;\a") : 0;
}

/* Four digits for every three bytes begun. */
Test(clipboard, base64_has_the_known_lengths)
{
    cr_assert_eq(length_for(1000), 1336);
    cr_assert_eq(length_for(3066), 4088);
    cr_assert_eq(length_for(CLIPBOARD_SURE), 8000);
    cr_assert_eq(length_for(32767), 43692);
    cr_assert_eq(length_for(CLIPBOARD_MOST), 99992);
    cr_assert_eq(length_for(CLIPBOARD_MOST + 1), 0, "nothing rather than half a text");
}

Test(clipboard, requests_are_wrapped_for_what_is_around)
{
    char *plain = clipboard_request("광장\n", false, false, NULL);
    char *tmux = clipboard_request("hi", true, false, NULL);
    char *screen, text[1000] = "";

    cr_assert_str_eq(plain, "\033]52;c;6rSR7J6lCg==\a");
    cr_assert_str_eq(tmux, "\033]52;c;aGk=\a\033Ptmux;\033\033]52;c;aGk=\a\033\\");
    memset(text, 'a', sizeof text - 1);
    screen = clipboard_request(text, false, true, NULL);
    for (const char *at = screen; *at;) {
        const char *end = strstr(at, "\033\\");

        cr_assert_eq(strncmp(at, "\033P", 2), 0);
        cr_assert(end && end - at <= 256, "GNU screen drops longer ones");
        at = end + 2;
    }
    free(plain);
    free(tmux);
    free(screen);
}

Test(clipboard, long_texts_are_refused_with_the_limit)
{
    struct error error = {0};
    char *text = memory_take_zeroed(1, 80001);

    memset(text, 'x', 80000);
    cr_assert_null(clipboard_request(text, false, false, &error));
    cr_assert(strstr(error.text, "80000 bytes") && strstr(error.text, "74994"), "%s", error.text);
    free(text);
}

/* A folder with a program that keeps what it reads. */
static char folder[] = "/tmp/stutterscope-clipboard-XXXXXX";

static void add_program(const char *name, const char *script)
{
    char *path = path_join(folder, name);
    struct error error = {0};

    cr_assert(path_write_all(path, script, strlen(script), &error), "%s", error.text);
    cr_assert_eq(chmod(path, 0700), 0);
    free(path);
}

Test(clipboard, programs_are_used_where_they_have_a_session)
{
    struct error error = {0};
    const char *program;
    char *got, *path, *command;
    size_t size;

    cr_assert(mkdtemp(folder));
    leftover_note(folder);
    add_program("wl-copy", "#!/bin/sh\ncat >\"${0%/*}/got\"\n");
    add_program("xclip", "#!/bin/sh\necho no display >&2; exit 1\n");
    command = memory_print("%s:/usr/bin:/bin", folder);
    setenv("PATH", command, 1);
    free(command);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    cr_assert(clipboard_use_program("text", &program, &error), "%s", error.text);
    cr_assert_null(program);
    setenv("WAYLAND_DISPLAY", "wayland-0", 1);
    cr_assert(clipboard_use_program("a\n$(id)", &program, &error), "%s", error.text);
    cr_assert_str_eq(program, "wl-copy");
    path = path_join(folder, "got");
    cr_assert(path_read_all(path, 1000, &got, &size, &error), "%s", error.text);
    cr_assert_str_eq(got, "a\n$(id)");
    unsetenv("WAYLAND_DISPLAY");
    setenv("DISPLAY", ":0", 1);
    cr_assert_not(clipboard_use_program("text", &program, &error));
    cr_assert(strstr(error.text, "xclip ended with status 1: no display"), "%s", error.text);
    free(got);
    free(path);
    command = memory_print("rm -r %s", folder);
    cr_assert_eq(system(command), 0);
    free(command);
}
