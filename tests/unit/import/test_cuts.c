/*
 * Files that end too early: our seeds of every format and, where it is there, the reference data, cut at 50 places
 * each. No frame that the whole file does not have, and never silence about the cut.
 */
#include "recorder.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CUTS         50
#define LARGEST_FILE (400u << 10) /* so that the usual run stays short */

static int compare_times(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static bool same_stream(const struct recorder *a, const struct recorder *b)
{
    const char *x = a->reading.log ? a->reading.log->chosen_stream : NULL, *y = b->reading.log ? b->reading.log->chosen_stream : NULL;

    return !x || !y || strcmp(x, y) == 0;
}

static bool is_reported(const struct recorder *recorder)
{
    static const char *const words[] = {"cut", "breaks off", "broken off", "without a line end", "damaged", "did not finish", "not closed"};

    if (!recorder->fine || recorded_rejects(recorder, REJECT_SHORT_ROW) > 0 || recorded_rejects(recorder, REJECT_MALFORMED) > 0)
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (recorded_note(recorder, words[i]))
            return true;
    }
    return false;
}

/* The end of a packet of a trace: tag 1 and length, nothing says how many there are. */
static bool ends_a_packet(const char *bytes, size_t place)
{
    size_t at = 0;

    while (at < place && bytes[at] == '\n') {
        size_t length = 0;
        int shift = 0;

        do
            length |= (size_t)(bytes[++at] & 0x7F) << shift;
        while ((bytes[at] & 0x80) && (shift += 7) < 35 && at < place);
        at += length + 1;
    }
    return at == place;
}

static bool only_blanks(const char *bytes, size_t from, size_t size)
{
    for (size_t i = from; i < size; i++) {
        if (!strchr(" \t\r\n", bytes[i]))
            return false;
    }
    return true;
}

/* What is before it is whole, and nothing says that more should follow. */
static bool ends_something(const char *bytes, size_t place, size_t size)
{
    if (ends_a_packet(bytes, place) || only_blanks(bytes, place, size))
        return true;
    return place > 0 && (bytes[place - 1] == '\n' || bytes[place - 1] == '\r' ||
                         (place > 1 && bytes[place - 1] == 0 && (bytes[place - 2] == '\n' || bytes[place - 2] == '\r')));
}

static void cut_at(const char *name, const char *bytes, size_t place, size_t size, const struct recorder *whole, const int64_t *times, size_t count)
{
    struct recorder *recorder = record_bytes(bytes, place, &some_context);
    size_t cut_count;
    int64_t *cut_times = recorded_column(recorder, SIZE_MAX, COLUMN_FRAME_TIME, &cut_count);

    cr_expect(ends_something(bytes, place, size) || is_reported(recorder), "%s cut at %zu: nothing is said of it", name, place);
    /* A first row that is no frame is known by the rows after it. */
    for (size_t i = cut_count < 7; i < cut_count && recorder->fine && same_stream(recorder, whole); i++)
        cr_expect(bsearch(&cut_times[i], times, count, sizeof *times, compare_times) != NULL,
                  "%s cut at %zu: frame %zu of %lld ns is none of the whole file", name, place, i, (long long)cut_times[i]);
    free(cut_times);
    recorder_free(recorder);
}

/* false: it holds no frames that could be cut off. */
static bool cut_file(const char *path)
{
    struct error error = {0};
    struct recorder *whole;
    char *bytes;
    size_t size, count;
    int64_t *times;
    uint32_t random = 2463534242;

    cr_assert(path_read_all(path, LARGEST_FILE, &bytes, &size, &error), "%s", error.text);
    whole = record_bytes(bytes, size, &some_context);
    times = recorded_column(whole, SIZE_MAX, COLUMN_FRAME_TIME, &count);
    qsort(times, count, sizeof *times, compare_times);
    for (int i = 0; i < CUTS && whole->fine && count > 0; i++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        cut_at(path_base_name(path), bytes, (size_t)((uint64_t)random * size >> 32), size, whole, times, count);
    }
    /* Its last bytes, one by one: the last line is where half a number would be taken for a whole one. */
    for (size_t i = 1; i < 40 && i < size && whole->fine && count > 0; i++)
        cut_at(path_base_name(path), bytes, size - i, size, whole, times, count);
    bool was_cut = whole->fine && count > 0;
    free(times);
    recorder_free(whole);
    free(bytes);
    return was_cut;
}

/* All small files with frames below the folder; how many. */
static size_t cut_folder(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    size_t files = 0;

    while (folder && (entry = readdir(folder))) {
        char *inner = path_join(path, entry->d_name);
        struct stat status;

        if (entry->d_name[0] == '.' || stat(inner, &status) != 0) {
            free(inner);
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            files += cut_folder(inner);
        } else if (status.st_size <= (off_t)LARGEST_FILE) {
            files += cut_file(inner);
        }
        free(inner);
    }
    if (folder)
        closedir(folder);
    return files;
}

Test(cuts, our_seeds, .timeout = 120)
{
    const char *data = getenv("STUTTERSCOPE_DATA");
    char *corpus = data ? memory_print("%s/../tests/fuzz/corpus", data) : NULL;

    if (!corpus)
        cr_skip_test("STUTTERSCOPE_DATA does not name the data of the source tree");
    cr_assert_gt(cut_folder(corpus), 50);
    free(corpus);
}

Test(cuts, reference_files, .timeout = 300)
{
    char *path = reference_path("telemetry");

    if (!path)
        cr_skip_test("STUTTERSCOPE_REFERENCE does not name the reference data");
    cr_assert_gt(cut_folder(path), 20);
    free(path);
}

/* The last column is a number, and the cut leaves a shorter one. */
Test(cuts, half_a_number_is_no_number)
{
    static const char *const texts[] = {
        "build_id,device_model,scene,timestamp_ms,frame_time_ms\nb,P,S,16,16\nb,P,S,133,117",
        "build_id,device_model,scene,timestamp_ms,frame_time_ms\nb,P,S,16.5,16.5\nb,P,S,33.25,16.75",
        "build_id,device_model,scene,timestamp_ms,frame_time_ms\nb,P,S,16.500,16.500\nb,P,S,33.250,16.75",
        "timestamp_ms,frame_time_ms,device_model,scene,build_id\n16,16,P,S,1.0(421)\n33,17,P,S,1.0(42",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_text(texts[i], NULL);

        cr_assert(recorder->fine, "%s: %s", texts[i], recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), 1, "%s", texts[i]);
        cr_expect(is_reported(recorder), "%s", texts[i]);
        recorder_free(recorder);
    }
}

/* Without a line end, but as long as all before it, or known: whole. It is said all the same. */
Test(cuts, a_whole_last_line_is_taken)
{
    static const char *const texts[] = {
        "build_id,device_model,scene,timestamp_ms,frame_time_ms\nb,P,S,16.500,16.500\nb,P,S,33.250,16.750",
        "timestamp_ms,frame_time_ms,device_model,scene,build_id\n16,16,P,S,1.0(421)\n33,17,P,S,1.0(421)",
        "timestamp_ms,frame_time_ms,device_model,scene,build_id,event_name\n16,16,P,S,b,\n33,17,P,S,b,",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recorder *recorder = record_text(texts[i], NULL);

        cr_assert(recorder->fine, "%s: %s", texts[i], recorder->error.text);
        cr_expect_eq(recorded_frames(recorder), 2, "%s", texts[i]);
        cr_expect(recorded_note(recorder, "without a line end"), "%s", texts[i]);
        recorder_free(recorder);
    }
}
