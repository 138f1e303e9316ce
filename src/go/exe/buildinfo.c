/* Reads the Go version from section .go.buildinfo (Go package debug/buildinfo), since Go 1.13; for
   older programs from the variable runtime.buildVersion. */
#include "go/exe/buildinfo.h"

#include "base/cursor.h"

#include <string.h>

enum {
	FLAGS = 15,
	POINTER = 16,
	INLINE = 32,   /* offsets in the section */
	IS_INLINE = 2, /* flag: the version string follows instead of its address */
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

static size_t buildinfo_digits(const char *text, size_t len)
{
	size_t count = 0;
	while (count < len && text[count] >= '0' && text[count] <= '9')
		count++;
	return count;
}

static const char magic[] = "\xff Go buildinf:";

/* Finds the section by name or, if a linker merged it into another one, by its magic bytes. */
static bool buildinfo_find(const struct image *image, struct image_section *section)
{
	enum { ALIGNED = 16, MAGIC = sizeof magic - 1 };
	if (image_section(image, ".go.buildinfo", section) && section->data && section->size > INLINE
	    && memcmp(section->data, magic, MAGIC) == 0)
		return true;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *in = &image->segments[i];
		uint64_t at = -in->address % ALIGNED;
		for (; in->writable && at < in->size && in->size - at > INLINE; at += ALIGNED) {
			*section = (struct image_section){in->address + at, in->size - at, in->data + at};
			if (memcmp(section->data, magic, MAGIC) == 0)
				return true;
		}
	}
	return false;
}

/* Returns true if the string header at an address is exactly the name of a release, as
   runtime.buildVersion is; *text is the name. */
static bool buildinfo_is_release(const struct image *image, uint64_t header, struct text *text)
{
	enum { SHORTEST = 5, MARK = 4 };
	uint64_t address, length;
	if (!image_number(image, header + image->pointer_size, image->pointer_size, &length)
	    || length < SHORTEST || length > LONGEST || !image_pointer(image, header, &address))
		return false;
	*text = (struct text){(const char *)image_bytes(image, address, length), (size_t)length};
	if (!text->data || memcmp(text->data, "go1.", MARK) != 0)
		return false;
	size_t digits = buildinfo_digits(text->data + MARK, text->len - MARK);
	char next = digits + MARK < text->len ? text->data[MARK + digits] : ' ';
	return digits && digits <= 2 && strchr(". -rb", next);
}

/* Appends the release if all such strings in writable segments agree; otherwise nothing. */
static void buildinfo_add_variable(const struct image *image, struct buf *out)
{
	struct text found = {0}, text;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *in = &image->segments[i];
		unsigned step = image->pointer_size;
		for (uint64_t at = 0; in->writable && at + 2 * step <= in->size; at += step) {
			if (!buildinfo_is_release(image, in->address + at, &text))
				continue;
			if (found.len && !text_equal(found, text))
				return;
			found = text;
		}
	}
	text_add_escaped(out, found.data, found.len, LONGEST);
}

bool buildinfo_version(const struct image *image, struct buf *out)
{
	struct image_section section;
	uint64_t address;
	size_t len = out->len;
	if (buildinfo_find(image, &section)) {
		if (section.data[FLAGS] & IS_INLINE) {
			struct cursor c = cursor_make(section.data, section.size, INLINE);
			struct text text = cursor_text(&c);
			if (cursor_ok(&c))
				text_add_escaped(out, text.data, text.len, LONGEST);
		} else if (image_pointer(image, section.address + POINTER, &address))
			buildinfo_add_string(image, address, out);
	} else if (image_symbol_named(image, "runtime.buildVersion", &address)) {
		buildinfo_add_string(image, address, out);
	}
	if (out->len > len)
		return true;
	buildinfo_add_variable(image, out);
	return false;
}

/* Returns the text of a line such as "path\tgo.etcd.io/etcd" up to the next tab or line. */
static struct text buildinfo_line(struct text info, const char *key)
{
	size_t len = strlen(key);
	for (size_t at = 0; at + len < info.len;) {
		const char *line = info.data + at;
		const char *end = memchr(line, '\n', info.len - at);
		size_t left = end ? (size_t)(end - line) : info.len - at;
		if (left > len && memcmp(line, key, len) == 0) {
			const char *tab = memchr(line + len, '\t', left - len);
			return (struct text){line + len, tab ? (size_t)(tab - line) - len : left - len};
		}
		at += left + 1;
	}
	return (struct text){0};
}

void buildinfo_add_program(const struct image *image, struct buf *out)
{
	enum { FRAME = 16 }; /* bytes before and behind the lines */
	static const char commands[] = "/cmd/", unnamed[] = "command-line-arguments";
	struct image_section section;
	if (!buildinfo_find(image, &section) || !(section.data[FLAGS] & IS_INLINE))
		return;
	struct cursor c = cursor_make(section.data, section.size, INLINE);
	cursor_text(&c);
	struct text info = cursor_text(&c);
	if (!cursor_ok(&c) || info.len < 2 * FRAME)
		return;
	info = (struct text){info.data + FRAME, info.len - 2 * FRAME};
	struct text path = buildinfo_line(info, "mod\t");
	if (!path.len)
		path = buildinfo_line(info, "path\t");
	const char *cut = path.len ? memmem(path.data, path.len, commands, strlen(commands)) : NULL;
	path.len = cut ? (size_t)(cut - path.data) : path.len;
	if (path.len && path.len <= LONGEST && !text_is(path, unnamed))
		buf_add_bytes(out, path.data, path.len);
}
