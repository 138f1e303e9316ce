#include "table/naming/inner.h"

#include "go/types/govalue.h"
#include "go/types/scalar_fields.h"
#include "table/naming/step.h"

/* Finds the value in a block. False: no pointer leads there. */
static bool find_value(const struct typing *typing, uint32_t object, uint64_t offset,
                       struct inner *inner)
{
	struct typed_part part;
	uint32_t n = 0;
	while (typing_part(typing, object, &n, &part)) {
		uint64_t size = gotype_get(typing_types(typing), part.type)->size;
		if (offset < part.offset || offset - part.offset >= size)
			continue;
		inner->offset = part.offset;
		inner->type = part.type;
		return true;
	}
	return false;
}

static bool find_field(const struct analysis *analysis, uint32_t object, const struct typed *typed,
                       uint64_t offset, struct inner *inner)
{
	inner->type = step_add(analysis, object, offset, &inner->name);
	if (!inner->type)
		return false;
	uint64_t size = gotype_get(analysis_types(analysis), typed->type)->size;
	struct scalar_field scalar =
		scalar_at(analysis_types(analysis), typed->type, offset % size, NULL);
	inner->offset = scalar.type == inner->type ? offset - offset % size + scalar.offset : offset;
	return true;
}

static void inner_add_text(const struct analysis *analysis, uint32_t object, struct inner *inner)
{
	struct govalue in = {analysis_heap(analysis), analysis_names(analysis),
	                     analysis_typing(analysis), analysis_hides_keys(analysis)};
	struct object_record record;
	if (!heap_object(analysis_heap(analysis), object, &record))
		return;
	uint64_t at = inner->offset + record.header;
	if (at < record.stored)
		govalue_add(&in, inner->type, record.data + at, record.stored - at, &inner->text);
}

bool inner_init(struct inner *inner, const struct analysis *analysis, uint32_t object,
                uint64_t address)
{
	const struct typing *typing = analysis_typing(analysis);
	struct typed typed = typing ? typing_object(typing, object) : (struct typed){0};
	uint64_t start = heap_address(analysis_heap(analysis), object);
	*inner = (struct inner){0};
	if (!typed.type || address < start)
		return false;
	bool block = typed.source == SOURCE_BLOCK;
	bool found = block ? find_value(typing, object, address - start, inner)
	                   : address > start
	                         && find_field(analysis, object, &typed, address - start, inner);
	if (found)
		inner_add_text(analysis, object, inner);
	return found;
}

void inner_fini(struct inner *inner)
{
	buf_free(&inner->name);
	buf_free(&inner->text);
}
