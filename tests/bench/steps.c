/*
 * One step of the work on a store, in a process of its own, with its cost in seconds as JSON:
 *
 *   steps import STORE FILE     frames into the store, without the analysis that the program adds
 *   steps analyse STORE         what is stale becomes current, all builds
 *   steps unpack FILE           nothing but unpacking it with zlib (.gz) or zstd (else)
 */
#include "stutterscope/base/memory.h"
#include "stutterscope/import/import.h"
#include "stutterscope/model/model.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#define BLOCK_BYTES (1 << 20)

struct cost {
    double wall, user, system;
};

static struct cost cost_now(void)
{
    struct timespec now;
    struct rusage used;

    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &used);
    return (struct cost){(double)now.tv_sec + (double)now.tv_nsec / 1e9,
                         (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6,
                         (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6};
}

static void print_cost(const char *step, const struct cost *from)
{
    struct cost to = cost_now();
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    printf("{\"step\": \"%s\", \"wall\": %.4f, \"user\": %.4f, \"system\": %.4f, \"peak_mb\": %.1f}\n", step,
           to.wall - from->wall, to.user - from->user, to.system - from->system, (double)used.ru_maxrss / 1024);
}

static bool step_import(const char *path, const char *file, struct error *error)
{
    struct cost from = cost_now();
    struct store *store;
    struct import_summary summary;
    bool good;

    if (!store_open(path, STORE_CREATE, &store, error))
        return false;
    good = import_file(store, file, NULL, NULL, &summary, error);
    json_destroy(summary.report);
    store_close(store);
    if (good)
        print_cost("import", &from);
    return good;
}

static bool step_analyse(const char *path, struct error *error)
{
    struct cost from = cost_now();
    struct model_options options = {.mode = STORE_WRITE};
    struct model *model;
    bool good;

    if (!model_open(path, &options, &model, error))
        return false;
    good = model_analyze(model, 0, NULL, error);
    model_close(model);
    if (good)
        print_cost("analyse", &from);
    return good;
}

static bool unpack_gzip(const char *path, char *block)
{
    gzFile file = gzopen(path, "rb");
    int size = file ? 1 : -1;

    while (size > 0)
        size = gzread(file, block, BLOCK_BYTES);
    if (file)
        gzclose(file);
    return size == 0;
}

static bool unpack_zstd(const char *path, char *block)
{
    static char packed[1 << 17];
    FILE *file = fopen(path, "rb");
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed, 0, 0};
    bool good = file != NULL;

    while (good && (in.size = fread(packed, 1, sizeof packed, file)) > 0)
        for (in.pos = 0; good && in.pos < in.size;) {
            ZSTD_outBuffer out = {block, BLOCK_BYTES, 0};

            good = !ZSTD_isError(ZSTD_decompressStream(stream, &out, &in));
        }
    ZSTD_freeDStream(stream);
    if (file)
        fclose(file);
    return good;
}

static bool step_unpack(const char *path, struct error *error)
{
    static char block[BLOCK_BYTES];
    struct cost from = cost_now();
    size_t length = strlen(path);
    bool gzip = length > 3 && strcmp(path + length - 3, ".gz") == 0;

    if (!(gzip ? unpack_gzip : unpack_zstd)(path, block))
        return error_set(error, ERROR_IO, "%s cannot be unpacked", path);
    print_cost("unpack", &from);
    return true;
}

int main(int count, char **words)
{
    struct error error = {0};
    bool good = false;

    memory_prepare(); /* as the program does */
    if (count == 4 && strcmp(words[1], "import") == 0)
        good = step_import(words[2], words[3], &error);
    else if (count == 3 && strcmp(words[1], "analyse") == 0)
        good = step_analyse(words[2], &error);
    else if (count == 3 && strcmp(words[1], "unpack") == 0)
        good = step_unpack(words[2], &error);
    else
        error_set(&error, ERROR_USAGE, "usage: steps import STORE FILE | analyse STORE | unpack FILE");
    if (!good)
        fprintf(stderr, "steps: %s\n", error.text);
    return good ? 0 : 2;
}
