/* Reading one event of a Chromium trace: shared by src/format/chromium*.c. */
#ifndef FORMAT_CHROMIUM_READ_H
#define FORMAT_CHROMIUM_READ_H

#include "format/chromium.h"

#include <jansson.h>

/* The event that is being read. */
struct reading {
	struct chromium *c;
	uint64_t offset;
	uint32_t process;
	uint64_t plain_numbers; /* sizes that are no text */
};

void chromium_warn(struct chromium *c, uint64_t offset, const char *text);
/* Something is not as it should be, and nothing is lost by it. */
void chromium_odd(struct chromium *c, uint64_t offset, const char *text);
void chromium_warn_repeated(const struct reading *r, uint64_t count);

uint32_t chromium_name(struct chromium *c, const char *text, size_t len);
/* An id, or any text: what is no text becomes one. 0: nothing. */
uint32_t chromium_read_name(struct chromium *c, const json_t *value);
/* A number as JSON has it. */
bool chromium_read_number(const json_t *value, uint64_t *number);
/* Hexadecimal text; a plain number is taken as it is, and counted. */
bool chromium_read_hex(struct reading *r, const json_t *value, uint64_t *number);

/* The process that an event is of, a new one where it is the first. False: it names none. */
bool chromium_find_process(struct chromium *c, const json_t *event, uint32_t *process);
/* An event of phase "v": its heaps, in whatever dialect. */
void chromium_read_dump(struct reading *r, const json_t *event);

#endif
