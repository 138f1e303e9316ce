/* The table of the heap's objects: all of them, or a selection. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/span.h"
#include "table/contents/value_set.h"
#include "table/growth/delta.h"
#include "table/naming/argument.h"
#include "table/naming/typed.h"
#include "table/paths/path_tree.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 200 };

static void select_size(struct rows *rows, uint64_t size)
{
	const struct objects *objects = analysis_heap(rows->analysis)->objects;
	struct objects_run_view run;
	uint32_t *ids = NULL;
	size_t capacity = 0;
	for (size_t r = 0; r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		for (uint32_t i = 0; run.size == size && i < run.count; i++) {
			ids = mem_grow(ids, rows->count, &capacity, sizeof *ids);
			ids[rows->count++] = run.first + i;
		}
	}
	rows->data = ids;
}

/* Selects the objects of a section, which are consecutive. */
static bool select_section(struct rows *rows, uint64_t section, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	if (!format_has(heap->format, PART_DOMAINS, err))
		return false;
	if (section < 1 || section > heap->domain_count)
		return err_set(err, "The log has no section %" PRIu64 "; the table domains lists them",
		               section);
	uint32_t *ids = rows->data =
		mem_alloc((size_t)heap->domains[section - 1].objects * sizeof *ids);
	for (uint32_t id = 0; id < heap_object_count(heap); id++)
		if (heap_section(heap, id) == section - 1)
			ids[rows->count++] = id;
	buf_addf(&rows->title, "objects of section %" PRIu64, section);
	return true;
}

/* Selects the objects of a place of the table where, without parts of maps and channels. */
static bool select_place(struct rows *rows, const char *steps, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	if (!reach_must_be_known(analysis, err))
		return false;
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, rows->progress);
	if (!tree)
		return err_set(err, "Merging the paths was given up");
	size_t places;
	bool *wanted = path_tree_find_places(tree, steps, &places);
	const struct structures *structures = analysis_parts(analysis) ? NULL
	                                                               : analysis_structures(analysis);
	const uint32_t *node_of = tree->merged_paths->node_of;
	uint32_t *ids = NULL, total = heap_object_count(analysis_heap(analysis));
	size_t capacity = 0;
	for (uint32_t id = 0; wanted && id < total; id++)
		if (node_of[id] != OBJECT_NONE && wanted[node_of[id]]
		    && structures_of(structures, id) == id)
			MEM_PUSH(ids, rows->count, capacity, id);
	rows->data = ids;
	free(wanted);
	buf_add(&rows->title, "objects at ");
	text_add_escaped(&rows->title, steps, strlen(steps), NAME_SHOWN);
	return wanted || err_set(err, "There is no such place; the table where has them");
}

static unsigned needs_with(const char *argument)
{
	if (strncmp(argument, "type=", 5) == 0)
		return STAGE_TYPED | STAGE_REACHED;
	if (strncmp(argument, "at=", 3) == 0)
		return STAGE_TYPED | STAGE_OWNED;
	bool read = strncmp(argument, "size=", 5) == 0 || strncmp(argument, "span=", 5) == 0;
	return *argument && !read ? STAGE_REACHED : STAGE_READ;
}

static bool select_rows(struct rows *rows, const char *argument, struct err *err)
{
	uint64_t size;
	bool ok;
	if (strncmp(argument, "span=", 5) == 0 && argument_address(argument + 5, &size)) {
		rows->data = span_select(rows->analysis, size, &rows->count, err);
		buf_addf(&rows->title, "objects in the span at 0x%" PRIx64, size);
		return rows->data;
	}
	if (!*argument) {
		rows->count = heap_object_count(analysis_heap(rows->analysis));
		buf_add(&rows->title, "all objects");
	} else if (strcmp(argument, "reachable") == 0 || strcmp(argument, "unreachable") == 0) {
		if (!reach_must_be_known(rows->analysis, err))
			return false;
		/* Only the objects with the wanted reachability stay. */
		bool wanted = *argument == 'r';
		const struct reach *reach = analysis_reach(rows->analysis);
		uint32_t total = heap_object_count(analysis_heap(rows->analysis));
		uint32_t *ids = mem_alloc((wanted ? reach->objects : total - reach->objects) * sizeof *ids);
		for (uint32_t id = 0; id < total; id++)
			if (reach_has(reach, id) == wanted)
				ids[rows->count++] = id;
		rows->data = ids;
		buf_addf(&rows->title, "%s objects", argument);
	} else if (argument_setting(argument, "size", &size, &ok) && ok) {
		select_size(rows, size);
		buf_addf(&rows->title, "objects of %" PRIu64 " bytes", size);
	} else if (argument_setting(argument, "section", &size, &ok) && ok) {
		return select_section(rows, size, err);
	} else if (strncmp(argument, "type=", 5) == 0) {
		rows->data = typed_select(rows->analysis, argument + 5, &rows->count);
		buf_add(&rows->title, "objects of type ");
		text_add_escaped(&rows->title, argument + 5, strlen(argument + 5), NAME_SHOWN);
	} else if (strncmp(argument, "at=", 3) == 0) {
		return select_place(rows, argument + 3, err);
	} else {
		return err_set(err,
		               "Objects can be selected by reachable, unreachable, size=N, section=N, "
		               "span=ADDR, type=NAME or at=STEPS, which may have a type=NAME behind it");
	}
	return true;
}

/* Appends how many values of a type are parts of objects. False: there is none. */
static bool objects_add_values(struct rows *rows, const char *type)
{
	uint64_t count = analysis_typing(rows->analysis) ? value_set_count(rows->analysis, type) : 0;
	if (!count)
		return false;
	buf_add(&rows->note, "No object has this type; ");
	text_add_number_of(&rows->note, count, "value in another object has",
	                   "values in other objects have");
	buf_add(&rows->note, " it: see values type=");
	text_add_escaped(&rows->note, type, strlen(type), NAME_SHOWN);
	return true;
}

static bool objects_open(struct rows *rows, const char *argument, struct err *err)
{
	if (!select_rows(rows, argument, err))
		return false;
	bool typed = strncmp(argument, "type=", 5) == 0;
	rows->is_set = typed || strncmp(argument, "at=", 3) == 0;
	if (!rows->count && !(typed && objects_add_values(rows, argument + 5)))
		buf_add(&rows->note, *argument ? "There is no such object; the table objects without an "
		                                 "argument lists all."
		                               : "The dump holds no objects.");
	return true;
}

static void objects_born_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_born(value, rows->analysis, rows_id(rows, row));
}

static const struct column columns[] = {
	{"address", "address", "Address of the object in the program", VALUE_ADDRESS, 18, 0,
     .cell = object_address_cell},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_REACHABLE, .width = 9},
	{OBJECT_TYPE},
	{"type_known", "known",
     "How its type is known: exact, inferred, guess, or none if it has only a label", VALUE_TEXT, 8,
     1, .cell = object_known_cell, .key = object_known_key, .stages = STAGE_TYPED},
	{"references", "references", "Number of pointers in it to objects", VALUE_COUNT, 11, 2,
     .cell = object_references_cell, .stages = STAGE_LINKED},
	{"referrers", "referrers", "Number of pointers in objects to it", VALUE_COUNT, 11, 2,
     .cell = object_referrers_cell, .stages = STAGE_REVERSED},
	{OBJECT_RETAINED, .width = 9},
	{"born", "born",
     BORN_HELP ": the same slot, with the same type as far as that is known, and pointers at the "
               "same words. It may still be another object",
     VALUE_COUNT, 4, 1, .cell = objects_born_cell, .stages = STAGE_REACHED | STAGE_TYPED,
     .absent = delta_absent},
};

static const struct table table_objects = {
	.rank = 80,
	.name = "objects",
	.help = "The objects of the heap, by address: all, the reachable or unreachable ones, or those "
			"of one slot size, span or type, or at one place of the table where",
	.argument = "[reachable|unreachable|size=N|section=N|span=ADDR|type=NAME|at=STEPS [type=NAME]]",
	.takes = TAKES_PLACE,
	.needs = STAGE_READ,
	.needs_with = needs_with,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = objects_open,
	.entity = rows_id_entity,
	.style = style_reachable,
};
PLUGIN(tables, table_objects);
