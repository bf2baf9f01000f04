/*
 * Locale and arguments; what is to be browsed goes to the terminal, everything else to the command line.
 */
#include "stutterscope/cli/cli.h"
#include "stutterscope/tui/app.h"
#include <locale.h>

int main(int argc, char **argv)
{
    /* LC_CTYPE only: a comma locale must never reach SQL, JSON or CSV. */
    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C.UTF-8");
    return cli_main(argc, argv, app_browse);
}
