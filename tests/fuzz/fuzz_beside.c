/* What is not in the capture: --path-pattern (first line) against a path (second line), and the files beside it. */
#include "fuzz.h"

#include "../../src/import/path_pattern.h"
#include "../../src/import/sidecar.h"
#include "stutterscope/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

struct bytes {
    const char *start;
    size_t size;
};

static bool read_beside(void *user, const char *path, char **ret_bytes, size_t *ret_size)
{
    const struct bytes *bytes = user;

    (void)path;
    *ret_bytes = memory_copy_bytes(bytes->start, bytes->size);
    *ret_size = bytes->size;
    return true;
}

static void promise(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *pattern = fuzz_first_line(&bytes, &size), *path = fuzz_first_line(&bytes, &size), *values[CONTEXT_COUNT] = {0};
    struct bytes rest = {(const char *)bytes, size};
    const struct import_beside beside = {&rest, read_beside};
    struct import_sidecar sidecar = {0};
    struct error error = {0};
    bool fine = path_pattern_match(pattern, path, values, &error);

    promise(fine || *error.text, "a path that does not fit is told");
    for (int i = 0; i < CONTEXT_COUNT; i++)
        promise(!values[i] || *values[i], "a name takes at least one character");
    path_pattern_free(values);
    error = (struct error){0};
    promise(import_sidecar_read("fuzz.csv", &beside, &sidecar, &error) || *error.text, "what cannot be read is told");
    import_sidecar_free(&sidecar);
    free(pattern);
    free(path);
    return 0;
}
