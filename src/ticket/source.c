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

const char *ticket_kind_name(enum ticket_kind kind)
{
    static const char *const names[TICKET_KIND_COUNT] = {"", "regressions", "verification"};

    return names[kind];
}

enum ticket_kind layout_kind(const char *name)
{
    for (int kind = TICKET_STUTTERS + 1; kind < TICKET_KIND_COUNT; kind++) {
        size_t length = strlen(ticket_kind_name((enum ticket_kind)kind));

        if (strncmp(name, ticket_kind_name((enum ticket_kind)kind), length) == 0 &&
            (!name[length] || strchr("-.", name[length])))
            return (enum ticket_kind)kind;
    }
    return TICKET_STUTTERS;
}

static bool is_file(const char *name)
{
    return strchr(name, '/') || text_ends_with(name, ENDING);
}

static void take_language(struct ticket_source *source, const char *name)
{
    const char *dash = strrchr(name, '-');

    if (dash && has_language(dash + 1) && !source->language)
        source->language = memory_copy_text(dash + 1);
}

static void find_file(const char *name, struct ticket_source *source)
{
    char *base = memory_copy_text(path_base_name(name)), *dot = strrchr(base, '.');

    source->path = memory_copy_text(name);
    if (dot)
        *dot = '\0';
    take_language(source, base);
    source->kind = layout_kind(base);
    free(base);
}

/* Splits "github-ko" where "ko" is a language; a layout of the whole name goes first. */
static void find_named(const char *name, struct ticket_source *source)
{
    const char *dash = strrchr(name, '-');

    if (is_name(name))
        source->path = find_layout(name);
    take_language(source, name);
    if (dash && has_language(dash + 1) && !source->path) {
        char *base = memory_copy_bytes(name, (size_t)(dash - name));

        if (is_name(base))
            source->path = find_layout(base);
        free(base);
    }
    source->kind = layout_kind(name);
}

/* "team-jira-ko" for a verification: "verification-team-jira-ko", else "verification-jira" in Korean. */
static void find_of_kind(const char *name, enum ticket_kind kind, struct ticket_source *source)
{
    const char *prefix = ticket_kind_name(kind), *own = ticket_kind_name(layout_kind(name));
    const char *rest = name + strlen(own), *format = find_format(name, NULL)->name;
    char *wanted, *usual;

    rest += *own && *rest == '-';
    wanted = memory_print("%s%s%s", prefix, *prefix ? "-" : "", *rest ? rest : format);
    usual = memory_print("%s%s%s", prefix, *prefix ? "-" : "", format);
    find_named(wanted, source);
    if (!source->path)
        find_named(usual, source);
    free(wanted);
    free(usual);
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

static bool open_found(const struct ticket_options *options, const char *name, struct ticket_source *ret,
                       struct error *error)
{
    size_t size;
    bool good = ret->path || fail_with_list(error, "template", name, NULL, ENDING);

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

static const char *name_of(const struct ticket_options *options)
{
    return options->template && *options->template ? options->template : "github";
}

/* A template of this name goes before a file of this name in the folder one happens to be in. */
static void find_any(const char *name, struct ticket_source *ret)
{
    if (!is_file(name)) {
        find_named(name, ret);
        if (ret->path || (access(name, F_OK) != 0 && !strchr(name, '.')))
            return;
        free(ret->language);
        ret->language = NULL;
    }
    ret->is_file = true;
    find_file(name, ret);
}

bool layout_open(const struct ticket_options *options, enum ticket_kind kind, struct ticket_source *ret,
                 struct error *error)
{
    const char *name = name_of(options);

    memset(ret, 0, sizeof *ret);
    find_any(name, ret);
    /* A name that is wrong is an error, not another template. */
    if (ret->path && !ret->is_file && ret->kind != kind) {
        free(ret->path);
        ret->path = NULL;
        find_of_kind(name, kind, ret);
    }
    return open_found(options, name, ret, error);
}

bool layout_open_named(const struct ticket_options *options, struct ticket_source *ret, struct error *error)
{
    const char *name = name_of(options);

    memset(ret, 0, sizeof *ret);
    find_any(name, ret);
    return open_found(options, name, ret, error);
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
