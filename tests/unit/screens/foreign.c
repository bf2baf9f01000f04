#include "../leftovers.h"
#include "foreign.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/import.h"
#include "stutterscope/model/edit.h"
#include "stutterscope/model/model.h"
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STORE_VARIABLE "STUTTERSCOPE_TEST_FOREIGN_STORE"
#define TWELVE_TIMES(x) x x x x x x x x x x x x

/* As they stand in the files of the sample, whole fields. The escape sequences are what a hostile name would like to send. */
static const struct {
    const char *name, *foreign;
} names[] = {
    {"Battle_03", "전투_03"},
    {"Battle_01", "Bo\xcc\xb1s\xcc\xb1s\xcc\xb1_01"},                       /* combining */
    {"Gacha", "ガチャ演出"},                                                 /* all wide */
    {"Lobby", "The_lobby_" TWELVE_TIMES("with_a_very_long_name_")},          /* far too long */
    {"Login", "\xd7\x9b\xd7\xa0\xd7\x99\xd7\xa1\xd7\x94"},                  /* right to left */
    {"Raid_02", "Raid \xf0\x9f\x94\xa5 02"},                                 /* emoji */
    {"Field_05", "Fi\033[31meld\x9b" "05"},                                  /* control characters, C1 as a lone byte */
    {"boss_spawn", "보스_등장\033]0;owned\a"},
    {"gacha_reveal", "ガチャ\xe2\x80\xae" "reveal"},                         /* bidi override */
    {"shop_open", "shop_" TWELVE_TIMES("opens_slowly_")},
    {"stream_chunk", "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 chunk"}, /* joined emoji */
};

static const struct {
    const char *model, *name, *tier;
    int64_t fps;
    double weight;
} devices[] = {
    {"SM-S918N", "갤럭시 S23 울트라", "high", 60, 1.4},
    {"SM-F731N", "ギャラクシー Z フリップ5 特別限定版", "high", 60, 1.1},
    {"iPhone16,1", "\xf0\x9f\x8d\x8e 15 Pro \xf0\x9f\x87\xb0\xf0\x9f\x87\xb7", "high", 120, 1.2},
    {"SM-A546B", "Ga\xcc\x8al\xcc\x88" "axy\xcc\x81 A54", "mid", 60, 1.2},
    {"Redmi Note 10", "\xd9\x87\xd8\xa7\xd8\xaa\xd9\x81 10", "mid", 45, 0.6},
    {"SM-A536B", "Galaxy A53 " TWELVE_TIMES("of the lab in the cellar "), "mid", 30, 0.8},
    {"Pixel 6a", "Pix\033[2Jel\r\n6a\x7f", "mid", 60, 0.4},
    {"iPhone14,6", "iPhone \xe2\x80\xae" "ES\xe2\x80\xac", "low", 30, 0.5},
};

static const char *foreign_name(const char *field, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, field, length) == 0)
            return names[i].foreign;
    return NULL;
}

/* No field of the sample is quoted but one device, whose parts are no names of the table. */
static char *translate(const char *text)
{
    struct text_buffer out = {0};
    for (const char *field = text;; text++) {
        if (*text != ',' && *text != '\n' && *text != '\0')
            continue;
        const char *foreign = foreign_name(field, (size_t)(text - field));
        if (foreign)
            text_add(&out, foreign);
        else
            text_add_bytes(&out, field, (size_t)(text - field));
        if (*text == '\0')
            return text_take(&out);
        text_add_bytes(&out, text, 1);
        field = text + 1;
    }
}

static bool import_translated(struct store *store, const char *folder, const char *name, struct error *error)
{
    struct import_options options = {0};
    struct import_summary summary = {0};
    char *sample = memory_print("sample/%s", name), *path = path_data(sample, error), *copy = path_join(folder, name), *text = NULL;
    size_t size = 0;
    bool good = path && path_read_all(path, 8 << 20, &text, &size, error);
    if (good) {
        char *translated = translate(text);
        good = path_write_all(copy, translated, strlen(translated), error) && import_file(store, copy, &options, NULL, &summary, error);
        json_destroy(summary.report);
        free(translated);
    }
    unlink(copy);
    free(text);
    free(copy);
    free(path);
    free(sample);
    return good;
}

static bool declare_devices(struct model *model, struct error *error);

/* Snapshots of two builds, in scenes and categories of such names: the first category grows by a half. */
static char *snapshots_text(void)
{
    static const char *const scenes[] = {"Battle_03", "Battle_01", "Gacha", "Lobby", "Login", "Raid_02", "Field_05"};
    static const char *const categories[] = {"テクスチャ", "Me\033[31mshes", "\xd7\x9b\xd7\xa0\xd7\x99\xd7\xa1\xd7\x94", "메모리_" TWELVE_TIMES("and_all_that_is_left_"), "\xf0\x9f\x94\xa5"};
    struct text_buffer out = {0};

    text_add(&out, "build_id,device_model,run_id,scene,category,bytes\n");
    for (int build = 420; build <= 421; build++)
        for (size_t d = 0; d < 2; d++)
            for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++)
                for (size_t c = 0; c < sizeof categories / sizeof *categories; c++)
                    text_add_print(&out, "1.8.0(%d),%s,1,%s,%s,%zu\n", build, devices[d].model, scenes[s], categories[c],
                                   (c == 0 && build == 421 ? 150 : 100) * (size_t)1000000 + 1000000 * s + 10000000 * c);
    return text_take(&out);
}

static bool make_memory_store(const char *folder, struct error *error)
{
    struct model_options options = {.mode = STORE_CREATE};
    struct import_options import = {0};
    struct import_summary summary = {0};
    char *path = path_join(folder, "memory.db"), *file = path_join(folder, "snapshots.csv"), *plain = snapshots_text(), *text = translate(plain);
    struct model *model = NULL;
    bool good = model_open(path, &options, &model, error) && import_translated(model_store(model), folder, "nightly-420.csv", error) &&
                import_translated(model_store(model), folder, "nightly-421.csv", error) && path_write_all(file, text, strlen(text), error) &&
                import_file(model_store(model), file, &import, NULL, &summary, error) && declare_devices(model, error);

    json_destroy(summary.report);
    if (model)
        model_close(model);
    unlink(file);
    free(plain);
    free(text);
    free(file);
    free(path);
    return good;
}

static bool declare_devices(struct model *model, struct error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < sizeof devices / sizeof *devices; i++) {
        struct device_row row = {.model = (char *)(size_t)devices[i].model,
                                 .name = (char *)(size_t)devices[i].name,
                                 .tier = (char *)(size_t)devices[i].tier,
                                 .declared = true,
                                 .target_fps_milli = devices[i].fps * 1000,
                                 .weight = devices[i].weight};
        good = model_declare_device(model, &row, error);
    }
    return good;
}

static bool make_store(const char *folder, const char *path, struct error *error)
{
    struct model_options options = {.mode = STORE_CREATE};
    struct model *model = NULL;
    bool good = model_open(path, &options, &model, error) &&
                import_translated(model_store(model), folder, "nightly-418.csv", error) &&
                import_translated(model_store(model), folder, "nightly-420.csv", error) &&
                import_translated(model_store(model), folder, "nightly-421.csv", error) && declare_devices(model, error) &&
                model_reload(model, error) && model_analyze(model, 0, NULL, error);
    if (model)
        model_close(model);
    return good;
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    char folder[] = "/tmp/stutterscope-screens-XXXXXX";
    struct error error = {0};
    (void)tests;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (mkdtemp(folder) == NULL)
        return;
    char *path = path_join(folder, "foreign.db");
    if (!make_store(folder, path, &error) || !make_memory_store(folder, &error))
        fprintf(stderr, "the store with foreign names could not be made: %s\n", error.text);
    setenv(STORE_VARIABLE, path, 1);
    free(path);
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    const char *path = getenv(STORE_VARIABLE);
    (void)stats;
    if (path) {
        char *folder = memory_copy_bytes(path, strlen(path) - strlen("/foreign.db"));
        leftover_remove(folder);
        free(folder);
    }
}

const char *foreign_store(void)
{
    return getenv(STORE_VARIABLE);
}

char *foreign_memory_store(void)
{
    const char *path = foreign_store();

    return memory_print("%.*smemory.db", (int)(strlen(path) - strlen("foreign.db")), path);
}
