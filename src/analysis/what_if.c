/* One set of removals, which is the least that a search of several takes. */
#include "removals.h"

#include "base/bits.h"
#include "base/mem.h"
#include "heap/object_ids.h"

#include <stdlib.h>

struct what_if *what_if_new(const struct heap *heap)
{
	struct what_if *what_if = mem_alloc(sizeof *what_if);
	what_if->heap = heap;
	return what_if;
}

void what_if_free(struct what_if *what_if)
{
	if (!what_if)
		return;
	free(what_if->objects.id);
	free(what_if->roots.id);
	free(what_if->closed.id);
	free(what_if->stacks.id);
	free(what_if->from.id);
	free(what_if->to.id);
	free(what_if);
}

static void what_if_add(struct what_if_ids *ids, uint32_t id)
{
	MEM_PUSH(ids->id, ids->count, ids->capacity, id);
}

void what_if_object(struct what_if *what_if, uint32_t id)
{
	what_if_add(&what_if->objects, id);
}

void what_if_root(struct what_if *what_if, uint32_t root)
{
	what_if_add(&what_if->roots, root);
}

void what_if_reference(struct what_if *what_if, uint32_t from, uint32_t to)
{
	what_if_add(&what_if->from, from);
	what_if_add(&what_if->to, to);
}

void what_if_closed(struct what_if *what_if, uint32_t id)
{
	what_if_add(&what_if->closed, id);
}

void what_if_stack(struct what_if *what_if, uint32_t thread)
{
	what_if_add(&what_if->stacks, thread);
}

static struct what_if_sets *what_if_search(const struct what_if *what_if, struct progress *progress)
{
	struct what_if *set = (struct what_if *)what_if;
	return what_if_sets_new(&set, 1, UINT64_MAX, progress, NULL);
}

bool what_if_set(const struct what_if *what_if, struct progress *progress, uint64_t *freed)
{
	struct what_if_sets *found = what_if_search(what_if, progress);
	for (uint32_t id = 0; found && id < heap_object_count(what_if->heap); id++)
		if (what_if_sets_freed(found, id))
			word_bit_set(freed, id);
	what_if_sets_free(found);
	return found;
}

bool what_if_count(const struct what_if *what_if, struct progress *progress, struct freed *freed)
{
	struct what_if_sets *found = what_if_search(what_if, progress);
	*freed = (struct freed){0};
	if (found)
		what_if_sets_count(found, freed);
	what_if_sets_free(found);
	return found;
}
