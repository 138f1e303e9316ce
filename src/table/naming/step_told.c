/* Steps by references that the format of the dump names, as V8's heap snapshots do. */
#include "step_parts.h"

#include "base/text.h"
#include "format/format.h"
#include "heap/name_part.h"

enum { STEP_NAME = 200 /* columns */ };

static bool step_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* Returns true for a name that can stand behind a dot. */
static bool step_is_identifier(const struct buf *name)
{
	if (!name->len || !step_is_letter(*name->data))
		return false;
	for (size_t i = 1; i < name->len; i++)
		if (!step_is_letter(name->data[i]) && (name->data[i] < '0' || name->data[i] > '9'))
			return false;
	return true;
}

void step_add_place(const struct heap *heap, uint32_t place, struct buf *out)
{
	SCOPED_BUF name = {0};
	uint64_t index;
	if (!reference_add_place(heap, place, &name, &index)) {
		name_add_index(out, index);
	} else if (place != PLACE_NONE) {
		bool plain = step_is_identifier(&name);
		buf_add(out, plain ? "." : "[");
		if (plain)
			text_add_escaped(out, name.data, name.len, STEP_NAME);
		else
			text_add_key(out, buf_text(&name), name.len, STEP_NAME);
		buf_add(out, plain ? "" : "]");
	}
}

void step_add_reference(const struct heap *heap, const struct reference *reference, struct buf *out)
{
	step_add_place(heap, reference->place, out);
	if (reference->strength != STRENGTH_STRONG)
		buf_addf(out, " (%s)", strength_names[reference->strength]);
}

bool step_add_told(const struct heap *heap, uint32_t object, uint64_t place, struct buf *out)
{
	struct reference reference;
	if (!heap_has(heap, PART_NAMES))
		return false;
	if (reference_numbered(heap, object, place, &reference))
		step_add_reference(heap, &reference, out);
	return true;
}
