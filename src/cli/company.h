/*
 * Which options go together. Files of cli/ only.
 */
#ifndef STUTTERSCOPE_CLI_COMPANY_H
#define STUTTERSCOPE_CLI_COMPANY_H

#include "invocation.h"

/* False for an option that would do nothing beside the others, or without one that it goes with; the error names them. */
bool company_check(const struct invocation *invocation, struct error *error);

#endif
