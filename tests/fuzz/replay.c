/*
 * Runs a fuzz target over the files of its corpus, whole and cut at many places: a test with any compiler, no
 * fuzzer. replay_NAME [--cuts N] corpus/NAME [FILE ...]
 */
#include "fuzz.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LARGEST_SEED (4u << 20)
#define USUAL_CUTS   50

/* A copy of exactly that size, so that a sanitizer sees reading beyond its end. */
static void run_exactly(const char *bytes, size_t size)
{
    char *copy = memory_take(size ? size : 1);

    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput((const uint8_t *)copy, size);
    free(copy);
}

static int replay_file(const char *path, size_t cuts)
{
    struct error error = {0};
    char *bytes;
    size_t size;

    if (!path_read_all(path, LARGEST_SEED, &bytes, &size, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    run_exactly(bytes, size);
    for (size_t i = 0; i < cuts; i++)
        run_exactly(bytes, size * i / cuts);
    free(bytes);
    return 0;
}

static int replay_folder(const char *folder, size_t cuts, int *files)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    int faults = 0;

    if (!list) {
        fprintf(stderr, "%s cannot be opened\n", folder);
        return 1;
    }
    while ((entry = readdir(list))) {
        char *path;

        if (entry->d_name[0] == '.')
            continue;
        path = path_join(folder, entry->d_name);
        faults += replay_file(path, cuts);
        (*files)++;
        free(path);
    }
    closedir(list);
    return faults;
}

int main(int count, char **arguments)
{
    int faults = 0, files = 0, first = 1;
    size_t cuts = USUAL_CUTS;

    if (count > 2 && strcmp(arguments[1], "--cuts") == 0) {
        cuts = strtoul(arguments[2], NULL, 10);
        first = 3;
    }
    for (int i = first; i < count; i++) {
        struct stat status;

        if (stat(arguments[i], &status) == 0 && S_ISDIR(status.st_mode)) {
            faults += replay_folder(arguments[i], cuts, &files);
        } else {
            faults += replay_file(arguments[i], cuts);
            files++;
        }
    }
    printf("%d files replayed\n", files);
    return faults > 0 || files == 0;
}
