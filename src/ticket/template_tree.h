/*
 * What template_parse() makes of a text; only for the files of the template engine. The tree lies flat: the
 * nodes of a section follow it and end before its `end`.
 */
#ifndef STUTTERSCOPE_TICKET_TEMPLATE_TREE_H
#define STUTTERSCOPE_TICKET_TEMPLATE_TREE_H

#include <stddef.h>

enum node_kind { NODE_TEXT, NODE_VALUE, NODE_RAW, NODE_SECTION, NODE_INVERTED, NODE_PARTIAL };

struct node {
    enum node_kind kind;
    size_t line;
    size_t end;       /* index of the first node behind a section */
    const char *text; /* text: its bytes; partial: its indentation */
    size_t length;    /* of text */
    const char *name; /* all but text; NUL-terminated */
};

struct node_list {
    struct node *items;
    size_t count, capacity;
};

struct template
{
    char *name;
    char *bytes; /* what the nodes point into: a copy of the text with a NUL behind every name */
    struct node_list nodes;
};

#endif
