#include "go/types/type_marks.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void type_marks_fini(struct type_marks *marks)
{
	free(marks->known);
}

uint8_t type_marks_find(struct type_marks *marks, gotype_id type)
{
	size_t before = marks->count;
	while (type >= marks->count)
		marks->known = mem_grow(marks->known, marks->count, &marks->count, 1);
	memset(marks->known + before, 0, marks->count - before);
	uint8_t mark = marks->mark(marks->self, type);
	marks->known[type] = 1 + mark;
	return mark;
}
