/* Saves and loads labels in an index. */
#include "types/labelling.h"

#include "base/index_parts.h"
#include "base/mem.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct labels_numbers {
	uint64_t pair_low, pair_high, largest, text_low, text_high, text_last;
};

/* Saves descriptors with their names in one text, by offset: pointers are not valid in another
   process. */
static void labels_save_descriptors(const struct labels *l, struct index_writer *writer)
{
	size_t size = l->descriptor_count * sizeof *l->descriptors;
	struct descriptor *copy = mem_alloc(size);
	struct buf names = {0};
	for (size_t i = 0; i < l->descriptor_count; i++) {
		copy[i] = l->descriptors[i];
		copy[i].name.data = (const char *)(uintptr_t)names.len;
		buf_add_bytes(&names, l->descriptors[i].name.data, l->descriptors[i].name.len);
	}
	index_put_padded(writer, "labels/descriptors", copy, l->descriptor_count, sizeof *copy,
	                 offsetof(struct descriptor, pointer) + 1, sizeof *copy);
	index_put_copy(writer, "labels/names", names.data, names.len);
	free(copy);
	buf_free(&names);
}

static bool labels_load_descriptors(struct labels *l, struct index_file *file)
{
	size_t size;
	l->descriptors =
		index_array(file, "labels/descriptors", sizeof *l->descriptors, &l->descriptor_count);
	l->names = index_array(file, "labels/names", 1, &size);
	if (!l->descriptors || !l->names)
		return false;
	l->descriptor_capacity = l->descriptor_count;
	for (size_t i = 0; i < l->descriptor_count; i++)
		l->descriptors[i].name.data = l->names + (uintptr_t)l->descriptors[i].name.data;
	return true;
}

void labels_save(const struct labels *l, struct index_writer *writer)
{
	struct labels_numbers numbers = {l->pair_low, l->pair_high, l->largest,
	                                 l->text_low, l->text_high, l->text_last};
	index_put_copy(writer, "labels/numbers", &numbers, sizeof numbers);
	if (l->of)
		index_put_column(writer, "labels/of", l->of, l->of_size);
	index_put(writer, "labels/label", l->label, l->count * sizeof *l->label);
	index_put_padded(writer, "labels/holders", l->holders, l->holder_count, sizeof *l->holders,
	                 sizeof l->holders->kind, offsetof(struct holder, value));
	index_put_map(writer, "labels/functions", &l->functions);
	labels_save_descriptors(l, writer);
}

static bool labels_load_numbers(struct labels *l, struct index_file *file)
{
	struct labels_numbers numbers;
	if (!index_struct(file, "labels/numbers", &numbers, sizeof numbers))
		return false;
	l->pair_low = numbers.pair_low;
	l->pair_high = numbers.pair_high;
	l->largest = numbers.largest;
	l->text_low = numbers.text_low;
	l->text_high = numbers.text_high;
	l->text_last = numbers.text_last;
	return true;
}

static bool labels_load_arrays(struct labels *l, struct index_file *file)
{
	if (!l->typing)
		l->of = index_column(file, "labels/of", l->of_size);
	l->label = index_array(file, "labels/label", sizeof *l->label, &l->count);
	l->holders = index_array(file, "labels/holders", sizeof *l->holders, &l->holder_count);
	l->capacity = l->count;
	l->holder_capacity = l->holder_count;
	return (l->of || l->typing) && l->label && l->holders && l->count;
}

struct labels *labels_load(const struct heap *heap, const struct typing *typing,
                           struct index_file *file)
{
	struct labels *l = mem_alloc(sizeof *l);
	l->heap = heap;
	l->typing = typing;
	l->of_size = (heap_object_count(heap) + 1UL) * sizeof *l->of;
	if (labels_load_numbers(l, file) && labels_load_arrays(l, file)
	    && index_map_into(file, "labels/functions", &l->functions)
	    && labels_load_descriptors(l, file))
		return l;
	labels_free(l);
	return NULL;
}
