#include "presentmon.h"

#include "stutterscope/base/clock.h"
#include <stdio.h>
#include <string.h>

#define MS NS_PER_MS

/* Names of all generations, lower case without underscores; the first that is there counts. */
static const struct {
    enum pm_field field;
    const char *name;
} aliases[] = {
    {PM_APPLICATION, "application"},
    {PM_PROCESS, "processid"},
    {PM_CHAIN, "swapchainaddress"},
    {PM_FRAME_TIME, "msbetweenpresents"},
    {PM_FRAME_TIME, "frametime"},
    {PM_FRAME_TIME, "msbetweenappstart"},
    {PM_CPU_BUSY, "cpubusy"},
    {PM_CPU_BUSY, "mscpubusy"},
    {PM_CPU_WAIT, "cpuwait"},
    {PM_CPU_WAIT, "mscpuwait"},
    {PM_IN_PRESENT, "msinpresentapi"},
    {PM_GPU, "msgpuactive"},
    {PM_GPU, "gpubusy"},
    {PM_GPU, "msgpubusy"},
    {PM_GPU, "gputime"},
    {PM_GPU, "msgputime"},
    {PM_DISPLAY_CHANGE, "msbetweendisplaychange"},
    {PM_DISPLAYED_TIME, "displayedtime"},
    {PM_DISPLAYED_TIME, "msdisplayedtime"},
    {PM_UNTIL_DISPLAYED, "msuntildisplayed"},
    {PM_DISPLAY_LATENCY, "displaylatency"},
    {PM_DISPLAY_LATENCY, "msdisplaylatency"},
    {PM_DROPPED, "dropped"},
    {PM_FRAME_TYPE, "frametype"},
    {PM_OS, "os"},
    {PM_GPU_NAME, "gpu"},
    {PM_CPU_NAME, "processor"},
    {PM_CPU_NAME, "cpu"},
    {PM_COMMENT, "comment"},
    {PM_MOTHERBOARD, "motherboard"},
};

static const struct {
    const char *name;
    enum pm_clock clock;
    int64_t scale;
    bool is_start;
} clocks[] = {
    {"timeinseconds", PM_CLOCK_NS, NS_PER_S, false}, {"timeinms", PM_CLOCK_NS, MS, false},
    {"timeinqpc", PM_CLOCK_TICKS, 1, false},         {"cpustarttimeinseconds", PM_CLOCK_NS, NS_PER_S, true},
    {"cpustarttimeinms", PM_CLOCK_NS, MS, true},     {"cpustartqpctime", PM_CLOCK_NS, MS, true},
    {"cpustartqpctimeinms", PM_CLOCK_NS, MS, true},  {"cpustarttime", PM_CLOCK_UNSURE, MS, true},
    {"timeindatetime", PM_CLOCK_NS, NS_PER_S, false}, {"cpustartdatetime", PM_CLOCK_NS, NS_PER_S, true},
    {"cpustartqpc", PM_CLOCK_TICKS, 1, true},        {"qpctime", PM_CLOCK_TICKS, 1, false},
};

static bool is_named(const struct table_field *field, const char *name)
{
    size_t mark = field->length >= 3 && memcmp(field->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* of a file that was appended */

    for (size_t i = mark; i < field->length; i++) {
        char c = field->text[i];

        if (c == '_' || c == ' ')
            continue;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c | 0x20);
        if (c != *name++)
            return false;
    }
    return *name == '\0';
}

static int find(const struct table_row *header, const char *name)
{
    for (size_t i = 0; i < header->count; i++) {
        if (is_named(&header->items[i], name))
            return (int)i;
    }
    return -1;
}

void pm_columns_find(const struct table_row *header, struct pm_columns *ret)
{
    memset(ret, 0, sizeof *ret);
    for (int i = 0; i < PM_FIELD_COUNT; i++)
        ret->at[i] = -1;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (ret->at[aliases[i].field] < 0)
            ret->at[aliases[i].field] = find(header, aliases[i].name);
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks && ret->at[PM_TIME] < 0; i++) {
        ret->at[PM_TIME] = find(header, clocks[i].name);
        ret->clock = ret->at[PM_TIME] < 0 ? PM_CLOCK_NONE : clocks[i].clock;
        ret->time_scale = clocks[i].scale;
        ret->time_is_start = clocks[i].is_start;
    }
    ret->frame_time_sum =
        ret->at[PM_FRAME_TIME] < 0 && ret->at[PM_CPU_BUSY] >= 0 && ret->at[PM_CPU_WAIT] >= 0;
    ret->version = ret->at[PM_MOTHERBOARD] >= 0                               ? "OCAT"
                   : ret->at[PM_GPU_NAME] >= 0 && ret->at[PM_CPU_NAME] >= 0   ? "FrameView"
                   : ret->at[PM_CPU_BUSY] >= 0 || ret->at[PM_FRAME_TYPE] >= 0 ? "PresentMon 2"
                                                                              : "PresentMon 1";
}

static const struct table_field *field_of(const struct pm_columns *columns, const struct table_row *fields,
                                          enum pm_field field)
{
    int at = columns->at[field];

    return at >= 0 && (size_t)at < fields->count ? &fields->items[at] : NULL;
}

static enum number_fault read(const struct pm_columns *columns, const struct table_row *fields,
                              enum pm_field field, int64_t scale, int64_t *ret)
{
    const struct table_field *text = field_of(columns, fields, field);

    *ret = VALUE_UNKNOWN;
    return text ? number_parse_scaled(text->text, text->length, scale, true, ret) : NUMBER_EMPTY;
}

static int64_t read_ms(const struct pm_columns *columns, const struct table_row *fields, enum pm_field field)
{
    int64_t value;

    read(columns, fields, field, MS, &value);
    return value;
}

/* "2024-5-1 9:03:07.123456789", as --date_time writes it: no zeros before month, day, hour. */
static int64_t read_date_time(const struct table_field *field)
{
    int year, month, day, hour, minute, second, used = 0;
    int64_t ms, fraction = 0;
    char text[48];

    if (!field || field->length == 0 || field->length >= sizeof text)
        return VALUE_UNKNOWN;
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    if (sscanf(text, "%4d-%2d-%2d%*1[ T]%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second, &used) != 6 || !used)
        return VALUE_UNKNOWN;
    if (text[used] && (text[used] != '.' || number_parse_scaled(text + used, strlen(text + used), NS_PER_S, true, &fraction) != NUMBER_OK))
        return VALUE_UNKNOWN;
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute, second);
    if (year < 1970 || year > 2200 || fraction < 0 || fraction >= NS_PER_S) /* beyond 2262 ns do not fit */
        return VALUE_UNKNOWN;
    return clock_parse(text, &ms) ? ms * MS + fraction : VALUE_UNKNOWN;
}

static void read_time(const struct pm_columns *columns, const struct table_row *fields, struct pm_row *row)
{
    row->time = VALUE_UNKNOWN;
    row->time_is_date = false;
    if (columns->clock == PM_CLOCK_NONE || read(columns, fields, PM_TIME, columns->time_scale, &row->time) == NUMBER_OK)
        return;
    row->time = read_date_time(field_of(columns, fields, PM_TIME));
    row->time_is_date = row->time != VALUE_UNKNOWN;
}

/* Told by Dropped, else by a display interval or latency that is absent or zero. */
static void read_dropped(const struct pm_columns *columns, const struct table_row *fields, struct pm_row *row)
{
    static const enum pm_field signs[] = {PM_DISPLAYED_TIME, PM_DISPLAY_CHANGE, PM_UNTIL_DISPLAYED};
    const struct table_field *dropped = field_of(columns, fields, PM_DROPPED);
    int64_t value;

    if (dropped && !number_is_absent(dropped->text, dropped->length)) {
        row->dropped = !table_field_equals(dropped, "0") && !table_field_equals(dropped, "false");
        row->display_known = true;
        return;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (!field_of(columns, fields, signs[i]))
            continue;
        value = read_ms(columns, fields, signs[i]);
        row->dropped = value == VALUE_UNKNOWN || value == 0;
        row->display_known = true;
        return;
    }
}

static void read_type(const struct pm_columns *columns, const struct table_row *fields, struct pm_row *row)
{
    const struct table_field *type = field_of(columns, fields, PM_FRAME_TYPE);

    if (!type || number_is_absent(type->text, type->length) || table_field_equals(type, "Application") ||
        table_field_equals(type, "NotSet") || table_field_equals(type, "Not_Set") ||
        table_field_equals(type, "0"))
        return;
    row->repeated = table_field_equals(type, "Repeated");
    row->generated = !row->repeated;
}

bool pm_row_parse(const struct pm_columns *columns, const struct table_row *fields, struct pm_row *row,
                  enum reject_reason *ret_fault)
{
    enum number_fault fault;
    int64_t wait;

    row->cpu_busy = read_ms(columns, fields, PM_CPU_BUSY);
    fault = read(columns, fields, PM_FRAME_TIME, MS, &row->frame_time);
    if (columns->frame_time_sum) {
        wait = read_ms(columns, fields, PM_CPU_WAIT);
        fault = wait == VALUE_UNKNOWN || row->cpu_busy == VALUE_UNKNOWN ? NUMBER_EMPTY : NUMBER_OK;
        row->frame_time = fault == NUMBER_OK ? row->cpu_busy + wait : VALUE_UNKNOWN;
    }
    row->in_present = read_ms(columns, fields, PM_IN_PRESENT);
    row->gpu = read_ms(columns, fields, PM_GPU);
    row->display_change = read_ms(columns, fields, PM_DISPLAY_CHANGE);
    row->displayed_time = read_ms(columns, fields, PM_DISPLAYED_TIME);
    row->until_displayed = read_ms(columns, fields, PM_UNTIL_DISPLAYED);
    row->display_latency = read_ms(columns, fields, PM_DISPLAY_LATENCY);
    row->dropped = row->generated = row->repeated = row->display_known = false;
    read_dropped(columns, fields, row);
    read_type(columns, fields, row);
    read_time(columns, fields, row);
    if ((row->generated || row->repeated) && fault == NUMBER_EMPTY) {
        row->frame_time = VALUE_UNKNOWN; /* it was shown, but the application made no frame */
        return true;
    }
    if (fault != NUMBER_OK)
        *ret_fault = reject_reason_of(fault);
    else if (row->frame_time < 1000)
        *ret_fault = row->frame_time < 0 ? REJECT_NEGATIVE : REJECT_ZERO;
    else if (columns->clock != PM_CLOCK_NONE && row->time == VALUE_UNKNOWN)
        *ret_fault = REJECT_BAD_STAMP;
    else
        return true;
    return false;
}
