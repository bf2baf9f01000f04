/*
 * Texts as small numbers: every different text gets the next id, from 1 on; 0 is "no text".
 */
#ifndef STUTTERSCOPE_BASE_DICTIONARY_H
#define STUTTERSCOPE_BASE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

struct dictionary;
struct dictionary *dictionary_create(void);
void dictionary_destroy(struct dictionary *dictionary);
/* The id of the text, added when it is new. Empty text is 0. */
uint32_t dictionary_add(struct dictionary *dictionary, const char *text, size_t length);
uint32_t dictionary_find(const struct dictionary *dictionary, const char *text, size_t length); /* 0: not there */
const char *dictionary_text(const struct dictionary *dictionary, uint32_t id); /* "" for 0; valid until destroy */
size_t dictionary_count(const struct dictionary *dictionary);                  /* ids are 1 … count */

#endif
