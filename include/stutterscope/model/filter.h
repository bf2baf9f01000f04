/*
 * The language that hides what is not of interest, the same on every screen and behind --filter: words that must be
 * there, `key:value` for one property, a minus for "not". Pure text and plain data; what is shown asks filter_fits().
 *
 *     FILTER = { TERM }                                   all terms must hold
 *     TERM   = [ "-" ] ( WORD | KEY ":" VALUES | NUMBERKEY OPERATOR NUMBER )
 *     VALUES = VALUE { "," VALUE }                        one of them must hold
 *     WORD, VALUE: letters without blank, or "quoted"; a part of the name, or a pattern with * and ?; case does not
 *     matter. VALUE `none`: has no such thing. OPERATOR = ":" | "=" | "<" | "<=" | ">" | ">="
 */
#ifndef STUTTERSCOPE_MODEL_FILTER_H
#define STUTTERSCOPE_MODEL_FILTER_H

#include "stutterscope/model/comparison.h"
#include "stutterscope/model/table.h"

enum filter_key {
    FILTER_WORD, /* no key: any of the names below */
    FILTER_DEVICE,
    FILTER_SCENE,
    FILTER_EVENT,
    FILTER_BUILD,
    FILTER_QUALITY,
    FILTER_TIER,
    FILTER_OS,
    FILTER_SOC,
    FILTER_KIND,
    FILTER_VERDICT,
    FILTER_STATE,
    FILTER_LABEL,
    FILTER_OWNER,
    FILTER_TICKET,
    FILTER_SEVERITY, /* from here on: numbers */
    FILTER_PEAK,
    FILTER_WEIGHT,
    FILTER_KEY_COUNT
};

struct filter_key_info {
    const char *name; /* "state" */
    const char *help; /* half a sentence, for help and manual */
    bool number;
};
const struct filter_key_info *filter_key_info(enum filter_key key);

struct filter; /* a text that was understood */

#define FILTER_LONGEST 255 /* bytes of a filter */

/*
 * false with what was expected and found, and the place: byte offset and length in the text. *ret_at and *ret_length
 * may be NULL. An empty text is a filter that everything fits.
 */
bool filter_parse(const char *text, struct filter **ret, size_t *ret_at, size_t *ret_length, struct error *error);
void filter_destroy(struct filter *filter);
const char *filter_text(const struct filter *filter); /* as it was given, without blanks around it */
bool filter_is_empty(const struct filter *filter);    /* NULL is empty, too */
bool filter_uses(const struct filter *filter, enum filter_key key);

/* ---- what a filter is held against ---- */

/*
 * Properties of one thing that is shown. What the thing cannot have (a device has no event) is not `known`: terms about
 * it do not count. What it could have and has not is known and empty: only `none` and minus fit. A word is looked for in
 * the names of device, tier, scene, event, owner and ticket.
 */
struct filter_subject {
    uint32_t known; /* 1 << enum filter_key */
    const char *texts[FILTER_SEVERITY][3]; /* names of the same thing; NULL: none */
    const char *also;                      /* more text for words, such as a reason; may be NULL */
    double numbers[FILTER_KEY_COUNT];      /* of the number keys; NaN: unknown, which no comparison fits */
};
/* Everything known and empty. */
void filter_subject_clear(struct filter_subject *subject);
void filter_subject_set(struct filter_subject *subject, enum filter_key key, const char *text);
/* Name, model, chip, tier, weight and the OS of its runs of the build. */
void filter_subject_device(struct filter_subject *subject, struct model *model, int64_t build, int64_t device);
void filter_subject_entry(struct filter_subject *subject, struct model *model, const struct stutter_entry *entry);
void filter_subject_triage(struct filter_subject *subject, const struct triage_facts *facts);

bool filter_fits(const struct filter *filter, const struct filter_subject *subject); /* NULL: everything fits */

/* ---- names that are there ---- */

struct filter_names {
    struct filter_name_list {
        char **items;
        size_t count, capacity;
    } keys[FILTER_SEVERITY];
};
/* What a store has to name; builds -1 (all) or one. */
void model_filter_names(struct model *model, int64_t build, struct filter_names *ret);
void filter_names_free(struct filter_names *names);
/*
 * false when a term asks for a name that nothing has: a filter with it would say "nothing" where it means "misspelt".
 * The error lists what there is; place as filter_parse().
 */
bool filter_check_names(const struct filter *filter, const struct filter_names *names, size_t *ret_at, size_t *ret_length,
                        struct error *error);
/* The index-th text that `text` could become by completing its last word: keys, values, names. false: no more. */
bool filter_complete(const struct filter_names *names, const char *text, size_t index, char *buffer, size_t size);

/* ---- tables ---- */

/*
 * Drops the rows that do not fit. Terms about a property that the table has no column for are an error that names the
 * keys it has. An emptied table says so in its message.
 */
bool filter_table(const struct filter *filter, struct model *model, struct table *table, struct error *error);

/* ---- fixed words, for options, too ---- */

/* A verdict, state, kind or label by name, or the error that lists them all. */
bool filter_check_word(enum filter_key key, const char *word, struct error *error);

#endif
