#include "small_store.h"
#include "stutterscope/base/memory.h"
#include "stutterscope/base/paths.h"
#include "stutterscope/ticket/payload.h"
#include "stutterscope/ticket/regressions.h"
#include "stutterscope/ticket/ticket.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The fixed text of a language: its file without tags and comments, as "name=text" per phrase. */
struct fixed {
    char *name, *text;
};
struct language {
    struct fixed *items;
    size_t count, capacity;
};

static char *without_tags(const char *text)
{
    char *plain = memory_copy_text(text), *to = plain;

    while (*text) {
        const char *end = strncmp(text, "{{", 2) == 0 ? strstr(text, "}}") : NULL;

        if (end)
            text = end + 2;
        else
            *to++ = *text++;
    }
    *to = '\0';
    return plain;
}

static struct language read_language(const char *name)
{
    struct error error = {0};
    char *file = memory_print("templates/languages/%s.phrases", name), *path = path_data(file, &error), *text;
    struct language language = {0};
    size_t size;

    cr_assert(path && path_read_all(path, 1 << 20, &text, &size, &error), "%s", error.text);
    for (char *save, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (strncmp(line, "%% ", 3) == 0)
            array_push(&language, (struct fixed){memory_copy_text(line + 3), memory_copy_text("")});
        else if (strncmp(line, "%#", 2) != 0) {
            struct fixed *last = &language.items[language.count - 1];
            char *plain = without_tags(line), *joined = memory_print("%s%s", last->text, plain);

            free(last->text);
            free(plain);
            last->text = joined;
        }
    free(file);
    free(path);
    free(text);
    return language;
}

static void free_language(struct language *language)
{
    for (size_t i = 0; i < language->count; i++) {
        free(language->items[i].name);
        free(language->items[i].text);
    }
    array_free(language);
}

static bool has_name(const struct language *language, const char *name)
{
    for (size_t i = 0; i < language->count; i++)
        if (strcmp(language->items[i].name, name) == 0)
            return true;
    return false;
}

Test(language, every_phrase_is_in_every_language_and_nothing_is_equal)
{
    struct language languages[] = {read_language("en"), read_language("ko"), read_language("ja")};

    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            for (size_t i = 0; a != b && i < languages[a].count; i++) {
                const struct fixed *phrase = &languages[a].items[i];

                cr_expect(has_name(&languages[b], phrase->name), "%s is missing in language %zu",
                          phrase->name, b);
                for (size_t j = 0; j < languages[b].count; j++)
                    cr_expect(strcmp(phrase->text, languages[b].items[j].text) != 0,
                              "\"%s\" (%s) is \"%s\" in both", phrase->text, phrase->name,
                              languages[b].items[j].name);
            }
    for (size_t i = 0; i < 3; i++)
        free_language(&languages[i]);
}

/* What is a mark of formatting in one of the formats would not survive there. Titles are escaped as a whole.
 */
Test(language, fixed_words_are_no_markup)
{
    static const char *const names[] = {"en", "ko", "ja"};

    for (size_t l = 0; l < 3; l++) {
        struct language language = read_language(names[l]);

        for (size_t i = 0; i < language.count; i++) {
            const char *text = language.items[i].text;

            if (strstr(language.items[i].name, "title"))
                continue;
            cr_expect(!strpbrk(text, "*_+^~{}[]<>|`#@\\"), "%s %s: %s", names[l], language.items[i].name,
                      text);
            /* Faces of Jira are a ':' or ';' before a letter or bracket. */
            for (const char *at = text; (at = strpbrk(at, ":;")); at++)
                cr_expect(at[1] == ' ' || at[1] == '\0', "%s %s: %s", names[l], language.items[i].name, text);
        }
        free_language(&language);
    }
}

static bool is_listed(const struct ticket_names *names, const char *list, const char *name)
{
    static const char *const alike[][2] = {
        {"not_causes", "causes"}, {"events_during", "events_before"}, {"events_after", "events_before"}, {"worse_figures", "figures"}, {"first", "members"}};

    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (strcmp(list, alike[i][0]) == 0)
            list = alike[i][1];
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i].list, list) == 0 && strcmp(names->items[i].name, name) == 0)
            return true;
    return false;
}

/* Every name in the data of a ticket is documented. */
static void check_names(const struct ticket_names *names, const char *list, const struct json *value)
{
    if (strcmp(list, "stutters") == 0 || strcmp(list, "worst") == 0)
        list = "";
    for (const struct json *item = json_first(value); item; item = json_next(item)) {
        const char *name = json_kind(value) == JSON_OBJECT ? json_name(item) : NULL;

        if (name)
            cr_expect(is_listed(names, list, name) || is_listed(names, "", name),
                      "%s in %s is not documented", name, list);
        if (json_kind(item) == JSON_OBJECT || json_kind(item) == JSON_ARRAY)
            check_names(names, name ? name : list, item);
    }
}

Test(language, every_name_of_the_data_is_documented)
{
    struct model *model = small_store_open("Battle_03");
    const char *ids[] = {small_store_stutter(model, "SM-S918N", "boss_spawn"),
                         small_store_stutter(model, "SM-F731N", "boss_spawn")};
    struct ticket_names names;
    struct error error = {0};

    cr_assert(ticket_list_names(&names, &error), "%s", error.text);
    for (size_t count = 1; count <= 2; count++) {
        struct json *payload = ticket_payload(model, ids, count, &error);
        struct json *data = ticket_template_data(payload, &(struct ticket_options){0}, &error);

        cr_assert(data, "%s", error.text);
        check_names(&names, "", data);
        json_destroy(data);
        json_destroy(payload);
    }
    for (int kind = 0; kind < 2; kind++) {
        struct json *payload = kind ? some_verification(model, VERIFICATION_NOT_ENOUGH)
                                    : regressions_payload(model, 0, 0, NULL, &error);
        struct json *data = ticket_template_data(payload, &(struct ticket_options){0}, &error);

        cr_assert(data, "%s", error.text);
        check_names(&names, "", data);
        json_destroy(data);
        json_destroy(payload);
    }
    for (size_t i = 0; i < names.count; i++)
        cr_expect(names.items[i].help[0], "%s has no help", names.items[i].name);
    ticket_names_free(&names);
    small_store_close(model);
}
