#include "heap/record_index.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>

void record_index_add(struct record_index *index, enum record_kind kind, uint64_t offset,
                      uint64_t end)
{
	struct record_entry *last = index->count ? &index->entry[index->count - 1] : NULL;
	bool continues = end && last && last->kind == kind && offset == index->last_end;
	index->last_end = end;
	if (continues && last->count < RECORD_STEP) {
		last->count++;
		return;
	}
	MEM_PUSH(index->entry, index->count, index->capacity,
	         (struct record_entry){.offset = offset, .kind = (uint8_t)kind, .count = 1});
}

void record_index_add_row(struct record_index *index, uint64_t count, uint64_t bytes)
{
	for (uint64_t some; count; count -= some) {
		struct record_entry *last = &index->entry[index->count - 1];
		some = RECORD_STEP - last->count;
		if (!some) {
			record_index_add(index, (enum record_kind)last->kind, index->last_end,
			                 index->last_end + bytes);
			some = 1;
			continue;
		}
		some = count < some ? count : some;
		last->count = (uint8_t)(last->count + some);
		index->last_end += some * bytes;
	}
}

void record_index_build(struct record_index *index)
{
	for (size_t i = 1; i < index->count; i++)
		if (index->entry[i].offset < index->entry[i - 1].offset) {
			bound_sort(index->entry, index->count, BOUND_BY(struct record_entry, offset));
			return;
		}
}

void record_index_fini(struct record_index *index)
{
	free(index->entry);
}
