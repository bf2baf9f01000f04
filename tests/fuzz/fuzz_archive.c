/* Compressed files and archives, from their bytes to the frames of their members. */
#include "fuzz.h"

#include "stutterscope/import/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MEMBERS 100

static bool take(void *user, const struct import_item *item)
{
    int *members = user;

    if (strstr(item->path, "/../") || strstr(item->path, "//") || *item->path == '/') {
        fprintf(stderr, "broken promise: names of members are clean and relative, found %s\n", item->path);
        abort();
    }
    fuzz_import(item->source, item->path, &fuzz_options);
    return ++*members < MOST_MEMBERS;
}

static void fail(void *user, const char *path, const struct error *error)
{
    (void)user;
    if (*error->text)
        return;
    fprintf(stderr, "broken promise: %s failed without a word\n", path);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int members = 0;
    const struct intake intake = {&members, take, fail, {.bytes = 1 << 20, .ratio = UNPACK_MOST_RATIO}};

    intake_source(&intake, "fuzz", source_open_memory((const char *)bytes, size));
    return 0;
}
