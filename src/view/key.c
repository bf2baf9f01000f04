#include "stutterscope/view/key.h"

#include "stutterscope/base/text.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The first name of a key is the one that is shown. */
static const struct {
    const char *name;
    key_code key;
} names[] = {
    {"Space", ' '},
    {"Tab", KEY_CODE_TAB},
    {"Enter", KEY_CODE_ENTER},
    {"Return", KEY_CODE_ENTER},
    {"Esc", KEY_CODE_ESC},
    {"Escape", KEY_CODE_ESC},
    {"Backspace", KEY_CODE_BACKSPACE},
    {"Up", KEY_CODE_UP},
    {"Down", KEY_CODE_DOWN},
    {"Left", KEY_CODE_LEFT},
    {"Right", KEY_CODE_RIGHT},
    {"Home", KEY_CODE_HOME},
    {"End", KEY_CODE_END},
    {"PgUp", KEY_CODE_PAGE_UP},
    {"PageUp", KEY_CODE_PAGE_UP},
    {"PgDn", KEY_CODE_PAGE_DOWN},
    {"PageDown", KEY_CODE_PAGE_DOWN},
    {"Ins", KEY_CODE_INSERT},
    {"Insert", KEY_CODE_INSERT},
    {"Del", KEY_CODE_DELETE},
    {"Delete", KEY_CODE_DELETE},
    {"Shift-Tab", KEY_CODE_SHIFT_TAB},
    {"Backtab", KEY_CODE_SHIFT_TAB},
};

static bool parse_function_key(const char *text, size_t length, key_code *ret)
{
    if (length < 2 || length > 3 || (text[0] != 'F' && text[0] != 'f'))
        return false;
    int number = 0;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        number = number * 10 + (text[i] - '0');
    }
    if (number < 1 || number > 12)
        return false;
    *ret = (key_code)(KEY_CODE_F1 + number - 1);
    return true;
}

static bool parse_control(const char *text, size_t length, key_code *ret)
{
    size_t prefix = length == 6 && strncasecmp(text, "Ctrl-", 5) == 0 ? 5
                    : length == 2 && text[0] == '^'                   ? 1
                                                                      : 0;
    if (prefix == 0)
        return false;
    char letter = text[prefix];
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    if (letter < 'A' || letter > 'Z')
        return false;
    *ret = KEY_CODE_CONTROL(letter);
    return true;
}

bool key_parse(const char *text, size_t length, key_code *ret)
{
    char word[16] = "";
    if (length == 0 || length >= sizeof word)
        return false;
    memcpy(word, text, length);
    uint32_t code_point = 0;
    if (text_is_valid_utf8(word, length) && text_decode(word, &code_point) == length) {
        *ret = code_point;
        return code_point > ' ' && code_point != KEY_CODE_BACKSPACE;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(names[i].name, word) == 0) {
            *ret = names[i].key;
            return true;
        }
    }
    return parse_function_key(word, length, ret) || parse_control(word, length, ret);
}

char *key_print(char *buffer, size_t size, key_code key)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].key == key) {
            snprintf(buffer, size, "%s", names[i].name);
            return buffer;
        }
    }
    if (key >= KEY_CODE_F1 && key <= KEY_CODE_F12) {
        snprintf(buffer, size, "F%d", (int)(key - KEY_CODE_F1) + 1);
    } else if (key < ' ') {
        snprintf(buffer, size, "Ctrl-%c", (char)('A' + (char)key - 1));
    } else if (key < KEY_SPECIAL_FIRST) {
        char text[5] = "";
        text[text_encode(key, text)] = '\0';
        snprintf(buffer, size, "%s", text);
    } else {
        snprintf(buffer, size, "?");
    }
    return buffer;
}
