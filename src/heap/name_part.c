#include "heap/name_part.h"

#include <inttypes.h>

void name_add_index(struct buf *name, uint64_t index)
{
	if (name_wants(name, NAME_INDEX))
		buf_addf(name, "[%" PRIu64 "]", index);
	else
		buf_add(name, "[*]");
}
