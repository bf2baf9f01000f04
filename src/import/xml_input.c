#include "xml_input.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hands decoded lines to the parser, each with its line end. */
static int give(void *user, char *bytes, int size)
{
    struct xml_input *xml = user;
    size_t rest;

    if (!xml->has_line) {
        if (!import_input_next_line(xml->input, &xml->line))
            return 0; /* the end, or trouble that import_input_end() tells of */
        xml->has_line = true;
        xml->given = 0;
    }
    rest = xml->line.length + !xml->line.cut - xml->given;
    if (rest > (size_t)size)
        rest = (size_t)size;
    memcpy(bytes, xml->line.text + xml->given, rest);
    xml->given += rest;
    if (xml->given == xml->line.length + !xml->line.cut)
        xml->has_line = false;
    return rest > 0 ? (int)rest : give(user, bytes, size);
}

/* The type of the second parameter differs between the versions of libxml2. */
static void keep_fault(struct xml_input *xml, const xmlError *fault)
{
    char *clean;
    size_t length;

    if (*xml->fault || !fault || !fault->message)
        return;
    clean = text_clean(fault->message, strlen(fault->message));
    for (length = strlen(clean); length > 0 && clean[length - 1] == ' '; length--)
        ;
    snprintf(xml->fault, sizeof xml->fault, "line %d: %.*s", fault->line, (int)(length < 200 ? length : 200),
             clean);
    free(clean);
}

#if LIBXML_VERSION >= 21200
static void meet_fault(void *user, const xmlError *fault)
#else
static void meet_fault(void *user, xmlErrorPtr fault)
#endif
{
    keep_fault(user, fault);
}

void xml_input_open(struct xml_input *xml, struct import_input *input)
{
    memset(xml, 0, sizeof *xml);
    xml->input = input;
    /* The input decodes: what the declaration says of the encoding is history. */
    xml->reader = xmlReaderForIO(give, NULL, xml, NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_COMPACT);
    if (xml->reader)
        xmlTextReaderSetStructuredErrorHandler(xml->reader, meet_fault, xml);
}

void xml_input_close(struct xml_input *xml)
{
    xmlFreeTextReader(xml->reader);
    xml->reader = NULL;
}

bool xml_input_next(struct xml_input *xml)
{
    int result = xml->reader ? xmlTextReaderRead(xml->reader) : -1;

    if (result == 1)
        return true;
    if (result < 0 && !*xml->fault)
        snprintf(xml->fault, sizeof xml->fault, "the document is malformed");
    return false;
}
