#include "stutterscope/model/tickets.h"

#include "internal.h"
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/model/comparison.h"
#include "stutterscope/model/findings.h"
#include <stdlib.h>
#include <string.h>

struct filing {
    struct {
        struct triage_subject *items;
        size_t count, capacity;
    } subjects;
    struct {
        char (*items)[17];
        size_t count, capacity;
    } fingerprints;
};

static bool find_all(struct model *model, const struct filed_ticket *ticket, struct filing *ret, struct error *error)
{
    for (size_t i = 0; i < ticket->id_count; i++) {
        struct triage_subject subject;
        enum verdict verdict;

        if (!model_find_subject(model, ticket->ids[i], &subject, &verdict, error))
            return false;
        array_push(&ret->subjects, subject);
        array_reserve(&ret->fingerprints, ret->fingerprints.count + 1);
        triage_fingerprint(model, &subject, ret->fingerprints.items[ret->fingerprints.count++]);
    }
    return true;
}

static bool add_ticket(struct model *model, const struct filed_ticket *ticket, const struct filing *filing, struct error *error)
{
    char *user = triage_user();
    struct ticket_row row = {.reference = (char *)ticket->reference,
                             .build = (char *)ticket->build,
                             .payload = (char *)ticket->payload,
                             .written_at_ms = clock_now_ms(),
                             .who = user};
    const char **fingerprints = memory_take_zeroed(filing->fingerprints.count + 1, sizeof *fingerprints);
    int64_t id;
    bool good;

    for (size_t i = 0; i < filing->fingerprints.count; i++)
        fingerprints[i] = filing->fingerprints.items[i];
    good = store_add_ticket(model_store(model), &row, fingerprints, filing->fingerprints.count, &id, error);
    free(fingerprints);
    free(user);
    return good;
}

bool model_file_ticket(struct model *model, const struct filed_ticket *ticket, struct error *error)
{
    const struct triage_change change = {.state = triage_state_name(TRIAGE_FILED), .ticket = ticket->reference};
    struct filing filing = {0};
    int64_t decision;
    bool good = find_all(model, ticket, &filing, error) && add_ticket(model, ticket, &filing, error) &&
                model_decide(model, filing.subjects.items, filing.subjects.count, &change, filing.subjects.items[0].key.build, &decision, error);

    array_free(&filing.subjects);
    array_free(&filing.fingerprints);
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
