/*
 * One run of the verb import, for the files of the verb: what was asked for, where it goes, what came of it so far.
 */
#ifndef STUTTERSCOPE_CLI_IMPORT_WORK_H
#define STUTTERSCOPE_CLI_IMPORT_WORK_H

#include "stutterscope/import/intake.h"
#include "verbs.h"

struct import_work {
    struct invocation *invocation;
    struct import_options options;
    struct model *model, *rehearsal; /* NULL: a dry run; no dry run, or no store yet that could be written */
    struct intake intake;
    struct progress progress; /* of one file; report NULL: nobody looks */
    bool watches;
    struct json *files;
    size_t taken, there, failed, changed, passed_over; /* there: already, of those taken */
    bool is_new, found_nothing;                        /* the store was not there before; a folder held no telemetry */
    struct error unwritten; /* the first time that a report could not be written */
};

/* Text for the output. A report that nobody can read must not look like success. */
void import_work_write(struct import_work *work, const char *text);
/* Takes over the report: all are in one object at the end; of a folder that is watched, one line each. */
void import_work_keep(struct import_work *work, struct json *report);
/* user: the work. Says and counts what failed. */
void import_work_fail(void *user, const char *path, const struct error *error);

/* import_server.c: frames that stay in a server, as figures. false: the person wants no more. */
bool import_server(struct import_work *work, const char *address);

#endif
