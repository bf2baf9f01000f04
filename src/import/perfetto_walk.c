#include "perfetto.h"

#include "stutterscope/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST_PACKET (64u << 20) /* larger ones are skipped */
#define MOST_MEMORY    (256u << 20) /* for one unpacked packet */
#define CHUNK          (64u << 10)
#define DEEPEST        3 /* compressed packets in compressed packets */
#define PACKET_TAG     ((1 << 3) | 2)

/* ---- memory of one packet: taken piece by piece, given back at once ---- */

struct chunk {
    struct chunk *before;
    size_t size, used;
    _Alignas(max_align_t) char bytes[];
};
struct arena {
    struct chunk *last;
    size_t total;
};

static void *arena_take(void *user, size_t size)
{
    struct arena *arena = user;
    size_t wanted = (size + 15) & ~(size_t)15;
    void *place;

    if (size > MOST_MEMORY || arena->total + wanted > MOST_MEMORY)
        return NULL; /* the packet is then malformed */
    if (!arena->last || arena->last->size - arena->last->used < wanted) {
        size_t room = wanted > CHUNK ? wanted : CHUNK;
        struct chunk *chunk = memory_take(sizeof *chunk + room);

        *chunk = (struct chunk){.before = arena->last, .size = room};
        arena->last = chunk;
    }
    place = arena->last->bytes + arena->last->used;
    arena->last->used += wanted;
    arena->total += wanted;
    return place;
}

static void arena_leave(void *user, void *place)
{
    (void)user;
    (void)place;
}

/* Keeps one chunk. */
static void arena_reset(struct arena *arena)
{
    while (arena->last && (arena->last->before || arena->last->size > CHUNK)) {
        struct chunk *before = arena->last->before;

        free(arena->last);
        arena->last = before;
    }
    if (arena->last)
        arena->last->used = 0;
    arena->total = 0;
}

/* ---- bytes ---- */

struct window {
    struct byte_source *source;
    char *bytes;
    size_t at, filled, capacity;
    int64_t offset; /* of bytes[at] in the source */
    bool ended;
};

/* Makes `wanted` bytes available, or as many as there are. */
static bool window_fill(struct window *window, size_t wanted, struct error *error)
{
    while (window->filled - window->at < wanted && !window->ended) {
        size_t left = window->filled - window->at, got;

        if (window->at > 0)
            memmove(window->bytes, window->bytes + window->at, left);
        window->at = 0;
        window->filled = left;
        if (window->capacity < left + CHUNK) {
            window->capacity = left + left / 2 + CHUNK;
            window->bytes = memory_resize(window->bytes, window->capacity, 1);
        }
        /* Piece by piece: what came before a damage is used. */
        if (!source_read(window->source, window->bytes + left, CHUNK, &got, error))
            return false;
        window->filled += got;
        window->ended = got == 0;
    }
    return true;
}

static void window_pass(struct window *window, size_t size)
{
    window->at += size;
    window->offset += (int64_t)size;
}

/* Reads a varint from text; 0: it is not complete, SIZE_MAX: it is none. */
static size_t read_varint(const char *text, size_t size, uint64_t *ret)
{
    *ret = 0;
    for (size_t i = 0; i < size && i < 10; i++) {
        *ret |= (uint64_t)((unsigned char)text[i] & 0x7f) << (7 * i);
        if (!((unsigned char)text[i] & 0x80))
            return i + 1;
    }
    return size < 10 ? 0 : SIZE_MAX;
}

/* The length of a field after its tag, without what stands before its content; false: no field. */
enum field_state { FIELD_FINE, FIELD_CUT, FIELD_WRONG };

static enum field_state read_head(const char *text, size_t size, uint64_t *ret_tag, size_t *ret_head, uint64_t *ret_length)
{
    uint64_t value;
    size_t tag = read_varint(text, size, ret_tag), more;

    if (tag == 0)
        return FIELD_CUT;
    if (tag == SIZE_MAX || *ret_tag >> 3 == 0 || *ret_tag >> 3 > 536870911)
        return FIELD_WRONG;
    *ret_head = tag;
    switch (*ret_tag & 7) {
    case 0:
        more = read_varint(text + tag, size - tag, &value);
        *ret_length = more;
        return more == 0 ? FIELD_CUT : more == SIZE_MAX ? FIELD_WRONG : FIELD_FINE;
    case 1:
        *ret_length = 8;
        return FIELD_FINE;
    case 2:
        more = read_varint(text + tag, size - tag, ret_length);
        *ret_head += more;
        return more == 0 ? FIELD_CUT : more == SIZE_MAX ? FIELD_WRONG : FIELD_FINE;
    case 5:
        *ret_length = 4;
        return FIELD_FINE;
    default:
        return FIELD_WRONG;
    }
}

/* ---- packets ---- */

struct walking {
    struct trace_walk *walk;
    struct arena arena;
};

static bool walk_source(struct walking *walking, struct byte_source *source, int depth, struct error *error);

static bool walk_compressed(struct walking *walking, const ProtobufCBinaryData *data, bool zstd, int depth, struct error *error)
{
    struct trace_walk *walk = walking->walk;
    struct byte_source *source;
    struct walking inner = {.walk = walk};
    bool cut = walk->cut, fine;
    int64_t lost_at = walk->lost_at;
    struct error trouble = {0};

    if (depth >= DEEPEST) {
        walk->damaged++;
        return true;
    }
    source = zstd ? trace_source_zstd((const char *)data->data, data->len)
                  : trace_source_zlib((const char *)data->data, data->len);
    walk->cut = false;
    walk->lost_at = -1;
    fine = walk_source(&inner, source, depth + 1, &trouble);
    walk->damaged += !fine || walk->cut || walk->lost_at >= 0;
    walk->cut = cut;
    walk->lost_at = lost_at;
    source_close(source);
    arena_reset(&inner.arena);
    free(inner.arena.last);
    if (walk->refused) {
        if (error)
            *error = trouble;
        return false;
    }
    return true;
}

static bool walk_packet(struct walking *walking, const char *bytes, size_t size, int depth, struct error *error)
{
    struct trace_walk *walk = walking->walk;
    ProtobufCAllocator allocator = {arena_take, arena_leave, &walking->arena};
    Trace__Packet *packet = trace__packet__unpack(&allocator, size, (const uint8_t *)bytes);
    bool fine = true;

    walk->packets++;
    if (!packet) {
        if (walk->malformed++ == 0)
            walk->first_malformed = walk->packets;
    } else {
        fine = walk->packet(walk->user, packet, walk->packets, error);
        walk->refused = !fine;
        if (fine && packet->has_zlib_packets)
            fine = walk_compressed(walking, &packet->zlib_packets, false, depth, error);
        if (fine && packet->has_zstd_packets)
            fine = walk_compressed(walking, &packet->zstd_packets, true, depth, error);
    }
    arena_reset(&walking->arena);
    return fine;
}

/* Passes a field that is no packet, or one too large to look at. */
static bool skip(struct window *window, uint64_t size, bool *ret_cut, struct error *error)
{
    while (size > 0) {
        size_t step = size < CHUNK ? (size_t)size : CHUNK;

        if (!window_fill(window, step, error))
            return false;
        if (window->filled - window->at < step) {
            window->at = window->filled;
            *ret_cut = true;
            return true;
        }
        window_pass(window, step);
        size -= step;
    }
    return true;
}

/* One field of the top level; *ret_more false: there is none. */
static bool walk_field(struct walking *walking, struct window *window, int depth, bool *ret_more, struct error *error)
{
    struct trace_walk *walk = walking->walk;
    uint64_t tag, length;
    enum field_state state;
    size_t head;

    *ret_more = false;
    if (!window_fill(window, 20, error))
        return false;
    if (window->at == window->filled)
        return true;
    state = read_head(window->bytes + window->at, window->filled - window->at, &tag, &head, &length);
    if (state == FIELD_CUT)
        walk->cut = true;
    if (state == FIELD_WRONG)
        walk->lost_at = window->offset;
    if (state != FIELD_FINE)
        return true;
    *ret_more = true;
    window_pass(window, head);
    if (tag != PACKET_TAG || length > LARGEST_PACKET) {
        if (tag == PACKET_TAG && walk->malformed++ == 0)
            walk->first_malformed = walk->packets + 1;
        walk->packets += tag == PACKET_TAG;
        return skip(window, length, &walk->cut, error);
    }
    if (!window_fill(window, (size_t)length, error))
        return false;
    if (window->filled - window->at < length) {
        walk->cut = true;
        *ret_more = false;
        return true;
    }
    if (!walk_packet(walking, window->bytes + window->at, (size_t)length, depth, error))
        return false;
    window_pass(window, (size_t)length);
    return true;
}

static bool walk_source(struct walking *walking, struct byte_source *source, int depth, struct error *error)
{
    struct window window = {.source = source};
    struct trace_walk *walk = walking->walk;
    bool more = true, fine = true;

    while (fine && more) {
        fine = walk_field(walking, &window, depth, &more, error);
        if (fine && walk->proceed && walk->packets % 256 == 0)
            walk->refused = !(fine = walk->proceed(walk->user, error));
    }
    free(window.bytes);
    return fine;
}

bool trace_walk(struct trace_walk *walk, struct byte_source *source, struct error *error)
{
    struct walking walking = {.walk = walk};
    bool fine;

    walk->lost_at = -1;
    fine = walk_source(&walking, source, 0, error);
    arena_reset(&walking.arena);
    free(walking.arena.last);
    return fine;
}

/* The bytes are fields and nothing else; the last one may be cut when they are only the beginning. */
static bool are_fields(const char *bytes, size_t size, bool whole)
{
    for (size_t at = 0; at < size;) {
        uint64_t tag, length;
        size_t head;
        enum field_state state = read_head(bytes + at, size - at, &tag, &head, &length);

        if (state != FIELD_FINE || length > size - at - head)
            return !whole && state != FIELD_WRONG;
        at += head + (size_t)length;
    }
    return true;
}

size_t trace_count_packets(const char *bytes, size_t size, bool whole)
{
    size_t at = 0, packets = 0;

    while (at < size) {
        uint64_t tag, length;
        size_t head;
        enum field_state state = read_head(bytes + at, size - at, &tag, &head, &length);
        bool ends_here = state == FIELD_FINE && length <= size - at - head;

        if (state == FIELD_WRONG || (state == FIELD_FINE && tag != PACKET_TAG))
            return packets > 1 ? packets : 0; /* a trace with damage later on */
        if (state == FIELD_CUT)
            return packets;
        /* Text that begins with a line break looks like packets too: what is inside decides. */
        if (!are_fields(bytes + at + head, ends_here ? (size_t)length : size - at - head, ends_here))
            return packets > 1 ? packets : 0;
        if (!ends_here)
            return packets + (!whole && length <= LARGEST_PACKET);
        at += head + (size_t)length;
        packets++;
    }
    return packets;
}
