#include "table/owners/node_group.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "table/naming/entity.h"
#include "table/owners/owner_field.h"

#include <stdlib.h>

enum { STEP = 1 << 14 };

struct maker {
	struct node_groups *groups;
	const struct analysis *analysis;
	const struct dominators *dominators;
	struct owner_fields *fields;
	size_t capacity;
	struct map by_key;
};

static uint32_t node_group_of(struct maker *m, uint32_t node)
{
	struct node_groups *groups = m->groups;
	uint64_t key = entity_key(m->analysis, entity_of_node(m->analysis, node)), at = groups->count;
	uint64_t field = m->fields ? owner_field(m->fields, node) : 0;
	if (field)
		key = hash_mix(key, field, hash_multiplier());
	if (map_get(&m->by_key, key, &at))
		return (uint32_t)at;
	map_put(&m->by_key, key, at);
	MEM_PUSH(groups->group, groups->count, m->capacity, (struct node_group){.key = key});
	return (uint32_t)at;
}

static bool node_group_count(struct maker *m, struct ids nodes, uint32_t *of,
                             struct progress *progress)
{
	progress_begin(progress, "grouping similar objects", nodes.count);
	for (size_t i = 0; i < nodes.count; i++) {
		if (i % STEP == 0 && !progress_step(progress, i))
			return false;
		of[i] = node_group_of(m, nodes.id[i]);
		struct node_group *group = &m->groups->group[of[i]];
		group->count++;
		group->bytes += dominators_bytes(m->dominators, nodes.id[i]);
		group->objects += dominators_objects(m->dominators, nodes.id[i]);
	}
	return true;
}

static void node_group_place(struct node_groups *groups, struct ids nodes, const uint32_t *of)
{
	size_t first = 0;
	groups->node = mem_alloc(nodes.count * sizeof *groups->node);
	for (size_t k = 0; k < groups->count; first += groups->group[k++].count)
		groups->group[k].first = first;
	for (size_t i = 0; i < nodes.count; i++)
		groups->node[groups->group[of[i]].first++] = nodes.id[i];
	for (size_t k = 0; k < groups->count; k++)
		groups->group[k].first -= groups->group[k].count;
}

static int node_group_most_first(const void *a, const void *b)
{
	const struct node_group *x = a, *y = b;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

bool node_groups_init(struct node_groups *groups, const struct analysis *analysis,
                      const struct dominators *dominators, struct ids nodes,
                      struct progress *progress)
{
	return node_groups_init_by_field(groups, analysis, dominators, nodes, NULL, progress);
}

bool node_groups_init_by_field(struct node_groups *groups, const struct analysis *analysis,
                               const struct dominators *dominators, struct ids nodes,
                               struct owner_fields *fields, struct progress *progress)
{
	struct maker m = {
		.groups = groups, .analysis = analysis, .dominators = dominators, .fields = fields};
	SCOPED_FREE uint32_t *of = mem_alloc(nodes.count * sizeof *of);
	*groups = (struct node_groups){0};
	bool done = node_group_count(&m, nodes, of, progress);
	if (done)
		node_group_place(groups, nodes, of);
	else
		node_groups_fini(groups);
	if (groups->count)
		qsort(groups->group, groups->count, sizeof *groups->group, node_group_most_first);
	map_free(&m.by_key);
	return done;
}

void node_groups_fini(struct node_groups *groups)
{
	free(groups->group);
	free(groups->node);
	*groups = (struct node_groups){0};
}

/* Returns true if x comes before y: more bytes first, then by number. */
static bool is_before(const struct dominators *d, uint32_t x, uint32_t y)
{
	uint64_t of_x = dominators_bytes(d, x), of_y = dominators_bytes(d, y);
	return of_x != of_y ? of_x > of_y : x < y;
}

static void node_group_swap(uint32_t *a, uint32_t *b)
{
	uint32_t c = *a;
	*a = *b;
	*b = c;
}

/* Restores a heap at `at`; its root is the node that comes last. */
static void sink(const struct dominators *d, uint32_t *heap, size_t count, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && is_before(d, heap[child], heap[child + 1]))
			child++;
		if (!is_before(d, heap[at], heap[child]))
			return;
		node_group_swap(&heap[at], &heap[child]);
	}
}

size_t node_group_pick(const struct dominators *dominators, struct ids nodes, const uint32_t *last,
                       uint32_t *out, size_t most)
{
	size_t count = 0;
	for (size_t i = 0; i < nodes.count; i++) {
		uint32_t node = nodes.id[i];
		if (last && !is_before(dominators, *last, node))
			continue;
		if (count < most) {
			out[count] = node;
			for (size_t at = count++; at && is_before(dominators, out[(at - 1) / 2], out[at]);
			     at = (at - 1) / 2)
				node_group_swap(&out[at], &out[(at - 1) / 2]);
		} else if (is_before(dominators, node, out[0])) {
			out[0] = node;
			sink(dominators, out, count, 0);
		}
	}
	for (size_t end = count; end > 1; end--) {
		node_group_swap(&out[0], &out[end - 1]);
		sink(dominators, out, end - 1, 0);
	}
	return count;
}
