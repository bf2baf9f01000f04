/*
 * Many frames of an import are packed by a thread of their own while the reader goes on: what is stored is what was
 * given, in the order it came, whatever the sizes of the segments; an import that is given up leaves nothing behind.
 */
#include "fixture.h"
#include "stutterscope/base/memory.h"
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 40, MOST_FRAMES = 30000 };

static struct store *store;
static struct error error;

static void begin(void)
{
    scratch_make();
    store = open_store(scratch_path("store.db"), STORE_CREATE);
}

static void end(void)
{
    store_close(store);
    scratch_remove();
}

TestSuite(pack, .init = begin, .fini = end);

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Segment i is always the same: sizes from one frame up, columns that come and go. */
static size_t make_segment(int i, struct frame_columns *columns)
{
    uint64_t state = (uint64_t)i + 1;
    size_t count = i % 7 == 3 ? 1 : 1 + next_random(&state) % MOST_FRAMES;
    int64_t stamp = i * INT64_C(1000000000000);

    columns->count = count;
    for (size_t k = 0; k < count; k++) {
        columns->values[COLUMN_FRAME_TIME][k] = (int64_t)(16000 + next_random(&state) % 1000) * 1000;
        columns->values[COLUMN_STAMP][k] = stamp += columns->values[COLUMN_FRAME_TIME][k] + (int64_t)(next_random(&state) % 3) * 100;
        columns->values[COLUMN_CPU][k] = i % 3 ? (int64_t)(next_random(&state) % 20000) * 1000 : VALUE_UNKNOWN;
        columns->values[COLUMN_GC][k] = next_random(&state) % 50 ? 0 : (int64_t)next_random(&state) % 100000;
    }
    return count;
}

static struct frame_columns take_columns(void)
{
    struct frame_columns columns = {0};

    columns.values[COLUMN_FRAME_TIME] = memory_take(MOST_FRAMES * sizeof(int64_t));
    columns.values[COLUMN_STAMP] = memory_take(MOST_FRAMES * sizeof(int64_t));
    columns.values[COLUMN_CPU] = memory_take(MOST_FRAMES * sizeof(int64_t));
    columns.values[COLUMN_GC] = memory_take(MOST_FRAMES * sizeof(int64_t));
    return columns;
}

/* The same memory is used for every segment: the writer must not need it afterwards. */
static struct store_writer *write_segments(struct dictionary *texts)
{
    const struct run_facts facts = plain_facts("1", "phone", "a");
    struct frame_columns columns = take_columns();
    struct store_writer *writer;
    size_t run;

    cr_assert(store_writer_begin(store, texts, &writer, &error), "%s", error.text);
    cr_assert(store_writer_add_run(writer, &facts, &run, &error), "%s", error.text);
    for (int i = 0; i < SEGMENTS; i++) {
        const struct segment_facts segment = {.scene = i % 2 ? "Raid" : "Lobby", .quality = "High", .visit = i,
                                              .target_fps_milli = VALUE_UNKNOWN, .refresh_milli_hz = VALUE_UNKNOWN};

        make_segment(i, &columns);
        cr_assert(store_writer_add_segment(writer, run, &segment, &columns, &error), "%s", error.text);
    }
    frame_columns_free(&columns);
    return writer;
}

static void check_import(void)
{
    const struct segment_filter all = {.quality = -1};
    const uint32_t wanted = 1u << COLUMN_STAMP | 1u << COLUMN_FRAME_TIME | 1u << COLUMN_CPU | 1u << COLUMN_GC;
    struct dictionary *texts = dictionary_create();
    struct store_writer *writer = write_segments(texts);
    struct import_facts facts = {.path = "a", .format = "test", .fingerprint = "a"};
    struct import_outcome outcome;
    struct segment_list list = {0};
    struct frame_columns expected = take_columns();

    cr_assert(store_writer_commit(writer, &facts, &outcome, &error), "%s", error.text);
    cr_assert(store_list_segments(store, &all, &list, &error), "%s", error.text);
    cr_assert_eq(list.count, SEGMENTS);
    for (int i = 0; i < SEGMENTS; i++) {
        struct frame_columns found;
        size_t count = make_segment(i, &expected);

        cr_assert_eq(list.items[i].visit, i);
        cr_assert_eq(list.items[i].count, (int64_t)count);
        cr_assert(store_read_columns(store, &list.items[i], wanted, &found, &error), "%s", error.text);
        for (int column = 0; column < COLUMN_COUNT; column++) {
            bool known = false;

            for (size_t k = 0; expected.values[column] && k < count; k++)
                known |= expected.values[column][k] != VALUE_UNKNOWN;
            cr_assert_eq(found.values[column] != NULL, known, "segment %d, column %d", i, column);
            if (known)
                cr_assert_eq(memcmp(found.values[column], expected.values[column], count * sizeof(int64_t)), 0, "segment %d, column %d", i, column);
        }
        frame_columns_free(&found);
    }
    frame_columns_free(&expected);
    segment_list_free(&list);
    dictionary_destroy(texts);
}

Test(pack, everything_comes_back_in_order)
{
    check_import();
}

/* Where the system gives no thread (here: none with so much of a stack) the reader packs. */
Test(pack, without_a_thread_too)
{
    pthread_attr_t huge;

    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, (size_t)1 << 47);
    cr_assert_eq(pthread_setattr_default_np(&huge), 0);
    check_import();
}

Test(pack, giving_up_leaves_nothing)
{
    struct dictionary *texts = dictionary_create();

    store_writer_abort(write_segments(texts));
    cr_assert_eq(count_rows(store, "segment"), 0);
    cr_assert_eq(count_rows(store, "run"), 0);
    dictionary_destroy(texts);
}
