/* Values that name something: keys of maps, functions. */
#include "types/govalue.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { KEY_SHOWN = 32, NAME_SHOWN = 200 }; /* bytes */

static void add_key(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t size,
                    struct buf *out)
{
	const struct gotype *type = gotype_get(typing_types(in->typing), id);
	uint64_t width = in->heap->params.layout.pointer_size;
	if (type->kind != GO_STRING || !data || size < 2 * width) {
		if (data)
			govalue_add_short(in, id, data, size, out);
		return;
	}
	uint64_t len = heap_word(in->heap, data + width);
	const uint8_t *bytes = len ? govalue_memory(in, heap_word(in->heap, data), len) : data;
	if (!bytes)
		return;
	buf_add_char(out, '"');
	text_add_visible(out, (const char *)bytes, len, KEY_SHOWN);
	buf_add_char(out, '"');
}

void govalue_add_key(const struct govalue *in, gotype_id id, const uint8_t *data, uint64_t size,
                     struct buf *out)
{
	buf_add_char(out, '[');
	size_t before = out->len;
	add_key(in, id, data, size, out);
	if (out->len == before)
		buf_add(out, "key");
	buf_add_char(out, ']');
}

bool govalue_add_function(const struct govalue *in, uint64_t entry, struct buf *out)
{
	struct pclntab_line lines[EXE_LINES];
	const char *name;
	if (!names_function(in->names, entry, &name))
		return false;
	text_add_visible(out, name, strlen(name), NAME_SHOWN);
	size_t count = exe_lines(in->names->exe, entry - in->names->fit.bias, false, lines);
	if (!count || !lines[count - 1].line)
		return true;
	const char *file = names_file_base(lines[count - 1].file);
	buf_add_char(out, ' ');
	text_add_visible(out, file, strlen(file), NAME_SHOWN);
	buf_addf(out, ":%" PRIu64, lines[count - 1].line);
	return true;
}
