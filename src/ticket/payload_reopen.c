/*
 * How somebody else comes to the same view: the command with store, settings and key, quoted for sh.
 */
#include "payload_parts.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/base/text.h"
#include <stdlib.h>
#include <string.h>

static void add_word(struct text_buffer *command, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";

    if (*word && strspn(word, plain) == strlen(word)) {
        text_add(command, word);
        return;
    }
    text_add(command, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(command, "'\\''");
        else
            text_add_bytes(command, word, 1);
    text_add(command, "'");
}

/* Nothing for the default store; "~" instead of the home folder, which is nobody else's and names a person.
 */
static void add_store(struct text_buffer *command, const char *path)
{
    char *usual = path_default_store();
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;

    if (strcmp(path, usual) != 0) {
        text_add(command, " ");
        if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/') {
            text_add(command, "~/");
            path += length + 1;
        } else if (*path == '-') {
            text_add(command, "./");
        }
        add_word(command, path);
    }
    free(usual);
}

struct json *payload_settings(const struct model *model)
{
    struct analysis_settings usual;
    struct json *object = json_object();
    size_t count;
    const struct analysis_setting *table = analysis_settings_table(&count);

    analysis_settings_default(&usual);
    for (size_t i = 0; i < count; i++) {
        char here[64], there[64];

        analysis_settings_print(model_settings(model), table[i].name, here, sizeof here);
        analysis_settings_print(&usual, table[i].name, there, sizeof there);
        if (strcmp(here, there) != 0)
            json_add(object, table[i].name, json_from_text(here));
    }
    return object;
}

static void add_settings(struct text_buffer *command, const struct model *model)
{
    struct json *settings = payload_settings(model);

    for (const struct json *item = json_first(settings); item; item = json_next(item)) {
        if (strcmp(json_name(item), "labels") == 0) { /* a switch; by default they are on */
            text_add(command, " --no-labels");
            continue;
        }
        text_add_print(command, " --%s ", json_name(item));
        add_word(command, json_text(item));
    }
    json_destroy(settings);
}

char *ticket_reopen_command(struct model *model, const char *key)
{
    struct text_buffer command = {0};
    char *clean;

    text_add(&command, "stutterscope");
    add_store(&command, model_path(model));
    if (strcmp(model_series(model), "nightly") != 0) {
        text_add(&command, " --series ");
        add_word(&command, model_series(model));
    }
    add_settings(&command, model);
    if (key) {
        text_add(&command, " --open ");
        add_word(&command, key);
    }
    clean = text_clean(command.items, command.count);
    array_free(&command);
    return clean;
}

struct json *payload_reopen(struct model *model, const char *id)
{
    char *command = ticket_reopen_command(model, id);
    struct json *value = json_from_text(command);

    free(command);
    return value;
}
