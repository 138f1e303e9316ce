/* The layouts of Go's heap dump, by the header line that a version writes (runtime/heapdump.go of
   each). */
#ifndef FORMAT_GO_LAYOUT_H
#define FORMAT_GO_LAYOUT_H

#include "format/format.h"
#include "format/old_fields.h"

enum {
	GO_HEADER_LINE = 16,
	GO_LONGEST_NAME = 1 << 16, /* of a type, in Go 1.5 */
};

/* Bits, for the fields of records that only some layouts have (format/records.def). */
enum go_release {
	GO_EARLY = 1, /* before the first beta of Go 1.3: src/format/go13_early.c */
	GO_13BETA = 2,
	GO_13 = 4,
	GO_14 = 8,
	GO_15 = 16,
	GO_16 = 32,
	GO_17 = 64,
	GO_SECOND = 128 /* no layout: a record of the second of two tags that share their fields */
};

struct go_tag {
	uint8_t kind; /* enum record_kind; RECORD_KINDS: there is no such tag */
	bool second;
};

struct go_layout {
	enum go_release release;
	const char *header;  /* GO_HEADER_LINE bytes */
	const char *version; /* of Go, where the file does not say it and there is only one; or NULL */
	const struct go_tag *tags; /* by the byte that a record begins with */
	unsigned tag_count;
	bool typed_objects;   /* objects name a type and have no field list; types have one */
	uint8_t max_kind;     /* of fields */
	const uint8_t *kinds; /* enum old_kind by kind; NULL: kind 1 only, a pointer */
};

#endif
