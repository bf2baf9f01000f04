/*
 * Which server, which table, and who asks: clickhouse:// addresses and the credentials that belong to them.
 * Credentials come from the environment or from a file that nobody else can read; they are no part of an
 * address and never shown.
 */
#ifndef STUTTERSCOPE_REMOTE_ADDRESS_H
#define STUTTERSCOPE_REMOTE_ADDRESS_H

#include "stutterscope/base/error.h"
#include <stdbool.h>

/* clickhouse://HOST[:PORT]/DATABASE[/TABLE], clickhouses:// for TLS. Ports 8123 and 8443, table "frames"
 * unless said. */
struct remote_address {
    char *host;
    int port;
    bool secure;
    char *database, *table;
    char *shown; /* the address in full, as it is stored and printed */
};
bool remote_is_address(const char *text);
/* Errors never repeat what stands before an '@'. */
bool remote_address_parse(const char *text, struct remote_address *ret, struct error *error);
void remote_address_free(struct remote_address *address);
/* The same machine: what is sent to it crosses no network. */
bool remote_address_is_local(const struct remote_address *address);
/* That the credentials of this address would cross a network without TLS, as a sentence; NULL when none do. A new string. */
char *remote_plain_warning(const char *text);

struct remote_credentials {
    char *user, *password; /* NULL: the server's default user, without a password */
};
/*
 * STUTTERSCOPE_CLICKHOUSE_USER and _PASSWORD; else the line "HOST[:PORT] USER PASSWORD" of the file named by
 * STUTTERSCOPE_CLICKHOUSE_CREDENTIALS, else of "clickhouse" in the configuration folder. A file that others
 * may read is refused.
 */
bool remote_credentials_find(const struct remote_address *address, struct remote_credentials *ret,
                             struct error *error);
void remote_credentials_free(struct remote_credentials *credentials); /* and wipes them */

#endif
