#include "dump_heap.h"

#include "cmocka_all.h"

struct heap *dump_heap(struct dump_writer *w)
{
	struct err err = {0};
	w->input = dump_input(w);
	struct heap *heap = heap_read(&w->input, NULL, &err);
	if (!heap)
		fail_msg("%s", err.text);
	return heap;
}

struct heap *dump_linked(struct dump_writer *w)
{
	struct heap *heap = dump_heap(w);
	assert_true(heap_link(heap, NULL, NULL));
	return heap;
}

struct heap *dump_reversed(struct dump_writer *w)
{
	struct heap *heap = dump_linked(w);
	assert_true(heap_reverse(heap, NULL));
	return heap;
}

void dump_heap_free(struct heap **heap)
{
	heap_free(*heap);
}
