#include "core_library.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"

#include <string.h>

enum { MOST_MAPPINGS = 1 << 12 /* limit of examined mappings */, FIRST_PAGE = 4096 };

/* Finds the note of the Go linker (name "Go", type 4). Returns an empty text if there is none. */
static struct text build_id(const uint8_t *bytes, size_t size)
{
	static const uint8_t start[] = {4, 0, 0, 0};
	for (size_t at = 0; bytes && at + 16 <= size; at += 4) {
		uint32_t length;
		if (memcmp(bytes + at, start, 4) != 0 || memcmp(bytes + at + 8, "\4\0\0\0Go\0\0", 8) != 0)
			continue;
		memcpy(&length, bytes + at + 4, 4);
		if (length <= size - at - 16)
			return (struct text){(const char *)bytes + at + 16, length};
	}
	return (struct text){0};
}

struct text core_build_id_of(const struct exe *exe)
{
	struct image_section note;
	if (!image_section(exe_image(exe), ".note.go.buildid", &note) || !note.data)
		return (struct text){0};
	return build_id(note.data, note.size);
}

/* Finds the build id in the first page of a mapping, which most core files store for each file. */
static struct text core_library_id_at(const struct core_file *file,
                                      const struct core_mapping *mapping)
{
	const struct core_segment *at = core_file_segment(file, mapping->start);
	if (!at) /* it may begin in another mapping, which lies directly before */
		return (struct text){0};
	uint64_t in = mapping->start - at->address, size = at->size - in;
	return build_id(file->data + at->offset + in, size < FIRST_PAGE ? size : FIRST_PAGE);
}

struct text core_build_id(const struct core_file *file, const char *path)
{
	for (size_t i = 0; i < file->mappings; i++) {
		struct text id = {0};
		if (strcmp(file->mapping[i].path, path) == 0)
			id = core_library_id_at(file, &file->mapping[i]);
		if (id.len)
			return id;
	}
	return (struct text){0};
}

static const char *core_library_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Returns the first mapping from number `i` on that begins another file than the program's, or
   NULL. */
static const struct core_mapping *core_library_next_file(const struct core_file *file,
                                                         const char *in_core, size_t i)
{
	for (; i < file->mappings && i < MOST_MAPPINGS; i++) {
		const struct core_mapping *at = &file->mapping[i];
		if ((!i || strcmp(at[-1].path, at->path) != 0)
		    && (!in_core || strcmp(at->path, in_core) != 0))
			return at;
	}
	return NULL;
}

static size_t core_library_behind(const struct core_file *file, const struct core_mapping *at)
{
	return (size_t)(at - file->mapping) + 1;
}

const struct core_mapping *core_library_of(const struct core_file *file, const char *in_core,
                                           const struct exe *exe)
{
	struct text id = core_build_id_of(exe);
	const struct core_mapping *named = NULL, *at = core_library_next_file(file, in_core, 0);
	for (; at; at = core_library_next_file(file, in_core, core_library_behind(file, at))) {
		struct text of = core_library_id_at(file, at);
		if (id.len && of.len && text_equal(id, of))
			return at;
		if (!named && !of.len
		    && strcmp(core_library_base(at->path), core_library_base(exe_path(exe))) == 0)
			named = at;
	}
	return named;
}

const struct core_mapping *core_library_next(const struct core_file *file, const char *in_core,
                                             const struct core_mapping *last)
{
	const struct core_mapping *at =
		core_library_next_file(file, in_core, last ? core_library_behind(file, last) : 0);
	while (at && !core_library_id_at(file, at).len)
		at = core_library_next_file(file, in_core, core_library_behind(file, at));
	return at;
}

bool core_library_is(const struct core_file *file, const struct core_mapping *library,
                     const struct exe *exe, bool *differs)
{
	struct text id = image_build_ids(exe_image(exe)).gnu;
	const uint8_t *page = core_file_at(file, library->start, FIRST_PAGE);
	bool known = id.len && page;
	bool same = known && memmem(page, FIRST_PAGE, id.data, id.len);
	*differs = known && !same;
	return same;
}

uint64_t core_library_start(const struct exe *exe)
{
	const struct image *image = exe_image(exe);
	uint64_t start = UINT64_MAX;
	for (size_t i = 0; i < image->segment_count; i++)
		if (image->segments[i].address < start)
			start = image->segments[i].address;
	return start & ~UINT64_C(0xfff);
}

void core_library_paths(const struct core_file *file, const char *core_path, const char *library,
                        char *paths[CORE_LIBRARY_PATHS])
{
	SCOPED_BUF root = {0}, beside = {0};
	buf_addf(&root, "/proc/%d/root%s", (int)file->own.pid, library);
	buf_add_bytes(&beside, core_path, (size_t)(core_library_base(core_path) - core_path));
	buf_add(&beside, core_library_base(library));
	paths[0] = mem_strdup(buf_text(&beside));
	paths[1] = mem_strdup(file->own.pid ? buf_text(&root) : library);
	paths[2] = mem_strdup(library);
}
