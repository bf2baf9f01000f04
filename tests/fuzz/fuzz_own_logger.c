/* Somebody's own table, with columns named by the user: the first line holds the --map options, with blanks between. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MAPS 8

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct import_options options = fuzz_options;
    const char *maps[MOST_MAPS];
    char *line = fuzz_first_line(&bytes, &size), *rest = NULL;

    for (char *map = strtok_r(line, " ", &rest); map && options.map_count < MOST_MAPS; map = strtok_r(NULL, " ", &rest))
        maps[options.map_count++] = map;
    options.maps = maps;
    options.format = "csv";
    fuzz_import(source_open_memory((const char *)bytes, size), "fuzz", &options);
    free(line);
    return 0;
}
