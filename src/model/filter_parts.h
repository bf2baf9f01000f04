/*
 * What the files of the filter share.
 */
#ifndef STUTTERSCOPE_MODEL_FILTER_PARTS_H
#define STUTTERSCOPE_MODEL_FILTER_PARTS_H

#include "stutterscope/model/filter.h"

enum filter_operator { FILTER_EQUAL, FILTER_LESS, FILTER_LESS_EQUAL, FILTER_GREATER, FILTER_GREATER_EQUAL };

struct filter_term {
    enum filter_key key;
    bool negated;
    struct {
        char **items;
        size_t count, capacity;
    } values;
    size_t at, length; /* in the text */
    enum filter_operator operator;
    double number;
};

struct filter {
    struct filter_term *items;
    size_t count, capacity;
    char *text;
};

/* The index-th of the fixed words of a key; NULL: no more, or the key has none. */
const char *filter_fixed_word(enum filter_key key, size_t index);
/* The key by its name (length bytes, case ignored); FILTER_KEY_COUNT: none. */
enum filter_key filter_key_by_name(const char *name, size_t length);
bool filter_fixed_fits(const char *value, const char *word);
/* Whether a value of a filter means this name. */
bool filter_value_fits(const char *value, const char *name);

#endif
