/*
 * Which layouts and languages there are: the files of two folders.
 */
#include "source.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void add_name(struct layout_names *names, const char *name, size_t length, bool own)
{
    for (size_t i = 0; i < names->count; i++)
        if (strncmp(names->items[i].name, name, length) == 0 && !names->items[i].name[length])
            return;
    array_push(names, (struct layout_name){memory_copy_bytes(name, length), own});
}

static void add_folder(struct layout_names *names, const char *path, const char *ending, bool own)
{
    DIR *folder = opendir(path);
    size_t end = strlen(ending);

    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);

        if (length > end && entry->d_name[0] != '.' && strcmp(entry->d_name + length - end, ending) == 0)
            add_name(names, entry->d_name, length - end, own);
    }
    closedir(folder);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct layout_name *)a)->name, ((const struct layout_name *)b)->name);
}

void layout_list(const char *folder, const char *ending, struct layout_names *ret)
{
    char *relative = memory_print("templates%s%s", folder ? "/" : "", folder ? folder : "");
    char *config = path_config_folder(), *own = path_join(config, relative),
         *data = path_data(relative, NULL);

    add_folder(ret, own, ending, true);
    if (data)
        add_folder(ret, data, ending, false);
    if (ret->count)
        qsort(ret->items, ret->count, sizeof *ret->items, compare_names);
    free(relative);
    free(config);
    free(own);
    free(data);
}

void layout_names_free(struct layout_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i].name);
    array_free(names);
}

bool ticket_list_templates(struct ticket_templates *ret, struct error *error)
{
    struct layout_names layouts = {0}, languages = {0};

    memset(ret, 0, sizeof *ret);
    layout_list(NULL, ".mustache", &layouts);
    layout_list("languages", ".phrases", &languages);
    for (size_t i = 0; i < layouts.count; i++)
        for (size_t j = 0; j < languages.count; j++) {
            char *file = memory_print("%s.mustache", layouts.items[i].name);

            array_push(ret, (struct ticket_template){
                                memory_print("%s-%s", layouts.items[i].name, languages.items[j].name),
                                layout_find(file, NULL), layouts.items[i].own || languages.items[j].own,
                                layout_kind(layouts.items[i].name)});
            free(file);
        }
    layout_names_free(&layouts);
    layout_names_free(&languages);
    return ret->count ||
           error_set(error, ERROR_IO,
                     "there are no templates; install the program again, or set STUTTERSCOPE_DATA");
}

void ticket_templates_free(struct ticket_templates *templates)
{
    for (size_t i = 0; i < templates->count; i++) {
        free(templates->items[i].name);
        free(templates->items[i].path);
    }
    array_free(templates);
}

char *ticket_show_template(const char *name, struct error *error)
{
    const struct ticket_options options = {.template = name};
    struct ticket_source source;
    char *text;

    if (!layout_open_named(&options, &source, error))
        return NULL;
    text = source.text;
    source.text = NULL;
    layout_close(&source);
    return text;
}
