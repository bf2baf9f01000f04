/*
 * The migrations of data/schema/, compiled in: step n brings a store from version n to n + 1.
 */
#ifndef STUTTERSCOPE_STORE_SCHEMA_H
#define STUTTERSCOPE_STORE_SCHEMA_H

extern const char *const schema_steps[];
extern const int schema_version; /* that of this program: their number */

#endif
