#include "xctrace.h"

#include "xml_input.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/number.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST      12   /* elements in a cell */
#define LONGEST_TEXT 1000
#define FREE_NUMBERS 1024 /* ids may run so far ahead of the elements */
#define MOST_COLUMNS 64
#define MOST_LISTED  400  /* bytes */

static const struct {
    const char *name;
    enum xct_table table;
} tables[] = {{"hitches", XCT_HITCHES},
              {"displayed-surfaces-interval", XCT_SURFACES},
              {"display-surface-swap", XCT_SWAPS},
              {"display-vsyncs-interval", XCT_VSYNCS},
              {"device-display-info", XCT_DISPLAYS},
              {"hitches-renders", XCT_RENDERS}};

static const struct {
    const char *name;
    enum xct_column column;
} mnemonics[] = {{"start", XCT_START},
                 {"timestamp", XCT_START},
                 {"duration", XCT_DURATION},
                 {"display", XCT_DISPLAY},
                 {"display-name", XCT_DISPLAY},
                 {"process", XCT_PROCESS},
                 {"is-system", XCT_IS_SYSTEM},
                 {"narrative-description", XCT_NARRATIVE},
                 {"event-label", XCT_LABEL},
                 {"max-refresh-rate", XCT_REFRESH},
                 {"is-main-display", XCT_IS_MAIN}};

static const struct xct_value nothing = {VALUE_UNKNOWN, 0, 0};

struct element {
    int64_t id; /* -1: none */
    bool is_process, resolved;
    struct xct_value value;
    struct text_buffer text;
    char *words; /* fmt=; NULL */
};

struct parsing {
    struct xct_rows *rows;
    xmlTextReaderPtr xml;
    struct { struct xct_value *items; size_t count, capacity; } known; /* by id */
    int64_t elements;
    enum xct_table table;
    int columns[MOST_COLUMNS]; /* enum xct_column or -1 */
    size_t column_count;
    bool in_row, in_mnemonic;
    int row_depth;
    int64_t row_line;
    size_t cell;
    struct xct_value cells[XCT_COLUMN_COUNT];
    struct element open[DEEPEST];
    int level; /* elements open in the row; those from DEEPEST on are not looked at */
    struct text_buffer mnemonic;
    struct error *error;
};

static bool is_named(const xmlChar *name, const char *wanted)
{
    return name && strcmp((const char *)name, wanted) == 0;
}

/* ---- values ---- */

static int64_t attribute_number(xmlTextReaderPtr xml, const char *name)
{
    xmlChar *text = xmlTextReaderGetAttribute(xml, (const xmlChar *)name);
    int64_t number = -1;

    if (text && (number_parse_scaled((const char *)text, strlen((const char *)text), 1, false, &number) != NUMBER_OK ||
                 number < 0))
        number = -1;
    xmlFree(text);
    return number;
}

static void remember(struct parsing *parsing, int64_t id, struct xct_value value)
{
    if (id < 0 || id > parsing->elements + FREE_NUMBERS)
        return;
    while (parsing->known.count <= (size_t)id)
        array_push(&parsing->known, nothing);
    parsing->known.items[id] = value;
}

static struct xct_value recall(struct parsing *parsing, int64_t id)
{
    if (id >= 0 && (size_t)id < parsing->known.count)
        return parsing->known.items[id];
    parsing->rows->lost_references++;
    return nothing;
}

static uint32_t add_text(struct parsing *parsing, const char *text, size_t length)
{
    char *clean;
    uint32_t id;

    if (length == 0)
        return 0;
    clean = text_clean(text, length < LONGEST_TEXT ? length : LONGEST_TEXT);
    id = dictionary_add(parsing->rows->texts, clean, strlen(clean));
    free(clean);
    return id;
}

/* "Direct to Display (Surface 1, TestApp (12345) :Frame 17 :Surface 1)": "TestApp (12345)" */
static uint32_t process_in_label(struct parsing *parsing, const char *label)
{
    const char *end = strstr(label, ") :Frame "), *begin = label;

    if (!end)
        return 0;
    for (const char *comma = strstr(begin, ", "); comma && comma < end; comma = strstr(begin, ", "))
        begin = comma + 2;
    return add_text(parsing, begin, (size_t)(end + 1 - begin));
}

static void finish_value(struct parsing *parsing, struct element *element)
{
    const char *text = element->text.count ? element->text.items : "";
    const char *words = element->words ? element->words : text;
    struct xct_value *value = &element->value;

    if (element->resolved)
        return;
    if (number_parse_scaled(text, strlen(text), 1, false, &value->number) != NUMBER_OK)
        value->number = VALUE_UNKNOWN;
    if (element->is_process)
        value->text = value->process = add_text(parsing, words, strlen(words));
    else if (!value->process && strstr(words, " :Frame "))
        value->process = process_in_label(parsing, words); /* a label is different in each row: not kept */
    else if (value->number == VALUE_UNKNOWN && !value->process && element->text.count > 0)
        value->text = add_text(parsing, text, strlen(text));
    remember(parsing, element->id, *value);
}

/* ---- elements of a row ---- */

static void end_element(struct parsing *parsing)
{
    struct element *element;

    if (parsing->level-- > DEEPEST)
        return;
    element = &parsing->open[parsing->level];
    finish_value(parsing, element);
    if (parsing->level > 0 && element->value.process && !parsing->open[parsing->level - 1].value.process)
        parsing->open[parsing->level - 1].value.process = element->value.process;
    if (parsing->level == 0) {
        if (parsing->cell < parsing->column_count && parsing->columns[parsing->cell] >= 0)
            parsing->cells[parsing->columns[parsing->cell]] = element->value;
        parsing->cell++;
    }
    free(text_take(&element->text));
    xmlFree(element->words);
    element->words = NULL;
}

static void begin_element(struct parsing *parsing, const xmlChar *name)
{
    bool is_empty = xmlTextReaderIsEmptyElement(parsing->xml);
    int64_t reference = attribute_number(parsing->xml, "ref");

    parsing->elements++;
    if (parsing->level++ < DEEPEST) {
        struct element *element = &parsing->open[parsing->level - 1];

        *element = (struct element){.id = -1, .value = nothing, .is_process = is_named(name, "process")};
        if (reference >= 0) {
            element->resolved = true;
            element->value = recall(parsing, reference);
        } else {
            element->id = attribute_number(parsing->xml, "id");
            element->words = (char *)xmlTextReaderGetAttribute(parsing->xml, (const xmlChar *)"fmt");
        }
    }
    if (is_empty)
        end_element(parsing);
}

static bool end_row(struct parsing *parsing)
{
    parsing->in_row = false;
    return parsing->rows->row(parsing->rows->user, parsing->table, parsing->cells, parsing->row_line, parsing->error);
}

static void begin_row(struct parsing *parsing)
{
    parsing->in_row = true;
    parsing->row_depth = xmlTextReaderDepth(parsing->xml);
    parsing->row_line = xmlTextReaderGetParserLineNumber(parsing->xml);
    parsing->cell = 0;
    parsing->level = 0;
    for (size_t i = 0; i < XCT_COLUMN_COUNT; i++)
        parsing->cells[i] = nothing;
}

/* ---- the rest of the file ---- */

static void begin_schema(struct parsing *parsing)
{
    xmlChar *name = xmlTextReaderGetAttribute(parsing->xml, (const xmlChar *)"name");
    struct text_buffer *list = &parsing->rows->tables;

    parsing->table = XCT_OTHER;
    parsing->column_count = 0;
    for (size_t i = 0; name && i < sizeof tables / sizeof *tables; i++) {
        if (is_named(name, tables[i].name))
            parsing->table = tables[i].table;
    }
    if (name && list->count < MOST_LISTED) {
        char *clean = text_clean((const char *)name, strnlen((const char *)name, 80));

        text_add_print(list, "%s%s", list->count ? ", " : "", clean);
        free(clean);
    }
    xmlFree(name);
}

static void end_mnemonic(struct parsing *parsing)
{
    int column = -1;

    for (size_t i = 0; parsing->mnemonic.count && i < sizeof mnemonics / sizeof *mnemonics; i++) {
        if (strcmp(parsing->mnemonic.items, mnemonics[i].name) == 0)
            column = (int)mnemonics[i].column;
    }
    if (parsing->column_count < MOST_COLUMNS)
        parsing->columns[parsing->column_count++] = column;
    free(text_take(&parsing->mnemonic));
    parsing->in_mnemonic = false;
}

static char *attribute_text(xmlTextReaderPtr xml, const char *name)
{
    xmlChar *text = xmlTextReaderGetAttribute(xml, (const xmlChar *)name);
    char *clean = text ? text_clean((const char *)text, strnlen((const char *)text, 200)) : NULL;

    xmlFree(text);
    return clean;
}

static void take_device(struct parsing *parsing)
{
    struct xct_rows *rows = parsing->rows;

    if (!rows->is_contents || rows->device)
        return;
    rows->device = attribute_text(parsing->xml, "model");
    rows->os = attribute_text(parsing->xml, "os-version");
}

static bool meet_element(struct parsing *parsing)
{
    const xmlChar *name = xmlTextReaderConstLocalName(parsing->xml);

    if (parsing->in_row) {
        begin_element(parsing, name);
        return true;
    }
    if (is_named(name, "schema")) {
        begin_schema(parsing);
    } else if (is_named(name, "mnemonic")) {
        parsing->in_mnemonic = !xmlTextReaderIsEmptyElement(parsing->xml);
        if (!parsing->in_mnemonic)
            end_mnemonic(parsing);
    } else if (is_named(name, "row")) {
        begin_row(parsing);
        if (xmlTextReaderIsEmptyElement(parsing->xml))
            return end_row(parsing);
    } else if (is_named(name, "trace-toc")) {
        parsing->rows->is_contents = true;
    } else if (is_named(name, "device")) {
        take_device(parsing);
    }
    return true;
}

static bool meet_end(struct parsing *parsing)
{
    if (parsing->in_row && xmlTextReaderDepth(parsing->xml) == parsing->row_depth)
        return end_row(parsing);
    if (parsing->in_row)
        end_element(parsing);
    else if (parsing->in_mnemonic && is_named(xmlTextReaderConstLocalName(parsing->xml), "mnemonic"))
        end_mnemonic(parsing);
    return true;
}

static void meet_text(struct parsing *parsing)
{
    const xmlChar *text = xmlTextReaderConstValue(parsing->xml);
    struct text_buffer *place = NULL;

    if (parsing->in_row && parsing->level > 0 && parsing->level <= DEEPEST)
        place = &parsing->open[parsing->level - 1].text;
    else if (parsing->in_mnemonic)
        place = &parsing->mnemonic;
    if (text && place && place->count < LONGEST_TEXT)
        text_add_bytes(place, (const char *)text, strnlen((const char *)text, LONGEST_TEXT));
}

static bool meet_node(struct parsing *parsing)
{
    switch (xmlTextReaderNodeType(parsing->xml)) {
    case XML_READER_TYPE_ELEMENT:
        return meet_element(parsing);
    case XML_READER_TYPE_END_ELEMENT:
        return meet_end(parsing);
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
        meet_text(parsing);
        return true;
    case XML_READER_TYPE_DOCUMENT_TYPE:
        return error_set(parsing->error, ERROR_INPUT,
                         "line %d: declares a document type. xctrace writes none: this is not its export.",
                         xmlTextReaderGetParserLineNumber(parsing->xml));
    default:
        return true;
    }
}

/* ---- the file ---- */

static void close_elements(struct parsing *parsing)
{
    for (int i = 0; i < DEEPEST; i++) {
        free(text_take(&parsing->open[i].text));
        xmlFree(parsing->open[i].words);
    }
    free(text_take(&parsing->mnemonic));
    array_free(&parsing->known);
}

bool xct_read_rows(struct xct_rows *rows, struct import_input *input, struct error *error)
{
    struct parsing parsing = {.rows = rows, .error = error};
    struct xml_input xml;
    bool fine = true;

    xml_input_open(&xml, input);
    parsing.xml = xml.reader;
    while (fine && xml_input_next(&xml))
        fine = meet_node(&parsing);
    if (fine && *xml.fault)
        rows->fault = memory_copy_text(xml.fault);
    xml_input_close(&xml);
    close_elements(&parsing);
    return fine && import_input_end(input, error);
}
