/* Builds heap profiles from the heaps of a Chromium trace, once all names are known. */
#include "chromium/format/chromium.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* Number of unusable entries of a heap, by cause. */
struct lost {
	uint64_t frames, types;
};

static void chromium_accounts_tell(struct chromium *c, const struct raw_heap *heap, uint64_t count,
                                   const char *what)
{
	struct buf text = {0};
	if (!count)
		return;
	struct text name = c->heap_profiles->name[heap->allocator];
	buf_addf(&text, "%s of ", text_number_of(count, "entry", "entries").text);
	text_add_escaped(&text, name.data, name.len, 60);
	buf_addf(&text, " in process %" PRIu64 " %s", c->process[heap->process].pid, what);
	c->sink->warning(c->sink->self, heap->offset, buf_text(&text));
	buf_free(&text);
}

static void chromium_accounts_begin(struct chromium *c, const struct raw_heap *heap)
{
	const struct process *process = &c->process[heap->process];
	struct heap_profile *heap_profile = heap_profiles_begin(c->heap_profiles);
	heap_profile->has_process = true;
	heap_profile->process = process->pid;
	heap_profile->process_name = process->name;
	heap_profile->has_time = heap->has_time;
	heap_profile->time = heap->time;
	heap_profile->dump = heap->dump;
	heap_profile->dump_kind = heap->dump_kind;
	heap_profile->allocator = heap->allocator;
	heap_profile->cumulative = heap->dialect != DIALECT_V2;
	heap_profile->counted = heap->counted;
}

/* Adds entries of the cumulative dialect. An entry with an unknown frame or type is dropped. */
static void add_cumulative(struct chromium *c, const struct raw_heap *heap)
{
	struct lost lost = {0};
	for (size_t i = heap->first; i < heap->first + heap->count; i++) {
		const struct raw_entry *raw = &c->entry[i];
		struct heap_profile_entry entry = {FRAME_ROOT, TYPE_ALL, raw->size, raw->count};
		if (raw->frame && !chromium_frame(c, heap->process, ID_FRAME, raw->frame, &entry.frame))
			lost.frames++;
		else if (raw->type && !chromium_type(c, heap->process, ID_TYPE, raw->type, &entry.type))
			lost.types++;
		else
			heap_profiles_add(c->heap_profiles, entry);
	}
	chromium_accounts_tell(c, heap, lost.frames,
	                       "with frames that the trace does not name, or that lead in a "
	                       "circle, left out");
	chromium_accounts_tell(c, heap, lost.types,
	                       "with types that the trace does not name, left out");
}

/* Adds entries of heaps_v2. An entry with an unknown frame counts at the root, so that its bytes
   are not lost. */
static void add_v2(struct chromium *c, const struct raw_heap *heap)
{
	for (size_t i = heap->first; i < heap->first + heap->count; i++) {
		const struct raw_entry *raw = &c->entry[i];
		struct heap_profile_entry entry = {FRAME_ROOT, TYPE_ALL, raw->size, raw->count};
		chromium_frame(c, heap->process, ID_NODE, raw->frame, &entry.frame);
		if (raw->type)
			chromium_type(c, heap->process, ID_NODE_TYPE, raw->type, &entry.type);
		heap_profiles_add(c->heap_profiles, entry);
	}
}

/* ---- The oldest dialect: own sizes of stacks. They become cumulative, with frames "<self>". */

struct sums {
	struct map sizes; /* size by frame */
	uint32_t *frame;
	size_t count, capacity;
};

static void add_to(struct sums *sums, uint32_t frame, uint64_t size)
{
	uint64_t sum = 0;
	if (!map_get(&sums->sizes, frame, &sum))
		MEM_PUSH(sums->frame, sums->count, sums->capacity, frame);
	map_put(&sums->sizes, frame, heap_profiles_sum(sum, size));
}

/* Adds a stack and all its outer frames, each only once for all stacks. */
static void add_stack(struct chromium *c, struct sums *sums, uint32_t frame, uint64_t size)
{
	uint32_t at = heap_profiles_frame(c->heap_profiles, frame, NAME_SELF);
	uint64_t ignored;
	add_to(sums, at, size);
	while (at != FRAME_ROOT) {
		at = c->heap_profiles->frame[at].parent;
		if (map_get(&sums->sizes, at, &ignored))
			return;
		add_to(sums, at, 0);
	}
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x > y ? -1 : x < y;
}

/* Adds each frame's size to its parent. A frame has a larger number than its parent, so descending
   order works. */
static void chromium_accounts_spread(struct chromium *c, struct sums *sums)
{
	if (sums->count)
		qsort(sums->frame, sums->count, sizeof *sums->frame, descending);
	for (size_t i = 0; i < sums->count && sums->frame[i] != FRAME_ROOT; i++) {
		uint64_t size = 0;
		map_get(&sums->sizes, sums->frame[i], &size);
		add_to(sums, c->heap_profiles->frame[sums->frame[i]].parent, size);
	}
}

static void add_sums(struct chromium *c, const struct raw_heap *heap, struct sums *sums)
{
	if (!sums->count)
		add_to(sums, FRAME_ROOT, 0);
	for (size_t i = 0; i < sums->count; i++) {
		uint64_t size = 0;
		map_get(&sums->sizes, sums->frame[i], &size);
		if (sums->frame[i] == FRAME_ROOT && heap->total)
			size = heap->total;
		heap_profiles_add(c->heap_profiles,
		                  (struct heap_profile_entry){sums->frame[i], TYPE_ALL, size, 0});
	}
}

static void chromium_accounts_add_self(struct chromium *c, const struct raw_heap *heap)
{
	struct sums sums = {0};
	struct lost lost = {0};
	for (size_t i = heap->first; i < heap->first + heap->count; i++) {
		const struct raw_entry *raw = &c->entry[i];
		uint32_t frame = FRAME_ROOT, type;
		if (raw->type) {
			if (chromium_type(c, heap->process, ID_TYPE, raw->type, &type))
				heap_profiles_add(c->heap_profiles,
				                  (struct heap_profile_entry){FRAME_ROOT, type, raw->size, 0});
			else
				lost.types++;
		} else if (raw->frame && !chromium_frame(c, heap->process, ID_FRAME, raw->frame, &frame)) {
			lost.frames++;
		} else {
			add_stack(c, &sums, frame, raw->size);
		}
	}
	chromium_accounts_spread(c, &sums);
	add_sums(c, heap, &sums);
	chromium_accounts_tell(c, heap, lost.frames,
	                       "with frames that the trace does not name, or that lead in a "
	                       "circle, counted as <other>");
	chromium_accounts_tell(c, heap, lost.types,
	                       "with types that the trace does not name, left out");
	map_free(&sums.sizes);
	free(sums.frame);
}

void chromium_resolve(struct chromium *c)
{
	static void (*const add[])(struct chromium *, const struct raw_heap *) = {
		[DIALECT_SELF] = chromium_accounts_add_self,
		[DIALECT_CUMULATIVE] = add_cumulative,
		[DIALECT_V2] = add_v2,
	};
	for (size_t i = 0; i < c->heap_count; i++) {
		chromium_accounts_begin(c, &c->heap[i]);
		add[c->heap[i].dialect](c, &c->heap[i]);
		bool empty = !c->heap_profiles->heap_profile[c->heap_profiles->count - 1].count;
		c->heap_profiles->count -= empty && c->heap[i].dialect != DIALECT_V2;
	}
}
