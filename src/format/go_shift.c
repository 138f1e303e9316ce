#include "go_shift.h"

/* Takes a pair of a list, (1, offset), from the end of some bytes. Returns false if there is none.
 */
static bool go_pair_before(const uint8_t *start, const uint8_t **end, uint64_t *offset)
{
	enum { LONGEST = 5 };
	const uint8_t *at = *end;
	if (at - start < 2 || at[-1] >= 0x80)
		return false;
	*offset = *--at;
	while (at - start > 1 && at[-1] >= 0x80 && *end - at < LONGEST)
		*offset = *offset << 7 | (*--at & 0x7f);
	*end = at - 1;
	return at[-1] == 1;
}

bool go_ends_in_list(const uint8_t *contents, uint64_t size, struct fields list, unsigned width)
{
	enum { PAIRS = 3 }; /* fewer may be a number or a text */
	const uint8_t *end = contents + size;
	uint64_t next, offset;
	if (!contents || list.old || list.at != end || !go_pair_before(contents, &end, &offset)
	    || offset % width)
		return false;
	if (!fields_next(&list, &next))
		next = UINT64_MAX;
	for (unsigned pairs = 1; offset < next && offset % width == 0; pairs++) {
		if (pairs == PAIRS)
			return true;
		next = offset;
		if (!go_pair_before(contents, &end, &offset))
			return false;
	}
	return false;
}
