/* Explains the type of an object: part of table/naming/typed.h. */
#include "table/naming/typed.h"

#include "table/naming/step.h"

#include <inttypes.h>

enum { REFERRERS_ASKED = 64 };

/* Returns true if a value of this type, which points to an object, gives the object the type
   `wanted`. */
static bool leads_to(const struct analysis *analysis, gotype_id id, struct typed wanted)
{
	const struct gotype *type = gotype_get(analysis_types(analysis), id);
	gotype_id elem = type->elem;
	switch (type->kind) {
	case GO_MAP:
	case GO_CHAN:
		return type->header == wanted.type;
	case GO_STRING:
		return wanted.text;
	case GO_POINTER:
		while (elem && gotype_get(analysis_types(analysis), elem)->kind == GO_ARRAY)
			elem = gotype_get(analysis_types(analysis), elem)->elem;
		return elem == wanted.type;
	case GO_SLICE:
		return elem == wanted.type;
	default:
		return false;
	}
}

static void add_type_of(const struct analysis *analysis, gotype_id type, struct buf *out)
{
	gotype_display(analysis_types(analysis), type, out);
	buf_add(out, " at ");
}

/* Appends the best path to it if the last step of the path says the type. */
static bool typed_why_add_path(const struct analysis *analysis, uint32_t object, struct typed typed,
                               struct buf *out)
{
	struct paths *paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object);
	const struct path *path = paths_get(paths, 0, NULL);
	gotype_id scalar = path ? step_type(analysis, path) : 0;
	bool told = scalar && (leads_to(analysis, scalar, typed) || typed.source == SOURCE_PAIR);
	if (told) {
		add_type_of(analysis, scalar, out);
		step_add_path(analysis, path, out);
	}
	paths_close(paths);
	return told;
}

/* Appends any other field that determines the type: "main.Session.Next of 0xc000012340". */
static bool add_referrer(const struct analysis *analysis, uint32_t object, struct typed typed,
                         struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	struct ids holders = heap_referrers(heap, object);
	SCOPED_BUF field = {0};
	bool told = false;
	for (size_t i = 0; i < holders.count && i < REFERRERS_ASKED && !told; i++) {
		uint32_t id = holders.id[i];
		uint64_t offset = reference_offset(heap, id, object, reference_rank(holders, i));
		buf_clear(&field);
		gotype_id scalar = step_add(analysis, id, offset, &field);
		told = scalar && leads_to(analysis, scalar, typed);
		if (!told)
			continue;
		add_type_of(analysis, scalar, out);
		typed_add(analysis, id, out);
		buf_addf(out, "%s of 0x%" PRIx64, buf_text(&field), heap_address(heap, id));
	}
	return told;
}

void typed_add_why(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct typing *typing = analysis_typing(analysis);
	struct typed typed = typing ? typing_object(typing, object) : (struct typed){0};
	bool by_pointer = typed.source == SOURCE_FIELD || typed.source == SOURCE_PAIR;
	if (!by_pointer
	    || (!typed_why_add_path(analysis, object, typed, out)
	        && !add_referrer(analysis, object, typed, out)))
		buf_add(out, typed_source(analysis, object));
	if (type_known((enum type_source)typed.source) > (enum type_known)typed.known)
		buf_addf(out, "; its referrer is %s", typed.known == KNOWN_GUESS ? "a guess" : "inferred");
}
