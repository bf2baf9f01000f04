#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/ticket/template.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

enum { DATA_LIMIT = 64 << 20 };

/* Partials are read from files beside the template, each once. */
struct partial_files {
    const char *template_path;
    struct {
        struct partial_file {
            char *name, *text;
        } *items;
        size_t count, capacity;
    } read;
};

static char *read_partial(const char *template_path, const char *name)
{
    const char *base = path_base_name(template_path);
    char *folder = memory_copy_bytes(template_path, (size_t)(base - template_path));
    char *file = memory_print("%s%s.mustache", folder, name), *text = NULL;
    size_t size;

    /* A name is a file beside the template, never a way to another folder. */
    if (!strchr(name, '/') && *name != '.' && path_read_all(file, TEMPLATE_TEXT_LIMIT, &text, &size, NULL)) {
        char *clean = text_clean_lines(text, size);

        free(text);
        text = clean;
    }
    free(file);
    free(folder);
    return text;
}

static const char *find_partial(void *context, const char *name)
{
    struct partial_files *files = context;

    for (size_t i = 0; i < files->read.count; i++)
        if (strcmp(files->read.items[i].name, name) == 0)
            return files->read.items[i].text;
    array_push(&files->read, (struct partial_file){memory_copy_text(name), read_partial(files->template_path, name)});
    return files->read.items[files->read.count - 1].text;
}

static bool find_escape(const char *name, enum escape_kind *ret, struct error *error)
{
    static const struct {
        const char *name;
        enum escape_kind kind;
    } kinds[] = {{"none", ESCAPE_NONE}, {"html", ESCAPE_HTML}, {"markdown", ESCAPE_MARKDOWN}, {"jira", ESCAPE_JIRA}, {"json", ESCAPE_JSON}, {"csv", ESCAPE_CSV}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *ret = kinds[i].kind;
            return true;
        }
    return error_set(error, ERROR_USAGE, "--escape: expected html, markdown, jira, json, csv or none, found \"%s\"", name);
}

static struct json *read_data(const struct invocation *invocation, struct error *error)
{
    const char *path = invocation_value(invocation, OPTION_DATA);
    struct json *data;
    char *text;
    size_t size;

    if (!path)
        return json_object();
    if (!path_read_all(path, DATA_LIMIT, &text, &size, error))
        return NULL;
    data = json_parse(text, size, error);
    if (!data)
        error_prefix(error, "%s", path);
    free(text);
    return data;
}

static bool fill(struct invocation *invocation, const char *path, const struct json *data, enum escape_kind escape, struct error *error)
{
    struct partial_files files = {.template_path = path};
    struct template_partials partials = {find_partial, &files};
    struct template *template = NULL;
    char *text = NULL, *filled = NULL;
    size_t size;
    bool good = path_read_all(path, TEMPLATE_TEXT_LIMIT, &text, &size, error) && (template = template_parse(path, text, size, error)) != NULL &&
                (filled = template_render(template, data, escape, &partials, error)) != NULL &&
                write_output(invocation, filled, strlen(filled), error);

    for (size_t i = 0; i < files.read.count; i++) {
        free(files.read.items[i].name);
        free(files.read.items[i].text);
    }
    array_free(&files.read);
    template_destroy(template);
    free(filled);
    free(text);
    return good;
}

int verb_template(struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_ESCAPE);
    enum escape_kind escape = ESCAPE_HTML;
    struct json *data;
    bool good;

    if (name && !find_escape(name, &escape, error))
        return EXIT_TROUBLE;
    data = read_data(invocation, error);
    good = data && fill(invocation, invocation->operands[0], data, escape, error);
    json_destroy(data);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
