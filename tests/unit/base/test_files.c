/* Paths, whole files, settings. Every test works in a folder of its own below $TMPDIR. */
#include "../leftovers.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/settings.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *make_folder(void)
{
    const char *parent = getenv("TMPDIR");
    char *folder = memory_print("%s/stutterscope-test-XXXXXX", parent && *parent ? parent : "/tmp");

    cr_assert_not_null(mkdtemp(folder));
    leftover_note(folder);
    return folder;
}

static void remove_folder(char *folder)
{
    leftover_remove(folder);
    free(folder);
}

static void check_path(char *path, const char *expected)
{
    cr_assert_str_eq(path, expected);
    free(path);
}

Test(paths, joins)
{
    check_path(path_join("/a", "b"), "/a/b");
    check_path(path_join("/a/", "b"), "/a/b");
    check_path(path_join("", "b"), "b");
    check_path(path_join("/a", "/b"), "/b");
    cr_assert_str_eq(path_base_name("/a/b.csv"), "b.csv");
    cr_assert_str_eq(path_base_name("b.csv"), "b.csv");
    cr_assert_str_eq(path_base_name("/a/"), "");
}

Test(paths, expands_home_as_a_shell_does)
{
    static const char *const cases[][2] = {{"~", "/home/minji"},         {"~/a b/c.txt", "/home/minji/a b/c.txt"},
                                           {"~minji/a", "~minji/a"},     {"a~/b", "a~/b"},
                                           {"/x", "/x"},                 {"", ""}};

    setenv("HOME", "/home/minji", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = path_expand_home(cases[i][0]);

        cr_expect_str_eq(path, cases[i][1]);
        free(path);
    }
    unsetenv("HOME");
    char *path = path_expand_home("~/a");

    cr_expect_str_eq(path, "~/a");
    free(path);
}

Test(paths, follows_xdg)
{
    setenv("HOME", "/home/qa", 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_STATE_HOME");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    check_path(path_default_store(), "/home/qa/.local/share/stutterscope/store.db");
    check_path(path_config_file(), "/home/qa/.config/stutterscope/config");
    check_path(path_state_folder(), "/home/qa/.local/state/stutterscope");
    setenv("XDG_DATA_HOME", "/data", 1);
    setenv("XDG_CONFIG_HOME", "/conf", 1);
    setenv("XDG_STATE_HOME", "/state", 1);
    check_path(path_default_store(), "/data/stutterscope/store.db");
    check_path(path_config_folder(), "/conf/stutterscope");
    check_path(path_state_folder(), "/state/stutterscope");
}

Test(paths, writes_and_reads_whole_files)
{
    struct error error = {0};
    char *folder = make_folder(), *path = path_join(folder, "one/two/three.txt"), *bytes;
    struct stat status;
    size_t size;

    cr_assert(path_make_parents(path, &error), "%s", error.text);
    cr_assert(path_make_parents(path, &error), "%s", error.text);
    cr_assert(path_write_all(path, "old", 3, &error), "%s", error.text);
    cr_assert(path_write_all(path, "a\0b", 3, &error), "%s", error.text);
    cr_assert_eq(stat(path, &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0600);
    cr_assert(path_read_all(path, 3, &bytes, &size, &error), "%s", error.text);
    cr_assert_eq(size, 3);
    cr_assert_eq(memcmp(bytes, "a\0b", 4), 0);
    free(bytes);
    cr_assert_not(path_read_all(path, 2, &bytes, &size, &error));
    cr_assert_eq(error.code, ERROR_INPUT);
    cr_assert(strstr(error.text, "2 bytes"), "%s", error.text);
    free(path);
    remove_folder(folder);
}

Test(paths, leaves_nothing_half_done)
{
    struct error error = {0};
    char *folder = make_folder(), *path = path_join(folder, "taken"), *below = path_join(path, "x");
    struct dirent *entry;
    int entries = 0;
    DIR *list;

    cr_assert_eq(mkdir(path, 0700), 0);
    cr_assert_not(path_write_all(path, "x", 1, &error));
    cr_assert_eq(error.code, ERROR_IO);
    list = opendir(folder);
    while ((entry = readdir(list)))
        entries += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(list);
    cr_assert_eq(entries, 1);
    rmdir(path);
    cr_assert(path_write_all(path, "file", 4, &error));
    cr_assert_not(path_make_parents(below, &error));
    cr_assert(strstr(error.text, "is a file"), "%s", error.text);
    free(path);
    free(below);
    remove_folder(folder);
}

Test(paths, replaces_what_a_link_points_to)
{
    struct error error = {0};
    char *folder = make_folder(), *real = path_join(folder, "real"), *link = path_join(folder, "link"),
         *bytes;
    struct stat status;
    size_t size;

    cr_assert(path_write_all(real, "1", 1, &error));
    cr_assert_eq(symlink("real", link), 0);
    cr_assert(path_write_all(link, "22", 2, &error));
    cr_assert_eq(lstat(link, &status), 0);
    cr_assert(S_ISLNK(status.st_mode));
    cr_assert(path_read_all(real, 100, &bytes, &size, &error));
    cr_assert_str_eq(bytes, "22");
    free(bytes);
    cr_assert(path_write_all("/dev/null", "x", 1, &error), "%s", error.text);
    cr_assert_eq(stat("/dev/null", &status), 0);
    cr_assert(S_ISCHR(status.st_mode));
    free(real);
    free(link);
    remove_folder(folder);
}

Test(paths, reads_what_has_no_size)
{
    struct error error = {0};
    char *folder = make_folder(), *bytes;
    size_t size;

    cr_assert(path_read_all("/dev/null", 10, &bytes, &size, &error), "%s", error.text);
    cr_assert_eq(size, 0);
    cr_assert_str_eq(bytes, "");
    free(bytes);
    cr_assert_not(path_read_all("/dev/zero", 1000, &bytes, &size, &error));
    cr_assert_eq(error.code, ERROR_INPUT);
    cr_assert_not(path_read_all(folder, 1000, &bytes, &size, &error));
    cr_assert_eq(error.code, ERROR_IO);
    cr_assert_not(path_read_all("/no/such/file", 1000, &bytes, &size, &error));
    cr_assert(strstr(error.text, "/no/such/file"), "%s", error.text);
    remove_folder(folder);
}

Test(paths, finds_data)
{
    struct error error = {0};
    char *folder = make_folder(), *path = path_join(folder, "themes/x"), *found;

    setenv("STUTTERSCOPE_DATA", folder, 1);
    cr_assert(path_make_parents(path, &error));
    cr_assert(path_write_all(path, "x", 1, &error));
    found = path_data("themes/x", &error);
    cr_assert_str_eq(found, path);
    free(found);
    cr_assert_null(path_data("no-such-file", &error));
    cr_assert(strstr(error.text, folder), "%s", error.text);
    cr_assert_null(path_data("../secret", &error));
    cr_assert_eq(error.code, ERROR_USAGE);
    cr_assert_null(path_data("themes/../../secret", &error));
    cr_assert_eq(error.code, ERROR_USAGE);
    cr_assert_null(path_data("/etc/passwd", &error));
    cr_assert_eq(error.code, ERROR_USAGE);
    unsetenv("STUTTERSCOPE_DATA");
    found = path_data("meson.build", &error); /* the source tree has it, the installed folder has not */
    cr_assert_not_null(found, "%s", error.text);
    free(found);
    free(path);
    remove_folder(folder);
}

static bool read_text(struct settings *settings, const char *text, struct error *error)
{
    char *folder = make_folder(), *path = path_join(folder, "config");
    bool fine;

    cr_assert(path_write_all(path, text, strlen(text), error));
    fine = settings_read_file(settings, path, error);
    free(path);
    remove_folder(folder);
    return fine;
}

Test(settings, reads_files)
{
    struct settings *settings = settings_create();
    struct error error = {0};

    cr_assert(read_text(settings,
                        "\xEF\xBB\xBF# comment\r\n"
                        "user = Jin Ho \r\n"
                        "empty =\n"
                        "colour = #ff0000\n"
                        "\n"
                        "  [ keys ]  \n"
                        "next=n\n"
                        "expression = a = b\n"
                        "next = m",
                        &error),
              "%s", error.text);
    cr_assert_str_eq(settings_get(settings, "user", "?"), "Jin Ho");
    cr_assert_str_eq(settings_get(settings, "empty", "?"), "");
    cr_assert_str_eq(settings_get(settings, "colour", "?"), "#ff0000");
    cr_assert_str_eq(settings_get(settings, "keys.next", "?"), "m");
    cr_assert_str_eq(settings_get(settings, "keys.expression", "?"), "a = b");
    cr_assert_str_eq(settings_get(settings, "next", "fallback"), "fallback");
    cr_assert_null(settings_get(settings, "absent", NULL));
    settings_set(settings, "user", "Mina");
    cr_assert_str_eq(settings_get(settings, "user", "?"), "Mina");
    settings_destroy(settings);
    settings_destroy(NULL);
}

/* Where a value stands is said of the value that counts. */
Test(settings, a_value_that_is_set_has_no_place)
{
    struct settings *settings = settings_create();
    struct error error = {0};
    const char *place;

    cr_assert(read_text(settings, "a = 1\nb = 2\na = 3\n", &error));
    place = settings_place(settings, "a");
    cr_expect(strlen(place) > 2 && strcmp(place + strlen(place) - 2, ":3") == 0, "%s", place);
    settings_set(settings, "a", "4");
    cr_expect_str_eq(settings_place(settings, "a"), "");
    cr_expect(strstr(settings_place(settings, "b"), ":2"));
    cr_expect_str_eq(settings_place(settings, "c"), "");
    settings_destroy(settings);
}

Test(settings, names_the_line)
{
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"a = 1\nnonsense\n", "config:2:"},
        {"[open\n", "config:1:"},
        {"\n\n= 3\n", "config:3:"},
        {"a = \xFF\n", "config:1:"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings *settings = settings_create();
        struct error error = {0};

        cr_assert_not(read_text(settings, cases[i].text, &error));
        cr_assert_eq(error.code, ERROR_USAGE);
        cr_assert(strstr(error.text, cases[i].line), "%s", error.text);
        settings_destroy(settings);
    }
}

Test(settings, takes_a_missing_file_as_empty)
{
    struct settings *settings = settings_create();
    struct error error = {0};

    cr_assert(settings_read_file(settings, "/no/such/folder/config", &error));
    settings_destroy(settings);
}
