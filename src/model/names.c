/*
 * Ids to names and names to ids.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/model.h"
#include <stdlib.h>
#include <string.h>

const struct build_row *model_build(const struct model *model, int64_t id)
{
    int64_t position = model_build_position(model, id);

    return position < 0 ? NULL : &model->builds.items[position];
}

int64_t model_build_position(const struct model *model, int64_t build)
{
    const struct id_place *place = id_index_find_only(&model->build_places, build);

    return place ? (int64_t)place->at : -1;
}

const struct device_row *model_device(const struct model *model, int64_t id)
{
    const struct id_place *place = id_index_find_only(&model->device_places, id);

    return place ? &model->devices.items[place->at] : NULL;
}

static int compare_text_ids(const void *id, const void *row)
{
    int64_t wanted = *(const int64_t *)id, here = ((const struct text_row *)row)->id;

    return (wanted > here) - (wanted < here);
}

/* The store lists texts by id. */
static const struct text_row *find_text(const struct text_list *list, int64_t id)
{
    if (!list->count)
        return NULL;
    return bsearch(&id, list->items, list->count, sizeof *list->items, compare_text_ids);
}

static const char *text_of(const struct text_list *list, int64_t id)
{
    if (!id)
        return NULL;

    const struct text_row *row = find_text(list, id);

    return row ? row->text : "?";
}

size_t model_scene_position(const struct model *model, int64_t scene)
{
    const struct text_row *row = find_text(&model->scenes, scene);

    return row ? (size_t)(row - model->scenes.items) : SIZE_MAX;
}

const char *model_build_name(const struct model *model, int64_t id)
{
    const struct build_row *row = model_build(model, id);

    return row ? row->name : id ? "?" : NULL;
}

const char *model_scene_name(const struct model *model, int64_t id)
{
    return text_of(&model->scenes, id);
}

const char *model_quality_name(const struct model *model, int64_t id)
{
    return text_of(&model->qualities, id);
}

const char *model_text(const struct model *model, int64_t id)
{
    return text_of(&model->texts, id);
}

uint32_t model_text_class(const struct model *model, int64_t id)
{
    const struct text_row *row = id ? find_text(&model->texts, id) : NULL;

    return row ? model->classes[row - model->texts.items] : 0;
}

const char *model_device_title(const struct device_row *device)
{
    if (!device)
        return "?";
    return device->name && *device->name ? device->name : device->model;
}

/* A list of names behind one face, so that builds, devices, scenes and qualities are searched by the same rule. */
struct names {
    const char *what;
    size_t count;
    const char *(*name)(const void *list, size_t index, size_t which); /* which: 0 identity, 1 display name; NULL: no such */
    int64_t (*id)(const void *list, size_t index);
    const void *list;
};

static const char *build_name_at(const void *list, size_t index, size_t which)
{
    return which ? NULL : ((const struct build_list *)list)->items[index].name;
}

static int64_t build_id_at(const void *list, size_t index)
{
    return ((const struct build_list *)list)->items[index].id;
}

static const char *device_name_at(const void *list, size_t index, size_t which)
{
    const struct device_row *device = &((const struct device_list *)list)->items[index];

    return which ? device->name : device->model;
}

static int64_t device_id_at(const void *list, size_t index)
{
    return ((const struct device_list *)list)->items[index].id;
}

static const char *text_name_at(const void *list, size_t index, size_t which)
{
    return which ? NULL : ((const struct text_list *)list)->items[index].text;
}

static int64_t text_id_at(const void *list, size_t index)
{
    return ((const struct text_list *)list)->items[index].id;
}

static bool refuse_name(const struct names *names, const char *wanted, bool several, struct error *error)
{
    enum { SHOWN = 12 };
    struct text_buffer list = {0};
    size_t shown = 0;
    char *clean = text_clean(wanted, strlen(wanted));

    /* The newest builds are the interesting ones, and lists are oldest first. */
    for (size_t i = names->count; i-- > 0 && shown < SHOWN; shown++)
        text_add_print(&list, "%s%s", shown ? ", " : "", names->name(names->list, i, 0));
    if (shown < names->count)
        text_add_print(&list, " and %zu more", names->count - shown);
    error_set(error, ERROR_USAGE, several ? "%s \"%s\" fits several; there are: %s" : "no %s \"%s\" in this store; there are: %s",
              names->what, clean, names->count ? list.items : "none");
    free(clean);
    array_free(&list);
    return false;
}

/* Exact (either name), then a unique part of a name without regard to case. */
static bool find_name(const struct names *names, const char *wanted, int64_t *ret, struct error *error)
{
    size_t found = 0;

    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->name(names->list, i, 0), *title = names->name(names->list, i, 1);

        if (strcmp(name, wanted) == 0 || (title && strcmp(title, wanted) == 0)) {
            *ret = names->id(names->list, i);
            found++;
        }
    }
    if (found == 1)
        return true;
    if (found)
        return refuse_name(names, wanted, true, error);
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->name(names->list, i, 0), *title = names->name(names->list, i, 1);

        if (*wanted && (strcasestr(name, wanted) || (title && strcasestr(title, wanted)))) {
            *ret = names->id(names->list, i);
            found++;
        }
    }
    return found == 1 || refuse_name(names, wanted, found > 1, error);
}

bool model_find_build(const struct model *model, const char *name, int64_t *ret, struct error *error)
{
    struct names names = {"build", model->builds.count, build_name_at, build_id_at, &model->builds};

    return find_name(&names, name, ret, error);
}

bool model_find_device(const struct model *model, const char *name, int64_t *ret, struct error *error)
{
    struct names names = {"device", model->devices.count, device_name_at, device_id_at, &model->devices};

    return find_name(&names, name, ret, error);
}

bool model_find_scene(const struct model *model, const char *name, int64_t *ret, struct error *error)
{
    struct names names = {"scene", model->scenes.count, text_name_at, text_id_at, &model->scenes};

    return find_name(&names, name, ret, error);
}

bool model_find_quality(const struct model *model, const char *name, int64_t *ret, struct error *error)
{
    struct names names = {"quality", model->qualities.count, text_name_at, text_id_at, &model->qualities};

    if (strcmp(name, "?") == 0) { /* the unknown quality, as tables show it */
        *ret = 0;
        return true;
    }
    return find_name(&names, name, ret, error);
}

int64_t model_newest_build(const struct model *model)
{
    return model->newest;
}

bool model_has_frames(const struct model *model)
{
    return model->groups.count > 0;
}

/* First group whose device is not below this one. */
static size_t first_of_device(const struct model *model, int64_t device)
{
    size_t low = 0, high = model->groups.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (model->groups.items[middle].key.device < device)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t model_device_range(const struct model *model, int64_t device, size_t *ret_count)
{
    size_t first = first_of_device(model, device);

    *ret_count = first_of_device(model, device + 1) - first;
    return first;
}

size_t model_group_range(const struct model *model, const struct group_key *key, size_t *ret_count)
{
    size_t low = 0, high = model->groups.count;
    struct group_key wanted = *key, here;

    wanted.build = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        here = model->groups.items[middle].key;
        here.build = 0;
        if (compare_group_keys(&here, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*ret_count = 0; low + *ret_count < model->groups.count; (*ret_count)++) {
        here = model->groups.items[low + *ret_count].key;
        here.build = 0;
        if (compare_group_keys(&here, &wanted) != 0)
            break;
    }
    return low;
}

size_t model_earlier_builds(const struct model *model, const struct group_key *key, int64_t *ret, size_t limit)
{
    size_t count, first = model_group_range(model, key, &count), found = 0;
    int64_t position = model_build_position(model, key->build);

    for (size_t i = count; i-- > 0 && found < limit;) {
        int64_t build = model->groups.items[first + i].key.build, here = model_build_position(model, build);

        if (here >= 0 && here < position && !model->builds.items[here].bad)
            ret[found++] = build;
    }
    return found;
}

bool model_group_has_frames(const struct model *model, const struct group_key *key)
{
    size_t count, first = model_group_range(model, key, &count);

    for (size_t i = 0; i < count; i++)
        if (model->groups.items[first + i].key.build == key->build)
            return true;
    return false;
}
