/*
 * The template engine: a template, a zero byte, JSON data, a zero byte, a partial. What may be missing is empty. It must
 * end, stay within its limits and leave nothing behind.
 */
#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/ticket/template.h"
#include <stdlib.h>
#include <string.h>

static const char *find_partial(void *context, const char *name)
{
    return strcmp(name, "none") == 0 ? NULL : context;
}

static void count_name(void *context, const struct template_name *name)
{
    size_t *bytes = context;

    *bytes += strlen(name->name) + strlen(name->template_name) + name->line + name->section_count;
}

/* The next part up to a zero byte, as a string of its own. */
static char *take_part(const uint8_t **bytes, size_t *size)
{
    const uint8_t *end = memchr(*bytes, '\0', *size);
    size_t length = end ? (size_t)(end - *bytes) : *size;
    char *part = memory_copy_bytes((const char *)*bytes, length);

    *bytes += length + (end != NULL);
    *size -= length + (end != NULL);
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = take_part(&bytes, &size), *json = take_part(&bytes, &size), *partial = take_part(&bytes, &size);
    struct template_partials partials = {find_partial, partial};
    struct json *data = json_parse(json, strlen(json), NULL);
    struct error error = {0};
    struct template *template = template_parse("fuzz", text, strlen(text), &error);
    size_t names = 0;

    if (!template && !error.text[0])
        abort(); /* whoever wrote it has to be told why */
    for (int escape = ESCAPE_NONE; template && escape <= ESCAPE_CSV; escape++) {
        char *filled = template_render(template, data, (enum escape_kind)escape, &partials, NULL);

        if (filled && strlen(filled) > TEMPLATE_OUTPUT_LIMIT)
            abort();
        free(filled);
    }
    if (template)
        template_visit_names(template, &partials, count_name, &names, NULL);
    template_destroy(template);
    json_destroy(data);
    free(partial);
    free(json);
    free(text);
    return 0;
}
