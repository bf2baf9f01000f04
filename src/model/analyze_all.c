/*
 * What is stale, device by device: computed by a few threads where there is much of it, kept by the one that called, many
 * devices to a transaction.
 */
#include "internal.h"
#include "sides.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/model/history.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

const struct analysis_sizes analysis_sizes = {
    .threads = 500000,               /* less is done before another thread has opened the store */
    .transaction = 2000000,          /* a tenth of a second: each transaction has its cost */
    .direct = 2000000,               /* from here on it is worth to change how the store is written */
    .direct_transaction = 10000000,  /* some MB of results, which stay in memory until its end */
};

enum {
    /* What a step of a living screen may take, if one device is not more: a twentieth of a second. */
    FRAMES_TO_A_STEP = 1500000,
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
    size_t until;   /* devices before it are computed in this go */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;    /* device to compute */
    size_t running; /* threads */
    bool stopped, failed;
    struct error error; /* of the first that failed */
    struct finished_device waiting[MOST_WAITING];
    size_t waiting_count;
    /* of the calling thread alone */
    bool open, direct;
    int64_t frames; /* kept since the transaction began */
    int64_t done;   /* devices */
    size_t kept_from, kept_count; /* likewise: places in `kept` */
    const struct stale_device **kept;
};

static struct stale_device *device_of(struct analysis_tour *tour, const struct group_key *key)
{
    /* Groups come by device, and its builds are few. */
    for (size_t i = tour->devices.count; i-- > 0 && tour->devices.items[i].device == key->device;)
        if (tour->devices.items[i].build == key->build)
            return &tour->devices.items[i];
    array_push(&tour->devices, (struct stale_device){key->build, key->device, 0});
    return &tour->devices.items[tour->devices.count - 1];
}

static int compare_stale(const void *left, const void *right)
{
    const struct stale_device *a = left, *b = right;

    if (a->build != b->build)
        return a->build < b->build ? -1 : 1;
    return (a->device > b->device) - (a->device < b->device);
}

/*
 * Devices with stale groups of the build (0: of all). In the order in which most came into the store: so its file is read
 * from the begin to the end, and results are added at the end of their tables.
 */
static void list_stale(struct analysis_tour *tour, int64_t build)
{
    const struct model *model = tour->model;

    tour->devices.count = 0;
    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_state *group = &model->groups.items[i];

        if (group->stale && (!build || group->key.build == build))
            device_of(tour, &group->key)->frames += group->frames;
    }
    if (tour->devices.count > 1)
        qsort(tour->devices.items, tour->devices.count, sizeof *tour->devices.items, compare_stale);
}

/* Only so many of them that they have at most `frames` frames, or one. */
static void shorten(struct analysis_tour *tour, int64_t frames)
{
    size_t count = 0;

    while (count < tour->devices.count && (count == 0 || frames >= tour->devices.items[count].frames))
        frames -= tour->devices.items[count++].frames;
    tour->devices.count = count;
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
    for (size_t i = tour->kept_from; i < tour->kept_count && !kept; i++) {
        size_t count, first = model_device_range(model, tour->kept[i]->device, &count);

        for (size_t k = first; k < first + count; k++)
            model->groups.items[k].stale |= model->groups.items[k].key.build == tour->kept[i]->build;
    }
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
           (tour->direct || tour->frames < model->sizes.transaction || close_transaction(tour, error));
}

/* ---- one thread ---- */

static bool tour_alone(struct analysis_tour *tour, const struct progress *progress, struct error *error)
{
    struct device_scratch scratch = device_scratch_create(&tour->model->settings);
    bool fine = true;

    for (; tour->next < tour->until && fine; tour->next++) {
        struct finished_device finished = {.device = &tour->devices.items[tour->next]};

        fine = progress_report(progress, "analysing", tour->done++, (int64_t)tour->devices.count, error) &&
               analyze_compute(tour->model, finished.device->build, finished.device->device, &scratch, &finished.results,
                               error) &&
               keep(tour, &finished, error);
        device_results_free(&finished.results);
    }
    device_scratch_free(&scratch);
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
    there = !tour->stopped && !tour->failed && tour->next < tour->until;
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
    struct device_scratch scratch = device_scratch_create(&own.settings);
    struct finished_device finished;
    struct error error = {0};

    own.store = worker->store;
    while (take_next(tour, &finished)) {
        bool good =
            analyze_compute(&own, finished.device->build, finished.device->device, &scratch, &finished.results, &error);

        give(tour, &finished, good, &error);
    }
    device_scratch_free(&scratch);
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
    bool fine = true;

    while (receive(tour, &finished)) {
        fine = fine && progress_report(progress, "analysing", tour->done++, (int64_t)tour->devices.count, error) &&
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
    size_t begun = 0;
    bool fine = true;

    pthread_mutex_init(&tour->lock, NULL);
    pthread_cond_init(&tour->changed, NULL);
    tour->running = count;
    while (begun < count && pthread_create(&workers[begun].thread, NULL, compute, &workers[begun]) == 0)
        begun++;
    pthread_mutex_lock(&tour->lock);
    tour->running -= count - begun;
    pthread_mutex_unlock(&tour->lock);
    fine = begun ? keep_what_comes(tour, progress, error) : tour_alone(tour, progress, error);
    for (size_t i = 0; i < begun; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_mutex_destroy(&tour->lock);
    pthread_cond_destroy(&tour->changed);
    if (fine && tour->failed && error)
        *error = tour->error;
    return fine && !tour->failed;
}

static int64_t count_frames(const struct analysis_tour *tour)
{
    int64_t frames = 0;

    for (size_t i = 0; i < tour->devices.count; i++)
        frames += tour->devices.items[i].frames;
    return frames;
}

static void dismiss(struct model *model)
{
    for (size_t i = 0; i < MODEL_HELPERS; i++) {
        store_close(model->helpers[i]);
        model->helpers[i] = NULL;
    }
}

/* How many threads are worth it and have a connection. */
static size_t hire(struct analysis_tour *tour, struct worker *workers)
{
    struct model *model = tour->model;
    size_t count = 0;

    if (count_frames(tour) < model->sizes.threads || tour->devices.count < MODEL_HELPERS ||
        sysconf(_SC_NPROCESSORS_ONLN) < MODEL_HELPERS)
        return 0;
    for (; count < MODEL_HELPERS; count++) {
        if (!model->helpers[count] && !store_open(model_path(model), STORE_READ, &model->helpers[count], NULL))
            break;
        store_read_once(model->helpers[count]);
        workers[count] = (struct worker){.tour = tour, .store = model->helpers[count]};
    }
    return count;
}

/* The devices of this go. Directly written, their transaction can only end when no thread reads any more. */
static void choose_until(struct analysis_tour *tour)
{
    int64_t frames = 0;

    for (tour->until = tour->next; tour->until < tour->devices.count;) {
        frames += tour->devices.items[tour->until++].frames;
        if (tour->direct && frames >= tour->model->sizes.direct_transaction)
            break;
    }
}

static bool make_tour(struct analysis_tour *tour, const struct progress *progress, struct error *error)
{
    struct model *model = tour->model;
    struct worker workers[MODEL_HELPERS];
    struct error ignored;
    bool fine = true;

    if (model->keeps_results && count_frames(tour) >= model->sizes.direct) {
        dismiss(model);
        tour->direct = store_derived_go_direct(model->store);
    }
    size_t hired = hire(tour, workers);
    tour->kept = memory_take_zeroed(tour->devices.count + 1, sizeof *tour->kept);
    while (fine && tour->next < tour->devices.count) {
        choose_until(tour);
        fine = hired > 1 ? tour_together(tour, workers, hired, progress, error) : tour_alone(tour, progress, error);
        fine = close_transaction(tour, fine ? error : &ignored) && fine;
    }
    free(tour->kept);
    if (tour->direct) {
        dismiss(model);
        store_derived_leave_direct(model->store);
    }
    return fine;
}

bool model_analyze(struct model *model, int64_t build, const struct progress *progress, struct error *error)
{
    struct analysis_tour tour = {.model = model};
    bool fine;

    list_stale(&tour, build);
    fine = make_tour(&tour, progress, error);
    array_free(&tour.devices);
    return fine;
}

/* The oldest build that a comparison of the one at this position looks at. */
static int64_t oldest_compared(int64_t position)
{
    return position > RANK_BUILDS ? position - RANK_BUILDS : 0;
}

bool model_comparison_is_complete(const struct model *model, int64_t build)
{
    int64_t position = model_build_position(model, build);

    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_state *group = &model->groups.items[i];
        int64_t there = group->stale ? model_build_position(model, group->key.build) : -1;

        if (there >= 0 && there <= position && there >= oldest_compared(position))
            return false;
    }
    return true;
}

/* The build itself first, then those it is compared with, newest first: the first that has stale devices. */
static void list_next(struct analysis_tour *tour, int64_t build)
{
    int64_t position = model_build_position(tour->model, build);

    tour->devices.count = 0;
    for (int64_t i = position; i >= 0 && i >= oldest_compared(position) && tour->devices.count == 0; i--)
        list_stale(tour, tour->model->builds.items[i].id);
}

static int64_t count_waiting(struct analysis_tour *tour, int64_t build)
{
    int64_t position = model_build_position(tour->model, build), count = 0;

    for (int64_t i = position; i >= 0 && i >= oldest_compared(position); i--) {
        list_stale(tour, tour->model->builds.items[i].id);
        count += (int64_t)tour->devices.count;
    }
    return count;
}

bool model_analyze_step(struct model *model, int64_t build, int64_t *ret_left, struct error *error)
{
    struct analysis_tour tour = {.model = model};
    bool fine = true;

    list_next(&tour, build);
    if (tour.devices.count > 0) {
        shorten(&tour, FRAMES_TO_A_STEP);
        fine = make_tour(&tour, NULL, error);
        entries_forget(model);
    }
    *ret_left = count_waiting(&tour, build);
    array_free(&tour.devices);
    return fine;
}

/* Devices with stale groups of the scene, up to a build. */
static void list_history(struct analysis_tour *tour, const struct group_key *key)
{
    const struct model *model = tour->model;
    int64_t last = model_build_position(model, key->build);

    for (size_t i = 0; i < model->groups.count; i++) {
        const struct group_state *group = &model->groups.items[i];

        if (group->stale && group->key.scene == key->scene && model_build_position(model, group->key.build) <= last)
            device_of(tour, &group->key)->frames += group->frames;
    }
}

/* The device of the key comes first, then the newest builds. */
static size_t first_of_history(const struct analysis_tour *tour, const struct group_key *key)
{
    size_t best = 0;

    for (size_t i = 1; i < tour->devices.count; i++) {
        const struct stale_device *here = &tour->devices.items[i], *there = &tour->devices.items[best];
        bool mine = here->device == key->device, was_mine = there->device == key->device;

        if (mine != was_mine ? mine : model_build_position(tour->model, here->build) > model_build_position(tour->model, there->build))
            best = i;
    }
    return best;
}

bool model_analyze_history_step(struct model *model, const struct group_key *key, int64_t *ret_left, struct error *error)
{
    struct analysis_tour tour = {.model = model};
    bool fine = true;

    list_history(&tour, key);
    *ret_left = (int64_t)tour.devices.count;
    if (tour.devices.count > 0) {
        tour.devices.items[0] = tour.devices.items[first_of_history(&tour, key)];
        tour.devices.count = 1;
        fine = make_tour(&tour, NULL, error);
        entries_forget(model);
        *ret_left -= fine;
    }
    array_free(&tour.devices);
    return fine;
}
