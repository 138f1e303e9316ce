/* Section .go.buildinfo (debug/buildinfo), from Go 1.13 on; before, the variable
   runtime.buildVersion. */
#include "exe/buildinfo.h"

#include "base/cursor.h"

#include <string.h>

enum {
	FLAGS = 15,
	POINTER = 16,
	INLINE = 32,   /* offsets in the section */
	IS_INLINE = 2, /* flag: the version itself follows, not its address */
	LONGEST = 200
};

static void buildinfo_add_string(const struct image *image, uint64_t header, struct buf *out)
{
	uint64_t address, length;
	if (!image_pointer(image, header, &address)
	    || !image_number(image, header + image->pointer_size, image->pointer_size, &length))
		return;
	const uint8_t *text = image_bytes(image, address, length);
	if (text)
		text_add_escaped(out, (const char *)text, (size_t)length, LONGEST);
}

static void add_inline(const struct image_section *section, struct buf *out)
{
	struct cursor c = cursor_make(section->data, section->size, INLINE);
	struct text text = cursor_text(&c);
	if (cursor_ok(&c))
		text_add_escaped(out, text.data, text.len, LONGEST);
}

void buildinfo_version(const struct image *image, struct buf *out)
{
	struct image_section section;
	uint64_t address;
	static const char magic[] = "\xff Go buildinf:";
	if (image_section(image, ".go.buildinfo", &section) && section.data && section.size > INLINE
	    && memcmp(section.data, magic, sizeof magic - 1) == 0) {
		if (section.data[FLAGS] & IS_INLINE)
			add_inline(&section, out);
		else if (image_pointer(image, section.address + POINTER, &address))
			buildinfo_add_string(image, address, out);
	} else if (image_symbol_named(image, "runtime.buildVersion", &address)) {
		buildinfo_add_string(image, address, out);
	}
}
