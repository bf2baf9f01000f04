#include "stutterscope/view/canvas.h"

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

struct area area_take_top(struct area *area, int rows)
{
    struct area taken = *area;
    taken.rows = between(rows, 0, area->rows);
    area->row += taken.rows;
    area->rows -= taken.rows;
    return taken;
}

struct area area_take_bottom(struct area *area, int rows)
{
    struct area taken = *area;
    taken.rows = between(rows, 0, area->rows);
    area->rows -= taken.rows;
    taken.row = area->row + area->rows;
    return taken;
}

struct area area_take_left(struct area *area, int columns)
{
    struct area taken = *area;
    taken.columns = between(columns, 0, area->columns);
    area->column += taken.columns;
    area->columns -= taken.columns;
    return taken;
}

struct area area_take_right(struct area *area, int columns)
{
    struct area taken = *area;
    taken.columns = between(columns, 0, area->columns);
    area->columns -= taken.columns;
    taken.column = area->column + area->columns;
    return taken;
}

struct area area_inside(struct area area)
{
    return area_centre(area, area.rows - 2, area.columns - 2);
}

struct area area_centre(struct area area, int rows, int columns)
{
    rows = between(rows, 0, area.rows);
    columns = between(columns, 0, area.columns);
    return (struct area){area.row + (area.rows - rows) / 2, area.column + (area.columns - columns) / 2, rows,
                         columns};
}

bool area_contains(struct area area, int row, int column)
{
    return row >= area.row && row < area.row + area.rows && column >= area.column &&
           column < area.column + area.columns;
}
