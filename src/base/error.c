#include "stutterscope/base/error.h"

#include "stutterscope/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Messages quote foreign files, so they are cleaned here once more; and they are formatted into a buffer of
 * their own first, because the arguments may point into the old text.
 */
static void error_store(struct error *error, const char *raw)
{
    char *text = text_clean_lines(raw, strlen(raw));
    size_t length = strlen(text);

    if (length >= sizeof error->text) {
        length = sizeof error->text - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    while (length > 0 && text[length - 1] == '\n')
        length--;
    memcpy(error->text, text, length);
    error->text[length] = '\0';
    free(text);
}

bool (error_set)(struct error *error, enum error_code code, const char *format, ...)
{
    char raw[sizeof error->text + 1];
    va_list arguments;

    if (!error)
        return false;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    error_store(error, raw);
    error->code = code;
    return false;
}

bool (error_prefix)(struct error *error, const char *format, ...)
{
    char raw[2 * sizeof error->text + 1];
    va_list arguments;
    size_t length;

    if (!error)
        return false;
    va_start(arguments, format);
    vsnprintf(raw, sizeof error->text, format, arguments);
    va_end(arguments);
    length = strlen(raw);
    snprintf(raw + length, sizeof raw - length, ": %s", error->text);
    error_store(error, raw);
    return false;
}
