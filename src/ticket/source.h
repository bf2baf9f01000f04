/*
 * Where the text of a template comes from: the user's folder, then the program's. A source is one layout
 * together with the phrases of one language and everything they include.
 */
#ifndef STUTTERSCOPE_TICKET_SOURCE_H
#define STUTTERSCOPE_TICKET_SOURCE_H

#include "phrases.h"
#include "stutterscope/ticket/template.h"
#include "stutterscope/ticket/ticket.h"

struct ticket_source {
    char *path; /* of the layout */
    char *text; /* its content */
    char *language;
    const struct ticket_format *format;
    bool is_file;          /* not one of the two template folders */
    enum ticket_kind kind; /* by the name of the layout */
    struct phrases
        phrases; /* of the language, then those of all languages, then English where something lacks */
    struct phrases read; /* partials that were read from files */
};

/*
 * The layout for payloads of this kind: with options->template "github", "regressions-github". Errors say
 * which templates and languages there are.
 */
bool layout_open(const struct ticket_options *options, enum ticket_kind kind, struct ticket_source *ret,
                 struct error *error);
/* The layout as it is named, whatever its kind. */
bool layout_open_named(const struct ticket_options *options, struct ticket_source *ret, struct error *error);
enum ticket_kind layout_kind(const char *name);
void layout_close(struct ticket_source *source);
/* For templates: phrases first, then files beside the layout and in the folders' parts/. */
struct template_partials layout_partials(struct ticket_source *source);

/* Path of a file in the user's templates/, else in the program's; NULL when it is in neither. */
char *layout_find(const char *name, bool *ret_own);
/* Names without the ending of all files with it in templates/FOLDER (NULL: templates/), the user's too,
 * sorted. */
struct layout_name {
    char *name;
    bool own;
};
struct layout_names {
    struct layout_name *items;
    size_t count, capacity;
};
void layout_list(const char *folder, const char *ending, struct layout_names *ret);
void layout_names_free(struct layout_names *names);

#endif
