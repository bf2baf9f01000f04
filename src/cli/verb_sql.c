#include "stutterscope/model/sql.h"
#include "verbs.h"
#include <stdlib.h>

int verb_sql(struct invocation *invocation, struct error *error)
{
    const char *limit = invocation_value(invocation, OPTION_LIMIT);
    char *path;
    int64_t rows = 0;
    struct table *table;

    if (limit && !parse_count(limit, 0, INT32_MAX, "--limit", &rows, error))
        return EXIT_TROUBLE;
    path = invocation_store(invocation);
    table = table_sql(path, invocation->operands[0], invocation_value(invocation, OPTION_SORT) ? 0 : (size_t)rows, error);
    free(path);
    return table ? print_table(invocation, table, error) : EXIT_TROUBLE;
}
