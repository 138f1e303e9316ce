/* Values used in names: map keys, functions. */
#include "go/types/govalue.h"

#include "base/text.h"
#include "go/runtime/goiface.h"
#include "heap/heap.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_SHOWN = 100, NAME_SHOWN = 200 }; /* bytes */

/* Finds the bytes of a string, or of a string in an interface, whose header may be a constant of
   the executable, with pointers that need relocation. */
static bool find_string(const struct govalue *in, gotype_id id, const uint8_t *data,
                        uint64_t *address, uint64_t *len)
{
	const struct gotypes *types = typing_types(in->typing);
	const struct gotype *type = gotype_get(types, id);
	uint64_t width = in->heap->params.layout.pointer_size;
	*address = heap_word(in->heap, data);
	bool boxed = type->kind == GO_INTERFACE;
	if (boxed) {
		uint64_t header = heap_word(in->heap, data + width);
		type = gotype_get(types,
		                  goiface_dynamic(typing_runtime(in->typing), *address, type->has_methods));
		data = gomemory_bytes(typing_runtime(in->typing), header, 2 * width);
		*address = gomemory_word(typing_runtime(in->typing), header);
	}
	/* in an interface, a defined string type is a different key */
	if (!data || type->kind != GO_STRING || (boxed && strcmp(type->name, "string") != 0))
		return false;
	*len = heap_word(in->heap, data + width);
	return true;
}

static void add_key(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t size,
                    struct buf *out)
{
	const struct gotype *type = gotype_get(typing_types(in->typing), id);
	uint64_t address, len, width = in->heap->params.layout.pointer_size;
	bool may_be = type->kind == GO_STRING || type->kind == GO_INTERFACE;
	if (!data)
		return;
	if (!may_be || size < 2 * width || !find_string(in, id, data, &address, &len)) {
		govalue_add_short(in, id, data, size, out);
		return;
	}
	const uint8_t *bytes = len ? gomemory_bytes(typing_runtime(in->typing), address, len) : data;
	if (!bytes)
		return;
	text_add_key(out, (const char *)bytes, len, KEY_SHOWN);
}

bool govalue_add_key(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t size,
                     struct buf *out)
{
	buf_add_char(out, '[');
	size_t before = out->len;
	out->cut = false;
	if (!in->hide_keys)
		add_key(in, id, data, size, out);
	bool whole = out->len > before && !out->cut;
	if (out->len == before)
		buf_add(out, "key");
	buf_add_char(out, ']');
	return whole;
}

bool govalue_add_function(const struct govalue *in, uint64_t entry, struct buf *out)
{
	struct pclntab_line lines[EXE_LINES];
	const char *name;
	if (!names_function(in->names, entry, &name))
		return false;
	text_add_escaped(out, name, strlen(name), NAME_SHOWN);
	size_t count = exe_lines(in->names->exe, entry - in->names->fit.bias, false, lines);
	if (!count || !lines[count - 1].line)
		return true;
	const char *file = names_file_base(lines[count - 1].file);
	buf_add_char(out, ' ');
	text_add_escaped(out, file, strlen(file), NAME_SHOWN);
	buf_addf(out, ":%" PRIu64, lines[count - 1].line);
	return true;
}
