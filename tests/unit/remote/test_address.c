#include "../leftovers.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/remote/address.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(address, parts_and_defaults)
{
    struct remote_address address;
    struct error error = {0};

    cr_assert(remote_address_parse("clickhouse://db.example.com/game", &address, &error), "%s", error.text);
    cr_assert_str_eq(address.host, "db.example.com");
    cr_assert_eq(address.port, 8123);
    cr_assert(!address.secure);
    cr_assert_str_eq(address.database, "game");
    cr_assert_str_eq(address.table, "frames");
    cr_assert_str_eq(address.shown, "clickhouse://db.example.com:8123/game/frames");
    cr_assert(!remote_address_is_local(&address));
    remote_address_free(&address);
    cr_assert(remote_address_parse("ClickHouses://[::1]:9000/a/b/", &address, &error), "%s", error.text);
    cr_assert_str_eq(address.host, "[::1]");
    cr_assert_eq(address.port, 9000);
    cr_assert(address.secure);
    cr_assert_str_eq(address.table, "b");
    cr_assert(remote_address_is_local(&address));
    remote_address_free(&address);
}

Test(address, what_is_none_is_refused)
{
    static const char *const wrong[] = {"clickhouse://",
                                        "clickhouse:///db",
                                        "clickhouse://host",
                                        "clickhouse://host/",
                                        "clickhouse://host:0/db",
                                        "clickhouse://host:65536/db",
                                        "clickhouse://host:x/db",
                                        "clickhouse://host:123456/db",
                                        "clickhouse://ho st/db",
                                        "clickhouse://host/d`b",
                                        "clickhouse://host/db/t?x=1",
                                        "clickhouse://host/db/t/u'",
                                        "http://host/db",
                                        "clickhouse://host/db\n",
                                        "clickhouse://host\\@x/db",
                                        "clickhouse://[::1/db"};
    struct remote_address address;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error error = {0};

        cr_assert(!remote_address_parse(wrong[i], &address, &error), "%s", wrong[i]);
        cr_assert_eq(error.code, ERROR_USAGE);
    }
}

/* What is on this machine: loopback addresses by their value; names only look like them. */
Test(address, local_is_loopback_only)
{
    static const struct {
        const char *address;
        bool local;
    } cases[] = {
        {"clickhouse://localhost/db", true},           {"clickhouse://LocalHost:1/db", true},
        {"clickhouse://127.0.0.1/db", true},           {"clickhouse://127.255.3.4/db", true},
        {"clickhouse://[::1]/db", true},               {"clickhouse://[0:0:0:0:0:0:0:1]/db", true},
        {"clickhouse://127.evil.com/db", false},       {"clickhouse://127.0.0.1.evil.com/db", false},
        {"clickhouse://127.0.0.256/db", false},        {"clickhouse://128.0.0.1/db", false},
        {"clickhouse://localhost.evil.com/db", false}, {"clickhouse://[::2]/db", false},
        {"clickhouse://[::ffff:7f00:2]/db", false},    {"clickhouse://db/db", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct remote_address address;
        struct error error = {0};

        cr_assert(remote_address_parse(cases[i].address, &address, &error), "%s: %s", cases[i].address, error.text);
        cr_assert_eq(remote_address_is_local(&address), cases[i].local, "%s", cases[i].address);
        remote_address_free(&address);
    }
}

Test(address, credentials_without_tls_are_warned_of)
{
    char *warning;

    setenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD", "hunter2", 1);
    warning = remote_plain_warning("clickhouse://127.evil.com/db");
    cr_assert(warning && strstr(warning, "plain text") && strstr(warning, "clickhouses://"));
    cr_assert(!strstr(warning, "hunter2"));
    free(warning);
    cr_assert_null(remote_plain_warning("clickhouses://db/db"));
    cr_assert_null(remote_plain_warning("clickhouse://127.0.0.1/db"));
    unsetenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_USER");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_CREDENTIALS");
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    cr_assert_null(remote_plain_warning("clickhouse://db/db"), "nothing is sent that anybody could read");
}

Test(address, a_password_in_it_is_not_repeated)
{
    struct remote_address address;
    struct error error = {0};

    cr_assert(!remote_address_parse("clickhouse://somebody:hunter2@host/db", &address, &error));
    cr_assert(!strstr(error.text, "hunter2") && !strstr(error.text, "somebody"), "%s", error.text);
    cr_assert(strstr(error.text, "STUTTERSCOPE_CLICKHOUSE_PASSWORD"), "%s", error.text);
}

static struct remote_credentials find(const char *file, mode_t mode, bool *ret_good, struct error *error)
{
    char path[] = "/tmp/stutterscope-credentials-XXXXXX";
    int descriptor = mkstemp(path);
    struct remote_address address;
    struct remote_credentials credentials;

    leftover_note(path);
    cr_assert(descriptor >= 0 && write(descriptor, file, strlen(file)) == (ssize_t)strlen(file));
    cr_assert_eq(fchmod(descriptor, mode), 0);
    close(descriptor);
    unsetenv("STUTTERSCOPE_CLICKHOUSE_USER");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD");
    setenv("STUTTERSCOPE_CLICKHOUSE_CREDENTIALS", path, 1);
    cr_assert(remote_address_parse("clickhouse://db:9000/game", &address, error));
    *ret_good = remote_credentials_find(&address, &credentials, error);
    remote_address_free(&address);
    unlink(path);
    return credentials;
}

Test(credentials, the_line_of_the_server)
{
    struct error error = {0};
    bool good;
    struct remote_credentials credentials =
        find("# ours\nother:9000 x y\ndb:8123 a b\ndb:9000\tqa  pass word \r\ndb c d\n", 0600, &good, &error);

    cr_assert(good, "%s", error.text);
    cr_assert_str_eq(credentials.user, "qa");
    cr_assert_str_eq(credentials.password, "pass word ");
    remote_credentials_free(&credentials);
    credentials = find("other x y\n", 0600, &good, &error);
    cr_assert(good && !credentials.user);
}

Test(credentials, a_file_that_others_can_read_is_refused)
{
    struct error error = {0};
    bool good;

    find("db qa hunter2\n", 0640, &good, &error);
    cr_assert(!good);
    cr_assert(strstr(error.text, "chmod 600") && !strstr(error.text, "hunter2"), "%s", error.text);
}

Test(credentials, the_environment_comes_first)
{
    struct remote_address address;
    struct remote_credentials credentials;
    struct error error = {0};

    setenv("STUTTERSCOPE_CLICKHOUSE_CREDENTIALS", "/nowhere", 1);
    cr_assert(remote_address_parse("clickhouse://db/game", &address, &error));
    unsetenv("STUTTERSCOPE_CLICKHOUSE_USER");
    unsetenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD");
    cr_assert(!remote_credentials_find(&address, &credentials, &error));
    setenv("STUTTERSCOPE_CLICKHOUSE_PASSWORD", "p", 1);
    cr_assert(remote_credentials_find(&address, &credentials, &error));
    cr_assert_str_eq(credentials.user, "default");
    cr_assert_str_eq(credentials.password, "p");
    remote_credentials_free(&credentials);
    remote_address_free(&address);
}
