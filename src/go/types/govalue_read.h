/* State of formatting a value. Private to src/go/types/govalue*.c. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "go/runtime/struct_view.h"
#include "go/types/govalue.h"
#include "heap/heap.h"

enum { GOVALUE_TEXT = 64 }; /* bytes of a text that are shown */

struct reading {
	const struct govalue *in;
	gotype_id id;
	const struct gotype *type;
	const uint8_t *data; /* as many bytes as the type has, or as its words need */
	struct buf *out;
	int depth; /* nesting of values */
};

static inline unsigned reading_width(const struct reading *r)
{
	return r->in->heap->params.layout.pointer_size;
}

/* Returns the n-th word of the value. */
static inline uint64_t reading_word(const struct reading *r, unsigned n)
{
	return heap_word(r->in->heap, r->data + (size_t)n * reading_width(r));
}

/* Appends a nested value: the target of a pointer, or a field. Appends nothing if the nesting is
   too deep. */
void reading_inner(const struct reading *r, gotype_id id, const uint8_t *data, uint64_t room);

/* Appends a value of a known type of the standard library. Returns false if the type is unknown. */
bool reading_known(const struct reading *r);

/* Appends the message of an error, the struct `type` at `address`. Returns false if it is not
   known. */
bool reading_error(const struct reading *r, gotype_id type, uint64_t address);

/* Times and durations in Go's format. Private to src/go/types/govalue*.c. */

/* Appends a time.Time from its fields (time/time.go since Go 1.9): RFC 3339 in UTC, with a fraction
   if there is one, and a mark if it has a monotonic clock reading. */
void govalue_time_add(uint64_t wall, int64_t ext, struct buf *out);
/* Appends a time.Duration: "1.5s", "2h0m0s", "300ms". */
void govalue_duration_add(int64_t nanoseconds, struct buf *out);
