#include "stutterscope/base/dictionary.h"

#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64
#define CHUNK_BYTES 65536

struct dictionary_entry {
    const char *text;
    size_t length;
    uint64_t hash;
};

struct dictionary_chunk {
    struct dictionary_chunk *next;
    char bytes[];
};

/* Texts live in chunks that never move, so that dictionary_text() stays valid; slots hold ids, 0 is a free
 * slot. */
struct dictionary {
    struct {
        struct dictionary_entry *items;
        size_t count, capacity;
    } entries;
    uint32_t *slots;
    size_t slot_count; /* a power of two, at least twice the number of entries */
    struct dictionary_chunk *chunks;
    size_t chunk_used, chunk_size;
};

struct dictionary *dictionary_create(void)
{
    struct dictionary *dictionary = memory_take_zeroed(1, sizeof *dictionary);

    dictionary->slot_count = FIRST_SLOTS;
    dictionary->slots = memory_take_zeroed(FIRST_SLOTS, sizeof *dictionary->slots);
    return dictionary;
}

void dictionary_destroy(struct dictionary *dictionary)
{
    if (!dictionary)
        return;
    while (dictionary->chunks) {
        struct dictionary_chunk *next = dictionary->chunks->next;

        free(dictionary->chunks);
        dictionary->chunks = next;
    }
    array_free(&dictionary->entries);
    free(dictionary->slots);
    free(dictionary);
}

/* The slot that holds the text, or the free slot where it belongs. */
static uint32_t *dictionary_slot(const struct dictionary *dictionary, const char *text, size_t length,
                                 uint64_t hash)
{
    size_t mask = dictionary->slot_count - 1;

    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &dictionary->slots[i];
        const struct dictionary_entry *entry;

        if (*slot == 0)
            return slot;
        entry = &dictionary->entries.items[*slot - 1];
        if (entry->hash == hash && entry->length == length && memcmp(entry->text, text, length) == 0)
            return slot;
    }
}

static void dictionary_widen(struct dictionary *dictionary)
{
    size_t mask = dictionary->slot_count * 2 - 1;

    free(dictionary->slots);
    dictionary->slot_count *= 2;
    dictionary->slots = memory_take_zeroed(dictionary->slot_count, sizeof *dictionary->slots);
    for (size_t id = 1; id <= dictionary->entries.count; id++) {
        size_t i = (size_t)dictionary->entries.items[id - 1].hash & mask;

        while (dictionary->slots[i] != 0)
            i = (i + 1) & mask;
        dictionary->slots[i] = (uint32_t)id;
    }
}

static const char *dictionary_keep(struct dictionary *dictionary, const char *text, size_t length)
{
    char *place;

    if (!dictionary->chunks || dictionary->chunk_size - dictionary->chunk_used <= length) {
        size_t size = length >= CHUNK_BYTES ? length + 1 : CHUNK_BYTES;
        struct dictionary_chunk *chunk = memory_take(sizeof *chunk + size);

        chunk->next = dictionary->chunks;
        dictionary->chunks = chunk;
        dictionary->chunk_size = size;
        dictionary->chunk_used = 0;
    }
    place = dictionary->chunks->bytes + dictionary->chunk_used;
    memcpy(place, text, length);
    place[length] = '\0';
    dictionary->chunk_used += length + 1;
    return place;
}

uint32_t dictionary_add(struct dictionary *dictionary, const char *text, size_t length)
{
    uint64_t hash;
    uint32_t *slot;

    if (length == 0)
        return 0;
    hash = hash_bytes(text, length);
    slot = dictionary_slot(dictionary, text, length, hash);
    if (*slot != 0)
        return *slot;
    if (dictionary->entries.count >= UINT32_MAX - 1) {
        fputs("stutterscope: more than 4 billion different texts\n", stderr);
        abort();
    }
    array_push(&dictionary->entries, (struct dictionary_entry){
                                         .text = dictionary_keep(dictionary, text, length),
                                         .length = length,
                                         .hash = hash,
                                     });
    *slot = (uint32_t)dictionary->entries.count;
    if (dictionary->entries.count * 2 >= dictionary->slot_count)
        dictionary_widen(dictionary);
    return (uint32_t)dictionary->entries.count;
}

uint32_t dictionary_find(const struct dictionary *dictionary, const char *text, size_t length)
{
    return length == 0 ? 0 : *dictionary_slot(dictionary, text, length, hash_bytes(text, length));
}

const char *dictionary_text(const struct dictionary *dictionary, uint32_t id)
{
    return id == 0 || id > dictionary->entries.count ? "" : dictionary->entries.items[id - 1].text;
}

size_t dictionary_count(const struct dictionary *dictionary)
{
    return dictionary->entries.count;
}
