/*
 * What the import said of the files that a build's runs came from: kept in the store, shown again where people ask
 * what is there and what can be trusted.
 */
#ifndef STUTTERSCOPE_MODEL_IMPORTS_H
#define STUTTERSCOPE_MODEL_IMPORTS_H

#include "stutterscope/base/json.h"
#include "stutterscope/model/model.h"

/* [{"imported_at": …, "report": {as the import printed it}}, …], oldest first; device 0: all. NULL with an error. The
 * caller destroys it. */
struct json *model_imports(struct model *model, int64_t build, int64_t device, struct error *error);
/* The remarks of these as lines, each once with the number of files it stands for; "" where there are none. */
char *imports_text(const struct json *imports);

#endif
