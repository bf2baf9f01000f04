#include "stutterscope/ticket/summary.h"

#include "stutterscope/base/memory.h"
#include "stutterscope/base/process.h"
#include "stutterscope/base/text.h"
#include "stutterscope/base/words.h"
#include <stdlib.h>
#include <string.h>

/* One paragraph: line ends and runs of blanks become one blank, none at the ends. */
static char *one_paragraph(const char *text, size_t size)
{
    char *clean = text_clean_lines(text, size), *to = clean;

    for (const char *at = clean; *at; at++) {
        bool blank = strchr(" \n", *at) != NULL;

        if (!blank)
            *to++ = *at;
        else if (to > clean && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > clean && to[-1] == ' ')
        to--;
    *to = '\0';
    return clean;
}

static bool ask(char *const *arguments, int seconds, const char *json, const struct progress *progress,
                struct process_result *ret, struct error *error)
{
    const struct process_options options = {
        .arguments = arguments,
        .input = json,
        .input_size = strlen(json),
        .limit_ms = seconds * 1000,
        .output_limit = SUMMARY_MOST_BYTES,
        .progress = progress,
    };

    if (!process_run(&options, ret, error))
        return false;
    if (process_succeeded(ret, &options, error))
        return true;
    process_result_free(ret);
    return false;
}

char *summary_run(const char *command, int seconds, const struct json *payload,
                  const struct progress *progress, struct error *error)
{
    struct words words = {0};
    struct process_result result;
    char *json = NULL, *text = NULL, *marked = NULL;
    size_t count;

    if (!words_split(command, &words, error))
        return NULL;
    json = json_print(payload);
    if (!words.count) {
        error_set(error, ERROR_USAGE, "expected a command that reads JSON and writes text, found none");
    } else if (ask(words.items, seconds > 0 ? seconds : SUMMARY_SECONDS, json, progress, &result, error)) {
        text = one_paragraph(result.output, result.output_size);
        if (*text)
            marked = summary_mark_numbers(text, payload, &count);
        else
            error_set(error, ERROR_INPUT, "%s wrote nothing", words.items[0]);
        process_result_free(&result);
    }
    free(text);
    free(json);
    words_free(&words);
    return marked;
}
