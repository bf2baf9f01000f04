/*
 * builds, devices, coverage: lists, and the few facts people add to them.
 */
#include "csv_file.h"
#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/model/imports.h"
#include "stutterscope/model/status.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

static bool mark_builds(struct model *model, const struct option_values *names, bool bad, struct error *error)
{
    for (size_t i = 0; i < names->count; i++) {
        int64_t id;

        if (!model_find_build(model, names->items[i], &id, error) || !model_mark_build(model, id, bad, error))
            return false;
    }
    return true;
}

/* Of the whole store; with --device and --scene of that cell. */
static bool pin_baseline(const struct invocation *invocation, struct model *model, const char *name, struct error *error)
{
    const char *device = invocation_value(invocation, OPTION_DEVICE), *scene = invocation_value(invocation, OPTION_SCENE);
    int64_t id = 0, device_id = 0, scene_id = 0;

    if (!device != !scene)
        return error_set(error, ERROR_USAGE, "a baseline is pinned for the whole store, or for a cell with both --device and --scene");
    return (strcmp(name, "none") == 0 || model_find_build(model, name, &id, error)) &&
           (!device || (model_find_device(model, device, &device_id, error) && model_find_scene(model, scene, &scene_id, error))) &&
           model_pin_baseline(model, device_id, scene_id, id, error);
}

/* --build BUILD: only this one. ("--baseline" means the pin here, so the common filters do not fit.) */
static bool build_filter(const struct invocation *invocation, struct model *model, struct table_request *request, struct error *error)
{
    const char *build = invocation_value(invocation, OPTION_BUILD);

    table_request_default(request);
    return !build || strcmp(build, "all") == 0 || model_find_build(model, build, &request->build, error);
}

static bool set_all(struct model *model, const struct option_values *texts, bool (*set)(struct model *model, const char *text, struct error *error),
                    struct error *error)
{
    for (size_t i = 0; i < texts->count; i++)
        if (!set(model, texts->items[i], error))
            return false;
    return true;
}

static bool load_builds(const struct invocation *invocation, struct model *model, const char *path, struct error *error);

int verb_builds(struct invocation *invocation, struct error *error)
{
    const char *baseline = invocation_value(invocation, OPTION_BASELINE), *load = invocation_value(invocation, OPTION_LOAD);
    struct table_request request;
    struct model *model;
    struct table *table = NULL;
    int status = EXIT_TROUBLE;

    /* Commits may be known before the first upload. */
    if (!(load ? invocation_create_model(invocation, false, &model, error) : invocation_open_model(invocation, &model, error)))
        return EXIT_TROUBLE;
    if ((!load || (load_builds(invocation, model, load, error) && model_reload(model, error))) && set_all(model, &invocation->values[OPTION_LINK], model_set_link, error) &&
        build_filter(invocation, model, &request, error) && (!baseline || pin_baseline(invocation, model, baseline, error)) &&
        mark_builds(model, &invocation->values[OPTION_BAD], true, error) &&
        mark_builds(model, &invocation->values[OPTION_GOOD], false, error) && model_reload(model, error))
        table = table_builds(model, &request, error);
    if (table && filter_rows(invocation, model, table, error))
        status = print_table(invocation, table, error);
    else
        table_destroy(table);
    model_close(model);
    return status;
}

static void name_unknown_columns(const struct invocation *invocation, const struct csv_file *file, const char *const *known, size_t known_count)
{
    for (size_t c = 0; c < file->widths[0]; c++) {
        bool found = false;

        for (size_t k = 0; k < known_count; k++)
            found |= text_equals_ignoring_case(file->rows[0][c], known[k]);
        if (!found) {
            char *text = memory_print("%s: column \"%s\" is not used", file->path, file->rows[0][c]);

            say_remark(invocation, text);
            free(text);
        }
    }
}

static bool field_number(const struct csv_file *file, size_t row, const char *column, int64_t scale, int64_t *ret, struct error *error)
{
    const char *text = csv_file_field(file, row, csv_file_column(file, column));

    if (number_is_absent(text, strlen(text)))
        return true;
    if (number_parse_scaled(text, strlen(text), scale, strchr(text, ',') != NULL, ret) == NUMBER_OK && *ret > 0)
        return true;
    return error_set(error, ERROR_INPUT, "%s:%zu: %s: expected a number above 0, found \"%s\"", file->path, file->lines[row], column, text);
}

static const char *field_or_null(const struct csv_file *file, size_t row, const char *column)
{
    const char *text = csv_file_field(file, row, csv_file_column(file, column));

    return *text ? text : NULL;
}

static bool load_build(struct model *model, const struct csv_file *file, size_t row, struct error *error)
{
    const char *name = csv_file_field(file, row, csv_file_column(file, "build")), *built_at = field_or_null(file, row, "built_at");
    int64_t built_at_ms = VALUE_UNKNOWN;

    if (!*name)
        return error_set(error, ERROR_INPUT, "%s:%zu: build: expected its name, found nothing", file->path, file->lines[row]);
    if (built_at && !clock_parse(built_at, &built_at_ms))
        return error_set(error, ERROR_INPUT, "%s:%zu: built_at: expected a date such as 2025-11-27T02:10:00Z, found \"%s\"", file->path,
                         file->lines[row], built_at);
    return model_declare_build(model, name, field_or_null(file, row, "commit"), field_or_null(file, row, "ci_run"), built_at_ms, error);
}

static bool load_builds(const struct invocation *invocation, struct model *model, const char *path, struct error *error)
{
    static const char *const known[] = {"build", "commit", "ci_run", "built_at"};
    struct csv_file file;
    bool good;

    if (!csv_file_read(path, &file, error))
        return false;
    good = csv_file_column(&file, "build") != SIZE_MAX ||
           error_set(error, ERROR_INPUT, "%s:%zu: expected a column build, found %s", path, file.lines[0], file.rows[0][0]);
    if (good)
        name_unknown_columns(invocation, &file, known, sizeof known / sizeof *known);
    for (size_t row = 1; row < file.count && good; row++)
        good = load_build(model, &file, row, error);
    csv_file_free(&file);
    return good;
}

static bool load_device(struct model *model, const struct csv_file *file, size_t row, struct error *error)
{
    int64_t fps_milli = VALUE_UNKNOWN, weight_micro = 1000000;
    const char *device_model = csv_file_field(file, row, csv_file_column(file, "device_model"));
    const char *chip = field_or_null(file, row, "soc");

    if (!*device_model)
        return error_set(error, ERROR_INPUT, "%s:%zu: device_model: expected the model, found nothing", file->path, file->lines[row]);
    if (!chip)
        chip = field_or_null(file, row, "model_code");
    if (!field_number(file, row, "target_fps", 1000, &fps_milli, error) || !field_number(file, row, "weight", 1000000, &weight_micro, error))
        return false;

    struct device_row device = {
        .model = (char *)device_model,
        .chip = (char *)chip,
        .name = (char *)field_or_null(file, row, "name"),
        .tier = (char *)field_or_null(file, row, "tier"),
        .target_fps_milli = fps_milli,
        .weight = (double)weight_micro / 1000000,
        .declared = true,
    };

    return model_declare_device(model, &device, error);
}

/* What was declared and cannot be listed yet would look as if it had not been taken. */
static void name_devices_to_come(const struct invocation *invocation, const struct model *model, const struct csv_file *file)
{
    const struct device_list *devices = model_devices(model);
    struct dictionary *here = dictionary_create();
    size_t column = csv_file_column(file, "device_model"), to_come = 0;
    char *text;

    for (size_t d = 0; d < devices->count; d++)
        dictionary_add(here, devices->items[d].model, strlen(devices->items[d].model));
    for (size_t row = 1; row < file->count; row++) {
        const char *name = csv_file_field(file, row, column);

        to_come += !dictionary_find(here, name, strlen(name));
    }
    dictionary_destroy(here);
    if (!to_come)
        return;
    text = memory_print("%s: %zu device%s declared; %zu of them without a run in this store, kept for the first upload", file->path, file->count - 1,
                        text_plural((int64_t)file->count - 1), to_come);
    say_remark(invocation, text);
    free(text);
}

static bool load_devices(const struct invocation *invocation, struct model *model, const char *path, struct error *error)
{
    static const char *const known[] = {"device_model", "soc", "model_code", "name", "tier", "target_fps", "weight"};
    struct csv_file file;
    bool good;

    if (!csv_file_read(path, &file, error))
        return false;
    good = csv_file_column(&file, "device_model") != SIZE_MAX ||
           error_set(error, ERROR_INPUT, "%s:%zu: expected a column device_model, found %s", path, file.lines[0], file.rows[0][0]);
    if (good)
        name_unknown_columns(invocation, &file, known, sizeof known / sizeof *known);
    for (size_t row = 1; row < file.count && good; row++)
        good = load_device(model, &file, row, error);
    if (good)
        name_devices_to_come(invocation, model, &file);
    csv_file_free(&file);
    return good;
}

int verb_devices(struct invocation *invocation, struct error *error)
{
    const char *load = invocation_value(invocation, OPTION_LOAD);
    struct table_request request;
    struct model *model;
    struct table *table = NULL;
    int status = EXIT_TROUBLE;

    /* Names and weights may be known before the first upload. */
    if (!(load ? invocation_create_model(invocation, false, &model, error) : invocation_open_model(invocation, &model, error)))
        return EXIT_TROUBLE;
    if (load && !(load_devices(invocation, model, load, error) && model_reload(model, error))) {
        model_close(model);
        return EXIT_TROUBLE;
    }
    if (set_all(model, &invocation->values[OPTION_POLICY], model_set_policy, error) && build_filter(invocation, model, &request, error))
        table = table_devices(model, &request, error);
    if (table && filter_rows(invocation, model, table, error))
        status = print_table(invocation, table, error);
    else
        table_destroy(table);
    model_close(model);
    return status;
}

static bool load_expectations(const struct invocation *invocation, struct model *model, const char *path, struct error *error)
{
    static const char *const known[] = {"device_model", "scene"};
    struct {
        struct expectation_row *items;
        size_t count, capacity;
    } rows = {0};
    struct csv_file file;
    bool good;

    if (!csv_file_read(path, &file, error))
        return false;
    good = csv_file_column(&file, "device_model") != SIZE_MAX ||
           error_set(error, ERROR_INPUT, "%s:%zu: expected the columns device_model and scene, found %s", path, file.lines[0], file.rows[0][0]);
    if (good)
        name_unknown_columns(invocation, &file, known, sizeof known / sizeof *known);
    for (size_t row = 1; row < file.count && good; row++)
        array_push(&rows, (struct expectation_row){
                              .kind = EXPECTATION_EXPECTED,
                              .device_model = (char *)csv_file_field(&file, row, csv_file_column(&file, "device_model")),
                              .scene = (char *)field_or_null(&file, row, "scene"),
                          });
    good = good && model_expect(model, rows.items, rows.count, error);
    array_free(&rows);
    csv_file_free(&file);
    return good;
}

/* "DEVICE/SCENE" or "DEVICE"; names may hold a slash, so the scene is what stands behind the last one and exists. */
static bool retire(struct model *model, const char *what, const char *note, struct error *error)
{
    char *name = memory_copy_text(what);
    char *slash = strrchr(name, '/');
    int64_t device, scene = 0;
    bool good;

    if (slash && model_find_scene(model, slash + 1, &scene, NULL))
        *slash = '\0';
    good = model_find_device(model, name, &device, error) && model_retire(model, device, scene, note, error);
    free(name);
    return good;
}

static bool skip(struct model *model, const struct invocation *invocation, struct error *error)
{
    const char *name = invocation_value(invocation, OPTION_BUILD);
    int64_t device, build = model_newest_build(model);

    return (!name || model_find_build(model, name, &build, error)) &&
           model_find_device(model, invocation_value(invocation, OPTION_SKIP), &device, error) &&
           model_skip(model, device, build, invocation_value(invocation, OPTION_NOTE), error);
}

static bool change_expectations(struct invocation *invocation, struct model *model, struct error *error)
{
    const char *expect = invocation_value(invocation, OPTION_EXPECT);
    const struct option_values *retired = &invocation->values[OPTION_RETIRE];

    if (expect && !load_expectations(invocation, model, expect, error))
        return false;
    for (size_t i = 0; i < retired->count; i++)
        if (!retire(model, retired->items[i], invocation_value(invocation, OPTION_NOTE), error))
            return false;
    return !invocation_has(invocation, OPTION_SKIP) || skip(model, invocation, error);
}

/* JSON has them at its head. */
static bool write_nights(const struct invocation *invocation, struct model *model, const struct table_request *request, struct error *error)
{
    struct missed_nights nights;
    struct text_buffer out = {0};
    bool good = true;

    if (invocation_has(invocation, OPTION_JSON) || invocation_has(invocation, OPTION_CSV) || invocation_has(invocation, OPTION_OUTPUT))
        return true;
    if (!model_missed_nights(model, request->today_ms, &nights, error))
        return false;
    add_nights(&out, &nights);
    if (out.count)
        good = write_out(invocation, out.items, out.count, error);
    array_free(&out);
    missed_nights_free(&nights);
    return good;
}

/* The remarks of the import; JSON has the reports at its head. */
static bool write_remarks(const struct invocation *invocation, struct model *model, const struct table_request *request, struct error *error)
{
    struct json *imports;
    bool good = true;
    char *text;

    if (invocation_has(invocation, OPTION_JSON) || invocation_has(invocation, OPTION_CSV) || invocation_has(invocation, OPTION_OUTPUT))
        return true;
    imports = model_imports(model, request->build > 0 ? request->build : model_newest_build(model), request->device, error);
    if (!imports)
        return false;
    text = imports_text(imports);
    if (*text)
        good = write_out(invocation, text, strlen(text), error);
    free(text);
    json_destroy(imports);
    return good;
}

int verb_coverage(struct invocation *invocation, struct error *error)
{
    struct table_request request;
    struct model *model;
    struct table *table = NULL;
    int status = EXIT_TROUBLE;

    if (!invocation_open_model(invocation, &model, error))
        return EXIT_TROUBLE;
    if (change_expectations(invocation, model, error) && invocation_request(invocation, model, &request, error))
        table = table_coverage(model, &request, error);
    if (table && filter_rows(invocation, model, table, error))
        status = print_table(invocation, table, error);
    else
        table_destroy(table);
    if (status == EXIT_DONE && (!write_nights(invocation, model, &request, error) || !write_remarks(invocation, model, &request, error)))
        status = EXIT_TROUBLE;
    model_close(model);
    return status;
}
