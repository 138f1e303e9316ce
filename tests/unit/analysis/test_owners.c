/* Which objects owners share, against following the paths from every owner on its own. */
#include "cmocka_all.h"

#include "heap/dump_heap.h"
#include "xorshift.h"

#include "analysis/owners.h"
#include "analysis/retained_of_class.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECTS = 40, OWNERS = 24, SIZE = 64, THREADS = 4 };

struct random {
	struct dump_writer w;
	struct heap *heap;
	struct groups *groups;
	struct root_nodes *root_nodes;
	uint64_t state;
};

static uint64_t address_of(uint64_t object)
{
	return 0xc000000000 + object * 8192;
}

static size_t pick_pointers(struct random *r, struct dump_field *fields, size_t most)
{
	size_t count = xorshift_below(&r->state, most + 1);
	for (size_t f = 0; f < count; f++)
		fields[f] = (struct dump_field){8 * f, address_of(xorshift_below(&r->state, OBJECTS)), 0};
	return count;
}

/* Every other goroutine has the same stack. */
static void write_thread(struct random *r, uint64_t id)
{
	struct dump_field fields[2];
	dump_goroutine(&r->w, id, 4, xorshift_below(&r->state, 2), "");
	dump_frame(&r->w, 0x7000 + 0x100 * id, 0, "main.f", 0x401000 + id % 2, 64, fields,
	           pick_pointers(r, fields, 2));
}

static void make(struct random *r, uint64_t seed)
{
	struct dump_field fields[4];
	struct sync_pools pools = {.object = mem_alloc(OBJECTS * sizeof(uint32_t)),
	                           .pool = mem_alloc(OBJECTS * sizeof(uint64_t))};
	*r = (struct random){.state = seed * 0x9e3779b97f4a7c15 + 1};
	dump_start(&r->w, 8, false, "go1.19.8");
	for (uint64_t i = 0; i < OBJECTS; i++)
		dump_object(&r->w, address_of(i), SIZE, fields, pick_pointers(r, fields, 2));
	for (uint64_t id = 1; id <= THREADS; id++)
		write_thread(r, id);
	dump_segment(&r->w, true, 0x6000, 64, fields, pick_pointers(r, fields, 4));
	dump_finalizer(&r->w, false, address_of(xorshift_below(&r->state, OBJECTS)),
	               address_of(xorshift_below(&r->state, OBJECTS)));
	dump_finalizer(&r->w, false, address_of(xorshift_below(&r->state, OBJECTS)),
	               address_of(xorshift_below(&r->state, OBJECTS)));
	dump_end(&r->w);
	r->heap = dump_reversed(&r->w);
	r->groups = groups_new(r->heap);
	for (uint32_t id = 0; id < OBJECTS; id++)
		if (!xorshift_below(&r->state, 15))
			pools.object[pools.count++] = id;
	r->root_nodes = root_nodes_new(r->heap, NULL, pools, NULL);
}

static void unmake(struct random *r)
{
	root_nodes_free(r->root_nodes);
	groups_free(r->groups);
	heap_free(r->heap);
	dump_free(&r->w);
}

/* Returns the root class of a node in the tree. */
static uint32_t node_root_class(const struct dominators *d, uint32_t node)
{
	const struct root_nodes *a = d->root_nodes;
	for (;; node = dominators_above(d, node)) {
		uint32_t root_node = root_nodes_of_node(a, node);
		if (root_node != UINT32_MAX && a->root_node[root_node].kind <= ROOT_NODE_CLASS)
			return root_node;
	}
}

static bool may_pass(const struct dominators *d, uint32_t from, uint32_t to)
{
	return d->retain == RETAIN_ALIVE || node_root_class(d, from) == node_root_class(d, to);
}

static void follow(const struct dominators *d, uint32_t object, bool *seen)
{
	struct ids to = heap_references(d->root_nodes->heap, object);
	if (seen[object])
		return;
	seen[object] = true;
	for (size_t i = 0; i < to.count; i++)
		if (may_pass(d, object, to.id[i]))
			follow(d, to.id[i], seen);
}

/* Returns the owner that is, or contains, a root node; UINT32_MAX: none. */
static uint32_t owner_above(const struct owners *o, uint32_t root_node)
{
	const struct root_nodes *a = o->dominators->root_nodes;
	while (o->of_root_node[root_node] == UINT32_MAX && root_node)
		root_node = a->root_node[root_node].parent;
	return o->of_root_node[root_node];
}

static void follow_all(const struct owners *o, bool seen[OWNERS][OBJECTS])
{
	const struct dominators *d = o->dominators;
	const struct root_nodes *a = d->root_nodes;
	assert_true(o->count <= OWNERS);
	memset(seen, 0, OWNERS * sizeof *seen);
	for (uint32_t root_node = 0; root_node < a->count; root_node++) {
		uint32_t owner = owner_above(o, root_node), node = root_nodes_node(a, root_node);
		for (uint32_t i = a->row[root_node]; i < a->row[root_node + 1] && owner != UINT32_MAX; i++)
			if (dominators_has(d, a->target[i]) && may_pass(d, node, a->target[i]))
				follow(d, a->target[i], seen[owner]);
	}
}

static bool is_in(struct ids set, uint32_t owner)
{
	for (size_t i = 0; i < set.count; i++)
		if (set.id[i] == owner)
			return true;
	return false;
}

static uint32_t shared_set_of(const struct owners *o, uint32_t object)
{
	for (uint32_t node = object; node != OBJECT_NONE; node = dominators_above(o->dominators, node))
		for (uint32_t h = 0; h < o->shared_sets; h++)
			for (uint32_t i = 0; i < o->shared_set[h].nodes; i++)
				if (o->top[o->shared_set[h].first + i] == node)
					return h;
	fail_msg("object %u is part of no holding", object);
	return 0;
}

struct met {
	size_t co_holders, circles, nested;
};

static void check_objects(const struct owners *o, bool seen[OWNERS][OBJECTS], struct met *met)
{
	for (uint32_t id = 0; id < OBJECTS; id++) {
		if (!dominators_has(o->dominators, id))
			continue;
		struct ids set = owners_of_shared_set(o, shared_set_of(o, id));
		for (uint32_t owner = 0; owner < o->count; owner++)
			assert_int_equal(seen[owner][id], is_in(set, owner));
		met->co_holders += set.count > 1;
		met->circles += set.count > 2;
	}
}

/* Counts the objects that no other owner reaches. */
static uint32_t count_lost(const struct owners *o, struct ids set, bool seen[OWNERS][OBJECTS])
{
	uint32_t lost = 0;
	for (uint32_t id = 0; id < OBJECTS; id++) {
		bool has = false, others = false;
		for (uint32_t owner = 0; owner < o->count; owner++) {
			has |= seen[owner][id];
			others |= seen[owner][id] && !is_in(set, owner);
		}
		lost += has && !others;
	}
	return lost;
}

static void check_sums(const struct owners *o, bool seen[OWNERS][OBJECTS])
{
	uint64_t bytes = 0, shared[OWNERS] = {0};
	for (uint32_t h = 0; h < o->shared_sets; h++) {
		struct ids set = owners_of_shared_set(o, h);
		struct owned together = owners_together(o, h);
		assert_int_equal(together.objects, count_lost(o, set, seen));
		assert_int_equal(together.bytes, together.objects * SIZE);
		assert_true(h == 0 || o->shared_set[h - 1].bytes >= o->shared_set[h].bytes);
		bytes += o->shared_set[h].bytes;
		for (size_t i = 0; i < set.count && set.count > 1; i++)
			shared[set.id[i]] += o->shared_set[h].bytes;
	}
	assert_int_equal(bytes, dominators_bytes(o->dominators, o->dominators->root));
	for (uint32_t owner = 0; owner < o->count; owner++) {
		struct ids set = owners_of_shared_set(o, o->owner[owner].shared_set);
		assert_true(set.count == 1 && set.id[0] == owner);
		assert_int_equal(o->owner[owner].shared, shared[owner]);
	}
}

/* Classes of two owners each: what no other class reaches is theirs, the rest of what they reach is
   shared. */
static void check_classes(const struct owners *o, bool seen[OWNERS][OBJECTS])
{
	uint32_t class_of[OWNERS];
	struct owner_sum sums[OWNERS] = {0};
	for (uint32_t owner = 0; owner < o->count; owner++)
		class_of[owner] = owner % 3 ? owner / 2 : UINT32_MAX;
	owners_sum(o, class_of, sums);
	for (uint32_t class = 0; class < OWNERS; class ++) {
		uint32_t alone = 0, shared = 0;
		for (uint32_t id = 0; id < OBJECTS; id++) {
			bool has = false, others = false;
			for (uint32_t owner = 0; owner < o->count; owner++) {
				has |= seen[owner][id] && class_of[owner] == class;
				others |= seen[owner][id] && class_of[owner] != class;
			}
			alone += has && !others;
			shared += has && others;
		}
		assert_int_equal(sums[class].objects, alone);
		assert_int_equal(sums[class].bytes, alone * SIZE);
		assert_int_equal(sums[class].shared, shared * SIZE);
	}
}

static bool is_below_its_class(const struct dominators *d, const uint32_t *class_of, uint32_t id)
{
	for (uint32_t node = dominators_above(d, id); node < OBJECTS; node = dominators_above(d, node))
		if (class_of[node] == class_of[id])
			return true;
	return false;
}

/* Classes of objects; every third object has none. */
static size_t check_topmost(const struct owners *o)
{
	const struct dominators *d = o->dominators;
	uint32_t class_of[OBJECTS];
	uint64_t wanted[OBJECTS] = {0};
	size_t below = 0;
	for (uint32_t id = 0; id < OBJECTS; id++)
		class_of[id] = id % 3 ? id % 4 : UINT32_MAX;
	for (uint32_t id = 0; id < OBJECTS; id++) {
		bool counts = class_of[id] != UINT32_MAX && dominators_has(d, id);
		bool nested = counts && is_below_its_class(d, class_of, id);
		below += nested;
		if (counts && !nested)
			wanted[class_of[id]] += dominators_bytes(d, id);
	}
	struct dominator_children *children = dominator_children_new(d, NULL);
	struct retained_of_class *retained =
		retained_of_class_new(d, children, class_of, OBJECTS, NULL);
	dominator_children_free(children);
	assert_int_equal(retained->count, OBJECTS);
	assert_memory_equal(retained->bytes, wanted, sizeof wanted);
	retained_of_class_free(retained);
	return below;
}

static void check(bool strongest)
{
	struct met met = {0};
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		bool seen[OWNERS][OBJECTS];
		struct random r;
		make(&r, seed);
		struct dominators *all = dominators_new(r.root_nodes, RETAIN_ALIVE, NULL, NULL);
		struct dominators *d = strongest ? dominators_new_strongest(all, NULL) : all;
		struct owners *o = owners_new(d, r.groups, NULL);
		follow_all(o, seen);
		check_objects(o, seen, &met);
		check_sums(o, seen);
		check_classes(o, seen);
		met.nested += check_topmost(o);
		owners_free(o);
		if (strongest)
			dominators_free(d);
		dominators_free(all);
		unmake(&r);
	}
	assert_true(met.co_holders > 1000 && met.circles > 200 && met.nested > 100); /* the graphs had
	                                                                                such objects */
}

TEST(co_holders_holders_are_those_with_a_path)
{
	check(false);
}

TEST(co_holders_owners_are_of_one_root_class)
{
	check(true);
}

TEST(more_owners_than_are_told_are_many)
{
	struct owner_sets sets;
	owner_sets_init(&sets);
	uint32_t set = OWNERS_NONE;
	for (uint32_t owner = 0; owner < OWNERS_MOST; owner++)
		set = owner_sets_union(&sets, set, owner_sets_one(&sets, 3 * owner));
	assert_int_equal(owner_sets_of(&sets, set).count, OWNERS_MOST);
	assert_int_equal(owner_sets_of(&sets, set).id[5], 15);
	assert_int_equal(owner_sets_union(&sets, set, owner_sets_one(&sets, 6)), set);
	set = owner_sets_union(&sets, set, owner_sets_one(&sets, 7));
	assert_int_equal(set, OWNERS_MANY);
	assert_int_equal(owner_sets_union(&sets, owner_sets_one(&sets, 7), set), OWNERS_MANY);
	owner_sets_fini(&sets);
}
