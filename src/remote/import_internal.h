/*
 * An import on its way: import.c goes from build to build, import_build.c asks for one and stores it,
 * import_run.c hands over runs and frames, import_figures.c has the server compute.
 */
#ifndef STUTTERSCOPE_REMOTE_IMPORT_INTERNAL_H
#define STUTTERSCOPE_REMOTE_IMPORT_INTERNAL_H

#include "kept.h"
#include "stutterscope/base/json.h"
#include "stutterscope/remote/import.h"
#include "stutterscope/store/summary.h"

struct remote_build {
    char *name;
    int64_t frames;
    char *content;
};
struct remote_work {
    const struct remote_import *import;
    struct store *store; /* NULL: a dry run */
    struct remote_server *server;
    struct remote_columns columns;
    struct device_list devices; /* as they were declared, uploaded or not: their target FPS */
    struct {
        struct remote_build *items;
        size_t count, capacity;
    } builds;
    char *maps; /* JSON */
    int64_t nameless; /* rows without a build */
    int64_t done;
};

/* One build on its way. */
struct build_work {
    struct remote_work *work;
    const struct remote_build *build;
    struct dictionary *texts; /* as the server has them */
    struct dictionary *clean; /* as the store shall have them: events */
    struct store_writer *writer;
    struct {
        struct remote_run *items;
        size_t count, capacity;
    } runs;
    int64_t kept;
    int64_t nameless; /* rows without a device or a run */
};

/* The runs of one device: [first, end) of the runs. */
struct device_part {
    struct build_work *work;
    size_t first, end;
    struct remote_scope scope;
    struct remote_measure measure;
    int64_t limit_ns;
    struct text_buffer spans;
};
struct remote_run *part_run(struct device_part *part, const char *name, struct error *error);

bool take_build(struct remote_work *work, const struct remote_build *build, const char *content,
                struct remote_build_report *report, struct error *error);
/* Gives the run its number in the writer, then hands over its frames. */
bool part_add_run(struct device_part *part, struct remote_run *run, struct error *error);
bool part_add_frames(struct device_part *part, const struct remote_run *run, struct error *error);
/* Figures of the part, into the writer. The runs must have their numbers. */
bool take_figures(struct device_part *part, struct error *error);
/* What a server says is believed within bounds only: counts are added up and stamps subtracted. */
#define FRAMES_MOST       1000000000000LL /* of a run */
#define SUM_MOST_NS       4000000000000000000LL
#define SHORTEST_FRAME_NS 1000
#define LONGEST_FRAME_NS  100000000000000LL
#define LARGEST_STAMP_NS  4000000000000000000LL
bool is_within(const struct answer_value *value, int64_t least, int64_t most);
bool refuse_changed(struct error *error);
uint32_t clean_id(struct build_work *work, uint32_t text);
char *clean_name(const char *text, size_t length); /* NULL for an empty one */

#endif
