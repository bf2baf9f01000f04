/*
 * How much one file may name. Frames may be as many as there are; names and values beside frames are kept in memory until
 * the file is stored.
 */
#ifndef STUTTERSCOPE_IMPORT_LIMITS_H
#define STUTTERSCOPE_IMPORT_LIMITS_H

#define IMPORT_MOST_NAMES 20000  /* different builds; the same for devices, scenes and quality levels */
#define IMPORT_MOST_RUNS  50000  /* runs, whether the file tells them apart or the clock does */
#define IMPORT_MOST_TEXTS 500000 /* different texts, and different combinations of build, device, run, scene, … */
#define IMPORT_MOST_SAMPLES 2000000 /* values beside frames, with snapshots: 9 hours of 60 values a second */

#endif
