/* What people decided: the rows of today. How they change is in triage_change.c. */
#include "stutterscope/store/triage.h"
#include "database.h"
#include "row.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>
#include <string.h>

static const struct row_field triage_fields[] = {
    {"fingerprint", ROW_NAME, offsetof(struct triage_row, fingerprint)},
    {"kind", ROW_NAME, offsetof(struct triage_row, kind)},
    {"device_model", ROW_NAME, offsetof(struct triage_row, device_model)},
    {"chip", ROW_NAME, offsetof(struct triage_row, chip)},
    {"scene", ROW_NAME, offsetof(struct triage_row, scene)},
    {"quality", ROW_NAME, offsetof(struct triage_row, quality)},
    {"label", ROW_NAME, offsetof(struct triage_row, label)},
    {"event", ROW_NAME, offsetof(struct triage_row, event)},
    {"state", ROW_TEXT, offsetof(struct triage_row, state)},
    {"owner", ROW_TEXT, offsetof(struct triage_row, owner)},
    {"note", ROW_TEXT, offsetof(struct triage_row, note)},
    {"ticket", ROW_TEXT, offsetof(struct triage_row, ticket)},
    {"build", ROW_TEXT, offsetof(struct triage_row, build)},
    {"verified", ROW_TEXT, offsetof(struct triage_row, verified)},
    {"first_build", ROW_TEXT, offsetof(struct triage_row, first_build)},
    {"first_at_ms", ROW_INTEGER, offsetof(struct triage_row, first_at_ms)},
    {"at_ms", ROW_INTEGER, offsetof(struct triage_row, at_ms)},
    {"who", ROW_NAME, offsetof(struct triage_row, who)},
};

static const struct row_field ticket_fields[] = {
    {"id", ROW_INTEGER, offsetof(struct ticket_row, id)},
    {"reference", ROW_TEXT, offsetof(struct ticket_row, reference)},
    {"build", ROW_TEXT, offsetof(struct ticket_row, build)},
    {"payload", ROW_NAME, offsetof(struct ticket_row, payload)},
    {"written_at_ms", ROW_INTEGER, offsetof(struct ticket_row, written_at_ms)},
    {"who", ROW_NAME, offsetof(struct ticket_row, who)},
};

static char *select_from(const struct row_field *fields, size_t count, const char *rest)
{
    struct text_buffer sql = {0};

    text_add(&sql, "SELECT ");
    row_add_columns(&sql, fields, count);
    text_add(&sql, rest);
    return text_take(&sql);
}

bool store_list_triage(struct store *store, struct triage_list *ret, struct error *error)
{
    char *sql = select_from(triage_fields, ROW_COUNT(triage_fields), " FROM triage ORDER BY fingerprint");
    sqlite3_stmt *query = store_query(store, error, sql, "");
    int step = SQLITE_ERROR;

    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        array_push(ret, (struct triage_row){0});
        row_read(query, 0, triage_fields, ROW_COUNT(triage_fields), &ret->items[ret->count - 1]);
    }
    free(sql);
    return store_finish(store, query, step, error);
}

void triage_list_free(struct triage_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        row_free_texts(triage_fields, ROW_COUNT(triage_fields), &list->items[i]);
    array_free(list);
}

const char *rename_kind_name(enum rename_kind kind)
{
    return kind == RENAME_SCENE ? "scene" : "event";
}

bool store_list_renames(struct store *store, struct rename_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error, "SELECT kind, old, new FROM rename ORDER BY kind, old", "");
    int step = SQLITE_ERROR;

    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        bool scene = store_column_is(query, 0, "scene");

        array_push(ret, (struct rename_row){scene ? RENAME_SCENE : RENAME_EVENT, store_column_name(query, 1), store_column_name(query, 2)});
    }
    return store_finish(store, query, step, error);
}

void rename_list_free(struct rename_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].old_name);
        free(list->items[i].new_name);
    }
    array_free(list);
}

bool store_find_ticket(struct store *store, const char *fingerprint, const char *reference, struct ticket_row *ret, bool *ret_found,
                       struct error *error)
{
    char *sql = select_from(ticket_fields, ROW_COUNT(ticket_fields),
                            " FROM ticket WHERE id IN (SELECT ticket FROM ticket_stutter WHERE ?1 IS NULL OR fingerprint = ?1)"
                            " AND (?2 IS NULL OR reference = ?2)"
                            " ORDER BY id DESC LIMIT 1");
    sqlite3_stmt *query = store_query(store, error, sql, "ss", fingerprint, reference);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;

    memset(ret, 0, sizeof *ret);
    *ret_found = step == SQLITE_ROW;
    if (*ret_found)
        row_read(query, 0, ticket_fields, ROW_COUNT(ticket_fields), ret);
    free(sql);
    return store_finish(store, query, step, error);
}

void ticket_row_free(struct ticket_row *row)
{
    row_free_texts(ticket_fields, ROW_COUNT(ticket_fields), row);
    memset(row, 0, sizeof *row);
}
