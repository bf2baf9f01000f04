#include "stutterscope/base/clock.h"
#include "stutterscope/import/watch.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/import.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EVENTS (IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ONLYDIR)

/* What tells one state of a file from the next. */
struct file_state {
    off_t size;
    struct timespec changed;
};
struct watched_file {
    char *path;
    struct file_state state;
    int64_t due_ms; /* waiting only */
};
struct file_list {
    struct watched_file *items;
    size_t count, capacity;
};
struct watcher {
    const struct watch *watch;
    const char *root;
    int notify;
    struct {
        char **items; /* by watch descriptor; NULL: none */
        size_t count, capacity;
    } folders;
    struct file_list waiting, taken;
    bool worked;
    struct error *error;
};

static bool read_state(const char *path, struct file_state *ret)
{
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    *ret = (struct file_state){status.st_size, status.st_mtim};
    return true;
}

static bool same_state(const struct file_state *a, const struct file_state *b)
{
    return a->size == b->size && a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static struct watched_file *find_file(struct file_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].path, path) == 0)
            return &list->items[i];
    }
    return NULL;
}

static void free_files(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].path);
    array_free(list);
}

static bool is_unfinished(const char *path)
{
    static const char *const patterns[] = {".*", "*~", "*.part", "*.partial", "*.filepart", "*.tmp", "*.temp", "*.crdownload", "*.download"};

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (text_matches_glob(patterns[i], path_base_name(path)))
            return true;
    }
    return import_is_sidecar(path);
}

static void expect_file(struct watcher *watcher, const char *path)
{
    struct watched_file *file = find_file(&watcher->waiting, path);
    struct file_state state;

    if (is_unfinished(path) || !read_state(path, &state))
        return;
    if (!file) {
        array_push(&watcher->waiting, (struct watched_file){.path = memory_copy_text(path)});
        file = &watcher->waiting.items[watcher->waiting.count - 1];
    }
    file->state = state;
    file->due_ms = clock_steady_ms() + watcher->watch->settle_ms;
}

static void remember_folder(struct watcher *watcher, int descriptor, const char *path)
{
    while (watcher->folders.count <= (size_t)descriptor)
        array_push(&watcher->folders, NULL);
    free(watcher->folders.items[descriptor]);
    watcher->folders.items[descriptor] = memory_copy_text(path);
}

/* Watches the folder, then looks at what is there: nothing falls between the two. Links to folders are not followed. */
static bool add_folder(struct watcher *watcher, const char *path, struct error *error)
{
    int descriptor = inotify_add_watch(watcher->notify, path, EVENTS);
    DIR *folder = descriptor < 0 ? NULL : opendir(path);
    const struct dirent *entry;

    if (descriptor < 0 || !folder)
        return error_set(error, ERROR_IO, "%s: cannot be watched: %s.", path,
                         errno == ENOSPC ? "too many folders are watched on this machine (see fs.inotify.max_user_watches)" : strerror(errno));
    remember_folder(watcher, descriptor, path);
    while ((entry = readdir(folder))) {
        char *inner = entry->d_name[0] == '.' ? NULL : path_join(path, entry->d_name);
        struct stat status;

        if (inner && lstat(inner, &status) == 0 && S_ISDIR(status.st_mode))
            add_folder(watcher, inner, NULL);
        else if (inner)
            expect_file(watcher, inner);
        free(inner);
    }
    closedir(folder);
    return true;
}

static bool take_event(struct watcher *watcher, const struct inotify_event *event)
{
    const char *folder = event->wd >= 0 && (size_t)event->wd < watcher->folders.count ? watcher->folders.items[event->wd] : NULL;
    char *path;

    if (event->mask & IN_Q_OVERFLOW)
        return add_folder(watcher, watcher->root, watcher->error);
    if ((event->mask & IN_IGNORED) && folder && strcmp(folder, watcher->root) == 0)
        return error_set(watcher->error, ERROR_IO, "%s: the folder that was watched is gone.", watcher->root);
    if (!folder || event->len == 0 || event->name[0] == '.')
        return true;
    path = path_join(folder, event->name);
    if ((event->mask & IN_ISDIR) && (event->mask & (IN_CREATE | IN_MOVED_TO)))
        add_folder(watcher, path, NULL); /* one that is gone again is no trouble */
    else if (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO))
        expect_file(watcher, path);
    free(path);
    return true;
}

static bool take_events(struct watcher *watcher)
{
    char buffer[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t got = read(watcher->notify, buffer, sizeof buffer);

    for (ssize_t at = 0; at < got;) {
        const struct inotify_event *event = (const struct inotify_event *)(buffer + at);

        if (!take_event(watcher, event))
            return false;
        at += (ssize_t)(sizeof *event + event->len);
    }
    return true;
}

/* Is it time, and did it stay as it was? The one at `index` leaves the list when it was taken or is gone. */
static bool settle_file(struct watcher *watcher, size_t index, bool *ret_goes_on)
{
    struct watched_file *file = &watcher->waiting.items[index], *before;
    struct file_state state;
    char *path;

    if (clock_steady_ms() < file->due_ms)
        return false;
    if (read_state(file->path, &state) && !same_state(&state, &file->state)) {
        file->state = state;
        file->due_ms = clock_steady_ms() + watcher->watch->settle_ms;
        return false;
    }
    path = file->path;
    state = file->state;
    *file = watcher->waiting.items[--watcher->waiting.count];
    before = find_file(&watcher->taken, path);
    if (access(path, F_OK) == 0 && !(before && same_state(&before->state, &state))) {
        if (before)
            before->state = state;
        else
            array_push(&watcher->taken, (struct watched_file){.path = memory_copy_text(path), .state = state});
        watcher->worked = true;
        *ret_goes_on = watcher->watch->take(watcher->watch->user, path);
    }
    free(path);
    return true;
}

static bool settle(struct watcher *watcher)
{
    bool goes_on = true;

    for (size_t i = 0; i < watcher->waiting.count && goes_on;)
        i += !settle_file(watcher, i, &goes_on);
    if (goes_on && watcher->worked && watcher->waiting.count == 0) {
        watcher->worked = false;
        goes_on = watcher->watch->idle(watcher->watch->user);
    }
    return goes_on;
}

static int next_due(const struct watcher *watcher)
{
    int64_t now = clock_steady_ms(), least = INT64_MAX;

    for (size_t i = 0; i < watcher->waiting.count; i++) {
        if (watcher->waiting.items[i].due_ms < least)
            least = watcher->waiting.items[i].due_ms;
    }
    if (least == INT64_MAX)
        return -1;
    return least <= now ? 0 : least - now > INT_MAX ? INT_MAX : (int)(least - now);
}

static bool wait_and_work(struct watcher *watcher)
{
    struct pollfd waits[] = {{watcher->notify, POLLIN, 0}, {watcher->watch->stop_descriptor, POLLIN, 0}};

    for (;;) {
        int ready = poll(waits, 2, next_due(watcher));

        if (ready < 0 && errno != EINTR)
            return error_set(watcher->error, ERROR_IO, "%s: waiting failed: %s.", watcher->root, strerror(errno));
        if (ready > 0 && waits[1].revents)
            return true;
        if (ready > 0 && waits[0].revents && !take_events(watcher))
            return false;
        if (!settle(watcher))
            return true;
    }
}

bool watch_folder(const char *folder, const struct watch *watch, struct error *error)
{
    struct watcher watcher = {.watch = watch, .root = folder, .error = error};
    bool fine;

    watcher.notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watcher.notify < 0)
        return error_set(error, ERROR_IO, "%s: cannot be watched: %s.", folder, strerror(errno));
    fine = add_folder(&watcher, folder, error) && wait_and_work(&watcher);
    close(watcher.notify);
    for (size_t i = 0; i < watcher.folders.count; i++)
        free(watcher.folders.items[i]);
    array_free(&watcher.folders);
    free_files(&watcher.waiting);
    free_files(&watcher.taken);
    return fine;
}
