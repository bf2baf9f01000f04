#include "stutterscope/import/input.h"

#include "encoding.h"
#include "stutterscope/base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SAMPLE_BYTES 65536
#define BLOCK_BYTES  (1 << 20)
#define LONGEST_LINE (16 << 20)
#define SLACK        16 /* readers may look at words: bytes behind the text that can be read */
#define BLOCK_AT     64 /* what a block's place is a multiple of: the system copies thrice as fast to a cache line's begin */

/* Passes bytes on and counts them: the bottom of the stack, for progress. */
struct counting_source {
    struct byte_source base;
    int64_t *bytes;
};

struct import_input {
    char *path;
    const char *encoding;       /* of the bytes */
    char *encoding_name;        /* given by the user, or found in the sample */
    bool may_guess;             /* not given: what comes after the sample may still tell */
    struct byte_source *source; /* undecoded, from the beginning; NULL once handed to `text` */
    struct byte_source *text;   /* decoded, once reading has begun */
    struct import_sample sample;
    char *sample_text, *sample_bytes;
    const struct progress *progress;
    int64_t bytes, nul_bytes;

    /* Normalised text that was not given out yet stands in buffer[at … filled). */
    char *buffer;
    size_t capacity, at, filled, whole_lines; /* whole_lines: behind the last line end, a line that is cut left out */
    bool at_start, pending_cr, ended, unterminated;
    int64_t line;
    bool failed;
    struct error error;
};

static bool counting_read(struct byte_source *source, char *bytes, size_t size, size_t *ret,
                          struct error *error)
{
    if (!source_read(source->below, bytes, size, ret, error))
        return false;
    *((struct counting_source *)source)->bytes += (int64_t)*ret;
    return true;
}

static void counting_close(struct byte_source *source)
{
    source_close(source->below);
    free(source);
}

static struct byte_source *count_bytes(struct byte_source *below, int64_t *bytes)
{
    struct counting_source *counting = memory_take_zeroed(1, sizeof *counting);

    counting->base = (struct byte_source){counting_read, counting_close, below, below->total};
    counting->bytes = bytes;
    return &counting->base;
}

static bool has_mark(const char *bytes, size_t size, const char *mark)
{
    return size >= strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0;
}

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

    if (has_mark(bytes, size, "\xFF\xFE"))
        return "UTF-16LE";
    if (has_mark(bytes, size, "\xFE\xFF"))
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

/* In place: no byte order mark at the start, no NUL, line ends '\n'. *cr carries a CR at the end of the last
 * block. */
static size_t normalise(char *text, size_t size, bool *cr, int64_t *nul_bytes)
{
    char *out, *in, *end = text + size;

    if (size == 0)
        return 0;
    in = text;
    if (*cr && *in == '\n')
        in++;
    *cr = end[-1] == '\r';
    if (!memchr(in, '\r', (size_t)(end - in)) && !memchr(in, 0, (size_t)(end - in))) {
        if (in > text)
            memmove(text, in, (size_t)(end - in));
        return (size_t)(end - in);
    }
    for (out = text; in < end; in++) {
        if (*in == '\r') {
            *out++ = '\n';
            if (in + 1 < end && in[1] == '\n')
                in++;
        } else if (*in == 0) {
            (*nul_bytes)++;
        } else {
            *out++ = *in;
        }
    }
    return (size_t)(out - text);
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
    while (has_mark(sample + skip, length - skip, "\xEF\xBB\xBF"))
        skip += 3;
    memmove(sample, sample + skip, length - skip);
    length = normalise(sample, length - skip, &cr, &nul_bytes);
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
    input->at_start = true;
    input->source = count_bytes(source, &input->bytes);
    if (!source_read_full(input->source, bytes, SAMPLE_BYTES, &size, error)) {
        free(bytes);
        import_input_close(input);
        return NULL;
    }
    bytes[size] = '\0';
    input->may_guess = !encoding;
    input->encoding_name = memory_copy_text(encoding ? encoding : guess_encoding(bytes, size));
    input->encoding = input->encoding_name;
    if (!make_sample(input, input->encoding, bytes, size, error)) {
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
    source_close(input->text);
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

const char *import_input_encoding(const struct import_input *input)
{
    return input->encoding;
}

int64_t import_input_bytes(const struct import_input *input)
{
    return input->bytes;
}

int64_t import_input_nul_bytes(const struct import_input *input)
{
    return input->nul_bytes;
}

struct byte_source *import_input_raw(struct import_input *input)
{
    return input->source;
}

bool import_input_proceed(struct import_input *input, struct error *error)
{
    return progress_report(input->progress, "reading", input->bytes, input->source ? input->source->total : 0, error);
}

static bool begin_text(struct import_input *input)
{
    if (input->text)
        return true;
    input->text = decoded(input->source, input->encoding, &input->error);
    if (input->text && input->text == input->source && input->may_guess)
        input->text = source_guess_encoding(input->text, &input->encoding);
    input->source = NULL;
    input->failed = !input->text;
    return !input->failed;
}

/* Leaves out the byte order marks at the beginning of the text (some tools write two). */
static size_t skip_marks(struct import_input *input, char *text, size_t size)
{
    size_t skip = 0;

    if (!input->at_start)
        return size;
    input->at_start = false;
    while (has_mark(text + skip, size - skip, "\xEF\xBB\xBF"))
        skip += 3;
    memmove(text, text + skip, size - skip);
    return size - skip;
}

/* Moves what is left to the front and returns the place behind it, where one block has room. */
static char *make_room(struct import_input *input)
{
    size_t left = input->filled - input->at, needed = BLOCK_AT + left + BLOCK_BYTES + 1 + SLACK, at;

    if (input->capacity < needed) {
        input->capacity = needed + left / 2;
        input->buffer = memory_resize(input->buffer, input->capacity, 1);
        memset(input->buffer + input->capacity - SLACK, 0, SLACK);
    }
    at = -(uintptr_t)(input->buffer + left) % BLOCK_AT;
    memmove(input->buffer + at, input->buffer + input->at, left);
    input->at = at;
    input->filled = at + left;
    return input->buffer + input->filled;
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
    char *place;

    if (input->ended || input->failed || !begin_text(input))
        return false;
    place = make_room(input);
    input->failed =
        !source_read_full(input->text, place, BLOCK_BYTES, &got, &input->error) ||
        !progress_report(input->progress, "reading", input->bytes, input->text->total, &input->error);
    if (input->failed)
        return false;
    if (got < BLOCK_BYTES)
        input->ended = true;
    got = skip_marks(input, place, got);
    got = normalise(place, got, &input->pending_cr, &input->nul_bytes);
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
