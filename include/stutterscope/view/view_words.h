/*
 * What is chosen on a screen, as words: "rows=tiers", "sort=worst". A place (view/place.h) is made of them, so that a view
 * can be left and come back to. A name without a value is a switch that is on.
 */
#ifndef STUTTERSCOPE_VIEW_VIEW_WORDS_H
#define STUTTERSCOPE_VIEW_VIEW_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view_word {
    char *name, *value; /* never NULL */
};
struct view_words {
    struct view_word *items;
    size_t count, capacity;
};

void view_words_put(struct view_words *words, const char *name, const char *value); /* NULL: "" */
void view_words_put_number(struct view_words *words, const char *name, int64_t value);
void view_words_put_switch(struct view_words *words, const char *name, bool on); /* nothing when it is off */
/* A list of numbers: called for each of them. */
void view_words_add_number(struct view_words *words, const char *name, int64_t value);

const char *view_words_get(const struct view_words *words, const char *name); /* NULL: it is not there */
bool view_words_has(const struct view_words *words, const char *name);
/* Whole numbers between low and high; false, and *ret as it was, for all else. */
bool view_words_number(const struct view_words *words, const char *name, int64_t low, int64_t high, int64_t *ret);
/* The index-th number of a list. */
bool view_words_number_at(const struct view_words *words, const char *name, size_t index, int64_t *ret);
/* The same where it is a place among `count`: of rows, of columns. */
bool view_words_place_at(const struct view_words *words, const char *name, size_t index, int count, int *ret);
void view_words_free(struct view_words *words); /* leaves it empty */

#endif
