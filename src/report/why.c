/* The report that explains why an object is alive: sentences, dominators and co-holders. */
#include "report/why.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "report/report.h"
#include "table/contents/object_set.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/paths/path_common.h"
#include "table/paths/path_steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_END = 78, TEXT = 1, PATH_DOMINATORS_SHOWN = 6 };

/* Chooses the object that several are explained by: the nearest that all their paths lead through,
   else the first with the path that most have. */
static bool why_choose(struct page *page, const char *set, uint32_t *object, struct buf *said,
                       struct err *err)
{
	const struct analysis *analysis = page->analysis;
	struct path_common common;
	size_t count;
	SCOPED_FREE uint32_t *ids = object_set_ids(analysis, set, true, NULL, &count, err);
	if (!ids)
		return false;
	text_add_number_of(said, count, "object", "objects");
	*object = dominators_common(analysis_dominators(analysis, RETAIN_ALIVE), ids, count);
	if (*object < heap_object_count(analysis_heap(analysis))) {
		buf_add(said, ": all their paths lead through the one that is explained here.");
		return true;
	}
	path_common_find(analysis, ids, count, NULL, &common);
	*object = common.example == OBJECT_NONE ? *ids : common.example;
	buf_addf(said,
	         ": no single object leads to all of them. %s of them have the path of the one "
	         "that is explained here.",
	         text_count(common.objects).text);
	buf_free(&common.name);
	return true;
}

static bool why_open(struct page *page, const char *argument, struct err *err)
{
	uint32_t object;
	struct operand operand;
	SCOPED_BUF set = {0}, said = {0};
	if (!object_set_named(page->analysis, argument, &operand, &set, err)
	    || (!set.len && !operand_object(page->analysis, &operand, &object, err))
	    || !reach_must_be_known(page->analysis, err)
	    || (set.len && !why_choose(page, buf_text(&set), &object, &said, err)))
		return false;
	struct why *why = page->own = mem_alloc(sizeof *why);
	why->object = object;
	why->many = mem_strdup(buf_text(&said));
	page->address = heap_address(analysis_heap(page->analysis), object);
	buf_addf(&page->title, "why 0x%" PRIx64 ", in words", page->address);
	return true;
}

static void why_close(struct page *page)
{
	why_fini(page->own);
}

static bool why_prepare(struct page *page, struct progress *progress)
{
	struct why *why = page->own;
	return why_init(why, page->analysis, why->object, progress);
}

static void why_wait(const struct report_section *section, struct page *page, bool given_up)
{
	page_field(page, section->label, given_up ? section->given_up : section->meanwhile);
}

static void why_add_object(struct page *page)
{
	const struct why *why = page->own;
	const struct dominators *d = analysis_dominators(why->analysis, RETAIN_ALIVE);
	SCOPED_BUF text = {0};
	page_hex(page, "address", page->address);
	typed_add(why->analysis, why->object, &text);
	page_string(page, "type", text.len ? buf_text(&text) : NULL);
	page_number(page, "size", heap_size(analysis_heap(why->analysis), why->object));
	page_number(page, "retained_bytes", dominators_bytes(d, why->object));
	page_number(page, "retained_objects", dominators_objects(d, why->object));
	buf_clear(&text);
	if (why->path)
		step_add_path(why->analysis, why->path, &text);
	page_string(page, "path", text.len ? buf_text(&text) : NULL);
	page_number(page, "steps", why->path ? path_steps_count(why->analysis, why->path) : 0);
}

static void why_add_sentences(struct page *page)
{
	SCOPED_BUF text = {0}, line = {0};
	const struct why *why = page->own;
	if (*why->many)
		buf_addf(&text, "%s\n", why->many);
	why_add_text(why, &text);
	page_text(page, "text", &text);
	for (const char *at = buf_text(&text); *at; at += strcspn(at, "\n") + 1) {
		buf_clear(&line);
		buf_add_bytes(&line, at, strcspn(at, "\n"));
		page_line(page, NULL);
		page_paragraph(page, page->form == FORM_TEXT ? 0 : TEXT, STYLE_PLAIN, buf_text(&line));
		if (page->form == FORM_SCREEN)
			page_line(page, NULL);
	}
	page->none = !why->path;
}

static void why_add_link(struct page *page)
{
	if (page->none)
		return;
	page_linef(page, "path 0x%" PRIx64, page->address);
	page_put(page, PAGE_LEFT, TEXT, STYLE_HEAD, "PATH");
	page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, "step by step, and the other paths");
}

/* Opens a group for a node, with its name here and its global name; the caller may add values
   before it closes the group. */
static void why_add_node(struct page *page, uint32_t node, const struct buf *name, uint64_t bytes)
{
	SCOPED_BUF text = {0};
	struct entity entity = entity_of_node(page->analysis, node);
	uint64_t address = entity_address(page->analysis, entity);
	entity_add_label(page->analysis, entity, &text);
	page_open(page, NULL);
	page_text(page, "name", &text);
	page_hex(page, "address", address);
	page_number(page, "retained_bytes", bytes);
	buf_clear(&text);
	entity_link(page->analysis, entity, &text);
	page_line(page, buf_text(&text));
	page_address(page, address);
	page_put(page, PAGE_LEFT, TEXT, STYLE_LINK, buf_text(name));
	page_size(page, BYTES_END, bytes);
}

static void why_add_holders(struct page *page, const struct why *why,
                            const struct why_co_holders *co_holders)
{
	SCOPED_BUF name = {0};
	page_open_array(page, "holders");
	page_section(page, "SHARED BY", NULL);
	page_put(page, PAGE_RIGHT, BYTES_END, STYLE_HEAD, "retained");
	for (size_t i = 0; i < co_holders->holders; i++) {
		const struct why_holder *holder = &co_holders->holder[i];
		buf_clear(&name);
		why_add_holder(why, holder, &name);
		why_add_node(page, holder->node, &name, holder->bytes);
		page_number(page, "count", holder->count);
		page_close(page);
	}
	page_close(page);
}

static void why_add_co_holders(struct page *page)
{
	const struct why *why = page->own;
	SCOPED_BUF name = {0};
	page_open_array(page, "held_jointly");
	for (size_t i = 0; i < why->co_holders_count; i++) {
		const struct why_co_holders *co_holders = &why->co_holders[i];
		struct entity entity = entity_of_node(
			why->analysis, why->path_dominators.item[co_holders->path_dominator].node);
		buf_clear(&name);
		entity_add_label(why->analysis, entity, &name);
		page_open(page, NULL);
		page_text(page, "name", &name);
		page_hex(page, "address", entity_address(why->analysis, entity));
		why_add_holders(page, why, co_holders);
		page_bool(page, "held_directly", co_holders->directly);
		page_number(page, "freed_bytes", co_holders->freed.bytes);
		page_number(page, "freed_objects", co_holders->freed.objects);
		page_close(page);
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, TEXT, STYLE_PLAIN, "freed without all of them");
		page_size(page, BYTES_END, co_holders->freed.bytes);
	}
	page_close(page);
}

/* Adds the dominators, the nearest first; the screen has room for some only. */
static void why_add_path_dominators(struct page *page)
{
	const struct why *why = page->own;
	size_t all = why->gates;
	size_t end =
		page->form == FORM_SCREEN && all > PATH_DOMINATORS_SHOWN ? all - PATH_DOMINATORS_SHOWN : 0;
	SCOPED_BUF name = {0}, last = {0};
	page_open_array(page, "dominators");
	if (all)
		page_section(page, "ON EVERY PATH", NULL);
	for (size_t i = all; i-- > end;) {
		buf_clear(&name);
		why_add_gate(why, &why->gate[i], &name);
		/* A variable has the name of the object that it points to. */
		if (page->form == FORM_SCREEN && strcmp(buf_text(&name), buf_text(&last)) == 0)
			continue;
		buf_clear(&last);
		buf_add(&last, buf_text(&name));
		why_add_node(page, why->gate[i].node, &name,
		             dominators_bytes(why->path_dominators.dominators, why->gate[i].node));
		page_close(page);
	}
	page_close(page);
}

static void why_add_owner(struct page *page)
{
	const struct why *why = page->own;
	SCOPED_BUF name = {0};
	if (why->owner != OBJECT_NONE)
		entity_add_label(why->analysis, entity_of_node(why->analysis, why->owner), &name);
	page_string(page, "owner", name.len ? buf_text(&name) : NULL);
	if (why_roots(why))
		page_number(page, "roots", why_roots(why));
	else
		page_null(page, "roots");
}

static const struct report_section why_sections[] = {
	{.add = why_add_object, .forms = FORM_PROGRAMS, .wants = STAGE_TYPED, .prepare = why_prepare},
	{.add = why_add_sentences,
     .forms = FORM_ALL,
     .wants = STAGE_TYPED,
     .prepare = why_prepare,
     .wait = why_wait,
     .label = "why",
     .meanwhile = "This takes a moment. Esc cancels it.",
     .given_up = "It was cancelled."},
	{.add = why_add_link, .forms = FORM_SCREEN, .prepare = why_prepare},
	{.add = why_add_co_holders,
     .forms = FORM_ALL & ~FORM_TEXT,
     .wants = STAGE_TYPED,
     .prepare = why_prepare},
	{.add = why_add_path_dominators,
     .forms = FORM_ALL & ~FORM_TEXT,
     .wants = STAGE_TYPED,
     .prepare = why_prepare},
	{.add = why_add_owner, .forms = FORM_PROGRAMS, .wants = STAGE_TYPED, .prepare = why_prepare},
	{0},
};

DEFINE_PLUGIN(reports, struct report, report_why) = {
	.name = "why",
	.subcommand = "why",
	.rank = 40,
	.argument = "ADDR",
	.takes = TAKES_PLACE | TAKES_THIS_OBJECT,
	.help = "Why an object is alive, in sentences: its dominators, its owners, and what would "
			"free it",
	.prints = "Explain why an object is alive, and what would free it",

	.needs = STAGE_OWNED,
	.parts = PART_OBJECTS,
	.sections = why_sections,
	.open = why_open,
	.close = why_close,
};
