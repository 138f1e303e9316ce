/* Which dumps a note belongs to: the name of the program, and a fingerprint of its build. */
#include "table/notes/notes_file.h"

#include "base/text.h"
#include "base/user_file.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool notes_path(struct buf *path)
{
	bool there = user_folder(path, USER_STATE);
	buf_add(path, "/notes");
	return there;
}

/* FNV-1a, which is the same in every process. */
static uint64_t fingerprint_add(uint64_t hash, const void *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
	return hash;
}

/* Returns a fingerprint of the build: the version of the runtime, and the sizes of the segments. Of
   what does not record them, the folder: the dumps of one format in one folder count as those of
   one program. */
static uint64_t notes_build(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	uint64_t hash = 0xcbf29ce484222325;
	hash = fingerprint_add(hash, heap->params.version.data, heap->params.version.len);
	hash = fingerprint_add(hash, heap->params.arch.data, heap->params.arch.len);
	for (uint32_t i = 0; i < heap->segment_count; i++)
		hash = fingerprint_add(hash, &heap->segments[i].size, sizeof heap->segments[i].size);
	if (!heap->segment_count)
		hash = fingerprint_add(hash, heap->format->name, strlen(heap->format->name));
	char *path = heap->segment_count ? NULL : realpath(analysis_path(analysis), NULL);
	if (path)
		hash = fingerprint_add(hash, path, (size_t)(strrchr(path, '/') - path));
	free(path);
	return hash;
}

static void notes_add_base(const char *path, struct buf *out)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	text_add_escaped(out, name, strlen(name), NAME_MAX);
}

void notes_describe(const struct analysis *analysis, struct buf field[NOTE_FIELDS])
{
	const struct names *names = analysis_names(analysis);
	const char *process = analysis_input(analysis)->process_executable;
	if (process || (names && names->exe))
		notes_add_base(process ? process : exe_path(names->exe), &field[FIELD_PROGRAM]);
	buf_addf(&field[FIELD_BUILD], "%016" PRIx64, notes_build(analysis));
	notes_add_base(analysis_path(analysis), &field[FIELD_DUMP]);
}

void notes_about(const struct analysis *analysis, const char *subject, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint64_t address;
	uint32_t id = OBJECT_NONE;
	if (analysis_has(analysis, STAGE_READ) && heap_has(heap, PART_OBJECTS)
	    && argument_address(subject, &address))
		id = heap_find(heap, address);
	if (id == OBJECT_NONE || heap_address(heap, id) != address)
		return;
	buf_addf(out, "%" PRIu64 " ", heap_size(heap, id));
	SCOPED_BUF type = {0};
	if (typed_add(analysis, id, &type))
		text_add_escaped(out, buf_text(&type), type.len, NOTE_MOST);
}
