/* Functions of other files in the table of functions. */
#include "pclntab_layout.h"

#include "base/bound.h"
#include "base/mem.h"

#include <string.h>

void pclntab_add_part(struct pclntab *table, const struct pclntab *part, uint64_t shift)
{
	size_t capacity = table->part_count, room = table->count;
	struct pclntab moved = *part;
	moved.image = table->image;
	moved.address += shift;
	moved.funcdata += moved.funcdata ? shift : 0;
	moved.rodata += moved.rodata ? shift : 0;
	moved.end += shift;
	MEM_PUSH(table->parts, table->part_count, capacity, moved);
	for (size_t i = 0; i < part->count; i++) {
		struct pclntab_function function = part->functions[i];
		function.entry += shift;
		function.part = (uint32_t)table->part_count;
		MEM_PUSH(table->functions, table->count, room, function);
	}
	bound_sort(table->functions, table->count, BOUND_BY(struct pclntab_function, entry));
	for (size_t i = 0; i < table->part_count; i++) {
		table->parts[i].functions = table->functions;
		table->parts[i].count = table->count;
		table->parts[i].parts = table->parts;
		table->parts[i].part_count = table->part_count;
	}
}
