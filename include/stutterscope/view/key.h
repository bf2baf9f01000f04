/*
 * Keys as numbers and as words: a character is its code point, everything else has a number above Unicode.
 */
#ifndef STUTTERSCOPE_VIEW_KEY_H
#define STUTTERSCOPE_VIEW_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t key_code;

/* Control characters are the code points 1 … 26 (Ctrl-A … Ctrl-Z), 9 Tab, 13 Enter, 27 Esc, 32 Space, 127
 * Backspace. */
enum key_special {
    KEY_SPECIAL_FIRST = 0x110000,
    KEY_CODE_UP = KEY_SPECIAL_FIRST,
    KEY_CODE_DOWN,
    KEY_CODE_LEFT,
    KEY_CODE_RIGHT,
    KEY_CODE_HOME,
    KEY_CODE_END,
    KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN,
    KEY_CODE_INSERT,
    KEY_CODE_DELETE,
    KEY_CODE_SHIFT_TAB,
    KEY_CODE_F1, /* … F12 */
    KEY_CODE_F12 = KEY_CODE_F1 + 11,
    KEY_SPECIAL_END
};

#define KEY_CODE_TAB             9u
#define KEY_CODE_ENTER           13u
#define KEY_CODE_ESC             27u
#define KEY_CODE_BACKSPACE       127u
#define KEY_CODE_CONTROL(letter) ((key_code)((letter) - 'A' + 1))

/* One key from words such as "j", "Ctrl-D", "Space", "Shift-Tab", "PgUp", "F5", case ignored in words of two
 * or more. */
bool key_parse(const char *text, size_t length, key_code *ret);
/* The other way round, as hints and help show it ("Ctrl-D"). Returns buffer. */
char *key_print(char *buffer, size_t size, key_code key);

#endif
