#include "night.h"
#include "stutterscope/view/data_file.h"
#include "stutterscope/view/screens.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_csv(const char *document, const char *wanted)
{
    struct error error = {0};
    struct json *json = json_parse(document, strlen(document), &error);
    char *csv = json ? data_file_csv(json) : NULL;

    cr_assert(json, "%s", error.text);
    if (wanted)
        cr_expect_str_eq(csv, wanted);
    else
        cr_expect_null(csv);
    free(csv);
    json_destroy(json);
}

Test(data_file, rows_become_lines)
{
    expect_csv("{\"rows\":[{\"a\":true,\"b\":[\"x\",\"y\"]}]}", "a,b\nyes,\"x, y\"\n");
    expect_csv("{\"rows\":[{\"a\":1.5,\"b\":\"x,\\\"y\\\"\",\"c\":null},{\"a\":null,\"b\":\"z\",\"c\":[1,2]}]}",
               "a,b,c\n1.5,\"x,\"\"y\"\"\",\n,z,\"[1,2]\"\n");
    expect_csv("{\"rows\":[]}", NULL);
    expect_csv("{\"other\":1}", NULL);
}

Test(data_file, of_a_screen)
{
    struct night night = night_open(&map_screen, true);
    struct area area = {3, 0, 19, 80};
    struct error error = {0};
    char *json = data_file_text(night.screen, area, "map.json", &error);
    char *csv = data_file_text(night.screen, area, "map.CSV", &error);

    cr_assert(json && csv, "%s", error.text);
    cr_expect(strstr(json, "stutterscope.heatmap/1"));
    cr_expect(strncmp(csv, "device,", 7) == 0, "%.60s", csv);
    cr_expect(strstr(csv, "103.488"), "92.4 x 0.8 x 1.4");
    cr_expect(data_file_is_name("x.json") && data_file_is_name("y.csv") && !data_file_is_name("z.svg") && !data_file_is_name(".csv"));
    free(json);
    free(csv);
    night_close(&night);
}

/* 103.488 is severity; kept: boss_spawn on S23 Ultra and Flip5, shop_open on the iPhone; the Pixel has no run. */
Test(data_file, of_tune)
{
    struct night night = night_open(&tune_screen, true);
    struct error error = {0};
    char *json = data_file_text(night.screen, (struct area){3, 0, 19, 80}, "x.json", &error);
    char *csv = data_file_text(night.screen, (struct area){3, 0, 19, 80}, "x.csv", &error);

    cr_assert(json && csv, "%s", error.text);
    cr_expect(strstr(json, "stutterscope.tune/1"));
    cr_expect(strncmp(csv, "device,scene,kept,lost,gained\n", 30) == 0, "%.60s", csv);
    cr_expect(strstr(csv, "Galaxy S23 Ultra,Battle_03,1,0,0\n") && strstr(csv, "Galaxy Z Flip5,Battle_03,1,0,0\n"), "%s", csv);
    cr_expect(strstr(csv, "iPhone 15 Pro,Lobby,1,0,0\n") && strstr(csv, "Pixel 6a,Lobby,,,\n"), "%s", csv);
    free(json);
    free(csv);
    night_close(&night);
}

/* Four of the five runs have a frame over 33.33 ms: 92.4 71.0 88.2 64.9, 316.5 ms together; before: 31.6 is under it. */
Test(data_file, of_a_distribution)
{
    struct night night = night_open(&map_screen, true);
    struct error error = {0};
    char *csv, *now, *before;

    cr_assert(night_do(&night, ACTION_DISTRIBUTION));
    csv = data_file_text(night.overlay, canvas_area(night.canvas), "x.csv", &error);
    cr_assert(csv, "%s", error.text);
    cr_expect(strncmp(csv, "side,runs,frames,", 17) == 0, "%.60s", csv);
    now = strstr(csv, "(421),5,");
    before = strstr(csv, "(420),5,");
    cr_assert(now && before, "%s", csv);
    cr_expect(strstr(now, ",92.4,") && strstr(now, ",4,316.5,4,316.5,0,0,0,0\n"), "%s", csv);
    cr_expect(strstr(before, ",31.6,") && strstr(before, ",0,0,0,0,0,0,0,0\n"), "%s", csv);
    free(csv);
    night_close(&night);
}

Test(data_file, a_screen_without_data_says_so)
{
    struct night night = night_open(&tune_screen, false);
    struct error error = {0};

    cr_expect_null(data_file_text(night.screen, (struct area){3, 0, 19, 80}, "x.json", &error));
    cr_expect(strstr(error.text, "no runs yet"), "%s", error.text);
    night_close(&night);
}
