#include "ui/retained_lines.h"

#include "base/text.h"
#include "table/node.h"

enum { SHOWN = 2 /* dominators on the line, without the ends */, TEXT_COLUMN = 14 };

/* "13.3 KB, 0.2% of all that is reachable, 254 objects" */
static void object_retained_lines_add_retained(struct page *page, const struct analysis *analysis,
                                               uint32_t object)
{
	const struct dominators *dominators = analysis_retained(analysis);
	struct buf text = {0}, link = {0};
	text_add_size(&text, dominators->bytes[object]);
	buf_add(&text, ", ");
	text_add_share(&text, dominators->bytes[object], dominators->bytes[dominators->root]);
	buf_addf(&text, " of all that %s, ",
	         dominators->retain == RETAIN_WEAK ? "any root leads to" : "is reachable");
	text_add_number_of(&text, dominators->objects[object], "object", "objects");
	buf_add(&link, "dominated ");
	node_add_argument(analysis, object, &link);
	page_line(page, dominators->objects[object] > 1 ? buf_text(&link) : NULL);
	page_put(page, PAGE_LEFT, 1, STYLE_FAINT,
	         dominators->retain == RETAIN_STRONGEST ? "owns" : "retained");
	page_put(page, PAGE_REST, TEXT_COLUMN, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
	buf_free(&link);
}

static bool object_retained_lines_is_group(const struct root_nodes *root_nodes, uint32_t node)
{
	uint32_t root_node = root_nodes_of_node(root_nodes, node);
	return root_node != UINT32_MAX
	       && (root_nodes->root_node[root_node].kind == ROOT_NODE_ALL
	           || root_nodes->root_node[root_node].kind == ROOT_NODE_CLASS);
}

/* Its dominators that are objects, the nearest first, as "0xa > 0xb > ": those nearest to the
   object, and how many there are more. */
static uint32_t object_retained_lines_add_objects(const struct analysis *analysis, uint32_t object,
                                                  struct buf *out)
{
	const struct dominators *dominators = analysis_retained(analysis);
	uint32_t objects = heap_object_count(analysis_heap(analysis)), near[SHOWN];
	uint64_t count = 0;
	uint32_t node = dominators->idom[object];
	for (; node < objects; node = dominators->idom[node]) {
		if (count < SHOWN)
			near[count] = node;
		count++;
	}
	if (count > SHOWN) {
		buf_add(out, "> … ");
		text_add_count(out, count - SHOWN);
		buf_add(out, " more … ");
	}
	for (uint64_t i = count < SHOWN ? count : SHOWN; i-- > 0;) {
		buf_add(out, "> ");
		node_add_argument(analysis, near[i], out);
		buf_add_char(out, ' ');
	}
	return node;
}

/* "main.cache > 0xc000012340 > this": every way to it leads through all of these. */
static void object_retained_lines_add_dominators(struct page *page, const struct analysis *analysis,
                                                 uint32_t object)
{
	const struct dominators *dominators = analysis_retained(analysis);
	struct buf chain = {0}, text = {0}, link = {0};
	uint32_t top = object_retained_lines_add_objects(analysis, object, &chain);
	if (!object_retained_lines_is_group(analysis_root_nodes(analysis), top))
		node_add_name(analysis, top, &text);
	else if (top == dominators->root)
		buf_add(&text, "no single root: roots of several kinds lead to it");
	else {
		buf_add(&text, "no single root: several of the ");
		node_add_name(analysis, top, &text);
	}
	if (chain.len)
		buf_addf(&text, " %s> this", buf_text(&chain));
	node_link(analysis, dominators->idom[object], &link);
	page_line(page, buf_text(&link));
	page_put(page, PAGE_LEFT, 1, STYLE_FAINT,
	         dominators->retain == RETAIN_STRONGEST ? "owned by" : "held by");
	page_put(page, PAGE_REST, TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_free(&chain);
	buf_free(&text);
	buf_free(&link);
}

void retained_lines(struct page *page, const struct analysis *analysis, uint32_t object)
{
	uint64_t bytes;
	if (!node_retained(analysis, object, &bytes))
		return;
	object_retained_lines_add_retained(page, analysis, object);
	object_retained_lines_add_dominators(page, analysis, object);
}
