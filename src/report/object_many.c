/* The page of several objects, which a place, a type or a set of them names: how many, what would
   be freed without all of them, what holds them together, their types, the path of most. */
#include "report/object.h"

#include "analysis/dominators.h"
#include "base/mem.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/findings/finding.h"
#include "table/naming/entity.h"
#include "table/naming/shorten.h"
#include "table/paths/path_common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 200, TYPES_SHOWN = 6, SAMPLES_SHOWN = 4, COUNT_END = 26, BYTES_END = 37 };

struct object_many {
	uint32_t *ids;
	size_t count;
	uint64_t bytes;
	struct rows *rows;      /* of the table objects */
	struct rows *types;     /* of the table grouped */
	uint32_t *order;        /* of these: those with most bytes first */
	struct finding finding; /* what they free, and who else holds them */
	struct path_common path;
	uint32_t holder; /* a node: the nearest that all paths lead through; OBJECT_NONE: none */
};

bool object_many_open(struct page *page, const char *set, const char *name, struct err *err)
{
	size_t count;
	uint32_t *ids = reach_must_be_known(page->analysis, err)
	                    ? object_set_ids(page->analysis, set, true, NULL, &count, err)
	                    : NULL;
	if (!ids)
		return false;
	struct object_page *object = page->own = mem_alloc(sizeof *object);
	struct object_many *many = object->many = mem_alloc(sizeof *many);
	object->id = OBJECT_NONE;
	many->ids = ids;
	many->count = count;
	many->holder = OBJECT_NONE;
	for (size_t i = 0; i < count; i++)
		many->bytes += heap_size(analysis_heap(page->analysis), ids[i]);
	many->finding.bytes = many->bytes;
	buf_add(&many->finding.expression, set);
	buf_add(&object->argument, set);
	object->place = mem_strdup(name);
	text_add_number_of(&page->title, many->count, "object", "objects");
	buf_add(&page->title, ": ");
	text_add_escaped(&page->title, name, strlen(name), NAME_SHOWN);
	return true;
}

void object_many_close(struct object_page *object)
{
	struct object_many *many = object->many;
	if (!many)
		return;
	rows_close(many->rows);
	rows_close(many->types);
	free(many->order);
	free(many->ids);
	finding_fini(&many->finding);
	buf_free(&many->path.name);
	free(many);
}

bool object_many_prepare(struct page *page, struct progress *progress)
{
	const struct analysis *analysis = page->analysis;
	struct object_many *many = ((struct object_page *)page->own)->many;
	bool done = finding_count_frees(&many->finding, analysis, progress);
	buf_free(&many->path.name);
	done = done && path_common_find(analysis, many->ids, many->count, progress, &many->path);
	if (done)
		many->holder =
			dominators_common(analysis_dominators(analysis, RETAIN_ALIVE), many->ids, many->count);
	return done;
}

void object_add_many_size(struct page *page)
{
	const struct object_page *object = page->own;
	const struct object_many *many = object->many;
	SCOPED_BUF text = {0}, link = {0};
	page_string(page, "set", object->place);
	page_string(page, "objects_set", buf_text(&object->argument));
	page_number(page, "count", many->count);
	page_number(page, "bytes", many->bytes);
	buf_addf(&link, "objects %s", buf_text(&object->argument));
	if (page->form == FORM_TEXT) {
		text_add_escaped(&text, object->place, strlen(object->place), NAME_SHOWN);
		page_field(page, "set", buf_text(&text));
		buf_clear(&text);
	}
	text_add_number_of(&text, many->count, "object", "objects");
	buf_addf(&text, ", %s", text_size(many->bytes).text);
	page_entry(page, many->count ? buf_text(&link) : NULL, STYLE_FAINT, "objects", STYLE_LINK,
	           buf_text(&text));
}

/* Adds the part of the path's name, and how many have it: nothing for a single one. */
static void object_many_add_path(struct page *page, const struct object_many *many)
{
	SCOPED_BUF text = {0}, link = {0};
	if (many->path.example == OBJECT_NONE)
		return;
	buf_addf(&link, "path 0x%" PRIx64,
	         heap_address(analysis_heap(page->analysis), many->path.example));
	page_line(page, NULL);
	page_entry(page, buf_text(&link), STYLE_HEAD, "PATH", STYLE_LINK, buf_text(&many->path.name));
	if (many->path.objects == many->count)
		buf_add(&text, "the shortest path of all");
	else
		buf_addf(&text, "the shortest path of %s of the %s", text_count(many->path.objects).text,
		         text_count(many->count).text);
	page_field(page, "", buf_text(&text));
}

/* Says in the title what they free, and who else holds what they do not. */
static void object_many_add_also(struct page *page, const struct object_many *many)
{
	SCOPED_BUF text = {0};
	const struct buf *held_by = &many->finding.held_by;
	buf_clear(&page->side);
	text_add_size(&page->side, many->finding.bytes);
	buf_addf(&page->side, ", frees %s", text_size(many->finding.frees).text);
	page_string(page, "also_held_by", held_by->len ? buf_text(held_by) : NULL);
	if (!held_by->len)
		return;
	shorten_to(buf_text(held_by), NAME_SHOWN, &text);
	page_field(page, "also held by", buf_text(&text));
}

void object_add_many_frees(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct object_page *object = page->own;
	const struct object_many *many = object->many;
	const struct dominators *d = analysis_dominators(analysis, RETAIN_ALIVE);
	SCOPED_BUF text = {0}, link = {0}, name = {0};
	page_number(page, "freed_bytes", many->finding.frees);
	page_number(page, "freed_objects", many->finding.frees_objects);
	page_number(page, "place_bytes", many->finding.bytes);
	text_add_size(&text, many->finding.frees);
	if (many->finding.bytes > many->finding.frees)
		buf_addf(&text, " of the %s there", text_size(many->finding.bytes).text);
	buf_add(&text, ", ");
	text_add_share(&text, many->finding.frees, dominators_bytes(d, d->root));
	buf_add(&text, " of what is reachable, ");
	text_add_number_of(&text, many->finding.frees_objects, "object", "objects");
	if (many->count > 1)
		buf_add(&text, ", all together");
	buf_addf(&link, "retained-set %s", buf_text(&object->argument));
	page_entry(page, many->finding.frees_objects ? buf_text(&link) : NULL, STYLE_FAINT, "frees",
	           STYLE_LINK, buf_text(&text));
	object_many_add_also(page, many);
	struct entity entity = entity_of_node(analysis, many->holder);
	bool alone =
		many->holder < heap_object_count(analysis_heap(analysis))
		|| (many->holder != OBJECT_NONE && !root_nodes_is_flat_node(d->root_nodes, many->holder));
	if (alone)
		entity_add_label(analysis, entity, &name);
	page_text(page, "held_by", &name);
	page_hex(page, "held_by_address", alone ? entity_address(analysis, entity) : 0);
	page_string(page, "path", many->path.name.len ? buf_text(&many->path.name) : NULL);
	page_number(page, "path_objects", many->path.objects);
	page_hex(page, "example",
	         many->path.example == OBJECT_NONE
	             ? 0
	             : heap_address(analysis_heap(analysis), many->path.example));
	buf_clear(&link);
	if (alone)
		entity_link(analysis, entity, &link);
	if (many->finding.frees_objects)
		page_entry(page, alone ? buf_text(&link) : NULL, STYLE_FAINT, "held by",
		           alone ? STYLE_LINK : STYLE_PLAIN,
		           alone ? buf_text(&name) : "no single object or root leads to all of them");
	object_many_add_path(page, many);
}

void object_many_wait(const struct report_section *section, struct page *page, bool given_up)
{
	page_field(page, section->label, given_up ? section->given_up : section->meanwhile);
}

/* Opens their types, those with most bytes first. */
static const struct rows *object_many_types(struct page *page, struct object_many *many)
{
	const struct object_page *object = page->own;
	SCOPED_BUF query = {0};
	buf_addf(&query, "type of objects %s", buf_text(&object->argument));
	if (!many->types)
		many->types = rows_open(table_find("grouped"), page->analysis, buf_text(&query), NULL);
	if (many->types && !many->order)
		many->order =
			rows_sorted(many->types, table_column(many->types->table, "bytes"), true, NULL);
	return many->order ? many->types : NULL;
}

void object_add_many_types(struct page *page)
{
	const struct object_page *object = page->own;
	const struct rows *types = object_many_types(page, object->many);
	size_t shown = types ? types->count : 0;
	if (page->form & FORM_SCREEN && shown > TYPES_SHOWN)
		shown = TYPES_SHOWN;
	page_open_array(page, "types");
	for (size_t i = 0; i < shown; i++) {
		SCOPED_BUF name = {0}, link = {0};
		uint32_t row = object->many->order[i];
		uint64_t count = rows_number(types, row, "count").number;
		uint64_t bytes = rows_number(types, row, "bytes").number;
		rows_text(types, row, table_column(types->table, "value"), &name);
		page_open(page, NULL);
		page_text(page, "type", &name);
		page_number(page, "count", count);
		page_number(page, "bytes", bytes);
		page_close(page);
		if (!i)
			page_line(page, NULL);
		object_set_add_operand(&link, buf_text(&object->argument));
		page_linef(page, "objects %s and type=%s", buf_text(&link), buf_text(&name));
		page_put(page, PAGE_LEFT, 1, STYLE_HEAD, i ? "" : "TYPES");
		page_count(page, COUNT_END, count);
		page_size(page, BYTES_END, bytes);
		page_put(page, PAGE_REST, BYTES_END + 2, STYLE_LINK, buf_text(&name));
	}
	page_close(page);
	if (types && types->count > shown) {
		page_line(page, NULL);
		page_putf(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_FAINT, "%s more",
		          text_number_of(types->count - shown, "type", "types").text);
	}
}

void object_add_many_samples(struct page *page)
{
	static const char *const what[2] = {"object", "objects"};
	struct object_page *object = page->own;
	const struct rows *rows = object_page_rows(page, "objects", &object->many->rows);
	if (!rows || !rows->count)
		return;
	page_table(page, "objects", rows);
	object_page_list(page, rows, "SAMPLES", 0, rows->count, what, "",
	                 page->form == FORM_TEXT && page->limit < SAMPLES_SHOWN ? page->limit
	                                                                        : SAMPLES_SHOWN);
}

void object_add_many_next(struct page *page)
{
	const struct object_page *object = page->own;
	static const struct {
		const char *command, *what;
	} next[] = {
		{"retained-set", "what would be freed, by type"},
		{"what-if", "what would be freed, in one line"},
		{"objects", "all of them"},
	};
	for (size_t i = 0; object->many->count && i < sizeof next / sizeof *next; i++) {
		SCOPED_BUF link = {0}, text = {0};
		buf_addf(&link, "%s %s", next[i].command, buf_text(&object->argument));
		text_add_quoted(&text, "", buf_text(&object->argument));
		if (!i)
			page_line(page, NULL);
		page_line(page, buf_text(&link));
		page_put(page, PAGE_LEFT, 1, STYLE_HEAD, i ? "" : "NEXT");
		if (page->form == FORM_TEXT)
			page_putf(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, "list %s %s  %s",
			          next[i].command, buf_text(&text), next[i].what);
		else
			page_put(page, PAGE_LEFT, PAGE_TEXT_COLUMN, STYLE_LINK, next[i].what);
	}
}
