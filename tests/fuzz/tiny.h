/* Small dumps that have every kind of record, in every layout: what the fuzzers start from. */
#pragma once

#include "format/dump_writer.h"

/* The layouts of dump_writer.h, and the one that came before all of them. */
enum tiny_layout { TINY_EARLY = DUMP_3BETA + 1, TINY_LAYOUTS };

struct tiny {
	unsigned layout; /* enum dump_layout or TINY_EARLY */
	unsigned pointer_size;
	bool big_endian;
	const char *version; /* DUMP_7 only */
};

void tiny_write(struct dump_writer *w, const struct tiny *tiny);
