/* The report of one object: identity, what keeps it alive, contents, referrers, references. The
   order is fixed, and people see only the start of long lists, with a link to the rest. An
   expression that ends at a part of an object shows that part (object_part.c). */
#include "report/object.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POINTERS_SHOWN = 6 };

/* ---- Lists */

const struct rows *object_page_rows(struct page *page, const char *name, struct rows **rows)
{
	const struct analysis *analysis = page->analysis;
	const struct table *table = table_find(name);
	const struct object_page *object = page->own;
	if (!*rows && analysis_has(analysis, table->needs)
	    && format_has(analysis_heap(analysis)->format, table->parts, NULL))
		*rows = rows_open(table, analysis, object->argument.data, NULL);
	return *rows;
}

void object_page_section(struct page *page, const char *name, size_t count,
                         const char *const what[2], const char *rest, const char *link)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s %s%s", text_count(count).text, what[count != 1], rest);
	page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
	page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
}

void object_page_list(struct page *page, const struct rows *rows, const char *name, size_t from,
                      size_t count, const char *const what[2], const char *rest, size_t shown)
{
	SCOPED_BUF link = {0};
	const struct object_page *object = page->own;
	buf_addf(&link, "%s %s", rows->table->name, object->argument.data);
	object_page_section(page, name, count, what, rest, rows->count ? buf_text(&link) : NULL);
	page_rows(page, rows, from, count, shown, buf_text(&link));
}

static const char *const pointers[2] = {"pointer", "pointers"};

static void object_add_referrers(struct page *page)
{
	struct object_page *object = page->own;
	const struct rows *rows = object_page_rows(page, "referrers-root", &object->holders);
	if (!rows) {
		page_line(page, NULL);
		page_waiting(page, "REFERRERS", STAGE_REVERSED);
		return;
	}
	size_t strong = heap_referrers(analysis_heap(page->analysis), object->id).count;
	size_t roots = reach_roots_of(analysis_reach(page->analysis), object->id).count;
	page_number(page, "referrers", strong);
	if (heap_has(analysis_heap(page->analysis), PART_NAMES))
		page_number(page, "weak_referrers", rows->count - strong - roots);
	page_number(page, "roots", roots);
	object_page_list(page, rows, "REFERRERS", 0, rows->count, pointers, " to it", POINTERS_SHOWN);
}

/* For an object without contents, adds its references, the only data of it. */
static void object_add_references(struct page *page)
{
	struct object_page *object = page->own;
	const struct rows *rows = object_page_rows(page, "references", &object->references);
	bool all = !(heap_has(analysis_heap(page->analysis), PART_MEMORY));
	if (!rows)
		return;
	page_number(page, "references",
	            heap_references(analysis_heap(page->analysis), object->id).count);
	if (heap_has(analysis_heap(page->analysis), PART_NAMES))
		page_number(page, "weak_references",
		            heap_weak_references_of(analysis_heap(page->analysis), object->id).count);
	if (all)
		page_table(page, "targets", rows);
	object_page_list(page, rows, "REFERENCES", 0, rows->count, pointers, " to objects",
	                 all && page->form == FORM_TEXT ? page->limit : POINTERS_SHOWN);
}

/* ---- Report */

/* Opens the page. The argument may be the address of a value within an object: its line is then
   shown. A value outside of the heap has a page of its own, as a part of an object has. */
static bool object_open(struct page *page, const char *argument, struct err *err)
{
	const struct analysis *analysis = page->analysis;
	struct object_page found = {0};
	struct operand operand;
	SCOPED_BUF set = {0};
	uint64_t address;
	if (!*argument)
		return err_set(err, "Say which object: object 0xc000012340");
	if (!object_set_named(analysis, argument, &operand, &set, err))
		return false;
	if (set.len)
		return object_many_open(page, buf_text(&set), argument, err);
	found.is_part = part_of_operand(analysis, &operand, &found.part)
	                || part_outside(analysis, &operand, &found.part);
	if (found.is_part)
		found.id = found.part.object;
	else if (!operand_object(analysis, &operand, &found.id, err))
		return false;
	if (found.id != OBJECT_NONE && !heap_object(analysis_heap(analysis), found.id, &found.record))
		return err_set(err, "The dump file has changed: this object can no longer be read");
	struct object_page *object = page->own = mem_alloc(sizeof *object);
	*object = found;
	if (found.is_part) {
		object_open_part(page, argument);
		return true;
	}
	object->asked = operand_inside(analysis, &operand, found.id);
	if (!operand_is_static(analysis, &operand, &object->through))
		object->through = 0;
	page->address = heap_address(analysis_heap(analysis), found.id);
	buf_addf(&object->argument, "0x%" PRIx64, page->address);
	buf_addf(&page->title, "object 0x%" PRIx64, page->address);
	if (!argument_address(argument, &address)) {
		buf_add(&page->title, " = ");
		text_add_escaped(&page->title, argument, strlen(argument), 200);
	}
	text_add_size(&page->side, found.record.size);
	return true;
}

static void object_close(struct page *page)
{
	struct object_page *object = page->own;
	struct rows *lists[] = {object->fields, object->holders, object->references};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		rows_close(lists[i]);
	object_many_close(object);
	paths_close(object->paths);
	buf_free(&object->argument);
	free(object->place);
}

enum { FACTS = FORM_ALL & ~FORM_CSV };

static bool object_is_whole(const struct page *page)
{
	const struct object_page *object = page->own;
	return !object->is_part && !object->many;
}

static bool object_is_many(const struct page *page)
{
	return ((const struct object_page *)page->own)->many;
}

static bool object_is_single(const struct page *page)
{
	return !object_is_many(page);
}

static bool object_is_part(const struct page *page)
{
	return ((const struct object_page *)page->own)->is_part;
}

static bool object_is_of_heap(const struct page *page)
{
	return ((const struct object_page *)page->own)->id != OBJECT_NONE;
}

static const struct report_section object_sections[] = {
	{.add = object_add_many_size, .forms = FACTS, .fits = object_is_many},
	{.add = object_add_many_frees,
     .forms = FACTS,
     .needs = STAGE_ALL,
     .fits = object_is_many,
     .prepare = object_many_prepare,
     .wait = object_many_wait,
     .label = "frees",
     .meanwhile = "This takes a moment. Esc cancels it.",
     .given_up = "It was cancelled."},
	{.add = object_add_many_types, .forms = FACTS, .wants = STAGE_TYPED, .fits = object_is_many},
	{.add = object_add_many_samples, .forms = FORM_ALL, .fits = object_is_many},
	{.add = object_add_many_next, .forms = FORM_PEOPLE, .fits = object_is_many},
	{.add = object_add_part, .forms = FACTS, .fits = object_is_part},
	{.add = object_add_size, .forms = FACTS, .fits = object_is_whole},
	{.add = object_add_asked, .forms = FACTS, .wants = STAGE_TYPED, .fits = object_is_whole},
	{.add = object_add_through, .forms = FACTS, .fits = object_is_whole},
	{.add = object_add_type, .forms = FACTS, .wants = STAGE_TYPED, .fits = object_is_whole},
	{.add = object_add_note,
     .forms = FACTS,
     .needs = STAGE_NAMED,
     .wants = STAGE_TYPED,
     .fits = object_is_whole},
	{.add = object_add_reach, .forms = FACTS, .wants = STAGE_REVERSED, .fits = object_is_of_heap},
	{.add = object_add_holding,
     .forms = FORM_PEOPLE,
     .wants = STAGE_DOMINATED,
     .fits = object_is_whole},
	{.add = object_add_site, .forms = FACTS, .fits = object_is_whole},
	{.add = object_add_paths,
     .forms = FACTS,
     .wants = STAGE_REVERSED | STAGE_TYPED,
     .fits = object_is_whole},
	{.add = object_add_contents,
     .forms = FORM_ALL,
     .wants = STAGE_LINKED | STAGE_TYPED,
     .parts = PART_MEMORY,
     .fits = object_is_single},
	{.add = object_add_referrers, .forms = FACTS, .wants = STAGE_REVERSED, .fits = object_is_whole},
	{.add = object_add_references,
     .forms = FORM_ALL,
     .wants = STAGE_REACHED | STAGE_TYPED,
     .fits = object_is_whole},
	{0},
};

DEFINE_PLUGIN(reports, struct report, report_object) = {
	.name = "object",
	.subcommand = "show",
	.rank = 20,
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.help = "One object, or all of a place or type: what keeps it alive, what is in it, who points "
			"to it",
	.prints = "Print one object, or all of a place or type: size, fields, referrers",
	.explain =
		"size: the whole slot that the object takes, its size class\n"
		"type: i says how it is known\n"
		"allocation header: 8 bytes before what the program sees that name the object's type; "
		"from Go 1.22 on, in larger objects with pointers\n"
		"retained: the bytes that would be freed without it, its own included; d shows the "
		"objects that it dominates\n"
		"held by: its dominators, which are on every path to it; D opens the nearest. An object "
		"that two hold is retained by neither: it is freed when both release it\n"
		"PATH: the shortest path to it from a root; p shows it step by step, and the other paths\n"
		"FIELDS: its fields, or its words, by their offset from its address; ~ marks a guess at "
		"the target of a pointer; x shows the bytes\n"
		"ENTRIES: of a map, key and value\n"
		"CHANNEL: the elements in the order in which they are received, then the " THREADS_WORD " "
		"that wait for it\n"
		"REFERRERS: roots and objects with pointers to it, or to somewhere in it\n"
		"REFERENCES: the objects that it points to\n",

	.of_object = true,
	.needs = STAGE_READ,
	.parts = PART_OBJECTS,
	.sections = object_sections,
	.open = object_open,
	.close = object_close,
};
