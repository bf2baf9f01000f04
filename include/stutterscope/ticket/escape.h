/*
 * Makes a value harmless for the language of the text it is put into. A value shows literally there, whatever
 * it is: it cannot format, link, mention, calculate or end the field it stands in.
 */
#ifndef STUTTERSCOPE_TICKET_ESCAPE_H
#define STUTTERSCOPE_TICKET_ESCAPE_H

#include "stutterscope/base/text.h"
#include <stdbool.h>

enum escape_kind {
    ESCAPE_NONE,
    ESCAPE_HTML,     /* text and quoted attributes */
    ESCAPE_MARKDOWN, /* GitHub and GitLab: paragraphs, headings, lists, table cells; not inside code or a link
                        target */
    ESCAPE_JIRA,     /* wiki markup: the same places, not inside {code} or {noformat} */
    ESCAPE_JSON,     /* the inside of a string */
    ESCAPE_CSV /* one whole field, with its quotes where it needs them; not a formula for a spreadsheet */
};

/*
 * Adds the text, escaped, to the buffer. Markdown and Jira: line ends become blanks. Markdown puts text with
 * mentions, issue and commit references, emoji or addresses into `code`, where nobody looks for them; where that is
 * not possible it breaks them with U+200B (as &#8203;): an entity alone would not stop them, since those are
 * searched for after entities are decoded.
 */
void escape_add(struct text_buffer *buffer, enum escape_kind kind, const char *text);

/*
 * Whether the text is an http or https address of harmless characters only, so that it may stand raw as the
 * target of a link in Markdown, Jira and HTML ("&" included: HTML attributes want it escaped).
 */
bool escape_is_safe_address(const char *text);

#endif
