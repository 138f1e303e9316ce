/* One object: what it is, what keeps it alive, what is in it, who points to it, what it points to.
   Always in this order, and only the first of what may be long: the lists are a link away. */
#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/operand.h"
#include "ui/object_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HOLDERS_SHOWN = 6, REFERENCES_SHOWN = 6 };

static struct rows *open_when(const struct analysis *analysis, const char *name, uint64_t address)
{
	const struct table *table = table_find(name);
	struct buf argument = {0};
	if (!analysis_has(analysis, table->needs)
	    || !format_has(analysis_heap(analysis)->format, table->parts, NULL))
		return NULL;
	buf_addf(&argument, "0x%" PRIx64, address);
	struct rows *rows = rows_open(table, analysis, buf_text(&argument), NULL);
	buf_free(&argument);
	return rows;
}

static void open_lists(struct object_page *object, const struct analysis *analysis)
{
	bool typed = analysis_typing(analysis) != NULL;
	if (typed != object->typed) {
		rows_close(object->fields);
		object->fields = NULL;
		object->typed = typed;
	}
	if (!object->fields)
		object->fields = open_when(analysis, "fields", object->address);
	if (!object->holders)
		object->holders = open_when(analysis, "holders", object->address);
	if (!object->references)
		object->references = open_when(analysis, "references", object->address);
	if (!object->paths && analysis_has(analysis, STAGE_REVERSED))
		object->paths = paths_open(analysis_heap(analysis), analysis_reach(analysis), object->id);
}

void object_section(struct page *page, const char *name, size_t count, const char *const what[2],
                    const char *rest, const char *link)
{
	struct buf text = {0};
	text_add_count(&text, count);
	page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
	page_putf(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, "%s %s%s", buf_text(&text),
	          what[count != 1], rest);
	buf_free(&text);
}

void object_link(const struct object_page *object, const struct rows *rows, struct buf *link)
{
	buf_addf(link, "%s 0x%" PRIx64, rows->table->name, object->address);
}

void object_rows(struct object_page *object, const struct rows *rows, size_t from, size_t all,
                 size_t shown)
{
	struct page *page = &object->page;
	struct buf link = {0}, left = {0};
	object_link(object, rows, &link);
	if (all)
		page_heads(page, rows);
	for (size_t i = 0; i < all && i < shown; i++)
		page_row(page, rows, from + i);
	if (all > shown) {
		text_add_count(&left, all - shown);
		page_line(page, buf_text(&link));
		page_putf(page, PAGE_LEFT, 1, STYLE_LINK, "%s more …", buf_text(&left));
	}
	buf_free(&link);
	buf_free(&left);
}

static void object_view_add_list(struct object_page *object, const char *name, const char *rest,
                                 const struct rows *rows, size_t shown)
{
	static const char *const what[2] = {"pointer", "pointers"};
	struct buf link = {0};
	if (rows->count)
		object_link(object, rows, &link);
	object_section(&object->page, name, rows->count, what, rest, buf_text(&link));
	object_rows(object, rows, 0, rows->count, shown);
	buf_free(&link);
}

static void object_view_build(struct view *view)
{
	struct object_page *object = view->data;
	open_lists(object, view->analysis);
	page_clear(&object->page);
	object_facts(object);
	object_way(object);
	object_contents(object);
	if (object->holders) {
		object_view_add_list(object, "REFERRERS", " to it", object->holders, HOLDERS_SHOWN);
	} else {
		page_line(&object->page, NULL);
		page_waiting(&object->page, "REFERRERS", STAGE_REVERSED);
	}
	if (object->references)
		object_view_add_list(object, "REFERENCES", " to objects", object->references,
		                     REFERENCES_SHOWN);
}

/* The line of the field that the address asked for is in, if it is shown; else the first link. */
static size_t object_view_first_line(const struct object_page *object)
{
	const struct rows *rows = object->fields;
	uint64_t offset = object->asked - object->address;
	size_t found = 0;
	bool inside = object->asked > object->address;
	for (size_t i = 0; inside && i < object->page.count; i++) {
		const struct page_line *line = &object->page.lines[i];
		if (!rows || line->rows != rows || line->row == SIZE_MAX)
			continue;
		if (rows_number(rows, line->row, "offset").number > offset)
			return found;
		found = line->row + 1 < OBJECT_ROWS_SHOWN || line->row + 1 == rows->count ? i : 0;
	}
	return found ? found : page_first_link(&object->page);
}

/* Of a value within an object its line is shown, as of an address there. */
static bool read_argument(const struct view *view, struct object_page *object, struct err *err)
{
	const char *at = view->argument;
	struct operand operand;
	if (!operand_read(view->analysis, &at, &operand, err)
	    || !operand_object(view->analysis, &operand, &object->id, err))
		return false;
	object->asked = operand_inside(view->analysis, &operand, object->id);
	return true;
}

/* What it was asked for by. */
static void object_view_add_name(struct view *view)
{
	uint64_t ignored;
	if (argument_address(view->argument, &ignored))
		return;
	buf_add(&view->title, " = ");
	text_add_escaped(&view->title, view->argument, strlen(view->argument), 200);
}

static bool object_open(struct view *view, struct err *err)
{
	const struct heap *heap = analysis_heap(view->analysis);
	struct object_page found = {0};
	if (!view->argument)
		return err_set(err, "Say which object: object 0xc000012340");
	if (!read_argument(view, &found, err))
		return false;
	if (!heap_object(heap, found.id, &found.record))
		return err_set(err, "The dump has changed: this object cannot be read any more");
	found.address = heap_address(heap, found.id);
	found.analysis = view->analysis;
	struct object_page *object = view->data = mem_alloc(sizeof *object);
	*object = found;
	buf_addf(&view->title, "object 0x%" PRIx64, found.address);
	object_view_add_name(view);
	text_add_size(&view->side, found.record.size);
	object_view_build(view);
	view->cursor = object_view_first_line(object);
	return true;
}

static void object_close(struct view *view)
{
	struct object_page *object = view->data;
	if (!object)
		return;
	struct rows *lists[] = {object->fields, object->holders, object->references};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i])
			rows_close(lists[i]);
	paths_close(object->paths);
	page_fini(&object->page);
	free(object);
	view->data = NULL;
}

static void object_refresh(struct view *view)
{
	page_view_rebuild(view, object_view_build);
}

static uint64_t object_address(const struct view *view, size_t row)
{
	const struct object_page *object = view->data;
	uint64_t address = page_view_address(view, row);
	return address ? address : object->address;
}

static void object_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(
		out,
		"size: the whole slot that the object takes, its size class\n"
		"type: i says how it is known\n"
		"allocation header: 8 bytes before what the program sees that name the object's type; "
		"from Go 1.22 on, in larger objects with pointers\n"
		"retained: what would be freed with it, its own bytes included; d shows what hangs on it "
		"alone\n"
		"held by: what every way to it leads through; D goes to the nearest of these. What two "
		"hold is retained by neither: it goes when both go\n"
		"PATH: what keeps it alive, the shortest way from a root; p shows it step by step, and "
		"the other ways\n"
		"FIELDS: its fields, or its words, by their offset from its address; ~ marks a guess "
		"at what a pointer leads to; x shows the bytes\n"
		"ENTRIES: of a map, key and value\n"
		"CHANNEL: the elements in the order in which they are received, then the goroutines "
		"that wait for it\n"
		"REFERRERS: roots and objects with pointers to it, or to somewhere in it\n"
		"REFERENCES: the objects that it points to\n");
}

const struct view_ops view_object = {
	.name = "object",
	.help = "One object: what keeps it alive, what is in it, who points to it",
	.argument = "ADDR",
	.needs = STAGE_READ,
	.parts = HAS_OBJECTS,
	.open = object_open,
	.close = object_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
	.address = object_address,
	.refresh = object_refresh,
	.more = &object_more,
	.explain = object_explain,
};
