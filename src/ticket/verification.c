#include "stutterscope/ticket/verification.h"

#include "copy.h"
#include "payload_parts.h"

const char *verification_result_name(enum verification_result result)
{
    static const char *const names[VERIFICATION_RESULT_COUNT] = {"gone", "still there", "not enough",
                                                                 "not compared"};

    return names[result];
}

enum verification_result verification_join(const struct verification *verification)
{
    static const enum verification_result order[] = {VERIFICATION_STILL_THERE, VERIFICATION_NOT_ENOUGH,
                                                     VERIFICATION_NOT_COMPARED};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (order[i] == VERIFICATION_NOT_ENOUGH && verification->left_out)
            return order[i];
        for (size_t m = 0; m < verification->count; m++)
            if (verification->members[m].result == order[i])
                return order[i];
    }
    return verification->count ? VERIFICATION_GONE : VERIFICATION_NOT_COMPARED;
}

static struct json *member_of(const struct verification_member *member)
{
    static const char *const same[] = {"id",    "fingerprint", "device", "device_name",
                                       "scene", "quality",     "label",  "event"};
    static const char *const then[][2] = {{"then_build", "build"},     {"then_peak_ms", "peak_frame_ms"},
                                          {"then_windows", "windows"}, {"then_runs_hit", "runs_hit"},
                                          {"then_runs", "runs"},       {"then_seen", "seen"}};
    struct json *object = json_object();

    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        json_add(object, same[i], copy_value(json_member(member->then, same[i]), 0));
    for (size_t i = 0; i < sizeof then / sizeof *then; i++)
        json_add(object, then[i][0], copy_value(json_member(member->then, then[i][1]), 0));
    payload_add_ms(object, "now_peak_ms", member->peak_ns);
    json_add(object, "now_windows", json_from_integer(member->windows));
    json_add(object, "now_runs_hit", json_from_integer(member->runs_hit));
    json_add(object, "now_runs", json_from_integer(member->runs));
    json_add(object, "now_seen", json_from_integer(member->seen));
    json_add(object, "luck", json_from_double(member->luck, 6));
    json_add(object, "needed", json_from_integer(member->needed));
    payload_add_text(object, "result", verification_result_name(member->result));
    payload_add_text(object, "reason", member->reason);
    return object;
}

struct json *verification_payload(struct model *model, const struct verification *verification)
{
    struct json *payload = json_object(), *members = json_array();

    json_add(payload, "schema", json_from_text(VERIFICATION_SCHEMA));
    payload_add_text(payload, "series", model_series(model));
    json_add(payload, "settings", payload_settings(model));
    payload_add_text(payload, "ticket", verification->ticket);
    payload_put_build(model, payload, verification->build);
    payload_add_text(payload, "result", verification_result_name(verification->result));
    json_add(payload, "member_count", json_from_integer((int64_t)verification->count + verification->left_out));
    json_add(payload, "left_out", json_from_integer(verification->left_out));
    json_add(payload, "reopen", payload_reopen(model, NULL));
    for (size_t i = 0; i < verification->count; i++)
        json_append(members, member_of(&verification->members[i]));
    json_add(payload, "members", members);
    return payload;
}
