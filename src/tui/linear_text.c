/* What is on a canvas, for the ear: text without drawing. */
#include "stutterscope/tui/linear.h"

#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

/* Lines, blocks, plots: they would be read out one by one. */
static bool is_drawing(uint32_t character)
{
    return (character >= 0x2500 && character <= 0x259f) || (character >= 0x2800 && character <= 0x28ff) || character == 0x2060 ||
           (character >= 0x2190 && character <= 0x2193 && character != 0x2192);
}

static bool is_selected(const struct canvas_cell *cell)
{
    enum role role = STYLE_ROLE(cell->style);

    return role == ROLE_SELECTED || role == ROLE_CURSOR || (cell->style & STYLE_CURSOR) != 0;
}

/* Many blanks are a gap between columns: one mark for all. */
static void add_row(struct text_buffer *out, const struct canvas *canvas, int row)
{
    struct text_buffer line = {0};
    bool selected = false;
    int blanks = 0;

    for (int column = 0; column < canvas_columns(canvas); column++) {
        const struct canvas_cell *cell = canvas_cell(canvas, row, column);
        uint32_t character = 0;

        if (cell->width == 0)
            continue;
        text_decode(cell->text, &character);
        selected |= is_selected(cell);
        if (character == ' ' || character == 0x25b8 /* beside what is chosen or folded */ || is_drawing(character)) {
            blanks++;
            continue;
        }
        if (line.count && blanks)
            text_add(&line, blanks > 1 ? ", " : " ");
        blanks = 0;
        text_add(&line, cell->text);
    }
    if (line.count)
        text_add_print(out, "%s%s\n", selected ? "> " : "", line.items);
    free(line.items);
}

char *linear_text(const struct canvas *canvas)
{
    struct text_buffer out = {0};

    text_add(&out, "");
    for (int row = 0; row < canvas_rows(canvas); row++)
        add_row(&out, canvas, row);
    return text_take(&out);
}
