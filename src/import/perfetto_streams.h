/*
 * Layers of a trace: which are lives of one surface, and what Android expected of one.
 */
#ifndef IMPORT_PERFETTO_STREAMS_H
#define IMPORT_PERFETTO_STREAMS_H

#include "perfetto.h"

/*
 * result[layer - 1]: the layer under whose name its frames are counted. Layers of one process whose names differ in
 * the number at their end only and that follow each other in time are one. To be freed.
 */
uint32_t *trace_join_layers(const struct trace_data *data);

struct trace_expected {
    int64_t length; /* usual duration of an expected frame; VALUE_UNKNOWN */
    int64_t period; /* usual shortest distance of two of them (lower quartile): what the game is asked for */
};
void trace_expected(const struct trace_data *data, const uint32_t *heirs, uint32_t layer, struct trace_expected *ret);

#endif
