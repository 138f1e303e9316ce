#include "go/runtime/goruntime.h"

#include "go/runtime/gomap.h"
#include "gomap_kind.h"
#include "heap/heap.h"
#include "structs.h"

#include <string.h>

/* ---- Types */

static const struct goruntime_struct *struct_in(const struct goruntime_struct *row,
                                                const char *name)
{
	while (row->name && strncmp(name, row->name, strlen(row->name)) != 0)
		row++;
	return row->name ? row : NULL;
}

const struct goruntime_struct *goruntime_struct_of(const struct gotype *type)
{
	static const struct goruntime_struct *const others[] = {gochan_structs, gosync_structs,
	                                                        gosync_trie_structs, sync_pool_structs};
	const struct goruntime_struct *found = NULL;
	if (type->kind != GO_STRUCT)
		return NULL;
	for (size_t i = 0; i < GOMAP_KINDS && !found; i++)
		found = struct_in(gomap_kinds[i]->structs, type->name);
	for (size_t i = 0; i < sizeof others / sizeof *others && !found; i++)
		found = struct_in(others[i], type->name);
	return found;
}

bool goruntime_is_named(const char *name, const char *known)
{
	size_t len = strlen(known);
	return strncmp(name, known, len) == 0 && (known[len - 1] == '[' || !name[len]);
}

static const struct gotypes_part *parts(size_t row)
{
	const struct gotypes_part *last[] = {gochan_parts, NULL};
	return row < GOMAP_KINDS ? gomap_kinds[row]->parts : last[row - GOMAP_KINDS];
}

static const struct struct_layout *map_layout(struct text first_field)
{
	for (size_t i = 0; i < 2 * GOMAP_KINDS; i++)
		if (text_is(first_field, gomap_kinds[i / 2]->control[i % 2]))
			return gomap_kinds[i / 2]->layout[0];
	return gomap_kinds[0]->layout[0]; /* a map type made by reflect has no fields */
}

const struct gotypes_runtime goruntime_types = {map_layout, &gochan_layout, parts};

/* ---- The program */

void goruntime_init(struct goruntime *rt, const struct heap *heap, struct gotypes *types,
                    uint64_t bias, uint64_t data_bias)
{
	*rt = (struct goruntime){.heap = heap, .types = types, .bias = bias, .data_bias = data_bias};
	gotypes_use_runtime(types, &goruntime_types);
	for (uint32_t i = 0; i < heap->itab_count; i++)
		if (heap->itabs[i].type)
			map_put(&rt->itabs, heap->itabs[i].address, heap->itabs[i].type);
}

bool goruntime_index(struct goruntime *rt, const struct index_io *io)
{
	return index_io_map(io, "runtime/dynamic", &rt->dynamic)
	       && index_io_map(io, "runtime/containers", &rt->containers)
	       && index_io_map(io, "runtime/nodes", &rt->nodes);
}

void goruntime_fini(struct goruntime *rt)
{
	map_free(&rt->itabs);
	map_free(&rt->dynamic);
	map_free(&rt->containers);
	map_free(&rt->nodes);
}

gotype_id goruntime_container(const struct goruntime *rt, gotype_id type)
{
	uint64_t container = 0;
	map_get(&rt->containers, type, &container);
	return (gotype_id)container;
}
