/* One object: what it is, what keeps it alive, what is in it, who points to it, what it points to.
   Always in this order, and for people only the first of what may be long: the lists are a link
   away. */
#include "report/object.h"

#include "analysis/damage.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/alloc_site.h"
#include "table/argument.h"
#include "table/inner.h"
#include "table/node.h"
#include "table/operand.h"
#include "table/root.h"
#include "table/step.h"
#include "table/typed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEPS_COUNTED = 10000000,
	QUICK_OBJECTS = 1 << 20, /* up to here all ways to an object are found at once */
	DOMINATORS_ON_LINE = 2,  /* without the ends */
	HOLDERS_ON_LINE = 3,
	POINTERS_SHOWN = 6
};

/* ---- What it is */

static void object_add_size(struct page *page)
{
	const struct object_record *record = &((const struct object_page *)page->own)->record;
	struct buf text = {0};
	page_hex(page, "address", page->address);
	page_hex(page, "slot", page->address - record->header);
	page_number(page, "size", record->size);
	page_number(page, "stored", record->stored);
	if (page->form == FORM_TEXT) {
		buf_addf(&text, "0x%" PRIx64, page->address);
		page_field(page, "object", buf_text(&text));
		buf_clear(&text);
	}
	text_add_size(&text, record->size);
	if (record->size >= 1024) {
		buf_add(&text, " = ");
		text_add_count(&text, record->size);
		buf_add(&text, " bytes");
	}
	if (record->header)
		buf_addf(&text, ", with an allocation header of %d bytes", record->header);
	page_field(page, "size", buf_text(&text));
	/* Go does not write objects of 2 GiB and more whole. */
	if (record->data && record->stored < record->size) {
		buf_clear(&text);
		buf_add(&text, "the dump holds only the first ");
		text_add_count(&text, record->stored);
		buf_add(&text, " bytes");
		page_field(page, "contents", buf_text(&text));
	}
	buf_free(&text);
}

/* What is at the address that was asked for: ": .Buf []byte  len 12". A name of nothing is that of
   a value in a block. */
static void object_add_inner(struct page *page, const struct inner *inner, struct buf *out)
{
	struct buf type = {0};
	gotype_display(analysis_types(page->analysis), inner->type, &type);
	page_open(page, "at");
	page_number(page, "offset", inner->offset);
	page_text(page, "name", &inner->name);
	page_text(page, "type", &type);
	page_text(page, "text", &inner->text);
	page_close(page);
	buf_addf(out, ": %s%s%s", buf_text(&inner->name), inner->name.len ? " " : "", buf_text(&type));
	buf_addf(out, "%s%s", inner->text.len ? "  " : "", buf_text(&inner->text));
	buf_free(&type);
}

static void object_add_asked(struct page *page)
{
	const struct object_page *object = page->own;
	struct inner inner;
	struct buf text = {0};
	buf_addf(&text, "0x%" PRIx64, object->asked);
	if (object->asked > page->address)
		buf_addf(&text, ", +0x%" PRIx64 " in this object", object->asked - page->address);
	else
		buf_add(&text, ", in the allocation header of this object");
	if (inner_init(&inner, page->analysis, object->id, object->asked))
		object_add_inner(page, &inner, &text);
	else
		page_null(page, "at");
	if (object->asked != page->address)
		page_field(page, "asked for", buf_text(&text));
	inner_fini(&inner);
	buf_free(&text);
}

static void object_add_through(struct page *page)
{
	const struct object_page *object = page->own;
	struct buf text = {0};
	page_hex(page, "through", object->through);
	buf_addf(&text,
	         "what was asked for is static, at 0x%" PRIx64 ": this is the object that it points to",
	         object->through);
	if (object->through)
		page_field(page, "through", buf_text(&text));
	buf_free(&text);
}

/* The allocation header is the address of the object's type. */
static void object_add_type(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	struct buf text = {0}, why = {0};
	bool known = typed_add(analysis, object->id, &text);
	typed_add_why(analysis, object->id, &why);
	page_string(page, "type", known ? buf_text(&text) : NULL);
	page_string(page, "type_known", typed_known(analysis, object->id));
	page_text(page, "type_why", &why);
	if (known) {
		buf_addf(&text, "  (%s%s%s)", typed_level(analysis, object->id),
		         page->form == FORM_TEXT ? ": " : "; i: why",
		         page->form == FORM_TEXT ? buf_text(&why) : "");
		page_field(page, "type", buf_text(&text));
	} else if (object->record.header && object->record.data) {
		buf_addf(&text, "descriptor at 0x%" PRIx64 ", which is not in the dump",
		         heap_word(analysis_heap(analysis), object->record.data));
		page_field(page, "type", buf_text(&text));
	}
	buf_free(&text);
	buf_free(&why);
}

/* Its paths; NULL: not known yet. */
static struct paths *object_paths(struct page *page)
{
	struct object_page *object = page->own;
	if (!object->paths && analysis_has(page->analysis, STAGE_REVERSED))
		object->paths =
			paths_open(analysis_heap(page->analysis), analysis_reach(page->analysis), object->id);
	return object->paths;
}

/* Whether there are other ways to it than the shortest, where looking for them is quick. */
static const char *object_other_ways(struct page *page)
{
	struct paths *paths = object_paths(page);
	if (!paths || heap_object_count(analysis_heap(page->analysis)) > QUICK_OBJECTS)
		return "";
	if (paths_get(paths, 1, NULL))
		return "; there are other ways to it";
	return paths_exhausted(paths) ? "; there is no other way to it" : "";
}

static void object_add_reach(struct page *page)
{
	const struct object_page *object = page->own;
	const struct analysis *analysis = page->analysis;
	struct buf text = {0};
	bool known = analysis_has(analysis, STAGE_REACHED) && analysis_reach(analysis)->known;
	bool reachable = known && reach_has(analysis_reach(analysis), object->id);
	if (known)
		page_bool(page, "reachable", reachable);
	else
		page_null(page, "reachable");
	if (!analysis_has(analysis, STAGE_REACHED)) {
		buf_add(&text, "not known yet");
	} else if (!known) {
		buf_add(&text, "unknown: there are no roots in the dump");
	} else if (reachable) {
		size_t steps = reach_distance(analysis_reach(analysis), object->id, STEPS_COUNTED);
		buf_add(&text, "yes, ");
		text_add_number_of(&text, steps, "step", "steps");
		buf_addf(&text, " from a root%s", page->form & FORM_PEOPLE ? object_other_ways(page) : "");
	} else {
		root_add_none(analysis, object->id, &text);
	}
	page_field(page, "reachable", buf_text(&text));
	buf_free(&text);
}

/* "13.3 KB, 0.2% of all that is reachable, 254 objects" */
static void object_add_retained(struct page *page, const struct dominators *dominators)
{
	const struct object_page *object = page->own;
	uint64_t count = dominators->objects[object->id];
	struct buf text = {0}, link = {0};
	text_add_size(&text, dominators->bytes[object->id]);
	buf_add(&text, ", ");
	text_add_share(&text, dominators->bytes[object->id], dominators->bytes[dominators->root]);
	buf_addf(&text, " of all that %s, ",
	         dominators->retain == RETAIN_WEAK ? "any root leads to" : "is reachable");
	text_add_number_of(&text, count, "object", "objects");
	buf_addf(&link, "dominated 0x%" PRIx64, page->address);
	page_entry(page, count > 1 ? buf_text(&link) : NULL, STYLE_FAINT,
	           dominators->retain == RETAIN_STRONGEST ? "owns" : "retained", STYLE_PLAIN,
	           buf_text(&text));
	buf_free(&text);
	buf_free(&link);
}

/* Its dominators that are objects, as "> 0xa > 0xb ": those nearest to the object, and how many
   there are more. Returns the first that is none. */
static uint32_t object_add_dominators(const struct page *page, const struct dominators *dominators,
                                      struct buf *out)
{
	const struct heap *heap = analysis_heap(page->analysis);
	uint32_t objects = heap_object_count(heap), near[DOMINATORS_ON_LINE];
	uint64_t count = 0;
	uint32_t node = dominators->idom[((const struct object_page *)page->own)->id];
	for (; node < objects; node = dominators->idom[node]) {
		if (count < DOMINATORS_ON_LINE)
			near[count] = node;
		count++;
	}
	if (count > DOMINATORS_ON_LINE) {
		buf_add(out, "> … ");
		text_add_count(out, count - DOMINATORS_ON_LINE);
		buf_add(out, " more … ");
	}
	for (uint64_t i = count < DOMINATORS_ON_LINE ? count : DOMINATORS_ON_LINE; i-- > 0;)
		buf_addf(out, "> 0x%" PRIx64 " ", heap_address(heap, near[i]));
	return node;
}

/* "main.cache > 0xc000012340 > this": every way to it leads through all of these. */
static void object_add_holder(struct page *page, const struct dominators *dominators)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	struct buf chain = {0}, text = {0}, link = {0};
	uint32_t top = object_add_dominators(page, dominators, &chain);
	const struct root_node *root_node = node_root_node(analysis, top);
	bool class = root_node && root_node->kind == ROOT_NODE_CLASS;
	if (root_node && root_node->kind == ROOT_NODE_ALL)
		buf_add(&text, "no single root: roots of several kinds lead to it");
	else
		buf_add(&text, class ? "no single root: several of the " : "");
	if (!text.len || class)
		node_add_name(analysis, top, &text);
	if (chain.len)
		buf_addf(&text, " %s> this", buf_text(&chain));
	node_link(analysis, dominators->idom[object->id], &link);
	page_entry(page, buf_text(&link), STYLE_FAINT,
	           dominators->retain == RETAIN_STRONGEST ? "owned by" : "held by", STYLE_LINK,
	           buf_text(&text));
	buf_free(&chain);
	buf_free(&text);
	buf_free(&link);
}

static void object_add_finalizer(struct page *page)
{
	const struct object_page *object = page->own;
	const struct heap *heap = analysis_heap(page->analysis);
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		const struct finalizer_record *finalizer = &heap->finalizers[i];
		if (heap_find(heap, finalizer->object) != object->id)
			continue;
		page_field(page, "finalizer",
		           finalizer->queued ? "has one that is due or running" : "has one");
		return;
	}
}

/* By the setting that is in force. Nothing for what no root leads to. */
static void object_add_holding(struct page *page)
{
	uint64_t bytes;
	const struct object_page *object = page->own;
	if (node_retained(page->analysis, object->id, &bytes)) {
		object_add_retained(page, analysis_retained(page->analysis));
		object_add_holder(page, analysis_retained(page->analysis));
	}
	object_add_finalizer(page);
}

static void object_add_escaped(struct page *page, const char *name, struct text text)
{
	struct buf visible = {0};
	text_add_escaped(&visible, text.data, text.len, SIZE_MAX);
	page_text(page, name, &visible);
	buf_free(&visible);
}

/* All calls; a screen has room for the one that matters. */
static void object_add_stack(struct page *page, const struct profile_record *profile)
{
	struct stack_frame frame;
	const char *name = "allocated in";
	page_open_array(page, "stack");
	for (struct stack_walk walk = stack_walk(profile); stack_walk_next(&walk, &frame);) {
		struct buf text = {0};
		page_open(page, NULL);
		object_add_escaped(page, "function", frame.function);
		object_add_escaped(page, "file", frame.file);
		page_number(page, "line", frame.line);
		page_close(page);
		stack_frame_add(&frame, &text);
		if (page->form == FORM_TEXT)
			page_field(page, name, buf_text(&text));
		name = "";
		buf_free(&text);
	}
	page_close(page);
}

/* Where it was allocated, if the profiler has looked at it. */
static void object_add_site(struct page *page)
{
	const struct object_page *object = page->own;
	const struct profiles *profiles = &analysis_heap(page->analysis)->profiles;
	const struct sample *sample = profiles_of_object(profiles, object->id);
	struct stack_frame frame;
	struct buf text = {0}, link = {0};
	if (!sample || sample->profile == PROFILE_NONE) {
		page_null(page, "allocation");
		return;
	}
	const struct profile_record *profile = &profiles->profile[sample->profile];
	page_open(page, "allocation");
	page_hex(page, "profile", profile->id);
	object_add_stack(page, profile);
	page_close(page);
	if (page->form == FORM_SCREEN && profile_site(profile, &frame)) {
		stack_frame_add(&frame, &text);
		buf_addf(&link, "profile 0x%" PRIx64, profile->id);
		page_entry(page, buf_text(&link), STYLE_FAINT, "allocated in", STYLE_LINK, buf_text(&text));
	}
	buf_free(&text);
	buf_free(&link);
}

/* ---- What keeps it alive */

/* "> 0xa > … 200 more … > 0xc > this" */
static void object_add_steps(struct page *page, const struct path *path)
{
	size_t holders = path->count - 1;
	struct buf text = {0}, link = {0};
	for (size_t i = 0; i < holders; i++) {
		if (holders > HOLDERS_ON_LINE && i == 1) {
			buf_add(&text, "> … ");
			text_add_count(&text, holders - 2);
			buf_add(&text, " more … ");
			i = holders - 1;
		}
		buf_addf(&text, "> 0x%" PRIx64 " ",
		         heap_address(analysis_heap(page->analysis), path->step[i]));
	}
	buf_add(&text, "> this");
	buf_addf(&link, "path 0x%" PRIx64, page->address);
	page_entry(page, buf_text(&link), STYLE_HEAD, "", STYLE_LINK, buf_text(&text));
	buf_free(&text);
	buf_free(&link);
}

/* Where its first path begins, how long it is, and what one writes for it. */
static void object_add_path(struct page *page, const struct path *path)
{
	const struct analysis *analysis = page->analysis;
	const struct heap *heap = analysis_heap(analysis);
	struct entity root = {ENTITY_ROOT, path->root, 0};
	struct buf text = {0}, link = {0};
	page_number(page, "distance", path->count);
	root_add_name(analysis, &heap->roots[path->root], &text);
	page_text(page, "root", &text);
	buf_clear(&text);
	step_add_path(analysis, path, &text);
	page_text(page, "path", &text);
	entity_link(analysis, root, &link);
	page_entry(page, buf_text(&link), STYLE_HEAD, "PATH", STYLE_LINK, buf_text(&text));
	object_add_steps(page, path);
	buf_free(&text);
	buf_free(&link);
}

static void object_add_no_path(struct page *page)
{
	struct buf doubt = {0};
	page_null(page, "distance");
	page_null(page, "root");
	page_null(page, "path");
	page_entry(page, NULL, STYLE_HEAD, "PATH", STYLE_PLAIN,
	           analysis_reach(page->analysis)->known ? "none: no root in the dump leads to it"
	                                                 : "unknown: there are no roots in the dump");
	if (damage_doubt(analysis_heap(page->analysis), DAMAGE_ROOTS, &doubt)) {
		page_line(page, NULL);
		buf_add_char(&doubt, '.');
		page_paragraph(page, PAGE_TEXT_COLUMN, STYLE_WARNING, buf_text(&doubt));
	}
	buf_free(&doubt);
}

static void object_add_way(struct page *page)
{
	struct paths *paths = object_paths(page);
	const struct path *path = paths ? paths_get(paths, 0, NULL) : NULL;
	page_line(page, NULL);
	if (!paths)
		page_waiting(page, "PATH", STAGE_REVERSED);
	else if (path)
		object_add_path(page, path);
	else
		object_add_no_path(page);
}

/* ---- Lists */

const struct rows *object_page_rows(struct page *page, const char *name, struct rows **rows)
{
	const struct analysis *analysis = page->analysis;
	const struct table *table = table_find(name);
	struct buf argument = {0};
	buf_addf(&argument, "0x%" PRIx64, page->address);
	if (!*rows && analysis_has(analysis, table->needs)
	    && format_has(analysis_heap(analysis)->format, table->parts, NULL))
		*rows = rows_open(table, analysis, buf_text(&argument), NULL);
	buf_free(&argument);
	return *rows;
}

void object_page_section(struct page *page, const char *name, size_t count,
                         const char *const what[2], const char *rest, const char *link)
{
	struct buf text = {0};
	text_add_count(&text, count);
	buf_addf(&text, " %s%s", what[count != 1], rest);
	page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
	page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

void object_page_list(struct page *page, const struct rows *rows, const char *name, size_t from,
                      size_t count, const char *const what[2], const char *rest, size_t shown)
{
	struct buf link = {0};
	buf_addf(&link, "%s 0x%" PRIx64, rows->table->name, page->address);
	object_page_section(page, name, count, what, rest, rows->count ? buf_text(&link) : NULL);
	page_rows(page, rows, from, count, shown, buf_text(&link));
	buf_free(&link);
}

static const char *const pointers[2] = {"pointer", "pointers"};

static void object_add_referrers(struct page *page)
{
	struct object_page *object = page->own;
	const struct rows *rows = object_page_rows(page, "holders", &object->holders);
	if (!rows) {
		page_line(page, NULL);
		page_waiting(page, "REFERRERS", STAGE_REVERSED);
		return;
	}
	page_number(page, "referrers", heap_referrers(analysis_heap(page->analysis), object->id).count);
	page_number(page, "roots", reach_roots_of(analysis_reach(page->analysis), object->id).count);
	object_page_list(page, rows, "REFERRERS", 0, rows->count, pointers, " to it", POINTERS_SHOWN);
}

/* Of an object without contents they are all that is known. */
static void object_add_references(struct page *page)
{
	struct object_page *object = page->own;
	const struct rows *rows = object_page_rows(page, "references", &object->references);
	bool all = !(analysis_heap(page->analysis)->format->has & HAS_CONTENTS);
	if (!rows)
		return;
	page_number(page, "references",
	            heap_references(analysis_heap(page->analysis), object->id).count);
	if (all)
		page_table(page, "targets", rows);
	object_page_list(page, rows, "REFERENCES", 0, rows->count, pointers, " to objects",
	                 all && page->form == FORM_TEXT ? page->limit : POINTERS_SHOWN);
}

/* ---- */

/* Of a value within an object its line is shown, as of an address there. */
static bool object_open(struct page *page, const char *argument, struct err *err)
{
	const struct analysis *analysis = page->analysis;
	struct object_page found = {0};
	struct operand operand;
	uint64_t address;
	if (!*argument)
		return err_set(err, "Say which object: object 0xc000012340");
	if (!argument_operand(analysis, argument, &operand, err)
	    || !operand_object(analysis, &operand, &found.id, err))
		return false;
	if (!heap_object(analysis_heap(analysis), found.id, &found.record))
		return err_set(err, "The dump has changed: this object cannot be read any more");
	found.asked = operand_inside(analysis, &operand, found.id);
	if (!operand_is_static(analysis, &operand, &found.through))
		found.through = 0;
	struct object_page *object = page->own = mem_alloc(sizeof *object);
	*object = found;
	page->address = heap_address(analysis_heap(analysis), found.id);
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
	if (!object)
		return;
	struct rows *lists[] = {object->fields, object->holders, object->references};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i])
			rows_close(lists[i]);
	paths_close(object->paths);
	free(object);
}

enum { FACTS = FORM_ALL & ~FORM_CSV };

static const struct report_section object_sections[] = {
	{.add = object_add_size, .forms = FACTS},
	{.add = object_add_asked, .forms = FACTS, .wants = STAGE_TYPED},
	{.add = object_add_through, .forms = FACTS},
	{.add = object_add_type, .forms = FACTS, .wants = STAGE_TYPED},
	{.add = object_add_reach, .forms = FACTS, .wants = STAGE_REVERSED},
	{.add = object_add_holding, .forms = FORM_PEOPLE, .wants = STAGE_DOMINATED},
	{.add = object_add_site, .forms = FACTS},
	{.add = object_add_way, .forms = FACTS, .wants = STAGE_REVERSED | STAGE_TYPED},
	{.add = object_add_contents,
     .forms = FORM_ALL,
     .wants = STAGE_LINKED | STAGE_TYPED,
     .parts = HAS_CONTENTS},
	{.add = object_add_referrers, .forms = FACTS, .wants = STAGE_REVERSED},
	{.add = object_add_references, .forms = FORM_ALL, .wants = STAGE_REACHED | STAGE_TYPED},
	{0},
};

static const struct report report_object = {
	.name = "object",
	.subcommand = "show",
	.rank = 20,
	.argument = "ADDR",
	.help = "One object: what keeps it alive, what is in it, who points to it",
	.prints = "Print one object: size, fields, what holds it",
	.explain =
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
		"REFERENCES: the objects that it points to\n",

	.needs = STAGE_READ,
	.parts = HAS_OBJECTS,
	.sections = object_sections,
	.open = object_open,
	.close = object_close,
};
PLUGIN(reports, report_object);
