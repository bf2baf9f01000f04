#include "lift_text.h"

#include "stutterscope/model/event_lift.h"
#include "words.h"
#include <math.h>

static bool is_asked(const struct event_lift_row *row, const struct group_key *key, int64_t event)
{
    return row->key.device == key->device && row->key.scene == key->scene && row->key.quality == key->quality &&
           (row->lift.stands_out || (event && row->event == event));
}

static void add_row(struct text_buffer *text, const struct session *session, const struct event_lift_row *row,
                    int64_t within_ns, const char *indent)
{
    const struct lift *lift = &row->lift;
    const char *name = model_text(session->model, row->event);

    text_add_print(text, "%safter %s: a window within %s s after %lld of %lld (%s %%), at any time %s %%: %s\n", indent,
                   name ? name : "?", word_number((double)within_ns / NS_PER_S, 1).text, (long long)lift->followed,
                   (long long)lift->occurrences, word_number(100 * lift->share, 0).text,
                   word_number(100 * lift->base, lift->base < 0.1).text,
                   lift->stands_out ? "stands out" : "does not stand out");
}

void lift_text_add(struct text_buffer *text, struct session *session, const struct group_key *key, int64_t event,
                   const char *indent)
{
    struct event_lift_request request = {key->build, key->device, key->scene, key->quality, 0, true};
    struct event_lift lift;
    bool stands_out = false;

    if (!model_event_lift(session->model, &request, &lift, NULL))
        return;
    for (size_t i = 0; i < lift.count; i++)
        if (is_asked(&lift.items[i], key, event)) {
            add_row(text, session, &lift.items[i], lift.within_ns, indent);
            stands_out |= lift.items[i].lift.stands_out;
        }
    if (lift.count && !stands_out)
        text_add_print(text, "%sno event stands out of the %zu here\n", indent, lift.count);
    event_lift_free(&lift);
}
