#include "stutterscope/import/input.h"

#include "encoding.h"
#include "read_ahead.h"
#include "stutterscope/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SAMPLE_BYTES 65536
#define LONGEST_LINE (16 << 20)
#define READ_HERE    (4 << 20) /* of the text, before a thread reads ahead: most files are small */

struct import_input {
    char *path;
    char *encoding_name;        /* given by the user, or found in the sample */
    bool may_guess;             /* not given: what comes after the sample may still tell */
    struct byte_source *source; /* undecoded, from the beginning; NULL once handed to the stream */
    struct text_stream stream;  /* its text: once reading has begun */
    struct read_ahead *ahead;   /* has the stream, then */
    struct text_stream seen;    /* the stream at the end of the last block, when it is read ahead */
    struct import_sample sample;
    char *sample_text, *sample_bytes;
    const struct progress *progress;

    /* Normalised text that was not given out yet stands in buffer[at … filled). */
    char *buffer;
    size_t capacity, at, filled, whole_lines; /* whole_lines: behind the last line end, a line that is cut left out */
    bool ended, unterminated;
    size_t read_here; /* bytes without a thread */
    int64_t total;    /* of the file, 0: not known */
    int64_t line;
    bool failed;
    struct error error;
};

/* Every second byte is NUL: UTF-16 without its mark. Telemetry begins with ASCII (a header, a brace). */
static const char *guess_utf16(const char *bytes, size_t size)
{
    size_t pairs = (size < 64 ? size : 64) / 2, odd = 0, even = 0;

    for (size_t i = 0; i < pairs; i++) {
        even += bytes[2 * i] == 0;
        odd += bytes[2 * i + 1] == 0;
    }
    if (pairs < 4)
        return NULL;
    if (even == 0 && odd * 10 >= pairs * 8)
        return "UTF-16LE";
    return odd == 0 && even * 10 >= pairs * 8 ? "UTF-16BE" : NULL;
}

static const char *guess_encoding(const char *bytes, size_t size)
{
    const char *guess;

    if (text_stream_has_mark(bytes, size, "\xFF\xFE"))
        return "UTF-16LE";
    if (text_stream_has_mark(bytes, size, "\xFE\xFF"))
        return "UTF-16BE";
    guess = guess_utf16(bytes, size);
    if (!guess)
        guess = encoding_guess(bytes, size, true);
    return guess ? guess : "UTF-8";
}

static struct byte_source *decoded(struct byte_source *source, const char *encoding, struct error *error)
{
    if (strcasecmp(encoding, "UTF-8") == 0 || strcasecmp(encoding, "UTF8") == 0)
        return source;
    return source_decode(source, encoding, error);
}

/* Takes bytes over. */
static bool make_sample(struct import_input *input, const char *encoding, char *bytes, size_t size,
                        struct error *error)
{
    struct byte_source *text = decoded(source_open_memory(bytes, size), encoding, error);
    char *sample = memory_take(SAMPLE_BYTES + 1);
    bool cr = false;
    int64_t nul_bytes = 0;
    size_t length = 0, skip = 0;

    input->sample_text = sample;
    input->sample_bytes = bytes;
    if (!text)
        return false;
    if (!source_read_full(text, sample, SAMPLE_BYTES, &length, error))
        length = 0;
    source_close(text);
    while (text_stream_has_mark(sample + skip, length - skip, "\xEF\xBB\xBF"))
        skip += 3;
    memmove(sample, sample + skip, length - skip);
    length = text_stream_normalise(sample, length - skip, &cr, &nul_bytes);
    sample[length] = '\0';
    input->sample = (struct import_sample){.path = input->path,
                                           .text = sample,
                                           .length = length,
                                           .bytes = bytes,
                                           .size = size,
                                           .whole = size < SAMPLE_BYTES};
    return true;
}

struct import_input *import_input_open(struct byte_source *source, const char *path, const char *encoding,
                                       const struct progress *progress, struct error *error)
{
    struct import_input *input = memory_take_zeroed(1, sizeof *input);
    char *bytes = memory_take(SAMPLE_BYTES + 1);
    size_t size = 0;

    input->path = memory_copy_text(path);
    input->progress = progress;
    input->source = text_stream_count(source, &input->stream.bytes);
    if (!source_read_full(input->source, bytes, SAMPLE_BYTES, &size, error)) {
        free(bytes);
        import_input_close(input);
        return NULL;
    }
    bytes[size] = '\0';
    input->may_guess = !encoding;
    input->encoding_name = memory_copy_text(encoding ? encoding : guess_encoding(bytes, size));
    input->stream.encoding = input->encoding_name;
    if (!make_sample(input, input->encoding_name, bytes, size, error)) {
        import_input_close(input);
        return NULL;
    }
    input->source = source_put_before(bytes, size, input->source);
    return input;
}

void import_input_close(struct import_input *input)
{
    if (!input)
        return;
    read_ahead_end(input->ahead);
    source_close(input->stream.text);
    source_close(input->source);
    free(input->path);
    free(input->encoding_name);
    free(input->sample_text);
    free(input->sample_bytes);
    free(input->buffer);
    free(input);
}

const struct import_sample *import_input_sample(const struct import_input *input)
{
    return &input->sample;
}

/* What nobody else writes to. */
static const struct text_stream *known(const struct import_input *input)
{
    return input->ahead ? &input->seen : &input->stream;
}

const char *import_input_encoding(const struct import_input *input)
{
    return known(input)->encoding;
}

int64_t import_input_bytes(const struct import_input *input)
{
    return known(input)->bytes;
}

int64_t import_input_nul_bytes(const struct import_input *input)
{
    return known(input)->nul_bytes;
}

struct byte_source *import_input_raw(struct import_input *input)
{
    return input->source;
}

bool import_input_proceed(struct import_input *input, struct error *error)
{
    return progress_report(input->progress, "reading", input->stream.bytes, input->source ? input->source->total : 0, error);
}

static bool begin_text(struct import_input *input)
{
    struct text_stream *stream = &input->stream;

    if (stream->text)
        return true;
    stream->text = decoded(input->source, stream->encoding, &input->error);
    if (stream->text && stream->text == input->source && input->may_guess)
        stream->text = source_guess_encoding(stream->text, &stream->encoding);
    input->source = NULL;
    input->total = stream->text ? stream->text->total : 0;
    input->failed = !stream->text;
    return !input->failed;
}

/* Moves what is left to the front and returns the place behind it, where one block has room. */
static char *make_room(struct import_input *input)
{
    size_t left = input->filled - input->at, needed = left > BLOCK_ROOM ? BLOCK_BYTES + left - BLOCK_ROOM : BLOCK_BYTES, at;

    if (input->capacity < needed) {
        input->capacity = needed == BLOCK_BYTES ? needed : needed + left / 2;
        input->buffer = memory_resize(input->buffer, input->capacity, 1);
        memset(input->buffer + input->capacity - BLOCK_SLACK, 0, BLOCK_SLACK);
    }
    at = -(uintptr_t)(input->buffer + left) % BLOCK_AT;
    memmove(input->buffer + at, input->buffer + input->at, left);
    input->at = at;
    input->filled = at + left;
    return input->buffer + input->filled;
}

/* Puts what is left before the block and goes on in its buffer; the old one takes its place. */
static void change_buffer(struct import_input *input, struct text_block *block)
{
    size_t left = input->filled - input->at, at = block->at - left;
    char *old = input->buffer;

    memcpy(block->buffer + at, old + input->at, left);
    input->buffer = block->buffer;
    if (input->capacity != BLOCK_BYTES) {
        free(old);
        old = text_block_make_buffer();
    }
    block->buffer = old;
    input->capacity = BLOCK_BYTES;
    input->at = at;
    input->filled = at + left;
}

/* A block that was read ahead. Behind the beginning of a long line it is copied. */
static bool take_block(struct import_input *input, size_t *ret_size)
{
    struct text_block *block = read_ahead_take(input->ahead);

    input->seen = block->after;
    input->ended = block->ended;
    if (block->failed) {
        input->error = block->error;
        return false;
    }
    if (input->filled - input->at <= BLOCK_ROOM)
        change_buffer(input, block);
    else
        memcpy(make_room(input), block->buffer + block->at, block->size);
    *ret_size = block->size;
    read_ahead_give_back(input->ahead);
    return true;
}

/* Only of files: who waits for a pipe could not be stopped. */
static void begin_ahead(struct import_input *input)
{
    if (!input->ahead && input->read_here >= READ_HERE && input->total > 0 && sysconf(_SC_NPROCESSORS_ONLN) > 1) {
        input->ahead = read_ahead_begin(&input->stream);
        input->read_here = 0; /* without one asked again after as much more */
    }
}

static bool read_block(struct import_input *input, size_t *ret_size)
{
    begin_ahead(input);
    if (input->ahead)
        return take_block(input, ret_size);
    input->read_here += TEXT_BLOCK_BYTES;
    return text_stream_read(&input->stream, make_room(input), ret_size, &input->ended, &input->error);
}

static void note_whole_lines(struct import_input *input)
{
    const char *begin = input->buffer + input->at;
    size_t length = input->filled - input->at - input->unterminated;
    const char *last = memrchr(begin, '\n', length);

    input->whole_lines = input->at + (last ? (size_t)(last + 1 - begin) : 0);
}

/* Appends one block. false: nothing more came. */
static bool fill(struct import_input *input)
{
    size_t got = 0;

    if (input->ended || input->failed || !begin_text(input))
        return false;
    input->failed = !read_block(input, &got) ||
                    !progress_report(input->progress, "reading", known(input)->bytes, input->total, &input->error);
    if (input->failed)
        return false;
    input->filled += got;
    if (input->ended && input->filled > input->at && input->buffer[input->filled - 1] != '\n') {
        input->unterminated = true;
        input->buffer[input->filled++] = '\n';
    }
    note_whole_lines(input);
    return true;
}

/* Where the line that begins at `from` bytes after `at` ends, filling as needed. false: no (whole) line is
 * left. */
static bool find_line_end(struct import_input *input, size_t from, size_t *ret)
{
    size_t searched = from;

    for (;;) {
        size_t left = input->filled - input->at;
        const char *end =
            left > searched ? memchr(input->buffer + input->at + searched, '\n', left - searched) : NULL;

        if (end) {
            *ret = (size_t)(end - input->buffer) - input->at;
            return true;
        }
        searched = left;
        if (searched > LONGEST_LINE) {
            input->failed = true;
            error_set(
                &input->error, ERROR_INPUT,
                "line %lld: is longer than %d MiB, expected lines of text. This is no telemetry, or its line "
                "ends were lost.",
                (long long)input->line + 1, LONGEST_LINE >> 20);
            return false;
        }
        if (!fill(input))
            return false;
    }
}

static bool line_is_cut(const struct import_input *input, size_t end)
{
    return input->unterminated && input->at + end + 1 == input->filled && input->ended;
}

bool import_input_lines(struct import_input *input, const char **ret_text, const char **ret_end, int64_t *ret_number)
{
    size_t end = input->whole_lines;

    if (end <= input->at)
        return false;
    *ret_text = input->buffer + input->at;
    *ret_end = input->buffer + end;
    *ret_number = input->line + 1;
    return true;
}

void import_input_leave_lines(struct import_input *input, const char *to, int64_t number)
{
    input->at = (size_t)(to - input->buffer);
    input->line = number - 1;
}

bool import_input_next_line(struct import_input *input, struct import_line *ret)
{
    size_t end;

    if (!find_line_end(input, 0, &end))
        return false;
    input->line++;
    ret->text = input->buffer + input->at;
    ret->length = end;
    ret->number = input->line;
    ret->cut = line_is_cut(input, end);
    input->at += end + 1;
    return true;
}

bool import_input_extend_line(struct import_input *input, struct import_line *line)
{
    size_t end, length = line->length;
    bool found;

    input->at -= length + 1;
    found = find_line_end(input, length + 1, &end);
    line->text = input->buffer + input->at;
    if (!found) {
        input->at += length + 1;
        return false;
    }
    input->line++;
    line->length = end;
    line->cut = line_is_cut(input, end);
    input->at += end + 1;
    return true;
}

void import_input_shrink_line(struct import_input *input, struct import_line *line, size_t length)
{
    input->at -= line->length - length;
    input->line = line->number;
    line->cut = line->cut && line->length == length;
    line->length = length;
}

bool import_input_end(const struct import_input *input, struct error *error)
{
    if (!input->failed)
        return true;
    if (error)
        *error = input->error;
    return false;
}

bool import_input_read_all(struct import_input *input, size_t limit, const char *advice, char **ret_text,
                           size_t *ret_length, struct error *error)
{
    while (input->filled - input->at <= limit && fill(input)) {
    }
    if (!import_input_end(input, error))
        return false;
    if (input->filled - input->at > limit)
        return error_set(error, ERROR_INPUT, "is larger than %zu MB. %s", limit >> 20, advice);
    *ret_length = input->filled - input->at;
    *ret_text = memory_copy_bytes(input->buffer ? input->buffer + input->at : "", *ret_length);
    return true;
}

bool import_input_ends_without_line_end(const struct import_input *input)
{
    return input->unterminated;
}
