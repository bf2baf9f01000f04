#include "unpack.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK        65536
#define RATIO_FROM   (64LL << 20) /* before that, much out of little is no danger */
#define MOST_MEMBERS 100000
#define TAR_MARK_AT  257

struct unpack {
    struct archive *archive;
    struct byte_source *source; /* borrowed; NULL: the archive reads its file itself */
    char *path, *name, *block;
    struct unpack_limits limits;
    int64_t unpacked, members;
    struct error error; /* of the source below */
};

static const struct {
    const char *bytes;
    size_t size, at;
    enum unpack_kind kind;
} marks[] = {
    {"\x1F\x8B\x08", 3, 0, UNPACK_COMPRESSED},        {"\x28\xB5\x2F\xFD", 4, 0, UNPACK_COMPRESSED},
    {"\xFD" "7zXZ", 5, 0, UNPACK_COMPRESSED},         {"BZh", 3, 0, UNPACK_COMPRESSED},
    {"\x04\x22\x4D\x18", 4, 0, UNPACK_COMPRESSED},    {"PK\x03\x04", 4, 0, UNPACK_ARCHIVE},
    {"PK\x05\x06", 4, 0, UNPACK_ARCHIVE},             {"ustar", 5, TAR_MARK_AT, UNPACK_ARCHIVE},
    {"7z\xBC\xAF\x27\x1C", 6, 0, UNPACK_REFUSED},     {"Rar!\x1A\x07", 6, 0, UNPACK_REFUSED},
};

enum unpack_kind unpack_kind(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (size >= marks[i].at + marks[i].size && memcmp(bytes + marks[i].at, marks[i].bytes, marks[i].size) == 0)
            return marks[i].kind;
    }
    return UNPACK_NONE;
}

/* ---- opening ---- */

static la_ssize_t read_block(struct archive *archive, void *user, const void **ret)
{
    struct unpack *unpack = user;
    size_t got = 0;

    *ret = unpack->block;
    if (source_read(unpack->source, unpack->block, BLOCK, &got, &unpack->error))
        return (la_ssize_t)got;
    archive_set_error(archive, -1, "%s", unpack->error.text);
    return -1;
}

static bool archive_trouble(struct unpack *unpack, struct error *error)
{
    const char *why = archive_error_string(unpack->archive);

    if (unpack->error.text[0]) {
        if (error)
            *error = unpack->error;
        return false;
    }
    return error_set(error, ERROR_INPUT,
                     "cannot be unpacked: %s. If it was cut while it was copied, get it again; if it has a password, unpack it "
                     "first.",
                     why ? why : "the data is damaged");
}

struct unpack *unpack_open(const char *path, struct byte_source *source, const struct unpack_limits *limits,
                           struct error *error)
{
    struct unpack *unpack = memory_take_zeroed(1, sizeof *unpack);
    int status;

    unpack->path = memory_copy_text(path);
    unpack->source = source;
    unpack->limits = *limits;
    unpack->archive = archive_read_new();
    archive_read_support_filter_gzip(unpack->archive);
    archive_read_support_filter_zstd(unpack->archive);
    archive_read_support_filter_xz(unpack->archive);
    archive_read_support_filter_bzip2(unpack->archive);
    archive_read_support_filter_lz4(unpack->archive);
    archive_read_support_format_tar(unpack->archive);
    archive_read_support_format_zip(unpack->archive);
    archive_read_support_format_raw(unpack->archive);
    archive_read_support_format_empty(unpack->archive);
    if (source) {
        unpack->block = memory_take(BLOCK);
        status = archive_read_open(unpack->archive, unpack, NULL, read_block, NULL);
    } else {
        status = archive_read_open_filename(unpack->archive, path, BLOCK);
    }
    if (status == ARCHIVE_OK)
        return unpack;
    archive_trouble(unpack, error);
    unpack_close(unpack);
    return NULL;
}

void unpack_close(struct unpack *unpack)
{
    if (!unpack)
        return;
    archive_read_free(unpack->archive);
    free(unpack->path);
    free(unpack->name);
    free(unpack->block);
    free(unpack);
}

/* ---- members ---- */

/* "C:\logs\..\run.csv" and "/../run.csv" are only names: "logs/run.csv", "run.csv". */
static char *clean_name(const char *name)
{
    struct text_buffer clean = {0};
    char *text = text_clean(name, strlen(name)), *part = text;

    for (char *at = text; *at; at++)
        *at = *at == '\\' ? '/' : *at;
    while (part) {
        char *slash = strchr(part, '/');

        if (slash)
            *slash = '\0';
        if (*part && strcmp(part, ".") != 0 && strcmp(part, "..") != 0 && !(part == text && strlen(part) == 2 && part[1] == ':'))
            text_add_print(&clean, "%s%s", clean.count ? "/" : "", part);
        part = slash ? slash + 1 : NULL;
    }
    free(text);
    return text_take(&clean);
}

static char *member_name(struct unpack *unpack, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    char *clean = name ? clean_name(name) : memory_copy_text("");

    if (*clean)
        return clean;
    free(clean);
    return memory_print("member %" PRId64, unpack->members);
}

bool unpack_next(struct unpack *unpack, struct unpack_member *ret, bool *ret_end, struct error *error)
{
    struct archive_entry *entry;
    int status = archive_read_next_header(unpack->archive, &entry);

    memset(ret, 0, sizeof *ret);
    *ret_end = status == ARCHIVE_EOF;
    if (*ret_end)
        return true;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
        return archive_trouble(unpack, error);
    if (++unpack->members > MOST_MEMBERS)
        return error_set(error, ERROR_INPUT, "holds more than %d files: unpack it and name the folders one by one.", MOST_MEMBERS);
    free(unpack->name);
    ret->single = archive_format(unpack->archive) == ARCHIVE_FORMAT_RAW;
    unpack->name = ret->single ? memory_copy_text("") : member_name(unpack, entry);
    ret->name = unpack->name;
    ret->is_file = ret->single || (archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry));
    return true;
}

/* ---- the bytes of one ---- */

struct member_source {
    struct byte_source base;
    struct unpack *unpack;
};

static bool check_limits(const struct unpack *unpack, struct error *error)
{
    int64_t packed = archive_filter_bytes(unpack->archive, -1);

    if (unpack->limits.bytes > 0 && unpack->unpacked > unpack->limits.bytes)
        return error_set(error, ERROR_INPUT,
                         "%s unpacks to more than %" PRId64 " MB, the limit that protects this machine. If that is what it should "
                         "hold, raise it with --unpack-limit MB (0: none).",
                         unpack->path, unpack->limits.bytes >> 20);
    if (unpack->limits.ratio > 0 && unpack->unpacked > RATIO_FROM && packed > 0 && unpack->unpacked / packed > unpack->limits.ratio)
        return error_set(error, ERROR_INPUT,
                         "%s unpacks to more than %" PRId64 " times its size, as no telemetry does: it is taken for a trap. If it "
                         "is none, raise the limit with --unpack-ratio N (0: none).",
                         unpack->path, unpack->limits.ratio);
    return true;
}

static bool member_read(struct byte_source *source, char *bytes, size_t size, size_t *ret, struct error *error)
{
    struct unpack *unpack = ((struct member_source *)source)->unpack;
    la_ssize_t got = archive_read_data(unpack->archive, bytes, size);

    if (got < 0)
        return archive_trouble(unpack, error);
    *ret = (size_t)got;
    unpack->unpacked += got;
    return check_limits(unpack, error);
}

static void member_close(struct byte_source *source)
{
    free(source);
}

struct byte_source *unpack_source(struct unpack *unpack)
{
    struct member_source *member = memory_take_zeroed(1, sizeof *member);

    member->base.read = member_read;
    member->base.close = member_close;
    member->unpack = unpack;
    return &member->base;
}
