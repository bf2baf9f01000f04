/*
 * A store of two builds and three devices, made of the worked example of the definitions: boss_spawn hits the
 * first device in four of five runs of 1.8.0(421) and never before, the second one milder, the third never.
 */
#ifndef STUTTERSCOPE_TESTS_UNIT_TICKET_SMALL_STORE_H
#define STUTTERSCOPE_TESTS_UNIT_TICKET_SMALL_STORE_H

#include "stutterscope/model/model.h"

/* Opens a model over a new store in a folder of its own; scene: "Battle_03", or a hostile name. */
struct model *small_store_open(const char *scene);
/* Closes it and removes the store. */
void small_store_close(struct model *model);
/* The id of the stutter of this device, an event or NULL for any; asserts that it is there. */
const char *small_store_stutter(struct model *model, const char *device_model, const char *event);

#endif
