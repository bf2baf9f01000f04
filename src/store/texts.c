/* Names behind ids: scenes, qualities, and what the text columns of segments refer to. */
#include "database.h"
#include "stutterscope/base/memory.h"
#include <stdlib.h>

static bool list_texts(struct store *store, const char *sql, struct text_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error, sql, "");
    int step = SQLITE_ERROR;
    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct text_row row = {sqlite3_column_int64(query, 0), store_column_name(query, 1)};
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

bool store_list_scenes(struct store *store, struct text_list *ret, struct error *error)
{
    return list_texts(store, "SELECT id, name FROM scene ORDER BY id", ret, error);
}

bool store_list_qualities(struct store *store, struct text_list *ret, struct error *error)
{
    return list_texts(store, "SELECT id, name FROM quality WHERE id <> 0 ORDER BY id", ret, error);
}

bool store_list_texts(struct store *store, struct text_list *ret, struct error *error)
{
    return list_texts(store, "SELECT id, text FROM text ORDER BY id", ret, error);
}

void text_list_free(struct text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].text);
    array_free(list);
}
