#include "http.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

enum { CONNECT_SECONDS = 10, SILENCE_SECONDS = 600 };

struct http {
    CURL *curl;
};

/* One request on its way. */
struct transfer {
    CURL *curl;
    const struct http_request *request;
    struct http_answer *answer;
    struct error *error;
    bool ended; /* by us: the error is set */
};

struct http *http_create(void)
{
    struct http *http = memory_take_zeroed(1, sizeof *http);

    http->curl = curl_easy_init();
    return http;
}

void http_destroy(struct http *http)
{
    if (!http)
        return;
    curl_easy_cleanup(http->curl);
    free(http);
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *user)
{
    struct transfer *transfer = user;
    struct http_answer *answer = transfer->answer;
    size_t total = size * count, room = sizeof answer->refusal - answer->refusal_size;

    curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &answer->status);
    if (answer->status == 200) {
        transfer->ended =
            !transfer->request->take(transfer->request->user_data, bytes, total, transfer->error);
        return transfer->ended ? 0 : total;
    }
    memcpy(answer->refusal + answer->refusal_size, bytes, total < room ? total : room);
    answer->refusal_size += total < room ? total : room;
    return answer->refusal_size < sizeof answer->refusal ? total : 0; /* enough to say what it is */
}

static int wait_on(void *user, curl_off_t total_down, curl_off_t down, curl_off_t total_up, curl_off_t up)
{
    struct transfer *transfer = user;

    (void)total_down, (void)down, (void)total_up, (void)up;
    if (!transfer->ended && transfer->request->wait)
        transfer->ended = !transfer->request->wait(transfer->request->user_data, transfer->error);
    return transfer->ended;
}

static curl_mime *set_up(CURL *curl, struct transfer *transfer)
{
    const struct http_request *request = transfer->request;
    const char *authority = getenv("STUTTERSCOPE_CA_FILE");
    curl_mime *form = NULL;

    curl_easy_reset(curl);
    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_SECONDS);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "stutterscope");
    if (authority && *authority)
        curl_easy_setopt(curl, CURLOPT_CAINFO, authority);
    if (!request->proxy)
        curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    if (request->user) {
        curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        curl_easy_setopt(curl, CURLOPT_USERNAME, request->user);
        curl_easy_setopt(curl, CURLOPT_PASSWORD, request->password);
    }
    if (request->part.name) {
        form = curl_mime_init(curl);

        curl_mimepart *part = curl_mime_addpart(form);

        curl_mime_name(part, request->part.name);
        curl_mime_filename(part, request->part.name);
        curl_mime_data(part, request->part.bytes, request->part.size);
        curl_easy_setopt(curl, CURLOPT_MIMEPOST, form);
    } else {
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    }
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, wait_on);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transfer);
    return form;
}

/* What libcurl's codes mean for people; others in its own words. */
static const char *failure_words(CURLcode code)
{
    static const struct {
        CURLcode code;
        const char *words;
    } table[] = {
        {CURLE_COULDNT_RESOLVE_HOST, "there is no host of that name, or the network is not there"},
        {CURLE_COULDNT_CONNECT, "nothing answers there: the server is down, or the port is another one"},
        {CURLE_OPERATION_TIMEDOUT, "it does not answer in time"},
        {CURLE_PARTIAL_FILE, "the answer was cut: the connection ended before it was complete"},
        {CURLE_RECV_ERROR, "the connection broke while the answer came"},
        {CURLE_SEND_ERROR, "the connection broke while the question was sent"},
        {CURLE_GOT_NOTHING, "the server ended the connection without an answer"},
        {CURLE_PEER_FAILED_VERIFICATION,
         "its certificate is not to be trusted (STUTTERSCOPE_CA_FILE names an authority of your own)"},
        {CURLE_SSL_CACERT_BADFILE, "STUTTERSCOPE_CA_FILE names no file with certificates that can be read"},
        {CURLE_SSL_CONNECT_ERROR, "no TLS connection comes about: perhaps the port is one without TLS"},
        {CURLE_UNSUPPORTED_PROTOCOL, "what answers there does not speak HTTP"},
        {CURLE_WEIRD_SERVER_REPLY, "what answers there does not speak HTTP"},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code)
            return table[i].words;
    return curl_easy_strerror(code);
}

bool http_post(struct http *http, const struct http_request *request, struct http_answer *ret,
               struct error *error)
{
    struct transfer transfer = {http->curl, request, ret, error, false};

    ret->status = 0;
    ret->refusal_size = 0;
    if (!http->curl)
        return error_set(error, ERROR_IO, "libcurl cannot be started");

    curl_mime *form = set_up(http->curl, &transfer);
    CURLcode code = curl_easy_perform(http->curl);

    curl_easy_getinfo(http->curl, CURLINFO_RESPONSE_CODE, &ret->status);
    curl_mime_free(form);
    if (transfer.ended)
        return false;
    if (code == CURLE_OK || (code == CURLE_WRITE_ERROR && ret->refusal_size == sizeof ret->refusal))
        return true;
    return error_set(error, ERROR_IO, "%s", failure_words(code));
}

char *http_escape(const char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    struct text_buffer escaped = {0};

    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     strchr("-._~", *at);
        const char code[] = {'%', digits[*at >> 4], digits[*at & 15]};

        text_add_bytes(&escaped, plain ? (const char *)at : code, plain ? 1 : sizeof code);
    }
    return text_take(&escaped);
}
