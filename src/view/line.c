#include "stutterscope/view/line.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void line_clear(struct line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        free(line->items[i].text);
        free(line->items[i].short_text);
    }
    array_free(line);
}

static struct line_part *add(struct line *line, int priority, unsigned style, char *text)
{
    array_push(line, (struct line_part){.text = text, .style = style, .priority = priority});
    return &line->items[line->count - 1];
}

struct line_part *line_add(struct line *line, int priority, unsigned style, const char *text)
{
    return add(line, priority, style, memory_copy_text(text ? text : ""));
}

struct line_part *line_print(struct line *line, int priority, unsigned style, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = memory_copy_text("");
    va_end(arguments);
    return add(line, priority, style, text);
}

struct line_part *line_add_two(struct line *line, int priority, unsigned style, const char *text,
                               const char *short_text)
{
    struct line_part *part = line_add(line, priority, style, text);
    part->short_text = memory_copy_text(short_text);
    return part;
}

void line_add_right(struct line *line, int priority, unsigned style, const char *text)
{
    line_add(line, priority, style, text)->right = true;
}

/* What is drawn of a part: which wording, how many columns of it. */
struct shown {
    const char *text;
    int width;
    bool gone;
};

static int priority_of(const struct line_part *part)
{
    return STYLE_ROLE(part->style) == ROLE_MISSING ? LINE_KEEP : part->priority;
}

static int total(const struct shown *shown, size_t count)
{
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += shown[i].gone ? 0 : shown[i].width;
    return sum;
}

static void cut_to(struct shown *shown, int least, int *excess)
{
    int give = shown->width - least;
    if (give > *excess)
        give = *excess;
    if (give > 0) {
        shown->width -= give;
        *excess -= give;
    }
}

/* All parts of one priority give way, the last one first, until nothing is in excess. */
static void give_way(const struct line *line, struct shown *shown, int priority, int *excess)
{
    for (size_t i = line->count; i-- > 0 && *excess > 0;) {
        const struct line_part *part = &line->items[i];
        if (priority_of(part) != priority || part->short_text == NULL)
            continue;
        int width = (int)text_width(part->short_text);
        if (width >= shown[i].width)
            continue;
        *excess -= shown[i].width - width;
        shown[i] = (struct shown){.text = part->short_text, .width = width};
    }
    for (size_t i = line->count; i-- > 0 && *excess > 0;)
        if (priority_of(&line->items[i]) == priority && line->items[i].least > 0)
            cut_to(&shown[i], line->items[i].least, excess);
    for (size_t i = line->count; i-- > 0 && *excess > 0 && priority != LINE_KEEP;) {
        if (priority_of(&line->items[i]) != priority)
            continue;
        *excess -= shown[i].width;
        shown[i].gone = true;
    }
}

/* Even what must stay is too wide: cut from the end, and words that say what is missing only after all
 * others. */
static void cut_what_stays(const struct line *line, struct shown *shown, int *excess)
{
    for (int missing = 0; missing < 2; missing++)
        for (size_t i = line->count; i-- > 0 && *excess > 0;)
            if (!shown[i].gone && (STYLE_ROLE(line->items[i].style) == ROLE_MISSING) == (missing == 1))
                cut_to(&shown[i], missing ? 0 : 1, excess);
    for (size_t i = line->count; i-- > 0 && *excess > 0;)
        if (!shown[i].gone)
            cut_to(&shown[i], 0, excess);
}

static int draw_part(struct canvas *canvas, int row, int column, const struct line_part *part,
                     const struct shown *shown)
{
    if (!shown->gone)
        canvas_put_field(canvas, row, column, shown->width, part->style, ALIGN_LEFT, CUT_END, shown->text);
    return shown->gone ? 0 : shown->width;
}

int line_width(const struct line *line)
{
    int sum = 0;
    for (size_t i = 0; i < line->count; i++)
        sum += (int)text_width(line->items[i].text);
    return sum;
}

void line_draw(struct canvas *canvas, int row, int column, int columns, const struct line *line)
{
    if (line->count == 0 || columns <= 0)
        return;
    struct shown *shown = memory_take_zeroed(line->count, sizeof *shown);
    int last = 0;
    for (size_t i = 0; i < line->count; i++) {
        shown[i] = (struct shown){.text = line->items[i].text, .width = (int)text_width(line->items[i].text)};
        if (priority_of(&line->items[i]) > last)
            last = priority_of(&line->items[i]);
    }
    int excess = total(shown, line->count) - columns;
    for (int priority = last; priority >= LINE_KEEP && excess > 0; priority--)
        give_way(line, shown, priority, &excess);
    if (excess > 0)
        cut_what_stays(line, shown, &excess);

    int right = column + columns, at = column;
    for (size_t i = 0; i < line->count; i++)
        if (line->items[i].right && !shown[i].gone)
            right -= shown[i].width;
    for (size_t i = 0; i < line->count; i++) {
        if (line->items[i].right)
            right += draw_part(canvas, row, right, &line->items[i], &shown[i]);
        else
            at += draw_part(canvas, row, at, &line->items[i], &shown[i]);
    }
    free(shown);
}
