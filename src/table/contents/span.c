#include "table/contents/span.h"

#include "base/mem.h"
#include "format/format.h"
#include "go/runtime/gospans.h"
#include "heap/heap.h"
#include "table/naming/argument.h"

#include <inttypes.h>

static uint32_t *span_objects(const struct heap *heap, const struct span_record *span,
                              size_t *count)
{
	uint32_t *ids = mem_alloc((span->objects + 1) * sizeof *ids);
	uint32_t id = heap_first_from(heap, span->address);
	for (*count = 0; id < heap_object_count(heap) && *count < span->objects
	                 && heap_address(heap, id) - span->address < span->bytes;
	     id++)
		ids[(*count)++] = id;
	return ids;
}

uint32_t *span_select(const struct analysis *analysis, uint64_t address, size_t *count,
                      struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	struct gospans spans;
	if (!format_has(heap->format, PART_GO | PART_MEMORY, err))
		return NULL;
	gospans_init(&spans, heap);
	const struct span_record *span = gospans_at(&spans, address);
	uint32_t *ids = span && span->address == address ? span_objects(heap, span, count) : NULL;
	gospans_fini(&spans);
	if (!ids) {
		err_set(err, "There is no span at 0x%" PRIx64 "; the table spans lists them", address);
		argument_absent(heap, DAMAGE_OBJECTS, err);
	}
	return ids;
}

void span_doubt(const struct heap *heap, struct buf *out)
{
	SCOPED_BUF doubt = {0};
	if (damage_doubt(heap, DAMAGE_OBJECTS, &doubt))
		buf_addf(out, "%sSlots of objects that the file has lost seem to be free.",
		         out->len ? " " : "");
}
