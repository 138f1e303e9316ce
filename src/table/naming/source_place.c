/* The line of source that an entity or a row is about: part of table/naming/source.h. */
#include "table/naming/source.h"

#include "analysis/groups.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "heap/root.h"
#include "table/naming/thread.h"

static bool source_of_profile(const struct heap *heap, uint32_t profile, struct buf *file,
                              uint64_t *line)
{
	struct stack_frame frame;
	if (profile == PROFILE_NONE || !profile_site(&heap->profiles.profile[profile], &frame)
	    || !frame.file.len || !frame.line)
		return false;
	buf_add_bytes(file, frame.file.data, frame.file.len);
	*line = frame.line;
	return true;
}

/* The line of the frame that it is in, or of the call that says most of it. */
static bool source_line_of(const struct analysis *analysis, struct entity entity,
                           struct pclntab_line *line)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct root *root = entity_root(analysis, entity);
	struct thread_place place;
	if (root && root->kind == ROOT_FRAME)
		return source_of_frame(analysis, root->holder, line);
	const struct thread *thread = entity_thread(analysis, entity);
	if (entity.kind == ENTITY_GROUP) {
		const struct groups *groups = analysis_groups(analysis);
		thread = &heap->threads[groups->members[groups->group[entity.id].first]];
	}
	if (!thread || !thread_place_of(analysis, thread, &place))
		return false;
	*line = place.line;
	return true;
}

bool source_of_entity(const struct analysis *analysis, struct entity entity, struct buf *file,
                      uint64_t *line)
{
	const struct heap *heap = analysis_heap(analysis);
	struct pclntab_line at;
	if (entity.kind == ENTITY_ALLOC_SITE)
		return source_of_profile(heap, entity.id, file, line);
	if (source_line_of(analysis, entity, &at))
		return source_place(&at, file, line);
	uint32_t object = entity_object(analysis, entity);
	const struct sample *sample =
		object == OBJECT_NONE ? NULL : profiles_of_object(&heap->profiles, object);
	return sample && source_of_profile(heap, sample->profile, file, line);
}

bool source_of_row(const struct rows *rows, size_t row, struct buf *file, uint64_t *line)
{
	if (rows->table->source)
		return rows->table->source(rows, row, file, line);
	return source_of_entity(rows->analysis, rows_entity(rows, row), file, line);
}
