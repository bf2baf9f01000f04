#include "stutterscope/cli/cli.h"

#include <criterion/criterion.h>
#include <string.h>

Test(complete, verbs_then_their_options)
{
    static const struct {
        const char *line;
        const char *want[4];
    } cases[] = {
        {"stu", {"stutters", NULL}},
        {"st", {"stats", "stutters", "status", NULL}},
        {"stutters --fil", {"stutters --filter", NULL}},
        {"stutters --device X --so", {"stutters --device X --sort", NULL}},
        {"stutters --js", {"stutters --json", NULL}},
        {"stutters new", {NULL}},
        {"nothing --", {NULL}},
        {"dem", {NULL}}, /* browsing is no command of the prompt */
    };
    char buffer[200];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = 0;

        for (; cases[i].want[n]; n++) {
            cr_expect(cli_complete_line(cases[i].line, n, buffer, sizeof buffer), "%s", cases[i].line);
            cr_expect_str_eq(buffer, cases[i].want[n]);
        }
        cr_expect_not(cli_complete_line(cases[i].line, n, buffer, sizeof buffer), "%s: %s", cases[i].line, buffer);
    }
}
