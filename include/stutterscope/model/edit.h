/*
 * What people decide and add: pins, marks, names of devices, what is expected. And the health of the store.
 */
#ifndef STUTTERSCOPE_MODEL_EDIT_H
#define STUTTERSCOPE_MODEL_EDIT_H

#include "stutterscope/model/model.h"

/* Baseline of a cell, or of the store (device and scene 0). build 0 takes the pin away. */
bool model_pin_baseline(struct model *model, int64_t device, int64_t scene, int64_t build, struct error *error);
/* A bad build is never a baseline. */
bool model_mark_build(struct model *model, int64_t build, bool bad, struct error *error);
/* Commit, CI run and time of a build, also of one that has no uploads yet; NULL and VALUE_UNKNOWN: stays as it is. */
bool model_declare_build(struct model *model, const char *name, const char *commit, const char *ci_run, int64_t built_at_ms, struct error *error);
/* Display name, tier, target FPS, weight; chip NULL: every chip of this model. Holds for later imports too. */
bool model_declare_device(struct model *model, const struct device_row *row, struct error *error);
/* Expected (replaced as a whole), retired, skipped. */
bool model_expect(struct model *model, const struct expectation_row *rows, size_t count, struct error *error);
bool model_retire(struct model *model, int64_t device, int64_t scene, const char *note, struct error *error); /* scene 0: all */
bool model_skip(struct model *model, int64_t device, int64_t build, const char *note, struct error *error);
/* Each fault found is told; *ret_problems their number. repair: what is derived is dropped first. */
bool model_check(struct model *model, bool repair, void (*problem)(void *user, const char *text), void *user, int64_t *ret_problems,
                 struct error *error);

#endif
