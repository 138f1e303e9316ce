/* Keeps labels in an index. */
#include "go/types/labelling.h"

#include "base/mem.h"

/* Descriptors are written with their names in one text, by offset: pointers are not valid in
   another process. */
static bool labels_index_descriptors(struct labels *l, const struct index_io *io)
{
	struct buf copies = {0}, names = {0};
	for (size_t i = 0; io->writer && i < l->descriptor_count; i++) {
		struct descriptor copy = l->descriptors[i];
		copy.name.data = (const char *)(uintptr_t)names.len;
		buf_add_bytes(&copies, &copy, sizeof copy);
		buf_add_bytes(&names, l->descriptors[i].name.data, copy.name.len);
	}
	bool done = index_io_buf(io, "labels/descriptors", &copies)
	            && index_io_buf(io, "labels/names", &names);
	if (io->writer) {
		buf_free(&copies);
		buf_free(&names);
		return true;
	}
	l->descriptors = (void *)copies.data;
	l->descriptor_count = l->descriptor_capacity = copies.len / sizeof *l->descriptors;
	l->names = names.data;
	for (size_t i = 0; done && i < l->descriptor_count; i++)
		l->descriptors[i].name.data = l->names + (uintptr_t)l->descriptors[i].name.data;
	return done;
}

bool labels_index(struct labels *l, const struct index_io *io)
{
	bool done = INDEX_VALUES(io, "labels/numbers", INDEX_VALUE(l->pair_low),
	                         INDEX_VALUE(l->pair_high), INDEX_VALUE(l->largest),
	                         INDEX_VALUE(l->text_low), INDEX_VALUE(l->text_high),
	                         INDEX_VALUE(l->text_last))
	            && (l->typing || index_io_column(io, "labels/of", &l->of, l->of_size))
	            && INDEX_ARRAY(io, "labels/label", l->label, l->count)
	            && INDEX_ARRAY(io, "labels/holders", l->holders, l->holder_count)
	            && index_io_map(io, "labels/functions", &l->functions)
	            && labels_index_descriptors(l, io) && l->count;
	if (io->file) {
		l->capacity = l->count;
		l->holder_capacity = l->holder_count;
	}
	return done;
}

struct labels *labels_load(const struct heap *heap, const struct typing *typing,
                           const struct index_io *io)
{
	struct labels *l = mem_alloc(sizeof *l);
	l->heap = heap;
	l->typing = typing;
	l->of_size = (heap_object_count(heap) + 1UL) * sizeof *l->of;
	if (labels_index(l, io))
		return l;
	labels_free(l);
	return NULL;
}
