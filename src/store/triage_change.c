/* How decisions change: each is a set of values (a field of a fingerprint, a rename) that is logged as it is written,
 * so that the log alone can take it back. */
#include "stutterscope/base/clock.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/store/triage.h"
#include "database.h"
#include <stdlib.h>
#include <string.h>

/* One kind of value: how it is read and written. Statements take ?1 subject, ?2 value; `clear` comes before `write`,
 * which is left out when there is no value. */
struct value_kind {
    const char *what, *read, *clear, *write;
    bool of_row; /* of the triage row, which says who changed it last */
};
#define FIELD(name)                                                                                                    \
    {                                                                                                                  \
        #name, "SELECT " #name " FROM triage WHERE fingerprint = ?1",                                                  \
            "UPDATE triage SET " #name " = NULL WHERE fingerprint = ?1",                                               \
            "UPDATE triage SET " #name " = ?2 WHERE fingerprint = ?1", true                                            \
    }
#define RENAME(kind)                                                                                                   \
    {                                                                                                                  \
        "rename " kind, "SELECT new FROM rename WHERE kind = '" kind "' AND old = ?1",                                 \
            "DELETE FROM rename WHERE kind = '" kind "' AND old = ?1",                                                 \
            "INSERT INTO rename (kind, old, new) VALUES ('" kind "', ?1, ?2)", false                                   \
    }
#define FIGURES "figures" /* of a ticket about the stutter: its row, which stays when it is taken back */
static const struct value_kind value_kinds[] = {
    FIELD(state),
    FIELD(owner),
    FIELD(note),
    FIELD(ticket),
    FIELD(build),
    FIELD(verified),
    RENAME("scene"),
    RENAME("event"),
    /* of "device/scene", "0/0" for the whole store */
    {"baseline", "SELECT b.name FROM baseline p JOIN build b ON b.id = p.build WHERE p.device || '/' || p.scene = ?1",
     "DELETE FROM baseline WHERE device || '/' || scene = ?1",
     "INSERT INTO baseline (device, scene, build) SELECT CAST(substr(?1, 1, instr(?1, '/') - 1) AS INTEGER),"
     " CAST(substr(?1, instr(?1, '/') + 1) AS INTEGER), id FROM build WHERE name = ?2",
     false},
    /* the latest one counts */
    {FIGURES, "SELECT max(ticket) FROM ticket_stutter WHERE fingerprint = ?1",
     "DELETE FROM ticket_stutter WHERE fingerprint = ?1 AND ticket > coalesce(CAST(?2 AS INTEGER), 0)",
     "INSERT OR IGNORE INTO ticket_stutter (ticket, fingerprint) VALUES (CAST(?2 AS INTEGER), ?1)", false},
};

static const struct value_kind *find_kind(const char *what)
{
    for (size_t i = 0; i < sizeof value_kinds / sizeof *value_kinds; i++)
        if (strcmp(value_kinds[i].what, what) == 0)
            return &value_kinds[i];
    return NULL;
}

struct change_work {
    struct store *store;
    const struct triage_author *author;
    int64_t decision, undoes; /* undoes: 0 none */
    int64_t members;
    int64_t changes;
};

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool read_value(struct store *store, const struct value_kind *kind, const char *subject, char **ret, struct error *error)
{
    sqlite3_stmt *query = store_query(store, error, kind->read, "s", subject);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;

    *ret = step == SQLITE_ROW ? store_column_text(query, 0) : NULL;
    return store_finish(store, query, step, error);
}

static bool write_value(const struct change_work *work, const struct value_kind *kind, const char *subject, const char *value,
                        struct error *error)
{
    return store_change(work->store, error, kind->clear, "ss", subject, value) &&
           (!value || store_change(work->store, error, kind->write, "ss", subject, value)) &&
           (!kind->of_row || store_change(work->store, error, "UPDATE triage SET at_ms = ?2, who = ?3 WHERE fingerprint = ?1", "sis", subject,
                                          work->author->at_ms, work->author->who));
}

/* Nothing happens, and nothing is logged, when the value is there already. */
static bool change_value(struct change_work *work, const char *what, const char *subject, const char *value, struct error *error)
{
    const struct value_kind *kind = find_kind(what);
    char *before = NULL;
    bool good = kind ? read_value(work->store, kind, subject, &before, error)
                     : error_set(error, ERROR_STORE, "%s: the log names \"%s\", which this program does not know.", store_path(work->store), what);

    if (good && !same_text(before, value)) {
        good = write_value(work, kind, subject, value, error) &&
               store_change(work->store, error,
                            "INSERT INTO triage_log (decision, undoes, subject, what, before, after, members, at_ms, who)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "iossssiis", work->decision, work->undoes ? work->undoes : VALUE_UNKNOWN, subject, what, before, value,
                            work->members, work->author->at_ms, work->author->who);
        work->changes++;
    }
    free(before);
    return good;
}

static bool begin_decision(struct change_work *work, struct error *error)
{
    if (!store_begin(work->store, error))
        return false;
    if (store_ask(work->store, error, 0, &work->decision, "SELECT max(decision) FROM triage_log", "")) {
        work->decision++;
        return true;
    }
    store_roll_back(work->store);
    return false;
}

static bool end_decision(struct change_work *work, bool good, int64_t *ret_decision, struct error *error)
{
    if (!good || !work->changes) {
        store_roll_back(work->store);
        *ret_decision = 0;
        return good;
    }
    *ret_decision = work->decision;
    return store_end(work->store, error);
}

static bool add_subject(const struct change_work *work, const struct triage_row *subject, struct error *error)
{
    return store_change(work->store, error,
                        "INSERT OR IGNORE INTO triage (fingerprint, kind, device_model, chip, scene, quality, label, event,"
                        " first_at_ms, at_ms, who) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?9, ?9, ?10)",
                        "ssssssssis", subject->fingerprint, subject->kind, subject->device_model, subject->chip, subject->scene,
                        subject->quality, subject->label, subject->event, work->author->at_ms, work->author->who);
}

static bool decide_one(struct change_work *work, const struct triage_row *subject, const struct triage_change *change, struct error *error)
{
    const struct {
        const char *what, *value;
    } values[] = {
        {"state", change->state}, {"ticket", change->ticket}, {"owner", change->owner},
        {"note", change->note},   {"build", change->build},   {"verified", change->verified},
    };

    if (!add_subject(work, subject, error))
        return false;
    if (change->state && /* what was taken back does not count as the first time */
        !store_change(work->store, error, "UPDATE triage SET kind = ?3, first_at_ms = CASE WHEN state IS NULL THEN ?2 ELSE first_at_ms END,"
                                          " first_build = CASE WHEN state IS NULL THEN ?4 ELSE first_build END WHERE fingerprint = ?1",
                      "siss", subject->fingerprint, work->author->at_ms, subject->kind, change->build))
        return false;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].value && !change_value(work, values[i].what, subject->fingerprint, *values[i].value ? values[i].value : NULL, error))
            return false;
    return true;
}

/* Whether the figures that the subject was filed with last are these. */
static bool has_figures(struct store *store, const char *fingerprint, const char *payload, bool *ret, struct error *error)
{
    int64_t same;
    bool good = store_ask(store, error, 0, &same,
                          "SELECT count(*) FROM ticket WHERE payload = ?2"
                          " AND id = (SELECT max(ticket) FROM ticket_stutter WHERE fingerprint = ?1)",
                          "ss", fingerprint, payload);

    *ret = same > 0;
    return good;
}

static bool keep_figures(struct change_work *work, const struct triage_row *subjects, size_t count, const struct triage_change *change,
                         struct error *error)
{
    bool there = false, good = true;

    if (!work->changes && !has_figures(work->store, subjects[0].fingerprint, change->payload, &there, error))
        return false;
    if (there)
        return true;
    if (!store_change(work->store, error, "INSERT INTO ticket (reference, build, payload, written_at_ms, who) VALUES (?, ?, ?, ?, ?)",
                      "sssis", change->ticket, change->payload_build, change->payload, work->author->at_ms, work->author->who))
        return false;

    char *id = memory_print("%lld", (long long)sqlite3_last_insert_rowid(work->store->db));

    for (size_t i = 0; i < count && good; i++)
        good = change_value(work, FIGURES, subjects[i].fingerprint, id, error);
    free(id);
    return good;
}

bool store_decide(struct store *store, const struct triage_row *subjects, size_t count, const struct triage_change *change,
                  const struct triage_author *author, int64_t *ret_decision, struct error *error)
{
    struct change_work work = {.store = store, .author = author, .members = (int64_t)count};
    bool good = true;

    if (!begin_decision(&work, error))
        return false;
    for (size_t i = 0; i < count && good; i++)
        good = decide_one(&work, &subjects[i], change, error);
    if (change->payload && count > 0)
        good = good && keep_figures(&work, subjects, count, change, error);
    return end_decision(&work, good, ret_decision, error);
}

/* Whether following the renames from `name` leads to `end`. */
static bool leads_to(const struct rename_list *renames, enum rename_kind kind, const char *name, const char *end)
{
    for (size_t steps = 0; steps <= renames->count; steps++) {
        size_t i = 0;

        if (strcmp(name, end) == 0)
            return true;
        while (i < renames->count && (renames->items[i].kind != kind || strcmp(renames->items[i].old_name, name) != 0))
            i++;
        if (i == renames->count)
            return false;
        name = renames->items[i].new_name;
    }
    return true;
}

bool store_declare_rename(struct store *store, enum rename_kind kind, const char *old_name, const char *new_name,
                          const struct triage_author *author, int64_t *ret_decision, struct error *error)
{
    struct change_work work = {.store = store, .author = author, .members = 1};
    struct rename_list renames = {0};
    bool good;

    if (!begin_decision(&work, error))
        return false;
    good = store_list_renames(store, &renames, error);
    if (good && leads_to(&renames, kind, new_name, old_name))
        good = error_set(error, ERROR_USAGE, "%s \"%s\" cannot be renamed to \"%s\": that name already stands for it, so the two would go in a circle.",
                         rename_kind_name(kind), old_name, new_name);
    if (good)
        good = change_value(&work, kind == RENAME_SCENE ? "rename scene" : "rename event", old_name, new_name, error);
    rename_list_free(&renames);
    return end_decision(&work, good, ret_decision, error);
}

bool store_decide_baseline(struct store *store, int64_t device, int64_t scene, const char *build, const struct triage_author *author,
                           int64_t *ret_decision, struct error *error)
{
    struct change_work work = {.store = store, .author = author, .members = 1};
    char *subject = memory_print("%lld/%lld", (long long)device, (long long)scene);
    int64_t known = 1;
    bool good = !build || store_ask(store, error, 0, &known, "SELECT count(*) FROM build WHERE name = ?", "s", build);

    if (good && !known)
        good = error_set(error, ERROR_USAGE, "there is no build \"%s\" in this store", build);
    good = good && begin_decision(&work, error);
    if (good) {
        good = change_value(&work, "baseline", subject, build, error);
        good = end_decision(&work, good, ret_decision, error);
    }
    free(subject);
    return good;
}

/* A taking back that stands: not itself decided again. */
#define STANDS(log) "NOT EXISTS (SELECT 1 FROM triage_log z WHERE z.undoes = " log ".decision)"

static bool find_target(struct store *store, const struct triage_author *author, bool again, int64_t *ret, struct error *error)
{
    static const char *const last =
        "SELECT max(x.decision) FROM triage_log x WHERE x.who = ?1 AND x.undoes IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM triage_log y WHERE y.undoes = x.decision AND " STANDS("y") ")";
    static const char *const last_taken_back =
        "SELECT max(y.decision) FROM triage_log y JOIN triage_log x ON x.decision = y.undoes AND x.undoes IS NULL"
        " WHERE y.who = ?1 AND " STANDS("y")
        " AND y.decision > (SELECT max(decision) FROM triage_log WHERE who = ?1 AND undoes IS NULL)";

    if (!store_ask(store, error, 0, ret, again ? last_taken_back : last, "s", author->who))
        return false;
    return *ret || error_set(error, ERROR_USAGE, again ? "nothing was taken back since the last decision of %s" : "%s has decided nothing that could be taken back",
                             author->who);
}

static bool refuse_conflict(struct store *store, const struct triage_log_row *row, const char *now, struct error *error)
{
    sqlite3_stmt *query = store_query(store, NULL, "SELECT who, at_ms FROM triage_log WHERE subject = ? ORDER BY id DESC LIMIT 1", "s", row->subject);
    int step = query ? sqlite3_step(query) : SQLITE_ERROR;
    char *who = step == SQLITE_ROW ? store_column_text(query, 0) : NULL, when[40] = "";

    if (step == SQLITE_ROW)
        clock_print(when, sizeof when, store_column(query, 1) / 1000 * 1000);
    store_finish(store, query, step, NULL);
    error_set(error, ERROR_USAGE, "cannot be taken back: %s of %s is now \"%s\", changed by %s at %s", row->what, row->subject, now ? now : "", who ? who : "somebody",
              when);
    free(who);
    return false;
}

static bool reverse(struct change_work *work, const struct triage_log_row *row, struct error *error)
{
    const struct value_kind *kind = find_kind(row->what);
    char *now = NULL;
    bool good = !kind || read_value(work->store, kind, row->subject, &now, error);

    if (good && kind && !same_text(now, row->after))
        good = refuse_conflict(work->store, row, now, error);
    free(now);
    return good && change_value(work, row->what, row->subject, row->before, error);
}

bool store_take_back(struct store *store, const struct triage_author *author, bool again, int64_t *ret_decision, struct error *error)
{
    struct change_work work = {.store = store, .author = author};
    struct triage_log_list rows = {0};
    int64_t written;
    bool good;

    if (!begin_decision(&work, error))
        return false;
    good = find_target(store, author, again, &work.undoes, error) && store_list_triage_log(store, work.undoes, &rows, error);
    for (size_t i = rows.count; i-- > 0 && good;) {
        work.members = rows.items[i].members;
        good = reverse(&work, &rows.items[i], error);
    }
    good = end_decision(&work, good, &written, error);
    if (good)
        *ret_decision = again && rows.count ? rows.items[0].undoes : work.undoes;
    triage_log_list_free(&rows);
    return good;
}

bool store_list_triage_log(struct store *store, int64_t decision, struct triage_log_list *ret, struct error *error)
{
    sqlite3_stmt *query = store_query(
        store, error,
        "SELECT x.id, x.decision, x.undoes, x.subject, x.what, x.before, x.after, x.members, x.at_ms, x.who,"
        " EXISTS (SELECT 1 FROM triage_log y WHERE y.undoes = x.decision AND " STANDS("y") ")"
        " FROM triage_log x WHERE ?1 = 0 OR x.decision = ?1 ORDER BY x.id",
        "i", decision);
    int step = SQLITE_ERROR;

    while (query && (step = sqlite3_step(query)) == SQLITE_ROW) {
        struct triage_log_row row = {.id = store_column(query, 0), .decision = store_column(query, 1)};

        row.undoes = sqlite3_column_int64(query, 2);
        row.subject = store_column_name(query, 3);
        row.what = store_column_name(query, 4);
        row.before = store_column_text(query, 5);
        row.after = store_column_text(query, 6);
        row.members = store_column(query, 7);
        row.at_ms = store_column(query, 8);
        row.who = store_column_name(query, 9);
        row.taken_back = sqlite3_column_int(query, 10) != 0;
        array_push(ret, row);
    }
    return store_finish(store, query, step, error);
}

void triage_log_list_free(struct triage_log_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct triage_log_row *row = &list->items[i];
        char *const texts[] = {row->subject, row->what, row->before, row->after, row->who};

        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            free(texts[t]);
    }
    array_free(list);
}
