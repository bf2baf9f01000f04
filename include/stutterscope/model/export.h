/*
 * Frames back as canonical telemetry, run by run, so that memory does not grow with the store.
 */
#ifndef STUTTERSCOPE_MODEL_EXPORT_H
#define STUTTERSCOPE_MODEL_EXPORT_H

#include "stutterscope/model/tables.h"

enum export_format { EXPORT_CSV, EXPORT_NDJSON };

/* Receives a piece of the text; returns false (with the error filled) to end. */
typedef bool export_write(void *user, const char *bytes, size_t size, struct error *error);

/* What the request filters: build, device, scene, quality, run_name. The canonical columns, those that are known anywhere. */
bool model_export(struct model *model, const struct table_request *request, enum export_format format, export_write *write, void *user,
                  struct error *error);

#endif
