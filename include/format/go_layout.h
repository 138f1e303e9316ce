/* The layouts of Go's heap dump, by the header line that a version writes (runtime/heapdump.go of
   each). */
#ifndef FORMAT_GO_LAYOUT_H
#define FORMAT_GO_LAYOUT_H

#include "format/format.h"
#include "format/old_fields.h"

enum {
	GO_HEADER_LINE = 16,
	GO_LONGEST_NAME = 1 << 16, /* of a type, where broken_types may be */
};

struct go_layout {
	const char *header;   /* GO_HEADER_LINE bytes */
	const char *version;  /* of Go, where the file does not say it and there is only one; or NULL */
	bool typed_objects;   /* objects name a type and have no field list; types have one */
	bool itab_flag;       /* itabs say whether the data word is a pointer, instead of the type */
	bool channel_size;    /* parameters have the size of a channel's header */
	bool arch_code;       /* parameters have a letter for the architecture, not its name */
	bool continue_pc;     /* frames have the pc where they go on */
	bool broken_types;    /* type records may have an impossible name (Go 1.5's own fault) */
	uint8_t max_kind;     /* of fields */
	const uint8_t *kinds; /* enum old_kind by kind; NULL: kind 1 only, a pointer */
};

#endif
