#include "stutterscope/base/wide.h"

#include <criterion/criterion.h>
#include <inttypes.h>

typedef uint64_t scale_function(uint64_t a, uint64_t b, uint64_t add, uint64_t divisor, uint64_t *ret_rest);

/* Worked out by hand, with powers of two. */
static void check_known(scale_function *scale)
{
    static const struct {
        uint64_t a, b, add, divisor, quotient, rest;
    } cases[] = {
        {0, 0, 0, 1, 0, 0},
        {6, 7, 1, 10, 4, 3},
        {0, UINT64_MAX, UINT64_MAX, 1, UINT64_MAX, 0},
        /* 2^32 * 2^32 = 2^64: one past what fits */
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 1, UINT64_MAX, 0},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 0, 2, UINT64_C(1) << 63, 0},
        {UINT64_C(1) << 32, UINT64_C(1) << 32, 5, UINT64_C(1) << 63, 2, 5},
        /* (2^64 - 1)^2 = 2^128 - 2^65 + 1 = (2^64 - 2) 2^64 + 1; with 2^64 - 1 more it is (2^64 - 1) 2^64 */
        {UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, 0},
        {UINT64_MAX, UINT64_MAX, 1, UINT64_MAX, UINT64_MAX, 1},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX, UINT64_MAX - 1},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0}, /* 2^64 */
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 3, UINT64_MAX, 0},
        /* 3 (2^63 + 1) = 2^64 + 2^63 + 3 */
        {3, (UINT64_C(1) << 63) + 1, 0, (UINT64_C(1) << 63) + 1, 3, 0},
        {3, (UINT64_C(1) << 63) + 1, 0, (UINT64_C(1) << 63) + 2, 2, (UINT64_C(1) << 63) - 1},
        /* the product fits, the sum does not: 2^64 / 10 = 1844674407370955161.6 */
        {1, 1, UINT64_MAX, 10, UINT64_C(1844674407370955161), 6},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t rest = 77, quotient = scale(cases[i].a, cases[i].b, cases[i].add, cases[i].divisor, &rest);

        cr_assert(quotient == cases[i].quotient && rest == cases[i].rest, "%zu: %" PRIu64 " and %" PRIu64 " left", i, quotient,
                  rest);
        cr_assert(scale(cases[i].a, cases[i].b, cases[i].add, cases[i].divisor, NULL) == quotient);
    }
}

Test(wide, knows_products)
{
    check_known(wide_scale);
    check_known(wide_scale_portable);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 whole;

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 11 ^ *state << 31;
}

/* Of every size, with many numbers just below and above a power of two. */
static uint64_t some_number(uint64_t *state)
{
    uint64_t number = next(state) >> next(state) % 64;

    return next(state) % 4 ? number : (UINT64_C(1) << next(state) % 64) + next(state) % 3 - 1;
}

/* Whatever they make of the numbers, multiplied back it is what it was made of. */
Test(wide, both_ways_are_the_compilers)
{
    static scale_function *const ways[] = {wide_scale, wide_scale_portable};
    uint64_t state = 1;

    for (int i = 0; i < 200000; i++) {
        uint64_t a = some_number(&state), b = some_number(&state), add = some_number(&state), divisor = some_number(&state);
        whole sum = (whole)a * b + add;

        if (divisor == 0)
            continue;
        for (size_t way = 0; way < 2; way++) {
            uint64_t rest, quotient = ways[way](a, b, add, divisor, &rest);
            bool fits = sum < ((whole)divisor << 64);

            cr_assert(fits ? rest < divisor && (whole)quotient * divisor + rest == sum : quotient == UINT64_MAX && rest == 0,
                      "way %zu: %" PRIu64 " * %" PRIu64 " + %" PRIu64 " / %" PRIu64, way, a, b, add, divisor);
        }
    }
}
#endif
