/*
 * CSV profiler of Unreal Engine: unreal.c reads rows and headers, unreal_metadata.c the "[key],value" line
 * that tells build, device and system.
 */
#ifndef IMPORT_UNREAL_H
#define IMPORT_UNREAL_H

#include "reading.h"

struct unreal_metadata {
    struct import_context context;
    char *version; /* of the engine, with the configuration; NULL */
    bool cut;      /* the file ends inside: the last pair was left out */
};

/* Is it "[key],value,[key],value…" and not a row that begins with an event in brackets? */
bool unreal_is_metadata(const char *text, size_t length);
void unreal_metadata_read(const struct import_sink *sink, const struct import_line *line,
                          struct unreal_metadata *ret);
void unreal_metadata_free(struct unreal_metadata *metadata);
/* "Boss##1.25;Door": events of a frame, with their time in it. Several stay together as one text; 0: none. */
uint32_t unreal_read_events(const struct import_sink *sink, const char *text, size_t length,
                            int64_t *ret_count);

#endif
