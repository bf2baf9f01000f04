#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/payload_read.h"
#include "stutterscope/ticket/regressions.h"
#include "stutterscope/ticket/summary.h"
#include "stutterscope/view/config_check.h"
#include "ticket_output.h"
#include "verbs.h"
#include <stdlib.h>
#include <string.h>

/* ---- payload ---- */

static struct json *regressions(struct invocation *invocation, struct model *model, struct error *error)
{
    struct table_request request;

    if (!invocation_request(invocation, model, &request, error))
        return NULL;
    if (request.build < 0) {
        error_set(error, ERROR_USAGE, "--regressions is about one build; --build all cannot be summarised");
        return NULL;
    }
    return regressions_payload(model, request.build, request.baseline, request.progress, error);
}

/* The model is opened for what comes from the store only; *ret_model NULL otherwise. */
static struct json *make_payload(struct invocation *invocation, struct model **ret_model, struct error *error)
{
    *ret_model = NULL;
    if (invocation_has(invocation, OPTION_DATA))
        return payload_read(invocation_value(invocation, OPTION_DATA), TICKET_KIND_COUNT, error);
    if (!invocation_open_model(invocation, ret_model, error)) {
        *ret_model = NULL;
        return NULL;
    }
    if (invocation_has(invocation, OPTION_REGRESSIONS))
        return regressions(invocation, *ret_model, error);
    return ticket_payload(*ret_model, invocation->operands, invocation->operand_count, error);
}

static bool write_payload(struct invocation *invocation, const struct json *payload, struct error *error)
{
    char *text = json_print_pretty(payload), *line = memory_print("%s\n", text);
    bool good = write_output(invocation, line, strlen(line), error);

    free(line);
    free(text);
    return good;
}

/* ---- text ---- */

/* NULL without one, or when it failed, which is said: it never costs the ticket. */
static char *summarise(struct invocation *invocation, const struct ticket_config *config, const struct json *payload)
{
    const char *command = invocation_value(invocation, OPTION_SUMMARY_COMMAND);
    struct error trouble = {0};
    char *summary;

    if (!command)
        command = config->summary_command;
    if (!command || !*command)
        return NULL;
    summary = summary_run(command, config->summary_seconds, payload, invocation->shows_progress ? &invocation->progress : NULL, &trouble);
    if (!summary) {
        char *said = memory_print("the ticket is written without a summary: %s", trouble.text);

        say_remark(invocation, said);
        free(said);
    }
    return summary;
}

static bool find_options(const struct invocation *invocation, const struct ticket_config *config, struct ticket_options *ret, struct error *error)
{
    enum { MOST = 1000000 };
    const char *template = invocation_value(invocation, OPTION_TEMPLATE), *limit = invocation_value(invocation, OPTION_LIMIT);
    const char *language = invocation_value(invocation, OPTION_LANGUAGE);
    int64_t members = 0;

    *ret = ticket_config_options(config);
    if (template) { /* a template of the command line brings its own language and format */
        ret->template = template;
        ret->language = ret->format = NULL;
    }
    if (language)
        ret->language = language;
    if (!limit)
        return true;
    if (!parse_count(limit, 0, MOST, "--limit", &members, error))
        return false;
    ret->members = members ? (size_t)members : MOST;
    return true;
}

static bool find_post(const struct invocation *invocation, const struct ticket_config *config, const char **ret, struct error *error)
{
    *ret = invocation_value(invocation, OPTION_POST_COMMAND);
    if (*ret || !invocation_has(invocation, OPTION_POST))
        return true;
    *ret = config->post;
    return *ret || error_set(error, ERROR_USAGE,
                             "--post needs a command: \"post = gh issue create --title {title} -F -\" under [ticket] in the settings, or --post-command");
}

/* Stutters of the store: model, NULL otherwise. */
static bool write_text(struct invocation *invocation, const struct ticket_config *config, struct model *model, const struct json *payload,
                       struct error *error)
{
    struct ticket_options options;
    struct ticket ticket = {0};
    const char *post;
    char *summary = NULL, *reference = NULL;
    bool good = find_post(invocation, config, &post, error) && find_options(invocation, config, &options, error) &&
                (!model || ticket_show_known(invocation, model, post != NULL, error));

    if (good) {
        options.summary = summary = summarise(invocation, config, payload);
        good = ticket_write(payload, &options, &ticket, error);
        if (good && ticket.shortened)
            say_remark(invocation, "some evidence was left out: the tracker takes no more text");
        good = good && ticket_edit(invocation, &ticket, error) && ticket_deliver(invocation, &ticket, post, &reference, error) &&
               (!reference || !model || ticket_keep_reference(invocation, model, payload, reference, error));
    }
    ticket_free(&ticket);
    free(reference);
    free(summary);
    return good;
}

static bool read_config(struct settings *settings, struct ticket_config *config, struct error *error)
{
    char *path = path_config_file();
    bool good = settings_read_file(settings, path, error) && config_check(settings, error);

    if (good && !ticket_config_read(settings, config, error))
        good = error_prefix(error, "%s", path);
    free(path);
    return good;
}

bool ticket_print(struct invocation *invocation, const struct json *payload, struct error *error)
{
    struct settings *settings = settings_create();
    struct ticket_config config;
    bool good = read_config(settings, &config, error) && write_text(invocation, &config, NULL, payload, error);

    settings_destroy(settings);
    return good;
}

int verb_ticket(struct invocation *invocation, struct error *error)
{
    struct settings *settings;
    struct ticket_config config;
    struct model *model = NULL;
    struct json *payload = NULL;
    bool good;

    if (invocation_has(invocation, OPTION_LIST_TEMPLATES))
        return ticket_print_templates(invocation, error);
    if (invocation_has(invocation, OPTION_LIST_NAMES))
        return ticket_print_names(invocation, error);
    if (invocation_has(invocation, OPTION_SHOW_TEMPLATE))
        return ticket_print_template(invocation, error);
    if (invocation_has(invocation, OPTION_CHECK_TEMPLATE))
        return ticket_print_faults(invocation, error);
    settings = settings_create();
    good = read_config(settings, &config, error) && (payload = make_payload(invocation, &model, error));
    if (good && (invocation_has(invocation, OPTION_PAYLOAD) || invocation_has(invocation, OPTION_JSON)))
        good = write_payload(invocation, payload, error);
    else if (good)
        good = write_text(invocation, &config, invocation->operand_count ? model : NULL, payload, error);
    json_destroy(payload);
    model_close(model);
    settings_destroy(settings);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}
