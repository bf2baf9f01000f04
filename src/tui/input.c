#include "stutterscope/tui/input.h"

#include "signals.h"
#include "stutterscope/base/text.h"
#include <curses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define MOST_PASTED      (1024 * 1024)
#define PASTE_SILENCE_MS 1000 /* a paste whose end got lost must not swallow keys for ever */
#define MOST_EMPTY_READS 100  /* poll says there is something, but there never is: the line is dead */

/* Sequences that terminfo does not name; curses' own codes end far below 3000. */
enum own_key {
    OWN_PASTE_BEGIN = 3000,
    OWN_PASTE_END,
    OWN_UP,
    OWN_DOWN,
    OWN_RIGHT,
    OWN_LEFT,
    OWN_HOME,
    OWN_END,
    OWN_BACK
};

static const struct {
    const char *bytes;
    int code;
} own_sequences[] = {
    {"\033[200~", OWN_PASTE_BEGIN}, {"\033[201~", OWN_PASTE_END}, {"\033[A", OWN_UP},
    {"\033[B", OWN_DOWN},           {"\033[C", OWN_RIGHT},        {"\033[D", OWN_LEFT},
    {"\033[H", OWN_HOME},           {"\033[F", OWN_END},          {"\033[Z", OWN_BACK},
};

static const struct {
    int code;
    key_code key;
} keys[] = {
    {KEY_UP, KEY_CODE_UP},         {KEY_DOWN, KEY_CODE_DOWN},       {KEY_LEFT, KEY_CODE_LEFT},
    {KEY_RIGHT, KEY_CODE_RIGHT},   {KEY_HOME, KEY_CODE_HOME},       {KEY_END, KEY_CODE_END},
    {KEY_PPAGE, KEY_CODE_PAGE_UP}, {KEY_NPAGE, KEY_CODE_PAGE_DOWN}, {KEY_IC, KEY_CODE_INSERT},
    {KEY_DC, KEY_CODE_DELETE},     {KEY_BTAB, KEY_CODE_SHIFT_TAB},  {KEY_BACKSPACE, KEY_CODE_BACKSPACE},
    {KEY_ENTER, KEY_CODE_ENTER},   {OWN_UP, KEY_CODE_UP},           {OWN_DOWN, KEY_CODE_DOWN},
    {OWN_LEFT, KEY_CODE_LEFT},     {OWN_RIGHT, KEY_CODE_RIGHT},     {OWN_HOME, KEY_CODE_HOME},
    {OWN_END, KEY_CODE_END},       {OWN_BACK, KEY_CODE_SHIFT_TAB},
};

void input_begin(void)
{
    for (size_t i = 0; i < sizeof own_sequences / sizeof *own_sequences; i++)
        if (key_defined(own_sequences[i].bytes) == 0)
            define_key(own_sequences[i].bytes, own_sequences[i].code);
}

static bool translate(int code, key_code *ret)
{
    if (code >= KEY_F(1) && code <= KEY_F(12)) {
        *ret = (key_code)(KEY_CODE_F1 + (code - KEY_F(1)));
        return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].code == code) {
            *ret = keys[i].key;
            return true;
        }
    }
    return false;
}

static key_code translate_character(wint_t character)
{
    if (character == '\n' || character == '\r')
        return KEY_CODE_ENTER;
    return character == 8 ? KEY_CODE_BACKSPACE : (key_code)character;
}

static struct input_event read_mouse(void)
{
    MEVENT mouse;
    if (getmouse(&mouse) != OK)
        return (struct input_event){.kind = INPUT_NONE};
    struct input_event event = {.kind = INPUT_MOUSE, .row = mouse.y, .column = mouse.x};
    if (mouse.bstate & BUTTON4_PRESSED)
        event.button = BUTTON_WHEEL_UP;
    else if (mouse.bstate & BUTTON5_PRESSED)
        event.button = BUTTON_WHEEL_DOWN;
    else if (mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED))
        event.button = BUTTON_LEFT;
    else
        event.kind = INPUT_NONE;
    event.twice = (mouse.bstate & BUTTON1_DOUBLE_CLICKED) != 0;
    return event;
}

/* Everything up to the end mark is text, whatever it looks like. */
static struct input_event read_paste(struct terminal *terminal)
{
    struct text_buffer pasted = {0};
    for (int empty = 0; empty < MOST_EMPTY_READS;) {
        wint_t character = 0;
        int kind = wget_wch(terminal_keys(terminal), &character);
        if (kind == KEY_CODE_YES && character == OWN_PASTE_END)
            break;
        if (kind == KEY_CODE_YES && character == KEY_RESIZE)
            terminal_forget(terminal);
        if (kind == OK && pasted.count < MOST_PASTED) {
            char bytes[4];
            text_add_bytes(&pasted, bytes,
                           text_encode(character == '\r' ? '\n' : (uint32_t)character, bytes));
        }
        empty = kind == ERR ? empty + 1 : 0;
        if (kind != ERR)
            continue;
        enum terminal_wake wake = terminal_wait(terminal, PASTE_SILENCE_MS);
        if (wake == WAKE_TIMEOUT || wake == WAKE_GONE)
            break;
    }
    struct input_event event = {.kind = INPUT_PASTE};
    event.text = text_clean_lines(pasted.items ? pasted.items : "", pasted.count);
    free(pasted.items);
    return event;
}

/* One read without waiting; INPUT_NONE with *ret_something when something came that means nothing here. */
static struct input_event read_now(struct terminal *terminal, bool *ret_something)
{
    struct input_event event = {.kind = INPUT_NONE};
    wint_t character = 0;
    int kind = wget_wch(terminal_keys(terminal), &character);
    *ret_something = kind != ERR;
    if (kind == OK) {
        event.kind = INPUT_KEY;
        event.key = translate_character(character);
    } else if (kind == KEY_CODE_YES && character == KEY_RESIZE) {
        event.kind = INPUT_RESIZE;
        terminal_forget(terminal);
    } else if (kind == KEY_CODE_YES && character == KEY_MOUSE) {
        event = read_mouse();
    } else if (kind == KEY_CODE_YES && character == OWN_PASTE_BEGIN) {
        event = read_paste(terminal);
    } else if (kind == KEY_CODE_YES && translate((int)character, &event.key)) {
        event.kind = INPUT_KEY;
    }
    return event;
}

static bool read_signal(struct input_event *ret)
{
    if (signals_end() != 0) {
        *ret = (struct input_event){.kind = INPUT_END, .signal = signals_end()};
        return true;
    }
    if (signals_take_stop()) {
        *ret = (struct input_event){.kind = INPUT_STOP};
        return true;
    }
    if (signals_take_interrupt()) {
        *ret = (struct input_event){.kind = INPUT_KEY, .key = KEY_CODE_CONTROL('C')};
        return true;
    }
    return false;
}

struct input_event input_wait(struct terminal *terminal, int timeout_ms)
{
    struct input_event event = {.kind = INPUT_NONE};
    bool woken = false; /* by a signal that is none of ours: the size changed */
    for (int empty = 0; empty < MOST_EMPTY_READS;) {
        bool something = false;
        if (read_signal(&event))
            return event;
        event = read_now(terminal, &something);
        /* A size that changed and changed back is none to curses, but the terminal has lost what did not fit. */
        if (woken && (event.kind == INPUT_RESIZE || !something)) {
            terminal_distrust(terminal);
            event.kind = INPUT_RESIZE;
        }
        if (event.kind != INPUT_NONE)
            return event;
        empty = something ? 0 : empty + 1;
        if (something)
            continue;
        switch (terminal_wait(terminal, timeout_ms)) {
        case WAKE_GONE:
            return (struct input_event){.kind = INPUT_END, .signal = signals_end()};
        case WAKE_TIMEOUT:
            return event;
        case WAKE_SIGNAL:
            empty = 0;
            woken = true;
            break;
        case WAKE_INPUT:
            break;
        }
    }
    return (struct input_event){.kind = INPUT_END};
}
