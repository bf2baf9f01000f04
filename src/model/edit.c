#include "stutterscope/model/edit.h"

#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/triage.h"
#include <stdlib.h>

bool model_pin_baseline(struct model *model, int64_t device, int64_t scene, int64_t build, struct error *error)
{
    char *user = triage_user();
    struct triage_author author = {user, clock_now_ms()};
    int64_t decision;
    bool good = store_decide_baseline(model->store, device, scene, build ? model_build_name(model, build) : NULL, &author, &decision, error);

    free(user);
    if (good)
        entries_forget(model);
    return good && triage_load(model, error);
}

bool model_mark_build(struct model *model, int64_t build, bool bad, struct error *error)
{
    struct build_row row = *model_build(model, build);

    row.bad = bad;
    return store_update_build(model->store, &row, error) && model_reload(model, error);
}

bool model_declare_build(struct model *model, const char *name, const char *commit, const char *ci_run, int64_t built_at_ms, struct error *error)
{
    struct build_list builds = {0};
    int64_t id;
    bool good = store_find_or_add_build(model->store, name, &id, error) && store_list_builds(model->store, &builds, error);

    for (size_t i = 0; i < builds.count && good; i++) {
        struct build_row row = builds.items[i];

        if (row.id != id)
            continue;
        row.commit = commit ? (char *)commit : row.commit;
        row.ci_run = ci_run ? (char *)ci_run : row.ci_run;
        row.built_at_ms = built_at_ms != VALUE_UNKNOWN ? built_at_ms : row.built_at_ms;
        good = store_update_build(model->store, &row, error);
    }
    build_list_free(&builds);
    return good;
}

bool model_declare_device(struct model *model, const struct device_row *row, struct error *error)
{
    return store_declare_device(model->store, row, error);
}

bool model_expect(struct model *model, const struct expectation_row *rows, size_t count, struct error *error)
{
    if (!store_clear_expectations(model->store, EXPECTATION_EXPECTED, error))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!store_add_expectation(model->store, &rows[i], error))
            return false;
    return true;
}

bool model_retire(struct model *model, int64_t device, int64_t scene, const char *note, struct error *error)
{
    struct expectation_row row = {
        .kind = EXPECTATION_RETIRED,
        .device_model = model_device(model, device)->model,
        .scene = (char *)model_scene_name(model, scene),
        .note = (char *)note,
    };

    return store_add_expectation(model->store, &row, error);
}

bool model_skip(struct model *model, int64_t device, int64_t build, const char *note, struct error *error)
{
    struct expectation_row row = {
        .kind = EXPECTATION_SKIPPED,
        .device_model = model_device(model, device)->model,
        .build = (char *)model_build_name(model, build),
        .note = (char *)note,
    };

    return store_add_expectation(model->store, &row, error);
}

bool model_check(struct model *model, bool repair, void (*problem)(void *user, const char *text), void *user, int64_t *ret_problems,
                 struct error *error)
{
    return (!repair || store_drop_derived(model->store, error)) && store_check(model->store, problem, user, ret_problems, error);
}
