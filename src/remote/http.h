/*
 * One POST after the other over libcurl; the only place that knows it. Certificates are checked, redirects
 * are not followed, nothing but http and https is spoken.
 */
#ifndef STUTTERSCOPE_REMOTE_HTTP_H
#define STUTTERSCOPE_REMOTE_HTTP_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>

enum { HTTP_REFUSAL_MOST = 4096 };

struct http_part {
    const char *name; /* of a form field that is sent as a file; NULL: there is none */
    const char *bytes;
    size_t size;
};
struct http_request {
    const char *url;
    const char *user, *password; /* NULL: none */
    const char *body;            /* unless there is a part */
    struct http_part part;
    bool proxy; /* whether the proxy of the environment is used */
    void *user_data;
    /* Bytes of an answer with status 200, as they come. false ends it, with the error. */
    bool (*take)(void *user, const char *bytes, size_t size, struct error *error);
    /* Now and then while it lasts; false stops it, with the error. */
    bool (*wait)(void *user, struct error *error);
};
struct http_answer {
    long status;
    char refusal[HTTP_REFUSAL_MOST]; /* the begin of what came with any other status */
    size_t refusal_size;
};

struct http;
struct http *http_create(void);
void http_destroy(struct http *http);
/* false: nothing came, or what came was cut or refused by take(), or wait() stopped it. */
bool http_post(struct http *http, const struct http_request *request, struct http_answer *ret,
               struct error *error);
/* A new string, percent-encoded. */
char *http_escape(const char *text);

#endif
