#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *text_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void text_add(struct text_buffer *buffer, const char *text)
{
    text_add_bytes(buffer, text, strlen(text));
}

void text_add_bytes(struct text_buffer *buffer, const char *bytes, size_t size)
{
    array_reserve(buffer, buffer->count + size + 1);
    if (size > 0)
        memcpy(buffer->items + buffer->count, bytes, size);
    buffer->count += size;
    buffer->items[buffer->count] = '\0';
}

void text_add_print(struct text_buffer *buffer, const char *format, ...)
{
    char place[256];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(place, sizeof place, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if ((size_t)length < sizeof place) {
        text_add_bytes(buffer, place, (size_t)length);
        return;
    }
    array_reserve(buffer, buffer->count + (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(buffer->items + buffer->count, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->count += (size_t)length;
}

void text_print_list(char *buffer, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(buffer, size, format, arguments);
    size_t end, lead;

    if (length < 0 || (size_t)length < size || size == 0)
        return;
    /* Cut: the last character is taken away when bytes of it are missing. */
    end = size - 1;
    for (lead = end; lead > 0 && ((unsigned char)buffer[lead - 1] & 0xC0) == 0x80; lead--)
        ;
    if (lead > 0 && !text_is_valid_utf8(buffer + lead - 1, end - lead + 1))
        buffer[lead - 1] = '\0';
}

void text_print(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_print_list(buffer, size, format, arguments);
    va_end(arguments);
}

char *text_take(struct text_buffer *buffer)
{
    char *text = buffer->items ? buffer->items : memory_copy_bytes("", 0);

    /* Something may only have been reserved, not added. */
    text[buffer->count] = '\0';
    *buffer = (struct text_buffer){0};
    return text;
}
