#include "gfxinfo.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/columns.h"
#include "stutterscope/import/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const background[] = {"com.android.systemui|*",
                                         "*launcher*|*",
                                         "*inputmethod*|*",
                                         "*|StatusBar*",
                                         "*|NavigationBar*",
                                         "*|Taskbar*",
                                         NULL};

struct gfxinfo {
    const struct import_reader *reader;
    struct text_buffer package, window;
    struct table_row fields;
    struct gfx_columns columns;
    bool in_block;   /* after a header, up to the mark or another section */
    bool in_profile; /* a process's profile data began and its view hierarchy was not finished */
    bool cut;
    uint32_t blocks, empty_blocks;
    size_t rows_of_block;
    const char *version;
    struct stream_table streams;
    struct {
        struct gfx_row *items;
        size_t count, capacity;
    } rows;
    int64_t processes, failures, failure_line, old_tables;
};

static bool begins_with(const char *line, size_t length, const char *start)
{
    size_t wanted = strlen(start);

    return length >= wanted && memcmp(line, start, wanted) == 0;
}

/* ---- sections ---- */

static void set_name(struct text_buffer *name, const char *text, size_t length)
{
    char *clean = text_clean(text, length);

    free(text_take(name));
    text_add(name, clean);
    free(clean);
}

/* "** Graphics info for pid 6972 [com.example.game] **" */
static void enter_process(struct gfxinfo *gfx, const char *line, size_t length)
{
    const char *open = memchr(line, '[', length),
               *close = open ? memchr(open, ']', length - (size_t)(open - line)) : NULL;

    if (close)
        set_name(&gfx->package, open + 1, (size_t)(close - open) - 1);
    set_name(&gfx->window, "", 0);
    gfx->processes++;
    gfx->in_profile = false;
}

/* "com.example.game/com.example.game.Main/android.view.ViewRootImpl@d0d6121 (visibility=0)": before Android
 * 12 the only name of the window. */
static bool take_view_root(struct gfxinfo *gfx, const char *line, size_t length)
{
    const char *mark = memmem(line, length, "/android.view.ViewRootImpl@", 27);

    if (!mark || !memmem(mark, length - (size_t)(mark - line), "(visibility=", 12))
        return false;
    set_name(&gfx->window, line, (size_t)(mark - line));
    return true;
}

static void leave_block(struct gfxinfo *gfx)
{
    if (gfx->in_block && gfx->rows_of_block == 0)
        gfx->empty_blocks++;
    gfx->in_block = false;
}

/* Lines that are no rows; true: it was one. */
static bool take_section(struct gfxinfo *gfx, const char *line, size_t length, int64_t number)
{
    static const char process[] = "** Graphics info for pid",
                      window[] = "Window: ", profile[] = "Profile data in ms:";

    if (begins_with(line, length, process)) {
        leave_block(gfx);
        enter_process(gfx, line, length);
        return true;
    }
    if (begins_with(line, length, window)) {
        leave_block(gfx);
        set_name(&gfx->window, line + strlen(window), length - strlen(window));
        return true;
    }
    if (begins_with(line, length, "---PROFILEDATA---")) {
        leave_block(gfx);
        return true;
    }
    if (begins_with(line, length, profile))
        gfx->in_profile = true;
    else if (begins_with(line, length, "Total ViewRootImpl"))
        gfx->in_profile = false;
    else if (memmem(line, length, "Draw\tPrepare\tProcess\tExecute", 28) ||
             begins_with(line, length, "Draw\tProcess\tExecute"))
        gfx->old_tables++;
    else if (memmem(line, length, "Failure while dumping the app", 29) ||
             begins_with(line, length, "No process found for:"))
        gfx->failure_line = gfx->failures++ ? gfx->failure_line : number;
    else
        return take_view_root(gfx, line, length);
    return true;
}

/* ---- rows ---- */

static void enter_block(struct gfxinfo *gfx, const char *line, size_t length)
{
    leave_block(gfx);
    table_split(line, length, ',', &gfx->fields);
    gfx_columns_find(&gfx->fields, &gfx->columns);
    gfx->in_block = true;
    gfx->rows_of_block = 0;
    gfx->version = gfx->columns.version;
    gfx->blocks++;
}

static size_t find_stream(struct gfxinfo *gfx, int64_t line)
{
    struct text_buffer key = {0};
    size_t stream;
    char *text;

    text_add_print(&key, "%s|%s", gfx->package.count ? gfx->package.items : "(unnamed)",
                   gfx->window.count ? gfx->window.items : "(unnamed)");
    text = text_take(&key);
    stream = stream_table_count(&gfx->streams, text, strlen(text), line);
    free(text);
    return stream;
}

static void take_row(struct gfxinfo *gfx, const char *line, size_t length, const struct import_line *whole)
{
    const struct import_sink *sink = gfx->reader->sink;
    struct gfx_row row = {.line = whole->number, .block = gfx->blocks};
    size_t count;

    table_split(line, length, ',', &gfx->fields);
    count = gfx->fields.count;
    if (count > 0 && gfx->fields.items[count - 1].length == 0)
        count--;
    gfx->rows_of_block++;
    if (count < gfx->columns.count || (whole->cut && line[length - 1] != ',')) {
        sink->reject(sink->user, REJECT_SHORT_ROW, whole->number, line, length);
        return;
    }
    gfx_row_parse(&gfx->columns, &gfx->fields, &row);
    row.stream = (uint32_t)find_stream(gfx, whole->number);
    array_push(&gfx->rows, row);
}

static void take_line(struct gfxinfo *gfx, const struct import_line *whole)
{
    const char *line = whole->text;
    size_t length = whole->length;

    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t' || line[length - 1] == '\r'))
        length--;
    while (length > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    if (length == 0)
        return;
    gfx->cut = whole->cut;
    if (gfx_is_header(line, length)) {
        enter_block(gfx, line, length);
    } else if (!take_section(gfx, line, length, whole->number) && gfx->in_block) {
        if (*line >= '0' && *line <= '9')
            take_row(gfx, line, length, whole);
        else
            gfx->reader->sink->reject(gfx->reader->sink->user, REJECT_MALFORMED, whole->number, line, length);
    }
}

/* ---- the end ---- */

static bool explain_nothing(const struct gfxinfo *gfx, struct error *error)
{
    if (gfx->empty_blocks > 0)
        return error_set(
            error, ERROR_INPUT,
            "no frames: the lists of frames (---PROFILEDATA---) are empty. A game that draws with OpenGL "
            "ES or Vulkan leaves gfxinfo empty: record it with dumpsys SurfaceFlinger --latency or "
            "Perfetto.");
    if (gfx->failures > 0)
        return error_set(
            error, ERROR_INPUT,
            "line %" PRId64
            ": the dump failed (\"Failure while dumping the app\" or \"No process found\"): dump again "
            "while the game runs.",
            gfx->failure_line);
    if (gfx->blocks > 0)
        return error_set(error, ERROR_INPUT, "no frames: the file ends or breaks off in its first rows.");
    return error_set(
        error, ERROR_INPUT,
        "no frames: expected lists of frames between ---PROFILEDATA--- lines, found %s. Dump with \"adb "
        "shell dumpsys gfxinfo PACKAGE framestats\".",
        gfx->old_tables > 0 ? "only the old table Draw/Prepare/Process/Execute without time stamps"
                            : "only summaries");
}

static void note_print(const struct import_reader *reader, char *note)
{
    reader->sink->note(reader->sink->user, note);
    free(note);
}

static bool give_frames(struct gfxinfo *gfx, struct error *error)
{
    size_t chosen, kept = 0;

    if (!stream_table_choose(&gfx->streams, gfx->reader->options->stream, background, &chosen, error))
        return false;
    for (size_t i = 0; i < gfx->rows.count; i++) {
        if (gfx->rows.items[i].stream == chosen)
            gfx->rows.items[kept++] = gfx->rows.items[i];
    }
    stream_table_report(&gfx->streams, chosen, gfx->reader->sink);
    return gfx_frames_give(gfx->reader, gfx->version, gfx->rows.items, kept, error);
}

static bool read_lines(struct gfxinfo *gfx, struct error *error)
{
    const struct import_reader *reader = gfx->reader;
    struct import_line line;

    while (import_input_next_line(reader->input, &line))
        take_line(gfx, &line);
    if (!import_input_end(reader->input, error))
        return false;
    if (gfx->cut || gfx->in_block || gfx->in_profile)
        reader->sink->note(reader->sink->user,
                           "The file is cut: its last dump has no end. Complete frames were taken.");
    leave_block(gfx);
    if (gfx->rows.count == 0)
        return explain_nothing(gfx, error);
    if (gfx->empty_blocks > 0)
        note_print(reader, memory_print("%" PRIu32 " of %" PRIu32 " lists of frames are empty.",
                                        gfx->empty_blocks, gfx->blocks));
    if (gfx->failures > 0)
        note_print(reader, memory_print("%" PRId64 " dumps failed (first: line %" PRId64 ").", gfx->failures,
                                        gfx->failure_line));
    return give_frames(gfx, error);
}

static bool gfxinfo_read(const struct import_reader *reader, struct error *error)
{
    struct gfxinfo gfx = {.reader = reader, .version = ""};
    bool fine;

    stream_table_init(&gfx.streams);
    fine = read_lines(&gfx, error);
    stream_table_free(&gfx.streams);
    array_free(&gfx.rows);
    table_row_free(&gfx.fields);
    free(text_take(&gfx.package));
    free(text_take(&gfx.window));
    return fine;
}

static int gfxinfo_detect(const struct import_sample *sample, const struct import_options *options,
                          struct error *refusal)
{
    static const char *const marks[] = {
        "---PROFILEDATA---", "Applications Graphics Acceleration Info:", "** Graphics info for pid",
        "Flags,IntendedVsync,Vsync,", "Flags,FrameTimelineVsyncId,"};

    (void)options;
    (void)refusal;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (strstr(sample->text, marks[i]))
            return 95;
    }
    return begins_with(sample->text, sample->length, "No process found for:") ? 90 : 0;
}

const struct import_format import_format_gfxinfo = {
    .name = "gfxinfo",
    .title = "Android dumpsys gfxinfo framestats",
    .recognised_by = "---PROFILEDATA--- or \"Applications Graphics Acceleration Info:\"",
    .detect = gfxinfo_detect,
    .read = gfxinfo_read,
};
