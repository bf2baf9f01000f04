#include "stutterscope/tui/terminal.h"

#include "signals.h"
#include "stutterscope/base/clipboard.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
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
#define MARKS_PER_CELL  5 /* what curses can hold in one cell */
#define KNOWN_LOOKS     256 /* 2^8: what is left of a product after 24 bits */
#define FEWEST_SAME     8 /* cells between two changes that are not told again */

struct terminal {
    FILE *device; /* /dev/tty when standard input is no terminal, else NULL */
    int descriptor;
    SCREEN *screen;
    sigset_t waiting; /* the mask to wait with */
    struct termios modes_before;
    struct theme theme;
    enum colour_depth depth;
    enum glyph_set glyphs;
    bool direct; /* the terminal takes colours as RGB values */
    bool extras; /* it understands private modes: paste, clipboard */
    bool hidden; /* its cursor */
    int pairs[ROLE_COUNT];
    int next_pair; /* the first that is not made yet */
    uint16_t (*painted)[256]; /* [foreground][background]: pairs of painted cells, 0: none yet; NULL: never needed */
    struct screen_image image; /* on the glass; bytes are not kept. version 0: none */
    struct {
        struct canvas_cell *cells; /* as curses was told last */
        int rows, columns;
    } told;
    struct known_look {
        unsigned style;
        bool known;
        attr_t attributes;
        int pair;
        cchar_t blank; /* a cell that looks so */
    } looks[KNOWN_LOOKS]; /* by style; the last of those that share a place */
    cchar_t *row;         /* room for a row */
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

static int colour_value(const struct terminal *terminal, int index)
{
    if (!terminal->direct || index < 8)
        return index;
    int rgb = (int)colour_rgb(index);
    return rgb < 8 ? 8 : rgb; /* 0 … 7 are the palette */
}

static int known_pair(const struct terminal *terminal, struct attributes look, int roles)
{
    for (int role = 0; role < roles; role++) {
        struct attributes other = theme_look(&terminal->theme, terminal->depth, (unsigned)role);
        if (other.foreground == look.foreground && other.background == look.background)
            return terminal->pairs[role];
    }
    return -1;
}

/* Few roles share few looks: all pairs are made once. Where there are no more, the text stays plain. */
static void make_pairs(struct terminal *terminal)
{
    int next = 1;
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct attributes look = theme_look(&terminal->theme, terminal->depth, (unsigned)role);
        if (look.foreground == COLOUR_DEFAULT && look.background == COLOUR_DEFAULT)
            continue;
        int pair = known_pair(terminal, look, role);
        if (pair < 0 && next < COLOR_PAIRS &&
            init_extended_pair(next, colour_value(terminal, look.foreground),
                               colour_value(terminal, look.background)) == OK)
            pair = next++;
        terminal->pairs[role] = pair > 0 ? pair : 0;
    }
    terminal->next_pair = next;
}

/* Pictures need many pairs; they are made as they turn up and stay. Where there are no more, the cell is plain. */
static int painted_pair(struct terminal *terminal, struct attributes look)
{
    if (look.foreground == COLOUR_DEFAULT || look.background == COLOUR_DEFAULT)
        return 0;
    if (!terminal->painted)
        terminal->painted = memory_take_zeroed(256, sizeof *terminal->painted);
    uint16_t *pair = &terminal->painted[look.foreground & 0xff][look.background & 0xff];
    if (*pair == 0 && terminal->next_pair < COLOR_PAIRS && terminal->next_pair < UINT16_MAX &&
        init_extended_pair(terminal->next_pair, colour_value(terminal, look.foreground),
                           colour_value(terminal, look.background)) == OK)
        *pair = (uint16_t)terminal->next_pair++;
    return *pair;
}

static void start_colours(struct terminal *terminal, const struct terminal_options *options)
{
    const char *no_colour = getenv("NO_COLOR");
    bool refused = options->no_colour || (no_colour && *no_colour && !options->always_colour);
    terminal->depth = DEPTH_NONE;
    if (refused || options->theme.base == SCHEME_MONO || !has_colors() || start_color() == ERR)
        return;
    if (use_default_colors() == ERR)
        return; /* roles name the terminal's own colours; without them the text could become unreadable */
    terminal->direct = tigetflag("RGB") > 0 || COLORS > 65536;
    terminal->depth = colour_depth_of(COLORS);
    make_pairs(terminal);
}

/* Ctrl-C and Ctrl-Z are keys (a pasted one must do nothing); Ctrl-\ stays a way out of anything. */
static void free_keys(const struct terminal *terminal)
{
    struct termios modes;
    if (tcgetattr(terminal->descriptor, &modes) != 0)
        return;
    modes.c_cc[VINTR] = _POSIX_VDISABLE;
    modes.c_cc[VSUSP] = _POSIX_VDISABLE;
    modes.c_iflag &= ~(tcflag_t)IXON;
    tcsetattr(terminal->descriptor, TCSANOW, &modes);
    def_prog_mode();
}

/* A capability without its padding ("$<5>"). */
static void add_capability(struct text_buffer *out, const char *name)
{
    for (const char *at = capability(name); *at;) {
        const char *padding = strstr(at, "$<");
        size_t length = padding ? (size_t)(padding - at) : strlen(at);
        text_add_bytes(out, at, length);
        at += length;
        at = *at ? at + strcspn(at, ">") + 1 : at;
    }
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
    add_capability(&out, "rmkx");
    add_capability(&out, "cnorm");
    add_capability(&out, "sgr0");
    add_capability(&out, "rmcup");
    char *restore = text_take(&out), *report = crash_report();
    signals_arm_rescue(terminal->descriptor, &terminal->modes_before, restore, report);
    free(restore);
    free(report);
}

/*
 * Until it has come back from shell mode once, curses writes to the terminal at every move of the cursor, dozens of times for
 * one key; and it looks for more keys after every few bytes, though all that wait were taken before drawing.
 */
static void write_whole_updates(void)
{
    typeahead(-1);
    doupdate();
    endwin();
    doupdate();
}

static void start_curses(struct terminal *terminal, const struct terminal_options *options)
{
    write_whole_updates();
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
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
        delscreen(terminal->screen);
    }
    signals_give_back(&terminal->waiting);
    if (terminal->device)
        fclose(terminal->device);
    free(terminal->painted);
    free(terminal->told.cells);
    free(terminal->row);
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

static attr_t curses_attributes(struct attributes look)
{
    attr_t attributes = A_NORMAL;
    if (look.bold)
        attributes |= A_BOLD;
    if (look.underline)
        attributes |= A_UNDERLINE;
    if (look.reverse)
        attributes |= A_REVERSE;
    if (look.italic)
        attributes |= *capability("sitm") ? A_ITALIC : A_UNDERLINE;
    return attributes;
}

/* A character that the C library cannot place would shift the rest of the row. */
static void decode_cell(const struct canvas_cell *cell, wchar_t text[MARKS_PER_CELL + 1])
{
    const char *at = cell->text;
    uint32_t code_point = 0;
    size_t length = 0;
    int count = 0;
    while (count < MARKS_PER_CELL && (length = text_decode(at, &code_point)) > 0) {
        int width = wcwidth((wchar_t)code_point);
        if (count == 0 && width < 1)
            code_point = '?';
        if (count == 0 || width == 0)
            text[count++] = (wchar_t)code_point;
        at += length;
    }
    text[count] = L'\0';
}

static const struct known_look *look_of(struct terminal *terminal, unsigned style)
{
    struct known_look *known = &terminal->looks[style * 2654435761u >> 24];
    if (known->known && known->style == style)
        return known;
    struct attributes look = theme_look(&terminal->theme, terminal->depth, style);
    *known = (struct known_look){.style = style,
                                 .known = true,
                                 .attributes = curses_attributes(look),
                                 .pair = style & STYLE_PAINT ? painted_pair(terminal, look) : terminal->pairs[STYLE_ROLE(style)]};
    /* The pair as a number of its own: inside the attributes there is only room for 255. */
    setcchar(&known->blank, L" ", known->attributes, 0, &known->pair);
    return known;
}

static bool is_half(const struct canvas_cell *cell)
{
    return cell->width == 0;
}

/* As if nothing was ever drawn there: curses clears what is empty quicker than it writes blanks of any look. */
static bool is_empty(const struct canvas_cell *cell)
{
    return cell->style == ROLE_CHROME && cell->text[0] == ' ' && cell->text[1] == '\0';
}

static cchar_t curses_cell(struct terminal *terminal, const struct canvas_cell *cell)
{
    wchar_t text[MARKS_PER_CELL + 1];
    cchar_t put;
    if (is_empty(cell)) {
        setcchar(&put, L" ", A_NORMAL, 0, NULL);
        return put;
    }
    const struct known_look *look = look_of(terminal, cell->style);
    put = look->blank;
    if (cell->text[0] >= ' ' && cell->text[0] <= '~' && cell->text[1] == '\0') {
        put.chars[0] = (wchar_t)cell->text[0];
        return put;
    }
    decode_cell(cell, text);
    if (setcchar(&put, text, look->attributes, 0, &look->pair) != OK)
        return look->blank;
    return put;
}

static bool is_same(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return a->style == b->style && memcmp(a, b, sizeof *a) == 0;
}

static void tell(struct terminal *terminal, const struct canvas_cell *cells, int row, int first, int last)
{
    int count = 0;
    for (int column = first; column <= last; column++) {
        if (is_half(&cells[column]))
            continue;
        if (column > first && is_same(&cells[column], &cells[column - 1]))
            terminal->row[count] = terminal->row[count - 1];
        else
            terminal->row[count] = curses_cell(terminal, &cells[column]);
        count++;
    }
    mvadd_wchnstr(row, first, terminal->row, count);
}

/*
 * Curses finds what differs on the screen, but telling it every cell costs more than all the rest of a key: it is told the
 * stretches that differ. The halves of a wide character go together, in what was there as in what comes.
 */
static void draw_row(struct terminal *terminal, const struct canvas *canvas, int row)
{
    const struct canvas_cell *cells = canvas_cell(canvas, row, 0);
    int columns = terminal->told.columns;
    struct canvas_cell *told = terminal->told.cells + (size_t)row * (size_t)columns;
    if (memcmp(told, cells, (size_t)columns * sizeof *cells) == 0)
        return;
    for (int first = 0, last; first < columns; first = last + 1) {
        while (first + FEWEST_SAME < columns && memcmp(&told[first], &cells[first], FEWEST_SAME * sizeof *cells) == 0)
            first += FEWEST_SAME;
        last = first;
        if (is_same(&told[first], &cells[first]))
            continue;
        for (int same = 0, at = first + 1; at < columns && same < FEWEST_SAME; at++) {
            same = is_same(&told[at], &cells[at]) ? same + 1 : 0;
            if (!same)
                last = at;
        }
        while (first > 0 && (is_half(&cells[first]) || is_half(&told[first])))
            first--;
        while (last + 1 < columns && (is_half(&cells[last + 1]) || is_half(&told[last + 1])))
            last++;
        tell(terminal, cells, row, first, last);
        memcpy(told + first, cells + first, (size_t)(last - first + 1) * sizeof *cells);
    }
}

void terminal_forget_told(struct terminal *terminal)
{
    terminal->told.rows = terminal->told.columns = 0;
}

/* Nothing is known about a screen of another size. */
static void adopt_size(struct terminal *terminal, int rows, int columns)
{
    if (terminal->told.cells && terminal->told.rows == rows && terminal->told.columns == columns)
        return;
    free(terminal->told.cells);
    terminal->told.cells = memory_take_zeroed((size_t)rows * (size_t)columns + 1, sizeof *terminal->told.cells);
    terminal->row = memory_resize(terminal->row, (size_t)columns + 1, sizeof *terminal->row);
    terminal->told.rows = rows;
    terminal->told.columns = columns;
    erase();
}

void terminal_draw(struct terminal *terminal, const struct canvas *canvas)
{
    int rows = 0, columns = 0, row = 0, column = 0;
    terminal_size(terminal, &rows, &columns);
    /* The canvas may still have the size from before: what it does not cover stays empty. */
    adopt_size(terminal, canvas_rows(canvas) < rows ? canvas_rows(canvas) : rows,
               canvas_columns(canvas) < columns ? canvas_columns(canvas) : columns);
    for (row = 0; row < terminal->told.rows; row++)
        draw_row(terminal, canvas, row);
    bool visible = canvas_cursor(canvas, &row, &column) && row < rows && column < columns;
    if (visible == terminal->hidden)
        terminal->hidden = curs_set(visible ? 1 : 0) != ERR ? !visible : terminal->hidden;
    if (visible)
        move(row, column);
    else
        move(rows - 1, columns - 1);
    wnoutrefresh(stdscr);
    doupdate();
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
        clearok(stdscr, TRUE);
    memset(&terminal->image, 0, sizeof terminal->image);
}

void terminal_keep_image(struct terminal *terminal, const struct screen_image *image)
{
    if (!image || !is_same_image(&terminal->image, image))
        drop_image(terminal);
}

/* Curses does not know of it: the cursor is saved and put back. */
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
    clearok(stdscr, TRUE);
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
        terminal_forget_told(terminal);
    }
}

/* What was under way for one size while the terminal had another already may stand anywhere, and a signal may have been lost. */
void terminal_settle(struct terminal *terminal)
{
    adopt_real_size(terminal);
    terminal_forget_told(terminal);
    terminal_distrust(terminal);
}

void terminal_return(struct terminal *terminal)
{
    adopt_real_size(terminal); /* a stopped job is told of no new one */
    clearok(stdscr, TRUE);
    refresh();
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
