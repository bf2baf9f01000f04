/*
 * For formats that give samples and no frames: one reader over arbitrary bytes, with a sink that takes
 * samples.
 */
#ifndef TEST_FUZZ_SAMPLES_H
#define TEST_FUZZ_SAMPLES_H

#include "fuzz.h"

void fuzz_samples(const char *format, const uint8_t *bytes, size_t size);

#endif
