#include "source.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".mustache"

static char *language_file(const char *language)
{
    return memory_print("languages/%s.phrases", language);
}

static bool is_name(const char *text)
{
    return *text && *text != '.' && !strchr(text, '/');
}

char *layout_find(const char *name, bool *ret_own)
{
    char *folder = path_config_folder(), *relative = memory_print("templates/%s", name);
    char *path = path_join(folder, relative);
    bool own = access(path, R_OK) == 0;

    if (!own) {
        free(path);
        path = path_data(relative, NULL);
    }
    if (ret_own)
        *ret_own = own;
    free(relative);
    free(folder);
    return path;
}

static bool has_language(const char *language)
{
    char *name = is_name(language) ? language_file(language) : NULL;
    char *path = name ? layout_find(name, NULL) : NULL;
    bool there = path != NULL;

    free(name);
    free(path);
    return there;
}

static char *find_layout(const char *name)
{
    char *file = memory_print("%s" ENDING, name), *path = layout_find(file, NULL);

    free(file);
    return path;
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), end = strlen(ending);

    return length >= end && strcmp(text + length - end, ending) == 0;
}

/* The format whose name is one of the words of the template's name. */
static const struct ticket_format *find_format(const char *name, const char *wanted)
{
    size_t count;
    const struct ticket_format *formats = ticket_formats(&count);

    for (size_t i = 0; i < count; i++) {
        const char *at =
            wanted ? (strcmp(wanted, formats[i].name) == 0 ? wanted : NULL) : strstr(name, formats[i].name);
        size_t length = strlen(formats[i].name);

        if (at &&
            (wanted || ((at == name || strchr("-_.", at[-1])) && (!at[length] || strchr("-_.", at[length])))))
            return &formats[i];
    }
    return wanted ? NULL : &formats[0];
}

static void add_list(struct text_buffer *text, const char *folder, const char *ending)
{
    struct layout_names names = {0};

    layout_list(folder, ending, &names);
    for (size_t i = 0; i < names.count; i++)
        text_add_print(text, "%s%s", i ? ", " : "", names.items[i].name);
    layout_names_free(&names);
}

static bool fail_with_list(struct error *error, const char *what, const char *found, const char *folder,
                           const char *ending)
{
    struct text_buffer list = {0};
    char *clean = text_clean(found, strlen(found));

    add_list(&list, folder, ending);
    error_set(error, ERROR_USAGE, "there is no %s \"%s\"; there are %s", what, clean,
              list.items ? list.items : "none");
    free(clean);
    array_free(&list);
    return false;
}

/* Splits "github-ko" where "ko" is a language; a layout of the whole name goes first. */
static bool find_template(const char *name, struct ticket_source *source, struct error *error)
{
    const char *dash = strrchr(name, '-');

    if (strchr(name, '/') || ends_with(name, ENDING)) {
        char *base = memory_copy_text(path_base_name(name));

        source->path = memory_copy_text(name);
        if (ends_with(base, ENDING))
            base[strlen(base) - strlen(ENDING)] = '\0';
        dash = strrchr(base, '-');
        if (dash && has_language(dash + 1))
            source->language = memory_copy_text(dash + 1);
        free(base);
        return true;
    }
    if (is_name(name))
        source->path = find_layout(name);
    if (dash && has_language(dash + 1)) {
        char *base = memory_copy_bytes(name, (size_t)(dash - name));

        source->language = memory_copy_text(dash + 1);
        if (!source->path && is_name(base))
            source->path = find_layout(base);
        free(base);
    }
    return source->path || fail_with_list(error, "template", name, NULL, ENDING);
}

static bool add_phrases(struct ticket_source *source, const char *name, bool from_program,
                        struct error *error)
{
    char *data = memory_print("templates/%s", name);
    char *path = from_program ? path_data(data, NULL) : layout_find(name, NULL);
    bool good = !path || phrases_read(&source->phrases, path, error);

    free(data);
    free(path);
    return good;
}

/* A user's file may hold some phrases only: the program's of the same language follow, then English ones. */
static bool read_phrases(struct ticket_source *source, struct error *error)
{
    char *file = language_file(source->language);
    bool good = add_phrases(source, file, false, error) && add_phrases(source, file, true, error) &&
                add_phrases(source, "shared.phrases", false, error) &&
                add_phrases(source, "languages/en.phrases", true, error);

    free(file);
    return good;
}

bool layout_open(const struct ticket_options *options, struct ticket_source *ret, struct error *error)
{
    const char *name = options->template ? options->template : "github";
    size_t size;
    bool good;

    memset(ret, 0, sizeof *ret);
    good = find_template(name, ret, error);
    if (good && options->language) {
        free(ret->language);
        ret->language = memory_copy_text(options->language);
    }
    if (good && !ret->language)
        ret->language = memory_copy_text("en");
    if (good && !has_language(ret->language))
        good = fail_with_list(error, "language", ret->language, "languages", ".phrases");
    if (good && !(ret->format = find_format(path_base_name(name), options->format)))
        good = error_set(error, ERROR_USAGE,
                         "there is no ticket format \"%s\"; there are github, gitlab, jira, plain",
                         options->format);
    good = good && path_read_all(ret->path, TEMPLATE_TEXT_LIMIT, &ret->text, &size, error) &&
           read_phrases(ret, error);
    if (!good)
        layout_close(ret);
    return good;
}

void layout_close(struct ticket_source *source)
{
    free(source->path);
    free(source->text);
    free(source->language);
    phrases_free(&source->phrases);
    phrases_free(&source->read);
    memset(source, 0, sizeof *source);
}

/* Files beside the layout, then in parts/ of the user and of the program. */
static char *find_part(const struct ticket_source *source, const char *name)
{
    char *folder = memory_copy_text(source->path), *slash = strrchr(folder, '/');
    char *file = memory_print("%s" ENDING, name), *part = memory_print("parts/%s", file), *path;

    if (slash)
        *slash = '\0';
    path = path_join(slash ? folder : ".", file);
    if (access(path, R_OK) != 0) {
        free(path);
        path = layout_find(part, NULL);
    }
    free(folder);
    free(file);
    free(part);
    return path;
}

static const char *find_partial(void *context, const char *name)
{
    struct ticket_source *source = context;
    const char *text = phrases_find(&source->phrases, name);
    char *path, *content;
    size_t size;

    if (!text)
        text = phrases_find(&source->read, name);
    if (text || !is_name(name) || !(path = find_part(source, name)))
        return text;
    if (path_read_all(path, TEMPLATE_TEXT_LIMIT, &content, &size, NULL)) {
        array_push(&source->read, (struct phrase){memory_copy_text(name), content});
        text = content;
    }
    free(path);
    return text;
}

struct template_partials layout_partials(struct ticket_source *source)
{
    return (struct template_partials){.find = find_partial, .context = source};
}
