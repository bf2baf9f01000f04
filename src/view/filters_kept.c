#include "filters_kept.h"

#include "state_file.h"
#include "stutterscope/base/memory.h"
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "filters.json", section[] = "filters.";

bool kept_filter_is_name(const char *name, size_t length)
{
    enum { LONGEST = 32 };

    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
            return false;
    return length > 0 && length <= LONGEST;
}

static struct kept_filter *find(const struct kept_filters *kept, const char *name, bool configured)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->items[i].configured == configured && strcmp(kept->items[i].name, name) == 0)
            return &kept->items[i];
    return NULL;
}

static void add(struct kept_filters *kept, const char *name, const char *text, bool configured)
{
    if (kept_filter_is_name(name, strlen(name)))
        array_push(kept, (struct kept_filter){memory_copy_text(name), memory_copy_text(text), configured});
}

void kept_filters_add_configured(struct kept_filters *kept, const struct settings *settings)
{
    const char *name;

    for (size_t i = 0; (name = settings_name(settings, i)); i++)
        if (strncmp(name, section, strlen(section)) == 0)
            add(kept, name + strlen(section), settings_get(settings, name, ""), true);
}

void kept_filters_load(struct kept_filters *kept, const char *path)
{
    struct json *all = state_file_read(file_name);
    char *store = state_store_name(path);
    const struct json *here = all ? json_member(all, store) : NULL;

    if (here && json_kind(here) == JSON_OBJECT)
        for (const struct json *item = json_first(here); item; item = json_next(item))
            if (json_text(item))
                add(kept, json_name(item), json_text(item), false);
    free(store);
    json_destroy(all);
}

void kept_filters_free(struct kept_filters *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->items[i].name);
        free(kept->items[i].text);
    }
    array_free(kept);
}

const char *kept_filters_find(const struct kept_filters *kept, const char *name)
{
    const struct kept_filter *found = find(kept, name, false);

    if (!found)
        found = find(kept, name, true);
    return found ? found->text : NULL;
}

/* Those of the other stores stay. */
static bool store_all(const struct kept_filters *kept, const char *path)
{
    struct json *here = json_object();
    char *store = state_store_name(path);
    bool good;

    for (size_t i = 0; i < kept->count; i++)
        if (!kept->items[i].configured)
            json_add(here, kept->items[i].name, json_from_text(kept->items[i].text));
    good = state_file_put(file_name, store, here, SIZE_MAX);
    free(store);
    return good;
}

bool kept_filters_has_own(const struct kept_filters *kept, const char *name)
{
    return find(kept, name, false) != NULL;
}

bool kept_filters_put(struct kept_filters *kept, const char *store, const char *name, const char *text)
{
    struct kept_filter *found = find(kept, name, false);

    if (!found && !*text)
        return true;
    if (!found)
        add(kept, name, text, false);
    else if (*text) {
        free(found->text);
        found->text = memory_copy_text(text);
    } else {
        free(found->name);
        free(found->text);
        memmove(found, found + 1, (size_t)(kept->items + kept->count - found - 1) * sizeof *found);
        kept->count--;
    }
    return store_all(kept, store);
}
