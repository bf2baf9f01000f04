/*
 * Questions to a ClickHouse server over its HTTP interface. Asks only when told to; says in clear words what
 * the server refuses; its words never hold the credentials.
 */
#ifndef STUTTERSCOPE_REMOTE_SERVER_H
#define STUTTERSCOPE_REMOTE_SERVER_H

#include "stutterscope/base/progress.h"
#include "stutterscope/remote/address.h"
#include "stutterscope/remote/answer.h"

struct remote_server;
/* Finds the credentials; the network is not touched yet. */
bool remote_server_create(const struct remote_address *address, struct remote_server **ret,
                          struct error *error);
void remote_server_destroy(struct remote_server *server);
const struct remote_address *remote_server_address(const struct remote_server *server);
/* What is reported while an answer is waited for. progress may be NULL; it must outlive the questions. */
void remote_server_set_progress(struct remote_server *server, const struct progress *progress,
                                const char *what, int64_t done, int64_t total);

/* A table that goes with the question, as tab-separated rows. */
struct remote_table {
    const char *name, *structure; /* "a String, b Array(Int64)" */
    const char *rows;
    size_t size;
};
struct remote_question {
    const char *sql;
    const struct remote_table *table; /* NULL: none */
    const struct answer_column *columns;
    size_t column_count;
    bool (*row)(void *user, const struct answer_value *values, struct error *error);
    void *user;
};
/* The rows are final only when it returns true. */
bool remote_server_ask(struct remote_server *server, const struct remote_question *question,
                       struct error *error);

/* 'text' as SQL reads it: quoted, with what must be escaped. Adds to sql. */
struct text_buffer;
void remote_add_text(struct text_buffer *sql, const char *text);
void remote_add_name(struct text_buffer *sql, const char *name); /* `name` */
/* A field of a tab-separated row, and one inside an array there ('text'). */
void remote_add_field(struct text_buffer *rows, const char *text);

#endif
