#include "sidecar.h"

#include "stutterscope/base/json.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/import.h"
#include "stutterscope/import/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_META (1u << 20)

static const char meta_ending[] = ".meta.json";

bool import_is_sidecar(const char *path)
{
    return text_ends_with(path, meta_ending) || text_ends_with(path, ".getprop") ||
           text_equals_ignoring_case(path_base_name(path), "getprop.txt");
}

/* ---- FILE.meta.json ---- */

/* "ci_run" and "ci-run" are "--ci-run". */
static bool is_option(const char *option, const char *name)
{
    for (option += 2; *option && (*option == *name || (*option == '-' && *name == '_')); option++)
        name++;
    return !*option && !*name;
}

/* The name of a column or of the option that says the same. */
static int find_field(const char *name)
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        if (strcmp(context_fields[i].column, name) == 0 || is_option(context_fields[i].option, name))
            return i;
    }
    return -1;
}

/* Text or number as a clean text; NULL: something else, or empty. */
static char *value_text(const struct json *value)
{
    const char *text = json_text(value);
    double number;
    char buffer[64];

    if (!text && json_number(value, &number))
        text = number_print_double(buffer, sizeof buffer, number, 6);
    return text && *text ? text_clean(text, strlen(text)) : NULL;
}

static void take_members(const struct json *meta, struct import_sidecar *ret, struct text_buffer *unknown)
{
    for (const struct json *member = json_first(meta); member; member = json_next(member)) {
        int field = find_field(json_name(member));
        char *name;

        if (field >= 0 && !ret->said[field]) {
            ret->said[field] = value_text(member);
            continue;
        }
        name = text_clean(json_name(member), strlen(json_name(member)));
        text_add_print(unknown, "%s%s", unknown->count ? ", " : "", name);
        free(name);
    }
}

/* false: there is none, or (with an error) it cannot be read. */
static bool read_whole(const struct import_beside *beside, const char *path, char **ret_bytes, size_t *ret_size,
                       struct error *error)
{
    if (beside)
        return beside->read(beside->user, path, ret_bytes, ret_size);
    return access(path, R_OK) == 0 && path_read_all(path, LARGEST_META, ret_bytes, ret_size, error);
}

static bool read_meta(const char *path, const struct import_beside *beside, struct import_sidecar *ret,
                      struct text_buffer *note, struct error *error)
{
    char *meta_path = memory_print("%s%s", path, meta_ending), *bytes = NULL;
    struct text_buffer unknown = {0};
    struct json *meta = NULL;
    size_t size = 0, skip;
    struct error trouble = {0};
    bool fine = true;

    if (read_whole(beside, meta_path, &bytes, &size, &trouble) || trouble.text[0]) {
        fine = bytes != NULL;
        if (!fine && error)
            *error = trouble;
        skip = fine && size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        meta = fine ? json_parse(bytes + skip, size - skip, error) : NULL;
        if (fine && !meta)
            fine = error_prefix(error, "%s", meta_path);
        if (meta && json_kind(meta) != JSON_OBJECT)
            fine =
                error_set(error, ERROR_INPUT,
                          "%s: expected an object like {\"build_id\": \"…\", \"scene\": \"…\"}.", meta_path);
        if (fine) {
            take_members(meta, ret, &unknown);
            text_add_print(note, "%s gives what it says of build, device, scene, …%s%s.",
                           path_base_name(meta_path),
                           unknown.count ? "; left out, because they are no names of the context: " : "",
                           unknown.count ? unknown.items : "");
        }
    }
    json_destroy(meta);
    free(text_take(&unknown));
    free(bytes);
    free(meta_path);
    return fine;
}

/* ---- getprop ---- */

/* Properties in the order of preference for each field. */
static const struct {
    const char *property;
    enum context_field field;
    const char *before;
} properties[] = {
    {"ro.product.model", CONTEXT_DEVICE, ""}, {"ro.product.vendor.model", CONTEXT_DEVICE, ""},
    {"ro.soc.model", CONTEXT_SOC, ""},        {"ro.hardware.chipname", CONTEXT_SOC, ""},
    {"ro.board.platform", CONTEXT_SOC, ""},   {"ro.build.version.release", CONTEXT_OS, "Android "},
};
#define PROPERTIES (sizeof properties / sizeof *properties)

/* "[ro.product.model]: [SM-S918N]": its value as a new string when the name is the wanted one. */
static char *property_value(const struct import_line *line, const char *wanted)
{
    size_t length = strlen(wanted);
    const char *begin, *end = line->text + line->length;

    if (line->length < length + 6 || line->text[0] != '[' || memcmp(line->text + 1, wanted, length) != 0 ||
        memcmp(line->text + 1 + length, "]: [", 4) != 0)
        return NULL;
    begin = line->text + length + 5;
    while (end > begin && end[-1] != ']')
        end--;
    return end - 1 > begin ? text_clean(begin, (size_t)(end - 1 - begin)) : NULL;
}

/* What cannot be read is as good as not there: the capture itself counts. */
static bool read_getprop(const char *path, const struct import_beside *beside, struct import_sidecar *ret)
{
    char *values[PROPERTIES] = {0}, *bytes = NULL;
    size_t size = 0;
    bool there = read_whole(beside, path, &bytes, &size, NULL);
    struct byte_source *source = there ? source_open_memory(bytes, size) : NULL;
    struct import_input *input = source ? import_input_open(source, path, NULL, NULL, NULL) : NULL;
    struct import_line line;
    bool found = false;

    while (input && import_input_next_line(input, &line)) {
        for (size_t i = 0; i < PROPERTIES; i++)
            values[i] = values[i] ? values[i] : property_value(&line, properties[i].property);
    }
    import_input_close(input);
    free(bytes);
    for (size_t i = 0; i < PROPERTIES; i++) {
        char **place = &ret->device[properties[i].field];

        found = found || values[i];
        if (values[i] && !*place)
            *place = memory_print("%s%s", properties[i].before, values[i]);
        free(values[i]);
    }
    return found;
}

/* The names, the nearest first. */
static char *getprop_path(const char *path, int which)
{
    const char *base = path_base_name(path), *dot = strrchr(base, '.');
    int folder = (int)(base - path);

    switch (which) {
    case 0:
        return memory_print("%s.getprop", path);
    case 1:
        return memory_print("%.*s%.*s.getprop", folder, path,
                            dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
    default:
        return memory_print("%.*sgetprop.txt", folder, path);
    }
}

static void find_getprop(const char *path, const struct import_beside *beside, struct import_sidecar *ret,
                         struct text_buffer *note)
{
    bool found = false;

    for (int which = 0; which < 3 && !found; which++) {
        char *name = getprop_path(path, which);

        found = read_getprop(name, beside, ret);
        if (found)
            text_add_print(
                note,
                "%s%s beside the file gives the device's model, chip and Android version where they are "
                "not said otherwise.",
                note->count ? " " : "", path_base_name(name));
        free(name);
    }
}

/* ---- both ---- */

bool import_sidecar_read(const char *path, const struct import_beside *beside, struct import_sidecar *ret,
                         struct error *error)
{
    struct text_buffer note = {0};
    bool fine;

    memset(ret, 0, sizeof *ret);
    if (strcmp(path, "-") == 0) {
        ret->note = memory_copy_text("");
        return true;
    }
    fine = read_meta(path, beside, ret, &note, error);
    if (fine)
        find_getprop(path, beside, ret, &note);
    ret->note = text_take(&note);
    return fine;
}

void import_sidecar_free(struct import_sidecar *sidecar)
{
    for (int i = 0; i < CONTEXT_COUNT; i++) {
        free(sidecar->said[i]);
        free(sidecar->device[i]);
    }
    free(sidecar->note);
    memset(sidecar, 0, sizeof *sidecar);
}
