/*
 * Summarised runs: their frames stay in a database server, which computed their figures. Nothing here is
 * derived from what the store holds, so no repair drops it.
 */
#ifndef STUTTERSCOPE_STORE_SUMMARY_H
#define STUTTERSCOPE_STORE_SUMMARY_H

#include "stutterscope/base/figures.h"
#include "stutterscope/store/writer.h"

/* ---- what is there ---- */

struct source_build_row {
    char *build, *content;
};
struct source_build_list {
    struct source_build_row *items;
    size_t count, capacity;
};
bool store_list_source_builds(struct store *store, const char *address, struct source_build_list *ret,
                              struct error *error);
void source_build_list_free(struct source_build_list *list);

/* Where the frames of a summarised run are. Texts as the server has them. */
struct run_source {
    char *address, *build, *device, *soc, *model_code, *name, *maps; /* address NULL: nowhere */
};
bool store_read_run_source(struct store *store, int64_t run, struct run_source *ret, struct error *error);
void run_source_free(struct run_source *source);

/* run 0: of all runs of the series. */
struct summary_row {
    int64_t build, device, scene, quality, run;
    bool hot;
    int64_t half_ns; /* VALUE_UNKNOWN */
    struct distribution distribution;
};
struct summary_peak_row {
    int64_t run, scene, quality, event, peak_ns;
};
struct summary_list {
    struct {
        struct summary_row *items;
        size_t count, capacity;
    } rows;
    struct {
        struct summary_peak_row *items;
        size_t count, capacity;
    } peaks;
};
/* Of a build on a device in a series; empty when nothing of it is summarised. */
bool store_read_summary(struct store *store, int64_t build, int64_t device, const char *series,
                        struct summary_list *ret, struct error *error);
void summary_list_free(struct summary_list *list);

/* ---- writing: one import is one build of one server ---- */

/*
 * What the writer commits is this build of this server: at the commit its earlier runs give way, whatever
 * they hold, and the content is noted. Refused when the build has runs from files on the same device in the
 * same series.
 */
void store_writer_replace_build(struct store_writer *writer, const char *address, const char *build,
                                const char *content);
struct run_summary {
    const char *build, *device, *soc, *model_code, *name; /* as the server has them */
    const char *maps, *settings;
    int64_t frames, sum_ns, first_stamp_ns, last_stamp_ns;
    int64_t limit_ns;
};
/* Before its first segment. */
void store_writer_set_summary(struct store_writer *writer, size_t run, const struct run_summary *summary);
/* run SIZE_MAX: of all runs of the series on the device of run `of`. scene and quality: clean names, quality
 * NULL unknown. */
void store_writer_add_summary(struct store_writer *writer, size_t run, size_t of, const char *scene,
                              const char *quality, const struct summary_row *row);
/* event: id in the writer's texts; 0 none. */
void store_writer_add_peak(struct store_writer *writer, size_t run, const char *scene, const char *quality,
                           uint32_t event, int64_t peak_ns);

#endif
