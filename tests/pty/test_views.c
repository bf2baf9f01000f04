/*
 * Views that are left and come back to, in the program itself: by the key in what it writes, by --resume, and where figures
 * have to be worked out before it is known where to begin.
 */
#include "product.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static struct product product;

static void stop(void)
{
    product_stop(&product);
}

TestSuite(views, .timeout = 60, .fini = stop);

static char screen_text[PRODUCT_ROWS * 600];

/* Without the line that says what was done last. */
static const char *take_screen(void)
{
    char line[600];
    screen_text[0] = '\0';
    for (int row = 0; row < ROW_STATUS; row++) {
        strcat(screen_text, pty_row(product.pty, row, line, sizeof line));
        strcat(screen_text, "\n");
    }
    return screen_text;
}

static void quit_and_start(const char *option, const char *value)
{
    const char *const arguments[] = {option, value, NULL};
    pty_type(product.pty, "\x03");
    cr_assert_eq(pty_expect_end(product.pty), 0);
    product_stop(&product);
    product_start_with(&product, (struct pty_options){0}, arguments);
    cr_assert(pty_expect(product.pty, "? help"));
}

static const char *expected;

static bool is_as_before(const struct pty *pty)
{
    (void)pty;
    return strcmp(take_screen(), expected) == 0;
}

static void expect_as_before(const char *before)
{
    expected = before;
    if (!pty_expect_where(product.pty, is_as_before))
        cr_assert_str_eq(take_screen(), before);
}

static char *show_tiers(void)
{
    product_start(&product, (struct pty_options){0}, NULL);
    pty_type(product.pty, "ajjj\x1b");
    pty_type(product.pty, "aj\r");
    cr_assert(pty_expect(product.pty, "rows are tiers"));
    pty_type(product.pty, "sj\r");
    cr_assert(pty_expect(product.pty, "worst first"));
    pty_type(product.pty, "cj");
    cr_assert(pty_expect(product.pty, "\u0394 to 1.8.0(420)"));
    return strdup(take_screen());
}

Test(views, resume_shows_what_was_left)
{
    char *before = show_tiers();
    quit_and_start("--resume", NULL);
    expect_as_before(before);
    free(before);
}

static void import(const char *path)
{
    char arguments[200], *report;
    int status;
    snprintf(arguments, sizeof arguments, "import %s", path);
    report = product_run(&product, arguments, &status);
    cr_assert_eq(status, 0, "%s", report);
    free(report);
}

static FILE *begin_file(char path[120], const char *name)
{
    snprintf(path, 120, "%s/%s", product.folder, name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    return file;
}

/* On a store of its own, in which is only what `write` wrote. */
static void start_on(void (*write)(FILE *file), struct pty_options options)
{
    char path[120];
    product_start(&product, (struct pty_options){0}, NULL);
    product_stop(&product);
    snprintf(product.store, sizeof product.store, "%s/other.db", product.folder);
    FILE *file = begin_file(path, "other.csv");
    write(file);
    fclose(file);
    import(path);
    product_start(&product, options, NULL);
}

static void write_snapshots(FILE *file)
{
    fputs("build_id,device_model,run_id,scene,category,bytes\n"
          "b1,Pixel 8,r1,Lobby,Textures,100000000\nb2,Pixel 8,r1,Lobby,Textures,110000000\n", file);
}

Test(views, a_store_of_snapshots_begins_on_memory)
{
    start_on(write_snapshots, (struct pty_options){0});
    cr_assert(pty_expect_row(product.pty, ROW_TABS, "[8 Memory]"));
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "b2 vs b1"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "GREW +10 MB"));
    pty_type(product.pty, "1");
    cr_assert(pty_expect(product.pty, "No run here has frame times"));
}

Test(views, what_a_verb_changed_is_seen_behind_its_output)
{
    product_start(&product, (struct pty_options){0}, NULL);
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "vs 1.8.0(420)"));
    pty_type(product.pty, ":builds --baseline '1.7.9(418)'\r");
    cr_assert(pty_expect(product.pty, "2025-11-26"));
    pty_type(product.pty, "q");
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "vs 1.7.9(418) pinned"));
    pty_type(product.pty, ":builds --baseline none\r");
    cr_assert(pty_expect(product.pty, "2025-11-26"));
    pty_type(product.pty, "q");
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "vs 1.8.0(420)"));
}

static bool has_no_news(const struct pty *pty)
{
    return !pty_shows(pty, "new runs");
}

Test(views, imports_of_others_are_told_with_the_keys)
{
    char path[120];
    product_start(&product, (struct pty_options){0}, NULL);
    FILE *file = begin_file(path, "more.csv");
    fputs("build_id,device_model,run_id,scene,timestamp_ms,frame_time_ms\nb9,Pixel 8,r1,Lobby,0,16.6\nb9,Pixel 8,r1,Lobby,17,16.7\n", file);
    fclose(file);
    import(path);
    cr_assert(has_no_news(product.pty));
    for (bool down = true; has_no_news(product.pty); down = !down) { /* it looks no oftener than once a second */
        pty_type(product.pty, down ? "j" : "k");
        cr_assert(pty_expect(product.pty, down ? "Galaxy Z Flip5 × Battle_03" : "Galaxy S23 Ultra × Battle_03"));
    }
    cr_assert(pty_expect_row(product.pty, ROW_TABS, "new runs · R"));
    pty_type(product.pty, "R");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "read again"));
    cr_assert(pty_expect_where(product.pty, has_no_news));
    pty_type(product.pty, "jk");
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "b9"));
    cr_assert(has_no_news(product.pty));
}

Test(views, a_pin_is_known_at_once_and_so_is_taking_it_back)
{
    product_start(&product, (struct pty_options){0}, NULL);
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "vs 1.8.0(420)"));
    pty_type(product.pty, "By");
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "vs 1.8.0(420) pinned"));
    pty_type(product.pty, "u");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "taken back"));
    cr_assert_not(pty_shows(product.pty, "pinned"));
}

/* boss at 80 ms, in b1 on Beta only, in b2 on Alpha and Gamma; all of them see it in both. */
static void write_moving_stutter(FILE *file)
{
    static const char *const devices[] = {"Alpha", "Beta", "Gamma"};
    fputs("build_id,device_model,run_id,scene,event_name,timestamp_ms,frame_time_ms\n", file);
    for (int build = 1; build <= 2; build++)
        for (int device = 0; device < 3; device++)
            for (int run = 1; run <= 3; run++)
                for (int frame = 0; frame < 400; frame++) {
                    bool boss = frame == 200, slow = boss && (build == 1) == (device == 1);
                    fprintf(file, "b%d,%s,r%d,Arena,%s,%d,%.1f\n", build, devices[device], run, boss ? "boss" : "", 17 * frame + (frame >= 200 && (build == 1) == (device == 1) ? 63 : 0),
                            slow ? 80 + device : 16 + .1 * (frame % 5));
                }
}

Test(views, where_a_stutter_is_gone_it_is_not_also)
{
    start_on(write_moving_stutter, (struct pty_options){.rows = 50, .columns = 120});
    cr_assert(pty_expect(product.pty, "Gamma × Arena"));
    cr_assert(pty_expect(product.pty, "also Alpha"));
    cr_assert(pty_expect(product.pty, "clean Beta"));
    cr_assert_not(pty_shows(product.pty, "also Beta"));
    cr_assert_not(pty_shows(product.pty, ", Beta"));
}

/* The last line of a written view is a command for a shell: its key stands between its last two quotes. */
Test(views, a_written_view_says_how_to_come_back)
{
    char *before = show_tiers(), path[100], line[2000] = "", *key, *end;
    pty_type(product.pty, "w\x15~/view.txt\r");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "written: "));
    snprintf(path, sizeof path, "%s/view.txt", product.folder);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file))
        ;
    fclose(file);
    cr_assert_eq(strncmp(line, "reopen: stutterscope ", strlen("reopen: stutterscope ")), 0, "%s", line);
    end = strrchr(line, '\'');
    cr_assert_not_null(end, "%s", line);
    *end = '\0';
    key = strrchr(line, '\'');
    cr_assert_not_null(key);
    quit_and_start("--open", key + 1);
    expect_as_before(before);
    free(before);
}

/* Nothing of this store was analysed yet. */
Test(views, a_stutter_of_a_store_that_is_not_analysed)
{
    const char *const arguments[] = {"--open", "ticket:d6a90e1481@421", NULL};
    product_start_with(&product, (struct pty_options){0}, arguments);
    cr_assert(pty_expect(product.pty, "READY"));
    cr_assert(pty_expect_row(product.pty, ROW_TABS, "[6 Ticket]"));
    cr_assert(pty_expect_row(product.pty, ROW_WHERE, "boss_spawn"));
}

Test(views, what_is_not_there_is_said_at_the_shell)
{
    const char *const arguments[] = {"--open", "frames:0123456789@421", NULL};
    product_start_with(&product, (struct pty_options){0}, arguments);
    int status = pty_expect_end(product.pty);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 2, "%d", status);
    cr_assert(pty_shows(product.pty, "no stutter 0123456789"));
}

static bool file_has(const char *name, const char *text)
{
    char path[120], content[20000] = "";
    snprintf(path, sizeof path, "%s/%s", product.folder, name);
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(content, 1, sizeof content - 1, file) : 0;
    content[size] = '\0';
    if (file)
        fclose(file);
    return strstr(content, text) != NULL;
}

static void write_as(const char *name)
{
    char keys[80];
    snprintf(keys, sizeof keys, "w\x15~/%s\r", name);
    pty_type(product.pty, keys);
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, name));
}

/* What lies on a screen is a part of what is seen: not the screen below is written. */
Test(views, a_distribution_is_written_as_it_is_seen)
{
    product_start(&product, (struct pty_options){0}, NULL);
    pty_type(product.pty, "d");
    cr_assert(pty_expect(product.pty, "frame time in ms by percentile"));
    write_as("d.txt");
    cr_assert(file_has("d.txt", "frame time in ms by percentile") && file_has("d.txt", "show=distribution"));
    write_as("d.svg");
    cr_assert(file_has("d.svg", "frame time in ms by percentile"));
    write_as("d.csv");
    cr_assert(file_has("d.csv", "side,runs,frames,"));
    pty_type(product.pty, "y");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "sent to the terminal's clipboard"));
    pty_type(product.pty, "\x1b");
    write_as("m.txt");
    cr_assert(file_has("m.txt", "TO DECIDE") && !file_has("m.txt", "show="));
}

/* A text is written whole, whatever of it there is room for. */
Test(views, a_text_is_written_whole)
{
    product_start(&product, (struct pty_options){.rows = 24, .columns = 80}, NULL);
    pty_type(product.pty, "p");
    cr_assert(pty_expect(product.pty, "stutterscope.heatmap/1"));
    pty_type(product.pty, "w\x15~/all.txt\r");
    cr_assert(pty_expect(product.pty, "written: "));
    cr_assert(file_has("all.txt", "stutterscope.heatmap/1") && file_has("all.txt", "\"flags\""));
}

/* Nothing is done and nothing wakes it, on no screen. */
Test(views, an_idle_screen_waits_without_end)
{
    static const char *const tabs[] = {"[1 Map", "[2 Queue", "[3 Frames", "[4 Trend", "[5 Cover", "[6 Ticket", "[7 Tune"};
    product_start(&product, (struct pty_options){0}, NULL);
    for (size_t i = 0; i < sizeof tabs / sizeof *tabs; i++) {
        const char key[] = {(char)('1' + i), '\0'};
        pty_type(product.pty, key);
        cr_assert(pty_expect_row(product.pty, ROW_TABS, tabs[i]));
        cr_assert(pty_expect_idle(product.pty), "%s", tabs[i]);
    }
    pty_type(product.pty, "1d");
    cr_assert(pty_expect(product.pty, "frame time in ms by percentile"));
    cr_assert(pty_expect_idle(product.pty));
}
