/*
 * Android's `dumpsys gfxinfo … framestats`: gfxinfo_rows.c knows the columns of all Android versions and
 * reads a row, gfxinfo.c finds the blocks of a dump, gfxinfo_frames.c makes frames of the rows of one window.
 */
#ifndef IMPORT_GFXINFO_H
#define IMPORT_GFXINFO_H

#include "stutterscope/import/streams.h"
#include "stutterscope/import/table.h"

enum gfx_field {
    GFX_FLAGS,
    GFX_INTENDED_VSYNC,
    GFX_HANDLE_INPUT,
    GFX_SYNC_QUEUED,
    GFX_SYNC_START,
    GFX_SWAP_BUFFERS,
    GFX_COMPLETED,
    GFX_FRAME_INTERVAL,
    GFX_FRAME_START, /* on some versions the interval stands here */
    GFX_GPU_COMPLETED,
    GFX_SUBMITTED,
    GFX_FIELD_COUNT
};
struct gfx_columns {
    int at[GFX_FIELD_COUNT]; /* -1: this version lacks it */
    size_t count;            /* of all columns */
    const char *version;
};

/* All times in ns of CLOCK_MONOTONIC, VALUE_UNKNOWN where absent. */
struct gfx_row {
    int64_t line, start, end, cpu, gpu, interval;
    uint32_t stream, block;
    enum reject_reason fault; /* REJECT_COUNT: it is a frame */
    bool swapped;             /* the interval stood under FrameStartTime */
};

/* A header begins with these words. */
bool gfx_is_header(const char *line, size_t length);
void gfx_columns_find(const struct table_row *header, struct gfx_columns *ret);
void gfx_row_parse(const struct gfx_columns *columns, const struct table_row *fields, struct gfx_row *ret);

/* Hands the rows of one window to the sink; they may be reordered. */
bool gfx_frames_give(const struct import_reader *reader, const char *version, struct gfx_row *rows,
                     size_t count, struct error *error);

#endif
