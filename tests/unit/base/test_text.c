#include "stutterscope/base/text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void check_clean(const char *raw, size_t size, const char *expected)
{
    char *text = text_clean(raw, size);

    cr_assert_str_eq(text, expected);
    cr_assert(text_is_valid_utf8(text, strlen(text)));
    free(text);
}

#define CHECK_CLEAN(raw, expected) check_clean(raw, sizeof(raw) - 1, expected)
#define BROKEN                     "\xEF\xBF\xBD"

Test(text, cleans_controls)
{
    CHECK_CLEAN("", "");
    CHECK_CLEAN("Höhle 던전", "Höhle 던전");
    CHECK_CLEAN("a\tb\nc\r\nd", "a b c d");
    CHECK_CLEAN("a\x1b[31mb", "a" BROKEN "[31mb");
    CHECK_CLEAN("a\0b\x7f", "a" BROKEN "b" BROKEN);
    CHECK_CLEAN("a\rb", "a" BROKEN "b");
    CHECK_CLEAN("\xC2\x9B"
                "31m",
                BROKEN "31m");                                            /* C1 CSI */
    CHECK_CLEAN("x\xE2\x80\xAEtxt\xE2\x81\xA6", "x" BROKEN "txt" BROKEN); /* U+202E, U+2066 */
    CHECK_CLEAN("a\xE2\x80\xA8"
                "b",
                "a" BROKEN "b"); /* U+2028 */
    CHECK_CLEAN("a\xE2\x80\x8B"
                "b\xEF\xBB\xBF\xE2\x80\x8D"
                "c",
                "abc"); /* U+200B, U+FEFF, U+200D */
}

Test(text, replaces_broken_utf8)
{
    CHECK_CLEAN("\xFF", BROKEN);
    CHECK_CLEAN("\xC0\xAF", BROKEN BROKEN);            /* overlong */
    CHECK_CLEAN("\xED\xA0\x80", BROKEN BROKEN BROKEN); /* surrogate */
    CHECK_CLEAN("\xF4\x90\x80\x80", BROKEN BROKEN BROKEN BROKEN);
    CHECK_CLEAN("\xF0\x9F\x98", BROKEN); /* cut off: one character that might have been */
    CHECK_CLEAN("\xE2\x82"
                "a",
                BROKEN "a");
    CHECK_CLEAN("\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80");
    cr_assert_not(text_is_valid_utf8("a\xC3", 2));
    cr_assert(text_is_valid_utf8("a\xC3\xA9", 3));
}

Test(text, keeps_lines_when_asked)
{
    char *text = text_clean_lines("a\tb\r\nc\nd\x01", 9);

    cr_assert_str_eq(text, "a b\nc\nd" BROKEN);
    free(text);
}

Test(text, encodes_what_it_decodes)
{
    for (uint32_t c = 1; c <= 0x10FFFF; c++) {
        char buffer[5] = {0};
        uint32_t back;
        size_t length = text_encode(c, buffer);

        cr_assert_eq(text_decode(buffer, &back), length);
        cr_assert_eq(back, c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c);
    }
    uint32_t c;

    cr_assert_eq(text_decode("", &c), 0);
}

Test(text, counts_columns)
{
    cr_assert_eq(text_width(""), 0);
    cr_assert_eq(text_width("abc"), 3);
    cr_assert_eq(text_width("Höhle"), 5);
    cr_assert_eq(text_width("던전"), 4);
    cr_assert_eq(text_width("ボス"), 4);
    cr_assert_eq(text_width("e\xCC\x81"), 1);        /* e and combining acute */
    cr_assert_eq(text_width("\xF0\x9F\x98\x80"), 2); /* grinning face */
    cr_assert_eq(text_width("\xEF\xBC\xA1"), 2);     /* full-width A */
    cr_assert_eq(text_width("\xEF\xBD\xB1"), 1);     /* half-width katakana */
    cr_assert_eq(text_width("…▁█│"), 4);
    cr_assert_eq(text_width("\xE1\x84\x80\xE1\x85\xA1"), 2); /* conjoining jamo: one syllable */
}

/* The C library is a second opinion: newer or older versions of Unicode may differ in a few code points. */
Test(text, agrees_with_the_c_library)
{
    unsigned different = 0, compared = 0;

    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        cr_skip_test("skipped: no locale C.UTF-8");
    for (uint32_t c = 0x20; c <= 0x3FFFF; c++) {
        char buffer[5] = {0};
        int width = wcwidth((wchar_t)c);

        if (width < 0)
            continue;
        text_encode(c, buffer);
        compared++;
        different += text_width(buffer) != (size_t)width;
    }
    cr_assert(compared > 100000);
    cr_assert(different < 200, "%u of %u differ", different, compared);
}

Test(text, is_the_same_in_the_c_locale)
{
    setlocale(LC_ALL, "C");
    cr_assert_eq(text_width("던전 Höhle"), 10);
}

Test(text, fits_without_splitting)
{
    size_t width = 99;

    cr_assert_eq(text_fit("던전", 3, &width), 3);
    cr_assert_eq(width, 2);
    cr_assert_eq(text_fit("abc", 10, &width), 3);
    cr_assert_eq(width, 3);
    cr_assert_eq(text_fit("e\xCC\x81x", 1, &width), 3); /* the mark stays with its letter */
    cr_assert_eq(width, 1);
    cr_assert_eq(text_fit("abc", 0, NULL), 0);
}

static void check_cut(char *(*cut)(const char *, size_t, const char *), const char *text, size_t columns,
                      const char *expected)
{
    char *result = cut(text, columns, "…");

    cr_assert_str_eq(result, expected);
    cr_assert(text_width(result) <= columns);
    free(result);
}

Test(text, cuts_ends)
{
    check_cut(text_cut_end, "Dungeon", 7, "Dungeon");
    check_cut(text_cut_end, "Dungeon", 5, "Dung…");
    check_cut(text_cut_end, "Dungeon", 1, "…");
    check_cut(text_cut_end, "Dungeon", 0, "");
    check_cut(text_cut_end, "던전던전", 4, "던…");
}

Test(text, cuts_middles)
{
    check_cut(text_cut_middle, "Dungeon", 7, "Dungeon");
    check_cut(text_cut_middle, "Tower_Boss_Rush", 12, "Tower_…_Rush");
    check_cut(text_cut_middle, "Tower_Boss_Rush", 7, "T…_Rush");
    check_cut(text_cut_middle, "abcdefghij", 7, "abc…hij");
    check_cut(text_cut_middle, "Dungeon", 1, "…");
    check_cut(text_cut_middle, "Dungeon", 0, "");
    check_cut(text_cut_middle, "던전던전던전", 6, "던…전");

    char *first = text_cut_middle("Stage_Dungeon_Fire", 12, "…"),
         *second = text_cut_middle("Stage_Dungeon_Ice", 12, "…");

    cr_assert_str_neq(first, second);
    free(first);
    free(second);
}

Test(text, never_exceeds_the_columns)
{
    static const char *const texts[] = {"Tower_Boss_Rush", "던전_보스 러시",
                                        ("o\xCC\x81"
                                         "e\xCC\x81_x\xCC\x81"),
                                        "_", "____ ____"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t columns = 0; columns < 20; columns++) {
            char *end = text_cut_end(texts[i], columns, "…"),
                 *middle = text_cut_middle(texts[i], columns, "…");

            cr_assert(text_width(end) <= columns);
            cr_assert(text_width(middle) <= columns);
            cr_assert(text_is_valid_utf8(middle, strlen(middle)));
            free(end);
            free(middle);
        }
    }
}

Test(text, matches_globs)
{
    static const struct {
        const char *pattern, *text;
        bool expected;
    } cases[] = {
        {"*spawn*", "BossSpawned", true},
        {"*spawn*", "boss", false},
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"?", "", false},
        {"?", "던", true},
        {"load?", "LOAD1", true},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXbXbX", false},
        {"[a-c]x", "Bx", true},
        {"[!a-c]x", "bx", false},
        {"[!a-c]x", "dx", true},
        {"[]]x", "]x", true},
        {"[a-]x", "-x", true},
        {"[abc", "[abc", true},
        {"[abc", "a", false},
        {"straße", "STRAßE", true},
        {"ÄRGER*", "ärgernis", true},
        {"*a", "aab", false},
        {"a**b", "ab", true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(text_matches_glob(cases[i].pattern, cases[i].text), cases[i].expected, "%s on %s",
                     cases[i].pattern, cases[i].text);
}

Test(text, survives_hostile_globs, .timeout = 10)
{
    char pattern[400], text[5001];

    for (size_t i = 0; i < sizeof pattern - 2; i += 2)
        memcpy(pattern + i, "*a", 2);
    memcpy(pattern + sizeof pattern - 2, "b", 2);
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cr_assert_not(text_matches_glob(pattern, text));
}

Test(text, ignores_case)
{
    cr_assert(text_equals_ignoring_case("Frame_Time", "fRAME_tIME"));
    cr_assert(text_equals_ignoring_case("Ö", "ö"));
    cr_assert_not(text_equals_ignoring_case("a", "ab"));
    cr_assert_not(text_equals_ignoring_case("ab", "a"));
}

Test(text, orders_versions)
{
    static const char *const ordered[] = {
        "",
        "0",
        "00",
        "1",
        "01",
        "1.8.0",
        "1.8.0(99)",
        "1.8.0(421)",
        "1.8.0-rc1",
        "1.8.1",
        "1.9",
        "1.10",
        "1.10b",
        "2",
        "10",
        "123456789012345678901234567890",
        "223456789012345678901234567890",
        "a",
        "a1",
        "a01",
        "a001",
        "a2",
        "b",
    };
    size_t count = sizeof ordered / sizeof *ordered;

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            int expected = (i > j) - (i < j);

            cr_assert_eq(text_compare_natural(ordered[i], ordered[j]), expected, "%s, %s", ordered[i],
                         ordered[j]);
        }
    }
}

Test(text, measures_distance)
{
    char long_text[301];

    cr_assert_eq(text_distance("kitten", "sitting"), 3);
    cr_assert_eq(text_distance("", "abc"), 3);
    cr_assert_eq(text_distance("abc", ""), 3);
    cr_assert_eq(text_distance("import", "import"), 0);
    cr_assert_eq(text_distance("frame_time", "frametime"), 1);
    cr_assert_eq(text_distance("ö", "o"), 1);
    memset(long_text, 'x', 300);
    long_text[300] = '\0';
    cr_assert_eq(text_distance(long_text, "y"), 100);
    cr_assert_eq(text_distance(long_text, long_text), 0);
    cr_assert_eq(text_distance(long_text, long_text + 40), 40);
    cr_assert_eq(text_distance(long_text, long_text + 99), 99);
    cr_assert_eq(text_distance(long_text, long_text + 150), 100);
}

Test(text, grows_buffers)
{
    struct text_buffer buffer = {0};
    char *text = text_take(&buffer);

    cr_assert_str_eq(text, "");
    free(text);
    text_add(&buffer, "ab");
    text_add_bytes(&buffer, "cdef", 2);
    text_add_print(&buffer, "%d", 7);
    cr_assert_str_eq(buffer.items, "abcd7");
    text_add_print(&buffer, "%0*d", 1000, 5);
    cr_assert_eq(buffer.count, 1005);
    text = text_take(&buffer);
    cr_assert_eq(strlen(text), 1005);
    cr_assert_eq(text[1004], '5');
    cr_assert_eq(buffer.count, 0);
    cr_assert_null(buffer.items);
    free(text);
}

Test(text, print_cuts_whole_characters)
{
    static const struct {
        size_t size;
        const char *expected;
    } cases[] = {{1, ""}, {2, "a"}, {3, "a"}, {4, "a"}, {5, "a보"}, {6, "a보"}, {8, "a보스"}, {12, "a보스😀"}, {13, "a보스😀!"}};
    char buffer[20];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_print(buffer, cases[i].size, "%s%s", "a보스😀", "!");
        cr_expect_str_eq(buffer, cases[i].expected, "%zu bytes: expected \"%s\", found \"%s\"", cases[i].size, cases[i].expected, buffer);
    }
}

Test(text, units_are_those_of_utf_16)
{
    cr_expect_eq(text_units(""), 0);
    cr_expect_eq(text_units("abc"), 3);
    cr_expect_eq(text_units("보스"), 2);
    cr_expect_eq(text_units("a보😀"), 4, "what lies beyond the first plane counts twice");
}

Test(text, ends_with_something_before_it)
{
    cr_expect(text_ends_with("night.SVG", ".svg"));
    cr_expect_not(text_ends_with(".svg", ".svg"));
    cr_expect_not(text_ends_with("svg", ".svg"));
    cr_expect_not(text_ends_with("night.svg.txt", ".svg"));
}
