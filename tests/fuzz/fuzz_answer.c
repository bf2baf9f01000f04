/* Answers of a server, in pieces of every size, against every list of columns: nothing but rows or an error
 * comes out. */
#include "fuzz.h"
#include "stutterscope/remote/answer.h"
#include <stdlib.h>

static const struct answer_column few[] = {{"name", ANSWER_TEXT}};
static const struct answer_column some[] = {
    {"name", ANSWER_TEXT}, {"count", ANSWER_INTEGER}, {"more", ANSWER_TEXT}};

static bool look(void *user, const struct answer_value *values, struct error *error)
{
    size_t columns = *(const size_t *)user;

    (void)error;
    for (size_t i = 0; i < columns; i++)
        if (values[i].text[values[i].length] != '\0')
            abort();
    return true;
}

static void read_answer(const struct answer_column *columns, size_t count, const uint8_t *bytes, size_t size,
                        size_t piece)
{
    struct answer *answer = answer_create(columns, count, look, &count);
    struct error error = {0};
    bool good = true;

    for (size_t at = 0; at < size && good; at += piece)
        good = answer_take(answer, (const char *)bytes + at, size - at < piece ? size - at : piece, &error);
    good = good && answer_finish(answer, &error);
    if (!good && error.code == ERROR_NONE)
        abort();
    answer_destroy(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t piece = size ? 1 + bytes[0] % 64 : 1;

    read_answer(few, 1, bytes + (size > 0), size - (size > 0), piece);
    read_answer(some, 3, bytes + (size > 0), size - (size > 0), piece);
    return 0;
}
