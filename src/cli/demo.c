/*
 * The sample telemetry that comes with the program: imported into a store of its own on first use.
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "verbs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const sample_files[] = {"sample/nightly-418.csv", "sample/nightly-420.csv", "sample/nightly-421.csv"};
static const char *const devices_file = "sample/devices.csv";

/* $XDG_CACHE_HOME/stutterscope/demo.db: it can be made again at any time. */
static char *demo_path(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

    if (cache && *cache == '/')
        return memory_print("%s/stutterscope/demo-%s.db", cache, STUTTERSCOPE_VERSION);
    return memory_print("%s/.cache/stutterscope/demo-%s.db", home && *home ? home : "/tmp", STUTTERSCOPE_VERSION);
}

/* Runs a verb of ours without printing. */
static bool run_quietly(const char *const *arguments, size_t count, struct error *error)
{
    struct invocation invocation;
    struct text_buffer ignored = {0};
    bool good = invocation_parse((int)count, (char **)arguments, &invocation, error);

    if (good) {
        invocation.capture = &ignored;
        good = invocation.verb->run(&invocation, error) == EXIT_DONE;
    }
    invocation_free(&invocation);
    array_free(&ignored);
    return good;
}

static bool import_sample(const char *path, struct error *error)
{
    enum { FILES = sizeof sample_files / sizeof *sample_files };
    char *files[FILES] = {0}, *devices = path_data(devices_file, error);
    bool good = devices != NULL;

    for (size_t i = 0; i < FILES && good; i++)
        good = (files[i] = path_data(sample_files[i], error)) != NULL;
    if (good) {
        const char *names[] = {"stutterscope", "devices", "--store", path, "--load", devices};
        const char *frames[] = {"stutterscope", "import", "--quiet", "--store", path, files[0], files[1], files[2]};

        /* Names and target FPS first: figures depend on them. */
        good = run_quietly(names, sizeof names / sizeof *names, error) && run_quietly(frames, sizeof frames / sizeof *frames, error);
    }
    for (size_t i = 0; i < FILES; i++)
        free(files[i]);
    free(devices);
    return good;
}

bool demo_prepare(char **ret_path, struct error *error)
{
    char *path = demo_path(), *fresh = memory_print("%s.%ld", path, (long)getpid());
    bool good = access(path, R_OK) == 0;

    if (!good) {
        good = path_make_parents(fresh, error) && import_sample(fresh, error);
        /* Closing folded the write-ahead log into the file, so that the file alone is the store. */
        if (good && rename(fresh, path) != 0)
            good = error_set(error, ERROR_IO, "%s: the sample's store could not be put there", path);
        if (!good)
            unlink(fresh);
    }
    free(fresh);
    if (good)
        *ret_path = path;
    else
        free(path);
    return good;
}
