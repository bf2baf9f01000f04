#include "asked.h"

#include <string.h>

void asked_to_post(struct screen *screen, const struct screen_post *what, const struct progress *progress, struct screen_reply *reply)
{
    struct error error = {0};
    struct ticket_post result;
    bool good = ticket_post(what->command, &what->ticket, progress, &result, &error);

    if (screen->type->posted)
        screen->type->posted(screen->state, &result, good ? NULL : error.text, reply);
    ticket_post_free(&result);
}

bool asked_to_quit(const char *line)
{
    static const char *const words[] = {"q", "q!", "qa", "quit", "exit", "wq", "x"};
    size_t length = strlen(line);

    while (length > 0 && line[length - 1] == ' ')
        length--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncmp(line, words[i], length) == 0)
            return true;
    return false;
}
