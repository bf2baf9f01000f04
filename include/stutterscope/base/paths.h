/*
 * Where things are: XDG folders, the data folder of the program, file names without surprises.
 */
#ifndef STUTTERSCOPE_BASE_PATHS_H
#define STUTTERSCOPE_BASE_PATHS_H

#include "stutterscope/base/error.h"
#include <stdbool.h>
#include <stddef.h>

/* New strings. */
char *path_join(const char *folder, const char *name);
/* "~" and "~/…" with $HOME in place of the sign, as a shell does it; everything else as it is. */
char *path_expand_home(const char *path);
char *path_default_store(void);              /* $XDG_DATA_HOME/stutterscope/store.db */
char *path_config_file(void);                /* $XDG_CONFIG_HOME/stutterscope/config */
char *path_config_folder(void);
char *path_state_folder(void);               /* $XDG_STATE_HOME/stutterscope */
/*
 * A file of the program's data: $STUTTERSCOPE_DATA, else the installed folder (compiled in), else, of a program in its
 * build folder, the source tree's data/. NULL with an error that names the folders looked at.
 */
char *path_data(const char *name, struct error *error);
const char *path_base_name(const char *path);
bool path_make_parents(const char *path, struct error *error);
/* Whole file into memory, NUL added; files over `limit` bytes are refused with the limit in words. */
bool path_read_all(const char *path, size_t limit, char **ret_bytes, size_t *ret_size, struct error *error);
/* All of it into an open file, pipe or terminal, however often the system takes only a part; false with errno. */
bool file_write_whole(int file, const char *bytes, size_t size);

/*
 * Writes a temporary file beside it and renames: the old content or the new one, never half. In pieces, for what does
 * not fit into memory. A file that is replaced keeps its mode, a new one has that of the umask. Devices and pipes are
 * written in place. NULL with an error that names the file.
 */
struct file_writer;
struct file_writer *file_writer_open(const char *path, struct error *error);
bool file_writer_add(struct file_writer *writer, const char *bytes, size_t size, struct error *error);
/* keep: what was written becomes the file; else nothing has happened. Frees the writer in any case. */
bool file_writer_close(struct file_writer *writer, bool keep, struct error *error);

/* The same in one piece; a new file can be read by the user only. */
bool path_write_all(const char *path, const char *bytes, size_t size, struct error *error);

#endif
