#include "clipboard.h"

#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES   100000
#define SCREEN_CHUNK 240 /* GNU screen passes on only short strings at a time */

/* RFC 4648, section 4. */
static char *base64(const char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct text_buffer out = {0};
    for (size_t at = 0; at < size; at += 3) {
        unsigned long group = (unsigned long)(unsigned char)bytes[at] << 16;
        group |= at + 1 < size ? (unsigned long)(unsigned char)bytes[at + 1] << 8 : 0;
        group |= at + 2 < size ? (unsigned long)(unsigned char)bytes[at + 2] : 0;
        char four[4] = {digits[group >> 18 & 63], digits[group >> 12 & 63], digits[group >> 6 & 63],
                        digits[group & 63]};
        if (at + 1 >= size)
            four[2] = '=';
        if (at + 2 >= size)
            four[3] = '=';
        text_add_bytes(&out, four, 4);
    }
    return text_take(&out);
}

char *clipboard_request(const char *text, bool in_tmux, bool in_screen, struct error *error)
{
    size_t size = strlen(text);
    if (size > MOST_BYTES) {
        error_set(error, ERROR_USAGE,
                  "%zu bytes are too many for a terminal's clipboard (at most %d): w writes a file", size,
                  MOST_BYTES);
        return NULL;
    }
    char *encoded = base64(text, size);
    struct text_buffer plain = {0}, out = {0};
    text_add_print(&plain, "\033]52;c;%s\a", encoded);
    if (in_tmux) {
        /* Which of the two tmux accepts depends on its configuration; both together do no harm. */
        text_add_print(&out, "%s\033Ptmux;\033%s\033\\", plain.items, plain.items);
    } else if (in_screen) {
        for (size_t at = 0; at < plain.count; at += SCREEN_CHUNK) {
            size_t left = plain.count - at;
            text_add(&out, "\033P");
            text_add_bytes(&out, plain.items + at, left < SCREEN_CHUNK ? left : SCREEN_CHUNK);
            text_add(&out, "\033\\");
        }
    } else {
        text_add(&out, plain.items);
    }
    free(encoded);
    free(plain.items);
    return text_take(&out);
}
