/* Layouts of Go heap dumps, by the header line of each version (runtime/heapdump.go). */
#pragma once

#include "format/format.h"
#include "go/format/dump/old_fields.h"

enum {
	GO_HEADER_LINE = 16,
	GO_LONGEST_NAME = 1 << 16, /* of a type, in Go 1.5 */
};

/* Bits for record fields that only some layouts have (format/records.def). */
enum go_release {
	GO_EARLY = 1, /* before the first beta of Go 1.3: src/go/format/dump/go13_early.c */
	GO_13BETA = 2,
	GO_13 = 4,
	GO_14 = 8,
	GO_15 = 16,
	GO_16 = 32,
	GO_17 = 64,
	GO_SECOND = 128 /* not a layout: marks the second of two tags that share their fields */
};

struct go_tag {
	uint8_t kind; /* enum record_kind; RECORD_KINDS: unused tag */
	bool second;
};

struct go_layout {
	enum go_release release;
	const char *header; /* GO_HEADER_LINE bytes */
	/* Go version, if the file does not contain it and there is only one; or NULL */
	const char *version;
	const struct go_tag *tags; /* by the first byte of a record */
	unsigned tag_count;
	bool typed_objects;   /* objects name a type and have no field list; types have one */
	uint8_t max_kind;     /* of a field */
	const uint8_t *kinds; /* enum old_kind by kind; NULL: only kind 1, a pointer */
};
