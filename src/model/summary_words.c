#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/summary.h"
#include "stutterscope/store/summary.h"
#include <stdlib.h>
#include <string.h>

/* The first run that the settings cannot show windows of; NULL: there is none. */
static const struct run_row *find_blind(struct model *model, const struct run_list *runs,
                                        enum summary_fit *ret_fit)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct run_row *run = &runs->items[i];
        int64_t fps_milli =
            model_fps_milli(model, run, model_device(model, run->device), VALUE_UNKNOWN, VALUE_UNKNOWN);

        if (!run->summarised)
            continue;
        *ret_fit = model_summary_fit(model, run);
        if (*ret_fit == SUMMARY_OTHER ||
            frame_limits_of(&model->settings, fps_milli).alert_ns < run->limit_ns)
            return run;
    }
    return NULL;
}

/* The options that say what is set now. */
static char *options_text(const struct analysis_settings *settings)
{
    char factor[64], fps[64];
    bool fixed = settings->fps_milli > 0;

    analysis_settings_print(settings, "factor", factor, sizeof factor);
    analysis_settings_print(settings, "fps", fps, sizeof fps);
    return memory_print("--factor %s%s%s%s", factor, fixed ? " --fps " : "", fixed ? fps : "",
                        settings->labels ? "" : " --no-labels");
}

char *model_summary_warning(struct model *model, int64_t build, struct error *error)
{
    struct run_list runs = {0};
    struct run_source source = {0};
    enum summary_fit fit = SUMMARY_FITS;
    char *text = NULL;

    if (model_list_runs(model, build, 0, &runs, error)) {
        const struct run_row *run = find_blind(model, &runs, &fit);

        if (run && store_read_run_source(model->store, run->id, &source, error)) {
            char *options = options_text(&model->settings);

            text = memory_print("%s: the server keeps the frames, and was asked with other settings (%s): no "
                                "windows%s. Import again with %s",
                                source.address ? source.address : "a server",
                                run->summary_settings ? run->summary_settings : "?",
                                fit == SUMMARY_OTHER ? " and no figures" : "", options);
            free(options);
        }
        run_source_free(&source);
    }
    run_list_free(&runs);
    return text;
}
