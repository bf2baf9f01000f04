/* Folders, compressed files, archives: which files come out, with which names and bytes. */
#include "../leftovers.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/intake.h"

#include <archive.h>
#include <archive_entry.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static void make_folder(void)
{
    char name[] = "/tmp/stutterscope-intake-XXXXXX";

    cr_assert(mkdtemp(name) != NULL);
    leftover_note(name);
    folder = memory_copy_text(name);
}

static void remove_folder(void)
{
    char *command = memory_print("rm -rf '%s'", folder);

    cr_assert_eq(system(command), 0);
    free(command);
    free(folder);
}

TestSuite(intake, .init = make_folder, .fini = remove_folder);

/* "name=first bytes of it" of every file, "!name: why" of every failure, one a line; names without the folder. */
struct seen {
    struct text_buffer text;
    const char *sidecar; /* asked for beside every file */
};

static const char *inside(const char *path)
{
    return strncmp(path, folder, strlen(folder)) == 0 ? path + strlen(folder) + 1 : path;
}

static bool see(void *user, const struct import_item *item)
{
    struct seen *seen = user;
    char bytes[16] = {0}, *beside = NULL, *name;
    size_t size = 0, beside_size;
    struct error error = {0};
    char more[65536];
    size_t got = 1;

    if (source_read_full(item->source, bytes, sizeof bytes - 1, &size, &error)) {
        text_add_print(&seen->text, "%s=%s", inside(item->path), bytes);
        while (got > 0 && source_read_full(item->source, more, sizeof more, &got, &error))
            ;
    }
    if (error.text[0])
        text_add_print(&seen->text, "!%s: %s", inside(item->path), error.text);
    name = memory_print("%s.meta.json", item->path);
    if (item->beside && item->beside->read(item->beside->user, name, &beside, &beside_size))
        text_add_print(&seen->text, "+%s", beside);
    text_add(&seen->text, "\n");
    free(beside);
    free(name);
    source_close(item->source);
    return true;
}

static void fault(void *user, const char *path, const struct error *error)
{
    text_add_print(&((struct seen *)user)->text, "!%s: %s\n", inside(path), error->text);
}

static char *look(const char *name, int64_t most_bytes, int64_t most_ratio)
{
    struct seen seen = {{0}, NULL};
    struct intake intake = {&seen, see, fault, {most_bytes, most_ratio}};
    char *path = *name ? path_join(folder, name) : memory_copy_text(folder);

    cr_assert(intake_path(&intake, path));
    free(path);
    return text_take(&seen.text);
}

static void expect_seen(const char *name, const char *wanted)
{
    char *got = look(name, 0, 0);

    cr_assert_str_eq(got, wanted);
    free(got);
}

static void expect_fault(const char *name, int64_t most_bytes, int64_t most_ratio, const char *part)
{
    char *got = look(name, most_bytes, most_ratio);

    cr_assert(strchr(got, '!') && strstr(got, part), "%s", got);
    free(got);
}

static void write_file(const char *name, const char *bytes, size_t size)
{
    char *path = path_join(folder, name);
    struct error error = {0};

    cr_assert(path_make_parents(path, &error) && path_write_all(path, bytes, size, &error), "%s", error.text);
    free(path);
}

/* An archive (or, with format NULL, one compressed file) of members "name", "content", …, NULL. */
static void write_archive(const char *name, const char *format, const char *filter, const char *const *members)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry;
    char *path = path_join(folder, name);

    if (format)
        cr_assert_eq(archive_write_set_format_by_name(archive, format), ARCHIVE_OK);
    else
        cr_assert_eq(archive_write_set_format_raw(archive), ARCHIVE_OK);
    if (filter)
        cr_assert_eq(archive_write_add_filter_by_name(archive, filter), ARCHIVE_OK);
    cr_assert_eq(archive_write_open_filename(archive, path), ARCHIVE_OK);
    for (; *members; members += 2) {
        entry = archive_entry_new();
        archive_entry_set_pathname(entry, members[0]);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, (la_int64_t)strlen(members[1]));
        cr_assert_eq(archive_write_header(archive, entry), ARCHIVE_OK);
        cr_assert_eq(archive_write_data(archive, members[1], strlen(members[1])), (la_ssize_t)strlen(members[1]));
        archive_entry_free(entry);
    }
    cr_assert_eq(archive_write_free(archive), ARCHIVE_OK);
    free(path);
}

Test(intake, folders_in_the_order_of_names)
{
    write_file("b.csv", "two", 3);
    write_file("a/z.csv", "one", 3);
    write_file(".hidden/x.csv", "no", 2);
    write_file(".y.csv", "no", 2);
    write_file("b.csv.meta.json", "no", 2);
    write_file("getprop.txt", "no", 2);
    expect_seen("", "a/z.csv=one\nb.csv=two\n");
}

Test(intake, links_in_circles_and_to_nothing)
{
    char *path = path_join(folder, "a/back"), *nothing = path_join(folder, "a/nothing");

    write_file("a/z.csv", "one", 3);
    cr_assert_eq(symlink("..", path), 0);
    cr_assert_eq(symlink("/no/such/file", nothing), 0);
    expect_seen("", "a/z.csv=one\n");
    free(path);
    free(nothing);
}

Test(intake, compressed_files)
{
    static const char *const one[] = {"data", "timestamp_ms,", NULL};

    write_archive("run.csv.gz", NULL, "gzip", one);
    write_archive("run.csv.zst", NULL, "zstd", one);
    write_archive("run.csv", NULL, "xz", one); /* found by content */
    expect_seen("", "run.csv=timestamp_ms,\nrun.csv.gz=timestamp_ms,\nrun.csv.zst=timestamp_ms,\n");
}

Test(intake, archives)
{
    static const char *const night[] = {"Pixel 8/b1/Forest.csv", "f1", "Pixel 8/b1/Cave.csv", "f2", "Pixel 8/.x", "no", "__MACOSX/._a", "no",
                                        "Pixel 8/b1/Cave.csv.meta.json", "{}", NULL};

    write_archive("a.zip", "zip", NULL, night);
    write_archive("b.tar.gz", "ustar", "gzip", night);
    write_archive("c.tar.zst", "pax", "zstd", night);
    write_archive("d.tar", "ustar", NULL, night);
    expect_seen("", "a.zip/Pixel 8/b1/Forest.csv=f1\na.zip/Pixel 8/b1/Cave.csv=f2+{}\n"
                    "b.tar.gz/Pixel 8/b1/Forest.csv=f1\nb.tar.gz/Pixel 8/b1/Cave.csv=f2+{}\n"
                    "c.tar.zst/Pixel 8/b1/Forest.csv=f1\nc.tar.zst/Pixel 8/b1/Cave.csv=f2+{}\n"
                    "d.tar/Pixel 8/b1/Forest.csv=f1\nd.tar/Pixel 8/b1/Cave.csv=f2+{}\n");
}

Test(intake, names_of_members_are_only_names)
{
    static const char *const bad[] = {"../../etc/run.csv", "1", "/abs/run.csv", "2", "C:\\logs\\run.csv", "3", "a/./b//c.csv", "4", NULL};

    write_archive("a.tar", "ustar", NULL, bad);
    expect_seen("", "a.tar/etc/run.csv=1\na.tar/abs/run.csv=2\na.tar/logs/run.csv=3\na.tar/a/b/c.csv=4\n");
}

Test(intake, archives_in_archives_are_refused_and_the_rest_is_taken)
{
    static const char *const inner[] = {"x.csv", "x", NULL};
    char *path, *bytes;
    size_t size;
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();

    write_archive("inner.tar.gz", "ustar", "gzip", inner);
    path = path_join(folder, "inner.tar.gz");
    cr_assert(path_read_all(path, 1 << 20, &bytes, &size, NULL));
    unlink(path);
    free(path);
    path = path_join(folder, "outer.zip");
    archive_write_set_format_zip(archive);
    archive_write_open_filename(archive, path);
    for (int i = 0; i < 2; i++) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, i ? "z.csv" : "inner.tar.gz");
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, i ? 1 : (la_int64_t)size);
        archive_write_header(archive, entry);
        archive_write_data(archive, i ? "z" : bytes, i ? 1 : size);
    }
    archive_entry_free(entry);
    archive_write_free(archive);
    free(path);
    free(bytes);
    expect_fault("outer.zip", 0, 0, "archive inside an archive");
    expect_fault("outer.zip", 0, 0, "outer.zip/z.csv=z");
}

Test(intake, bombs)
{
    size_t size = 100u << 20;
    char *zeros = memory_take_zeroed(size + 1, 1);
    const char *bomb[] = {"data", zeros, NULL};

    memset(zeros, '0', size);
    write_archive("bomb.csv.gz", NULL, "gzip", bomb);
    expect_fault("bomb.csv.gz", 10 << 20, 0, "--unpack-limit");
    expect_fault("bomb.csv.gz", 0, 100, "--unpack-ratio");
    free(zeros);
}

Test(intake, cut_and_damaged)
{
    static const char *const night[] = {"a.csv", "timestamp_ms,frame_time_ms,device_model,build_id,scene", NULL};
    char *path, *bytes;
    size_t size;

    write_archive("a.csv.gz", NULL, "gzip", night);
    path = path_join(folder, "a.csv.gz");
    cr_assert(path_read_all(path, 1 << 20, &bytes, &size, NULL));
    write_file("a.csv.gz", bytes, size - 12);
    expect_fault("a.csv.gz", 0, 0, "cannot be unpacked");
    write_file("b.7z", "7z\xBC\xAF\x27\x1C", 6);
    expect_fault("b.7z", 0, 0, "unpack it");
    write_file("c.zip", "PK\x03\x04 no more", 12);
    expect_fault("c.zip", 0, 0, "cannot be unpacked");
    free(bytes);
    free(path);
    expect_fault("no-such-file", 0, 0, "cannot be opened");
}
