#include "stutterscope/base/memory.h"
#include "stutterscope/base/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DISTANCE 100

/* Simple case folding of Latin, Greek and Cyrillic: the same whatever the locale is. */
static uint32_t fold(uint32_t c)
{
    if ((c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9) ||
        (c >= 0x410 && c <= 0x42F))
        return c + 32;
    return c >= 0x400 && c <= 0x40F ? c + 80 : c;
}

bool text_ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), wanted = strlen(ending);

    return length > wanted && text_equals_ignoring_case(text + length - wanted, ending);
}

bool text_equals_ignoring_case(const char *a, const char *b)
{
    uint32_t left, right;

    do {
        a += text_decode(a, &left);
        b += text_decode(b, &right);
        if (fold(left) != fold(right))
            return false;
    } while (left != 0);
    return true;
}

/*
 * Matches one character against the set that begins after '['. Sets *ret_end behind the ']'; without a ']'
 * *ret_end is NULL and the '[' stands for itself.
 */
static bool set_contains(const char *set, uint32_t c, const char **ret_end)
{
    bool negated = *set == '!' || *set == '^', found = false, first = true;

    set += negated;
    for (;; first = false) {
        uint32_t low, high;

        set += text_decode(set, &low);
        if (low == 0) {
            *ret_end = NULL;
            return false;
        }
        if (low == ']' && !first)
            break;
        high = low;
        if (set[0] == '-' && set[1] != ']' && set[1] != '\0')
            set += 1 + text_decode(set + 1, &high);
        if (fold(low) <= c && c <= fold(high))
            found = true;
    }
    *ret_end = set;
    return found != negated;
}

/* Matches the one pattern element at *pattern (no '*') with c and steps over it. */
static bool element_matches(const char **pattern, uint32_t c)
{
    uint32_t wanted;
    const char *end;

    if (**pattern == '[') {
        bool contained = set_contains(*pattern + 1, fold(c), &end);

        if (end) {
            *pattern = end;
            return contained;
        }
    }
    *pattern += text_decode(*pattern, &wanted);
    return wanted == '?' || fold(wanted) == fold(c);
}

bool text_matches_glob(const char *pattern, const char *text)
{
    /* Going back to the latest '*' only is enough, and keeps hostile patterns at quadratic time. */
    const char *star = NULL, *star_text = NULL;

    while (*text) {
        uint32_t c;
        size_t length = text_decode(text, &c);

        if (*pattern == '*') {
            star = ++pattern;
            star_text = text;
        } else if (*pattern && element_matches(&pattern, c)) {
            text += length;
        } else if (star) {
            pattern = star;
            star_text += text_decode(star_text, &c);
            text = star_text;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares the digits at *a and *b by value and steps over them; *tie keeps the first difference in leading
 * zeros. */
static int compare_digits(const char **a, const char **b, int *tie)
{
    const char *left = *a, *right = *b;
    size_t left_length, right_length;

    while (*left == '0')
        left++;
    while (*right == '0')
        right++;
    left_length = strspn(left, "0123456789");
    right_length = strspn(right, "0123456789");
    if (*tie == 0)
        *tie = (left - *a > right - *b) - (left - *a < right - *b);
    *a = left + left_length;
    *b = right + right_length;
    if (left_length != right_length)
        return left_length < right_length ? -1 : 1;
    return memcmp(left, right, left_length);
}

int text_compare_natural(const char *a, const char *b)
{
    int tie = 0;

    while (*a || *b) {
        if (is_digit(*a) && is_digit(*b)) {
            int order = compare_digits(&a, &b, &tie);

            if (order != 0)
                return order < 0 ? -1 : 1;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return tie;
}

struct code_points {
    uint32_t *items;
    size_t count, capacity;
};

static struct code_points decode_all(const char *text)
{
    struct code_points points = {0};
    uint32_t c;
    size_t length;

    while ((length = text_decode(text, &c)) > 0) {
        array_push(&points, c);
        text += length;
    }
    return points;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The classic row by row method, only in the band around the diagonal where the distance can stay below the
 * cap. */
static size_t banded_distance(const struct code_points *a, const struct code_points *b)
{
    size_t *row = memory_take_zeroed(b->count + 2, sizeof *row), result;

    for (size_t j = 0; j <= b->count; j++)
        row[j] = smaller(j, MOST_DISTANCE);
    for (size_t i = 1; i <= a->count; i++) {
        size_t first = i > MOST_DISTANCE ? i - MOST_DISTANCE : 1, last = smaller(b->count, i + MOST_DISTANCE);
        size_t diagonal = row[first - 1];

        row[first - 1] = first == 1 ? smaller(i, MOST_DISTANCE) : MOST_DISTANCE;
        for (size_t j = first; j <= last; j++) {
            size_t above = row[j];
            size_t changed = diagonal + (a->items[i - 1] != b->items[j - 1]);

            row[j] = smaller(smaller(above, row[j - 1]) + 1, smaller(changed, MOST_DISTANCE));
            diagonal = above;
        }
    }
    result = row[b->count];
    free(row);
    return result;
}

size_t text_distance(const char *a, const char *b)
{
    struct code_points left = decode_all(a), right = decode_all(b);
    size_t difference = left.count > right.count ? left.count - right.count : right.count - left.count;
    size_t distance = difference >= MOST_DISTANCE ? MOST_DISTANCE : banded_distance(&left, &right);

    array_free(&left);
    array_free(&right);
    return distance;
}
