/*
 * Links to the commits between two builds and to the CI run of one, from templates of the team.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/status.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct link_value {
    const char *name, *value;
};

static void add_encoded(struct text_buffer *out, const char *text)
{
    for (; *text; text++) {
        if (isalnum((unsigned char)*text) || strchr("-._~", *text))
            text_add_bytes(out, text, 1);
        else
            text_add_print(out, "%%%02X", (unsigned char)*text);
    }
}

static const struct link_value *value_at(const char *text, const struct link_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(values[i].name);

        if (strncmp(text + 1, values[i].name, length) == 0 && text[length + 1] == '}')
            return &values[i];
    }
    return NULL;
}

static char *fill(const char *template, const struct link_value *values, size_t count)
{
    struct text_buffer out = {0};

    while (*template) {
        const struct link_value *value = *template == '{' ? value_at(template, values, count) : NULL;

        if (value) {
            add_encoded(&out, value->value);
            template += strlen(value->name) + 2;
        } else {
            text_add_bytes(&out, template++, 1);
        }
    }
    return text_take(&out);
}

char *model_compare_link(struct model *model, int64_t from_build, int64_t to_build)
{
    const struct build_row *from = model_build(model, from_build), *to = model_build(model, to_build);
    char *template = from && to && from->commit && to->commit ? store_get_setting(model->store, "link.compare") : NULL;
    char *link = NULL;

    if (template) {
        const struct link_value values[] = {{"from", from->commit}, {"to", to->commit}};

        link = fill(template, values, sizeof values / sizeof *values);
    }
    free(template);
    return link;
}

char *model_ci_link(struct model *model, int64_t build)
{
    const struct build_row *row = model_build(model, build);
    char *template, *link;

    if (!row || !row->ci_run)
        return NULL;
    if (strncmp(row->ci_run, "https://", 8) == 0 || strncmp(row->ci_run, "http://", 7) == 0)
        return text_clean(row->ci_run, strlen(row->ci_run)); /* telemetry that carries the link itself */
    template = store_get_setting(model->store, "link.ci");
    if (!template)
        return NULL;

    const struct link_value values[] = {{"ci_run", row->ci_run}, {"build", row->name}};

    link = fill(template, values, sizeof values / sizeof *values);
    free(template);
    return link;
}

bool model_set_link(struct model *model, const char *text, struct error *error)
{
    static const struct {
        const char *prefix, *setting, *wanted;
    } links[] = {{"compare=", "link.compare", "{from}"}, {"ci=", "link.ci", "{ci_run}"}};

    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        size_t length = strlen(links[i].prefix);

        if (strncmp(text, links[i].prefix, length) != 0)
            continue;
        if (text[length] && !strstr(text, links[i].wanted))
            return error_set(error, ERROR_USAGE, "link: expected %s in the template, found \"%s\"", links[i].wanted, text + length);
        return store_set_setting(model->store, links[i].setting, text[length] ? text + length : NULL, error);
    }
    return error_set(error, ERROR_USAGE,
                     "link: expected compare=TEMPLATE with {from} and {to}, or ci=TEMPLATE with {ci_run}; found \"%s\"", text);
}
