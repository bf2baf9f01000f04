/* Opening: what the file is, who may use it, which version it has. A file that is not ours is never written
 * to. */
#include "database.h"
#include "schema.h"
#include "store_file.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE_SIZE      16384
#define CACHE_KIB      8192
#define CACHE_ONCE_KIB 2048 /* the inner pages of all columns, and some more */
#define WAL_KEPT_BYTES (16 << 20)
#define LARGE_IMPORT_BYTES WAL_KEPT_BYTES

static bool ask_pragma(struct store *store, const char *sql, int64_t *ret, struct error *error)
{
    return store_ask(store, error, 0, ret, sql, "");
}

static bool refuse_newer(const char *path, int64_t version, struct error *error)
{
    return error_set(
        error, ERROR_VERSION,
        "%s has schema version %lld, this program knows versions up to %d: it was written by a newer "
        "stutterscope. Update this program; the file was left as it is.",
        path, (long long)version, schema_version);
}

static bool refuse_foreign(const char *path, int64_t application, struct error *error)
{
    return error_set(
        error, ERROR_STORE,
        "%s is an SQLite database of another program (application id 0x%08llx, a telemetry store has "
        "0x%08x). It was left as it is; name another file with --store.",
        path, (unsigned long long)application, STORE_APPLICATION_ID);
}

/* What can be told without SQLite, which may write to a file merely by opening it. */
static bool check_before(const char *path, enum store_mode mode, struct store_file *file, struct error *error)
{
    if (!store_file_inspect(path, file, error))
        return false;
    if (!file->exists)
        return mode == STORE_CREATE ||
               error_set(
                   error, ERROR_IO,
                   "There is no store at %s. \"stutterscope import FILE\" makes one; another place is named "
                   "with --store.",
                   path);
    if (file->size == 0)
        return mode != STORE_READ ||
               error_set(error, ERROR_STORE, "%s is empty: it is no telemetry store.", path);
    if (!file->is_sqlite)
        return error_set(
            error, ERROR_STORE,
            "%s is not a telemetry store (no SQLite database). It was left as it is; name another file "
            "with --store.",
            path);
    if (file->application_id != 0 && file->application_id != STORE_APPLICATION_ID)
        return refuse_foreign(path, file->application_id, error);
    if (file->application_id == STORE_APPLICATION_ID && file->user_version > (uint32_t)schema_version)
        return refuse_newer(path, file->user_version, error);
    return true;
}

/* SQLite would give a new file the mode that umask leaves. */
static bool create_file(const char *path, struct error *error)
{
    if (!path_make_parents(path, error))
        return false;
    int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && errno != EEXIST)
        return error_set(error, ERROR_IO, "%s cannot be made: %s.", path, strerror(errno));
    if (file >= 0)
        close(file);
    return true;
}

static void close_database(struct store *store)
{
    for (size_t i = 0; i < store->cache.count; i++) {
        sqlite3_finalize(store->cache.items[i].statement);
        free(store->cache.items[i].sql);
    }
    array_free(&store->cache);
    array_free(&store->fetches);
    sqlite3_close(store->db);
    store->db = NULL;
}

static char *immutable_address(const char *path)
{
    struct text_buffer address = {0};
    text_add(&address, "file:");
    for (const char *p = path; *p; p++) {
        if (isalnum((unsigned char)*p) || strchr("/._-", *p))
            text_add_bytes(&address, p, 1);
        else
            text_add_print(&address, "%%%02x", (unsigned char)*p);
    }
    text_add(&address, "?immutable=1");
    return text_take(&address);
}

/* Names like ":memory:" or "file:…" mean a file too. */
static char *plain_address(const char *path)
{
    return path[0] == '/' ? memory_copy_text(path) : memory_print("./%s", path);
}

static bool connect(struct store *store, bool immutable, struct error *error)
{
    char *plain = plain_address(store->path), *address = immutable ? immutable_address(plain) : plain;
    /* Counting its memory costs a lock for each piece of it, which threads would wait for; no effect once it is in use. */
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int flags = immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE;
    int code =
        sqlite3_open_v2(address, &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (immutable)
        free(address);
    free(plain);
    if (code != SQLITE_OK)
        return store_fail(store, code, error);
    sqlite3_busy_timeout(store->db, store->patience_ms);
    /* until it is known to be ours: closing must not move a foreign -wal into the file */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    char *sql =
        memory_print("PRAGMA page_size = %d; PRAGMA cache_size = -%d; PRAGMA temp_store = MEMORY; "
                     "PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = %d; SELECT 1 FROM sqlite_master;",
                     PAGE_SIZE, CACHE_KIB, WAL_KEPT_BYTES);
    bool fine = store_execute(store, sql, error);
    free(sql);
    return fine;
}

/* What waits in the file beside the store of that name. */
static bool is_pending(const struct store *store, const char *suffix)
{
    char *path = memory_print("%s%s", store->path, suffix);
    bool pending = store_file_size(path) > 0;

    free(path);
    return pending;
}

/*
 * A store in a folder where the files beside it (-wal, -shm) cannot be made is read as one that nobody
 * changes. Unless there is something in its -wal or -journal: then what is read would not be what was stored.
 */
static bool connect_for_reading(struct store *store, struct error *error)
{
    static const char *const suffixes[] = {"-wal", "-journal"};
    struct error first = {0}; /* of a way that need not work */
    if (connect(store, false, &first))
        return true;
    int code = sqlite3_errcode(store->db) & 0xff;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR) {
        if (error)
            *error = first;
        return false;
    }
    close_database(store);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (is_pending(store, suffixes[i]))
            return error_set(
                error, ERROR_IO,
                "%s holds changes in %s%s that can be read only where the folder can be written. Copy both "
                "files to such a folder and open the copy.",
                store->path, store->path, suffixes[i]);
    return connect(store, true, error);
}

/* Another program may be making the store between two of these questions. Tables and application id come in one
 * transaction, so where tables were seen the id asked for afterwards is that of whoever made them. */
static bool check_inside(struct store *store, struct error *error)
{
    int64_t application, version, tables;
    if (!ask_pragma(store, "SELECT count(*) FROM sqlite_master", &tables, error) ||
        !ask_pragma(store, "PRAGMA application_id", &application, error) ||
        !ask_pragma(store, "PRAGMA user_version", &version, error))
        return false;
    application &= UINT32_MAX;
    if (application != STORE_APPLICATION_ID && (application != 0 || tables > 0))
        return refuse_foreign(store->path, application, error);
    if (version > schema_version || version < 0)
        return refuse_newer(store->path, version, error);
    return true;
}

static bool migrate_inside(struct store *store, struct error *error)
{
    int64_t version; /* asked again: another program may have migrated while this one waited */
    if (!ask_pragma(store, "PRAGMA user_version", &version, error))
        return false;
    if (version > schema_version)
        return refuse_newer(store->path, version, error);
    for (int64_t step = version; step < schema_version; step++)
        if (!store_execute(store, schema_steps[step], error))
            return error_prefix(error, "schema %lld to %lld", (long long)step, (long long)step + 1);
    char *sql = memory_print("PRAGMA application_id = %d; PRAGMA user_version = %d", STORE_APPLICATION_ID,
                             schema_version);
    bool fine = store_execute(store, sql, error);
    free(sql);
    return fine;
}

bool store_migrate(struct store *store, struct error *error)
{
    int64_t version;
    if (!ask_pragma(store, "PRAGMA user_version", &version, error))
        return false;
    if (version == schema_version)
        return true;
    if (sqlite3_db_readonly(store->db, "main"))
        return error_set(
            error, ERROR_VERSION,
            "%s has schema version %lld and must be brought to version %d first, but it cannot be written "
            "here. Open it once where it can be written.",
            store->path, (long long)version, schema_version);
    if (!store_execute(store, "BEGIN IMMEDIATE", error))
        return false;
    if (migrate_inside(store, error))
        return store_end(store, error);
    store_roll_back(store);
    return false;
}

bool store_use_journal(struct store *store, enum store_journal journal, struct error *error)
{
    static const char *const pragmas[] = {
        [JOURNAL_LOG] = "PRAGMA journal_mode = WAL",
        [JOURNAL_ROLLBACK] = "PRAGMA journal_mode = DELETE",
    };
    sqlite3_stmt *query = store_query(store, error, pragmas[journal], "");
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    bool log = step == SQLITE_ROW && store_column_is(query, 0, "wal");
    if (step == SQLITE_BUSY) {
        step = SQLITE_DONE; /* somebody reads: it stays as it is this time */
        log = journal == JOURNAL_ROLLBACK;
    }
    if (!store_finish(store, query, step, error))
        return false;
    store->journal = log ? JOURNAL_LOG : JOURNAL_ROLLBACK;
    return store_execute(store, log ? "PRAGMA synchronous = NORMAL" : "PRAGMA synchronous = FULL", error);
}

void store_try_journal(struct store *store, enum store_journal journal)
{
    sqlite3_busy_timeout(store->db, 0);
    store_use_journal(store, journal, NULL);
    sqlite3_busy_timeout(store->db, store->patience_ms);
}

/* The log (WAL) needs shared memory, which network file systems do not have. Then readers and writers wait for each
 * other. */
static bool choose_journal(struct store *store, struct error *error)
{
    return store_use_journal(store, store_file_is_remote(store->path) ? JOURNAL_ROLLBACK : JOURNAL_LOG, error);
}

static bool open_inside(struct store *store, enum store_mode mode, struct error *error)
{
    if (!(mode == STORE_READ ? connect_for_reading(store, error) : connect(store, false, error)) ||
        !check_inside(store, error))
        return false;
    if (mode != STORE_READ && sqlite3_db_readonly(store->db, "main"))
        return error_set(error, ERROR_IO,
                         "%s is read-only: it can be browsed, but nothing can be stored in it.", store->path);
    if (!store_migrate(store, error))
        return false;
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    if (mode == STORE_READ)
        return store_execute(store, "PRAGMA query_only = ON", error);
    store->writable = true;
    return choose_journal(store, error);
}

bool store_open(const char *path, enum store_mode mode, struct store **ret, struct error *error)
{
    struct store_file file;
    if (!check_before(path, mode, &file, error) || (!file.exists && !create_file(path, error)))
        return false;
    struct store *store = memory_take_zeroed(1, sizeof *store);
    store->path = memory_copy_text(path);
    store->patience_ms = STORE_PATIENCE_MS;
    store->large_import = LARGE_IMPORT_BYTES;
    if (!open_inside(store, mode, error)) {
        store_close(store);
        if (!file.exists && store_file_size(path) == 0)
            unlink(path);
        return false;
    }
    store->codec = segment_codec_create();
    *ret = store;
    return true;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    if (store->db)
        store_roll_back(store);
    close_database(store);
    segment_codec_destroy(store->codec);
    array_free(&store->runs);
    array_free(&store->frame_times);
    free(store->path);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

bool store_is_writable(const struct store *store)
{
    return store->writable;
}

void store_set_patience(struct store *store, int milliseconds)
{
    store->patience_ms = milliseconds;
    sqlite3_busy_timeout(store->db, milliseconds);
}

void store_read_once(struct store *store)
{
    char *sql = memory_print("PRAGMA cache_size = -%d", CACHE_ONCE_KIB);
    store_execute(store, sql, NULL);
    free(sql);
}

int64_t store_generation(struct store *store)
{
    int64_t last = 0;
    store_ask(store, NULL, 0, &last, "SELECT max(id) FROM import", "");
    return last;
}

int64_t store_version(struct store *store)
{
    int64_t version = 0;
    store_ask(store, NULL, 0, &version, "PRAGMA data_version", "");
    return version;
}
