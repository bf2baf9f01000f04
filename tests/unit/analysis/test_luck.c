/* Luck against figures worked out by hand. */
#include "stutterscope/analysis/luck.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

Test(luck, examples)
{
    cr_assert_float_eq(luck_of(0.8, 5), 0.00032, 1e-9); /* 0.2^5 */
    cr_assert_float_eq(luck_of(0.6, 2), 0.16, 1e-12);
    cr_assert_float_eq(luck_of(0.6, 0), 1, 0);
    cr_assert_float_eq(luck_of(1, 1), 0, 0);
    cr_assert(isnan(luck_of(NAN, 3)));
    cr_assert_float_eq(hit_rate(3, 5), 0.6, 1e-12);
    cr_assert_float_eq(hit_rate(7, 5), 1, 0);
    cr_assert(isnan(hit_rate(1, 0)));
}

Test(luck, how_many_more)
{
    cr_assert_eq(luck_needs(0.8, 5), 0);
    cr_assert_eq(luck_needs(0.6, 2), 2, "0.4^3 is 6.4 %%, 0.4^4 is 2.6 %%");
    cr_assert_eq(luck_needs(0.6, 0), 4);
    cr_assert_eq(luck_needs(1, 0), 1);
    cr_assert_eq(luck_needs(1, 1), 0);
    cr_assert_eq(luck_needs(0, 5), -1);
    cr_assert_eq(luck_needs(NAN, 5), -1);
    for (int percent = 1; percent <= 99; percent++) { /* the least that is enough, counted one by one */
        double rate = percent / 100.0, chance = 1;
        int64_t seen = 0;

        while (chance > 0.05) {
            chance *= 1 - rate;
            seen++;
        }
        cr_assert_leq(llabs(luck_needs(rate, 0) - seen), 0, "%d %%", percent);
    }
}
