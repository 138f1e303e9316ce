/* Redaction: which bytes of an input stay, and which become zero. The readers and the tables of
   types say what stays; everything else in a zone goes. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct redaction_zone {
	uint64_t offset, bytes;
};
/* Bytes that replace others. */
struct redaction_edit {
	uint64_t offset, bytes;
	uint8_t *with;
};
struct redaction {
	const uint8_t *data; /* the input */
	uint64_t size;
	uint8_t *stays; /* a bit for each byte of the input */
	struct redaction_zone *zone;
	size_t zones, capacity;
	struct redaction_zone *fill; /* bytes that become 1 */
	size_t fills, fill_capacity;
	struct redaction_edit *edit;
	size_t edits, edit_capacity;
	struct redaction_zone *value; /* addresses of memory that holds nothing but values */
	size_t values, value_capacity;
	uint64_t *same; /* offsets of words that become `common` */
	size_t sames, same_capacity;
	uint8_t common[8]; /* as it stands in memory, `width` bytes */
	unsigned width;
	uint64_t end;     /* bytes from here on are left out of the output */
	uint64_t zeroed;  /* bytes that were not zero and are now */
	uint64_t missing; /* bytes that the input lacks already */
	/* The output says what it is: `head` replaces its first bytes, `mark` stands at the
	   offset `mark_at`. */
	uint64_t mark_at;
	struct buf head, mark;
};

void redaction_init(struct redaction *redaction, const uint8_t *data, uint64_t size);
void redaction_fini(struct redaction *redaction);
/* Adds a part of the input that may hold secrets. */
void redaction_add_zone(struct redaction *redaction, uint64_t offset, uint64_t bytes);
/* Keeps bytes, wherever they are: those outside of the input are ignored. `redaction` may be
   NULL. */
void redaction_keep(struct redaction *redaction, const uint8_t *at, uint64_t bytes);
/* Returns true if all these bytes stay. */
bool redaction_keeps(const struct redaction *redaction, const uint8_t *at, uint64_t bytes);
/* Makes a word of `width` bytes the common one, which stands for all that must not differ. */
void redaction_make_same(struct redaction *redaction, const uint8_t *at, unsigned width);
/* Says that an address in a range tells a value, wherever it stands. */
void redaction_add_value(struct redaction *redaction, uint64_t address, uint64_t bytes);
bool redaction_is_value(const struct redaction *redaction, uint64_t address);
/* Makes bytes 1: readers expect them not to be zero. */
void redaction_fill(struct redaction *redaction, const uint8_t *at, uint64_t bytes);
/* Keeps bytes of the input and returns a copy of them; what is changed there replaces them. They
   must lie in the input. */
uint8_t *redaction_change(struct redaction *redaction, uint64_t offset, uint64_t bytes);
/* Zeroes what does not stay; `data` is the input, writable. */
void redaction_apply(struct redaction *redaction, uint8_t *data);
