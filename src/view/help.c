#include "stutterscope/view/help.h"

#include "stutterscope/view/pager.h"
#include <stdlib.h>
#include <string.h>

#define KEYS_WIDTH 16

static void add_padded(struct text_buffer *out, const char *text, size_t columns)
{
    text_add(out, text);
    for (size_t width = text_width(text); width < columns; width++)
        text_add(out, " ");
}

static void add_group(struct text_buffer *out, const struct keymap *keymap, enum action_group group,
                      enum screen_kind kind)
{
    bool first = true;
    for (int i = ACTION_NONE + 1; i < ACTION_TABLE_COUNT; i++) {
        enum action action = (enum action)i;
        if (action_info(action)->group != group || !action_is_on(action, kind))
            continue;
        char keys[128];
        if (first)
            text_add_print(out, "%s# %s\n", out->count ? "\n" : "", action_group_name(group));
        first = false;
        keymap_print_all(keymap, action, keys, sizeof keys);
        text_add(out, "  ");
        add_padded(out, *keys ? keys : "(no key)", KEYS_WIDTH);
        text_add_print(out, " %s\n", action_help(action, kind));
    }
}

char *help_text(const struct keymap *keymap, enum screen_kind kind)
{
    struct text_buffer out = {0};
    for (int group = 0; group < GROUP_COUNT; group++)
        add_group(&out, keymap, (enum action_group)group, kind);
    text_add(&out, "\nSmall letters look, CAPITALS decide; u takes back any decision.\n");
    return text_take(&out);
}

struct screen *help_open(const struct keymap *keymap, enum screen_kind kind)
{
    struct text_buffer title = {0};
    text_add_print(&title, "keys on %s", screen_kind_name(kind));
    char *text = help_text(keymap, kind), *head = text_take(&title);
    struct screen *screen = pager_open(head, text);
    free(text);
    free(head);
    return screen;
}

/* roff reads a leading point or apostrophe as a request, and a hyphen as a hyphen. */
static void add_roff(struct text_buffer *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        if ((*at == '.' || *at == '\'') && at == text)
            text_add(out, "\\&");
        if (*at == '\\')
            text_add(out, "\\e");
        else if (*at == '-')
            text_add(out, "\\-");
        else
            text_add_bytes(out, at, 1);
    }
}

static void add_manual_entry(struct text_buffer *out, const struct keymap *keymap, enum action action)
{
    const struct action_info *info = action_info(action);
    char keys[128];
    keymap_print_all(keymap, action, keys, sizeof keys);
    text_add(out, ".TP\n.B ");
    add_roff(out, keys);
    text_add(out, "\n");
    add_roff(out, info->help);
    text_add(out, ".\n");
    bool first = true;
    for (int kind = 0; kind < SCREEN_COUNT; kind++) {
        if (info->on[kind] == NULL || info->on[kind][0] == '\0')
            continue;
        text_add_print(out, "%s%s: ", first ? "" : "; ", screen_kind_name((enum screen_kind)kind));
        add_roff(out, info->on[kind]);
        first = false;
    }
    text_add(out, first ? "" : ".\n");
    int there = 0;
    for (int kind = 0; kind < SCREEN_COUNT; kind++)
        there += info->on[kind] != NULL;
    if (there == SCREEN_COUNT)
        return;
    text_add(out, "On ");
    for (int kind = 0, named = 0; kind < SCREEN_COUNT; kind++)
        if (info->on[kind] != NULL)
            text_add_print(out, "%s%s", named++ ? ", " : "", screen_kind_name((enum screen_kind)kind));
    text_add(out, ".\n");
}

char *help_manual(const struct keymap *keymap)
{
    struct text_buffer out = {0};
    for (int group = 0; group < GROUP_COUNT; group++) {
        text_add_print(&out, ".SS %s\n", action_group_name((enum action_group)group));
        for (int i = ACTION_NONE + 1; i < ACTION_TABLE_COUNT; i++)
            if (action_info((enum action)i)->group == (enum action_group)group)
                add_manual_entry(&out, keymap, (enum action)i);
    }
    return text_take(&out);
}
