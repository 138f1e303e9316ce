#include "core_unpacked.h"

#include "core_library.h"

#include <string.h>

enum { PIECE = 64, PIECES = 32, MOST_RANGES = 1 << 12 };

/* Returns true if the core file itself has these bytes at an address. */
static bool unpacked_has(const struct core_file *file, uint64_t address, const uint8_t *bytes,
                         uint64_t size)
{
	const struct core_segment *at = core_file_segment(file, address);
	uint64_t in = at ? address - at->address : 0;
	return at && size <= at->size - in && memcmp(file->data + at->offset + in, bytes, size) == 0;
}

/* Compares pieces of a segment. Returns the number of those that could not be anything else, as
   zeros could; SIZE_MAX: one differs. */
static size_t unpacked_pieces(const struct core_file *file, const struct image_segment *segment,
                              uint64_t bias)
{
	size_t telling = 0;
	for (uint64_t i = 0; i < PIECES && segment->size >= PIECE; i++) {
		uint64_t offset = (segment->size - PIECE) / PIECES * i;
		const uint8_t *bytes = segment->data + offset;
		if (!unpacked_has(file, segment->address + bias + offset, bytes, PIECE))
			return SIZE_MAX;
		telling += memcmp(bytes, bytes + 1, PIECE - 1) != 0;
	}
	return telling;
}

static bool unpacked_lies_at(const struct core_file *file, const struct exe *exe, uint64_t bias)
{
	const struct image *image = exe_image(exe);
	struct image_section note;
	size_t telling = 0;
	if (!image_section(image, ".note.go.buildid", &note) || !note.data
	    || !unpacked_has(file, note.address + bias, note.data, note.size))
		return false;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *segment = &image->segments[i];
		size_t found = segment->writable || !segment->data ? 0
		                                                   : unpacked_pieces(file, segment, bias);
		if (found == SIZE_MAX)
			return false;
		telling += found;
	}
	return telling >= PIECES;
}

bool core_unpacked_find(const struct core_runtime *rt, uint64_t *bias)
{
	const struct core_file *file = &rt->memory.file;
	const struct exe *exe = rt->memory.exe;
	bool found = unpacked_lies_at(file, exe, 0);
	*bias = 0;
	for (size_t i = 0; !found && i < file->ranges && i < MOST_RANGES; i++) {
		*bias = file->range[i].start - core_library_start(exe);
		found = unpacked_lies_at(file, exe, *bias);
	}
	return found;
}
