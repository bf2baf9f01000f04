/*
 * XML files through libxml2's streaming reader: memory stays flat, nothing is fetched from the network,
 * entities are not expanded, and what is wrong is kept as words instead of being printed.
 */
#ifndef IMPORT_XML_INPUT_H
#define IMPORT_XML_INPUT_H

#include "stutterscope/import/input.h"
#include <libxml/xmlreader.h>

struct xml_input {
    struct import_input *input;
    xmlTextReaderPtr reader;
    struct import_line line; /* partly given to the parser */
    size_t given;
    bool has_line;
    char fault[256]; /* the first error of the parser with its line; "" */
};

/* Nothing may have been read from the input before. */
void xml_input_open(struct xml_input *xml, struct import_input *input);
void xml_input_close(struct xml_input *xml);
/* The next node: xml->reader stands on it. false at the end of the document and where it breaks off
 * (xml->fault). */
bool xml_input_next(struct xml_input *xml);

#endif
