/*
 * Writes telemetry of any size to measure with: make_telemetry --rows N [--builds B] [--seed S]
 * [--format csv|ndjson] [--interleaved] [--extra-run] [--devices FILE] >FILE
 *
 * The same options give the same bytes on every machine: whole numbers only. Twelve devices play ten scenes in
 * every run of a nightly build, three to five runs a device and night; every tenth run keeps one frame in four
 * beside the slow ones. Two device names hold a comma. Hitches follow events and have a heavy tail; two devices
 * get warm; one is locked to its display; from two thirds of the builds on three cells hitch more and one is
 * slower. With --interleaved the rows of all runs of a build come in the order of their stamps, as a collector
 * writes them. --extra-run writes one more run of the last build, as the next upload would bring it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct device {
    const char *model, *os, *quality[2];
    int fps, cpu_percent, gpu_percent; /* of the budget in an ordinary scene */
    int warms_percent;                 /* load added until the end of a run */
    bool snaps;                        /* frame times are multiples of the display interval */
    bool locked;                       /* not even by a microsecond off, in the first and the last scene */
    int weight_percent;
};
/* clang-format off */
static const struct device devices[] = {
    {"SM-S918N", "Android 14", {"Ultra", "High"}, 60, 52, 63, 0, false, false, 140},
    {"SM-F731N", "Android 14", {"High", "Medium"}, 60, 60, 68, 25, false, false, 110},
    {"iPhone16,1", "iOS 17.6", {"Ultra", "High"}, 120, 52, 60, 0, true, false, 120},
    {"SM-A546B", "Android 14", {"Medium", "Low"}, 60, 66, 72, 0, true, false, 120},
    {"Redmi Note 10", "Android 13", {"Medium", "Low"}, 45, 70, 76, 22, false, false, 60},
    {"SM-A536B", "Android 13", {"Low", "Low"}, 30, 64, 74, 0, false, true, 80},
    {"Pixel 6a", "Android 15", {"Medium", "Low"}, 60, 60, 70, 0, true, false, 40},
    {"iPhone14,6", "iOS 16.7", {"High", "Low"}, 60, 62, 70, 0, true, false, 50},
    {"SM-X710", "Android 14", {"Ultra", "Ultra"}, 120, 56, 66, 0, false, false, 30},
    {"CPH2451", "Android 13", {"High", "Medium"}, 60, 58, 66, 0, false, false, 60},
    {"V2250", "Android 13", {"Medium", "Low"}, 60, 64, 70, 18, false, false, 90},
    {"XQ-DC54", "Android 13", {"High", "High"}, 60, 54, 64, 0, false, false, 70},
};

static const struct scene { const char *name; int load_percent, hitch_percent; } scenes[] = {
    {"Login", 62, 40},     {"Lobby", 84, 90},     {"Gacha", 90, 110},    {"Battle_01", 100, 100},
    {"Battle_03", 108, 130}, {"Raid_02", 112, 140}, {"Field_05", 104, 120}, {"Dungeon_07", 92, 90},
    {"Arena_1v1", 96, 80}, {"Cutscene_02", 76, 50},
};

/* Of a million frames so many carry the event; so many of these in a hundred hitch; the hitch in percent. */
static const struct event { const char *name; int per_million, hitches_percent, size_percent; bool collects; } events[] = {
    {"gc_collect", 900, 45, 110, true},     {"shader_compile", 350, 75, 160, false},
    {"stream_chunk", 1200, 25, 110, false}, {"enemy_spawn", 2500, 6, 100, false},
    {"inventory_open", 400, 20, 105, true}, {"autosave", 200, 60, 190, false},
    {"offer_popup", 80, 80, 220, true},     {"net_resync", 600, 12, 120, false},
};

/* Cells that are worse from two thirds of the builds on. */
static const struct regression { int device, scene, event, more_percent, larger_percent, load_percent; } regressions[] = {
    {0, 4, 1, 1000, 220, 100}, {3, 6, 0, 800, 200, 100}, {6, 7, 1, 1200, 180, 100}, {2, 1, -1, 100, 100, 145},
};
/* clang-format on */

#define NO_EVENT       (-1)
#define MOST_RUNS      5
#define SAMPLE_EVERY   4
#define NIGHT_MS       (24 * INT64_C(3600000))
#define FIRST_NIGHT_MS INT64_C(1763762400000) /* 2025-11-21 22:00 UTC */

struct options {
    uint64_t rows, seed;
    int builds;
    bool ndjson, interleaved, extra_run;
    const char *devices;
};

/* ---- random numbers ---- */

static uint64_t mix(uint64_t value)
{
    /* splitmix64 */
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

static uint64_t next_random(uint64_t *state)
{
    return mix(*state += 0x9e3779b97f4a7c15u);
}

/* About normal, scaled by 1024: four sixteenths of one draw. */
static int64_t bell(uint64_t draw)
{
    int64_t sum =
        (int64_t)((draw & 0xffff) + (draw >> 16 & 0xffff) + (draw >> 32 & 0xffff) + (draw >> 48)) - 131070;
    return sum * 1774 / 65536;
}

/* Of 1024 up, the larger the rarer: twice as large is a quarter as frequent. */
static int64_t heavy_tail(uint64_t draw)
{
    uint64_t low = (draw & 0xffffff) + 1, root = 4096, x = low;

    /* 1024 × sqrt(2^24 / low), the root by Newton's method in whole numbers */
    for (int i = 0; i < 20; i++) {
        uint64_t better = (root + x / (root ? root : 1)) / 2;
        if (better == root)
            break;
        root = better;
    }
    return (int64_t)(1024 * 4096 / (root ? root : 1));
}

/* ---- output ---- */

static char buffer[1 << 20];
static size_t filled;

static void write_out(void)
{
    if (fwrite(buffer, 1, filled, stdout) != filled) {
        fprintf(stderr, "make_telemetry: cannot write: %s\n", strerror(errno));
        exit(1);
    }
    filled = 0;
}

static void put_bytes(const char *bytes, size_t count)
{
    memcpy(buffer + filled, bytes, count);
    filled += count;
}

static void put_text(const char *text)
{
    put_bytes(text, strlen(text));
}

static void put_number(uint64_t number)
{
    char digits[20];
    size_t count = 0;

    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        buffer[filled++] = digits[--count];
}

/* Microseconds as milliseconds: 16.667 */
static void put_ms(int64_t us)
{
    put_number((uint64_t)us / 1000);
    buffer[filled++] = '.';
    buffer[filled++] = (char)('0' + us / 100 % 10);
    buffer[filled++] = (char)('0' + us / 10 % 10);
    buffer[filled++] = (char)('0' + us % 10);
}

/* ---- a run ---- */

struct frame {
    int64_t time_us, cpu_us, gpu_us, gc_bytes;
    int event;
};

struct run {
    const struct options *options;
    const struct device *device;
    int build, first_scene;
    uint64_t number, random;
    bool sampled;
    const char *quality;
    int64_t stamp_us;
    /* the visit */
    int visit;
    uint64_t first_visit; /* of all visits of all runs */
    uint64_t rows_left, rows_of_visit;
    int scene, burst_left;
    int64_t burst_us;
    uint64_t since_kept;
    int event_waiting; /* of a frame that was not kept: stands on the next row */
    char before[256], after[256]; /* what is the same in all rows of the visit */
    size_t before_length, after_length;
    struct frame frame; /* the next row */
    int64_t frame_stamp_ms;
    bool done;
};

static uint64_t runs_of(const struct options *options, int build, size_t device)
{
    return 3 + mix(options->seed * 1000003 + (uint64_t)build * 131 + device) % (MOST_RUNS - 2);
}

static int64_t budget_of(const struct device *device)
{
    return (1000000 + device->fps / 2) / device->fps;
}

static int64_t kept_over_us(const struct device *device)
{
    return budget_of(device) * 3 / 2 / 100 * 100;
}

static void print_build(char *text, size_t size, int build)
{
    snprintf(text, size, "1.8.0-nightly.2025%02d%02d", 1 + build / 28 % 12, 1 + build % 28);
}

static void prepare_texts(struct run *run)
{
    const struct device *device = run->device;
    const char *quote = strchr(device->model, ',') ? "\"" : "";
    char build[40], policy[80] = ",";
    int before, after;

    print_build(build, sizeof build, run->build);
    if (run->options->ndjson) {
        int64_t kept_us = kept_over_us(device);
        if (run->sampled)
            snprintf(policy, sizeof policy, ",\"sample_every\":%d,\"kept_over_ms\":%" PRId64 ".%" PRId64, SAMPLE_EVERY,
                     kept_us / 1000, kept_us / 100 % 10);
        before = snprintf(run->before, sizeof run->before,
                          ",\"device_model\":\"%s\",\"os_version\":\"%s\",\"build_id\":\"%s\",\"scene\":\"%s\","
                          "\"event_name\":\"",
                          device->model, device->os, build, scenes[run->scene].name);
        after = snprintf(run->after, sizeof run->after, "\",\"quality_level\":\"%s\",\"run_id\":\"run-%06" PRIu64 "\"%s,"
                         "\"gc_alloc_bytes\":", run->quality, run->number, run->sampled ? policy : "");
    } else {
        int64_t kept_us = kept_over_us(device);
        if (run->sampled)
            snprintf(policy, sizeof policy, "%d,%" PRId64 ".%" PRId64, SAMPLE_EVERY, kept_us / 1000, kept_us / 100 % 10);
        before = snprintf(run->before, sizeof run->before, ",%s%s%s,%s,%s,%s,", quote, device->model, quote, device->os,
                          build, scenes[run->scene].name);
        after = snprintf(run->after, sizeof run->after, ",%s,run-%06" PRIu64 ",%s,", run->quality, run->number, policy);
    }
    run->before_length = (size_t)before;
    run->after_length = (size_t)after;
}

static const struct regression *regression_of(const struct run *run)
{
    for (size_t i = 0; i < COUNT(regressions); i++)
        if (run->build >= run->options->builds * 2 / 3 && run->device == &devices[regressions[i].device] &&
            run->scene == regressions[i].scene)
            return &regressions[i];
    return NULL;
}

/* Which event the frame carries, and by how many percent of the budget it hitches (0: not). */
static int draw_event(struct run *run, const struct regression *worse, int64_t *ret_percent)
{
    int64_t draw = (int64_t)(next_random(&run->random) % 1000000), sum = 0;

    *ret_percent = 0;
    for (size_t i = 0; i < COUNT(events); i++) {
        bool more = worse && worse->event == (int)i;
        sum += (int64_t)events[i].per_million * scenes[run->scene].hitch_percent / 100 *
               (more ? worse->more_percent : 100) / 100;
        if (draw >= sum)
            continue;
        uint64_t luck = next_random(&run->random);
        if ((int)(luck % 100) < events[i].hitches_percent)
            *ret_percent = events[i].size_percent * (115 + 75 * heavy_tail(luck >> 8) / 1024) / 100 *
                           (more ? worse->larger_percent : 100) / 100;
        return (int)i;
    }
    return NO_EVENT;
}

static struct frame make_frame(struct run *run)
{
    const struct device *device = run->device;
    const struct regression *worse = regression_of(run);
    uint64_t first = next_random(&run->random), second = next_random(&run->random);
    int64_t budget = budget_of(device), percent, hitch_us = 0;
    int64_t played = run->visit * 100 / (int64_t)COUNT(scenes);
    int64_t load = (100 + played * device->warms_percent / 100) * scenes[run->scene].load_percent / 100 *
                   (worse ? worse->load_percent : 100) / 100;
    struct frame frame = {.event = draw_event(run, worse, &percent)};

    frame.cpu_us = budget * device->cpu_percent * load / 10000 + budget * bell(first) / 1024 * 7 / 100;
    frame.gpu_us = budget * device->gpu_percent * load / 10000 + budget * bell(second) / 1024 * 8 / 100;
    if (percent > 0) {
        hitch_us = budget * percent / 100;
        run->burst_left = (int)(first >> 60) % 4;
        run->burst_us = hitch_us / 3;
    } else if (run->burst_left > 0) {
        run->burst_left--;
        hitch_us = run->burst_us;
    }
    if (hitch_us > 0)
        *(first >> 59 & 1 ? &frame.cpu_us : &frame.gpu_us) += hitch_us;
    frame.cpu_us = frame.cpu_us < 500 ? 500 : frame.cpu_us;
    frame.gpu_us = frame.gpu_us < 500 ? 500 : frame.gpu_us;
    frame.time_us = frame.cpu_us > frame.gpu_us ? frame.cpu_us : frame.gpu_us;
    if (frame.time_us < budget * 97 / 100)
        frame.time_us = budget;
    if (device->snaps)
        frame.time_us = (frame.time_us * 20 / 21 + budget - 1) / budget * budget;
    if (!device->locked || (run->scene != 0 && run->scene != COUNT(scenes) - 1) || hitch_us > 0)
        frame.time_us += bell(first ^ second >> 7) * (device->snaps ? 40 : 180) / 1024;
    if (frame.event != NO_EVENT && events[frame.event].collects)
        frame.gc_bytes = 65536 * (1 + (int64_t)(second >> 50 & 63));
    else if ((second >> 40 & 31) == 0)
        frame.gc_bytes = 4096 * (1 + (int64_t)(second >> 45 & 15));
    return frame;
}

static void enter_visit(struct run *run)
{
    const struct options *options = run->options;
    uint64_t runs = 0, visits, at = run->first_visit + (uint64_t)run->visit;

    for (int build = 0; build < options->builds; build++)
        for (size_t device = 0; device < COUNT(devices); device++)
            runs += runs_of(options, build, device);
    visits = runs * COUNT(scenes);
    at %= visits;
    run->rows_left = run->rows_of_visit = (at + 1) * options->rows / visits - at * options->rows / visits;
    run->scene = (run->first_scene + run->visit) % (int)COUNT(scenes);
    run->burst_left = 0;
    prepare_texts(run);
}

/* Computes the run's next row. */
static void advance(struct run *run)
{
    while (run->rows_left == 0) {
        if (++run->visit == (int)COUNT(scenes)) {
            run->done = true;
            return;
        }
        enter_visit(run);
        run->stamp_us += 1200000; /* the log says nothing while a scene is changed */
    }
    for (;;) {
        run->frame = make_frame(run);
        run->stamp_us += run->frame.time_us;
        if (run->frame.event == NO_EVENT)
            run->frame.event = run->event_waiting;
        run->event_waiting = NO_EVENT;
        run->since_kept++;
        if (!run->sampled || run->frame.time_us > kept_over_us(run->device))
            break;
        if (run->since_kept >= SAMPLE_EVERY) {
            run->since_kept = 0;
            break;
        }
        run->event_waiting = run->frame.event;
    }
    run->frame_stamp_ms = run->stamp_us / 1000;
    run->rows_left--;
}

static void begin_run(struct run *run, const struct options *options, int build, size_t device, uint64_t number,
                      uint64_t first_visit, int of_night)
{
    *run = (struct run){.options = options, .build = build, .device = &devices[device], .number = number};
    run->random = mix(options->seed * 7919 + number);
    run->sampled = number % 10 == 7;
    run->quality = run->device->quality[next_random(&run->random) % 4 == 0];
    run->first_scene = (int)(next_random(&run->random) % COUNT(scenes));
    run->first_visit = first_visit;
    run->event_waiting = NO_EVENT;
    run->stamp_us = (FIRST_NIGHT_MS + build * NIGHT_MS + of_night * (options->interleaved ? 1 : 3600000)) * 1000 +
                    (int64_t)(next_random(&run->random) % 1000000);
    enter_visit(run);
    advance(run);
}

static void put_row(struct run *run)
{
    const struct frame *frame = &run->frame;
    const char *event = frame->event == NO_EVENT ? "" : events[frame->event].name;
    bool ndjson = run->options->ndjson;

    if (filled > sizeof buffer - 1024)
        write_out();
    if (ndjson)
        put_text("{\"timestamp_ms\":");
    put_number((uint64_t)run->frame_stamp_ms);
    put_text(ndjson ? ",\"frame_time_ms\":" : ",");
    put_ms(frame->time_us);
    put_text(ndjson ? ",\"cpu_frame_ms\":" : ",");
    put_ms(frame->cpu_us);
    put_text(ndjson ? ",\"gpu_frame_ms\":" : ",");
    put_ms(frame->gpu_us);
    put_bytes(run->before, run->before_length);
    put_text(event);
    put_bytes(run->after, run->after_length);
    put_number((uint64_t)frame->gc_bytes);
    put_text(ndjson ? "}\n" : "\n");
}

/* ---- all runs ---- */

static void write_runs(struct run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (; !runs[i].done; advance(&runs[i]))
            put_row(&runs[i]);
}

static void write_interleaved(struct run *runs, size_t count)
{
    for (;;) {
        struct run *first = NULL;
        for (size_t i = 0; i < count; i++)
            if (!runs[i].done && (!first || runs[i].stamp_us < first->stamp_us))
                first = &runs[i];
        if (!first)
            return;
        put_row(first);
        advance(first);
    }
}

static void write_telemetry(const struct options *options)
{
    static struct run runs[COUNT(devices) * MOST_RUNS];
    uint64_t number = 0;

    if (!options->ndjson)
        put_text("timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,device_model,os_version,build_id,scene,"
                 "event_name,quality_level,run_id,sample_every,kept_over_ms,gc_alloc_bytes\n");
    for (int build = 0; build < options->builds; build++) {
        size_t count = 0;
        for (size_t device = 0; device < COUNT(devices); device++)
            for (uint64_t i = runs_of(options, build, device); i > 0; i--, number++, count++)
                if (!options->extra_run)
                    begin_run(&runs[count], options, build, device, number, number * COUNT(scenes), (int)count);
        if (!options->extra_run)
            (options->interleaved ? write_interleaved : write_runs)(runs, count);
    }
    if (options->extra_run) {
        begin_run(&runs[0], options, options->builds - 1, 0, number + 10 - number % 10, 0, 80);
        write_runs(runs, 1);
    }
    write_out();
    if (fflush(stdout) != 0) {
        fprintf(stderr, "make_telemetry: cannot write: %s\n", strerror(errno));
        exit(1);
    }
}

static void write_devices(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file) {
        fprintf(stderr, "make_telemetry: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    fputs("device_model,target_fps,weight\n", file);
    for (size_t i = 0; i < COUNT(devices); i++) {
        const char *quote = strchr(devices[i].model, ',') ? "\"" : "";
        fprintf(file, "%s%s%s,%d,%d.%02d\n", quote, devices[i].model, quote, devices[i].fps,
                devices[i].weight_percent / 100, devices[i].weight_percent % 100);
    }
    fclose(file);
}

int main(int count, char **words)
{
    struct options options = {.rows = 1000000, .seed = 1, .builds = 12};

    for (int i = 1; i < count; i++) {
        const char *word = words[i], *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(word, "--interleaved") == 0)
            options.interleaved = true;
        else if (strcmp(word, "--extra-run") == 0)
            options.extra_run = true;
        else if (strcmp(word, "--rows") == 0)
            options.rows = strtoull(value, NULL, 10), i++;
        else if (strcmp(word, "--seed") == 0)
            options.seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(word, "--builds") == 0)
            options.builds = atoi(value), i++;
        else if (strcmp(word, "--devices") == 0)
            options.devices = value, i++;
        else if (strcmp(word, "--format") == 0)
            options.ndjson = strcmp(value, "ndjson") == 0, i++;
        else
            options.builds = 0;
    }
    if (options.builds < 1 || options.builds > 336 || options.rows < 1) {
        fputs("usage: make_telemetry --rows N [--builds 1…336] [--seed S] [--format csv|ndjson] [--interleaved] "
              "[--extra-run] [--devices FILE] >FILE\n", stderr);
        return 2;
    }
    if (options.devices)
        write_devices(options.devices);
    write_telemetry(&options);
    return 0;
}
