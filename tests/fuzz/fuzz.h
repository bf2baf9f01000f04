/*
 * What the fuzz targets share: one reader over arbitrary bytes, with a sink that stops the program when a
 * promise of the import is broken. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput and seeds in
 * corpus/NAME/.
 */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include "stutterscope/import/options.h"
#include "stutterscope/import/source.h"

#include <stddef.h>
#include <stdint.h>

/* The entry of every target; libFuzzer and replay.c call it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Imports the bytes as the format of that name (NULL: found by content), without a store. */
void fuzz_format(const char *format, const uint8_t *bytes, size_t size);
/* What a user says who gives build, device and scene and nothing else. */
extern const struct import_options fuzz_options;
/* One import with these options. Takes the source over. */
void fuzz_import(struct byte_source *source, const char *path, const struct import_options *options);
/* Takes the first line away from the bytes: what the rest is read with. A new string. */
char *fuzz_first_line(const uint8_t **bytes, size_t *size);

#endif
