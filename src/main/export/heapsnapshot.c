/* Heap snapshots of Chrome DevTools: numbers first, strings last. The nodes are, in this order: the
   root, the root nodes of the dump as a tree, a node for all that is unreachable, objects, and the
   rest of objects whose size exceeds 32 bits. */
#include "base/number.h"
#include "base/string_set.h"
#include "main/export/exporter.h"
#include "main/print/json.h"
#include "main/print/output.h"
#include "table/naming/entity.h"
#include "table/naming/step_class.h"
#include "table/naming/typed.h"

#include "base/map.h"
#include "base/mem.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Indices in the lists of the header. */
enum node_type { NODE_OBJECT = 3, NODE_NATIVE = 8, NODE_SYNTHETIC = 9 };
enum edge_type { EDGE_CONTEXT, EDGE_ELEMENT, EDGE_PROPERTY, EDGE_INTERNAL, EDGE_WEAK = 6 };
enum { NODE_FIELDS = 7 };

static const char head[] =
	"{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","
	"\"edge_count\",\"trace_node_id\",\"detachedness\"],\"node_types\":[[\"hidden\",\"array\","
	"\"string\",\"object\",\"code\",\"closure\",\"regexp\",\"number\",\"native\",\"synthetic\","
	"\"concatenated string\",\"sliced string\",\"symbol\",\"bigint\",\"object shape\"],\"string\","
	"\"number\",\"number\",\"number\",\"number\",\"number\"],\"edge_fields\":[\"type\","
	"\"name_or_index\",\"to_node\"],\"edge_types\":[[\"context\",\"element\",\"property\","
	"\"internal\",\"hidden\",\"shortcut\",\"weak\"],\"string_or_number\",\"node\"]},";

struct heapsnapshot {
	const struct analysis *analysis;
	const struct heap *heap;
	const struct root_nodes *root_nodes;
	const struct reach *reach;
	struct step_classes *step_classes;
	struct buf *out;
	struct string_set texts;
	struct map type_names;   /* by typed_key: 1 + string */
	struct map field_names;  /* by type and offset: string, or ELEMENT */
	uint32_t *root_text;     /* by root node */
	uint32_t *root_children; /* by root node: the number of child root nodes */
	uint32_t first_object; /* number of its node; the node before stands for unreachable objects */
	uint64_t nodes, edges; /* written so far */
	uint32_t rest;         /* number of rest nodes written so far */
	bool ok;
};

static uint32_t snapshot_text(struct heapsnapshot *s, const char *text)
{
	return string_set_number(&s->texts, text, NULL);
}

static bool is_reached(const struct heapsnapshot *s, uint32_t object)
{
	return reach_has(s->reach, object);
}

/* ---- Names */

static void snapshot_name_roots(struct heapsnapshot *s)
{
	SCOPED_BUF name = {0};
	s->root_text = mem_alloc(s->root_nodes->count * sizeof *s->root_text);
	s->root_children = mem_alloc(s->root_nodes->count * sizeof *s->root_children);
	for (uint32_t i = 1; i < s->root_nodes->count; i++) {
		buf_clear(&name);
		entity_add_label(s->analysis, (struct entity){ENTITY_ROOT_NODE, i, 0}, &name);
		s->root_text[i] = snapshot_text(s, buf_text(&name));
		s->root_children[s->root_nodes->root_node[i].parent]++;
	}
	s->root_text[0] = snapshot_text(s, "(GC roots)");
}

/* Returns the string of an object's type. DevTools treat "Object" and names that begin with <
   specially, so these are changed. */
static uint32_t snapshot_type(struct heapsnapshot *s, uint32_t object)
{
	uint64_t key = typed_key(s->analysis, object), found;
	if (key != TYPED_KEY_UNKNOWN && map_get(&s->type_names, key, &found))
		return (uint32_t)found;
	SCOPED_BUF name = {0};
	if (key != TYPED_KEY_UNKNOWN)
		typed_add_key(s->analysis, key, &name);
	else
		typed_add(s->analysis, object, &name);
	if (!name.len)
		buf_addf(&name, "object of %" PRIu64 " bytes", heap_size(s->heap, object));
	if (*buf_text(&name) == '<' || strcmp(buf_text(&name), "Object") == 0)
		buf_add_char(&name, ' ');
	uint32_t text = snapshot_text(s, buf_text(&name));
	if (key != TYPED_KEY_UNKNOWN)
		map_put(&s->type_names, key, text);
	return text;
}

/* The field name of elements: in an array of pointers, fields have numbers. */
enum { ELEMENT = 0 }; /* string 0 is empty, which no field is */

static uint32_t snapshot_make_field(struct heapsnapshot *s, uint32_t object, uint64_t offset)
{
	SCOPED_BUF name = {0};
	uint32_t text = ELEMENT;
	step_classes_add_field(s->step_classes, object, offset, &name);
	const char *field = buf_text(&name);
	if (!name.len)
		buf_addf(&name, "+0x%" PRIx64, offset);
	if (strcmp(buf_text(&name), "[*]") != 0)
		text = snapshot_text(s, buf_text(&name) + (*field == '.'));
	return text;
}

/* Returns the name of the field at an offset, or ELEMENT with *index. */
static uint32_t snapshot_field(struct heapsnapshot *s, uint32_t object, struct typed typed,
                               uint64_t offset, uint64_t *index)
{
	const struct gotypes *types = analysis_types(s->analysis);
	uint64_t size = typed.type ? gotype_get(types, typed.type)->size : 0, found;
	uint64_t within = size ? offset % size : offset;
	bool inside = size && offset / size < typed.count;
	uint64_t key = (uint64_t)(inside ? typed.type : 0) << 33 | (uint64_t)(typed.count > 1) << 32
	               | (uint32_t)(inside ? within : offset);
	*index = inside ? offset / size : 0;
	if (map_get(&s->field_names, key, &found))
		return (uint32_t)found;
	uint32_t text = snapshot_make_field(s, object, offset);
	map_put(&s->field_names, key, text);
	return text;
}

/* ---- Nodes */

static void snapshot_node(struct heapsnapshot *s, enum node_type type, uint32_t name, uint64_t size,
                          uint64_t edges)
{
	const uint64_t field[] = {type, name, 2 * s->nodes + 1, size, edges, 0, 0};
	for (size_t i = 0; i < NODE_FIELDS; i++) {
		if (i || s->nodes)
			buf_add_char(s->out, ',');
		number_add(s->out, field[i]);
	}
	buf_add_char(s->out, '\n');
	s->nodes++;
	s->ok = output_some(s->out);
}

/* Returns the number of additional nodes for a large object. */
static uint64_t snapshot_rest(uint64_t size)
{
	return size ? (size - 1) / UINT32_MAX : 0;
}

static void snapshot_write_nodes(struct heapsnapshot *s)
{
	const struct root_nodes *roots = s->root_nodes;
	struct edges edges = heap_edges(s->heap);
	uint32_t objects = heap_object_count(s->heap), without = 0, rest;
	for (uint32_t id = 0; id < objects; id++)
		without += !is_reached(s, id);
	snapshot_node(s, NODE_SYNTHETIC, snapshot_text(s, ""), 0, 2);
	for (uint32_t i = 0; i < roots->count && s->ok; i++)
		snapshot_node(s, NODE_SYNTHETIC, s->root_text[i], 0,
		              s->root_children[i] + roots->row[i + 1] - roots->row[i]);
	snapshot_node(s, NODE_SYNTHETIC, snapshot_text(s, "(not reachable)"), 0, without);
	for (uint32_t id = 0; id < objects && s->ok; id++) {
		uint64_t size = heap_size(s->heap, id), more = snapshot_rest(size);
		size_t count = edges_of(edges, id).count;
		snapshot_node(s, count ? NODE_OBJECT : NODE_NATIVE, snapshot_type(s, id),
		              more ? UINT32_MAX : size, count + more);
	}
	rest = snapshot_text(s, "(rest of a large object)");
	for (uint32_t id = 0; id < objects && s->ok; id++)
		for (uint64_t size = heap_size(s->heap, id); snapshot_rest(size);) {
			size -= UINT32_MAX;
			snapshot_node(s, NODE_NATIVE, rest, size < UINT32_MAX ? size : UINT32_MAX, 0);
		}
}

/* ---- Edges, in the order of their source nodes */

static void snapshot_edge(struct heapsnapshot *s, enum edge_type type, uint64_t name, uint64_t node)
{
	if (s->edges++)
		buf_add_char(s->out, ',');
	number_add(s->out, type);
	buf_add_char(s->out, ',');
	number_add(s->out, name);
	buf_add_char(s->out, ',');
	number_add(s->out, node * NODE_FIELDS);
	buf_add_char(s->out, '\n');
}

/* Writes the edges of a root node. Edges from weak roots keep nothing alive, nor do those from
   pools, because whatever references a pool keeps its contents alive. */
static void snapshot_root_edges(struct heapsnapshot *s, uint32_t root_node, bool holds)
{
	const struct root_nodes *roots = s->root_nodes;
	bool slot = roots->root_node[root_node].kind == ROOT_NODE_SLOT;
	enum edge_type type = !holds ? EDGE_WEAK : slot ? EDGE_CONTEXT : EDGE_INTERNAL;
	for (uint32_t i = roots->row[root_node]; i < roots->row[root_node + 1]; i++)
		snapshot_edge(s, type, s->root_text[root_node],
		              (uint64_t)s->first_object + roots->target[i]);
}

/* Writes the edges of all root nodes. A parent precedes its children, so lists of children are
   built backward. */
static void snapshot_write_root_edges(struct heapsnapshot *s)
{
	const struct root_nodes *roots = s->root_nodes;
	struct ids_below {
		uint32_t first, next; /* 1 + a root node; 0: none */
	} *below = mem_alloc(roots->count * sizeof *below);
	bool holds = true;
	for (uint32_t i = roots->count; i-- > 1;) {
		below[i].next = below[roots->root_node[i].parent].first;
		below[roots->root_node[i].parent].first = i + 1;
	}
	for (uint32_t i = 0; i < roots->count && s->ok; i++) {
		const struct root_node *root_node = &roots->root_node[i];
		uint64_t number = 0;
		if (root_node->kind == ROOT_NODE_CLASS)
			holds = root_class_has_roots((enum root_class)root_node->index)
			        && root_node->index != ROOT_CLASS_WEAK;
		for (uint32_t k = below[i].first; k; k = below[k - 1].next)
			snapshot_edge(s, EDGE_ELEMENT, number++, k); /* node k is root node k - 1 */
		snapshot_root_edges(s, i, holds);
		s->ok = output_some(s->out);
	}
	free(below);
}

static void snapshot_object_edges(struct heapsnapshot *s, uint32_t object,
                                  const struct object_record *record)
{
	const struct typing *typing = analysis_typing(s->analysis);
	struct ids to = edges_of(heap_edges(s->heap), object);
	struct typed typed = typing && to.count ? typing_object(typing, object) : (struct typed){0};
	struct pointer_walk walk;
	struct pointer pointer;
	bool reached = is_reached(s, object);
	pointer_walk_object(&walk, s->heap, record);
	for (size_t i = 0; i < to.count; i++) {
		uint64_t index = i;
		do
			pointer.target = OBJECT_NONE;
		while (pointer_walk_next(&walk, &pointer) && pointer.target == OBJECT_NONE);
		bool placed = pointer.target == to.id[i] && place_is_offset(pointer.offset);
		uint32_t name = placed ? snapshot_field(s, object, typed, pointer.offset, &index) : ELEMENT;
		bool weak = !reached && is_reached(s, to.id[i]);
		snapshot_edge(s,
		              weak              ? EDGE_WEAK
		              : name != ELEMENT ? EDGE_PROPERTY
		                                : EDGE_ELEMENT,
		              weak              ? s->root_text[0]
		              : name != ELEMENT ? name
		                                : index,
		              (uint64_t)s->first_object + to.id[i]);
	}
	uint64_t rest = (uint64_t)s->first_object + heap_object_count(s->heap);
	for (uint64_t i = snapshot_rest(record->size); i; i--)
		snapshot_edge(s, EDGE_ELEMENT, to.count + i, rest + s->rest++);
	s->ok = output_some(s->out);
}

static bool snapshot_write_edges(struct heapsnapshot *s, struct err *err)
{
	const struct objects *objects = s->heap->objects;
	struct objects_run_view run;
	struct object_record record;
	snapshot_edge(s, EDGE_ELEMENT, 0, 1);
	snapshot_edge(s, EDGE_ELEMENT, 1, s->first_object - 1ULL);
	snapshot_write_root_edges(s);
	for (uint32_t id = 0; id < heap_object_count(s->heap) && s->ok; id++)
		if (!is_reached(s, id))
			snapshot_edge(s, EDGE_ELEMENT, id, (uint64_t)s->first_object + id);
	for (size_t r = 0; r < objects_run_count(objects) && s->ok; r++) {
		objects_run(objects, r, &run);
		uint64_t at = run.offset;
		for (uint32_t id = run.first; id < run.first + run.count && s->ok; id++) {
			if (!export_next_object(s->heap, &run, id, &at, &record))
				return err_set(err, "The dump was changed while it was read");
			snapshot_object_edges(s, id, &record);
		}
	}
	return true;
}

/* ---- Snapshot */

/* Writes the header with the numbers of nodes and edges. False: there are too many. */
static bool snapshot_write_head(struct heapsnapshot *s, struct err *err)
{
	uint32_t objects = heap_object_count(s->heap), roots = s->root_nodes->count;
	uint64_t nodes = roots + 2ULL + objects, edges = 2 + roots - 1 + s->root_nodes->row[roots];
	for (uint32_t id = 0; id < objects; id++) {
		uint64_t rest = snapshot_rest(heap_size(s->heap, id));
		nodes += rest;
		edges += rest + !is_reached(s, id);
	}
	edges += s->heap->edge_count;
	if (nodes > UINT32_MAX / NODE_FIELDS || edges > UINT32_MAX)
		return err_set(err, "The heap has more objects or references than DevTools can number");
	buf_add(s->out, head);
	buf_addf(s->out,
	         "\"node_count\":%" PRIu64 ",\"edge_count\":%" PRIu64 ",\"trace_function_count\":0},\n",
	         nodes, edges);
	return true;
}

static void snapshot_write_texts(struct heapsnapshot *s)
{
	struct json json = {s->out, false};
	json_open(json_key(&json, "strings"), '[');
	for (size_t i = 0; i < s->texts.count && s->ok; i++) {
		json_line(&json);
		json_text(&json, string_set_text(&s->texts, (uint32_t)i));
		s->ok = output_some(s->out);
	}
	json_close(&json, ']');
	buf_add(s->out, "}\n");
}

static bool snapshot_write(struct heapsnapshot *s, struct err *err)
{
	snapshot_text(s, ""); /* its number is ELEMENT */
	snapshot_name_roots(s);
	if (!snapshot_write_head(s, err))
		return false;
	buf_add(s->out, "\"nodes\":[");
	snapshot_write_nodes(s);
	buf_add(s->out, "],\n\"edges\":[");
	if (s->ok && !snapshot_write_edges(s, err))
		return false;
	buf_add(s->out, "],\n");
	snapshot_write_texts(s);
	return s->ok;
}

static bool heapsnapshot_write(const struct analysis *analysis,
                               const struct export_request *request, struct buf *out,
                               struct err *err)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(analysis);
	struct heapsnapshot s = {
		.analysis = analysis,
		.heap = analysis_heap(analysis),
		.root_nodes = root_nodes,
		.reach = analysis_reach(analysis),
		.step_classes = step_classes_new(analysis),
		.out = out,
		.first_object = root_nodes->count + 2,
		.ok = true,
	};
	(void)request;
	bool done = snapshot_write(&s, err);
	step_classes_free(s.step_classes);
	string_set_free(&s.texts);
	map_free(&s.type_names);
	map_free(&s.field_names);
	free(s.root_text);
	free(s.root_children);
	return done;
}

DEFINE_PLUGIN(exporters, struct exporter, exporter_heapsnapshot) = {
	.rank = 21,
	.name = "heapsnapshot",
	.help = "objects, references and roots for the memory panel of Chrome's DevTools",
	.about =
		"Name the file with .heapsnapshot to load it there. Types are constructors, fields are "
		"properties; roots are below \"(GC roots)\" by kind, variable, " THREAD_WORD " and frame. "
		"Retained sizes are those of goheapx. Unreachable objects are below \"(not reachable)\" "
		"and keep no reachable object alive. An object over 4 GB is split into several objects, "
		"since DevTools use 32 bits for sizes; up to 600 million objects.",
	.needs = STAGE_TYPED | STAGE_DOMINATED,
	.parts = PART_OBJECTS,
	.write = heapsnapshot_write,
};
