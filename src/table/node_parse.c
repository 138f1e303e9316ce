/* What node an argument means: part of table/node.h. */
#include "table/node.h"

#include "base/text.h"
#include "table/argument.h"

#include <string.h>

static bool find_anchor(const struct analysis *analysis, const char *text, uint32_t *node,
                        struct err *err)
{
	uint64_t anchor;
	if (!text_parse_number(text + 1, &anchor) || anchor >= analysis->anchors->count)
		return err_set(err, "\"%.60s\" names nothing: @0 is everything, and its rows lead to the "
		                    "others", text);
	*node = anchors_node(analysis->anchors, (uint32_t)anchor);
	return true;
}

static bool find_goroutine(const struct analysis *analysis, const char *text, uint32_t *node,
                           struct err *err)
{
	uint32_t index;
	if (!argument_goroutine(analysis->heap, text, &index, err))
		return false;
	*node = anchors_node(analysis->anchors, analysis->anchors->of_goroutine[index]);
	return true;
}

static bool find_variable(const struct analysis *analysis, const char *text, uint32_t *node)
{
	const struct anchors *anchors = analysis->anchors;
	struct buf name = {0};
	bool found = false;
	for (uint32_t i = 0; i < anchors->count && !found; i++) {
		if (anchors->anchor[i].kind != ANCHOR_GLOBAL)
			continue;
		buf_clear(&name);
		*node = anchors_node(anchors, i);
		node_add_name(analysis, *node, &name);
		found = strcmp(buf_text(&name), text) == 0;
	}
	buf_free(&name);
	return found;
}

bool node_parse(const struct analysis *analysis, const char *text, uint32_t *node, struct err *err)
{
	static const char goroutine[] = "goroutine ";
	if (*text == '@')
		return find_anchor(analysis, text, node, err);
	if (strncmp(text, goroutine, sizeof goroutine - 1) == 0)
		return find_goroutine(analysis, text + sizeof goroutine - 1, node, err);
	return find_variable(analysis, text, node)
	       || argument_object(analysis->heap, text, node, err);
}
