#include "fake_terminal.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <curses.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_SIDE 300

struct terminal {
    struct fake_terminal is;
    size_t at;
    bool rests; /* a key was taken, and the next one is not there yet */
    MEVENT mouse;
    bool clicked;
    struct sequence {
        char bytes[16];
        int code;
    } sequences[64];
    size_t count;
};

static struct terminal *only;

static void promise(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

/* What terminfo knows of a common terminal. */
static const struct sequence usual[] = {
    {"\177", KEY_BACKSPACE}, {"\033[5~", KEY_PPAGE}, {"\033[6~", KEY_NPAGE},  {"\033[2~", KEY_IC},
    {"\033[3~", KEY_DC},     {"\033OA", KEY_UP},     {"\033OB", KEY_DOWN},    {"\033OC", KEY_RIGHT},
    {"\033OD", KEY_LEFT},    {"\033OH", KEY_HOME},   {"\033OF", KEY_END},     {"\033OP", KEY_F(1)},
    {"\033OQ", KEY_F(2)},    {"\033OR", KEY_F(3)},   {"\033OS", KEY_F(4)},    {"\033[15~", KEY_F(5)},
    {"\033[17~", KEY_F(6)},  {"\033[18~", KEY_F(7)}, {"\033[24~", KEY_F(12)}, {"\033OM", KEY_ENTER},
};

struct terminal *fake_terminal_open(const struct fake_terminal *is)
{
    struct terminal *terminal = memory_take_zeroed(1, sizeof *terminal);

    terminal->is = *is;
    for (; terminal->count < sizeof usual / sizeof *usual; terminal->count++)
        terminal->sequences[terminal->count] = usual[terminal->count];
    only = terminal;
    return terminal;
}

void fake_terminal_close(struct terminal *terminal)
{
    only = NULL;
    free(terminal);
}

/* ---- curses, as far as input.c uses it ---- */

WINDOW *stdscr;

int key_defined(const char *bytes)
{
    for (size_t i = 0; i < only->count; i++)
        if (strcmp(only->sequences[i].bytes, bytes) == 0)
            return only->sequences[i].code;
    return 0;
}

int define_key(const char *bytes, int code)
{
    struct sequence *added = &only->sequences[only->count++];

    promise(only->count <= sizeof only->sequences / sizeof *only->sequences, "few sequences are defined");
    snprintf(added->bytes, sizeof added->bytes, "%s", bytes);
    added->code = code;
    return OK;
}

int getmouse(MEVENT *ret)
{
    if (!only->clicked)
        return ERR;
    *ret = only->mouse;
    only->clicked = false;
    return OK;
}

static char *rest_as_text(char *buffer, size_t size)
{
    size_t left = only->is.size - only->at, length = left < size - 1 ? left : size - 1;

    memcpy(buffer, only->is.bytes + only->at, length);
    buffer[length] = '\0';
    return buffer;
}

/* CSI < button ; column ; row M */
static bool read_click(const char *rest, wint_t *ret)
{
    static const mmask_t buttons[] = {BUTTON1_PRESSED, BUTTON4_PRESSED, BUTTON5_PRESSED, BUTTON1_DOUBLE_CLICKED, BUTTON3_PRESSED};
    unsigned button;
    int row, column, length = 0;

    if (sscanf(rest, "\033[<%1u;%3d;%3dM%n", &button, &column, &row, &length) != 3 || length == 0)
        return false;
    only->at += (size_t)length;
    only->mouse = (MEVENT){.x = column, .y = row, .bstate = buttons[button % (sizeof buttons / sizeof *buttons)]};
    only->clicked = true;
    *ret = KEY_MOUSE;
    return true;
}

/* CSI 8 ; rows ; columns t: what asks a terminal for another size tells of one here. */
static bool read_size(const char *rest, wint_t *ret)
{
    int rows, columns, length = 0;

    if (sscanf(rest, "\033[8;%3d;%3dt%n", &rows, &columns, &length) != 2 || length == 0 || rows < 1 || columns < 1)
        return false;
    only->at += (size_t)length;
    only->is.rows = rows < LARGEST_SIDE ? rows : LARGEST_SIDE;
    only->is.columns = columns < LARGEST_SIDE ? columns : LARGEST_SIDE;
    *ret = KEY_RESIZE;
    return true;
}

static bool read_sequence(const char *rest, wint_t *ret)
{
    for (size_t i = 0; i < only->count; i++) {
        size_t length = strlen(only->sequences[i].bytes);

        if (strncmp(rest, only->sequences[i].bytes, length) == 0) {
            only->at += length;
            *ret = (wint_t)only->sequences[i].code;
            return true;
        }
    }
    return read_click(rest, ret) || read_size(rest, ret);
}

int wget_wch(WINDOW *window, wint_t *ret)
{
    char rest[32];
    uint32_t character = 0;
    size_t length;

    (void)window;
    if (only->at >= only->is.size || only->rests)
        return ERR;
    only->rests = !only->is.hurried;
    if (read_sequence(rest_as_text(rest, sizeof rest), ret))
        return KEY_CODE_YES;
    length = rest[0] ? text_decode(rest, &character) : 1;
    only->at += length ? length : 1;
    *ret = character;
    return OK;
}

/* ---- terminal.c and run.c ---- */

enum terminal_wake terminal_wait(struct terminal *terminal, int timeout_ms)
{
    if (terminal->rests && timeout_ms == 0)
        return WAKE_TIMEOUT;
    terminal->rests = false;
    if (terminal->at < terminal->is.size)
        return WAKE_INPUT;
    return timeout_ms == 0 ? WAKE_TIMEOUT : WAKE_GONE;
}

enum glyph_set terminal_glyphs(const struct terminal *terminal)
{
    return terminal->is.glyphs;
}

void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_columns)
{
    *ret_rows = terminal->is.rows;
    *ret_columns = terminal->is.columns;
}

static void check_cell(const struct canvas *canvas, int row, int column)
{
    const struct canvas_cell *cell = canvas_cell(canvas, row, column);
    const struct canvas_cell *next = canvas_cell(canvas, row, column + 1);
    size_t size = strlen(cell->text);
    char *clean = text_clean(cell->text, size);

    promise(size < CANVAS_TEXT_SIZE && strcmp(clean, cell->text) == 0, "what is drawn is clean text");
    promise(text_width(cell->text) == cell->width, "a cell is as wide as it says");
    promise(cell->width < 2 || (next && next->width == 0), "a wide character is there as a whole");
    free(clean);
}

void terminal_draw(struct terminal *terminal, const struct canvas *canvas)
{
    int row, column;

    promise(canvas_rows(canvas) == terminal->is.rows && canvas_columns(canvas) == terminal->is.columns,
            "the canvas has the size of the terminal");
    for (row = 0; row < canvas_rows(canvas); row++)
        for (column = 0; column < canvas_columns(canvas); column++)
            check_cell(canvas, row, column);
    if (canvas_cursor(canvas, &row, &column))
        promise(canvas_cell(canvas, row, column) != NULL, "the cursor stands on the canvas");
}

/* No program is run: what an editor leaves is what it was given. */
bool terminal_run(struct terminal *terminal, char *const argv[], int *ret_status, struct error *error)
{
    (void)terminal;
    (void)error;
    promise(argv && argv[0] && argv[0][0], "a program has a name");
    *ret_status = 0;
    return true;
}

bool terminal_copy(struct terminal *terminal, const char *text, struct error *error)
{
    (void)terminal;
    promise(text_is_valid_utf8(text, strlen(text)), "what is copied is text");
    return strlen(text) < 1000 || error_set(error, ERROR_USAGE, "too much for this terminal");
}

void terminal_show_image(struct terminal *terminal, const struct screen_image *image)
{
    promise(image->bytes && image->size && image->version && image->row >= 0 && image->column >= 0 &&
                image->row < terminal->is.rows && image->column < terminal->is.columns,
            "a picture stands on the canvas");
}

void terminal_keep_image(struct terminal *terminal, const struct screen_image *image)
{
    (void)terminal;
    (void)image;
}

void terminal_forget(struct terminal *terminal)
{
    (void)terminal;
}

struct _win_st *terminal_keys(const struct terminal *terminal)
{
    (void)terminal;
    return NULL;
}

void terminal_settle(struct terminal *terminal)
{
    (void)terminal;
}

void terminal_distrust(struct terminal *terminal)
{
    (void)terminal;
}

void terminal_suspend(struct terminal *terminal)
{
    (void)terminal;
}

/* ---- what must not happen while keys are made up: the linker puts these in the place of the real ones ---- */

bool __wrap_path_write_all(const char *path, const char *bytes, size_t size, struct error *error);
pid_t __wrap_fork(void);

bool __wrap_path_write_all(const char *path, const char *bytes, size_t size, struct error *error)
{
    promise(*path && bytes[size] == '\0', "a file has a name and is a text");
    return path[strlen(path) - 1] != '/' || error_set(error, ERROR_IO, "%s is a folder", path);
}

pid_t __wrap_fork(void)
{
    errno = EAGAIN;
    return -1;
}
