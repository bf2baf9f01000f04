/*
 * Payloads as they come back: alone or inside the text of a ticket, whole, shortened or cut. What is found is written as
 * a ticket again.
 */
#include "fuzz.h"

#include "stutterscope/ticket/payload_read.h"
#include "stutterscope/ticket/ticket.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const templates[] = {"github", "jira-ko", "plain-ja"};
    struct error error = {0};
    struct json *payload = payload_find((const char *)bytes, size, TICKET_KIND_COUNT, &error);
    char *text = payload ? json_print(payload) : NULL;

    if (!payload && !error.text[0])
        abort(); /* whoever gave it has to be told why */
    for (size_t i = 0; payload && i < sizeof templates / sizeof *templates; i++) {
        struct ticket_options options = {.template = templates[i]};
        struct ticket ticket;

        if (!ticket_write(payload, &options, &ticket, &error))
            continue;
        if (ticket.length > ticket.format->body_limit)
            abort();
        ticket_free(&ticket);
    }
    free(text);
    json_destroy(payload);
    return 0;
}
