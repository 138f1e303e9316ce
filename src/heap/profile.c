#include "heap/profile.h"

#include "base/bound.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LIMIT = 400 };

void profiles_fini(struct profiles *profiles)
{
	free(profiles->by_object);
	free(profiles->by_profile);
	free(profiles->first);
}

/* A profile and its id, for sorting; among equal ids the first profile counts. */
struct key {
	uint64_t id;
	uint32_t index;
};

static int by_id(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void profile_resolve(struct profiles *profiles, const struct objects *objects)
{
	struct key *keys = mem_alloc((profiles->count + 1ULL) * sizeof *keys);
	for (uint32_t i = 0; i < profiles->count; i++)
		keys[i] = (struct key){profiles->profile[i].id, i};
	qsort(keys, profiles->count, sizeof *keys, by_id);
	for (uint32_t i = 0; i < profiles->sample_count; i++) {
		struct sample *sample = &profiles->sample[i];
		size_t at =
			lower_bound(keys, profiles->count, BOUND_BY(struct key, id), sample->record.profile);
		bool found = at < profiles->count && keys[at].id == sample->record.profile;
		sample->profile = found ? keys[at].index : PROFILE_NONE;
		sample->object = objects_find(objects, sample->record.object);
	}
	free(keys);
}

/* Sort key of a sample; the index keeps file order. */
struct rank {
	uint32_t major, minor, index;
};

static int by_rank(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	if (x->major != y->major)
		return x->major < y->major ? -1 : 1;
	if (x->minor != y->minor)
		return x->minor < y->minor ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t *sorted(const struct profiles *profiles, bool by_object)
{
	uint32_t count = profiles->sample_count;
	uint32_t *order = mem_alloc((count + 1ULL) * sizeof *order);
	struct rank *ranks = mem_alloc((count + 1ULL) * sizeof *ranks);
	for (uint32_t i = 0; i < count; i++) {
		const struct sample *sample = &profiles->sample[i];
		ranks[i] = by_object ? (struct rank){sample->object, sample->profile, i}
		                     : (struct rank){sample->profile, sample->object, i};
	}
	qsort(ranks, count, sizeof *ranks, by_rank);
	for (uint32_t i = 0; i < count; i++)
		order[i] = ranks[i].index;
	free(ranks);
	return order;
}

void profiles_build(struct profiles *profiles, const struct objects *objects)
{
	profile_resolve(profiles, objects);
	profiles->by_object = sorted(profiles, true);
	profiles->by_profile = sorted(profiles, false);
	profiles->first = mem_alloc((profiles->count + 1ULL) * sizeof *profiles->first);
	uint32_t at = 0;
	for (uint32_t p = 0; p <= profiles->count; p++) {
		while (at < profiles->sample_count
		       && profiles->sample[profiles->by_profile[at]].profile < p)
			at++;
		profiles->first[p] = at;
	}
}

static uint64_t object_of_sample(const void *of, size_t at)
{
	const struct profiles *profiles = of;
	return profiles->sample[profiles->by_object[at]].object;
}

const struct sample *profiles_of_object(const struct profiles *profiles, uint32_t object)
{
	size_t at = lower_bound_of(profiles, 0, profiles->sample_count, object_of_sample, object);
	if (at == profiles->sample_count)
		return NULL;
	const struct sample *sample = &profiles->sample[profiles->by_object[at]];
	return sample->object == object ? sample : NULL;
}

uint32_t profiles_find(const struct profiles *profiles, uint64_t id)
{
	for (uint32_t i = 0; i < profiles->count; i++)
		if (profiles->profile[i].id == id)
			return i;
	return PROFILE_NONE;
}

struct stack_walk stack_walk(const struct profile_record *record)
{
	return (struct stack_walk){cursor_make(record->stack, (size_t)record->stack_size, 0),
	                           record->frames};
}

bool stack_walk_next(struct stack_walk *walk, struct stack_frame *frame)
{
	if (walk->left == 0)
		return false;
	walk->left--;
	frame->function = cursor_text(&walk->c);
	frame->file = cursor_text(&walk->c);
	frame->line = cursor_uvarint(&walk->c);
	return cursor_ok(&walk->c);
}

static bool profile_ends_with(struct text text, const char *end)
{
	size_t len = strlen(end);
	return text.len >= len && memcmp(text.data + text.len - len, end, len) == 0;
}

static bool profile_begins_with(struct text text, const char *prefix)
{
	size_t len = strlen(prefix);
	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

/* Up to Go 1.4 most of the runtime is in C, whose functions have no package: x.c, x.goc. */
bool stack_frame_is_runtime(const struct stack_frame *frame)
{
	return profile_begins_with(frame->function, "runtime.")
	       || profile_begins_with(frame->function, "internal/runtime/")
	       || profile_ends_with(frame->file, ".c") || profile_ends_with(frame->file, ".goc");
}

struct stack_walk stack_walk_outside(const struct profile_record *record)
{
	struct stack_frame frame;
	struct stack_walk walk = stack_walk(record), from = walk;
	for (; stack_walk_next(&walk, &frame); from = walk)
		if (!stack_frame_is_runtime(&frame))
			return from;
	return stack_walk(record);
}

bool profile_site(const struct profile_record *record, struct stack_frame *frame)
{
	struct stack_walk walk = stack_walk_outside(record);
	return stack_walk_next(&walk, frame);
}

void stack_frame_add(const struct stack_frame *frame, struct buf *out)
{
	struct text file = frame->file;
	text_add_symbol(out, frame->function.data, frame->function.len, NAME_LIMIT);
	for (size_t i = 0; i < frame->file.len; i++)
		if (frame->file.data[i] == '/')
			file = (struct text){frame->file.data + i + 1, frame->file.len - i - 1};
	if (!file.len)
		return;
	buf_add_char(out, ' ');
	text_add_escaped(out, file.data, file.len, NAME_LIMIT);
	buf_addf(out, ":%" PRIu64, frame->line);
}
