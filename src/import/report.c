#include "report.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS       1000
#define FEWEST_TO_JUDGE 30

/* Frames are missing everywhere: the definition of a sampled run that does not say so. */
static bool is_sampled(const struct assembled_run *run)
{
    return run->facts.sample_every == VALUE_UNKNOWN && run->facts.kept_over_ns == VALUE_UNKNOWN &&
           run->facts.tests_holes && run->frames >= FEWEST_TO_JUDGE && run->measures.holes_wide * 2 > run->measures.holes_tested;
}

static struct json *sampling(const struct assembled_run *run)
{
    char text[64];

    if (run->facts.sample_every > 1) {
        snprintf(text, sizeof text, "every %" PRId64, run->facts.sample_every);
        return json_from_text(text);
    }
    if (run->facts.sample_every == 1)
        return json_from_text("every frame");
    if (run->facts.kept_over_ns != VALUE_UNKNOWN) {
        char limit[32];

        snprintf(text, sizeof text, "only over %s ms",
                 number_print_scaled(limit, sizeof limit, run->facts.kept_over_ns, NS_PER_MS));
        return json_from_text(text);
    }
    if (!run->facts.tests_holes || run->frames < FEWEST_TO_JUDGE)
        return json_null();
    return json_from_text(is_sampled(run) ? "sampled" : "every frame");
}

static struct json *logged_share(const struct assembled_run *run)
{
    int64_t span = run->last_stamp_ns - run->first_stamp_ns;

    if (!run->facts.has_clock || span <= 0)
        return json_null();
    return json_from_double((double)(run->sum_ns - run->first_frame_ns) / (double)span, 4);
}

static struct json *run_json(const struct assembled_run *run)
{
    struct json *object = json_object();

    json_add(object, "run", json_from_text(run->facts.name));
    json_add(object, "build", json_from_text(run->facts.build));
    json_add(object, "device", json_from_text(run->facts.device_model));
    json_add(object, "frames", json_from_integer(run->frames));
    json_add(object, "samples", json_from_integer(run->samples));
    json_add(object, "visits", json_from_integer(run->visits));
    json_add(object, "duration_ms", json_from_scaled(run->sum_ns, NS_PER_MS));
    json_add(object, "logged_share", logged_share(run));
    json_add(object, "sampling", sampling(run));
    json_add(object, "gaps", json_from_integer(run->measures.gaps));
    json_add(object, "gap_ms", json_from_scaled(run->measures.gap_ns, NS_PER_MS));
    json_add(object, "clock_steps", json_from_integer(run->measures.clock_steps));
    json_add(object, "dropped", json_from_integer(run->measures.dropped));
    return object;
}

static struct json *runs_json(const struct assembler *assembler, int64_t *ret_count)
{
    struct json *list = json_array();
    const struct assembled_run *run;

    *ret_count = 0;
    for (size_t i = 0; assembler && (run = assembler_run(assembler, i)); i++) {
        (*ret_count)++;
        if (i < MOST_RUNS)
            json_append(list, run_json(run));
    }
    return list;
}

static void note_sampled(const struct import_reading *reading)
{
    const struct assembled_run *run;
    int64_t sampled = 0, frames = 0;
    char *note;

    for (size_t i = 0; reading->assembler && (run = assembler_run(reading->assembler, i)); i++) {
        sampled += is_sampled(run);
        frames += is_sampled(run) ? run->frames : 0;
    }
    if (sampled == 0)
        return;
    note = memory_print(
        "%" PRId64 " run%s (%" PRId64 " frames) %s sampled: between most rows frames are missing, so no "
        "stutter can be found. Log every frame (MangoHud: log_interval=0), or declare the sampling "
        "(--sample-every, --kept-over).",
        sampled, text_plural(sampled), frames, sampled == 1 ? "is" : "are");
    import_log_note(reading->log, note);
    free(note);
}

struct json *report_make(const char *path, const struct import_reading *reading)
{
    struct json *report = json_object(), *runs;
    char *clean = text_clean(path, strlen(path));
    int64_t count;

    json_add(report, "file", json_from_text(clean));
    free(clean);
    json_add(report, "format", json_from_text(reading->format ? reading->format->name : NULL));
    json_add(report, "title", json_from_text(reading->format ? reading->format->title : NULL));
    json_add(report, "encoding", json_from_text(reading->encoding));
    runs = runs_json(reading->assembler, &count);
    json_add(report, "runs", json_from_integer(count));
    json_add(report, "frames",
             json_from_integer(reading->assembler ? assembler_frames(reading->assembler) : 0));
    json_add(report, "samples",
             json_from_integer(reading->assembler ? assembler_samples(reading->assembler) : 0));
    if (reading->log) {
        note_sampled(reading);
        import_log_report(reading->log, report);
    }
    json_add(report, "run_list", runs);
    return report;
}
