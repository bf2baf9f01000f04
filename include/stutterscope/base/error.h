/*
 * Why something failed. The callee fills it, the caller shows it: library code never prints and never exits.
 */
#ifndef STUTTERSCOPE_BASE_ERROR_H
#define STUTTERSCOPE_BASE_ERROR_H

#include <stdbool.h>

enum error_code {
    ERROR_NONE,
    ERROR_USAGE,   /* the command line or a setting is wrong */
    ERROR_INPUT,   /* a foreign file is not what it should be */
    ERROR_FOREIGN, /* a foreign file is nothing that concerns us */
    ERROR_IO,      /* the operating system refused */
    ERROR_STORE,   /* the store is damaged or not ours */
    ERROR_LOCKED,  /* another program holds the store for too long */
    ERROR_VERSION, /* the store's schema is newer than this program */
    ERROR_STOPPED  /* the user stopped the work */
};

struct error {
    enum error_code code;
    char text[1024]; /* one or more sentences in UTF-8, no trailing newline */
};

/* Fills *error; always returns false, so that "return error_set(...)" reads as the failure it is. error may be NULL. */
__attribute__((format(printf, 3, 4))) bool error_set(struct error *error, enum error_code code, const char *format, ...);

/* Puts "prefix: " before the text that is there (a file name, say). Always returns false. */
__attribute__((format(printf, 2, 3))) bool error_prefix(struct error *error, const char *format, ...);

#ifdef __clang_analyzer__ /* sees one file at a time: this is what they return */
#define error_set(...)    __extension__({ error_set(__VA_ARGS__); false; })
#define error_prefix(...) __extension__({ error_prefix(__VA_ARGS__); false; })
#endif

#endif
