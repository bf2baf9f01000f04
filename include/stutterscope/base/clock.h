/*
 * Dates and durations. All wall-clock times are milliseconds since 1970-01-01 UTC, VALUE_UNKNOWN when not known.
 */
#ifndef STUTTERSCOPE_BASE_CLOCK_H
#define STUTTERSCOPE_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int64_t clock_now_ms(void);
int64_t clock_steady_ms(void); /* for durations: never set, begins anywhere */
/* "2024-03-01", "2024-03-01T02:10:00Z", with offset, fraction, blank instead of T, or epoch s/ms/µs/ns digits. */
bool clock_parse(const char *text, int64_t *ret_ms);
/* Does a text that clock_parse() reads say its offset from UTC? What does not is read as UTC. */
bool clock_says_zone(const char *text);
/* "2024-03-01T02:10:00Z" (milliseconds only when not 0); "" when unknown. Returns buffer. */
char *clock_print(char *buffer, size_t size, int64_t ms);
/* Days since 1970-01-01, UTC, rounded down. */
int64_t clock_day(int64_t ms);
/* "3:04.3" from ns; hours as "1:02:03.4". Cut to tenths, not rounded; "" when unknown. */
char *clock_print_position(char *buffer, size_t size, int64_t ns);

#endif
