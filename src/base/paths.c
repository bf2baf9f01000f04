#include "stutterscope/base/paths.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM_FOLDER "stutterscope"

char *path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);

    if (length == 0 || *name == '/')
        return memory_copy_text(name);
    return memory_print("%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
}

static char *home_folder(void)
{
    const char *home = getenv("HOME");
    struct passwd entry, *found = NULL;
    char *buffer, *folder;
    long size = sysconf(_SC_GETPW_R_SIZE_MAX);

    if (home && *home == '/')
        return memory_copy_text(home);
    size = size > 0 ? size : 16384;
    buffer = memory_take((size_t)size);
    if (getpwuid_r(getuid(), &entry, buffer, (size_t)size, &found) != 0)
        found = NULL;
    folder = memory_copy_text(found && found->pw_dir && *found->pw_dir == '/' ? found->pw_dir : "/");
    free(buffer);
    return folder;
}

/* XDG Base Directory Specification: a relative path in the variable counts as not set. */
static char *xdg_folder(const char *variable, const char *below_home)
{
    const char *value = getenv(variable);
    char *base, *home, *folder;

    if (value && *value == '/')
        return path_join(value, PROGRAM_FOLDER);
    home = home_folder();
    base = path_join(home, below_home);
    folder = path_join(base, PROGRAM_FOLDER);
    free(home);
    free(base);
    return folder;
}

static char *join_and_free(char *folder, const char *name)
{
    char *path = path_join(folder, name);

    free(folder);
    return path;
}

char *path_default_store(void)
{
    return join_and_free(xdg_folder("XDG_DATA_HOME", ".local/share"), "store.db");
}

char *path_config_file(void)
{
    return join_and_free(path_config_folder(), "config");
}

char *path_config_folder(void)
{
    return xdg_folder("XDG_CONFIG_HOME", ".config");
}

char *path_expand_home(const char *path)
{
    const char *home = getenv("HOME");

    if (path[0] != '~' || (path[1] != '/' && path[1] != '\0') || !home || !*home)
        return memory_copy_text(path);
    return memory_print("%s%s", home, path + 1);
}

char *path_state_folder(void)
{
    return xdg_folder("XDG_STATE_HOME", ".local/state");
}

static bool leaves_its_folder(const char *name)
{
    if (*name == '\0' || *name == '/')
        return true;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            return true;
    }
    return false;
}

/* Of a program that lies in its build folder, or below; else NULL. */
static char *source_data_folder(void)
{
    char at[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", at, sizeof at - 1);
    char *slash;

    at[length > 0 ? length : 0] = '\0';
    while ((slash = strrchr(at, '/')) && slash > at) {
        *slash = '\0';
        char *ninja = path_join(at, "build.ninja");
        bool is_build = access(ninja, F_OK) == 0;
        free(ninja);
        if (is_build)
            return path_join(at, STUTTERSCOPE_SOURCE_DATA);
    }
    return NULL;
}

char *path_data(const char *name, struct error *error)
{
    char *source_data;
    const char *folders[] = {getenv("STUTTERSCOPE_DATA"), STUTTERSCOPE_INSTALLED_DATA, NULL};
    struct text_buffer looked_at = {0};

    if (leaves_its_folder(name)) {
        error_set(error, ERROR_USAGE, "\"%s\" is not the name of a file inside the data folder.", name);
        return NULL;
    }
    folders[2] = source_data = source_data_folder();
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path;

        if (!folders[i] || !*folders[i])
            continue;
        path = path_join(folders[i], name);
        if (access(path, R_OK) == 0) {
            free(source_data);
            free(looked_at.items);
            return path;
        }
        free(path);
        text_add_print(&looked_at, "%s%s", looked_at.count > 0 ? ", " : "", folders[i]);
    }
    error_set(error, ERROR_IO,
              "The data file %s is in none of these folders: %s. Install the program again, or set "
              "STUTTERSCOPE_DATA.",
              name, looked_at.items);
    free(source_data);
    free(looked_at.items);
    return NULL;
}

const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool path_make_parents(const char *path, struct error *error)
{
    char *folder = memory_copy_text(path);
    bool fine = true;

    for (char *slash = strchr(folder + (*folder == '/'), '/'); slash && fine;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0) {
            int code = errno;
            struct stat status;

            /* Read-only parents answer EROFS or EACCES even for folders that exist. */
            if (stat(folder, &status) != 0)
                fine = error_set(error, ERROR_IO, "Cannot create the folder %s: %s.", folder, strerror(code));
            else if (!S_ISDIR(status.st_mode))
                fine = error_set(error, ERROR_IO, "%s should be a folder, but is a file.", folder);
        }
        *slash = '/';
    }
    free(folder);
    return fine;
}
