#include "stutterscope/tui/terminal.h"

#include "signals.h"
#include "stutterscope/base/clipboard.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/tui/painter.h"
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* term.h makes macros of ordinary words. */
#undef columns
#undef lines

#define ESCAPE_DELAY_MS 50 /* slow links split arrow keys; more than 100 is felt after Esc */
#define PASTE_ON        "\033[?2004h"
#define PASTE_OFF       "\033[?2004l"

struct terminal {
    FILE *device; /* /dev/tty when standard input is no terminal, else NULL */
    int descriptor;
    SCREEN *screen;
    sigset_t waiting; /* the mask to wait with */
    struct termios modes_before;
    WINDOW *keys; /* a pad: reading keys from one draws nothing */
    struct theme theme;
    enum colour_depth depth;
    enum glyph_set glyphs;
    bool extras; /* it understands private modes: paste, clipboard */
    bool hidden; /* its cursor */
    struct screen_image image; /* on the glass; bytes are not kept. version 0: none */
    struct painter *painter;
};

void terminal_adopt_locale(void)
{
    if (setlocale(LC_CTYPE, "") == NULL)
        setlocale(LC_CTYPE, "C.UTF-8");
}

static void send_bytes(const struct terminal *terminal, const char *bytes, size_t size)
{
    fflush(terminal->device ? terminal->device : stdout);
    file_write_whole(terminal->descriptor, bytes, size); /* a terminal that is gone is noticed when keys are read */
}

static const char *capability(const char *name)
{
    const char *value = tigetstr(name);
    return value == NULL || value == (const char *)-1 ? "" : value;
}

/* newterm() leaks where it fails and accepts terminals that cannot place their cursor: so ask first. */
static bool is_usable(int descriptor, struct error *error)
{
    int reason = 0;
    bool usable = setupterm(NULL, descriptor, &reason) == OK && *capability("cup") != '\0';
    if (cur_term)
        del_curterm(cur_term);
    const char *type = getenv("TERM");
    if (usable)
        return true;
    if (type == NULL || *type == '\0')
        return error_set(
            error, ERROR_USAGE,
            "the environment variable TERM is not set, so the terminal's type is not known: set it, for "
            "example TERM=xterm-256color");
    char *clean = text_clean(type, strlen(type));
    error_set(error, ERROR_USAGE,
              "the terminal type TERM=%s is unknown here or cannot place its cursor: try "
              "TERM=xterm-256color, or ask "
              "for text with a verb (stutterscope --help)",
              clean);
    free(clean);
    return false;
}

static bool open_device(struct terminal *terminal, struct error *error)
{
    terminal->descriptor = STDIN_FILENO;
    if (isatty(STDIN_FILENO))
        return true;
    terminal->device = fopen("/dev/tty", "r+");
    if (terminal->device == NULL)
        return error_set(error, ERROR_USAGE, "there is no terminal to read keys from (/dev/tty: %s)",
                         strerror(errno));
    terminal->descriptor = fileno(terminal->device);
    return true;
}

static enum glyph_set choose_glyphs(const struct terminal_options *options)
{
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        return GLYPHS_ASCII;
    if (options->choose_glyphs)
        return options->glyphs;
    return wcwidth(0x2500) == 1 ? GLYPHS_FULL : GLYPHS_NARROW;
}

static void start_colours(struct terminal *terminal, const struct terminal_options *options)
{
    const char *no_colour = getenv("NO_COLOR");
    bool refused = options->no_colour || (no_colour && *no_colour && !options->always_colour);
    terminal->depth = DEPTH_NONE;
    if (refused || options->theme.base == SCHEME_MONO || !has_colors() || start_color() == ERR)
        return;
    /* Roles name the terminal's own colours; without them the text could become unreadable. */
    if (use_default_colors() != ERR)
        terminal->depth = colour_depth_of(COLORS);
}

static const char *expand(const char *capability, int first, int second)
{
    return tiparm(capability, first, second);
}

/* What terminfo(5) calls no_color_video. */
static unsigned uncoloured_styles(void)
{
    static const struct {
        int bit;
        unsigned style;
    } attributes[] = {{2, STYLE_UNDERLINE}, {4, STYLE_REVERSE}, {32, STYLE_BOLD}, {32768, STYLE_ITALIC}};
    int refused = tigetnum("ncv");
    unsigned styles = 0;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        styles |= refused > 0 && (refused & attributes[i].bit) ? attributes[i].style : 0;
    return styles;
}

static const char *either(const char *name, const char *other)
{
    return *capability(name) ? capability(name) : capability(other);
}

/* Attributes that take room of their own ("magic cookies") would shift the row. */
static struct painter *create_painter(const struct terminal *terminal)
{
    bool shows = tigetnum("xmc") <= 0;
    struct painter_language language = {
        .theme = terminal->theme,
        .depth = terminal->depth,
        .colours = COLORS,
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .direct = tigetflag("RGB") > 0 || COLORS > 65536,
        .swaps_colours = *capability("setaf") == '\0',
        .wraps_at_once = tigetflag("am") > 0 && tigetflag("xenl") <= 0,
        .erases_coloured = tigetflag("bce") > 0,
        .uncoloured = uncoloured_styles(),
        .clear = capability("clear"),
        .erase = capability("el"),
        .place = capability("cup"),
        .place_in_row = capability("hpa"),
        .region = capability("csr"),
        .scroll_up = capability("ind"),
        .scroll_down = capability("ri"),
        .plain = capability("sgr0"),
        .bold = shows ? capability("bold") : "",
        .underline = shows ? capability("smul") : "",
        .reverse = shows ? either("rev", "smso") : "",
        .italic = shows ? capability("sitm") : "",
        .foreground = either("setaf", "setf"),
        .background = either("setab", "setb"),
        .plain_colours = capability("op"),
        .expand = expand,
    };
    return painter_create(&language);
}

/*
 * Ctrl-C and Ctrl-Z are keys (a pasted one must do nothing); Ctrl-\ stays a way out of anything. What is written is for the
 * terminal as it is: the kernel need not look through it for ends of lines.
 */
static void free_keys(const struct terminal *terminal)
{
    struct termios modes;
    if (tcgetattr(terminal->descriptor, &modes) != 0)
        return;
    modes.c_cc[VINTR] = _POSIX_VDISABLE;
    modes.c_cc[VSUSP] = _POSIX_VDISABLE;
    modes.c_iflag &= ~(tcflag_t)IXON;
    modes.c_oflag &= ~(tcflag_t)OPOST;
    tcsetattr(terminal->descriptor, TCSANOW, &modes);
    def_prog_mode();
}

/* What a crash says once the terminal is itself again; the signal's number follows. */
static char *crash_report(void)
{
    const char *type = getenv("TERM");
    char *clean = text_clean(type ? type : "", type ? strnlen(type, 80) : 0);
    char *report = memory_print("\r\nstutterscope crashed. What was decided is in the store. Please report what was done just before,"
                                " and this: version " STUTTERSCOPE_VERSION ", TERM=%s, signal ",
                                clean);
    free(clean);
    return report;
}

static void arm_rescue(const struct terminal *terminal)
{
    struct text_buffer out = {0};
    if (terminal->extras)
        text_add(&out, "\033[?1006l\033[?1000l" PASTE_OFF);
    painter_add_capability(&out, capability("rmkx"));
    painter_add_capability(&out, capability("cnorm"));
    painter_add_capability(&out, capability("sgr0"));
    painter_add_capability(&out, capability("rmcup"));
    char *restore = text_take(&out), *report = crash_report();
    signals_arm_rescue(terminal->descriptor, &terminal->modes_before, restore, report);
    free(restore);
    free(report);
}

static void start_curses(struct terminal *terminal, const struct terminal_options *options)
{
    refresh();
    cbreak();
    noecho();
    nonl();
    terminal->keys = newpad(1, 1);
    keypad(terminal->keys, TRUE);
    nodelay(terminal->keys, TRUE);
    if (getenv("ESCDELAY") == NULL)
        set_escdelay(ESCAPE_DELAY_MS);
    free_keys(terminal);
    terminal->extras = *capability("kmous") != '\0';
    arm_rescue(terminal);
    start_colours(terminal, options);
    if (!options->no_mouse) {
        /* curses makes one event of presses and releases that arrive together, as they do over a slow line. */
        mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
        mouseinterval(0); /* otherwise every press waits for a possible second one */
    }
    if (terminal->extras)
        send_bytes(terminal, PASTE_ON, strlen(PASTE_ON));
    terminal->hidden = curs_set(0) != ERR;
    terminal->painter = create_painter(terminal);
}

struct terminal *terminal_open(const struct terminal_options *options, struct error *error)
{
    struct terminal *terminal = memory_take_zeroed(1, sizeof *terminal);
    terminal->theme = options->theme;
    terminal->glyphs = choose_glyphs(options);
    if (!open_device(terminal, error) || !is_usable(terminal->descriptor, error)) {
        if (terminal->device)
            fclose(terminal->device);
        free(terminal);
        return NULL;
    }
    tcgetattr(terminal->descriptor, &terminal->modes_before);
    unsetenv("LINES"); /* with them curses never follows a new size */
    unsetenv("COLUMNS");
    signals_take(&terminal->waiting);
    terminal->screen = newterm(NULL, terminal->device ? terminal->device : stdout,
                               terminal->device ? terminal->device : stdin);
    if (terminal->screen == NULL) {
        error_set(error, ERROR_USAGE, "the terminal could not be set up (TERM=%s)", getenv("TERM"));
        terminal_close(terminal);
        return NULL;
    }
    set_term(terminal->screen);
    start_curses(terminal, options);
    return terminal;
}

void terminal_close(struct terminal *terminal)
{
    if (terminal == NULL)
        return;
    if (terminal->screen) {
        terminal_leave(terminal);
        signals_disarm_rescue();
        delwin(terminal->keys);
        delscreen(terminal->screen);
    }
    signals_give_back(&terminal->waiting);
    if (terminal->device)
        fclose(terminal->device);
    painter_destroy(terminal->painter);
    free(terminal);
}

enum glyph_set terminal_glyphs(const struct terminal *terminal)
{
    return terminal->glyphs;
}

void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_columns)
{
    (void)terminal;
    getmaxyx(stdscr, *ret_rows, *ret_columns);
}

void terminal_forget(struct terminal *terminal)
{
    painter_forget(terminal->painter);
}

static void show_cursor(struct terminal *terminal, bool visible)
{
    if (visible == terminal->hidden)
        terminal->hidden = curs_set(visible ? 1 : 0) != ERR ? !visible : terminal->hidden;
}

void terminal_draw(struct terminal *terminal, const struct canvas *canvas)
{
    int rows = 0, columns = 0, row = 0, column = 0;
    struct text_buffer out = {0};
    terminal_size(terminal, &rows, &columns);
    painter_paint(terminal->painter, canvas, rows, columns, terminal->image.version == 0, &out);
    bool visible = canvas_cursor(canvas, &row, &column) && row < rows && column < columns;
    if (visible)
        painter_place(terminal->painter, row, column, &out);
    else if (!terminal->hidden)
        painter_place(terminal->painter, rows - 1, columns - 1, &out);
    if (out.count > 0)
        send_bytes(terminal, out.items, out.count);
    free(out.items);
    show_cursor(terminal, visible);
}

struct display terminal_display(const struct terminal *terminal)
{
    struct display display = {.depth = terminal->depth};
    struct winsize size;
    if (terminal->depth != DEPTH_NONE)
        display.protocol = photo_protocol_of_terminal();
    if (ioctl(terminal->descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        display.cell_width = size.ws_xpixel / size.ws_col;
        display.cell_height = size.ws_ypixel / size.ws_row;
    }
    return display;
}

static bool is_same_image(const struct screen_image *a, const struct screen_image *b)
{
    return a->version == b->version && a->row == b->row && a->column == b->column;
}

/* A layer is taken away by its own sequence; whatever else is on the glass is drawn over. */
static void drop_image(struct terminal *terminal)
{
    static const char delete_layers[] = "\033_Ga=d\033\\";
    if (terminal->image.version == 0)
        return;
    if (terminal->image.is_layer)
        send_bytes(terminal, delete_layers, strlen(delete_layers));
    else
        terminal_forget(terminal);
    memset(&terminal->image, 0, sizeof terminal->image);
}

void terminal_keep_image(struct terminal *terminal, const struct screen_image *image)
{
    if (!image || !is_same_image(&terminal->image, image))
        drop_image(terminal);
}

/* The cursor may be shown somewhere: it is saved and put back. */
void terminal_show_image(struct terminal *terminal, const struct screen_image *image)
{
    char place[48];
    if (is_same_image(&terminal->image, image))
        return;
    terminal->image = *image;
    terminal->image.bytes = NULL;
    snprintf(place, sizeof place, "\0337\033[%d;%dH", image->row + 1, image->column + 1);
    send_bytes(terminal, place, strlen(place));
    send_bytes(terminal, image->bytes, image->size);
    send_bytes(terminal, "\0338", 2);
}

void terminal_distrust(struct terminal *terminal)
{
    drop_image(terminal);
    terminal_forget(terminal);
}

struct _win_st *terminal_keys(const struct terminal *terminal)
{
    return terminal->keys;
}

int terminal_descriptor(const struct terminal *terminal)
{
    return terminal->descriptor;
}

enum terminal_wake terminal_wait(struct terminal *terminal, int timeout_ms)
{
    struct pollfd device = {.fd = terminal->descriptor, .events = POLLIN};
    struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
    int ready = ppoll(&device, 1, timeout_ms < 0 ? NULL : &timeout, &terminal->waiting);
    if (ready < 0)
        return errno == EINTR ? WAKE_SIGNAL : WAKE_GONE;
    if (ready == 0)
        return WAKE_TIMEOUT;
    /* What was typed before the line went down is not worth a busy loop. */
    return device.revents & (POLLHUP | POLLERR | POLLNVAL) ? WAKE_GONE : WAKE_INPUT;
}

void terminal_leave(struct terminal *terminal)
{
    drop_image(terminal);
    if (terminal->extras)
        send_bytes(terminal, PASTE_OFF, strlen(PASTE_OFF));
    endwin();
}

static void adopt_real_size(struct terminal *terminal)
{
    struct winsize size;
    if (ioctl(terminal->descriptor, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
        is_term_resized(size.ws_row, size.ws_col)) {
        resizeterm(size.ws_row, size.ws_col);
        terminal_forget(terminal);
    }
}

/* What was under way for one size while the terminal had another already may stand anywhere, and a signal may have been lost. */
void terminal_settle(struct terminal *terminal)
{
    adopt_real_size(terminal);
    terminal_distrust(terminal);
}

void terminal_return(struct terminal *terminal)
{
    adopt_real_size(terminal); /* a stopped job is told of no new one */
    clearok(stdscr, TRUE);
    refresh();
    terminal_forget(terminal);
    terminal->hidden = curs_set(0) != ERR;
    if (terminal->extras)
        send_bytes(terminal, PASTE_ON, strlen(PASTE_ON));
}

void terminal_suspend(struct terminal *terminal)
{
    terminal_leave(terminal);
    signals_stop_self();
    terminal_return(terminal);
}

bool terminal_copy(struct terminal *terminal, const char *text, struct error *error)
{
    if (!terminal->extras)
        return error_set(error, ERROR_USAGE, "this type of terminal has no clipboard");
    char *request = clipboard_request(text, getenv("TMUX") != NULL, getenv("STY") != NULL, error);
    if (request == NULL)
        return false;
    send_bytes(terminal, request, strlen(request));
    free(request);
    return true;
}
