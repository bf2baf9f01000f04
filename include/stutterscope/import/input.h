/*
 * One file as readers see it: decoded UTF-8 lines with their numbers, or the whole text, or raw bytes. Byte
 * order marks, UTF-16, CR and CRLF line ends and NUL bytes are gone before a reader looks.
 */
#ifndef STUTTERSCOPE_IMPORT_INPUT_H
#define STUTTERSCOPE_IMPORT_INPUT_H

#include "stutterscope/base/progress.h"
#include "stutterscope/import/source.h"

/* The beginning of a file, for recognising its format. NUL-terminated, both of them. */
struct import_sample {
    const char *path;
    const char *text; /* decoded, line ends are '\n' */
    size_t length;
    const char *bytes; /* as they stand in the (unpacked) file */
    size_t size;
    bool whole; /* there is no more than this */
};

struct import_line {
    char *text; /* length bytes, then '\n' (also at the end of the file), then at least 16 more bytes to look
                   at */
    size_t length;
    int64_t number; /* of the (first) line, from 1 on */
    bool cut;       /* the file ends here without a line end */
};

struct import_input;

/* encoding NULL: found by looking. Takes the source over, also when it fails. path is for messages. */
struct import_input *import_input_open(struct byte_source *source, const char *path, const char *encoding,
                                       const struct progress *progress, struct error *error);
void import_input_close(struct import_input *input);
const struct import_sample *import_input_sample(const struct import_input *input);
/* What the bytes were: "UTF-8", "UTF-16LE", …; known for sure at the end of the reading. */
const char *import_input_encoding(const struct import_input *input);
int64_t import_input_bytes(const struct import_input *input);     /* read so far, of the file */
int64_t import_input_nul_bytes(const struct import_input *input); /* left out so far */

/*
 * Next line; valid until the next call. false at the end and on trouble: import_input_end() tells which.
 * Lines over 16 MiB are trouble.
 */
bool import_input_next_line(struct import_input *input, struct import_line *ret);
/*
 * All whole lines that stand in memory already, [*ret_text, *ret_end), as those of import_input_next_line(); the number of the
 * first. Says nothing about what is still in the file. false: none.
 */
bool import_input_lines(struct import_input *input, const char **ret_text, const char **ret_end, int64_t *ret_number);
/* The lines before `to` were read; the line there is the one with this number. */
void import_input_leave_lines(struct import_input *input, const char *to, int64_t number);
/* true at the end of the file, false with the error that stopped the reading. */
bool import_input_end(const struct import_input *input, struct error *error);
/* Joins the next line to this one (a quoted field holds a line break); text moves. false: there is none. */
bool import_input_extend_line(struct import_input *input, struct import_line *line);
/* Undoes extensions: the line is again only its first `length` bytes, the rest is read again. */
void import_input_shrink_line(struct import_input *input, struct import_line *line, size_t length);

/* Did the last line that was given out have no line end? */
bool import_input_ends_without_line_end(const struct import_input *input);

/*
 * The whole decoded text from the beginning (nothing may have been read before), NUL-terminated; a new
 * string. Texts over limit bytes are refused with the limit and the advice in words.
 */
bool import_input_read_all(struct import_input *input, size_t limit, const char *advice, char **ret_text,
                           size_t *ret_length, struct error *error);
/* The undecoded bytes from the beginning, for binary formats. The input keeps owning it. */
struct byte_source *import_input_raw(struct import_input *input);
/* Reports the progress of a reader of raw bytes; false with an error: the user stopped it. */
bool import_input_proceed(struct import_input *input, struct error *error);

#endif
