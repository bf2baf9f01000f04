#include "picture.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/history.h"
#include "stutterscope/view/chrome.h"
#include "stutterscope/view/data_file.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/picture.h"
#include "stutterscope/view/place.h"
#include "stutterscope/view/screens.h"
#include "stutterscope/view/session.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_COLUMNS = 120, USUAL_ROWS = 40, MOST_CELLS = 1000 };

bool wants_picture(const struct invocation *invocation)
{
    return invocation_has(invocation, OPTION_SVG) || invocation_has(invocation, OPTION_HTML);
}

static bool read_size(const struct invocation *invocation, int64_t *ret_columns, int64_t *ret_rows,
                      struct error *error)
{
    const char *size = invocation_value(invocation, OPTION_SIZE), *cross = size ? strpbrk(size, "xX") : NULL;
    char *columns;
    bool good;

    *ret_columns = USUAL_COLUMNS;
    *ret_rows = USUAL_ROWS;
    if (!size)
        return true;
    if (!cross)
        return error_set(error, ERROR_USAGE,
                         "--size: expected columns and rows, such as 120x40; found \"%s\"", size);
    columns = memory_copy_bytes(size, (size_t)(cross - size));
    good = parse_count(columns, CHROME_LEAST_COLUMNS, MOST_CELLS, "--size, columns", ret_columns, error) &&
           parse_count(cross + 1, CHROME_LEAST_ROWS, MOST_CELLS, "--size, rows", ret_rows, error);
    free(columns);
    return good;
}

static bool choose_event(struct session *session, const char *name, struct error *error)
{
    const struct stutter_entries *entries =
        model_stutters(session->model, session->build, session->baseline, false, NULL, error);

    for (size_t i = 0; entries && i < entries->count; i++) {
        const struct stutter_entry *entry = &entries->items[i];
        const char *event = model_text(session->model, entry->stutter.event);

        if (entry->stutter.key.device != session->device || entry->stutter.key.scene != session->scene ||
            !event || !text_equals_ignoring_case(event, name))
            continue;
        session_choose_stutter(session, entry);
        return true;
    }
    return entries && error_set(error, ERROR_USAGE, "no stutter with the event \"%s\" there in build %s",
                                name, model_build_name(session->model, session->build));
}

/* Screens know metrics; the figures of a trend are among them. */
static bool choose_figure(struct session *session, const char *name, struct error *error)
{
    static const enum metric metrics_of[COMPARED_COUNT] = {
        [COMPARED_P95] = METRIC_P95,   [COMPARED_P99] = METRIC_P99,
        [COMPARED_MAX] = METRIC_MAX,   [COMPARED_HITCH_RATIO] = METRIC_HITCH_RATIO,
        [COMPARED_PEAK] = METRIC_PEAK, [COMPARED_RATE] = METRIC_RATE,
    };
    enum compared_figure figure;

    if (!compared_figure_find(name, &figure, error))
        return false;
    session->metric = metrics_of[figure];
    return true;
}

static bool choose(struct session *session, const struct table_request *request, const char *filter, struct error *error)
{
    if (request->build > 0)
        session->build = request->build;
    session->baseline = request->baseline;
    session->metric = request->metric;
    session->quality = request->quality;
    session->device = request->device;
    session->scene = request->scene;
    return (!filter || session_set_filter(session, filter, error) || error_prefix(error, "--filter")) &&
           (!request->figure || choose_figure(session, request->figure, error)) &&
           (!request->event || choose_event(session, request->event, error));
}

static bool write_file(const struct invocation *invocation, const char *path, const char *text,
                       struct error *error)
{
    if (strcmp(path, "-") == 0)
        return write_out(invocation, text, strlen(text), error);
    return path_write_all(path, text, strlen(text), error);
}

/* A screen with what lies on it. */
struct drawn {
    struct screen *screen, *overlay; /* overlay: NULL without */
    struct canvas *canvas;
    char *title;
};

static void drawn_free(struct drawn *drawn)
{
    screen_destroy(drawn->overlay);
    screen_destroy(drawn->screen);
    canvas_destroy(drawn->canvas);
    free(drawn->title);
}

/* As the key does that opens it. */
static void open_overlay(struct drawn *drawn, const char *action_name)
{
    for (int i = 0; i < ACTION_TABLE_COUNT; i++) {
        struct screen_event event = {.action = (enum action)i, .argument = 1, .area = chrome_body(drawn->canvas)};
        struct screen_reply reply = {0};

        if (!action_opens_text(event.action) || strcmp(action_info(event.action)->name, action_name) != 0)
            continue;
        if (drawn->screen->type->act && drawn->screen->type->act(drawn->screen->state, &event, &reply)) {
            drawn->overlay = reply.open;
            reply.open = NULL;
        }
        reply_clear(&reply);
    }
}

static bool draw(const struct invocation *invocation, struct session *session, enum screen_kind kind,
                 int64_t columns, int64_t rows, struct drawn *ret, struct error *error)
{
    const char *store = path_base_name(model_path(session->model)), *shown = view_words_get(&session->opened.words, "show");
    char *clean = text_clean(store, strlen(store)), *action_name = memory_copy_text(shown);
    struct chrome chrome = {.store = clean, .tuned = model_is_tuned(session->model)};
    bool good;

    *ret = (struct drawn){.screen = screen_create(all_screens[kind], session), .canvas = canvas_create((int)rows, (int)columns, GLYPHS_FULL)};
    good = screen_recompute(ret->screen, invocation->shows_progress ? &invocation->progress : NULL, error);
    for (int i = 0; i < SCREEN_COUNT; i++)
        chrome.tabs[i].absent = i != (int)kind;
    if (good) {
        if (action_name)
            open_overlay(ret, action_name);
        chrome.covered = ret->overlay && ret->overlay->type->covers;
        chrome_draw(ret->canvas, &chrome, ret->screen);
        if (ret->overlay)
            chrome_draw_above(ret->canvas, &chrome, ret->overlay);
    }
    ret->title = memory_print("stutterscope: %s of %s", screen_kind_name(kind), clean);
    free(action_name);
    free(clean);
    return good;
}

static bool write_pictures(const struct invocation *invocation, const struct drawn *drawn, struct error *error)
{
    const char *svg = invocation_value(invocation, OPTION_SVG), *html = invocation_value(invocation, OPTION_HTML),
               *theme = invocation_value(invocation, OPTION_THEME);
    enum scheme scheme = SCHEME_DARK;
    bool good = true;
    char *text;

    if (theme && !scheme_parse(theme, &scheme))
        return error_set(error, ERROR_USAGE, "--theme: expected dark, light, mono or projector, found \"%s\"", theme);
    if (svg) {
        text = picture_svg(drawn->canvas, scheme, drawn->title);
        good = write_file(invocation, svg, text, error);
        free(text);
    }
    if (good && html) {
        text = picture_html(drawn->canvas, scheme, drawn->title);
        good = write_file(invocation, html, text, error);
        free(text);
    }
    return good;
}

static int finish(struct session *session, struct drawn *drawn, bool good)
{
    drawn_free(drawn);
    session_destroy(session);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

int write_picture(struct invocation *invocation, enum screen_kind kind, struct error *error)
{
    struct table_request request;
    struct session *session;
    struct drawn drawn = {0};
    struct model *model;
    int64_t columns, rows;
    bool good;

    if (!read_size(invocation, &columns, &rows, error) || !invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    session = session_create(model);
    good = invocation_request(invocation, model, &request, error) && choose(session, &request, invocation_value(invocation, OPTION_FILTER), error) &&
           draw(invocation, session, kind, columns, rows, &drawn, error) && write_pictures(invocation, &drawn, error);
    return finish(session, &drawn, good);
}

static bool write_data(const struct invocation *invocation, const struct drawn *drawn, struct error *error)
{
    bool json = invocation_has(invocation, OPTION_JSON);
    char *text = drawn->overlay ? pager_text(drawn->overlay) : NULL; /* a text has no data of its own */
    struct screen *source = drawn->overlay && !text ? drawn->overlay : drawn->screen;
    bool good;

    free(text);
    if (json || invocation_has(invocation, OPTION_CSV))
        text = data_file_text(source, chrome_body(drawn->canvas), json ? "view.json" : "view.csv", error);
    else
        text = canvas_dump_text(drawn->canvas);
    good = text && write_output(invocation, text, strlen(text), error);
    free(text);
    return good;
}

int write_view(struct invocation *invocation, const char *key, struct error *error)
{
    const struct progress *progress = invocation->shows_progress ? &invocation->progress : NULL;
    struct session *session;
    struct drawn drawn = {0};
    enum screen_kind kind = SCREEN_MAP;
    struct model *model;
    int64_t columns, rows;
    bool good;

    if (!read_size(invocation, &columns, &rows, error) || !invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    session = session_create(model);
    good = place_go(session, key, progress, &kind, error) && draw(invocation, session, kind, columns, rows, &drawn, error) &&
           (wants_picture(invocation) ? write_pictures(invocation, &drawn, error) : write_data(invocation, &drawn, error));
    return finish(session, &drawn, good);
}
