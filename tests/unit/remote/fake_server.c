#include "../leftovers.h"
#include "fake_server.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUESTION_MOST = 1 << 20 };

static void send_all(int connection, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(connection, bytes, size, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Head and body; percent signs of the address are not decoded, words of letters are found all the same. */
static void read_question(int connection, char *question)
{
    size_t size = 0, wanted = QUESTION_MOST;

    while (size < wanted && size < QUESTION_MOST) {
        ssize_t got = recv(connection, question + size, QUESTION_MOST - size, 0);
        const char *end, *length;

        if (got <= 0)
            break;
        size += (size_t)got;
        question[size] = '\0';
        end = strstr(question, "\r\n\r\n");
        length = strcasestr(question, "content-length:");
        if (end)
            wanted =
                (size_t)(end - question) + 4 + (length && length < end ? strtoul(length + 15, NULL, 10) : 0);
        if (end && strcasestr(question, "expect: 100-continue") && size < wanted)
            send_all(connection, "HTTP/1.1 100 Continue\r\n\r\n", 25);
    }
    question[size] = '\0';
}

static void answer_question(int connection, const struct fake_answer *answers, int log)
{
    char *question = malloc(QUESTION_MOST + 1);

    read_question(connection, question);
    if (write(log, question, strlen(question)) < 0 || write(log, "\n", 1) < 0)
        _exit(3);
    while (answers->word && !strstr(question, answers->word))
        answers++;
    free(question);
    if (!answers->word || !answers->status)
        return;

    char *head = memory_print(
        "HTTP/1.1 %d Said\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
        answers->status, strlen(answers->body));

    send_all(connection, head, strlen(head));
    send_all(connection, answers->body, strlen(answers->body) - answers->cut);
    free(head);
}

void fake_server_start(struct fake_server *server, const struct fake_answer *answers)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), log;

    snprintf(server->log, sizeof server->log, "/tmp/stutterscope-questions-XXXXXX");
    address.sin_port = htons((uint16_t)server->port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    log = mkstemp(server->log);
    cr_assert(log >= 0 && listener >= 0);
    leftover_note(server->log);
    cr_assert_eq(bind(listener, (struct sockaddr *)&address, length), 0);
    cr_assert_eq(listen(listener, 8), 0);
    cr_assert_eq(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    server->port = ntohs(address.sin_port);
    snprintf(server->address, sizeof server->address, "clickhouse://127.0.0.1:%d/game", server->port);
    server->process = fork();
    cr_assert_geq(server->process, 0);
    if (server->process == 0) {
        alarm(60); /* whatever happens to the test */
        for (;;) {
            int connection = accept(listener, NULL, NULL);

            if (connection < 0)
                _exit(0);
            answer_question(connection, answers, log);
            close(connection);
        }
    }
    close(listener);
    close(log);
}

void fake_server_stop(struct fake_server *server)
{
    kill(server->process, SIGKILL);
    waitpid(server->process, NULL, 0);
    unlink(server->log);
}

char *fake_server_questions(const struct fake_server *server)
{
    struct error error;
    char *text;
    size_t size;

    cr_assert(path_read_all(server->log, 1 << 24, &text, &size, &error), "%s", error.text);
    return text;
}
