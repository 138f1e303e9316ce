#include "analysis/analysis.h"
#include "heap/objects.h"
#include "main/export/dot.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/owners/node.h"

#include <stdlib.h>
#include <string.h>

enum { LABEL_MOST = 160 }; /* columns */

bool dot_init(struct dot *dot, const struct analysis *analysis,
              const struct export_request *request, struct err *err)
{
	size_t limit = request->limit == SIZE_MAX ? DOT_NODES : request->limit;
	*dot = (struct dot){.analysis = analysis, .limit = limit};
	return (limit >= 2 && limit <= DOT_NODES_MOST)
	       || err_set(err, "--limit of a graph is between 2 and %d nodes", DOT_NODES_MOST);
}

void dot_fini(struct dot *dot)
{
	for (size_t i = 0; i < dot->count; i++)
		buf_free(&dot->node[i].note);
	for (size_t i = 0; i < dot->edges; i++)
		buf_free(&dot->edge[i].label);
	free(dot->node);
	free(dot->edge);
}

/* ---- Building. There are few nodes, so a linear search is enough */

static size_t dot_find(const struct dot *dot, struct entity entity)
{
	size_t i = 0;
	while (i < dot->count
	       && (dot->node[i].entity.kind != entity.kind || dot->node[i].entity.id != entity.id))
		i++;
	return i;
}

bool dot_has(const struct dot *dot, struct entity entity)
{
	return dot_find(dot, entity) < dot->count;
}

static size_t dot_append(struct dot *dot, struct entity entity, const char *style)
{
	return MEM_PUSH(dot->node, dot->count, dot->capacity,
	                (struct dot_node){.entity = entity, .style = style});
}

/* Returns the node of an entity; for a root, that of its variable or slot. */
static uint32_t dot_node_of(const struct dot *dot, struct entity entity)
{
	const struct root_nodes *root_nodes = analysis_root_nodes(dot->analysis);
	if (entity.kind == ENTITY_OBJECT)
		return entity.id;
	return root_nodes_node(root_nodes,
	                       entity.kind == ENTITY_ROOT ? root_nodes->of_root[entity.id] : entity.id);
}

static void dot_add_sizes(const struct dot *dot, struct dot_node *node)
{
	const struct heap *heap = analysis_heap(dot->analysis);
	uint64_t retained;
	bool object = node->entity.kind == ENTITY_OBJECT;
	if (object)
		text_add_size(&node->note, heap_size(heap, node->entity.id));
	if (!node_retained(dot->analysis, dot_node_of(dot, node->entity), &retained))
		return;
	buf_addf(&node->note, "%s%s", object ? ", retains " : "retains ", text_size(retained).text);
}

size_t dot_add(struct dot *dot, struct entity entity, const char *style)
{
	size_t found = dot_find(dot, entity);
	if (found < dot->count)
		return found;
	dot_append(dot, entity, style);
	dot->drawn++;
	dot_add_sizes(dot, &dot->node[found]);
	return found;
}

size_t dot_add_note(struct dot *dot, const char *text)
{
	size_t place =
		dot_append(dot, (struct entity){ENTITY_NONE, (uint32_t)dot->count, 0}, "shape=plaintext");
	buf_add(&dot->node[place].note, text);
	return place;
}

void dot_connect(struct dot *dot, size_t from, size_t to, const char *label, const char *style)
{
	label = label ? label : "";
	for (size_t i = 0; i < dot->edges; i++)
		if (dot->edge[i].from == from && dot->edge[i].to == to
		    && strcmp(buf_text(&dot->edge[i].label), label) == 0)
			return;
	dot->edge = mem_grow(dot->edge, dot->edges, &dot->edge_capacity, sizeof *dot->edge);
	dot->edge[dot->edges] = (struct dot_edge){.from = from, .to = to, .style = style};
	buf_add(&dot->edge[dot->edges++].label, label);
}

/* ---- Writing */

/* Appends a quoted text, truncated at the end. */
static void dot_quote(const char *text, struct buf *out)
{
	size_t len = strlen(text);
	size_t shown = len ? text_line(text, LABEL_MOST) : 0;
	/* A backslash would start an escape, an ampersand an entity. */
	for (size_t i = 0; i < shown; i++) {
		if (text[i] == '"' || text[i] == '\\')
			buf_add_char(out, '\\');
		if (text[i] == '&')
			buf_add(out, "&amp;");
		else if ((unsigned char)text[i] >= ' ')
			buf_add_char(out, text[i]);
	}
	buf_add(out, shown < len ? "…" : "");
}

static void dot_write_node(const struct dot *dot, size_t place, struct buf *out)
{
	const struct dot_node *node = &dot->node[place];
	SCOPED_BUF name = {0};
	if (node->entity.kind == ENTITY_OBJECT)
		entity_add_label(dot->analysis, node->entity, &name);
	else if (node->entity.kind != ENTITY_NONE)
		entity_add_name(dot->analysis, node->entity, &name);
	buf_addf(out, "\tn%zu [label=\"", place);
	dot_quote(buf_text(&name), out);
	buf_add(out, name.len && node->note.len ? "\\n" : "");
	dot_quote(buf_text(&node->note), out);
	buf_addf(out, "\"%s%s];\n", *node->style ? ", " : "", node->style);
}

static void dot_write_edge(const struct dot_edge *edge, struct buf *out)
{
	const char *between = "";
	buf_addf(out, "\tn%zu -> n%zu", edge->from, edge->to);
	if (edge->label.len || *edge->style)
		buf_add(out, " [");
	if (edge->label.len) {
		buf_add(out, "label=\"");
		dot_quote(buf_text(&edge->label), out);
		buf_add(out, "\"");
		between = ", ";
	}
	if (*edge->style)
		buf_addf(out, "%s%s", between, edge->style);
	buf_add(out, edge->label.len || *edge->style ? "];\n" : ";\n");
}

void dot_write(const struct dot *dot, const char *title, struct buf *out)
{
	buf_add(out, "digraph heap {\n\tcharset=\"UTF-8\"; labelloc=t; label=\"");
	dot_quote(title, out);
	buf_add(out, "\";\n\tnode [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
	             "\tedge [fontname=\"sans-serif\", fontsize=9];\n");
	for (size_t i = 0; i < dot->count; i++)
		dot_write_node(dot, i, out);
	for (size_t i = 0; i < dot->edges; i++)
		dot_write_edge(&dot->edge[i], out);
	buf_add(out, "}\n");
}
