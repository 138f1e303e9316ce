#include "table/contents/field.h"

#include "heap/heap.h"

void field_point(const struct heap *heap, uint64_t word, struct field *field)
{
	field->is_pointer = true;
	field->word = word;
	field->target = word ? heap_find(heap, word) : OBJECT_NONE;
	field->kind = field->target != OBJECT_NONE            ? "pointer"
	              : word == 0                             ? "nil"
	              : objects_has_page(heap->objects, word) ? "dangling"
	                                                      : "outside";
}

void field_point_by_type(const struct govalue *in, struct field *field)
{
	uint64_t at, width = in->heap->params.layout.pointer_size;
	if (field->data && govalue_pointer(in, field->type, &at) && field->size >= width
	    && at <= field->size - width)
		field_point(in->heap, heap_word(in->heap, field->data + at), field);
}
