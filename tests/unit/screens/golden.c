#include "../leftovers.h"
#include "golden.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/import.h"
#include "stutterscope/model/edit.h"
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STORE_VARIABLE "STUTTERSCOPE_TEST_SAMPLE_STORE"

/* ---- the store: made once, before the tests, and read by all of them ---- */

static bool import_sample(struct store *store, const char *name, struct error *error)
{
    struct import_options options = {0};
    struct import_summary summary = {0};
    char *path = path_data(name, error);
    bool good = path && import_file(store, path, &options, NULL, &summary, error);
    json_destroy(summary.report);
    free(path);
    return good;
}

/* As in data/sample/devices.csv. */
static bool declare_devices(struct model *model, struct error *error)
{
    char *path = path_data("sample/devices.csv", error), *text = NULL;
    size_t size = 0;
    bool good = path && path_read_all(path, 1 << 20, &text, &size, error), head = true;
    char *rest = text;
    for (char *line = good ? strsep(&rest, "\n") : NULL; good && line; line = strsep(&rest, "\n")) {
        char *fields[5] = {0};
        for (size_t i = 0; i < 5 && line; i++)
            fields[i] = strsep(&line, ",\r");
        if (!head && fields[4]) {
            struct device_row row = {
                .model = fields[0], .name = fields[1], .tier = fields[2], .declared = true};
            row.target_fps_milli = *fields[3] ? strtoll(fields[3], NULL, 10) * 1000 : VALUE_UNKNOWN;
            row.weight = strtod(fields[4], NULL);
            good = model_declare_device(model, &row, error);
        }
        head = false;
    }
    free(text);
    free(path);
    return good;
}

static bool make_store(const char *path, struct error *error)
{
    struct model_options options = {.mode = STORE_CREATE};
    struct model *model = NULL;
    bool good = model_open(path, &options, &model, error) &&
                import_sample(model_store(model), "sample/nightly-418.csv", error) &&
                import_sample(model_store(model), "sample/nightly-420.csv", error) &&
                import_sample(model_store(model), "sample/nightly-421.csv", error) &&
                declare_devices(model, error) && model_reload(model, error) &&
                model_analyze(model, 0, NULL, error);
    if (model)
        model_close(model);
    return good;
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    char folder[] = "/tmp/stutterscope-screens-XXXXXX";
    struct error error = {0};
    (void)tests;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (mkdtemp(folder) == NULL)
        return;
    char *path = path_join(folder, "sample.db");
    if (!make_store(path, &error))
        fprintf(stderr, "the sample store could not be made: %s\n", error.text);
    setenv(STORE_VARIABLE, path, 1);
    free(path);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    const char *path = getenv(STORE_VARIABLE);
    (void)stats;
    if (path) {
        char *folder = memory_copy_bytes(path, strlen(path) - strlen("/sample.db"));
        leftover_remove(folder);
        free(folder);
    }
}

/* ---- a desk ---- */

static struct desk *open_desk(const char *path, enum store_mode mode, const struct screen_type *type,
                              int columns, int rows, enum glyph_set glyphs)
{
    struct desk *desk = memory_take_zeroed(1, sizeof *desk);
    struct model_options options = {.mode = mode};
    struct model *model = NULL;
    struct error error = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    cr_assert(model_open(path, &options, &model, &error), "%s", error.text);
    desk->session = session_create(model);
    desk->session->today_ms = 1764277200000; /* 2025-11-27 21:00 UTC */
    desk->keymap = keymap_create();
    desk->canvas = canvas_create(rows, columns, glyphs);
    desk->stack[0] = screen_create(type, desk->session);
    desk->went_to = SCREEN_COUNT;
    cr_assert(screen_recompute(desk->stack[0], NULL, &error), "%s", error.text);
    return desk;
}

struct desk *desk_open(const struct screen_type *type, int columns, int rows, enum glyph_set glyphs)
{
    return open_desk(getenv(STORE_VARIABLE), STORE_WRITE, type, columns, rows, glyphs);
}

struct desk *desk_open_store(const char *path, const struct screen_type *type, int columns, int rows, enum glyph_set glyphs)
{
    return open_desk(path, STORE_WRITE, type, columns, rows, glyphs);
}

struct desk *desk_open_empty(const struct screen_type *type, int columns, int rows)
{
    char *path = memory_print("%s.empty", getenv(STORE_VARIABLE));
    struct desk *desk = open_desk(path, STORE_CREATE, type, columns, rows, GLYPHS_FULL);
    free(path);
    return desk;
}

struct desk *desk_open_own(const struct screen_type *type, int columns, int rows)
{
    enum { MOST_BYTES = 64 << 20 };
    const char *sample = getenv(STORE_VARIABLE);
    char *path = memory_print("%s.own-%d", sample, (int)getpid()), *bytes = NULL;
    struct error error = {0};
    size_t size = 0;
    cr_assert(path_read_all(sample, MOST_BYTES, &bytes, &size, &error) && path_write_all(path, bytes, size, &error), "%s", error.text);
    free(bytes);
    struct desk *desk = open_desk(path, STORE_WRITE, type, columns, rows, GLYPHS_FULL);
    desk->own = path;
    return desk;
}

void desk_show(struct desk *desk, const struct screen_type *type)
{
    struct error error = {0};
    for (int i = desk->top; i >= 0; i--)
        screen_destroy(desk->stack[i]);
    desk->top = 0;
    desk->stack[0] = screen_create(type, desk->session);
    cr_assert(screen_recompute(desk->stack[0], NULL, &error), "%s", error.text);
}

static void forget_own(struct desk *desk)
{
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (size_t i = 0; desk->own && i < sizeof endings / sizeof *endings; i++) {
        char *file = memory_print("%s%s", desk->own, endings[i]);
        unlink(file);
        free(file);
    }
    free(desk->own);
}

static void forget_results(struct desk *desk)
{
    free(desk->copied);
    free(desk->written);
    free(desk->write_name);
    free(desk->edited);
    free(desk->ran);
    desk->copied = desk->written = desk->write_name = desk->edited = desk->ran = NULL;
    desk->went_to = SCREEN_COUNT;
    desk->message[0] = '\0';
}

void desk_close(struct desk *desk)
{
    for (int i = desk->top; i >= 0; i--)
        screen_destroy(desk->stack[i]);
    forget_results(desk);
    canvas_destroy(desk->canvas);
    keymap_destroy(desk->keymap);
    session_destroy(desk->session);
    forget_own(desk);
    free(desk);
}

void desk_resize(struct desk *desk, int columns, int rows)
{
    canvas_resize(desk->canvas, rows, columns);
}

static char *take(char **text)
{
    char *taken = *text;
    *text = NULL;
    return taken;
}

static void obey(struct desk *desk, struct screen_reply *reply);

/* As the loop does it. */
static void post(struct desk *desk, const struct screen_post *what)
{
    struct error error = {0};
    struct ticket_post result;
    struct screen_reply reply = {0};
    bool good = ticket_post(what->command, &what->ticket, NULL, &result, &error);
    desk->stack[0]->type->posted(desk->stack[0]->state, &result, good ? NULL : error.text, &reply);
    ticket_post_free(&result);
    obey(desk, &reply);
}

static void obey(struct desk *desk, struct screen_reply *reply)
{
    struct screen_post *posted = reply->post;
    reply->post = NULL;
    struct error error = {0};
    snprintf(desk->message, sizeof desk->message, "%s", reply->message);
    if (reply->copy)
        desk->copied = take(&reply->copy);
    if (reply->write)
        desk->written = take(&reply->write);
    if (reply->write_name)
        desk->write_name = take(&reply->write_name);
    if (reply->edit)
        desk->edited = take(&reply->edit);
    if (reply->run)
        desk->ran = memory_print("%s %s", reply->run[0], reply->run[1] ? reply->run[1] : "");
    if (reply->go)
        desk->went_to = reply->go_to;
    if (reply->close && desk->top > 0)
        screen_destroy(desk->stack[desk->top--]);
    if (reply->open) {
        cr_assert(desk->top + 1 < (int)(sizeof desk->stack / sizeof *desk->stack));
        desk->stack[++desk->top] = reply->open;
        reply->open = NULL;
    }
    if (reply->recompute)
        cr_assert(screen_recompute(desk->stack[0], NULL, &error), "%s", error.text);
    reply_clear(reply);
    if (posted)
        post(desk, posted);
    screen_post_free(posted);
}

static void press_one(struct desk *desk, const char *word)
{
    struct screen *screen = desk->stack[desk->top];
    struct screen_event event = {.area = screen->type->overlay ? canvas_area(desk->canvas)
                                                               : chrome_body(desk->canvas)};
    struct screen_reply reply = {0};
    key_code key = 0;
    bool is_key = key_parse(word, strlen(word), &key);
    forget_results(desk);
    if (screen->type->takes_text) {
        event.action = is_key ? keymap_find_editing(desk->keymap, key) : ACTION_TYPE;
        event.text = word;
    } else {
        cr_assert(is_key, "%s is no key", word);
        struct keymap_match match = keymap_find(desk->keymap, key);
        event.action = match.action;
        event.argument = match.action == ACTION_GO ? match.argument : 1;
    }
    desk->refused = !screen->type->act(screen->state, &event, &reply);
    obey(desk, &reply);
}

void desk_press(struct desk *desk, const char *keys)
{
    char *copy = memory_copy_text(keys), *rest = copy;
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
        if (*word)
            press_one(desk, word);
    free(copy);
}

void desk_draw(struct desk *desk)
{
    struct chrome chrome = {.store = "nightly.db", .user = "minji", .clock = "09:04", .keymap = desk->keymap};
    chrome.tabs[SCREEN_MEMORY].absent = !desk->session->has_snapshots;
    chrome.message = desk->message[0] ? desk->message : NULL;
    for (int i = 1; i <= desk->top; i++)
        chrome.covered = chrome.covered || desk->stack[i]->type->covers;
    chrome_draw(desk->canvas, &chrome, desk->stack[0]);
    for (int i = 1; i <= desk->top; i++)
        chrome_draw_above(desk->canvas, &chrome, desk->stack[i]);
}

char *desk_text(struct desk *desk)
{
    desk_draw(desk);
    return canvas_dump_text(desk->canvas);
}

int desk_find(struct desk *desk, const char *text, int *ret_column)
{
    char *all = desk_text(desk), *rest = all;
    int row = 0, found = -1;
    for (char *line = strsep(&rest, "\n"); line && found < 0; line = strsep(&rest, "\n"), row++) {
        char *at = strstr(line, text);
        if (at == NULL)
            continue;
        *at = '\0';
        if (ret_column)
            *ret_column = (int)text_width(line);
        found = row;
    }
    free(all);
    return found;
}

/* ---- golden files ---- */

/* A ticket names the store; the folder of this one is called otherwise every time. */
static void hide_folder(char *text)
{
    static const char folder[] = "/tmp/stutterscope-screens-";
    for (char *at = text; (at = strstr(at, folder)) != NULL;) {
        at += strlen(folder);
        for (int i = 0; i < 6 && isalnum((unsigned char)*at); i++)
            *at++ = 'X';
    }
}

static char *whole_dump(struct desk *desk, bool with_roles)
{
    char *text = desk_text(desk);
    if (!with_roles)
        return text;
    char *roles = canvas_dump_roles(desk->canvas),
         *both = memory_print("%s%s\n%s", text, "==== roles", roles);
    free(roles);
    free(text);
    return both;
}

/* Whole lines: a message that begins inside a character would be no UTF-8. */
static void say_difference(const char *name, const char *wanted, const char *got)
{
    int line = 1;
    size_t length = strcspn(wanted, "\n");
    while (length == strcspn(got, "\n") && memcmp(wanted, got, length) == 0 && wanted[length] &&
           got[length]) {
        wanted += length + 1;
        got += length + 1;
        length = strcspn(wanted, "\n");
        line++;
    }
    cr_assert_fail("tests/screens/%s.txt differs at line %d:\nwanted %.*s\ngot    %.*s", name, line,
                   (int)length, wanted, (int)strcspn(got, "\n"), got);
}

void desk_check_text(const char *name, const char *text)
{
    char *got = memory_copy_text(text);
    hide_folder(got);
    const char *folder = getenv("STUTTERSCOPE_SCREENS");
    cr_assert_not_null(folder, "STUTTERSCOPE_SCREENS names the folder of the golden files");
    char *file = memory_print("%s.txt", name), *wanted = NULL;
    char *path = path_join(folder, file);
    size_t size = 0;
    struct error error = {0};
    if (getenv("STUTTERSCOPE_UPDATE"))
        cr_assert(path_write_all(path, got, strlen(got), &error), "%s", error.text);
    else if (!path_read_all(path, 4 << 20, &wanted, &size, &error))
        cr_assert_fail("%s", error.text);
    else if (strcmp(wanted, got) != 0)
        say_difference(name, wanted, got);
    free(wanted);
    free(path);
    free(file);
    free(got);
}

void desk_check(struct desk *desk, const char *name, bool with_roles)
{
    char *got = whole_dump(desk, with_roles);
    desk_check_text(name, got);
    free(got);
}
