/*
 * What a tier may cost: a low-end device is no finding for being slow, only for getting worse or breaking these limits.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/findings.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_SCALE = 1000000 };

static const enum compared_figure limited[] = {COMPARED_P95, COMPARED_P99, COMPARED_MAX, COMPARED_HITCH_RATIO};
enum { LIMITED = sizeof limited / sizeof *limited };

static char *setting_name(const char *tier, enum compared_figure figure)
{
    return memory_print("policy.%s.%s", tier, compared_figure_name(figure));
}

double model_policy_limit(struct model *model, const char *tier, enum compared_figure figure)
{
    char *name = setting_name(tier && *tier ? tier : "", figure), *value = tier && *tier ? store_get_setting(model->store, name) : NULL;
    int64_t limit;
    double ret = NAN;

    if (value && number_parse_scaled(value, strlen(value), LIMIT_SCALE, false, &limit) == NUMBER_OK)
        ret = (double)limit / LIMIT_SCALE;
    free(value);
    free(name);
    return ret;
}

bool model_set_policy(struct model *model, const char *text, struct error *error)
{
    const char *colon = strchr(text, ':'), *equals = colon ? strchr(colon, '=') : NULL;
    int64_t limit;

    for (size_t i = 0; equals && colon > text && i < LIMITED; i++) {
        const char *figure = compared_figure_name(limited[i]);

        if (strlen(figure) != (size_t)(equals - colon - 1) || strncmp(figure, colon + 1, strlen(figure)) != 0)
            continue;
        if (equals[1] && (number_parse_scaled(equals + 1, strlen(equals + 1), LIMIT_SCALE, false, &limit) != NUMBER_OK || limit <= 0))
            break;

        char *tier = memory_copy_bytes(text, (size_t)(colon - text)), *name = setting_name(tier, limited[i]);
        bool good = store_set_setting(model->store, name, equals[1] ? equals + 1 : NULL, error);

        free(name);
        free(tier);
        return good;
    }

    char *clean = text_clean(text, strlen(text));

    error_set(error, ERROR_USAGE, "policy: expected TIER:FIGURE=LIMIT with a figure of p95_ms, p99_ms, max_ms, hitch_ratio_ms_per_s, such as \"low:p95_ms=50\"; found \"%s\"",
              clean);
    free(clean);
    return false;
}
