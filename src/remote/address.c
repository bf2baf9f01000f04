#include "stutterscope/remote/address.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define PLAIN  "clickhouse://"
#define SECURE "clickhouses://"

enum { PORT_PLAIN = 8123, PORT_SECURE = 8443, NAME_MOST = 200, CREDENTIALS_MOST = 65536 };

bool remote_is_address(const char *text)
{
    return strncasecmp(text, PLAIN, strlen(PLAIN)) == 0 || strncasecmp(text, SECURE, strlen(SECURE)) == 0;
}

static bool refuse(struct error *error, const char *why)
{
    return error_set(
        error, ERROR_USAGE,
        "not an address: %s; expected clickhouse://HOST[:PORT]/DATABASE[/TABLE], or clickhouses:// for TLS",
        why);
}

/* Letters that host names and IPv6 addresses in brackets are made of: nothing that curl would read as
 * anything else. */
static bool is_host(const char *text, size_t length)
{
    bool bracket = length > 2 && text[0] == '[' && text[length - 1] == ']';

    for (size_t i = bracket; i < length - bracket; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

        if (!letter && !strchr(bracket ? ":." : "-._", c))
            return false;
    }
    return length > 0 && length < NAME_MOST;
}

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] <= ' ' || strchr("`\\'\"?#%&;\x7f", text[i]))
            return false;
    return length > 0 && length < NAME_MOST && text_is_valid_utf8(text, length);
}

static bool parse_port(const char *text, size_t length, int *ret)
{
    int port = 0;

    if (length == 0 || length > 5)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        port = port * 10 + (text[i] - '0');
    }
    *ret = port;
    return port > 0 && port < 65536;
}

static bool parse_host(const char *text, size_t length, struct remote_address *ret, struct error *error)
{
    size_t host = length;

    for (size_t i = length; i-- > 0 && text[i] != ']';)
        if (text[i] == ':')
            host = i;
    if (!is_host(text, host))
        return refuse(error, "the host is missing or has letters that no host has");
    if (host < length && !parse_port(text + host + 1, length - host - 1, &ret->port))
        return refuse(error, "the port is no number from 1 to 65535");
    ret->host = memory_copy_bytes(text, host);
    return true;
}

static bool parse_path(const char *path, struct remote_address *ret, struct error *error)
{
    size_t database = strcspn(path, "/");
    const char *table = path[database] ? path + database + 1 : "";
    size_t length = strlen(table);

    if (length && table[length - 1] == '/')
        length--;
    if (!is_name(path, database))
        return refuse(error, "the database is missing or has signs that are not allowed in it");
    if (length && !is_name(table, length))
        return refuse(error, "the table has signs that are not allowed in it");
    ret->database = memory_copy_bytes(path, database);
    ret->table = length ? memory_copy_bytes(table, length) : memory_copy_text("frames");
    return true;
}

bool remote_address_parse(const char *text, struct remote_address *ret, struct error *error)
{
    struct remote_address address = {.secure = strncasecmp(text, SECURE, strlen(SECURE)) == 0};

    if (!remote_is_address(text))
        return refuse(error, "it does not begin with clickhouse:// or clickhouses://");
    if (strchr(text, '@'))
        return error_set(
            error, ERROR_USAGE,
            "user names and passwords do not belong into the address: it is shown and stored. Set "
            "STUTTERSCOPE_CLICKHOUSE_USER and STUTTERSCOPE_CLICKHOUSE_PASSWORD, or see "
            "\"Credentials\" in stutterscope-import(7)");

    const char *rest = text + strlen(address.secure ? SECURE : PLAIN);
    size_t length = strcspn(rest, "/");

    address.port = address.secure ? PORT_SECURE : PORT_PLAIN;
    if (!parse_host(rest, length, &address, error) ||
        !parse_path(rest[length] ? rest + length + 1 : "", &address, error)) {
        remote_address_free(&address);
        return false;
    }
    address.shown = memory_print("%s%s:%d/%s/%s", address.secure ? SECURE : PLAIN, address.host, address.port,
                                 address.database, address.table);
    *ret = address;
    return true;
}

void remote_address_free(struct remote_address *address)
{
    free(address->host);
    free(address->database);
    free(address->table);
    free(address->shown);
    *address = (struct remote_address){0};
}

/* Addresses by what they are, not by how they begin: 127.example.com is a host anywhere. */
bool remote_address_is_local(const struct remote_address *address)
{
    const char *host = address->host;
    size_t length = strlen(host);
    char inside[INET6_ADDRSTRLEN] = "";
    struct in6_addr six;
    struct in_addr four;

    if (strcasecmp(host, "localhost") == 0)
        return true;
    if (inet_pton(AF_INET, host, &four) == 1)
        return ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;
    if (host[0] == '[' && length - 2 < sizeof inside)
        memcpy(inside, host + 1, length - 2);
    return inet_pton(AF_INET6, inside, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

char *remote_plain_warning(const char *text)
{
    struct remote_address address;
    struct remote_credentials credentials;
    char *warning = NULL;

    if (!remote_address_parse(text, &address, NULL))
        return NULL;
    if (!address.secure && !remote_address_is_local(&address) && remote_credentials_find(&address, &credentials, NULL)) {
        if (credentials.user)
            warning = memory_print("%s: user and password go over the network as plain text, for everybody between here and "
                                   "there to read; clickhouses:// encrypts them",
                                   address.shown);
        remote_credentials_free(&credentials);
    }
    remote_address_free(&address);
    return warning;
}

/* ---- credentials ---- */

static void wipe(char *text)
{
    if (text)
        explicit_bzero(text, strlen(text));
    free(text);
}

void remote_credentials_free(struct remote_credentials *credentials)
{
    wipe(credentials->user);
    wipe(credentials->password);
    *credentials = (struct remote_credentials){0};
}

/* The file as a string; *ret NULL when there is none. */
static bool read_private_file(const char *path, char **ret, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat facts;
    ssize_t count;

    *ret = NULL;
    if (file < 0)
        return errno == ENOENT || error_set(error, ERROR_IO, "%s cannot be read: %s", path, strerror(errno));
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || (facts.st_mode & 077) ||
        (facts.st_uid != geteuid() && facts.st_uid != 0)) {
        close(file);
        return error_set(
            error, ERROR_USAGE,
            "%s holds passwords and must be a file of yours that nobody else can read (chmod 600)", path);
    }
    *ret = memory_take_zeroed(CREDENTIALS_MOST + 1, 1);
    count = read(file, *ret, CREDENTIALS_MOST);
    close(file);
    if (count >= 0)
        return true;
    free(*ret);
    *ret = NULL;
    return error_set(error, ERROR_IO, "%s cannot be read: %s", path, strerror(errno));
}

static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r"), *end = word + strcspn(word, " \t\r");

    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool names_server(const char *word, const struct remote_address *address)
{
    char *with_port = memory_print("%s:%d", address->host, address->port);
    bool same = strcasecmp(word, address->host) == 0 || strcasecmp(word, with_port) == 0;

    free(with_port);
    return same;
}

/* Lines of "HOST[:PORT] USER PASSWORD"; the first that fits. */
static void find_line(char *text, const struct remote_address *address, struct remote_credentials *ret)
{
    for (char *line = text, *next; line && !ret->user; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';

        char *host = next_word(&line), *user = next_word(&line), *password = line + strspn(line, " \t");

        password[strcspn(password, "\r")] = '\0';
        if (*host == '\0' || *host == '#' || *user == '\0' || !names_server(host, address))
            continue;
        ret->user = memory_copy_text(user);
        ret->password = memory_copy_text(password);
    }
}

bool remote_credentials_find(const struct remote_address *address, struct remote_credentials *ret,
                             struct error *error)
{
    const char *user = getenv("STUTTERSCOPE_CLICKHOUSE_USER"),
               *password = getenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD");
    const char *named = getenv("STUTTERSCOPE_CLICKHOUSE_CREDENTIALS");
    char *folder, *path, *text;
    bool good;

    *ret = (struct remote_credentials){0};
    if ((user && *user) || (password && *password)) {
        ret->user = memory_copy_text(user && *user ? user : "default");
        ret->password = memory_copy_text(password ? password : "");
        return true;
    }
    folder = path_config_folder();
    path = named && *named ? memory_copy_text(named) : path_join(folder, "clickhouse");
    good = read_private_file(path, &text, error);
    if (good && !text && named && *named)
        good = error_set(error, ERROR_IO, "%s is not there (STUTTERSCOPE_CLICKHOUSE_CREDENTIALS names it)",
                         path);
    if (text) {
        find_line(text, address, ret);
        explicit_bzero(text, CREDENTIALS_MOST);
        free(text);
    }
    free(path);
    free(folder);
    return good;
}
