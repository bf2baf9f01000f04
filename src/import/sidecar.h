/*
 * What lies beside a capture: FILE.meta.json says what the capture is of (build, scene, …) and counts like
 * options; a dump of getprop tells model, chip and Android version where neither options nor the file do.
 */
#ifndef IMPORT_SIDECAR_H
#define IMPORT_SIDECAR_H

#include "stutterscope/import/import.h"

struct import_sidecar {
    char *said[CONTEXT_COUNT];   /* of FILE.meta.json; NULL: not said */
    char *device[CONTEXT_COUNT]; /* of getprop */
    char *note;                  /* which files were used; NULL: none */
};

/*
 * Looks for FILE.meta.json (an object with names of context columns) and for FILE.getprop, NAME.getprop
 * (without the extension) or getprop.txt in the same folder. Files that are not there are no error; a
 * FILE.meta.json that cannot be read is: false with an error that names it. Free *ret in both cases. beside NULL: in the
 * folder of the file.
 */
bool import_sidecar_read(const char *path, const struct import_beside *beside, struct import_sidecar *ret,
                         struct error *error);
void import_sidecar_free(struct import_sidecar *sidecar);

#endif
