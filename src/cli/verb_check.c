#include "stutterscope/base/memory.h"
#include "stutterscope/model/edit.h"
#include "verbs.h"
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 100 };

struct check_work {
    struct table *table;
};

static void note_problem(void *user, const char *text)
{
    struct check_work *work = user;

    if (work->table->row_count < SHOWN)
        cell_set_text(table_add_row(work->table), text);
}

int verb_check(struct invocation *invocation, struct error *error)
{
    static const struct table_column columns[] = {{"problem", "problem", COLUMN_SHOWN}};
    struct check_work work = {table_create("check", columns, 1)};
    struct model *model;
    int64_t problems = 0;
    bool repair = invocation_has(invocation, OPTION_REPAIR), good;

    if (!invocation_open_model(invocation, &model, error)) {
        table_destroy(work.table);
        return EXIT_TROUBLE;
    }
    good = model_check(model, repair, note_problem, &work, &problems, error);
    work.table->head = json_object();
    json_add(work.table->head, "store", json_from_text(model_path(model)));
    json_add(work.table->head, "problems", json_from_integer(problems));
    work.table->message = memory_print("%s: no problem found%s", model_path(model),
                                       repair ? "; what is derived was dropped and is made again when it is asked for" : "");
    model_close(model);
    if (!good) {
        table_destroy(work.table);
        return EXIT_TROUBLE;
    }
    if (print_table(invocation, work.table, error) != EXIT_DONE)
        return EXIT_TROUBLE;
    return problems ? EXIT_FINDING : EXIT_DONE;
}
