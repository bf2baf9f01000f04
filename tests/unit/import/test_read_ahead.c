/* A text that a thread reads ahead is the same as one that is read when it is needed, up to its end or its fault. */
#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/input.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MB (1 << 20)

/* Bytes that come in pieces of a length of their own, and may end in a fault. total 0: as a pipe, which nobody reads ahead. */
struct pieces {
    struct byte_source base;
    const struct text_buffer *text;
    size_t at, piece;
    bool fails;
};

static bool read_piece(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct pieces *pieces = (struct pieces *)source;
    size_t left = pieces->text->count - pieces->at;

    *ret = left < size ? left : size;
    *ret = *ret < pieces->piece ? *ret : pieces->piece;
    if (*ret == 0 && pieces->fails)
        return error_set(error, ERROR_IO, "the cable was pulled");
    memcpy(bytes, pieces->text->items + pieces->at, *ret);
    pieces->at += *ret;
    return true;
}

static void close_pieces(struct byte_source *source)
{
    free(source);
}

static struct import_input *open_pieces(const struct text_buffer *text, size_t piece, bool fails, bool file)
{
    struct pieces *pieces = memory_take_zeroed(1, sizeof *pieces);

    pieces->base = (struct byte_source){read_piece, close_pieces, NULL, file ? (int64_t)text->count : 0};
    pieces->text = text;
    pieces->piece = piece;
    pieces->fails = fails;
    return import_input_open(&pieces->base, "pieces", NULL, NULL, NULL);
}

static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 8) * below >> 24);
}

/* 7 to 9 MB of lines of all lengths; now and then a CR just where one reading ends. */
static void make_text(struct text_buffer *text, uint32_t seed, bool hostile)
{
    static const char *const ends[] = {"\n", "\r\n", "\r", "\n\n", "\n\r"};
    size_t size = 7 * MB + draw(&seed, 2 * MB);

    while (text->count < size) {
        size_t length = draw(&seed, 200), to_border = MB - 1 - text->count % MB;

        if (hostile && draw(&seed, 4000) == 0)
            length = draw(&seed, 3 * MB / 2);
        if (to_border < length)
            length = to_border;
        for (size_t i = 0; i < length; i++)
            text_add_bytes(text, &"0123456789abcdef,.\"-"[(i * 7 + seed) % 20], 1);
        if (hostile && draw(&seed, 500) == 0)
            text_add_bytes(text, "\0", 1);
        if (hostile && draw(&seed, 3) == 0 && text->count > 5 * MB)
            text_add(text, "Stra\xdf" "e M\xfcnchen");
        text_add(text, hostile || to_border == length ? ends[draw(&seed, 5)] : "\n");
    }
    text_add(text, "the end");
}

static void compare_lines(struct import_input *one, struct import_input *other)
{
    struct import_line a, b;
    const char *text, *end;
    int64_t number;
    bool more = true;

    while (more) {
        more = import_input_next_line(one, &a);
        cr_assert_eq(more, import_input_next_line(other, &b));
        if (!more)
            break;
        cr_assert_eq(a.number, b.number);
        cr_assert_eq(a.length, b.length, "line %lld", (long long)a.number);
        cr_assert(memcmp(a.text, b.text, a.length + 1) == 0, "line %lld", (long long)a.number);
        cr_assert_eq(a.cut, b.cut);
        if (a.number % 1000 == 0 && import_input_extend_line(one, &a)) {
            cr_assert(import_input_extend_line(other, &b));
            cr_assert(a.length == b.length && memcmp(a.text, b.text, a.length + 1) == 0);
            import_input_shrink_line(one, &a, a.length / 2);
            import_input_shrink_line(other, &b, b.length / 2);
        }
        if (a.number % 777 == 0 && import_input_lines(one, &text, &end, &number)) {
            cr_assert_eq(number, a.number + 1);
            cr_assert_eq(end[-1], '\n');
            cr_assert(import_input_next_line(one, &a) && import_input_next_line(other, &b));
            cr_assert(a.text == text && text + a.length < end && !a.cut);
        }
    }
}

static void check_text(uint32_t seed, bool hostile, bool fails)
{
    struct text_buffer text = {0};
    struct import_input *ahead, *plain;
    struct error one = {0}, other = {0};

    make_text(&text, seed, hostile);
    ahead = open_pieces(&text, 10000 + seed * 7919 % 90000, fails, true);
    plain = open_pieces(&text, SIZE_MAX, fails, false);
    compare_lines(ahead, plain);
    cr_assert_eq(import_input_end(ahead, &one), import_input_end(plain, &other));
    cr_assert_str_eq(one.text, other.text);
    cr_assert_eq(strlen(one.text) > 0, fails);
    cr_assert_eq(import_input_bytes(ahead), import_input_bytes(plain));
    cr_assert_eq(import_input_nul_bytes(ahead), import_input_nul_bytes(plain));
    cr_assert_str_eq(import_input_encoding(ahead), import_input_encoding(plain));
    cr_assert_eq(import_input_ends_without_line_end(ahead), import_input_ends_without_line_end(plain));
    import_input_close(ahead);
    import_input_close(plain);
    array_free(&text);
}

Test(read_ahead, gives_the_same_lines)
{
    for (uint32_t seed = 1; seed <= 3; seed++)
        check_text(seed, false, false);
}

Test(read_ahead, gives_the_same_lines_of_a_hostile_text)
{
    for (uint32_t seed = 11; seed <= 16; seed++)
        check_text(seed, true, false);
}

Test(read_ahead, ends_where_reading_fails)
{
    check_text(21, false, true);
    check_text(22, true, true);
}

/* Whoever has seen enough leaves: the thread ends, whatever it has read. */
Test(read_ahead, may_be_left_at_any_line)
{
    struct text_buffer text = {0};

    make_text(&text, 5, false);
    for (int lines = 0; lines < 70000; lines += 6000) {
        struct import_input *input = open_pieces(&text, SIZE_MAX, false, true);
        struct import_line line;

        for (int i = 0; i < lines; i++)
            cr_assert(import_input_next_line(input, &line));
        cr_assert_leq(import_input_bytes(input), (int64_t)text.count);
        import_input_close(input);
    }
    array_free(&text);
}
