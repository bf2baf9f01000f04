/*
 * Which encoding a text without a byte order mark is in, by looking at its bytes; and a source that decodes as soon as
 * it has seen enough.
 */
#ifndef IMPORT_ENCODING_H
#define IMPORT_ENCODING_H

#include "stutterscope/import/source.h"

/*
 * The rule, in this order (bytes below 0x80 say nothing):
 *   1. At least as many UTF-8 sequences as stretches of other bytes, or other bytes in one line only that is not the
 *      first: UTF-8 with a few broken bytes.
 *   2. All are pairs of CP949, three quarters of them Hangul syllables of KS X 1001: CP949 (Korean Windows).
 *   3. All are pairs or half-width letters of Shift-JIS, half of the pairs kana or kanji of level 1: CP932 (Japanese
 *      Windows).
 *   4. Two thirds of the stretches are one or two bytes long, as letters with accents between plain ones: Windows-1252.
 *   5. Else UTF-8: the bytes will be marked, nothing is guessed.
 * NULL: nothing but ASCII, or too little to tell.
 */
const char *encoding_guess(const char *bytes, size_t size, bool begins_file);
/*
 * Passes bytes on until encoding_guess() says something else than UTF-8, from there on decodes. *name (which must
 * outlive the source) is set to what was found.
 */
struct byte_source *source_guess_encoding(struct byte_source *below, const char **name);

#endif
