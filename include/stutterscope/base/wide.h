/*
 * Products of two 64-bit numbers, exactly, and what is left of them after a division. Figures are worked out with these,
 * so that they are the same on a machine whose compiler has no 128-bit integers.
 */
#ifndef STUTTERSCOPE_BASE_WIDE_H
#define STUTTERSCOPE_BASE_WIDE_H

#include <stdint.h>

/*
 * (a * b + add) / divisor, rounded down; what is left over is in *ret_rest (NULL: nobody asks). No step overflows; a
 * quotient that needs more than 64 bits is UINT64_MAX with nothing left over. The divisor is not 0.
 */
uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t add, uint64_t divisor, uint64_t *ret_rest);

/* The same without 128-bit integers, however the compiler is: what the function above is where there are none. */
uint64_t wide_scale_portable(uint64_t a, uint64_t b, uint64_t add, uint64_t divisor, uint64_t *ret_rest);

#endif
