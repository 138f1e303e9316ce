#include "analysis/groups.h"

#include "base/bound.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/record.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

bool thread_waited(const struct heap *heap, const struct thread *thread, uint64_t *nanoseconds)
{
	uint64_t since = thread->record.wait_since;
	if (since == 0 || !thread_waits(heap, thread) || heap->latest_wait < since)
		return false;
	*nanoseconds = heap->latest_wait - since;
	return true;
}

/* Chooses the frame with the greatest entry, because a damaged frame may claim all code. */
const struct frame *frame_of_pc(const struct heap *heap, uint64_t pc)
{
	const struct frame *best = NULL;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		if (frame->entry_pc <= pc && pc <= frame->pc
		    && (!best || frame->entry_pc > best->record.entry_pc))
			best = &heap->frames[i];
	}
	return best;
}

/* Returns a hash of the properties that threads of a group share. */
static uint64_t hash(const struct heap *heap, const struct thread *g)
{
	uint64_t multiplier = hash_multiplier(), h = hash_mix(1, g->record.status, multiplier);
	for (size_t i = 0; i < g->record.wait_reason.len; i++)
		h = hash_mix(h, (uint8_t)g->record.wait_reason.data[i], multiplier);
	for (uint32_t i = 0; i < g->frames; i++)
		h = hash_mix(h, heap->frames[g->first_frame + i].record.pc, multiplier);
	return h;
}

static bool groups_equal(const struct heap *heap, const struct thread *a, const struct heap *other,
                         const struct thread *b)
{
	if (a->record.status != b->record.status || a->frames != b->frames || a->dumping != b->dumping
	    || !text_equal(a->record.wait_reason, b->record.wait_reason))
		return false;
	for (uint32_t i = 0; i < a->frames; i++)
		if (heap->frames[a->first_frame + i].record.pc
		    != other->frames[b->first_frame + i].record.pc)
			return false;
	return true;
}

/* Sets of[] to the first equal thread. A hash that is taken counts up. */
static void find_groups(const struct heap *heap, uint32_t *of)
{
	SCOPED_MAP by_hash = {0};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct thread *g = &heap->threads[i];
		uint64_t key = hash(heap, g), first = i;
		for (;
		     !map_add(&by_hash, key, &first) && !groups_equal(heap, &heap->threads[first], heap, g);
		     key++)
			first = i;
		of[i] = (uint32_t)first;
	}
}

ORDER_MOST_FIRST(groups_most_first, struct group, count, first);

/* Sorts the groups and places their members; before the call, group.first is the index of the first
   member. */
static void groups_lay_out(const struct heap *heap, struct groups *groups)
{
	uint32_t *number = mem_alloc(heap->thread_count * sizeof *number), total = 0;
	qsort(groups->group, groups->count, sizeof *groups->group, groups_most_first);
	for (uint32_t k = 0; k < groups->count; k++) {
		struct group *group = &groups->group[k];
		number[group->first] = k;
		group->first = total;
		total += group->count;
		group->count = 0;
	}
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		uint64_t waited;
		groups->of[i] = number[groups->of[i]];
		struct group *group = &groups->group[groups->of[i]];
		groups->members[group->first + group->count++] = i;
		if (thread_waited(heap, &heap->threads[i], &waited) && waited > group->longest_wait)
			group->longest_wait = waited;
	}
	free(number);
}

struct groups *groups_new(const struct heap *heap)
{
	struct groups *groups = mem_alloc(sizeof *groups);
	uint32_t count = heap->thread_count;
	groups->of = mem_alloc(count * sizeof *groups->of);
	groups->members = mem_alloc(count * sizeof *groups->members);
	groups->group = mem_alloc(count * sizeof *groups->group);
	find_groups(heap, groups->of);
	uint32_t *place = mem_alloc(count * sizeof *place);
	for (uint32_t i = 0; i < count; i++) {
		if (groups->of[i] == i) {
			place[i] = groups->count;
			groups->group[groups->count++] = (struct group){.first = i};
		}
		groups->group[place[groups->of[i]]].count++;
	}
	free(place);
	groups_lay_out(heap, groups);
	return groups;
}

void groups_free(struct groups *groups)
{
	if (!groups)
		return;
	free(groups->group);
	free(groups->members);
	free(groups->of);
	free(groups);
}

static const struct thread *groups_first(const struct heap *heap, const struct groups *groups,
                                         uint32_t group)
{
	return &heap->threads[groups->members[groups->group[group].first]];
}

uint32_t *groups_in(const struct heap *heap, const struct groups *groups,
                    const struct heap *other_heap, const struct groups *other)
{
	uint32_t *in = mem_alloc(groups->count * sizeof *in);
	SCOPED_MAP hashes = {0};
	for (uint32_t i = 0; i < other->count; i++)
		map_put(&hashes, hash(other_heap, groups_first(other_heap, other, i)), i);
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct thread *g = groups_first(heap, groups, i);
		uint64_t found;
		in[i] = UINT32_MAX;
		if (map_get(&hashes, hash(heap, g), &found)
		    && groups_equal(heap, g, other_heap, groups_first(other_heap, other, (uint32_t)found)))
			in[i] = (uint32_t)found;
	}
	return in;
}
