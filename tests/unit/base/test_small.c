/* The small modules: memory, error, hash, dictionary, telemetry, progress. */
#include "stutterscope/base/dictionary.h"
#include "stutterscope/base/error.h"
#include "stutterscope/base/hash.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/progress.h"
#include "stutterscope/base/telemetry.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(memory, grows_arrays)
{
    struct {
        int *items;
        size_t count, capacity;
    } numbers = {0};

    for (int i = 0; i < 1000; i++)
        array_push(&numbers, i);
    cr_assert_eq(numbers.count, 1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(numbers.items[i], i);
    array_reserve(&numbers, 5000);
    cr_assert(numbers.capacity >= 5000);
    cr_assert_eq(numbers.items[999], 999);
    array_free(&numbers);
    cr_assert_null(numbers.items);
}

Test(memory, copies)
{
    char *text = memory_copy_text("abc"), *bytes = memory_copy_bytes("abc", 2),
         *printed = memory_print("%d-%s", 7, "x");

    cr_assert_str_eq(text, "abc");
    cr_assert_str_eq(bytes, "ab");
    cr_assert_str_eq(printed, "7-x");
    cr_assert_null(memory_copy_text(NULL));
    free(text);
    free(bytes);
    free(printed);
    bytes = memory_take_zeroed(0, 8);
    cr_assert_not_null(bytes);
    free(bytes);
}

/* What was taken before stays, and what comes after is there: small, large, growing, more than was prepared. */
Test(memory, prepares)
{
    struct {
        int64_t *items;
        size_t count, capacity;
    } numbers = {0};
    char *before = memory_copy_text("before"), *blocks[64];

    memory_prepare();
    for (size_t i = 0; i < 64; i++)
        blocks[i] = memset(memory_take(i * 10000 + 1), (int)i, i * 10000 + 1);
    for (int64_t i = 0; i < 2000000; i++)
        array_push(&numbers, i * 3);
    for (size_t i = 0; i < 64; i++)
        for (size_t at = 0; at <= i * 10000; at += 5000)
            cr_assert_eq(blocks[i][at], (char)i);
    for (size_t i = 0; i < 64; i++)
        free(blocks[i]);
    for (int64_t i = 0; i < 2000000; i += 999)
        cr_assert_eq(numbers.items[i], i * 3);
    cr_assert_str_eq(before, "before");
    array_free(&numbers);
    free(before);
}

Test(memory, ends_the_program_when_exhausted, .signal = SIGABRT)
{
    free(memory_take_zeroed(SIZE_MAX / 2, 4));
}

Test(error, is_filled_and_prefixed)
{
    struct error error = {0};

    cr_assert_not(error_set(&error, ERROR_INPUT, "line %d: bad\n", 3));
    cr_assert_eq(error.code, ERROR_INPUT);
    cr_assert_str_eq(error.text, "line 3: bad");
    cr_assert_not(error_prefix(&error, "%s", "a.csv"));
    cr_assert_str_eq(error.text, "a.csv: line 3: bad");
    cr_assert_eq(error.code, ERROR_INPUT);
    error_set(&error, ERROR_IO, "again: %s", error.text);
    cr_assert_str_eq(error.text, "again: a.csv: line 3: bad");
    cr_assert_not(error_set(NULL, ERROR_IO, "nobody listens"));
    cr_assert_not(error_prefix(NULL, "nobody"));
}

Test(error, stays_valid_text)
{
    struct error error = {0};
    char long_text[4000] = {0};

    for (size_t i = 0; i + 3 < sizeof long_text; i += 3)
        memcpy(long_text + i, "던", 3);
    for (int shift = 0; shift < 3; shift++) {
        error_set(&error, ERROR_INPUT, "%.*s%s", shift, "ab", long_text);
        cr_assert(text_is_valid_utf8(error.text, strlen(error.text)));
        cr_assert(strlen(error.text) > 1000);
        error_prefix(&error, "%s", long_text);
        cr_assert(text_is_valid_utf8(error.text, strlen(error.text)));
    }
    error_set(&error, ERROR_INPUT, "found \"\x1b[2J\xFF\"");
    cr_assert_str_eq(error.text, "found \"\xEF\xBF\xBD[2J\xEF\xBF\xBD\"");
}

Test(hash, does_not_depend_on_the_pieces)
{
    struct hash_stream *whole = hash_stream_create(), *pieces = hash_stream_create();
    char bytes[5000], left[33], right[33];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 31);
    hash_stream_add(whole, bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i += 100)
        hash_stream_add(pieces, bytes + i, 100);
    hash_stream_add(pieces, NULL, 0);
    hash_stream_print(whole, left);
    hash_stream_print(pieces, right);
    cr_assert_str_eq(left, right);
    cr_assert_eq(strspn(left, "0123456789abcdef"), 32);
    hash_stream_add(whole, "x", 1);
    hash_stream_print(whole, left);
    cr_assert_str_neq(left, right);
    hash_stream_destroy(whole);
    hash_stream_destroy(pieces);
    hash_stream_destroy(NULL);
}

/* Values for empty input from the published test vectors of XXH3 (seed 0). */
Test(hash, is_xxh3)
{
    struct hash_stream *stream = hash_stream_create();
    char hex[33];

    hash_stream_print(stream, hex);
    cr_assert_str_eq(hex, "99aa06d3014798d86001c324468d497f");
    cr_assert_eq(hash_bytes("", 0), 0x2D06800538D394C2ULL);
    hash_stream_destroy(stream);
}

Test(dictionary, gives_ids_in_order)
{
    struct dictionary *dictionary = dictionary_create();
    const char *first;

    cr_assert_eq(dictionary_add(dictionary, "", 0), 0);
    cr_assert_eq(dictionary_find(dictionary, "a", 1), 0);
    cr_assert_eq(dictionary_add(dictionary, "abc", 1), 1);
    first = dictionary_text(dictionary, 1);
    cr_assert_eq(dictionary_add(dictionary, "abc", 2), 2);
    cr_assert_eq(dictionary_add(dictionary, "a", 1), 1);
    for (int i = 0; i < 20000; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "event %d", i);

        cr_assert_eq(dictionary_add(dictionary, text, (size_t)length), 3U + (unsigned)i);
    }
    cr_assert_eq(dictionary_count(dictionary), 20002);
    cr_assert_eq(dictionary_find(dictionary, "event 19999", 11), 20002);
    cr_assert_eq(dictionary_find(dictionary, "event 20000", 11), 0);
    cr_assert_str_eq(dictionary_text(dictionary, 3), "event 0");
    cr_assert_str_eq(dictionary_text(dictionary, 2), "ab");
    cr_assert_str_eq(dictionary_text(dictionary, 0), "");
    cr_assert_str_eq(dictionary_text(dictionary, 999999), "");
    cr_assert_eq(first, dictionary_text(dictionary, 1));
    dictionary_destroy(dictionary);
    dictionary_destroy(NULL);
}

Test(dictionary, keeps_long_texts)
{
    struct dictionary *dictionary = dictionary_create();
    size_t sizes[] = {65535, 65536, 65537, 200000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = memory_take(sizes[i]);

        memset(text, 'a' + (int)i, sizes[i]);
        cr_assert_eq(dictionary_add(dictionary, text, sizes[i]), i + 1);
        cr_assert_eq(dictionary_find(dictionary, text, sizes[i]), i + 1);
        cr_assert_eq(strlen(dictionary_text(dictionary, (uint32_t)i + 1)), sizes[i]);
        free(text);
    }
    dictionary_destroy(dictionary);
}

Test(telemetry, names_labels)
{
    cr_assert_str_eq(frame_label_name(LABEL_GAMEPLAY), "gameplay");
    cr_assert_str_eq(frame_label_name(LABEL_START_UP), "start-up");
    cr_assert_str_eq(frame_label_name(LABEL_SCENE_CHANGE), "scene change");
}

static bool stop_at_ten(void *user, const char *what, int64_t done, int64_t total)
{
    (void)what;
    (void)total;
    ++*(int *)user;
    return done < 10;
}

Test(progress, stops_when_told)
{
    struct error error = {0};
    int calls = 0;
    struct progress progress = {.report = stop_at_ten, .user = &calls};

    cr_assert(progress_report(NULL, "reading", 1, 2, &error));
    cr_assert(progress_report(&progress, "reading", 9, 20, &error));
    cr_assert_eq(error.code, ERROR_NONE);
    cr_assert_not(progress_report(&progress, "reading", 10, 20, &error));
    cr_assert_eq(error.code, ERROR_STOPPED);
    cr_assert_eq(calls, 2);
}

/* What stands before the '@' of an address is shown nowhere; other signs '@' are. */
Test(words, addresses_without_user_info)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"import clickhouse://qa:hunter2@db:8123/game --dry-run", "import clickhouse://db:8123/game --dry-run"},
        {"ClickHouses://qa:a/b@c@db/game", "ClickHouses://db/game"},
        {"import 'clickhouse://qa:two words@db/game' x@y", "import 'clickhouse://db/game' x@y"},
        {"\"https://u:p@ci.example.com/x?a=b@c\"", "\"https://ci.example.com/x?a=b@c\""},
        {"https://git.example.com/@team/x", "https://git.example.com/@team/x"},
        {"mail a@b.example, clickhouse://u@", "mail a@b.example, clickhouse://"},
        {"a://b@c d://e@f", "a://c d://f"},
        {"", ""},
        {"://", "://"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *shown = text_without_user_info(cases[i].text);

        cr_assert_str_eq(shown, cases[i].shown);
        free(shown);
    }
}
