#include "table/contents/collections.h"

#include "table/naming/typed.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_EVERY = 4096 }; /* objects between two checks for cancellation */

const char *const collection_names[COLLECTION_KINDS] = {"map", "slice", "chan", "sync.Map"};

bool collections_is_free(const struct collections_search *search, uint32_t object)
{
	return !search->of[object] && reach_has(search->reach, object);
}

void collections_add_part(struct collections_search *search, struct collection *item,
                          uint32_t object)
{
	item->bytes += heap_size(search->heap, object);
	item->parts++;
	search->of[object] = COLLECTION_PART;
}

void collections_fini(struct collections *found)
{
	free(found->item);
	free(found->window);
	*found = (struct collections){0};
}

/* The array of an unknown slice is an array, "[4096]int". */
uint64_t collection_type_code(const struct analysis *analysis, const struct collection *item)
{
	if (!item->type || (item->kind == COLLECTION_SLICE && !item->has_length))
		return typed_part_code(analysis, item->object);
	return TYPED_CODE_OTHER | (uint64_t)item->kind << 32 | item->type
	       | (typed_is_guess(analysis, item->object) ? TYPED_CODE_GUESS : 0);
}

/* Headers such as "map[string]int (header)" have a type that no program names, so the map's type
   is shown. */
void collection_type_cell(const struct analysis *analysis, uint64_t code, struct value *value)
{
	const struct gotypes *types = analysis_types(analysis);
	gotype_id type = (gotype_id)code;
	enum collection_kind kind = (enum collection_kind)(code >> 32 & UINT16_MAX);
	struct buf *out = cell_begin(value);
	value->guess = code & TYPED_CODE_GUESS;
	if (!(code & TYPED_CODE_OTHER)) {
		typed_add_code(analysis, code, out);
		return;
	}
	if (kind == COLLECTION_SLICE)
		buf_add(out, "[]");
	if (kind == COLLECTION_SLICE && strcmp(gotype_get(types, type)->name, "uint8") == 0)
		buf_add(out, "byte");
	else
		(kind == COLLECTION_MAP ? gotype_display_whole : gotype_display)(types, type, out);
}
