/*
 * Usage, help, and the program's tables for man pages and completions.
 */
#include "invocation.h"
#include "stutterscope/model/filter.h"
#include "stutterscope/ticket/config.h"
#include "stutterscope/base/text.h"
#include "stutterscope/import/import.h"
#include "stutterscope/view/action.h"
#include "stutterscope/view/theme.h"
#include <stdio.h>
#include <string.h>

void print_usage(void)
{
    fputs("stutterscope: find, judge and report stutter in mobile games\n"
          "\n"
          "    stutterscope [STORE]              browse (in a terminal)\n"
          "    stutterscope demo                 browse the sample telemetry\n"
          "    stutterscope import FILE...       bring telemetry into the store\n"
          "    stutterscope VERB [options]       figures as text, --csv or --json\n"
          "    stutterscope --help               verbs; VERB --help: its options\n",
          stderr);
}

/* Where an option gives what it elsewhere looks for. */
static const char *option_help(const char *verb, enum option option)
{
    static const struct {
        const char *verb;
        enum option option;
        const char *help;
    } own[] = {
        {"import", OPTION_BUILD, "the build that the frames are of, over what the file says; of a server: the one to take"},
        {"import", OPTION_DEVICE, "the device model that they are of, over what the file says"},
        {"import", OPTION_SCENE, "the scene that they are of, over what the file says"},
        {"import", OPTION_QUALITY, "the quality level that they are of, over what the file says"},
        {"import", OPTION_RUN, "the name of the run, over what the file says"},
    };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i].option == option && strcmp(own[i].verb, verb) == 0)
            return own[i].help;
    return option_table[option].help;
}

static void add_options(struct text_buffer *out, const char *verb, const enum option *options)
{
    for (; *options != OPTION_COUNT; options++) {
        const struct option_info *info = &option_table[*options];
        char name[64];

        snprintf(name, sizeof name, "--%s%s%s", info->name, info->argument ? " " : "", info->argument ? info->argument : "");
        text_add_print(out, "  %-28s %s\n", name, option_help(verb, *options));
    }
}

static void add_program_help(struct text_buffer *out)
{
    text_add(out, "stutterscope: find, judge and report stutter in mobile games\n\n"
                  "    stutterscope [STORE]            browse\n"
                  "    stutterscope VERB [options]\n\nVerbs:\n");
    for (size_t i = 0; i < verb_count; i++)
        text_add_print(out, "  %-10s %-12s %s\n", verb_table[i].name, verb_table[i].operands, verb_table[i].summary);
    text_add(out, "\nOptions of every verb:\n");
    add_options(out, "", common_options);
    text_add(out, "\nOptions without a verb:\n");
    add_options(out, "", browse_verb.options);
    text_add(out, "\nExit status: 0 done or clean, 1 something was found (gate, verify, check, ticket --check-template), 2 trouble, 3 data is\n"
                  "missing (gate, verify).\n");
}

char *verb_help_text(const struct verb *verb)
{
    struct text_buffer out = {0};

    if (!verb) {
        add_program_help(&out);
        return text_take(&out);
    }
    text_add_print(&out, "stutterscope %s%s%s\n\n%s.\n", verb->name, *verb->operands ? " " : "", verb->operands, verb->summary);
    if (verb->details)
        text_add_print(&out, "%s\n", verb->details);
    text_add(&out, "\nOptions:\n");
    add_options(&out, verb->name, verb->options);
    add_options(&out, verb->name, common_options);
    return text_take(&out);
}

static void table_verbs(void)
{
    for (size_t i = 0; i < verb_count; i++)
        printf("%s\t%s\t%s\n", verb_table[i].name, verb_table[i].operands, verb_table[i].summary);
}

/* The verbs that only look at the store, with the options that change that. For scripts/run. */
static void table_reads(void)
{
    for (size_t i = 0; i < verb_count; i++) {
        const enum option *changing = verb_table[i].changing;

        if (changing == changes_always)
            continue;
        printf("%s\t", verb_table[i].name);
        for (; changing && *changing != OPTION_COUNT; changing++)
            printf("--%s%s", option_table[*changing].name, changing[1] == OPTION_COUNT ? "" : " ");
        printf("\n");
    }
}

static void option_line(const char *verb, enum option option)
{
    const struct option_info *info = &option_table[option];

    printf("%s\t--%s\t%s\t%s\n", verb, info->name, info->argument ? info->argument : "", option_help(verb, option));
}

static void table_options(void)
{
    for (const enum option *option = common_options; *option != OPTION_COUNT; option++)
        option_line("", *option);
    for (const enum option *option = browse_verb.options; *option != OPTION_COUNT; option++)
        option_line("browse", *option);
    for (size_t i = 0; i < verb_count; i++)
        for (const enum option *option = verb_table[i].options; *option != OPTION_COUNT; option++)
            option_line(verb_table[i].name, *option);
}

static void table_actions(void)
{
    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
        const struct action_info *info = action_info((enum action)action);

        if (info->keys && *info->keys)
            printf("%s\t%s\t%s\n", info->keys, info->name, info->help);
    }
}

static void table_formats(void)
{
    for (const struct import_format *const *format = import_formats; *format; format++)
        printf("%s\t%s\t%s\n", (*format)->name, (*format)->title, (*format)->recognised_by);
}

static void table_columns(void)
{
    static const struct {
        const char *name, *help;
    } frame_columns[] = {
        {"timestamp_ms", "end of the frame, since the start of the run or since any epoch"},
        {"frame_time_ms", "how long the frame took"},
        {"cpu_frame_ms", "CPU time of the frame"},
        {"gpu_frame_ms", "GPU time of the frame"},
        {"event_name", "what the game did in this frame"},
        {"step", "step of the automated scenario"},
        {"gc_alloc_bytes", "bytes allocated on the managed heap in this frame"},
        {"draw_calls", "draw calls of the frame"},
        {"memory_bytes", "memory in use"},
        {"thermal_state", "thermal state as the system reports it"},
        {"screenshot", "file or address of a picture of this frame"},
    };

    for (size_t i = 0; i < sizeof frame_columns / sizeof *frame_columns; i++)
        printf("%s\t\t%s\n", frame_columns[i].name, frame_columns[i].help);
    for (size_t i = 0; i < CONTEXT_COUNT; i++)
        printf("%s\t%s\t%s\n", context_fields[i].column, context_fields[i].option ? context_fields[i].option : "", context_fields[i].help);
}

/* action, keys, what it does: by the names of the configuration */
static void table_keys(void)
{
    for (int action = ACTION_NONE + 1; action < ACTION_TABLE_COUNT; action++) {
        const struct action_info *info = action_info((enum action)action);

        if (info->keys && *info->keys)
            printf("%s\t%s\t%s\n", info->name, info->keys, info->help);
    }
}

/* role as the configuration writes it, what it is */
static void table_roles(void)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        for (const char *at = role_name((enum role)role); *at; at++)
            putchar(*at == ' ' ? '-' : *at);
        printf("\t%s\n", role_help((enum role)role));
    }
}

/* key, number or text, what it is */
static void table_filter(void)
{
    for (int key = 0; key < FILTER_KEY_COUNT; key++) {
        const struct filter_key_info *info = filter_key_info((enum filter_key)key);

        printf("%s\t%s\t%s\n", *info->name ? info->name : "WORD", info->number ? ">NUMBER" : *info->name ? ":VALUE" : "", info->help);
    }
}

/* list, name, kinds, what it is: sorted by list */
static void table_names(void)
{
    struct ticket_names names = {0};
    char kinds[80];

    if (!ticket_list_names(&names, NULL))
        return; /* an empty table is an error of whoever asked for it */
    for (size_t i = 0; i < names.count; i++)
        printf("%s\t%s\t%s\t%s\n", names.items[i].list, names.items[i].name, ticket_print_kinds(names.items[i].kinds, kinds, sizeof kinds),
               names.items[i].help);
    ticket_names_free(&names);
}

static void table_ticket(void)
{
    for (const struct ticket_setting *setting = ticket_settings; setting->name; setting++)
        printf("%s\t%s\t%s\n", setting->name, setting->argument, setting->help);
}

int print_program_table(const char *name, struct error *error)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } tables[] = {
        {"verbs", table_verbs}, {"reads", table_reads}, {"options", table_options}, {"actions", table_actions}, {"formats", table_formats}, {"columns", table_columns}, {"names", table_names}, {"ticket", table_ticket}, {"filter", table_filter}, {"keys", table_keys}, {"roles", table_roles},
    };

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, name) == 0) {
            tables[i].print();
            return EXIT_DONE;
        }
    error_set(error, ERROR_USAGE, "--print-table: no table \"%s\"", name);
    return EXIT_TROUBLE;
}
