#include "columns.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum meaning {
    MEANS_TEXT,
    MEANS_TIME, /* the unit is the end of the name */
    MEANS_COUNT,
    MEANS_RATE /* per second; thousandths are kept */
};

/* Names in the order in which they are looked for; of times without their unit. */
static const struct {
    enum meaning meaning;
    bool required;
    const char *names[4];
} wanted[REMOTE_COLUMNS] = {
    [REMOTE_BUILD] = {MEANS_TEXT, true, {"build_id", "build"}},
    [REMOTE_DEVICE] = {MEANS_TEXT, true, {"device_model", "device"}},
    [REMOTE_SCENE] = {MEANS_TEXT, true, {"scene"}},
    [REMOTE_RUN] = {MEANS_TEXT, true, {"run_id", "run"}},
    [REMOTE_STAMP] = {MEANS_TIME, true, {"timestamp", "stamp", "time"}},
    [REMOTE_FRAME] = {MEANS_TIME, true, {"frame_time", "frame"}},
    [REMOTE_QUALITY] = {MEANS_TEXT, false, {"quality_level", "quality"}},
    [REMOTE_EVENT] = {MEANS_TEXT, false, {"event_name", "event"}},
    [REMOTE_CPU] = {MEANS_TIME, false, {"cpu_frame", "cpu_time", "cpu"}},
    [REMOTE_GPU] = {MEANS_TIME, false, {"gpu_frame", "gpu_time", "gpu"}},
    [REMOTE_GC] = {MEANS_COUNT, false, {"gc_alloc_bytes", "gc_alloc"}},
    [REMOTE_DRAW_CALLS] = {MEANS_COUNT, false, {"draw_calls"}},
    [REMOTE_TARGET_FPS] = {MEANS_RATE, false, {"target_fps"}},
    [REMOTE_REFRESH] = {MEANS_RATE, false, {"refresh_hz"}},
    [REMOTE_SOC] = {MEANS_TEXT, false, {"soc"}},
    [REMOTE_MODEL_CODE] = {MEANS_TEXT, false, {"model_code"}},
    [REMOTE_OS] = {MEANS_TEXT, false, {"os_version", "os"}},
    [REMOTE_GPU_NAME] = {MEANS_TEXT, false, {"gpu_name"}},
    [REMOTE_SERIES] = {MEANS_TEXT, false, {"series"}},
    [REMOTE_SCENARIO] = {MEANS_TEXT, false, {"scenario"}},
    [REMOTE_COMMIT] = {MEANS_TEXT, false, {"commit_hash", "commit"}},
    [REMOTE_CI_RUN] = {MEANS_TEXT, false, {"ci_run_id"}},
    [REMOTE_BUILT_AT] = {MEANS_TEXT, false, {"built_at"}},
    [REMOTE_STARTED_AT] = {MEANS_TEXT, false, {"started_at"}},
    [REMOTE_LOG_URL] = {MEANS_TEXT, false, {"log_url"}},
    [REMOTE_OUTCOME] = {MEANS_TEXT, false, {"run_outcome"}},
    [REMOTE_STATION] = {MEANS_TEXT, false, {"station"}},
    [REMOTE_SAMPLE_EVERY] = {MEANS_COUNT, false, {"sample_every"}},
    [REMOTE_KEPT_OVER] = {MEANS_TIME, false, {"kept_over"}},
};
static const struct {
    const char *ending;
    int64_t ns;
} units[] = {{"_ns", 1}, {"_us", 1000}, {"_ms", 1000000}};
enum { UNITS = sizeof units / sizeof *units, COLUMNS_MOST = 2000 };

struct there {
    char *name, *type;
};
struct search {
    struct {
        struct there *items;
        size_t count, capacity;
    } there;
    const char *const *maps;
    size_t map_count;
    const char *shown;
};

static bool note_column(void *user, const struct answer_value *values, struct error *error)
{
    struct search *search = user;

    if (search->there.count == COLUMNS_MOST)
        return error_set(error, ERROR_INPUT, "the table has more than %d columns", COLUMNS_MOST);
    array_push(&search->there,
               (struct there){memory_copy_text(values[0].text), memory_copy_text(values[1].text)});
    return true;
}

/* "Nullable(X)" and "LowCardinality(X)" are X; a new string. */
static char *bare_type(const char *type, bool *ret_nullable)
{
    static const char *const wrappers[] = {"Nullable(", "LowCardinality("};
    char *bare = memory_copy_text(type);

    *ret_nullable = false;
    for (size_t i = 0; i < 2 * sizeof wrappers / sizeof *wrappers; i++) {
        size_t length = strlen(wrappers[i % 2]), all = strlen(bare);

        if (strncmp(bare, wrappers[i % 2], length) != 0 || all <= length || bare[all - 1] != ')')
            continue;
        *ret_nullable = *ret_nullable || i % 2 == 0;
        memmove(bare, bare + length, all - length - 1);
        bare[all - length - 1] = '\0';
    }
    return bare;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A number times `scale` as Int64; floating ones are rounded to what they can tell. */
static bool add_number(struct text_buffer *to, const char *column, const char *type, long long scale)
{
    if (begins(type, "Int") || begins(type, "UInt"))
        text_add_print(to, "toInt64(%s)*%lld", column, scale);
    else if (strcmp(type, "Float32") == 0 && scale >= 1000)
        text_add_print(to, "toInt64(round(%s*%lld))*1000", column, scale / 1000);
    else if (strcmp(type, "Float32") == 0 || strcmp(type, "Float64") == 0 || begins(type, "Decimal"))
        /* whole and broken part apart: large numbers with many decimals fit into no double */
        text_add_print(
            to,
            "(toInt64(floor(toFloat64(%s)))*%lld+toInt64(round((toFloat64(%s)-floor(toFloat64(%s)))*%lld)))",
            column, scale, column, column, scale);
    else
        return false;
    return true;
}

static char *make_expression(enum remote_column column, const struct there *there, long long scale,
                             struct error *error)
{
    struct text_buffer name = {0}, expression = {0};
    bool nullable, good = true;
    char *type = bare_type(there->type, &nullable);

    remote_add_name(&name, there->name);
    if (nullable)
        text_add(&expression, "ifNull(");
    if (wanted[column].meaning != MEANS_TEXT)
        good = add_number(&expression, name.items, type, scale);
    else if (strcmp(type, "String") == 0 && !nullable && strcmp(there->type, "String") == 0)
        text_add(&expression, name.items);
    else
        text_add_print(&expression, begins(type, "FixedString") ? "toStringCutToZero(%s)" : "toString(%s)",
                       name.items);
    if (nullable)
        text_add(&expression, wanted[column].meaning == MEANS_TEXT ? ",'')" : ",toInt64(-1))");
    if (!good)
        error_set(error, ERROR_INPUT, "the column %s is of the type %s, which is no number", there->name,
                  there->type);
    free(type);
    free(name.items);
    if (good)
        return text_take(&expression);
    array_free(&expression);
    return NULL;
}

static const struct there *find_there(const struct search *search, const char *name, size_t length)
{
    for (size_t i = 0; i < search->there.count; i++)
        if (strlen(search->there.items[i].name) == length &&
            strncmp(search->there.items[i].name, name, length) == 0)
            return &search->there.items[i];
    return NULL;
}

/*
 * `name` is one of the column's names, with the end that says the unit if it is a time; *ret_rank is less for those that
 * are looked for first.
 */
static bool is_name_of(enum remote_column column, const char *name, size_t length, long long *ret_scale, size_t *ret_rank)
{
    size_t endings = wanted[column].meaning == MEANS_TIME ? UNITS : 1;

    for (size_t i = 0; i < sizeof wanted->names / sizeof *wanted->names && wanted[column].names[i]; i++)
        for (size_t u = 0; u < endings; u++) {
            const char *stem = wanted[column].names[i],
                       *ending = wanted[column].meaning == MEANS_TIME ? units[u].ending : "";

            if (length != strlen(stem) + strlen(ending) || strncasecmp(name, stem, strlen(stem)) != 0 ||
                strncasecmp(name + strlen(stem), ending, strlen(ending)) != 0)
                continue;
            *ret_scale = wanted[column].meaning == MEANS_TIME   ? units[u].ns
                         : wanted[column].meaning == MEANS_RATE ? 1000
                                                                : 1;
            *ret_rank = i * endings + u;
            return true;
        }
    return false;
}

static bool refuse_missing(const struct search *search, enum remote_column column, struct error *error)
{
    const char *ending = wanted[column].meaning == MEANS_TIME ? "_ms, _us or _ns" : "";
    struct text_buffer list = {0};

    for (size_t i = 0; i < search->there.count && i < 30; i++) {
        char *clean = text_clean(search->there.items[i].name, strlen(search->there.items[i].name));

        text_add_print(&list, "%s%s", i ? ", " : "", clean);
        free(clean);
    }
    if (search->there.count == 0)
        error_set(error, ERROR_INPUT, "%s: there is no such table, or this user may not see it",
                  search->shown);
    else
        error_set(error, ERROR_INPUT,
                  "%s: the table has no column %s%s; it has %s. --map %s%s=COLUMN says which it is",
                  search->shown, wanted[column].names[0], ending, list.items, wanted[column].names[0],
                  wanted[column].meaning == MEANS_TIME ? "_ms" : "");
    array_free(&list);
    return false;
}

static bool use_column(struct remote_columns *ret, enum remote_column column, const struct there *there,
                       long long scale, const struct search *search, struct error *error)
{
    ret->expression[column] = make_expression(column, there, scale, error);
    ret->known[column] = ret->expression[column] != NULL;
    if (!ret->known[column])
        return error_prefix(error, "%s", search->shown);
    if (column != REMOTE_RUN)
        return true;
    if (strspn(there->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
            strlen(there->name) ||
        strstr(there->type, "String") == NULL)
        return error_set(error, ERROR_INPUT,
                         "%s: the column of the run must be text and have a name of letters, digits and _",
                         search->shown);
    ret->run_name = memory_copy_text(there->name);
    return true;
}

static bool find_column(const struct search *search, enum remote_column column, struct remote_columns *ret,
                        struct error *error)
{
    const struct there *best = NULL;
    size_t rank, best_rank = SIZE_MAX;
    long long scale, best_scale = 1;

    for (size_t i = 0; i < search->map_count; i++) {
        const char *equals = strchr(search->maps[i], '=');

        if (!equals || !is_name_of(column, search->maps[i], (size_t)(equals - search->maps[i]), &scale, &rank))
            continue;

        const struct there *there = find_there(search, equals + 1, strlen(equals + 1));

        if (!there)
            return error_set(error, ERROR_USAGE, "%s: --map %s: the table has no such column", search->shown,
                             search->maps[i]);
        return use_column(ret, column, there, scale, search, error);
    }
    for (size_t i = 0; i < search->there.count; i++) {
        const char *name = search->there.items[i].name;

        if (!is_name_of(column, name, strlen(name), &scale, &rank) || rank >= best_rank)
            continue;
        best = &search->there.items[i];
        best_rank = rank;
        best_scale = scale;
    }
    if (best)
        return use_column(ret, column, best, best_scale, search, error);
    if (wanted[column].required)
        return refuse_missing(search, column, error);
    ret->expression[column] = memory_copy_text(wanted[column].meaning == MEANS_TEXT ? "''" : "toInt64(-1)");
    return true;
}

/* A name as --map takes it: the first of the column, of times in ms. */
static char *name_of(int column)
{
    return memory_print("%s%s", wanted[column].names[0], wanted[column].meaning == MEANS_TIME ? "_ms" : "");
}

/* A map that names no column of ours would be passed over without a word. */
static bool check_map(const struct search *search, const char *map, struct error *error)
{
    enum { NEAR = 4 };
    const char *equals = strchr(map, '=');
    size_t length = equals ? (size_t)(equals - map) : strlen(map), nearest = NEAR, rank;
    char *said = memory_copy_bytes(map, length), *near = NULL;
    bool good = false;
    long long scale;

    for (int i = 0; i < REMOTE_COLUMNS && equals && !good; i++) {
        char *name = name_of(i);
        size_t distance = text_distance(said, name);

        good = is_name_of((enum remote_column)i, said, length, &scale, &rank);
        if (distance < nearest) {
            nearest = distance;
            free(near);
            near = name;
        } else {
            free(name);
        }
    }
    if (!good)
        error_set(error, ERROR_USAGE, "%s: --map %s: expected NAME=COLUMN with one of the names of stutterscope-import(7), such as "
                                      "frame_time_ms=dauer%s%s%s",
                  search->shown, map, near ? "; was \"" : "", near ? near : "", near ? "\" meant?" : "");
    free(said);
    free(near);
    return good;
}

bool remote_columns_find(struct remote_server *server, const char *const *maps, size_t map_count,
                         struct remote_columns *ret, struct error *error)
{
    static const struct answer_column answer[] = {{"name", ANSWER_TEXT}, {"type", ANSWER_TEXT}};
    const struct remote_address *address = remote_server_address(server);
    struct search search = {.maps = maps, .map_count = map_count, .shown = address->shown};
    struct text_buffer sql = {0};

    *ret = (struct remote_columns){0};
    for (size_t i = 0; i < map_count; i++)
        if (!check_map(&search, maps[i], error))
            return false;
    text_add(&sql, "SELECT name, type FROM system.columns WHERE database=");
    remote_add_text(&sql, address->database);
    text_add(&sql, " AND table=");
    remote_add_text(&sql, address->table);

    struct remote_question question = {
        .sql = sql.items, .columns = answer, .column_count = 2, .row = note_column, .user = &search};
    bool good = remote_server_ask(server, &question, error);

    for (int i = 0; i < REMOTE_COLUMNS && good; i++)
        good = find_column(&search, (enum remote_column)i, ret, error);
    for (size_t i = 0; i < search.there.count; i++) {
        free(search.there.items[i].name);
        free(search.there.items[i].type);
    }
    array_free(&search.there);
    array_free(&sql);
    if (!good)
        remote_columns_free(ret);
    return good;
}

bool remote_columns_fix_fps(struct remote_columns *columns, int64_t fps_milli)
{
    if (fps_milli > 0) {
        free(columns->expression[REMOTE_TARGET_FPS]);
        columns->expression[REMOTE_TARGET_FPS] = memory_print("toInt64(%lld)", (long long)fps_milli);
        columns->known[REMOTE_TARGET_FPS] = false; /* nothing is asked of the table for it */
    }
    return true;
}

void remote_columns_free(struct remote_columns *columns)
{
    for (int i = 0; i < REMOTE_COLUMNS; i++)
        free(columns->expression[i]);
    free(columns->run_name);
    *columns = (struct remote_columns){0};
}
