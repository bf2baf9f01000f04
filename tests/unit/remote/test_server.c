#include "fake_server.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/remote/server.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const struct answer_column columns[] = {{"a", ANSWER_INTEGER}};

static bool count(void *user, const struct answer_value *values, struct error *error)
{
    (void)error;
    *(int64_t *)user += values[0].integer;
    return true;
}

static bool ask(const struct fake_server *fake, const struct progress *progress, int64_t *ret,
                struct error *error)
{
    struct remote_address address;
    struct remote_server *server;
    struct remote_question question = {
        .sql = "SELECT 1 AS a", .columns = columns, .column_count = 1, .row = count, .user = ret};
    bool good;

    setenv("STUTTERSCOPE_CLICKHOUSE_USER", "the-user", 1);
    setenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD", "hunter2", 1);
    cr_assert(remote_address_parse(fake->address, &address, error), "%s", error->text);
    cr_assert(remote_server_create(&address, &server, error), "%s", error->text);
    remote_server_set_progress(server, progress, "asking", 0, 0);
    good = remote_server_ask(server, &question, error);
    remote_server_destroy(server);
    remote_address_free(&address);
    return good;
}

Test(server, an_answer)
{
    static const struct fake_answer answers[] = {{"SELECT 1", 200, "a\nUInt8\n1\n41\n", 0}, {0}};
    struct fake_server fake = {0};
    struct error error = {0};
    int64_t sum = 0;

    fake_server_start(&fake, answers);
    cr_assert(ask(&fake, NULL, &sum, &error), "%s", error.text);
    cr_assert_eq(sum, 42);

    char *questions = fake_server_questions(&fake);

    cr_assert(strstr(questions, "wait_end_of_query=1") && strstr(questions, "database=game"), "%s",
              questions);
    cr_assert(strstr(questions, "Authorization: Basic dGhlLXVzZXI6aHVudGVyMg=="), "%s", questions);
    cr_assert(!strstr(questions, "hunter2"), "%s", questions);
    free(questions);
    fake_server_stop(&fake);
}

Test(server, refusals_in_clear_words)
{
    static const struct {
        struct fake_answer answers[2];
        const char *says;
    } cases[] = {
        {{{"", 500,
           "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \n\n, e.what() "
           "= DB::NetException",
           0},
          {0}},
         "a server behind the table (a shard) does not answer (code 279"},
        {{{"", 404,
           "Code: 60, e.displayText() = DB::Exception: Table game.x doesn't exist., e.what() = DB::Exception",
           0},
          {0}},
         "there is no such table"},
        {{{"", 404,
           "Code: 60. DB::Exception: Table game.x does not exist. (UNKNOWN_TABLE) (version 26.7.2.1)", 0},
          {0}},
         "there is no such table"},
        {{{"", 403, "Code: 516. DB::Exception: the-user: Authentication failed: hunter2", 0}, {0}},
         "does not know this user or password (code 516: ********: "},
        {{{"", 200, "Code: 241, e.displayText() = DB::Exception: Memory limit", 0}, {0}},
         "needs more memory than it allows"},
        {{{"", 401, "", 0}, {0}}, "does not let this user in"},
        {{{"", 302, "", 0}, {0}}, "sends elsewhere, which is not followed"},
        {{{"", 404, "<html>\x1b]0;owned\x07 not found", 0}, {0}}, "no ClickHouse server"},
        {{{"", 500, "Code: 4711, e.displayText() = DB::Exception: whatever", 0}, {0}},
         "the server refuses the question (code 4711: whatever)"},
        {{{"", 200, "a\nUInt8\n1\n2\n", 3}, {0}}, "cut"},
        {{{"", 200, "a\nUInt8\n1\n2", 0}, {0}}, "cut"},
        {{{"", 200, "a\nString\n", 0}, {0}}, "expected a whole number for the column a"},
        {{{"", 0, "", 0}, {0}}, "without an answer"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake_server fake = {0};
        struct error error = {0};
        int64_t sum = 0;

        fake_server_start(&fake, cases[i].answers);
        cr_assert(!ask(&fake, NULL, &sum, &error), "%zu", i);
        cr_assert(strstr(error.text, cases[i].says), "%zu: %s", i, error.text);
        cr_assert(strstr(error.text, fake.address) == error.text, "%s", error.text);
        cr_assert(!strstr(error.text, "hunter2") && !strchr(error.text, '\x1b'), "%s", error.text);
        fake_server_stop(&fake);
    }
}

Test(server, nobody_there)
{
    struct fake_server fake = {0};
    static const struct fake_answer none[] = {{0}};
    struct error error = {0};
    int64_t sum = 0;

    fake_server_start(&fake, none);
    fake_server_stop(&fake);
    cr_assert(!ask(&fake, NULL, &sum, &error));
    cr_assert(strstr(error.text, "nothing answers there"), "%s", error.text);
    cr_assert_eq(error.code, ERROR_IO);
}

static bool never(void *user, const char *what, int64_t done, int64_t total)
{
    (void)user, (void)what, (void)done, (void)total;
    return false;
}

Test(server, whoever_waits_can_stop)
{
    static const struct fake_answer answers[] = {{"", 200, "a\nUInt8\n", 0}, {0}};
    struct progress progress = {never, NULL};
    struct fake_server fake = {0};
    struct error error = {0};
    int64_t sum = 0;

    fake_server_start(&fake, answers);
    cr_assert(!ask(&fake, &progress, &sum, &error));
    cr_assert_eq(error.code, ERROR_STOPPED);
    fake_server_stop(&fake);
}

Test(server, texts_stay_texts)
{
    struct text_buffer sql = {0};

    remote_add_text(&sql, "it's \\ 100%\n");
    remote_add_name(&sql, "a`b");
    remote_add_field(&sql, "x\ty\\");
    cr_assert_str_eq(sql.items, "'it\\'s \\\\ 100%\\n'`a\\`b`x\\ty\\\\");
    array_free(&sql);
}
