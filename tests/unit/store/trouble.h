/* A store that fails at the n-th thing it wants of SQLite or of the disk, whatever that is, and at everything after. */
#ifndef TESTS_STORE_TROUBLE_H
#define TESTS_STORE_TROUBLE_H

#include "stutterscope/store/store.h"

enum trouble {
    TROUBLE_STATEMENT, /* is refused when it is prepared */
    TROUBLE_WRITE,     /* the disk is full */
    TROUBLE_READ,      /* the disk cannot be read */
    TROUBLE_COUNT
};

/* Once, before a store is opened: from then on stores go through the disk of this file. */
void trouble_prepare(void);
/* From now on `left` go well; store NULL: of one that is not open yet. */
void trouble_begin(struct store *store, enum trouble trouble, int left);
void trouble_end(struct store *store);

#endif
