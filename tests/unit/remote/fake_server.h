/*
 * A tiny HTTP server on a loopback port that answers what it was told, by a word of the question: so that every wrong
 * answer can be tried without a real server.
 */
#ifndef TEST_FAKE_SERVER_H
#define TEST_FAKE_SERVER_H

#include <stddef.h>
#include <sys/types.h>

struct fake_answer {
    const char *word;   /* the first answer whose word stands in the question is given; "" fits all */
    int status;         /* 0: the connection is closed without an answer */
    const char *body;
    size_t cut;         /* so many bytes less than announced are sent */
};
struct fake_server {
    pid_t process;
    int port;           /* 0 at first: any */
    char address[64];   /* clickhouse://127.0.0.1:PORT/game */
    char log[64];       /* a file with the questions, one after the other */
};
/* answers: up to one without a word. */
void fake_server_start(struct fake_server *server, const struct fake_answer *answers);
void fake_server_stop(struct fake_server *server);
/* All questions so far; a new string. */
char *fake_server_questions(const struct fake_server *server);

#endif
