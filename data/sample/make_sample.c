/*
 * Writes the sample telemetry: make_sample FOLDER. Whole numbers only, so every machine writes the same
 * bytes.
 *
 * An invented game, three nightly builds, eight devices that play the same seven scenes. The scenes are cut
 * to a few seconds each and two devices keep only every N-th frame, so that the whole stays small. What
 * happens in the telemetry, and therefore what the program has to find in it, stands in the tables below.
 * Times are tenths of a millisecond unless a name says otherwise.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MAX_RUNS     5

struct build {
    const char *file, *id, *commit, *ci_run, *built_at, *night;
};
static const struct build builds[] = {
    {"nightly-418.csv", "1.7.9(418)", "5d20c7e", "8801", "2025-11-24T18:05:00Z", "2025-11-25"},
    {"nightly-420.csv", "1.8.0(420)", "93be41f", "8842", "2025-11-25T18:05:00Z", "2025-11-26"},
    {"nightly-421.csv", "1.8.0(421)", "a1b2c3d", "8867", "2025-11-26T18:05:00Z", "2025-11-27"},
};
enum { B418 = 1, B420 = 2, B421 = 4, EARLIER = B418 | B420, EVERY = EARLIER | B421 };

enum device_id { S23_ULTRA, Z_FLIP5, IPHONE_15_PRO, A54, NOTE_10, A53, PIXEL_6A, IPHONE_SE, DEVICES };
struct device {
    const char *model, *name, *tier, *weight, *os, *soc, *model_code, *quality;
    int fps, runs[COUNT(builds)];
    int cpu_percent, gpu_percent; /* of the budget, in an ordinary scene */
    int sample_every, kept_over;  /* 0: every frame is kept */
    bool gpu_known;
};
/* clang-format off */
static const struct device devices[DEVICES] = {
    [S23_ULTRA] =     {"SM-S918N", "Galaxy S23 Ultra", "high", "1.4", "Android 14", "", "", "High",
                       60, {4, 4, 5}, 60, 66, 0, 0, true},
    [Z_FLIP5] =       {"SM-F731N", "Galaxy Z Flip5", "high", "1.1", "Android 14", "", "", "High",
                       60, {3, 3, 3}, 64, 68, 0, 0, true},
    [IPHONE_15_PRO] = {"iPhone16,1", "iPhone 15 Pro", "high", "1.2", "iOS 17.6", "", "", "High",
                       120, {3, 3, 3}, 55, 70, 10, 166, true},
    [A54] =           {"SM-A546B", "Galaxy A54", "mid", "1.2", "Android 14", "", "", "Medium",
                       60, {3, 3, 3}, 70, 78, 0, 0, true},
    [NOTE_10] =       {"Redmi Note 10", "Redmi Note 10", "mid", "0.6", "Android 13", "SM7150", "M2101K6G", "Medium",
                       45, {3, 3, 4}, 72, 80, 4, 444, true},
    [A53] =           {"SM-A536B", "Galaxy A53", "mid", "0.8", "Android 13", "", "", "Low",
                       30, {3, 3, 3}, 68, 74, 0, 0, true},
    [PIXEL_6A] =      {"Pixel 6a", "Pixel 6a", "mid", "0.4", "Android 15", "", "", "Medium",
                       60, {2, 2, 0}, 66, 0, 0, 0, false},
    [IPHONE_SE] =     {"iPhone14,6", "iPhone SE (3rd gen)", "low", "0.5", "iOS 16.7", "", "", "Low",
                       30, {3, 3, 1}, 58, 62, 0, 0, true},
};
/* clang-format on */

enum scene_id { LOGIN, LOBBY, GACHA, BATTLE_01, BATTLE_03, RAID_02, FIELD_05, SCENES };
struct scene {
    const char *name;
    int length_ms;
    int load_percent;  /* CPU and GPU, against the device's ordinary scene */
    int change_frames; /* slow first frames when the scene is entered */
};
static const struct scene scenes[SCENES] = {
    [LOGIN] = {"Login", 1100, 60, 0},          [LOBBY] = {"Lobby", 1100, 85, 0},
    [GACHA] = {"Gacha", 1200, 90, 0},          [BATTLE_01] = {"Battle_01", 1600, 100, 2},
    [BATTLE_03] = {"Battle_03", 3000, 110, 2}, [RAID_02] = {"Raid_02", 1800, 115, 2},
    [FIELD_05] = {"Field_05", 2000, 105, 2},
};

/* What the scenario does in every run, at which time of the visit. */
struct happening {
    enum scene_id scene;
    int at_ms;
    const char *event;
};
/* clang-format off */
static const struct happening happenings[] = {
    {LOGIN, 800, "login_ok"},        {LOBBY, 600, "shop_open"},       {GACHA, 500, "gacha_reveal"},
    {BATTLE_01, 700, "wave_1"},      {BATTLE_01, 1500, "wave_2"},     {BATTLE_03, 500, "boss_intro"},
    {BATTLE_03, 1300, "boss_spawn"}, {BATTLE_03, 2700, "boss_roar"},  {RAID_02, 400, "add_wave"},
    {RAID_02, 1200, "ultimate_fx"},  {FIELD_05, 500, "stream_chunk"}, {FIELD_05, 1500, "portal_open"},
};
/* clang-format on */

/* The frame at an event, run by run; 0: an ordinary frame. The tail are slow frames that follow. */
struct hitch {
    enum device_id device;
    int in_builds;
    enum scene_id scene;
    const char *event;
    int peak[MAX_RUNS];
    int tail;
    int cpu_permille, gpu_permille; /* of the frame time */
    int gc_bytes;
};
static const struct hitch hitches[] = {
    /* new in 421 on three devices; before that the spawn stays under the threshold */
    {S23_ULTRA, B421, BATTLE_03, "boss_spawn", {924, 710, 0, 882, 649}, 4, 825, 160, 310000},
    {S23_ULTRA, EARLIER, BATTLE_03, "boss_spawn", {316, 244, 251, 0, 298}, 0, 780, 350, 120000},
    {Z_FLIP5, B421, BATTLE_03, "boss_spawn", {813, 0, 744}, 3, 810, 190, 280000},
    {Z_FLIP5, EARLIER, BATTLE_03, "boss_spawn", {302, 287, 0}, 0, 780, 400, 110000},
    {A54, B421, BATTLE_03, "boss_spawn", {742, 691, 715}, 3, 840, 220, 290000},
    {A54, EARLIER, BATTLE_03, "boss_spawn", {311, 0, 296}, 0, 790, 420, 120000},
    /* the GPU cannot keep up with an effect, in every build */
    {IPHONE_15_PRO, EVERY, RAID_02, "ultimate_fx", {412, 397, 405}, 5, 210, 905, 0},
    /* streaming: neither CPU nor GPU explains the frame */
    {A54, EVERY, FIELD_05, "stream_chunk", {584, 571, 602}, 1, 260, 190, 0},
    {A53, EVERY, FIELD_05, "stream_chunk", {1243, 0, 1188}, 1, 240, 200, 0},
    /* garbage collection, and more of it in 421 */
    {Z_FLIP5, EARLIER, GACHA, "gacha_reveal", {413, 402, 408}, 0, 700, 230, 3400000},
    {Z_FLIP5, B421, GACHA, "gacha_reveal", {598, 577, 583}, 1, 720, 180, 7900000},
    /* gone in 421, where the portal still opens */
    {S23_ULTRA, EARLIER, FIELD_05, "portal_open", {523, 498, 0, 511, 530}, 1, 760, 240, 90000},
    {S23_ULTRA, B421, FIELD_05, "portal_open", {201, 0, 196, 204, 0}, 0, 700, 500, 60000},
    /* waits for the disk: neither side is busy */
    {IPHONE_SE, EVERY, LOBBY, "shop_open", {882, 861, 874}, 0, 110, 130, 0},
    {PIXEL_6A, EARLIER, BATTLE_01, "wave_2", {461, 438}, 0, 800, 0, 0},
};

/* Single incidents: one run of one build. */
enum incident_kind { FREAK, SNAPSHOT, PAUSE, GAP, HEATS_UP, BONUS };
struct incident {
    enum incident_kind kind;
    enum device_id device;
    int build;
    enum scene_id scene;
    int run; /* from 0 */
    int at_ms;
};
static const struct incident incidents[] = {
    {FREAK, Z_FLIP5, B421, BATTLE_01, 1, 1150}, /* one slow frame in one run of three, without an event */
    {SNAPSHOT, A54, B421, LOBBY, 0, 300},       /* the measuring disturbs */
    {SNAPSHOT, A54, B420, LOBBY, 2, 300},         {PAUSE, Z_FLIP5, B420, LOBBY, 1, 900}, /* a call came in */
    {GAP, A53, B421, BATTLE_01, 2, 1200},         /* the log has a hole */
    {HEATS_UP, NOTE_10, B421, RAID_02, 3, 0},     /* an endurance run that gets warm */
    {BONUS, IPHONE_15_PRO, B420, GACHA, 0, 1000}, /* an event that 421 never sees again, with a hitch */
    {BONUS, IPHONE_15_PRO, B420, GACHA, 1, 1000}, {BONUS, IPHONE_15_PRO, B420, GACHA, 2, 1000},
};
#define HEATING_MS 48000 /* of the endurance run, which plays nothing but its scene */
#define WAVE_MS    6000
#define GAP_TENTHS 7400

/* One frame before it is written. */
struct frame {
    int time, cpu, gpu;
    int gc;
    const char *event;
};

/* A run while it is written. */
struct player {
    FILE *out;
    const struct build *build;
    const struct device *device;
    int build_bit, run;
    uint64_t random;
    int64_t stamp;
    int since_kept;
    bool first_row;
    const char *event_waiting; /* of a frame that was not kept: stands on the next row */
    const char *thermal;
    int waves; /* of the endurance run so far */
};

static int random_below(struct player *player, int limit)
{
    /* splitmix64 */
    uint64_t value = player->random += 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return (int)((value ^ (value >> 31)) % (uint64_t)limit);
}

static void put_tenths(FILE *out, int64_t tenths)
{
    fprintf(out, "%lld.%lld,", (long long)(tenths / 10), (long long)(tenths % 10));
}

static void put_text(FILE *out, const char *text)
{
    fprintf(out, strchr(text, ',') ? "\"%s\"," : "%s,", text);
}

static const char *const header = "timestamp_ms,frame_time_ms,cpu_frame_ms,gpu_frame_ms,gc_alloc_bytes,event_"
                                  "name,device_model,build_id,run_id,scene,"
                                  "quality_level,soc,model_code,sample_every,kept_over_ms,thermal_state,os_"
                                  "version,started_at,commit_hash,ci_run_id,"
                                  "built_at,log_url\n";

static void put_row(struct player *player, const struct scene *scene, const struct frame *frame,
                    const char *event)
{
    const struct device *device = player->device;
    const struct build *build = player->build;
    FILE *out = player->out;

    put_tenths(out, player->stamp);
    put_tenths(out, frame->time);
    put_tenths(out, frame->cpu);
    if (device->gpu_known)
        put_tenths(out, frame->gpu);
    else
        fputc(',', out);
    if (frame->gc)
        fprintf(out, "%d", frame->gc);
    fprintf(out, ",%s,", event ? event : "");
    put_text(out, device->model);
    fprintf(out, "%s,%d,%s,%s,%s,%s,", build->id, player->run + 1, scene->name, device->quality, device->soc,
            device->model_code);
    if (device->sample_every) {
        fprintf(out, "%d,", device->sample_every);
        put_tenths(out, device->kept_over);
    } else {
        fputs(",,", out);
    }
    fprintf(out, "%s,", player->thermal);
    /* What never changes in a run stands on its first row only. */
    if (player->first_row)
        fprintf(out, "%s,%sT0%d:%d0:00Z,%s,%s,%s,https://ci.example.com/runs/%s/%d-%d.log\n", device->os,
                build->night, 1 + player->run, (int)(device - devices) % 6, build->commit, build->ci_run,
                build->built_at, build->ci_run, (int)(device - devices), player->run + 1);
    else
        fputs(",,,,,\n", out);
    player->first_row = false;
}

static void play_frame(struct player *player, const struct scene *scene, const struct frame *frame)
{
    const struct device *device = player->device;

    player->stamp += frame->time;
    if (frame->event)
        player->event_waiting = frame->event;
    player->since_kept++;
    if (device->sample_every && frame->time <= device->kept_over) {
        if (player->since_kept < device->sample_every)
            return;
        player->since_kept = 0;
    }
    put_row(player, scene, frame, player->event_waiting);
    player->event_waiting = NULL;
}

static int budget_of(const struct device *device)
{
    return 10000 / device->fps;
}

/* An ordinary frame: waits for the display and jitters by a few tenths. */
static struct frame ordinary_frame(struct player *player, enum scene_id scene)
{
    const struct device *device = player->device;
    int budget = budget_of(device), load = scenes[scene].load_percent;
    struct frame frame = {.time = budget + random_below(player, device->sample_every ? 2 : 3)};
    bool drifts = device == &devices[A54] && scene == RAID_02 && player->build_bit == B421;

    if (device == &devices[A53] && scene == BATTLE_03) /* never reaches its target there */
        frame.time = budget * 17 / 10 + random_below(player, 40);
    else if (drifts && random_below(player, 100) < 9) /* worse than it was, yet below the threshold */
        frame.time = budget * 15 / 10 + random_below(player, budget * 3 / 10);

    frame.cpu = budget * device->cpu_percent * load / 10000 + random_below(player, budget / 8);
    frame.gpu = budget * device->gpu_percent * load / 10000 + random_below(player, budget / 10);
    if (frame.time > budget * 11 / 10)
        frame.cpu = frame.time * 86 / 100;
    if (random_below(player, 40) == 0)
        frame.gc = 4096 * (1 + random_below(player, 12));
    return frame;
}

/* Misses the display once; at the same times in every run, so that short scenes of two builds can be
 * compared. */
static struct frame late_frame(struct player *player, enum scene_id scene)
{
    struct frame frame = ordinary_frame(player, scene);
    int late = budget_of(player->device) * 135 / 100 + random_below(player, 8);

    if (frame.time < late)
        frame.time = late;
    frame.cpu = frame.time * 86 / 100;
    return frame;
}

static struct frame slow_frame(int time, int cpu_permille, int gpu_permille)
{
    return (struct frame){
        .time = time, .cpu = (time * cpu_permille + 500) / 1000, .gpu = (time * gpu_permille + 500) / 1000};
}

/* The frame at an event with the slow ones after it, or an ordinary frame that carries the event. */
static void play_event(struct player *player, enum scene_id scene, const char *event)
{
    for (size_t i = 0; i < COUNT(hitches); i++) {
        const struct hitch *hitch = &hitches[i];
        int peak = hitch->peak[player->run];

        if (&devices[hitch->device] != player->device || !(hitch->in_builds & player->build_bit) ||
            hitch->scene != scene || strcmp(hitch->event, event) != 0 || peak == 0)
            continue;
        struct frame frame = slow_frame(peak, hitch->cpu_permille, hitch->gpu_permille);
        frame.event = event;
        frame.gc = hitch->gc_bytes;
        play_frame(player, &scenes[scene], &frame);
        for (int n = 0; n < hitch->tail; n++) {
            frame = ordinary_frame(player, scene);
            for (int quiet = random_below(player, 5); quiet >= 0; quiet--) {
                play_frame(player, &scenes[scene], &frame);
                frame = ordinary_frame(player, scene);
            }
            frame = slow_frame(budget_of(player->device) * 21 / 10 + peak * (4 - n % 4) / 20,
                               hitch->cpu_permille, hitch->gpu_permille);
            play_frame(player, &scenes[scene], &frame);
        }
        return;
    }
    struct frame frame = ordinary_frame(player, scene);
    frame.event = event;
    play_frame(player, &scenes[scene], &frame);
}

static void play_incident(struct player *player, const struct incident *incident)
{
    const struct scene *scene = &scenes[incident->scene];
    struct frame frame;

    switch (incident->kind) {
    case FREAK:
        frame = slow_frame(1207, 420, 110);
        break;
    case SNAPSHOT:
        frame = slow_frame(1815, 930, 40);
        frame.event = "memory_snapshot";
        break;
    case PAUSE:
        frame = ordinary_frame(player, incident->scene);
        frame.event = "app_background";
        play_frame(player, scene, &frame);
        frame = slow_frame(32406, 5, 2);
        frame.event = "app_foreground";
        break;
    case GAP:
        player->stamp += GAP_TENTHS;
        return;
    case BONUS:
        frame = slow_frame(378 + 9 * player->run, 820, 200);
        frame.event = "gacha_bonus";
        break;
    case HEATS_UP:
    default:
        return;
    }
    play_frame(player, scene, &frame);
}

static const struct incident *incident_of(const struct player *player, enum scene_id scene, bool heating)
{
    for (size_t i = 0; i < COUNT(incidents); i++)
        if (&devices[incidents[i].device] == player->device && incidents[i].build == player->build_bit &&
            incidents[i].scene == scene && incidents[i].run == player->run &&
            (incidents[i].kind == HEATS_UP) == heating)
            return &incidents[i];
    return NULL;
}

/* The first frames of the run, or of a scene: long while things are loaded and compiled. */
static void play_entry(struct player *player, enum scene_id scene)
{
    static const int start_up[] = {6400, 2100, 960}, change[] = {92, 31};
    int budget = budget_of(player->device);
    int count = scene == LOGIN ? (int)COUNT(start_up) : scenes[scene].change_frames;

    for (int i = 0; i < count; i++) {
        int time = scene == LOGIN ? start_up[i] : budget * change[i] / 10;
        struct frame frame = slow_frame(time + random_below(player, 60), 310, 90);
        play_frame(player, &scenes[scene], &frame);
    }
}

/* A marked loading that begins in one scene and ends in the next. */
static void play_loading(struct player *player, enum scene_id scene, const char *first, const char *last)
{
    for (int i = 0; i < 3; i++) {
        struct frame frame = slow_frame(1400 + 30 * i + random_below(player, 40), 500, 50);
        frame.event = i == 0 ? first : i == 2 ? last : NULL;
        play_frame(player, &scenes[scene], &frame);
    }
}

/* One frame of the endurance run. Warm, it stumbles at every wave. */
static void play_heating(struct player *player, int64_t begin)
{
    static const char *const states[] = {"nominal", "fair", "serious", "serious"};
    int64_t played_ms = (player->stamp - begin) / 10;
    int quarter = (int)(played_ms * 4 / HEATING_MS);
    int warmth = (int)(played_ms * 100 / HEATING_MS); /* percent of the way */
    bool wave = played_ms / WAVE_MS > player->waves;
    struct frame frame = ordinary_frame(player, RAID_02);

    player->thermal = states[quarter > 3 ? 3 : quarter];
    frame.time += frame.time * warmth * 36 / 10000;
    frame.cpu += frame.cpu * warmth * 30 / 10000;
    frame.gpu += frame.gpu * warmth * 40 / 10000;
    if (wave && warmth > 60)
        frame = slow_frame(500 + 20 * player->waves, 610, 640);
    if (wave) {
        frame.event = "add_wave";
        player->waves++;
    }
    play_frame(player, &scenes[RAID_02], &frame);
}

static void play_visit(struct player *player, enum scene_id scene)
{
    const struct incident *incident = incident_of(player, scene, false);
    bool marks_loading = player->device == &devices[IPHONE_SE];
    bool heats_up = incident_of(player, scene, true) != NULL;
    int64_t begin;
    int64_t length = 10 * (int64_t)scenes[scene].length_ms * (player->device->sample_every ? 3 : 1);
    int64_t next_late_ms = 300;
    size_t next = 0; /* of the happenings */

    if (heats_up)
        length = HEATING_MS * 10;
    if (marks_loading && scene == FIELD_05)
        play_loading(player, scene, NULL, "loading_end");
    else
        play_entry(player, scene);
    begin = player->stamp;
    while (player->stamp - begin < length) {
        int64_t played_ms = (player->stamp - begin) / 10;

        while (next < COUNT(happenings) && (happenings[next].scene != scene))
            next++;
        if (incident && played_ms >= incident->at_ms) {
            play_incident(player, incident);
            if (incident->kind == GAP) /* nothing was played in the hole */
                begin += GAP_TENTHS;
            incident = NULL;
        } else if (heats_up) {
            play_heating(player, begin);
        } else if (next < COUNT(happenings) && played_ms >= happenings[next].at_ms) {
            play_event(player, scene, happenings[next++].event);
        } else if (played_ms >= next_late_ms && !player->device->sample_every) {
            struct frame frame = late_frame(player, scene);
            play_frame(player, &scenes[scene], &frame);
            next_late_ms += 600;
        } else {
            struct frame frame = ordinary_frame(player, scene);
            play_frame(player, &scenes[scene], &frame);
        }
    }
    if (marks_loading && scene == RAID_02)
        play_loading(player, scene, "loading_start", NULL);
}

static void play_build(FILE *out, size_t build)
{
    fputs(header, out);
    for (int device = 0; device < DEVICES; device++) {
        for (int run = 0; run < devices[device].runs[build]; run++) {
            struct player player = {.out = out,
                                    .build = &builds[build],
                                    .device = &devices[device],
                                    .build_bit = 1 << build,
                                    .run = run,
                                    .random = (uint64_t)(build * 100 + (size_t)device * 10 + (size_t)run + 1)
                                              << 32,
                                    .first_row = true,
                                    .thermal = device == NOTE_10 ? "nominal" : ""};
            bool endures = incident_of(&player, RAID_02, true) != NULL;

            for (int scene = 0; scene < SCENES; scene++)
                if (!endures || scene == RAID_02)
                    play_visit(&player, scene);
        }
    }
}

static void write_devices(FILE *out)
{
    fputs("device_model,name,tier,target_fps,weight\n", out);
    for (int i = 0; i < DEVICES; i++) {
        put_text(out, devices[i].model);
        fprintf(out, "%s,%s,%d,%s\n", devices[i].name, devices[i].tier, devices[i].fps, devices[i].weight);
    }
}

static FILE *open_file(const char *folder, const char *name)
{
    char path[4096];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wb");
    if (!out) {
        fprintf(stderr, "make_sample: cannot write %s: %s\n", path, strerror(errno));
        exit(2);
    }
    return out;
}

static void close_file(FILE *out)
{
    if (ferror(out) || fclose(out) != 0) {
        fprintf(stderr, "make_sample: writing failed: %s\n", strerror(errno));
        exit(2);
    }
}

int main(int count, char **arguments)
{
    FILE *out;

    if (count != 2) {
        fputs("usage: make_sample FOLDER\n", stderr);
        return 2;
    }
    for (size_t build = 0; build < COUNT(builds); build++) {
        out = open_file(arguments[1], builds[build].file);
        play_build(out, build);
        close_file(out);
    }
    out = open_file(arguments[1], "devices.csv");
    write_devices(out);
    close_file(out);
    return 0;
}
