/* The events of a trace in JSON: the elements of its "traceEvents", or of a bare array that
   need not be closed. They are cut out one by one, so that only one of them is ever in memory,
   and parsed each by itself by whoever wants it. */
#ifndef FORMAT_EVENTS_H
#define FORMAT_EVENTS_H

#include "base/buf.h"
#include "base/text.h"

#include <stdint.h>

struct event {
	uint64_t offset;
	struct text text; /* "{...}", in the file */
	char phase;       /* of "ph":"v"; 0: none, or more than one character */
	bool ended;       /* else it was cut where the next one, or the end of the file, is */
};

struct events {
	const uint8_t *data;
	size_t size, at;
	bool bare;        /* an array without an object around it */
	bool inside;      /* of the array */
	bool complete;    /* once events_next() is false: the file does not end too soon */
	uint64_t skipped; /* elements that are no objects */
	unsigned unended; /* events that do not end */
};

/* Does the file look like a trace? */
bool events_probe(const uint8_t *data, size_t size);
/* Goes to the events. False: there are none in this file. */
bool events_begin(struct events *events, const uint8_t *data, size_t size);
bool events_next(struct events *events, struct event *event);

/* Is this quote the end of a string? Some programs write those within names as they are: one that
   nothing follows which may follow a string is not its end. */
bool events_end_string(const uint8_t *data, size_t size, size_t quote);

/* Makes an event one that a strict parser takes, without changing what it says: bytes that are no
   UTF-8 become U+FFFD, as do halves of characters and zeros; other control characters within
   strings are escaped; numbers that have more than 18 digits or a power of ten become strings that
   begin with EVENTS_NUMBER, as no other string does; quotes and backslashes within strings that
   were not escaped are. Gives the number of these quotes. */
enum { EVENTS_NUMBER = 0 };
size_t events_clean(struct text event, struct buf *out);

#endif
