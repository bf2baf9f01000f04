/*
 * Any bytes as a settings file: read or refused with its line; every name said can be asked for, and every value is taken
 * by the analysis or refused.
 */
#include "fuzz.h"

#include "stutterscope/analysis/settings.h"
#include "stutterscope/base/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t wrote = write(file, bytes + at, size - at);

        if (wrote <= 0)
            return false;
        at += (size_t)wrote;
    }
    return true;
}

/* A value that is taken prints as one that is taken, too. */
static void try_value(const char *value)
{
    struct analysis_settings settings;
    struct error error = {0};
    size_t count;
    const struct analysis_setting *table = analysis_settings_table(&count);

    for (size_t i = 0; i < count; i++) {
        char printed[64], again[64];

        analysis_settings_default(&settings);
        if (!analysis_settings_set(&settings, table[i].name, value, &error)) {
            if (!error.text[0])
                abort();
            continue;
        }
        analysis_settings_print(&settings, table[i].name, printed, sizeof printed);
        if (!analysis_settings_set(&settings, table[i].name, printed, &error))
            abort();
        analysis_settings_print(&settings, table[i].name, again, sizeof again);
        if (strcmp(printed, again) != 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct settings *settings = settings_create();
    struct error error = {0};
    int file = memfd_create("settings", 0);
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file >= 0 && write_all(file, bytes, size)) {
        if (!settings_read_file(settings, path, &error) && !error.text[0])
            abort();
        for (size_t i = 0; i < 64 && settings_name(settings, i); i++) {
            const char *value = settings_get(settings, settings_name(settings, i), NULL);

            if (!value)
                abort();
            try_value(value);
        }
    }
    if (file >= 0)
        close(file);
    settings_destroy(settings);
    return 0;
}
