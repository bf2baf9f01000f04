/* Prints the section "KEYS" of the manual page, made from the table of actions; run while building. */
#include "stutterscope/view/help.h"

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct keymap *keymap = keymap_create();
    char *text = help_manual(keymap);
    printf(".SH KEYS\n%s", text);
    free(text);
    keymap_destroy(keymap);
    return 0;
}
