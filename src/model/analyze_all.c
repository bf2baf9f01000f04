/*
 * Everything that is stale, device by device: computed by a few threads where there is much of it, kept by the one that
 * called, many devices to a transaction.
 */
#include "internal.h"
#include "stutterscope/base/memory.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    /* Results of so many frames (a tenth of a second) are written together: each transaction has its cost. */
    FRAMES_TO_A_TRANSACTION = 2000000,
    /* Less is done before another thread has opened the store. */
    FRAMES_FOR_THREADS = 500000,
    MOST_THREADS = 2,
    MOST_WAITING = 4, /* devices computed and not yet kept */
};

struct stale_device {
    int64_t build, device, frames;
};

struct finished_device {
    const struct stale_device *device;
    struct device_results results;
};

/* Shared by the threads, guarded by the lock but for the devices, which do not change. */
struct analysis_tour {
    struct model *model;
    struct { struct stale_device *items; size_t count, capacity; } devices;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;    /* device to compute */
    size_t running; /* threads */
    bool stopped, failed;
    struct error error; /* of the first that failed */
    struct finished_device waiting[MOST_WAITING];
    size_t waiting_count;
    /* of the calling thread alone */
    bool open;
    int64_t frames; /* kept since the transaction began */
    size_t kept_from, kept_count; /* likewise: places in `kept` */
    const struct stale_device **kept;
};

static void list_stale(struct analysis_tour *tour, int64_t build, int64_t *ret_frames)
{
    const struct model *model = tour->model;

    *ret_frames = 0;
    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_state *group = &model->groups.items[i];
        size_t at = 0;

        if (!group->stale || (build && group->key.build != build))
            continue;
        while (at < tour->devices.count && (tour->devices.items[at].build != group->key.build ||
                                            tour->devices.items[at].device != group->key.device))
            at++;
        if (at == tour->devices.count)
            array_push(&tour->devices, (struct stale_device){group->key.build, group->key.device, 0});
        tour->devices.items[at].frames += group->frames;
        *ret_frames += group->frames;
    }
}

/* ---- keeping ---- */

/* What could not be kept is to be done again. */
static bool close_transaction(struct analysis_tour *tour, struct error *error)
{
    struct model *model = tour->model;
    bool kept;

    if (!tour->open)
        return true;
    kept = store_derived_end(model->store, error);
    for (size_t i = tour->kept_from; i < tour->kept_count && !kept; i++)
        for (size_t k = 0; k < model->groups.count; k++)
            model->groups.items[k].stale |= model->groups.items[k].key.build == tour->kept[i]->build &&
                                            model->groups.items[k].key.device == tour->kept[i]->device;
    tour->open = false;
    tour->frames = 0;
    tour->kept_from = tour->kept_count;
    return kept;
}

static bool keep(struct analysis_tour *tour, struct finished_device *finished, struct error *error)
{
    struct model *model = tour->model;
    const struct stale_device *device = finished->device;

    results_forget_cached(model, device->build);
    if (!model->keeps_results)
        return analyze_keep(model, device->build, device->device, &finished->results, error);
    if (!tour->open && !store_derived_begin(model->store, model->key, error))
        return false;
    tour->open = true;
    tour->frames += device->frames;
    tour->kept[tour->kept_count++] = device;
    return analyze_keep(model, device->build, device->device, &finished->results, error) &&
           (tour->frames < FRAMES_TO_A_TRANSACTION || close_transaction(tour, error));
}

/* ---- one thread ---- */

static bool tour_alone(struct analysis_tour *tour, const struct progress *progress, struct error *error)
{
    bool fine = true;

    for (size_t i = 0; i < tour->devices.count && fine; i++) {
        struct finished_device finished = {.device = &tour->devices.items[i]};

        fine = progress_report(progress, "analysing", (int64_t)i, (int64_t)tour->devices.count, error) &&
               analyze_compute(tour->model, finished.device->build, finished.device->device, &finished.results,
                               error) &&
               keep(tour, &finished, error);
        device_results_free(&finished.results);
    }
    return fine;
}

/* ---- several ---- */

struct worker {
    struct analysis_tour *tour;
    struct store *store; /* its own connection */
    pthread_t thread;
};

static bool take_next(struct analysis_tour *tour, struct finished_device *ret)
{
    bool there;

    pthread_mutex_lock(&tour->lock);
    there = !tour->stopped && !tour->failed && tour->next < tour->devices.count;
    if (there)
        *ret = (struct finished_device){.device = &tour->devices.items[tour->next++]};
    pthread_mutex_unlock(&tour->lock);
    return there;
}

static void give(struct analysis_tour *tour, struct finished_device *finished, bool good, const struct error *error)
{
    pthread_mutex_lock(&tour->lock);
    while (tour->waiting_count == MOST_WAITING && !tour->stopped && !tour->failed)
        pthread_cond_wait(&tour->changed, &tour->lock);
    if (!good && !tour->failed)
        tour->error = *error;
    tour->failed |= !good;
    if (good && tour->waiting_count < MOST_WAITING)
        tour->waiting[tour->waiting_count++] = *finished;
    else
        device_results_free(&finished->results);
    pthread_cond_broadcast(&tour->changed);
    pthread_mutex_unlock(&tour->lock);
}

static void *compute(void *user)
{
    const struct worker *worker = user;
    struct analysis_tour *tour = worker->tour;
    struct model own = *tour->model; /* all but the store is only read */
    struct finished_device finished;
    struct error error = {0};

    own.store = worker->store;
    while (take_next(tour, &finished)) {
        bool good =
            analyze_compute(&own, finished.device->build, finished.device->device, &finished.results, &error);

        give(tour, &finished, good, &error);
    }
    pthread_mutex_lock(&tour->lock);
    tour->running--;
    pthread_cond_broadcast(&tour->changed);
    pthread_mutex_unlock(&tour->lock);
    return NULL;
}

/* Waits for the next device that is computed; false: none will come. */
static bool receive(struct analysis_tour *tour, struct finished_device *ret)
{
    bool there;

    pthread_mutex_lock(&tour->lock);
    while (tour->waiting_count == 0 && tour->running > 0)
        pthread_cond_wait(&tour->changed, &tour->lock);
    there = tour->waiting_count > 0;
    if (there) {
        *ret = tour->waiting[0];
        for (size_t i = 1; i < tour->waiting_count; i++)
            tour->waiting[i - 1] = tour->waiting[i];
        tour->waiting_count--;
        pthread_cond_broadcast(&tour->changed);
    }
    pthread_mutex_unlock(&tour->lock);
    return there;
}

static void stop(struct analysis_tour *tour)
{
    pthread_mutex_lock(&tour->lock);
    tour->stopped = true;
    pthread_cond_broadcast(&tour->changed);
    pthread_mutex_unlock(&tour->lock);
}

static bool keep_what_comes(struct analysis_tour *tour, const struct progress *progress, struct error *error)
{
    struct finished_device finished;
    int64_t done = 0;
    bool fine = true;

    while (receive(tour, &finished)) {
        fine = fine && progress_report(progress, "analysing", done++, (int64_t)tour->devices.count, error) &&
               keep(tour, &finished, error);
        device_results_free(&finished.results);
        if (!fine)
            stop(tour);
    }
    return fine;
}

static bool tour_together(struct analysis_tour *tour, struct worker *workers, size_t count,
                          const struct progress *progress, struct error *error)
{
    bool fine;

    pthread_mutex_init(&tour->lock, NULL);
    pthread_cond_init(&tour->changed, NULL);
    tour->running = count;
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&workers[i].thread, NULL, compute, &workers[i]) != 0)
            abort(); /* as when memory is missing */
    fine = keep_what_comes(tour, progress, error);
    for (size_t i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_mutex_destroy(&tour->lock);
    pthread_cond_destroy(&tour->changed);
    if (fine && tour->failed && error)
        *error = tour->error;
    return fine && !tour->failed;
}

/* How many threads are worth it and have a connection. */
static size_t hire(struct analysis_tour *tour, int64_t frames, struct worker *workers)
{
    size_t most = sysconf(_SC_NPROCESSORS_ONLN) < MOST_THREADS ? 1 : MOST_THREADS, count = 0;

    if (frames < FRAMES_FOR_THREADS || tour->devices.count < most || most < 2)
        return 0;
    while (count < most && store_open(model_path(tour->model), STORE_READ, &workers[count].store, NULL))
        workers[count++].tour = tour;
    return count;
}

bool model_analyze(struct model *model, int64_t build, const struct progress *progress, struct error *error)
{
    struct analysis_tour tour = {.model = model};
    struct worker workers[MOST_THREADS] = {0};
    struct error ignored;
    int64_t frames;
    size_t hired;
    bool fine;

    list_stale(&tour, build, &frames);
    tour.kept = memory_take_zeroed(tour.devices.count + 1, sizeof *tour.kept);
    hired = hire(&tour, frames, workers);
    fine = hired > 1 ? tour_together(&tour, workers, hired, progress, error) : tour_alone(&tour, progress, error);
    for (size_t i = 0; i < hired; i++)
        store_close(workers[i].store);
    fine = close_transaction(&tour, fine ? error : &ignored) && fine;
    array_free(&tour.devices);
    free(tour.kept);
    return fine;
}
