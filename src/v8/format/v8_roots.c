/* Roots of a heap snapshot: what node 0 and the groups below it refer to. */
#include "v8_reader.h"

#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

struct v8_groups {
	uint32_t *group; /* the groups found, in the order in which their edges are read */
	size_t count, capacity;
	uint64_t *found;  /* bits by node */
	struct map names; /* number of a string -> struct v8_kept */
};

static void v8_find_group(struct v8_groups *groups, uint32_t node)
{
	if (word_bit_is_set(groups->found, node))
		return;
	word_bit_set(groups->found, node);
	MEM_PUSH(groups->group, groups->count, groups->capacity, node);
}

/* User roots, such as the global object, are the shortcuts of node 0; what these reach the page
 * owns. */
static enum log_root_kind v8_root_kind(struct text group, bool user)
{
	static const char *const handles[] = {"(Global handles)",   "(Handle scope)",
	                                      "(Eternal handles)",  "(Traced handles)",
	                                      "(Persistent roots)", "C++ Persistent roots"};
	if (user || text_is(group, "(Document DOM trees)"))
		return LOG_STATIC;
	if (text_is(group, "(Stack roots)") || text_is(group, "C++ native stack roots"))
		return LOG_LOCAL;
	for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
		if (text_is(group, handles[i]))
			return LOG_HANDLE;
	return LOG_INTERNAL;
}

/* Returns the name of a group. Groups of one name share it, as there may be any number of them. */
static const struct v8_kept *v8_group_name(struct v8 *v, struct v8_groups *groups, uint32_t node)
{
	SCOPED_BUF name = {0};
	uint64_t string = v->node[node].id, kept;
	bool named = node && string < v->strings.count;
	if (!named)
		string = node ? UINT64_MAX - 1 : UINT64_MAX - 2;
	if (map_get(&groups->names, string, &kept))
		return (const struct v8_kept *)(uintptr_t)kept;
	if (named)
		v8_strings_add(&v->strings, string, &name);
	if (!name.len)
		buf_add(&name, node ? "(root)" : "user root");
	v8_keep(v, &name);
	map_put(&groups->names, string, (uintptr_t)v->kept);
	return v->kept;
}

/* Returns true for the group of the objects that no root reaches: V8 writes none of these, exports
   of dumps do. */
static bool v8_is_no_root(struct v8 *v, uint32_t node)
{
	SCOPED_BUF name = {0};
	if (node && v->node[node].id < v->strings.count)
		v8_strings_add(&v->strings, v->node[node].id, &name);
	return strcmp(buf_text(&name), "(not reachable)") == 0;
}

static void v8_group_roots(struct v8 *v, struct v8_groups *groups, uint32_t node)
{
	if (v8_is_no_root(v, node))
		return;
	struct v8_json json = v8_edges_of(v, node);
	struct text name = {0};
	struct v8_edge edge;
	while (v8_json_more(&json) && v8_edge_next(v, &json, &edge)) {
		bool weak = edge.type == V8_WEAK || (edge.type == V8_SHORTCUT && node);
		if (!edge.good)
			continue;
		if (v8_is_group(v, edge.target)) {
			if (!weak)
				v8_find_group(groups, edge.target);
			continue;
		}
		if (!name.len) {
			const struct v8_kept *kept = v8_group_name(v, groups, node);
			name = (struct text){kept->text, kept->len};
		}
		bool same = edge.named && edge.place == v->node[node].id; /* the name of the group again */
		const struct log_root_record root = {
			.offset = edge.offset,
			.id = v->node[edge.target].id,
			.kind = v8_root_kind(name, node == 0 && edge.type == V8_SHORTCUT),
			.flags = weak ? ROOT_WEAK : 0,
			.name = name,
			.place = same ? PLACE_NONE : v8_edge_place(v, &edge),
		};
		v->sink->log_root(v->sink->self, &root);
	}
}

void v8_read_roots(struct v8 *v)
{
	struct v8_groups groups = {.found = mem_alloc((v->count / 64 + 1) * sizeof *groups.found)};
	if (v->count)
		v8_find_group(&groups, 0);
	for (size_t i = 0; i < groups.count; i++)
		v8_group_roots(v, &groups, groups.group[i]);
	for (size_t node = 0; node < v->count; node++)
		if (v8_is_group(v, node) && !word_bit_is_set(groups.found, node)
		    && v->node[node].edges < v->node[node + 1].edges)
			v8_count(&v->lost_groups, v->node[node].edges);
	free(groups.group);
	free(groups.found);
	map_free(&groups.names);
}
