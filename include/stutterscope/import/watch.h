/*
 * A folder into which people and machines drop captures: tells of every file once it is whole.
 */
#ifndef STUTTERSCOPE_IMPORT_WATCH_H
#define STUTTERSCOPE_IMPORT_WATCH_H

#include "stutterscope/base/error.h"
#include <stdbool.h>

struct watch {
    void *user;
    /* A file that lies there: at the start, or closed after writing, or moved in, and not changed since for settle_ms. */
    bool (*take)(void *user, const char *path); /* false ends the watching */
    /* Nothing waits any more; called once after files were taken. */
    bool (*idle)(void *user);
    int settle_ms;
    int stop_descriptor; /* readable: end (a signalfd); -1: none */
};
/*
 * Returns when it is told to stop (true) or when the folder cannot be watched or is gone (false). Folders inside are
 * watched too; hidden files, what lies beside captures and names of unfinished copies (.part, .tmp, …) are passed over.
 * The same file, unchanged, is given once.
 */
bool watch_folder(const char *folder, const struct watch *watch, struct error *error);

#endif
