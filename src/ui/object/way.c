/* What keeps an object alive, in a line or two. */
#include "ui/object_page.h"

#include "analysis/damage.h"
#include "base/text.h"
#include "table/root.h"
#include "table/step.h"

#include <inttypes.h>

enum { HOLDERS_ON_LINE = 3 };

/* "> 0xa > … 200 more … > 0xc > this" */
static void add_steps(const struct heap *heap, const struct path *path, struct buf *out)
{
	size_t holders = path->count - 1;
	for (size_t i = 0; i < holders; i++) {
		if (holders > HOLDERS_ON_LINE && i == 1) {
			buf_add(out, "> … ");
			text_add_count(out, holders - 2);
			buf_add(out, " more … ");
			i = holders - 1;
		}
		buf_addf(out, "> 0x%" PRIx64 " ", heap_address(heap, path->step[i]));
	}
	buf_add(out, "> this");
}

static void add_doubt(struct page *page, const struct heap *heap)
{
	struct buf doubt = {0};
	if (damage_doubt(heap, DAMAGE_ROOTS, &doubt)) {
		page_line(page, NULL);
		buf_add_char(&doubt, '.');
		page_paragraph(page, PAGE_TEXT_COLUMN, STYLE_WARNING, buf_text(&doubt));
	}
	buf_free(&doubt);
}

static void add_path_of(struct page *page, const struct object_page *object,
                        const struct path *path)
{
	const struct analysis *analysis = object->analysis;
	const struct heap *heap = analysis_heap(analysis);
	struct buf link = {0}, text = {0};
	entity_link(analysis, (struct entity){ENTITY_ROOT, path->root, 0}, &link);
	step_add_path(analysis, path, &text);
	page_line(page, buf_text(&link));
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, "PATH");
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_clear(&text);
	add_steps(heap, path, &text);
	page_linef(page, "path 0x%" PRIx64, object->address);
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_free(&link);
	buf_free(&text);
}

void object_way(struct object_page *object)
{
	struct page *page = &object->page;
	page_line(page, NULL);
	const struct path *path = object->paths ? paths_get(object->paths, 0, NULL) : NULL;
	if (!object->paths) {
		page_waiting(page, "PATH", STAGE_REVERSED);
	} else if (path) {
		add_path_of(page, object, path);
	} else {
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, 1, STYLE_HEAD, "PATH");
		page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_PLAIN,
		         analysis_reach(object->analysis)->known
		             ? "none: no root in the dump leads to it"
		             : "unknown: there are no roots in the dump");
		add_doubt(page, analysis_heap(object->analysis));
	}
}
