/*
 * The sample telemetry under other names: Korean, Japanese, with emoji, combining marks, right-to-left writing, control and
 * bidi characters, and far too long ones. All figures are those of the sample.
 */
#ifndef STUTTERSCOPE_TESTS_SCREENS_FOREIGN_H
#define STUTTERSCOPE_TESTS_SCREENS_FOREIGN_H

/* Path of the store, made once before the tests. */
const char *foreign_store(void);
/* The same for memory snapshots, two builds of two devices; a new string. */
char *foreign_memory_store(void);

#endif
