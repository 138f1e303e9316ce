/* The heap profiles of a dump: part of table/breakdown/breakdown_query.h. Go's allocation profile
   becomes three: the recorded objects that the dump contains, the memory that it counts as in use,
   and all allocations. */
#include "table/breakdown/breakdown_query.h"
#include "table/naming/typed.h"

#include "base/hash.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t heap_profile_set_name_of(struct heap_profiles *heap_profiles, const char *text)
{
	return heap_profiles_name(heap_profiles, (struct text){text, strlen(text)});
}

static uint32_t stack_of(struct heap_profiles *heap_profiles, const struct profile_record *profile)
{
	struct stack_frame *frames = mem_alloc((size_t)profile->frames * sizeof *frames), frame;
	uint32_t at = FRAME_ROOT;
	size_t count = 0;
	for (struct stack_walk walk = stack_walk_outside(profile);
	     count < profile->frames && stack_walk_next(&walk, &frame);)
		frames[count++] = frame;
	while (count--)
		at = heap_profiles_frame(heap_profiles, at,
		                         heap_profiles_name(heap_profiles, frames[count].function));
	free(frames);
	return at;
}

/* Adds an entry if it is not empty. The runtime also writes stacks that it has not counted yet. */
static void add_some(struct heap_profiles *heap_profiles, struct heap_profile_entry entry)
{
	if (entry.size || entry.count)
		heap_profiles_add(heap_profiles, entry);
}

/* Returns the scaled amount of samples first ... first + count - 1 of a profile. All samples
   together give the amount that pprof shows. */
static struct heap_profile_entry heap_profile_set_scaled(const struct profiles *profiles,
                                                         uint32_t profile, uint32_t frame,
                                                         uint64_t first, uint64_t count)
{
	const struct profile_record *record = &profiles->profile[profile];
	struct profile_amount part = profile_part(profiles, record, first, count);
	return (struct heap_profile_entry){frame, TYPE_ALL, part.bytes, part.count};
}

/* Adds the amount that a profile counts as live. Recorded objects of the dump have types; the rest
   has none. */
static void heap_profile_set_add_inuse(struct heap_profiles *heap_profiles,
                                       const struct analysis *analysis, uint32_t profile,
                                       uint32_t frame, uint32_t unknown)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	uint64_t live = profile_live(&profiles->profile[profile]), typed = 0;
	struct buf type = {0};
	for (uint32_t i = profiles->first[profile];
	     unknown != TYPE_ALL && i < profiles->first[profile + 1] && typed < live; i++) {
		const struct sample *sample = &profiles->sample[profiles->by_profile[i]];
		buf_clear(&type);
		if (sample->object == OBJECT_NONE || !typed_add_name(analysis, sample->object, &type))
			continue;
		struct heap_profile_entry entry =
			heap_profile_set_scaled(profiles, profile, frame, typed++, 1);
		entry.type = heap_profile_set_name_of(heap_profiles, buf_text(&type));
		heap_profiles_add(heap_profiles, entry);
	}
	buf_free(&type);
	struct heap_profile_entry rest =
		heap_profile_set_scaled(profiles, profile, frame, typed, live - typed);
	rest.type = unknown;
	add_some(heap_profiles, rest);
}

/* Adds the recorded objects of a profile one by one. If sizes are not scaled, they are the sizes of
   the slots. */
static void add_live(struct heap_profiles *heap_profiles, const struct analysis *analysis,
                     uint32_t profile, uint32_t frame, uint32_t unknown)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	uint64_t count = 0;
	SCOPED_BUF type = {0};
	for (uint32_t i = profiles->first[profile]; i < profiles->first[profile + 1]; i++) {
		uint32_t object = profiles->sample[profiles->by_profile[i]].object;
		if (object == OBJECT_NONE)
			continue;
		buf_clear(&type);
		bool typed = unknown != TYPE_ALL && typed_add_name(analysis, object, &type);
		struct heap_profile_entry entry =
			heap_profile_set_scaled(profiles, profile, frame, count++, 1);
		entry.type = typed ? heap_profile_set_name_of(heap_profiles, buf_text(&type)) : unknown;
		if (profiles->rate <= 1)
			entry.size = heap_size(analysis_heap(analysis), object);
		heap_profiles_add(heap_profiles, entry);
	}
}

static uint64_t heap_profile_set_key(struct text type)
{
	return hash_bytes(0, type.data, type.len);
}

/* Counts the recorded objects of each type, and the guesses among them. */
static void heap_profile_set_count(struct heap_profile_set *set, const struct analysis *analysis)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	SCOPED_BUF type = {0};
	for (uint32_t i = 0; analysis_typing(analysis) && i < profiles->sample_count; i++) {
		uint32_t object = profiles->sample[i].object;
		uint64_t all = 0, guessed = 0;
		buf_clear(&type);
		if (object == OBJECT_NONE || !typed_add_name(analysis, object, &type))
			continue;
		uint64_t key = heap_profile_set_key((struct text){buf_text(&type), type.len});
		map_get(&set->objects, key, &all);
		map_put(&set->objects, key, all + 1);
		map_get(&set->guessed, key, &guessed);
		map_put(&set->guessed, key, guessed + typed_is_guess(analysis, object));
	}
}

bool heap_profile_set_is_guess(const struct heap_profile_set *set, struct text type)
{
	uint64_t all = 0, guessed = 0, key = heap_profile_set_key(type);
	return map_get(&set->objects, key, &all) && map_get(&set->guessed, key, &guessed)
	       && typed_are_guessed(guessed, all);
}

static void heap_profile_set_begin(struct heap_profiles *heap_profiles, const char *allocator)
{
	uint32_t name = heap_profile_set_name_of(heap_profiles, allocator);
	struct heap_profile *heap_profile = heap_profiles_begin(heap_profiles);
	heap_profile->allocator = name;
	heap_profile->counted = true;
}

static struct heap_profiles *heap_profile_set_make(const struct analysis *analysis,
                                                   uint32_t **stack)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	struct heap_profiles *heap_profiles = heap_profiles_new();
	bool typed = analysis_typing(analysis); /* labels would only repeat the allocation site */
	uint32_t unknown = typed ? heap_profile_set_name_of(heap_profiles, "[unknown]") : TYPE_ALL;
	if (!profiles->count)
		return heap_profiles;
	*stack = mem_alloc(profiles->count * sizeof **stack);
	for (uint32_t p = 0; p < profiles->count; p++)
		(*stack)[p] = stack_of(heap_profiles, &profiles->profile[p]);
	if (profiles->sample_count)
		heap_profile_set_begin(heap_profiles, "live");
	for (uint32_t p = 0; p < profiles->count; p++)
		add_live(heap_profiles, analysis, p, (*stack)[p], unknown);
	heap_profile_set_begin(heap_profiles, "inuse");
	for (uint32_t p = 0; p < profiles->count; p++)
		heap_profile_set_add_inuse(heap_profiles, analysis, p, (*stack)[p], unknown);
	heap_profile_set_begin(heap_profiles, "alloc");
	for (uint32_t p = 0; p < profiles->count; p++)
		add_some(heap_profiles,
		         heap_profile_set_scaled(profiles, p, (*stack)[p], 0, profiles->profile[p].allocs));
	return heap_profiles;
}

void heap_profile_set_init(struct heap_profile_set *set, const struct analysis *analysis)
{
	*set = (struct heap_profile_set){.heap_profiles = analysis_heap(analysis)->heap_profiles};
	if (set->heap_profiles)
		return;
	set->heap_profiles = set->own = heap_profile_set_make(analysis, &set->stack);
	heap_profile_set_count(set, analysis);
}

void heap_profile_set_fini(struct heap_profile_set *set)
{
	heap_profiles_free(set->own);
	free(set->stack);
	map_free(&set->objects);
	map_free(&set->guessed);
}

void heap_profile_set_link(const struct heap_profile_set *set, const struct analysis *analysis,
                           uint32_t frame, struct buf *command)
{
	const struct profiles *profiles = &analysis_heap(analysis)->profiles;
	bool any = false;
	for (uint32_t p = 0; set->stack && p < profiles->count; p++) {
		if (set->stack[p] != frame || profiles->first[p] == profiles->first[p + 1])
			continue;
		buf_addf(command, "%s 0x%" PRIx64, any ? "" : "profiles-object", profiles->profile[p].id);
		any = true;
	}
}
