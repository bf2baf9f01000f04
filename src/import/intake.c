#include "stutterscope/import/intake.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "sidecar.h"
#include "unpack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_SIDECAR (1u << 20)
#define MOST_SIDECARS   10000
#define MOST_LEVELS     100

/* Files of an archive that lie beside its captures, read before these. */
struct kept_sidecars {
    struct kept_sidecar {
        char *path, *bytes;
        size_t size;
    } * items;
    size_t count, capacity;
};

static bool read_kept(void *user, const char *path, char **ret_bytes, size_t *ret_size)
{
    const struct kept_sidecars *kept = user;

    for (size_t i = 0; i < kept->count; i++) {
        if (strcmp(kept->items[i].path, path) != 0)
            continue;
        *ret_bytes = memory_copy_bytes(kept->items[i].bytes, kept->items[i].size);
        *ret_size = kept->items[i].size;
        return true;
    }
    return false;
}

static void free_kept(struct kept_sidecars *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free(kept->items[i].path);
        free(kept->items[i].bytes);
    }
    array_free(kept);
}

/* ---- what is packed ---- */

static void fail(const struct intake *intake, const char *path, const struct error *error)
{
    struct error named = *error;

    error_prefix(&named, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    intake->fail(intake->user, path, &named);
}

static bool take(const struct intake *intake, const char *path, struct byte_source *source, struct kept_sidecars *kept,
                 bool found)
{
    const struct import_beside beside = {.user = kept, .read = read_kept};
    const struct import_item item = {.path = path, .source = source, .beside = kept ? &beside : NULL, .found = found};

    return intake->take(intake->user, &item);
}

/* A compressed file inside an archive: taken when it is one file. */
static bool take_compressed_member(const struct intake *intake, const char *path, struct byte_source *source,
                                   struct kept_sidecars *kept)
{
    struct error error = {0};
    struct unpack *unpack = unpack_open(path, source, &intake->limits, &error);
    struct unpack_member member;
    bool end = false, goes_on = true;

    if (!unpack || !unpack_next(unpack, &member, &end, &error)) {
        fail(intake, path, &error);
    } else if (end || member.single) {
        goes_on = take(intake, path, end ? source_open_memory("", 0) : unpack_source(unpack), kept, true);
    } else {
        error_set(&error, ERROR_INPUT, "is an archive inside an archive: unpack the outer one first.");
        fail(intake, path, &error);
    }
    unpack_close(unpack);
    source_close(source);
    return goes_on;
}

static bool take_member(const struct intake *intake, const char *path, struct unpack *unpack, struct kept_sidecars *kept)
{
    struct byte_source *source = unpack_source(unpack);
    char look[UNPACK_LOOK_BYTES];
    size_t size = 0;
    struct error error = {0};
    enum unpack_kind kind;

    if (!source_read_full(source, look, sizeof look, &size, &error)) {
        source_close(source);
        fail(intake, path, &error);
        return true;
    }
    source = source_put_before(look, size, source);
    kind = unpack_kind(look, size);
    if (kind == UNPACK_NONE)
        return take(intake, path, source, kept, true);
    if (kind == UNPACK_COMPRESSED)
        return take_compressed_member(intake, path, source, kept);
    source_close(source);
    error_set(&error, ERROR_INPUT, "is an archive inside an archive: unpack the outer one first.");
    fail(intake, path, &error);
    return true;
}

static bool is_hidden(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
        if (*part == '.' || strncmp(part, "__MACOSX", 8) == 0)
            return true;
    }
    return false;
}

static void keep_sidecar(struct unpack *unpack, const char *path, struct kept_sidecars *kept)
{
    struct byte_source *source = unpack_source(unpack);
    char *bytes = memory_take(LARGEST_SIDECAR);
    size_t size = 0;

    if (kept->count < MOST_SIDECARS && source_read_full(source, bytes, LARGEST_SIDECAR, &size, NULL))
        array_push(kept, (struct kept_sidecar){memory_copy_text(path), memory_copy_bytes(bytes, size), size});
    source_close(source);
    free(bytes);
}

/* Members one after the other; with only_sidecars nothing but these is read. */
static bool walk_archive(const struct intake *intake, const char *path, struct unpack *unpack, bool only_sidecars,
                         struct kept_sidecars *kept, bool found)
{
    struct error error = {0};
    struct unpack_member member;
    bool end = false, goes_on = true;

    while (goes_on && unpack_next(unpack, &member, &end, &error) && !end) {
        char *name;

        if (member.single) {
            if (!only_sidecars)
                goes_on = take(intake, path, unpack_source(unpack), NULL, found);
            return goes_on;
        }
        if (!member.is_file || is_hidden(member.name))
            continue;
        name = memory_print("%s/%s", path, member.name);
        if (import_is_sidecar(name))
            keep_sidecar(unpack, name, kept);
        else if (!only_sidecars)
            goes_on = take_member(intake, name, unpack, kept);
        free(name);
    }
    if (!only_sidecars && error.text[0])
        fail(intake, path, &error);
    return goes_on;
}

/* Twice through a file: what lies beside a capture may come after it. */
static bool take_packed(const struct intake *intake, const char *path, struct byte_source *source, bool found)
{
    struct kept_sidecars kept = {0};
    struct error error = {0};
    struct unpack *unpack = source ? NULL : unpack_open(path, NULL, &intake->limits, &error);
    bool goes_on = true;

    if (unpack)
        walk_archive(intake, path, unpack, true, &kept, found);
    unpack_close(unpack);
    unpack = error.text[0] ? NULL : unpack_open(path, source, &intake->limits, &error);
    if (unpack)
        goes_on = walk_archive(intake, path, unpack, false, &kept, found);
    else
        fail(intake, path, &error);
    unpack_close(unpack);
    free_kept(&kept);
    source_close(source);
    return goes_on;
}

/* ---- files ---- */

/* Pipes are read once; files twice where that helps. */
static bool is_regular(const char *path)
{
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* again: the path can be opened once more. */
static bool take_source(const struct intake *intake, const char *path, struct byte_source *source, bool again, bool found)
{
    struct error error = {0};
    char look[UNPACK_LOOK_BYTES];
    size_t size = 0;
    enum unpack_kind kind;

    if (!source_read_full(source, look, sizeof look, &size, &error)) {
        source_close(source);
        intake->fail(intake->user, path, &error);
        return true;
    }
    kind = unpack_kind(look, size);
    source = source_put_before(look, size, source);
    if (kind == UNPACK_NONE)
        return take(intake, path, source, NULL, found);
    if (kind == UNPACK_REFUSED) {
        source_close(source);
        error_set(&error, ERROR_INPUT, "is an archive of a kind that is not read here: unpack it, or pack it as .zip or .tar.zst.");
        fail(intake, path, &error);
        return true;
    }
    if (!again)
        return take_packed(intake, path, source, found);
    source_close(source);
    return take_packed(intake, path, NULL, found);
}

bool intake_source(const struct intake *intake, const char *path, struct byte_source *source)
{
    return take_source(intake, path, source, false, false);
}

static bool take_file(const struct intake *intake, const char *path, bool found)
{
    struct error error = {0};
    struct byte_source *source = source_open_file(path, &error);

    if (source)
        return take_source(intake, path, source, is_regular(path), found);
    intake->fail(intake->user, path, &error);
    return true;
}

/* ---- folders ---- */

struct walked_folders {
    struct walked_folder {
        dev_t device;
        ino_t node;
    } * items;
    size_t count, capacity;
};

static bool was_walked(struct walked_folders *walked, const struct stat *status)
{
    for (size_t i = 0; i < walked->count; i++) {
        if (walked->items[i].device == status->st_dev && walked->items[i].node == status->st_ino)
            return true;
    }
    array_push(walked, (struct walked_folder){status->st_dev, status->st_ino});
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

struct name_list {
    char **items;
    size_t count, capacity;
};

static bool list_folder(const char *path, struct name_list *ret)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    if (!folder)
        return false;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] != '.')
            array_push(ret, memory_copy_text(entry->d_name));
    }
    closedir(folder);
    if (ret->count > 0)
        qsort(ret->items, ret->count, sizeof *ret->items, compare_names);
    return true;
}

static bool walk(const struct intake *intake, const char *path, struct walked_folders *walked, int level);

static bool walk_entries(const struct intake *intake, const char *path, const struct name_list *names,
                         struct walked_folders *walked, int level)
{
    bool goes_on = true;

    for (size_t i = 0; i < names->count && goes_on; i++) {
        char *inner = path_join(path, names->items[i]);
        struct stat status;

        if (stat(inner, &status) != 0)
            ; /* a link to nothing */
        else if (S_ISDIR(status.st_mode))
            goes_on = level >= MOST_LEVELS || was_walked(walked, &status) || walk(intake, inner, walked, level + 1);
        else if (S_ISREG(status.st_mode) && !import_is_sidecar(inner))
            goes_on = take_file(intake, inner, true);
        free(inner);
    }
    return goes_on;
}

static bool walk(const struct intake *intake, const char *path, struct walked_folders *walked, int level)
{
    struct name_list names = {0};
    struct error error = {0};
    bool goes_on = true;

    if (list_folder(path, &names)) {
        goes_on = walk_entries(intake, path, &names, walked, level);
    } else {
        error_set(&error, ERROR_IO, "the folder cannot be read: %s.", strerror(errno));
        fail(intake, path, &error);
    }
    for (size_t i = 0; i < names.count; i++)
        free(names.items[i]);
    array_free(&names);
    return goes_on;
}

bool intake_path(const struct intake *intake, const char *path)
{
    struct walked_folders walked = {0};
    struct stat status;
    bool goes_on;

    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return take_file(intake, path, false);
    was_walked(&walked, &status);
    goes_on = walk(intake, path, &walked, 0);
    array_free(&walked);
    return goes_on;
}
