#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"
#include "texts.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(limits, .init = use_empty_config, .fini = remove_config);

/* A payload of many stutters: the second one again and again. */
static struct json *many_stutters(size_t count, const char *long_name)
{
    char *text = payload_text("Battle_03", 2),
         *member = strstr(text, "\"stutters\":[") + strlen("\"stutters\":[");
    char *second = strstr(member, ",{\"id\":"), *end = strrchr(second, ']');
    struct text_buffer many = {0};
    struct json *payload;

    text_add_bytes(&many, text, (size_t)(second - text));
    for (size_t i = 1; i < count; i++) {
        char *device = memory_copy_bytes(second, (size_t)(end - second)), *at = strstr(device, "SM-F731N");

        text_add_bytes(&many, device, (size_t)(at - device));
        text_add_print(&many, "%s%zu%s", long_name, i, at + strlen("SM-F731N"));
        free(device);
    }
    text_add(&many, "]}");
    payload = parse_payload(many.items);
    array_free(&many);
    free(text);
    return payload;
}

Test(limits, shows_the_worst_and_says_how_many_more)
{
    struct json *payload = many_stutters(30, "D");
    struct error error = {0};
    struct ticket ticket;

    /* The count at the top still is that of the two it was made of. */
    cr_assert(ticket_write(payload, &(struct ticket_options){.template = "github"}, &ticket, &error), "%s",
              error.text);
    check_rows(ticket.body, "|", 8);
    cr_assert_eq(count_of(ticket.body, "\n| "), 1 + 10);
    cr_assert(strstr(ticket.body, "And 20 more"));
    ticket_free(&ticket);
    cr_assert(
        ticket_write(payload, &(struct ticket_options){.template = "github", .members = 3}, &ticket, &error));
    cr_assert_eq(count_of(ticket.body, "\n| "), 1 + 3);
    ticket_free(&ticket);
    json_destroy(payload);
}

Test(limits, stays_below_the_limit_by_leaving_out_evidence)
{
    char *name = memory_take_zeroed(1, 4001);
    struct error error = {0};
    struct ticket ticket;
    struct json *payload;

    memset(name, 'N', 4000);
    payload = many_stutters(10, name);
    cr_assert(ticket_write(payload, &(struct ticket_options){.template = "jira-ko"}, &ticket, &error), "%s",
              error.text);
    cr_assert(ticket.shortened);
    cr_assert_leq(ticket.length, 32767);
    cr_assert_leq(text_width(ticket.title), 255);
    cr_assert(text_is_valid_utf8(ticket.text, strlen(ticket.text)));
    EXPECT_IN_ORDER(ticket.body, "관측", "비교", "예상 원인", "확인 부탁", "--open", "{noformat}");
    ticket_free(&ticket);
    json_destroy(payload);
    free(name);
}

Test(limits, title_is_one_line_of_at_most_255)
{
    char *scene = memory_take_zeroed(1, 3 * 400 + 1), *payload;
    struct ticket ticket;

    for (size_t i = 0; i < 400; i++)
        memcpy(scene + 3 * i, "\xea\xb4\x91", 3); /* 광: two columns, one character */
    payload = payload_text(scene, 1);
    ticket = write_ticket(payload, NULL, NULL, &(struct ticket_options){0});
    cr_assert_null(strchr(ticket.title, '\n'));
    cr_assert_leq(text_width(ticket.title), 255);
    cr_assert(strstr(ticket.body, scene));
    ticket_free(&ticket);
    free(payload);
    free(scene);
}
