#include "stutterscope/remote/server.h"

#include "http.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

enum { SAID_COLUMNS = 240 };

struct remote_server {
    struct remote_address address; /* a copy */
    struct remote_credentials credentials;
    struct http *http;
    char *url; /* up to the '?' */
    const struct progress *progress;
    const char *what;
    int64_t done, total;
};

/* What the numbers of the server's exceptions mean; the same in 18.16 and 26.7. */
static const struct {
    int code;
    const char *words;
} refusals[] = {
    {16, "a column that was asked for is not in the table of every server"},
    {43, "a column has a type that this program does not know how to read"},
    {46, "the server is too old: it lacks a function that the question needs"},
    {47, "a column that was asked for is not in the table of every server"},
    {60, "there is no such table, or one of the servers behind it lacks its part"},
    {81, "there is no such database"},
    {159, "the server gave up: the question took longer than it allows"},
    {160, "the server gave up: the question took longer than it allows"},
    {164, "this user may not send tables with a question (readonly = 1; readonly = 2 is enough)"},
    {192, "the server does not know this user or password"},
    {193, "the server does not know this user or password"},
    {194, "the server wants a password"},
    {202, "the server is busy: too many questions at once"},
    {209, "a server behind the table does not answer"},
    {210, "a server behind the table does not answer"},
    {241, "the server gave up: the question needs more memory than it allows"},
    {279, "a server behind the table (a shard) does not answer"},
    {497, "this user may not read the table"},
    {516, "the server does not know this user or password"},
};

static void copy_address(const struct remote_address *from, struct remote_address *to)
{
    *to = *from;
    to->host = memory_copy_text(from->host);
    to->database = memory_copy_text(from->database);
    to->table = memory_copy_text(from->table);
    to->shown = memory_copy_text(from->shown);
}

bool remote_server_create(const struct remote_address *address, struct remote_server **ret,
                          struct error *error)
{
    struct remote_credentials credentials;

    if (!remote_credentials_find(address, &credentials, error))
        return false;

    struct remote_server *server = memory_take_zeroed(1, sizeof *server);

    copy_address(address, &server->address);
    server->credentials = credentials;
    server->http = http_create();
    server->url =
        memory_print("%s://%s:%d/", address->secure ? "https" : "http", address->host, address->port);
    *ret = server;
    return true;
}

void remote_server_destroy(struct remote_server *server)
{
    if (!server)
        return;
    http_destroy(server->http);
    remote_credentials_free(&server->credentials);
    remote_address_free(&server->address);
    free(server->url);
    free(server);
}

const struct remote_address *remote_server_address(const struct remote_server *server)
{
    return &server->address;
}

void remote_server_set_progress(struct remote_server *server, const struct progress *progress,
                                const char *what, int64_t done, int64_t total)
{
    server->progress = progress;
    server->what = what;
    server->done = done;
    server->total = total;
}

/* ---- what the server says when it refuses ---- */

static void mask(char *text, const char *secret)
{
    size_t length = secret ? strlen(secret) : 0;

    for (char *at = text; length > 0 && (at = strstr(at, secret)); at += length)
        memset(at, '*', length);
}

/* "Code: 60, e.displayText() = DB::Exception: Table …" and "Code: 60. DB::Exception: …" of newer servers. */
static bool fail(const struct remote_server *server, long status, const char *said, size_t size,
                 struct error *error)
{
    char *clean = text_clean(said, size), *cut, *text = clean;
    const char *words = NULL;
    int code = strncmp(clean, "Code: ", 6) == 0 ? atoi(clean + 6) : 0;

    mask(clean, server->credentials.password);
    if (server->credentials.user &&
        strcmp(server->credentials.user, "default") != 0) /* everybody knows that one */
        mask(clean, server->credentials.user);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i].code == code)
            words = refusals[i].words;
    if (code && strstr(clean, "DB::Exception: "))
        text = strstr(clean, "DB::Exception: ") + strlen("DB::Exception: ");
    if (code && strstr(text, ", e.what()"))
        *strstr(text, ", e.what()") = '\0';
    if (!words)
        words = status == 401 || status == 403  ? "the server does not let this user in"
                : status >= 300 && status < 400 ? "the server sends elsewhere, which is not followed"
                : code                          ? "the server refuses the question"
                                                : "what answers there is no ClickHouse server";
    cut = text_cut_end(text, SAID_COLUMNS, "...");
    if (code)
        error_set(error, ERROR_INPUT, "%s (code %d: %s)", words, code, cut);
    else
        error_set(error, ERROR_INPUT, "%s (HTTP status %ld%s%s)", words, status, *cut ? ": " : "", cut);
    free(cut);
    free(clean);
    return false;
}

/* ---- one question ---- */

struct asking {
    struct remote_server *server;
    struct answer *answer;
    bool looked, refused; /* the first bytes are no answer but an exception that came too late for a status */
    char start[HTTP_REFUSAL_MOST];
    size_t start_size;
};

static bool take(void *user, const char *bytes, size_t size, struct error *error)
{
    static const char sign[] = "Code: ";
    struct asking *asking = user;

    if (!asking->looked) {
        asking->looked = true;
        asking->refused = size >= sizeof sign - 1 && memcmp(bytes, sign, sizeof sign - 1) == 0;
    }
    if (!asking->refused)
        return answer_take(asking->answer, bytes, size, error);

    size_t room = sizeof asking->start - asking->start_size, count = size < room ? size : room;

    memcpy(asking->start + asking->start_size, bytes, count);
    asking->start_size += count;
    return true;
}

static bool wait_for_it(void *user, struct error *error)
{
    const struct remote_server *server = ((struct asking *)user)->server;

    return progress_report(server->progress, server->what, server->done, server->total, error);
}

#define FORMAT_WANTED " FORMAT TabSeparatedWithNamesAndTypes"

/* Rows carry the arrays of the table that is sent along: small blocks keep the server's memory small. */
#define SMALL_BLOCKS "&max_block_size=4096"

static char *url_of(const struct remote_server *server, const struct remote_question *question,
                    const char *sql)
{
    char *database = http_escape(server->address.database);
    struct text_buffer url = {0};

    /* Without it rows may come with status 200 before an exception. */
    text_add_print(&url, "%s?wait_end_of_query=1&database=%s", server->url, database);
    free(database);
    if (question->table) {
        char *escaped = http_escape(sql), *structure = http_escape(question->table->structure);

        text_add_print(&url, SMALL_BLOCKS "&%s_structure=%s&query=", question->table->name, structure);
        text_add(&url, escaped);
        free(structure);
        free(escaped);
    }
    return text_take(&url);
}

bool remote_server_ask(struct remote_server *server, const struct remote_question *question,
                       struct error *error)
{
    struct asking *asking = memory_take_zeroed(1, sizeof *asking);
    struct http_answer answer;
    struct http_request request = {
        .user = server->credentials.user,
        .password = server->credentials.password,
        .proxy = !remote_address_is_local(&server->address),
        .user_data = asking,
        .take = take,
        .wait = wait_for_it,
    };
    char *sql = memory_print("%s%s", question->sql, FORMAT_WANTED), *url = url_of(server, question, sql);

    request.body = sql;
    asking->server = server;
    asking->answer = answer_create(question->columns, question->column_count, question->row, question->user);
    request.url = url;
    if (question->table)
        request.part =
            (struct http_part){question->table->name, question->table->rows, question->table->size};

    bool good = http_post(server->http, &request, &answer, error);

    if (good && answer.status != 200)
        good = fail(server, answer.status, answer.refusal, answer.refusal_size, error);
    else if (good && asking->refused)
        good = fail(server, answer.status, asking->start, asking->start_size, error);
    else if (good)
        good = answer_finish(asking->answer, error);
    answer_destroy(asking->answer);
    free(asking);
    free(url);
    free(sql);
    return good || (error->code == ERROR_STOPPED ? false : error_prefix(error, "%s", server->address.shown));
}

/* ---- texts in statements and rows ---- */

static void add_escaped(struct text_buffer *to, const char *text, const char *escaped)
{
    for (const char *at = text; *at; at++) {
        const char *letter = *at == '\t' ? "\\t" : *at == '\n' ? "\\n" : *at == '\r' ? "\\r" : NULL;

        if (!letter && strchr(escaped, *at))
            text_add_bytes(to, "\\", 1);
        if (letter)
            text_add(to, letter);
        else
            text_add_bytes(to, at, 1);
    }
}

void remote_add_text(struct text_buffer *sql, const char *text)
{
    text_add(sql, "'");
    add_escaped(sql, text, "'\\");
    text_add(sql, "'");
}

void remote_add_name(struct text_buffer *sql, const char *name)
{
    text_add(sql, "`");
    add_escaped(sql, name, "`\\");
    text_add(sql, "`");
}

void remote_add_field(struct text_buffer *rows, const char *text)
{
    add_escaped(rows, text, "\\");
}
