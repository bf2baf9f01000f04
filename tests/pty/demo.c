/*
 * A stand-in for the product: two screens that show what happened to them, on the real terminal, input and
 * loop.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/tui/loop.h"
#include "stutterscope/view/menu.h"
#include "stutterscope/view/pager.h"
#include "stutterscope/view/prompt.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
    int started, steps;
};

struct demo {
    struct session *session;
    char last[200];
    int row, column, recomputed;
    bool slow;
};

static void *create(struct session *session)
{
    struct demo *demo = memory_take_zeroed(1, sizeof *demo);
    demo->session = session;
    snprintf(demo->last, sizeof demo->last, "nothing yet");
    return demo;
}

static void destroy(void *state)
{
    free(state);
}

static bool recompute(void *state, const struct progress *progress, struct error *error)
{
    struct demo *demo = state;
    demo->recomputed++;
    /* Until it is stopped: the test proves that it can be. */
    for (int64_t i = 0; demo->slow; i++) {
        if (!progress_report(progress, "counting", i, 0, error)) {
            demo->slow = false;
            return false;
        }
    }
    return true;
}

static void draw(const void *state, struct canvas *canvas, struct area area)
{
    const struct demo *demo = state;
    canvas_print(canvas, area.row, area.column + 1, ROLE_CHROME, "last: %s", demo->last);
    canvas_print(canvas, area.row + 1, area.column + 1, ROLE_CHROME, "row %d col %d recomputed %d", demo->row,
                 demo->column, demo->recomputed);
    canvas_put(canvas, area.row + 2, area.column + 1, ROLE_HEAT_1, "h1");
    canvas_put(canvas, area.row + 2, area.column + 4, ROLE_HEAT_4, "h4");
    canvas_put(canvas, area.row + 2, area.column + 7, ROLE_HEAT_3 | STYLE_CURSOR, "cu");
    canvas_put(canvas, area.row + 3, area.column + 1, ROLE_CHROME, "wide 設備|");
    canvas_put(canvas, area.row + 4, area.column + area.columns - 1, ROLE_CHROME, "設");
    canvas_put(canvas, area.row + 4, area.column + 1, ROLE_CHROME, "evil \x1b]0;title\x07 end");
    canvas_print(canvas, area.row + 5, area.column + 1, ROLE_CHROME, "size %dx%d", canvas_rows(canvas),
                 canvas_columns(canvas));
}

static void where(const void *state, struct line *line)
{
    (void)state;
    line_add(line, LINE_KEEP, ROLE_CHROME, "demo");
}

static void status(const void *state, struct line *line)
{
    (void)state;
    line_add(line, LINE_KEEP, ROLE_STATUS, "status of the demo");
}

static void found(void *owner, const char *text, struct screen_reply *reply)
{
    snprintf(((struct demo *)owner)->last, 200, "found [%s]", text);
    reply_say(reply, "looked for %s", text);
}

static void sorted(void *owner, int index, struct screen_reply *reply)
{
    (void)reply;
    snprintf(((struct demo *)owner)->last, 200, "sorted by %d", index);
}

static void open_prompt(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)event;
    reply->open = prompt_open(&(struct prompt_options){.label = "find", .owner = state, .accept = found});
}

static void open_menu(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)event;
    static const char *const items[] = {"severity", "peak", "name", NULL};
    reply->open = menu_open(&(struct menu_options){
        .title = "sort by", .items = items, .owner = state, .choose = sorted, .again = ACTION_SORT});
}

static void run(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)event;
    const char *script = getenv("DEMO_RUN");
    reply->run = memory_take_zeroed(4, sizeof *reply->run);
    reply->run[0] = memory_copy_text(script ? "/bin/sh" : "/nonexistent/program");
    reply->run[1] = memory_copy_text("-c");
    reply->run[2] = memory_copy_text(script ? script : "");
}

static void edit(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)event;
    reply->edit = memory_copy_text("first line\nsecond line\n");
}

static void be_slow(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)event;
    ((struct demo *)state)->slow = true;
    reply->recompute = true;
}

static void crash(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)reply;
    if (event->action == ACTION_WHY)
        abort();
    signal(SIGALRM, SIG_DFL);
    raise(SIGSEGV);
}

static void start_steps(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)event;
    (void)reply;
    ((struct demo *)state)->session->steps = 1;
}

static void deeper(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)event;
    reply->go = true;
    reply->go_to = SCREEN_FRAMES;
}

static void investigate(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)event;
    reply->changed = true;
    reply_say(reply, "boss_spawn is investigating now, for 3; u takes it back");
}

/* A picture that the terminal draws; its bytes are recognised by the test, and harmless. */
static void draw_nothing(const void *state, struct canvas *canvas, struct area area)
{
    (void)state;
    canvas_fill(canvas, area, ROLE_CHROME, " ");
    canvas_put(canvas, area.row, area.column, ROLE_CHROME, "a picture");
}

static bool picture(const void *state, struct area whole, struct screen_image *ret)
{
    static const char bytes[] = "\033_Gdemo\033\\";
    (void)state;
    *ret = (struct screen_image){whole.row + 1, whole.column, bytes, sizeof bytes - 1, 1, true};
    return true;
}

static bool close_picture(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    reply->close = event->action == ACTION_BACK;
    return reply->close;
}

static const struct screen_type picture_screen = {.kind = SCREEN_NONE, .name = "picture", .overlay = true, .destroy = destroy,
                                                  .draw = draw_nothing, .image = picture, .act = close_picture};

static void open_picture(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    (void)state;
    (void)event;
    reply->open = screen_wrap(&picture_screen, memory_take_zeroed(1, 1));
}

static const struct screen_handler handlers[] = {
    {ACTION_OLDER_BUILD, open_picture},
    {ACTION_FIND, open_prompt},   {ACTION_SORT, open_menu},
    {ACTION_QUALITY, run},           {ACTION_TICKET, edit},
    {ACTION_RUNS, be_slow},       {ACTION_WHY, crash},
    {ACTION_DISTRIBUTION, crash}, {ACTION_FOLD, start_steps},
    {ACTION_ENTER, deeper},       {ACTION_INVESTIGATE, investigate},
    {ACTION_NONE, NULL},
};

static bool act(void *state, const struct screen_event *event, struct screen_reply *reply)
{
    struct demo *demo = state;
    const char *name = event->action < ACTION_TABLE_COUNT ? action_info(event->action)->name : "click";
    snprintf(demo->last, sizeof demo->last, "%s %d at %d,%d", name, event->argument, event->row,
             event->column);
    demo->row += event->action == ACTION_DOWN ? event->argument
                 : event->action == ACTION_UP ? -event->argument
                                              : 0;
    demo->column += event->action == ACTION_RIGHT ? 1 : event->action == ACTION_LEFT ? -1 : 0;
    if (event->action >= ACTION_LEFT && event->action <= ACTION_PAGE_UP)
        return true;
    return event->action == ACTION_CLICK || screen_dispatch(handlers, state, event, reply);
}

static void edited(void *state, const char *text, struct screen_reply *reply)
{
    (void)reply;
    snprintf(((struct demo *)state)->last, 200, "edited %.20s", text ? text : "(failed)");
}

static void ran(void *state, int exit_status, struct screen_reply *reply)
{
    (void)reply;
    snprintf(((struct demo *)state)->last, 200, "program ended with %d", exit_status);
}

/* Steps without an end, until stopped. */
static enum screen_work work(void *state, struct screen_progress *ret, struct error *error)
{
    struct demo *demo = state;
    (void)error;
    if (demo->session->steps == 0)
        return WORK_NONE;
    snprintf(ret->what, sizeof ret->what, "working");
    ret->done = demo->session->steps++;
    return WORK_MORE;
}

static void stop_work(void *state)
{
    ((struct demo *)state)->session->steps = 0;
}

static const struct hint hints[] = {{{ACTION_LEFT, ACTION_DOWN, ACTION_UP, ACTION_RIGHT}, "move"},
                                    {{ACTION_ENTER}, NULL},
                                    {{ACTION_NONE}, NULL}};

static const struct screen_type map = {.kind = SCREEN_MAP,
                                       .name = "Map",
                                       .create = create,
                                       .destroy = destroy,
                                       .recompute = recompute,
                                       .draw = draw,
                                       .where = where,
                                       .status = status,
                                       .hints = hints,
                                       .act = act,
                                       .edited = edited,
                                       .ran = ran,
                                       .work = work,
                                       .stop_work = stop_work};

static const struct screen_type frames = {.kind = SCREEN_FRAMES,
                                          .name = "Frames",
                                          .create = create,
                                          .destroy = destroy,
                                          .recompute = recompute,
                                          .draw = draw,
                                          .where = where,
                                          .hints = hints,
                                          .act = act};

static char *run_verb(void *user, const char *line, const struct progress *progress, struct error *error)
{
    (void)user;
    (void)progress;
    if (strcmp(line, "builds") == 0)
        return memory_copy_text("1.7.9(418)\n1.8.0(421)\n");
    error_set(error, ERROR_USAGE, "\"%s\" is no command", line);
    return NULL;
}

static void fill_chrome(struct session *session, struct chrome *chrome)
{
    (void)session;
    chrome->store = "demo.db";
    chrome->user = "tester";
    snprintf(chrome->tabs[SCREEN_COVER].badge, sizeof chrome->tabs[0].badge, "!2");
    chrome->tabs[SCREEN_COVER].missing = true;
}

/* Until it is stopped, as `recompute`. */
static bool find_first(struct loop_options *options, const struct progress *progress, struct error *error)
{
    int64_t i = 0;
    (void)options;
    while (progress_report(progress, "counting", i++, 0, error))
        ;
    return false;
}

int main(int argc, char **argv)
{
    static const char *const verbs[] = {"builds", "devices", NULL};
    static const struct screen_type *const types[SCREEN_COUNT] = {
        [SCREEN_MAP] = &map, [SCREEN_FRAMES] = &frames};
    struct terminal_options options = {.theme = {.base = SCHEME_DARK}};
    struct session session = {0};
    struct error error = {0};
    bool finds = false;
    for (int i = 1; i < argc; i++) {
        finds = finds || strcmp(argv[i], "--find-first") == 0;
        options.no_mouse = options.no_mouse || strcmp(argv[i], "--no-mouse") == 0;
        options.no_colour = options.no_colour || strcmp(argv[i], "--no-colour") == 0;
        options.choose_glyphs = options.choose_glyphs || strcmp(argv[i], "--ascii") == 0;
        options.glyphs = options.choose_glyphs ? GLYPHS_ASCII : GLYPHS_FULL;
    }
    terminal_adopt_locale();
    struct terminal *terminal = terminal_open(&options, &error);
    if (terminal == NULL) {
        fprintf(stderr, "demo: %s\n", error.text);
        return 2;
    }
    struct keymap *keymap = keymap_create();
    int status_code = loop_run(&(struct loop_options){.terminal = terminal,
                                                      .session = &session,
                                                      .types = types,
                                                      .first = finds ? SCREEN_FRAMES : SCREEN_MAP,
                                                      .find_first = finds ? find_first : NULL,
                                                      .keymap = keymap,
                                                      .fill_chrome = fill_chrome,
                                                      .verbs = verbs,
                                                      .run_verb = run_verb},
                               &error);
    terminal_close(terminal);
    keymap_destroy(keymap);
    return status_code;
}
