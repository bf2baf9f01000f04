#include "stutterscope/model/tickets.h"

#include "internal.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/findings.h"
#include <stdlib.h>
#include <string.h>

bool model_keep_ticket(struct model *model, const char *reference, int64_t build, const char *payload, const struct triage_subject *subjects,
                       size_t count, struct error *error)
{
    const struct triage_change change = {.state = triage_state_name(TRIAGE_FILED), .ticket = reference, .payload = payload};
    int64_t decision;

    return model_decide(model, subjects, count, &change, build, &decision, error);
}

bool model_file_ticket(struct model *model, const struct filed_ticket *ticket, struct error *error)
{
    struct {
        struct triage_subject *items;
        size_t count, capacity;
    } subjects = {0};
    bool good = true;

    for (size_t i = 0; i < ticket->id_count && good; i++) {
        struct triage_subject subject;
        enum verdict verdict;

        good = model_find_subject(model, ticket->ids[i], &subject, &verdict, error);
        if (good)
            array_push(&subjects, subject);
    }
    if (subjects.count)
        good = good && model_keep_ticket(model, ticket->reference, subjects.items[0].key.build, ticket->payload, subjects.items, subjects.count, error);
    array_free(&subjects);
    return good;
}

static char *say(struct model *model, const struct stutter_entry *entry, const char *reference, const char *build, const char *who)
{
    const struct device_row *device = model_device(model, entry->stutter.key.device);
    const char *event = model_text(model, entry->stutter.event);
    struct text_buffer text = {0};

    text_add_print(&text, "%s · %s · %s: %s%s%s", device ? model_device_title(device) : "?", model_scene_name(model, entry->stutter.key.scene),
                   event ? event : frame_label_name(entry->stutter.label), reference ? reference : "", reference ? ", " : "",
                   triage_state_name(entry->triage.state));
    if (entry->triage.joined)
        text_add(&text, " (as on other devices)");
    if (build && *build)
        text_add_print(&text, ", in %s", build);
    if (who && *who)
        text_add_print(&text, " by %s", who);
    return text_take(&text);
}

bool model_known_ticket(struct model *model, const char *id, char **ret_text, bool *ret_filed, struct error *error)
{
    const struct stutter_entry *entry = model_find_stutter(model, id, error);
    struct ticket_row row = {0};
    bool found = false;

    *ret_text = NULL;
    *ret_filed = false;
    if (!entry || !store_find_ticket(model_store(model), entry->fingerprint, NULL, &row, &found, error))
        return false;
    *ret_filed = found || (entry->triage.ticket && *entry->triage.ticket);
    if (*ret_filed || entry->triage.state != TRIAGE_UNDECIDED)
        *ret_text = say(model, entry, entry->triage.ticket ? entry->triage.ticket : found ? row.reference : NULL,
                        entry->triage.build ? entry->triage.build : row.build, entry->triage.who ? entry->triage.who : row.who);
    ticket_row_free(&row);
    return true;
}
