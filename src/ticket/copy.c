#include "copy.h"

#include "stutterscope/base/number.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

static struct json *copy_number(const struct json *value)
{
    enum { SCALE = 1000000, DECIMALS = 9 };
    char *text = json_print(value);
    double number = 0;
    int64_t scaled;
    bool exact = number_parse_scaled(text, strlen(text), SCALE, false, &scaled) == NUMBER_OK;

    free(text);
    if (exact)
        return json_from_scaled(scaled, SCALE);
    json_number(value, &number);
    return json_from_double(number, DECIMALS);
}

static struct json *copy_text(const char *text, size_t columns)
{
    char *cut = columns && text_width(text) > columns ? text_cut_middle(text, columns, "…") : NULL;
    struct json *copy = json_from_text(cut ? cut : text);

    free(cut);
    return copy;
}

struct json *copy_value(const struct json *value, size_t columns)
{
    struct json *copy;

    switch (json_kind(value)) {
    case JSON_BOOL:
        return json_from_bool(json_is_true(value));
    case JSON_NUMBER:
        return copy_number(value);
    case JSON_TEXT:
        return copy_text(json_text(value), columns);
    case JSON_ARRAY:
        copy = json_array();
        for (const struct json *item = json_first(value); item; item = json_next(item))
            json_append(copy, copy_value(item, columns));
        return copy;
    case JSON_OBJECT:
        copy = json_object();
        copy_members(copy, value, columns);
        return copy;
    default:
        return json_null();
    }
}

void copy_members(struct json *to, const struct json *object, size_t columns)
{
    for (const struct json *item = json_first(object); item; item = json_next(item))
        if (!json_member(to, json_name(item)))
            json_add(to, json_name(item), copy_value(item, columns));
}
