/*
 * Only what the screen itself says: every key that is pressed was read from the last line or the line of states above it, on
 * the way from the Map to the written ticket of the worst new stutter.
 */
#include "product.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct product product;

static void stop(void)
{
    product_stop(&product);
}

TestSuite(hints, .timeout = 60, .fini = stop);

/* "Enter deeper" in "hjkl move  Enter deeper  ? help": the key before the word, as bytes; NULL when no hint says the word. */
static const char *key_for(int row, const char *word)
{
    static const struct {
        const char *name, *bytes;
    } named[] = {{"Enter", "\r"}, {"Tab", "\t"}, {"Esc", "\033"}, {"Space", " "}};
    static char one[2];
    char line[4096], *rest = line;
    pty_row(product.pty, row, line, sizeof line);
    while (rest) {
        char *end = strstr(rest, "  "), *hint = rest;
        rest = end ? end + strspn(end, " ") : NULL;
        if (end)
            *end = '\0';
        hint += strspn(hint, " ");
        char *label = strchr(hint, ' ');
        if (!label || strncmp(label + 1, word, strlen(word)) != 0)
            continue;
        *label = '\0';
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
            if (strcmp(hint, named[i].name) == 0)
                return named[i].bytes;
        one[0] = hint[0];
        return strlen(hint) == 1 ? one : NULL;
    }
    return NULL;
}

static void press(int row, const char *word)
{
    const char *key = key_for(row, word);
    if (!key)
        pty_dump(product.pty);
    cr_assert_not_null(key, "no key for \"%s\" is on the screen", word);
    pty_type(product.pty, key);
}

/* "[3 Frames]": one of the tabs is where we are. */
static bool is_on(const char *tab)
{
    char wanted[40];
    snprintf(wanted, sizeof wanted, "[%s", tab);
    return pty_expect_row(product.pty, ROW_TABS, wanted);
}

/* The number of the tab stands before its name. */
static void press_tab(const char *name)
{
    char line[4096];
    char *at = strstr(pty_row(product.pty, ROW_TABS, line, sizeof line), name);
    cr_assert(at && at - line >= 2, "no tab %s", name);
    const char digit[] = {at[-2], '\0'};
    pty_type(product.pty, digit);
}

/* The cell under the cursor is one that is new; else Tab, as the last line says, until it is. */
static void go_to_new(void)
{
    enum { MOST = 20 };
    for (int i = 0; i < MOST && !pty_shows(product.pty, "  NEW "); i++) {
        size_t mark = pty_mark(product.pty);
        press(ROW_KEYS, "next to decide");
        cr_assert(pty_expect_sent(product.pty, mark, "\033"));
    }
    cr_assert(pty_shows(product.pty, "  NEW "), "no new stutter was reached");
}

Test(hints, lead_from_the_map_to_the_written_ticket)
{
    char path[128], line[200];
    product_start(&product, (struct pty_options){0}, NULL);
    cr_assert(is_on("1 Map"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "TO DECIDE"));
    go_to_new();
    press(ROW_KEYS, "deeper");
    cr_assert(is_on("3 Frames"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "NEW"), "the worst new stutter");
    press(ROW_KEYS, "ticket");
    cr_assert(is_on("6 Ticket"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "READY"));
    press(ROW_KEYS, "write file");
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "write to file"));
    snprintf(path, sizeof path, "%s/ticket.md", product.folder);
    snprintf(line, sizeof line, "\x15%s\r", path);
    pty_type(product.pty, line);
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "written: "));
    FILE *file = fopen(path, "r");
    cr_assert(file && fgets(line, sizeof line, file), "%s is not there", path);
    fclose(file);
    cr_assert_not_null(strstr(line, "boss_spawn"), "%s", line);
    cr_assert_not_null(strstr(line, "Battle_03"), "%s", line);
}

/* What lies on a screen has its own keys there: none of those below it, which do nothing now. */
Test(hints, of_the_table_of_frames_are_its_own)
{
    product_start(&product, (struct pty_options){0}, NULL);
    press(ROW_KEYS, "deeper");
    cr_assert(is_on("3 Frames"));
    pty_type(product.pty, "\r");
    cr_assert(pty_expect_row(product.pty, ROW_KEYS, "in the chart"));
    cr_expect_null(key_for(ROW_KEYS, "ticket"));
    press(ROW_KEYS, "back");
    cr_assert(pty_expect_row(product.pty, ROW_KEYS, "ticket"));
    cr_assert(is_on("3 Frames"));
}

/* From the list: the line of states says how to decide, the last line how to get there. */
Test(hints, lead_from_the_map_to_a_decision)
{
    product_start(&product, (struct pty_options){0}, NULL);
    press_tab("Queue");
    cr_assert(is_on("2 Queue"));
    char line[4096];
    pty_row(product.pty, ROW_STATUS, line, sizeof line);
    char *strip = strstr(line, " decide"); /* "I F O X E W D decide": the letters in front of the word */
    cr_assert_not_null(strip, "the states' keys are on the screen: %s", line);
    while (strip - line > 3 && strip[-2] == ' ' && isupper((unsigned char)strip[-3]))
        strip -= 2;
    const char first[] = {strip[-1], '\0'};
    pty_type(product.pty, first);
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "for 3"));
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "4 TO DECIDE"));
    cr_assert(pty_expect_row(product.pty, ROW_STATUS, "u takes it back"));
    pty_type(product.pty, "u");
    cr_assert(pty_expect_row(product.pty, ROW_ANSWER, "5 TO DECIDE"));
}
