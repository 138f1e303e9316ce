/* One object: what it is, what keeps it alive, what is in it, who points to it, what it points to.
   Always in this order, and only the first of what may be long: the lists are a link away. */
#include "ui/view.h"

#include "analysis/preview.h"
#include "base/mem.h"
#include "base/text.h"
#include "table/argument.h"
#include "table/root.h"
#include "table/site.h"
#include "table/typed.h"
#include "ui/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	FIELDS_SHOWN = 8, HOLDERS_SHOWN = 6, REFERENCES_SHOWN = 6,
	HOLDERS_ON_LINE = 3, /* of the path */
	BYTES_LINES = 8, TEXT_LINE = 72, HEX_LINE = 16,
	STEPS_COUNTED = 10000000,
	QUICK_OBJECTS = 1 << 20 /* up to here all ways to an object are found at once */
};

struct object {
	struct page page; /* first: see ui/page.h */
	uint32_t id;
	uint64_t address, asked; /* asked: as the user gave it, may be inside the object */
	struct object_record record;
	/* NULL until the analysis is far enough */
	struct rows *fields, *holders, *references;
	struct paths *paths;
	bool typed; /* the fields have been opened with types */
};

static void add_size(struct page *page, const struct object *object)
{
	struct buf text = {0};
	text_add_size(&text, object->record.size);
	if (object->record.size >= 1024) {
		buf_add(&text, " = ");
		text_add_count(&text, object->record.size);
		buf_add(&text, " bytes");
	}
	if (object->record.header)
		buf_addf(&text, ", with an allocation header of %d bytes", object->record.header);
	page_field(page, "size", buf_text(&text));
	buf_free(&text);
}

/* Go does not write objects of 2 GiB and more whole. */
static void add_stored(struct page *page, const struct object *object)
{
	struct buf text = {0};
	if (object->record.data && object->record.stored < object->record.size) {
		buf_add(&text, "the dump holds only the first ");
		text_add_count(&text, object->record.stored);
		buf_add(&text, " bytes");
		page_field(page, "contents", buf_text(&text));
	}
	buf_free(&text);
}

/* The allocation header is the address of the object's type. */
static void add_type(struct page *page, const struct analysis *analysis,
                     const struct object *object)
{
	const struct heap *heap = analysis->heap;
	struct buf text = {0};
	if (typed_add(analysis, object->id, &text)) {
		buf_addf(&text, "  (%s; i: why)", typed_known(analysis, object->id));
		page_field(page, "type", buf_text(&text));
	} else if (object->record.header) {
		buf_addf(&text, "descriptor at 0x%" PRIx64 ", which is not in the dump",
		         heap_word(heap, object->record.data));
		page_field(page, "type", buf_text(&text));
	}
	buf_free(&text);
}

static void add_asked(struct page *page, const struct object *object)
{
	struct buf text = {0};
	buf_addf(&text, "0x%" PRIx64, object->asked);
	if (object->asked > object->address)
		buf_addf(&text, ", +0x%" PRIx64 " in this object", object->asked - object->address);
	else
		buf_add(&text, ", in the allocation header of this object");
	if (object->asked != object->address)
		page_field(page, "asked for", buf_text(&text));
	buf_free(&text);
}

/* Whether there are other ways to it than the shortest, where looking for them is quick. */
static const char *other_ways(const struct object *object, const struct heap *heap)
{
	if (!object->paths || heap_object_count(heap) > QUICK_OBJECTS)
		return "";
	if (paths_get(object->paths, 1, NULL))
		return "; there are other ways to it";
	return paths_exhausted(object->paths) ? "; there is no other way to it" : "";
}

static void add_reach(struct page *page, const struct analysis *analysis,
                      const struct object *object)
{
	struct buf text = {0};
	if (analysis_stage(analysis) < STAGE_REACHED) {
		buf_add(&text, "not known yet");
	} else if (!analysis->reach->known) {
		buf_add(&text, "unknown: there are no roots in the dump");
	} else if (reach_has(analysis->reach, object->id)) {
		size_t steps = reach_distance(analysis->reach, object->id, STEPS_COUNTED);
		buf_add(&text, "yes, ");
		text_add_count(&text, steps);
		buf_addf(&text, " %s from a root%s", steps == 1 ? "step" : "steps",
		         other_ways(object, analysis->heap));
	} else {
		buf_add(&text, "no root in the dump leads to it");
	}
	page_field(page, "reachable", buf_text(&text));
	buf_free(&text);
}

static void add_finalizer(struct page *page, const struct heap *heap, const struct object *object)
{
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		const struct finalizer_record *finalizer = &heap->finalizers[i];
		if (heap_find(heap, finalizer->object) != object->id)
			continue;
		page_field(page, "finalizer",
		           finalizer->queued ? "has one that is due or running" : "has one");
		return;
	}
}

/* Where it was allocated, if the profiler has looked at it. */
static void add_site(struct page *page, const struct heap *heap, const struct object *object)
{
	const struct sample *sample = profiles_of_object(&heap->profiles, object->id);
	struct stack_frame frame;
	struct buf text = {0};
	if (!sample || sample->profile == PROFILE_NONE ||
	    !profile_site(&heap->profiles.profile[sample->profile], &frame))
		return;
	site_add(&frame, &text);
	page_linef(page, "profile 0x%" PRIx64, sample->id);
	page_put(page, PAGE_LEFT, 1, STYLE_FAINT, "allocated in");
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

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

static void add_path_of(struct page *page, const struct analysis *analysis,
                        const struct object *object, const struct path *path)
{
	const struct heap *heap = analysis->heap;
	struct buf link = {0}, text = {0};
	root_link(heap, &heap->roots[path->root], &link);
	root_add_name(analysis, &heap->roots[path->root], &text);
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

static void add_path(struct page *page, const struct analysis *analysis,
                     const struct object *object)
{
	page_line(page, NULL);
	const struct path *path = object->paths ? paths_get(object->paths, 0, NULL) : NULL;
	if (!object->paths) {
		page_waiting(page, "PATH", STAGE_REVERSED);
	} else if (path) {
		add_path_of(page, analysis, object, path);
	} else {
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, 1, STYLE_HEAD, "PATH");
		page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_PLAIN,
		         analysis->reach->known ? "none: no root in the dump leads to it"
		                                : "unknown: there are no roots in the dump");
	}
}

/* "REFERRERS    2 pointers to it": `one` of them, and the rest of the phrase. */
static void add_section(struct page *page, const char *name, size_t count, const char *one,
                        const char *rest, const char *link)
{
	struct buf text = {0};
	text_add_count(&text, count);
	page_line(page, NULL);
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_HEAD, name);
	page_putf(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, "%s %s%s%s", buf_text(&text), one,
	          count == 1 ? "" : "s", rest);
	buf_free(&text);
}

/* The first rows of a table of this object; the head and what is left out lead to all of it. */
static void add_rows(struct page *page, const char *name, const char *one, const char *rest,
                     const struct rows *rows, size_t shown, const struct object *object)
{
	struct buf link = {0}, left = {0};
	if (rows->count)
		buf_addf(&link, "%s 0x%" PRIx64, rows->table->name, object->address);
	add_section(page, name, rows->count, one, rest, buf_text(&link));
	if (rows->count)
		page_heads(page, rows);
	for (size_t i = 0; i < rows->count && i < shown; i++)
		page_row(page, rows, i);
	if (rows->count > shown) {
		text_add_count(&left, rows->count - shown);
		page_line(page, buf_text(&link));
		page_putf(page, PAGE_LEFT, 1, STYLE_LINK, "%s more …", buf_text(&left));
	}
	buf_free(&link);
	buf_free(&left);
}

static void add_byte_line(struct page *page, const uint8_t *data, size_t size, bool text)
{
	struct buf line = {0};
	if (text) {
		text_add_visible(&line, (const char *)data, size, size);
	} else {
		preview_hex(data, size, &line);
		buf_addf(&line, "%*s", (int)(HEX_LINE - size) * 3 + 2, "");
		preview_bytes(data, size, &line);
	}
	page_put(page, PAGE_REST, 1, STYLE_PLAIN, buf_text(&line));
	buf_free(&line);
}

/* What is not shown of `size` bytes: those from `end` on are zeros. */
static void add_rest(struct page *page, const char *link, size_t shown, size_t end, size_t size)
{
	struct buf text = {0};
	if (shown >= size)
		return;
	text_add_count(&text, size - shown);
	buf_add(&text, shown >= end ? " zeros" : " more …");
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

/* The bytes of an object without pointers: as text where they are text. */
static void add_bytes(struct page *page, const struct heap *heap, const struct object *object)
{
	const uint8_t *data = object->record.data;
	size_t size = (size_t)object->record.stored, end = size, shown = 0;
	struct buf link = {0}, preview = {0};
	preview_object(heap, object->id, &preview);
	bool text = preview.len > 0;
	size_t step = text ? TEXT_LINE : HEX_LINE;
	buf_addf(&link, "hex 0x%" PRIx64, object->address);
	add_section(page, text ? "TEXT" : "BYTES", size, "byte", " without pointers", buf_text(&link));
	while (end && data[end - 1] == 0)
		end--;
	for (; shown < end && shown < BYTES_LINES * step; shown += step) {
		page_line(page, buf_text(&link));
		add_byte_line(page, data + shown, end - shown < step ? end - shown : step, text);
	}
	add_rest(page, buf_text(&link), shown < end ? shown : end, end, size);
	buf_free(&link);
	buf_free(&preview);
}

/* Are the rows of the table of fields what the program calls fields? */
static bool is_typed(const struct object *object)
{
	return !(object->fields->hidden >> table_column(object->fields->table, "name") & 1);
}

static void add_contents(struct page *page, const struct heap *heap, const struct object *object)
{
	if (!(heap->format->has & HAS_CONTENTS))
		return;
	if (!object->fields) {
		page_line(page, NULL);
		page_waiting(page, "FIELDS", STAGE_LINKED);
	} else if (is_typed(object) || preview_has_pointers(&object->record)) {
		add_rows(page, "FIELDS", is_typed(object) ? "field" : "word", "", object->fields,
		         FIELDS_SHOWN, object);
	} else {
		add_bytes(page, heap, object);
	}
}

static struct rows *open_when(const struct analysis *analysis, const char *name, uint64_t address)
{
	const struct table *table = table_find(name);
	struct buf argument = {0};
	if (analysis_stage(analysis) < table->needs ||
	    !format_has(analysis->heap->format, table->parts, NULL))
		return NULL;
	buf_addf(&argument, "0x%" PRIx64, address);
	struct rows *rows = rows_open(table, analysis, buf_text(&argument), NULL);
	buf_free(&argument);
	return rows;
}

static void open_lists(struct object *object, const struct analysis *analysis)
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
	if (!object->paths && analysis_stage(analysis) >= STAGE_REVERSED)
		object->paths = paths_open(analysis->heap, analysis->reach, object->id);
}

static void build(struct view *view)
{
	struct object *object = view->data;
	const struct analysis *analysis = view->analysis;
	struct page *page = &object->page;
	open_lists(object, analysis);
	page_clear(page);
	add_size(page, object);
	add_stored(page, object);
	add_asked(page, object);
	add_type(page, analysis, object);
	add_reach(page, analysis, object);
	add_finalizer(page, analysis->heap, object);
	add_site(page, analysis->heap, object);
	add_path(page, analysis, object);
	add_contents(page, analysis->heap, object);
	if (object->holders) {
		add_rows(page, "REFERRERS", "pointer", " to it", object->holders, HOLDERS_SHOWN, object);
	} else {
		page_line(page, NULL);
		page_waiting(page, "REFERRERS", STAGE_REVERSED);
	}
	if (object->references)
		add_rows(page, "REFERENCES", "pointer", " to objects", object->references,
		         REFERENCES_SHOWN, object);
}

static bool object_open(struct view *view, struct err *err)
{
	const struct heap *heap = view->analysis->heap;
	struct object found = {0};
	if (!view->argument)
		return err_set(err, "Say which object: object 0xc000012340");
	if (!argument_object(heap, view->argument, &found.id, err))
		return false;
	argument_address(view->argument, &found.asked);
	if (!heap_object(heap, found.id, &found.record))
		return err_set(err, "The dump has changed: this object cannot be read any more");
	found.address = heap_address(heap, found.id);
	struct object *object = view->data = mem_alloc(sizeof *object);
	*object = found;
	buf_addf(&view->title, "object 0x%" PRIx64, found.address);
	text_add_size(&view->side, found.record.size);
	build(view);
	view->cursor = page_first_link(&object->page);
	return true;
}

static void object_close(struct view *view)
{
	struct object *object = view->data;
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
	page_view_rebuild(view, build);
}

static uint64_t object_address(const struct view *view, size_t row)
{
	const struct object *object = view->data;
	uint64_t address = page_view_address(view, row);
	return address ? address : object->address;
}

static void object_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(out,
	        "size: the whole slot that the object takes, its size class\n"
	        "type: i says how it is known\n"
	        "allocation header: 8 bytes before what the program sees that name the object's type; "
	        "from Go 1.22 on, in larger objects with pointers\n"
	        "PATH: what keeps it alive, the shortest way from a root; p shows it step by step, and "
	        "the other ways\n"
	        "FIELDS: its words, by their offset from its address; ~ marks a guess at what a "
	        "pointer leads to; x shows the bytes\n"
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
	.explain = object_explain,
};
