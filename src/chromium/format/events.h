/* Events of a JSON trace: elements of "traceEvents", or of a bare array, which may be unclosed.
   They are located one by one without parsing, so that only one needs to be in memory; the caller
   parses those that it needs. */
#pragma once

#include "base/buf.h"
#include "base/text.h"

#include <stdint.h>

struct event {
	uint64_t offset;
	struct text text; /* "{...}", borrowed from the file */
	char phase;       /* of "ph":"v"; 0: none, or several characters */
	bool ended;       /* false: it is unclosed and ends at the next event or the end of the file */
};

struct events {
	const uint8_t *data;
	size_t size, at;
	bool bare;        /* an array without an outer object */
	bool inside;      /* the position is inside the array */
	bool complete;    /* valid after events_next() returned false: the file is not truncated */
	uint64_t skipped; /* elements that are no objects */
	unsigned unended; /* number of unclosed events */
};

/* Returns true if the file looks like a trace. */
bool events_probe(const uint8_t *data, size_t size);
/* Moves to the events. Returns false if there are none. */
bool events_begin(struct events *events, const uint8_t *data, size_t size);
bool events_next(struct events *events, struct event *event);

/* Returns true if this quote ends a string. Some programs do not escape quotes within names: a
   quote ends a string only if a valid successor of a string follows. */
bool events_end_string(const uint8_t *data, size_t size, size_t quote);

/* Rewrites an event so that a strict parser accepts it, with the same meaning: invalid UTF-8,
   unpaired surrogates and zeros become U+FFFD; other control characters in strings are escaped;
   numbers with more than 18 digits or an exponent become strings that begin with EVENTS_NUMBER, as
   no other string does; unescaped quotes and backslashes in strings are escaped. Returns the number
   of these quotes. */
enum { EVENTS_NUMBER = 0 };
size_t events_clean(struct text event, struct buf *out);
