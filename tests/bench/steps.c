/*
 * One step of the work on a store, in a process of its own, with its cost in seconds as JSON:
 *
 *   steps import STORE FILE     frames into the store, without the analysis that the program adds
 *   steps analyse STORE         what is stale becomes current, all builds
 */
#include "stutterscope/import/import.h"
#include "stutterscope/model/model.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

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

int main(int count, char **words)
{
    struct error error = {0};
    bool good = false;

    if (count == 4 && strcmp(words[1], "import") == 0)
        good = step_import(words[2], words[3], &error);
    else if (count == 3 && strcmp(words[1], "analyse") == 0)
        good = step_analyse(words[2], &error);
    else
        snprintf(error.text, sizeof error.text, "usage: steps import STORE FILE | analyse STORE");
    if (!good)
        fprintf(stderr, "steps: %s\n", error.text);
    return good ? 0 : 2;
}
