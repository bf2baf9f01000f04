/*
 * A ticket beside what people decided: what is known before it is written, and what is kept after it was filed.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/model/tickets.h"
#include "ticket_output.h"
#include <stdlib.h>

bool ticket_show_known(struct invocation *invocation, struct model *model, bool files, struct error *error)
{
    bool filed = false;

    for (size_t i = 0; i < invocation->operand_count; i++) {
        char *text;
        bool has_ticket;

        if (!model_known_ticket(model, invocation->operands[i], &text, &has_ticket, error))
            return false;
        filed |= has_ticket;
        if (text)
            say_remark(invocation, text);
        free(text);
    }
    return !files || !filed || invocation_has(invocation, OPTION_AGAIN) ||
           error_set(error, ERROR_USAGE, "nothing was filed: there is a ticket already; --again files another one");
}

bool ticket_keep_reference(struct invocation *invocation, struct model *model, const struct json *payload, const char *reference, struct error *error)
{
    char *text = json_print(payload);
    const struct filed_ticket ticket = {
        .reference = reference,
        .payload = text,
        .ids = invocation->operands,
        .id_count = invocation->operand_count,
    };
    bool good = model_file_ticket(model, &ticket, error);

    free(text);
    if (!good)
        return error_prefix(error, "%s was filed, but the store does not know it", reference);
    say_remark(invocation, "the store knows it as filed; \"stutterscope triage --undo\" takes that back");
    return true;
}
