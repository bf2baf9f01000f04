#include "recorder.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a reader says, one line per sample. */
struct heard {
    struct import_log *log;
    struct dictionary *texts;
    struct text_buffer lines;
    struct import_context context; /* of the last sample */
    bool fine, only_samples;
    int64_t frames, samples;
    struct error error;
};

static void hear_facts(void *user, const struct import_source_facts *facts)
{
    ((struct heard *)user)->only_samples = strcmp(facts->interval, "samples") == 0;
    import_log_facts(((struct heard *)user)->log, facts);
}

static bool hear_frames(void *user, const struct import_context *context, const struct frame_columns *frames,
                        int64_t line, struct error *error)
{
    (void)context;
    (void)line;
    (void)error;
    ((struct heard *)user)->frames += (int64_t)frames->count;
    return true;
}

static bool hear_sample(void *user, const struct import_context *context, const struct import_value *value,
                        int64_t line, struct error *error)
{
    struct heard *heard = user;

    (void)line;
    (void)error;
    heard->samples++;
    heard->context = *context;
    text_add_print(&heard->lines, "%s [%s] %g", value->name, value->unit, value->value);
    if (value->stamp_ns != VALUE_UNKNOWN)
        text_add_print(&heard->lines, " at %" PRId64, value->stamp_ns / (int64_t)NS_PER_MS);
    text_add(&heard->lines, "\n");
    return true;
}

static void hear_reject(void *user, enum reject_reason reason, int64_t line, const char *text, size_t length)
{
    import_log_reject(((struct heard *)user)->log, reason, line, text, length);
}

static void hear_note(void *user, const char *text)
{
    import_log_note(((struct heard *)user)->log, text);
}

static void hear_column(void *user, const char *name, bool personal)
{
    import_log_column(((struct heard *)user)->log, name, personal);
}

static struct heard *listen(const char *text, size_t size, const char *format_name)
{
    static const struct import_options options;
    struct heard *heard = memory_take_zeroed(1, sizeof *heard);
    struct import_input *input =
        import_input_open(source_open_memory(text, size), "test", NULL, NULL, &heard->error);
    const struct import_format *format;

    heard->log = import_log_create();
    heard->texts = dictionary_create();
    text_add(&heard->lines, "");
    format = import_format_find(import_input_sample(input), &options, &heard->error);
    if (format && strcmp(format->name, format_name) == 0) {
        const struct import_sink sink = {.user = heard,
                                         .texts = heard->texts,
                                         .facts = hear_facts,
                                         .frames = hear_frames,
                                         .sample = hear_sample,
                                         .reject = hear_reject,
                                         .note = hear_note,
                                         .column_left_out = hear_column};

        cr_assert(format->samples_only || strcmp(format_name, "xctrace") == 0); /* frames and samples */
        heard->fine = format->read(&(struct import_reader){input, &options, &sink}, &heard->error);
    }
    cr_assert_eq(heard->frames, 0);
    import_input_close(input);
    return heard;
}

static void heard_free(struct heard *heard)
{
    import_log_destroy(heard->log);
    dictionary_destroy(heard->texts);
    free(text_take(&heard->lines));
    free(heard);
}

static const char *context_text(const struct heard *heard, enum context_field field)
{
    return dictionary_text(heard->texts, heard->context.field[field]);
}

static const char perfdog[] =
    "Device Model,SM-S918N\nApp Version,1.8.0\n\n"
    "num,Time(ms),Abs_time(ms),Label,Notes,FPS,Smooth,Jank,BigJank,Stutter(%),Inter_frame(ms)\n"
    "1,1000,1700000001000,Forest,,59.5,0,0,0,0,16.8\n"
    "2,2000,1700000002000,Cave,x,30,-,2,1,3.5,oops\n";
static const char gamebench[] =
    "{\"response\":{\"id\":\"a\",\"sessionId\":\"s7\",\"samples\":[{\"fpsValue\":60,\"timestamp\":5257},"
    "{\"fpsValue\":31.5,\"timestamp\":6257}]}}";
static const char session[] =
    "{\"response\":{\"id\":\"s7\",\"app\":{\"version\":\"2.1\"},\"device\":{\"model\":\"STF-L09\",\"gpu\":"
    "\"Mali\","
    "\"androidVersionRelease\":\"8.0.0\",\"serial\":\"x\"},\"fpsMedian\":59,\"fpsStability\":100,"
    "\"mWAvg\":922.5,\"sessionDate\":1539782342842}}";
static const char afterburner[] =
    "00, 13-08-2021 20:08:33, Hardware monitoring log v1.6 \n"
    "01, 13-08-2021 20:08:33, GeForce RTX 3080\n"
    "02, 13-08-2021 20:08:33, GPU temperature     ,Framerate           ,Framerate           \n"
    "03, 13-08-2021 20:08:33, GPU temperature     ,C                   ,0.000               ,100.000\n"
    "03, 13-08-2021 20:08:33, Framerate           ,FPS                 ,0.000               ,200.000\n"
    "80, 13-08-2021 20:08:34, 45.000              ,60.100              ,N/A                 \n"
    "80, 13-08-2021 20:08:35, 46.000              ,59.000              ,58.000              \n";

Test(samples, perfdog)
{
    struct heard *heard = listen(perfdog, strlen(perfdog), "perfdog");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect(heard->only_samples);
    cr_expect_str_eq(heard->lines.items,
                     "FPS [] 59.5 at 1000\nSmooth [] 0 at 1000\nJank [] 0 at 1000\nBigJank [] 0 at 1000\n"
                     "Stutter [%] 0 at 1000\nInter_frame [ms] 16.8 at 1000\nFPS [] 30 at 2000\n"
                     "Jank [] 2 at 2000\nBigJank [] 1 at 2000\nStutter [%] 3.5 at 2000\n");
    cr_expect_eq(heard->log->rejects[REJECT_NOT_A_NUMBER].count, 1);
    cr_expect_str_eq(context_text(heard, CONTEXT_SCENE), "Cave");
    cr_expect_str_eq(context_text(heard, CONTEXT_DEVICE), "SM-S918N");
    cr_expect_str_eq(context_text(heard, CONTEXT_BUILD), "1.8.0");
    cr_expect_str_eq(context_text(heard, CONTEXT_STARTED_AT), "2023-11-14T22:13:20Z");
    heard_free(heard);
}

Test(samples, gamebench)
{
    struct heard *heard = listen(gamebench, strlen(gamebench), "gamebench");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items, "fps [fps] 60 at 5257\nfps [fps] 31.5 at 6257\n");
    cr_expect_str_eq(context_text(heard, CONTEXT_RUN), "s7");
    heard_free(heard);
    heard = listen(session, strlen(session), "gamebench");
    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items, "fps median [fps] 59\nfps stability [%] 100\npower [mW] 922.5\n");
    cr_expect_str_eq(context_text(heard, CONTEXT_RUN), "s7");
    cr_expect_str_eq(context_text(heard, CONTEXT_DEVICE), "STF-L09");
    cr_expect_str_eq(context_text(heard, CONTEXT_OS), "Android 8.0.0");
    cr_expect_str_eq(context_text(heard, CONTEXT_BUILD), "2.1");
    cr_expect_eq(heard->log->personal.count, 1);
    heard_free(heard);
}

Test(samples, afterburner)
{
    struct heard *heard = listen(afterburner, strlen(afterburner), "afterburner");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items,
                     "GPU temperature [C] 45 at 1628885314000\nFramerate [FPS] 60.1 at 1628885314000\n"
                     "GPU temperature [C] 46 at 1628885315000\nFramerate [FPS] 59 at 1628885315000\n"
                     "Framerate #2 [] 58 at 1628885315000\n");
    cr_expect_str_eq(context_text(heard, CONTEXT_GPU_NAME), "GeForce RTX 3080");
    cr_expect_str_eq(context_text(heard, CONTEXT_STARTED_AT), "2021-08-13T20:08:34Z");
    heard_free(heard);
}

static struct heard *listen_pairs(const char *piece, size_t times, const char *end)
{
    struct text_buffer text = {0};
    struct heard *heard;

    text_add(&text, "{\"links\":\"https://web.gamebench.net\",\"response\":[");
    for (size_t i = 0; i < times; i++)
        text_add(&text, piece);
    text_add(&text, end);
    text_add(&text, "]}");
    heard = listen(text.items, text.count, "gamebench");
    array_free(&text);
    return heard;
}

/* Pairs of rate and share; many brackets that nothing closes take no longer than as many that something does. */
Test(samples, gamebench_pairs, .timeout = 30)
{
    struct heard *heard = listen_pairs("[[60, 75],[30, 25]]", 1, "");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items, "fps stability [%] 75\nfps stability [%] 25\n");
    heard_free(heard);
    heard = listen_pairs("[1 ", 3000000, "[60, 75]");
    cr_expect_eq(heard->samples, 1);
    heard_free(heard);
}

/* Samples of a cut file are the first ones of the whole file, never half a number. */
static void cut_everywhere(const char *text, const char *format)
{
    struct heard *whole = listen(text, strlen(text), format);

    for (size_t size = 1; size < strlen(text); size++) {
        struct heard *heard = listen(text, size, format);

        cr_assert_eq(strncmp(whole->lines.items, heard->lines.items, heard->lines.count), 0,
                     "%s cut at %zu:\n%s", format, size, heard->lines.items);
        heard_free(heard);
    }
    heard_free(whole);
}

Test(samples, a_cut_at_any_byte_gives_whole_samples_only)
{
    cut_everywhere(perfdog, "perfdog");
    cut_everywhere(gamebench, "gamebench");
    cut_everywhere(session, "gamebench");
    cut_everywhere(afterburner, "afterburner");
}

/* Without a place for samples the file is refused; in no case are its values frame times. */
Test(samples, are_never_frames)
{
    static const char *const texts[] = {perfdog, gamebench, session, afterburner};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *r = record_text(texts[i], &some_context);

        cr_expect_eq(recorded_frames(r), 0);
        cr_expect_not(r->fine);
        cr_expect_not_null(strstr(r->error.text, "one row a second"), "%s", r->error.text);
        recorder_free(r);
    }
}

Test(samples, reference_files)
{
    static const struct {
        const char *name;
        int64_t samples;
    } files[] = {{"fps", 1},     {"janks", 1},        {"sessionid", 10}, {"latest_session_search", 10},
                 {"markers", 9}, {"fps_stability", 2}};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *name = memory_print("telemetry/gamebench/%s.json", files[i].name), *path = reference_path(name),
             *text = NULL;
        size_t length = 0;
        FILE *file;
        struct heard *heard;

        free(name);
        if (!path)
            cr_skip_test("no reference data");
        file = fopen(path, "r");
        cr_assert(file && getdelim(&text, &length, '\0', file) > 0);
        fclose(file);
        heard = listen(text, strlen(text), "gamebench");
        cr_expect_eq(heard->samples, files[i].samples, "%s: %d", files[i].name, (int)heard->samples);
        cr_expect_eq(heard->fine, files[i].samples > 0);
        heard_free(heard);
        free(text);
        free(path);
    }
}

/* Tables of Instruments that hold no frames: two vsyncs 16.667 ms apart, and one render of 5.967958 ms. */
Test(samples, xctrace)
{
    static const char text[] =
        "<?xml version=\"1.0\"?><trace-query-result>"
        "<node><schema name=\"display-vsyncs-interval\"><col><mnemonic>timestamp</mnemonic></col></schema>"
        "<row><start-time id=\"1\">481000000</start-time></row><row><start-time id=\"2\">497667000</start-time></row></node>"
        "<node><schema name=\"hitches-renders\"><col><mnemonic>start</mnemonic></col><col><mnemonic>duration</mnemonic></col></schema>"
        "<row><start-time id=\"3\">498301791</start-time><duration id=\"4\">5967958</duration></row></node></trace-query-result>";
    struct heard *heard = listen(text, strlen(text), "xctrace");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect(heard->only_samples);
    cr_expect_str_eq(heard->lines.items, "vsync interval [ms] 16.667 at 497\nrender time of a hitch [ms] 5.96796 at 498\n");
    heard_free(heard);
}

/* As a spreadsheet saves it where the decimal comma is the rule, and with Chinese headings. */
Test(samples, perfdog_with_decimal_commas)
{
    static const char text[] = "序号;时间(ms);绝对时间(ms);标签;备注;FPS;Jank;BigJank\r\n"
                               "1;1000;1700000001000;Forest;;59,5;0;0\r\n2;2000;1700000002000;Cave;;30,25;2;1\r\n";
    struct heard *heard = listen(text, strlen(text), "perfdog");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items, "FPS [] 59.5 at 1000\nJank [] 0 at 1000\nBigJank [] 0 at 1000\n"
                                         "FPS [] 30.25 at 2000\nJank [] 2 at 2000\nBigJank [] 1 at 2000\n");
    cr_expect_str_eq(context_text(heard, CONTEXT_SCENE), "Cave");
    cr_expect_eq(heard->log->rejects[REJECT_NOT_A_NUMBER].count, 0);
    heard_free(heard);
}

Test(samples, afterburner_with_decimal_commas)
{
    static const char text[] = "00, 13-08-2021 20:08:33, Hardware monitoring log v1.6 \n"
                               "02, 13-08-2021 20:08:33, GPU temperature     ,Framerate           ,Frametime           \n"
                               "80, 13-08-2021 20:08:34, 45,000              ,60,100              ,N/A                 \n"
                               "80, 13-08-2021 20:08:35, 46,500              ,59,000              ,16,950              \n";
    struct heard *heard = listen(text, strlen(text), "afterburner");

    cr_assert(heard->fine, "%s", heard->error.text);
    cr_expect_str_eq(heard->lines.items,
                     "GPU temperature [] 45 at 1628885314000\nFramerate [] 60.1 at 1628885314000\n"
                     "GPU temperature [] 46.5 at 1628885315000\nFramerate [] 59 at 1628885315000\n"
                     "Frametime [] 16.95 at 1628885315000\n");
    heard_free(heard);
}
