#include "go/table/panic.h"

#include "go/runtime/goiface.h"
#include "go/runtime/gomemory.h"
#include "table/contents/datum.h"

#include <inttypes.h>
#include <string.h>

static gotype_id panic_type(const struct analysis *analysis, const struct panic_record *panic)
{
	const struct typing *typing = analysis_typing(analysis);
	return typing ? goiface_dynamic(typing_runtime(typing), panic->type, false) : 0;
}

void panic_add_type(const struct analysis *analysis, const struct panic_record *panic,
                    struct buf *out)
{
	gotype_id type = panic_type(analysis, panic);
	if (type)
		gotype_display(analysis_types(analysis), type, out);
	else if (panic->type)
		buf_addf(out, "0x%" PRIx64, panic->type);
}

/* The runtime stores the value as an interface without methods: its type, and the value or its
   address. Before a program crashes, the runtime replaces errors by their texts. */
void panic_add_value(const struct analysis *analysis, const struct panic_record *panic,
                     struct buf *out)
{
	struct govalue in = datum_memory(analysis);
	gotype_id type = panic_type(analysis, panic);
	if (!type)
		return;
	const char *name = gotype_get(typing_types(in.typing), type)->name;
	size_t before = out->len;
	if (goiface_is_direct(typing_types(in.typing), type))
		buf_addf(out, "0x%" PRIx64, panic->data);
	else {
		struct datum place = datum_at(&in, panic->data, type, 1);
		uint64_t size = gotype_get(typing_types(in.typing), type)->size;
		if (!place.data) { /* a constant of the executable, as of panic("text") */
			place.data = gomemory_bytes(typing_runtime(in.typing), panic->data, size);
			place.room = size;
		}
		govalue_add(&in, type, place.data, place.data ? place.room : 0, out);
	}
	if (strcmp(name, "string") != 0 && out->len == before)
		gotype_display(typing_types(in.typing), type, out);
}
