/*
 * What the tests of ticket texts share: payloads of the small store, the user's folder, looking into texts.
 */
#ifndef STUTTERSCOPE_TESTS_UNIT_TICKET_TEXTS_H
#define STUTTERSCOPE_TESTS_UNIT_TICKET_TEXTS_H

#include "stutterscope/model/model.h"
#include "stutterscope/ticket/ticket.h"
#include "stutterscope/ticket/verification.h"

/* The user's folder of a test, empty unless it is written to: for TestSuite(.init, .fini). */
void use_empty_config(void);
void remove_config(void);
void write_config(const char *name, const char *text);

/* The payload of the first one or two stutters of the small store, as JSON text. */
char *payload_text(const char *scene, size_t count);
/* A verification of the first two stutters of the small store: the first is gone, the second as said. */
struct json *some_verification(struct model *model, enum verification_result second);
struct json *parse_payload(const char *text);
/* Writes the ticket of a payload in which every `from` is a `to` (NULL: as it is). */
struct ticket write_ticket(const char *payload_as_text, const char *from, const char *to,
                           const struct ticket_options *options);

size_t count_of(const char *text, const char *part);
/* Every row of the tables in the text has so many cells. */
void check_rows(const char *text, const char *bar, size_t cells);
void expect_in_order(const char *text, const char *const *parts, size_t count);
#define EXPECT_IN_ORDER(text, ...)                                                                           \
    do {                                                                                                     \
        const char *const parts_[] = {__VA_ARGS__};                                                          \
        expect_in_order(text, parts_, sizeof parts_ / sizeof *parts_);                                       \
    } while (0)

#endif
