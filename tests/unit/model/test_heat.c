/*
 * Heat by quarter: frames of gameplay in four parts, one more in the first ones when they do not divide.
 */
#include "fixture.h"
#include "stutterscope/model/heat.h"
#include <criterion/criterion.h>
#include <math.h>

/* 122 frames: 31, 31, 30 and 30, so that each quarter has the 30 that a median needs. Of the calm ones it is 16.2 ms. */
Test(heat, the_rest_belongs_to_the_first_quarters)
{
    struct fixture fixture;
    struct quarter_list quarters = {0};
    struct error error = {0};

    fixture_open(&fixture);
    for (int i = 0; i < 2; i++)
        fixture_add(&fixture, &(struct test_run){.build = "1", .device = "Pixel", .scene = "Menu", .quality = "High", .run = i ? "b" : "a",
                                                 .os = "Android 14", .frames = i ? 10 : 122, .started_at_ms = VALUE_UNKNOWN});

    struct model *model = fixture_model(&fixture);
    int64_t build = model_newest_build(model);

    cr_assert(model_quarters(model, build, 0, 0, &quarters, &error), "%s", error.text);
    cr_assert_eq(quarters.count, 2);
    for (int q = 0; q < HEAT_QUARTERS; q++) {
        cr_assert_float_eq(quarters.items[0].median_ns[q], 16.2e6, 0.11e6, "quarter %d", q);
        cr_assert(isnan(quarters.items[1].median_ns[q]), "too few");
    }

    int64_t second = quarters.items[1].run;

    quarter_list_free(&quarters);
    cr_assert(model_quarters(model, build, 0, second, &quarters, &error), "%s", error.text);
    cr_assert_eq(quarters.count, 1, "one run alone");
    quarter_list_free(&quarters);
    fixture_close(&fixture, model);
}
