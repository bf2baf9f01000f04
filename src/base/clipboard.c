#include "stutterscope/base/clipboard.h"

#include "stutterscope/base/process.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

enum {
    SCREEN_CHUNK = 240, /* GNU screen passes on only short strings at a time */
    PROGRAM_LIMIT_MS = 5000,
    OUTPUT_LIMIT = 65536
};

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
    if (size > CLIPBOARD_MOST) {
        error_set(error, ERROR_USAGE,
                  "%zu bytes are too many for a terminal's clipboard (at most %d)", size,
                  (int)CLIPBOARD_MOST);
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

/* ---- other programs ---- */

static bool ask(char *const *arguments, const char *input, struct process_result *ret, struct error *error)
{
    const struct process_options options = {
        .arguments = arguments,
        .input = input,
        .input_size = input ? strlen(input) : 0,
        .limit_ms = PROGRAM_LIMIT_MS,
        .output_limit = OUTPUT_LIMIT,
    };

    if (!process_run(&options, ret, error))
        return false;
    if (process_succeeded(ret, &options, error))
        return true;
    process_result_free(ret);
    return false;
}

bool clipboard_use_program(const char *text, const char **ret_program, struct error *error)
{
    static const struct {
        const char *session; /* the variable that tells of a session to copy into; NULL: always there */
        const char *arguments[4];
    } programs[] = {
        {"WAYLAND_DISPLAY", {"wl-copy", NULL}},
        {"DISPLAY", {"xclip", "-selection", "clipboard", NULL}},
        {NULL, {"pbcopy", NULL}},
    };

    *ret_program = NULL;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *session = programs[i].session ? getenv(programs[i].session) : "here";
        struct process_result result;

        if (!session || !*session || !process_is_there(programs[i].arguments[0]))
            continue;
        if (!ask((char *const *)programs[i].arguments, text, &result, error))
            return false;
        process_result_free(&result);
        *ret_program = programs[i].arguments[0];
        return true;
    }
    return true;
}

/* Whether an option of tmux is anything but off; true when it does not tell. */
static bool is_on(const char *scope, const char *option)
{
    const char *const arguments[] = {"tmux", "show-options", scope, option, NULL};
    struct process_result result;
    bool on = true;

    if (ask((char *const *)arguments, NULL, &result, NULL)) {
        on = strncmp(result.output, "off", 3) != 0;
        process_result_free(&result);
    }
    return on;
}

bool clipboard_tmux_passes_on(void)
{
    return is_on("-sv", "set-clipboard") || is_on("-gv", "allow-passthrough");
}
