/* Functions shared by src/chromium/format/chromium*.c that read one event of a trace. */
#pragma once

#include "chromium/format/chromium.h"

#include <jansson.h>

/* The event being read. */
struct reading {
	struct chromium *c;
	uint64_t offset;
	uint32_t process;
	uint64_t plain_numbers; /* sizes that are plain numbers, not text */
};

void chromium_warn(struct chromium *c, uint64_t offset, const char *text);
/* Reports an irregularity without loss of data. */
void chromium_odd(struct chromium *c, uint64_t offset, const char *text);
void chromium_warn_repeated(const struct reading *r, uint64_t count);

uint32_t chromium_name(struct chromium *c, const char *text, size_t len);
/* Reads an id or any text; converts other values to text. Returns 0 if there is none. */
uint32_t chromium_read_name(struct chromium *c, const json_t *value);
/* Reads a JSON number. */
bool chromium_read_number(const json_t *value, uint64_t *number);
/* Reads a hexadecimal text. A plain number is accepted and counted. */
bool chromium_read_hex(struct reading *r, const json_t *value, uint64_t *number);

/* Finds the process of an event, or adds it. Returns false if the event names none. */
bool chromium_find_process(struct chromium *c, const json_t *event, uint32_t *process);
/* Reads the heaps of an event of phase "v", in any dialect. */
void chromium_read_dump(struct reading *r, const json_t *event);
