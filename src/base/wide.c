#include "stutterscope/base/wide.h"

#include <stddef.h>

static uint64_t finish(uint64_t quotient, uint64_t rest, uint64_t *ret_rest)
{
    if (ret_rest)
        *ret_rest = rest;
    return quotient;
}

/* a * b + add never exceeds (2^64 - 1)^2 + 2^64 - 1, which is less than 2^128. */
uint64_t wide_scale_portable(uint64_t a, uint64_t b, uint64_t add, uint64_t divisor, uint64_t *ret_rest)
{
    uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
    uint64_t lowest = a_low * b_low;
    uint64_t middle = a_high * b_low + (lowest >> 32); /* at most (2^32 - 1)^2 + 2^32 - 1 */
    uint64_t other_middle = a_low * b_high + (uint32_t)middle;
    uint64_t high = a_high * b_high + (middle >> 32) + (other_middle >> 32);
    uint64_t low = other_middle << 32 | (uint32_t)lowest;
    uint64_t quotient = 0;

    low += add;
    high += low < add;
    if (high >= divisor)
        return finish(UINT64_MAX, 0, ret_rest);
    if (high == 0)
        return finish(low / divisor, low % divisor, ret_rest);
    /* By hand, digit by digit of base 2: `high` is what is left over so far, and less than the divisor. */
    for (int bit = 63; bit >= 0; bit--) {
        uint64_t carry = high >> 63;

        high = high << 1 | (low >> bit & 1);
        if (carry || high >= divisor) {
            high -= divisor;
            quotient |= (uint64_t)1 << bit;
        }
    }
    return finish(quotient, high, ret_rest);
}

uint64_t wide_scale(uint64_t a, uint64_t b, uint64_t add, uint64_t divisor, uint64_t *ret_rest)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 sum = (unsigned __int128)a * b + add;

    if (sum >> 64 == 0) /* most of the time, and a cheaper division */
        return finish((uint64_t)sum / divisor, (uint64_t)sum % divisor, ret_rest);
    if ((uint64_t)(sum >> 64) >= divisor)
        return finish(UINT64_MAX, 0, ret_rest);
    return finish((uint64_t)(sum / divisor), (uint64_t)(sum % divisor), ret_rest);
#else
    return wide_scale_portable(a, b, add, divisor, ret_rest);
#endif
}
