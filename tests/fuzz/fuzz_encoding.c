/* Text in any encoding: the first line names it as --encoding does, an empty one leaves the guess to the bytes. */
#include "fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct import_options options = fuzz_options;
    char *line = fuzz_first_line(&bytes, &size);

    options.encoding = *line ? line : NULL;
    fuzz_import(source_open_memory((const char *)bytes, size), "fuzz", &options);
    free(line);
    return 0;
}
