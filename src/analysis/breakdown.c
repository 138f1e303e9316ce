/* Cells are numbered by a hash map; two sorted orders make the parts of a cell adjacent. */
#include "analysis/breakdown.h"

#include "base/bound.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- Cells */

static struct breakdown_cell *make_cell(struct breakdown *b, uint32_t frame, uint32_t type)
{
	uint64_t number = b->count;
	if (map_add(&b->numbers, (uint64_t)frame << 32 | type, &number))
		MEM_PUSH(b->cell, b->count, b->capacity,
		         (struct breakdown_cell){.frame = frame, .type = type});
	return &b->cell[number];
}

static void breakdown_add(struct breakdown *b, uint32_t frame, uint32_t type,
                          const struct heap_profile_entry *entry, bool before)
{
	struct breakdown_cell *cell = make_cell(b, frame, type);
	if (before) {
		cell->before = heap_profiles_sum(cell->before, entry->size);
		return;
	}
	cell->size = heap_profiles_sum(cell->size, entry->size);
	cell->count = heap_profiles_sum(cell->count, entry->count);
}

/* Returns true if the profile has types other than a placeholder for all types. */
static bool has_types(const struct heap_profiles *heap_profiles,
                      const struct heap_profile *heap_profile)
{
	const struct heap_profile_entry *entry = heap_profiles_entries(heap_profiles, heap_profile);
	for (size_t i = 0; i < heap_profile->count; i++)
		if (entry[i].type != TYPE_ALL && !text_is(heap_profiles->name[entry[i].type], "[unknown]"))
			return true;
	return false;
}

static void breakdown_add_self(struct breakdown *b, const struct heap_profile_entry *entry,
                               bool typed, bool before)
{
	uint64_t self = entry->frame;
	map_get(&b->heap_profiles->frames, (uint64_t)entry->frame << 32 | NAME_SELF, &self);
	breakdown_add(b, (uint32_t)self, TYPE_ALL, entry, before);
	if (typed && entry->type != TYPE_ALL)
		breakdown_add(b, (uint32_t)self, entry->type, entry, before);
}

/* Linked lists of the cells of each frame. */
struct chains {
	uint32_t *first, *next; /* by frame; by cell: cell + 1 */
	size_t count, capacity; /* of cells */
};

static void chain_cells(const struct breakdown *b, struct chains *chains)
{
	while (chains->count < b->count) {
		uint32_t *first = &chains->first[b->cell[chains->count].frame];
		MEM_PUSH(chains->next, chains->count, chains->capacity, *first);
		*first = (uint32_t)chains->count;
	}
}

/* Adds the values of each stack to its parent, recursively. A child frame has a larger number than
   its parent, so one pass is enough. */
static void breakdown_spread(struct breakdown *b, bool before)
{
	struct chains chains = {.first = mem_alloc(b->heap_profiles->frame_count * sizeof(uint32_t))};
	chain_cells(b, &chains);
	for (size_t frame = b->heap_profiles->frame_count; frame-- > FRAME_ROOT + 1;)
		for (uint32_t at = chains.first[frame]; at; at = chains.next[at - 1]) {
			struct breakdown_cell cell = b->cell[at - 1];
			const struct heap_profile_entry entry = {
				.size = before ? cell.before : cell.size,
				.count = cell.count,
			};
			breakdown_add(b, b->heap_profiles->frame[frame].parent, cell.type, &entry, before);
			chain_cells(b, &chains);
		}
	free(chains.first);
	free(chains.next);
}

static void add_heap_profile(struct breakdown *b, const struct heap_profile *heap_profile,
                             bool before)
{
	const struct heap_profile_entry *entry = heap_profiles_entries(b->heap_profiles, heap_profile);
	bool typed = has_types(b->heap_profiles, heap_profile);
	for (size_t i = 0; i < heap_profile->count; i++) {
		if (heap_profile->cumulative)
			breakdown_add(b, entry[i].frame, entry[i].type, &entry[i], before);
		else
			breakdown_add_self(b, &entry[i], typed, before);
	}
	if (!heap_profile->cumulative)
		breakdown_spread(b, before);
}

/* ---- Sort orders */

static int compare_names(const struct breakdown *b, uint32_t x, uint32_t y)
{
	struct text p = b->heap_profiles->name[x], q = b->heap_profiles->name[y];
	size_t len = p.len < q.len ? p.len : q.len;
	int order = len ? memcmp(p.data, q.data, len) : 0;
	return order ? order : bound_compare(p.len, q.len);
}

/* Compares by size, then by size in the base, the largest first. */
static int compare_sizes(const struct breakdown_cell *x, const struct breakdown_cell *y)
{
	int order = bound_compare(y->size, x->size);
	return order ? order : bound_compare(y->before, x->before);
}

static int order_stack(const void *a, const void *b, void *self)
{
	const struct breakdown *breakdown = self;
	const struct breakdown_cell *x = &breakdown->cell[*(const uint32_t *)a];
	const struct breakdown_cell *y = &breakdown->cell[*(const uint32_t *)b];
	const struct heap_profile_frame *frame = breakdown->heap_profiles->frame;
	int order = bound_compare(x->type, y->type);
	if (!order)
		order = bound_compare(frame[x->frame].parent, frame[y->frame].parent);
	if (!order)
		order = compare_sizes(x, y);
	return order ? order : compare_names(breakdown, frame[x->frame].name, frame[y->frame].name);
}

static int order_type(const void *a, const void *b, void *self)
{
	const struct breakdown *breakdown = self;
	const struct breakdown_cell *x = &breakdown->cell[*(const uint32_t *)a];
	const struct breakdown_cell *y = &breakdown->cell[*(const uint32_t *)b];
	int order = bound_compare(x->frame, y->frame);
	if (!order)
		order = compare_sizes(x, y);
	return order ? order : compare_names(breakdown, x->type, y->type);
}

/* Sorts both orders. The root comes before all other cells of its type. */
static void breakdown_sort(struct breakdown *b)
{
	b->by_stack = mem_alloc(b->count * sizeof *b->by_stack);
	b->by_type = mem_alloc(b->count * sizeof *b->by_type);
	for (size_t i = 0; i < b->count; i++) {
		b->by_stack[i] = (uint32_t)i;
		if (b->cell[i].type != TYPE_ALL)
			b->by_type[b->typed++] = (uint32_t)i;
	}
	qsort_r(b->by_stack, b->count, sizeof *b->by_stack, order_stack, b);
	qsort_r(b->by_type, b->typed, sizeof *b->by_type, order_type, b);
}

/* ---- Bottom-up */

/* Adds a stack in bottom-up order, with the allocating function first. Reversed stacks have few
   common prefixes, so the number of callers is limited. */
static uint32_t reverse_stack(const struct heap_profiles *from, uint32_t frame,
                              struct heap_profiles *to)
{
	uint32_t turned = FRAME_ROOT;
	size_t left = BREAKDOWN_CALLERS;
	for (; frame != FRAME_ROOT && left--; frame = from->frame[frame].parent)
		if (from->frame[frame].name != NAME_SELF)
			turned = heap_profiles_frame(
				to, turned, heap_profiles_name(to, from->name[from->frame[frame].name]));
	return turned;
}

static void reverse_self(const struct heap_profiles *from, const struct heap_profile *heap_profile,
                         struct heap_profiles *to)
{
	for (size_t i = heap_profile->first; i < heap_profile->first + heap_profile->count; i++) {
		struct heap_profile_entry entry = from->entry[i];
		entry.frame = reverse_stack(from, entry.frame, to);
		entry.type = heap_profiles_name(to, from->name[entry.type]);
		heap_profiles_add(to, entry);
	}
}

/* Reverses cumulative entries: the own value of a stack is what it has beyond its children. */
static void reverse_cumulative(const struct breakdown *b, struct heap_profiles *to)
{
	for (uint32_t i = 0; i < b->count; i++) {
		struct part *parts;
		struct breakdown_cell cell = b->cell[i];
		if (cell.type != TYPE_ALL)
			continue;
		size_t count = breakdown_parts(b, i, AXIS_STACK, 0, &parts);
		const struct part *rest = count ? &parts[count - 1] : NULL;
		if (rest && rest->cell == CELL_NONE)
			cell.size = rest->negative ? 0 : rest->size, cell.count = rest->count;
		else if (rest)
			cell.size = 0;
		if (cell.size)
			heap_profiles_add(
				to, (struct heap_profile_entry){reverse_stack(b->heap_profiles, cell.frame, to),
			                                    TYPE_ALL, cell.size, cell.count});
		free(parts);
	}
}

static void reverse_heap_profile(const struct heap_profiles *heap_profiles,
                                 const struct heap_profile *heap_profile, struct heap_profiles *to)
{
	heap_profiles_begin(to);
	if (!heap_profile->cumulative) {
		reverse_self(heap_profiles, heap_profile, to);
		return;
	}
	struct breakdown *breakdown = breakdown_new(heap_profiles, heap_profile, NULL, false);
	reverse_cumulative(breakdown, to);
	breakdown_free(breakdown);
}

/* ---- Queries */

struct breakdown *breakdown_new(const struct heap_profiles *heap_profiles,
                                const struct heap_profile *heap_profile,
                                const struct heap_profile *base, bool bottom_up)
{
	struct breakdown *b = mem_alloc(sizeof *b);
	b->own = bottom_up ? heap_profiles_new() : NULL;
	b->heap_profiles = b->own ? b->own : heap_profiles;
	if (bottom_up)
		reverse_heap_profile(heap_profiles, heap_profile, b->own);
	if (bottom_up && base)
		reverse_heap_profile(heap_profiles, base, b->own);
	b->heap_profile = heap_profile;
	b->counted = heap_profile->counted;
	make_cell(b, FRAME_ROOT, TYPE_ALL);
	add_heap_profile(b, bottom_up ? &b->own->heap_profile[0] : heap_profile, false);
	if (base)
		add_heap_profile(b, bottom_up ? &b->own->heap_profile[1] : base, true);
	breakdown_sort(b);
	return b;
}

void breakdown_free(struct breakdown *b)
{
	if (!b)
		return;
	heap_profiles_free(b->own);
	free(b->cell);
	map_free(&b->numbers);
	free(b->by_stack);
	free(b->by_type);
	free(b);
}

/* The sort keys of the two orders: the cell that a cell is a part of. */
static uint64_t stack_above(const void *of, size_t at)
{
	const struct breakdown *b = of;
	const struct breakdown_cell *cell = &b->cell[b->by_stack[at]];
	return (uint64_t)cell->type << 32 | b->heap_profiles->frame[cell->frame].parent;
}

static uint64_t frame_of_typed(const void *of, size_t at)
{
	const struct breakdown *b = of;
	return b->cell[b->by_type[at]].frame;
}

/* Stores |whole - sum| in *rest, and its sign in *negative. */
static void subtract(uint64_t whole, uint64_t sum, uint64_t *rest, bool *negative)
{
	*negative = sum > whole;
	*rest = *negative ? sum - whole : whole - sum;
}

static bool breakdown_add_rest(const struct breakdown_cell *whole, const struct part *sum,
                               struct part *rest)
{
	bool more;
	*rest = (struct part){.cell = CELL_NONE};
	subtract(whole->size, sum->size, &rest->size, &rest->negative);
	subtract(whole->before, sum->before, &rest->before, &more);
	subtract(whole->count, sum->count, &rest->count, &more);
	if (more)
		rest->count = 0;
	return rest->size || rest->before;
}

size_t breakdown_parts(const struct breakdown *b, uint32_t cell, enum axis axis, uint64_t least,
                       struct part **parts)
{
	bool stack = axis == AXIS_STACK;
	size_t count = 0, capacity = 0, end = stack ? b->count : b->typed;
	const uint32_t *order = stack ? b->by_stack : b->by_type;
	uint64_t (*above)(const void *, size_t) = stack ? stack_above : frame_of_typed;
	const struct breakdown_cell *whole = &b->cell[cell];
	uint64_t key = (stack ? (uint64_t)whole->type << 32 : 0) | whole->frame;
	struct part sum = {0};
	bool any = false;
	*parts = NULL;
	if (!stack && whole->type != TYPE_ALL)
		return 0;
	for (size_t i = lower_bound_of(b, 0, end, above, key); i < end && above(b, i) == key; i++) {
		const struct breakdown_cell *at = &b->cell[order[i]];
		if (order[i] == cell) /* the root is its own parent */
			continue;
		any = true;
		if (at->size < least && at->before < least)
			continue;
		MEM_PUSH(*parts, count, capacity,
		         (struct part){
					 .cell = order[i], .size = at->size, .count = at->count, .before = at->before});
		sum.size = heap_profiles_sum(sum.size, at->size);
		sum.count = heap_profiles_sum(sum.count, at->count);
		sum.before = heap_profiles_sum(sum.before, at->before);
	}
	*parts = mem_grow(*parts, count, &capacity, sizeof **parts);
	return count + (any && count && breakdown_add_rest(whole, &sum, &(*parts)[count]));
}

size_t breakdown_significant_parts(const struct breakdown *b, uint32_t cell, enum axis axis,
                                   uint64_t least, struct part **parts)
{
	size_t count = breakdown_parts(b, cell, axis, least, parts);
	bool all_self = count == 1 && axis == AXIS_STACK && (*parts)->cell != CELL_NONE
	                && b->heap_profiles->frame[b->cell[(*parts)->cell].frame].name == NAME_SELF;
	return all_self ? 0 : count;
}
