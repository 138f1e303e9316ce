/* The objects of the heap: all of them, or a selection. */
#include "table/argument.h"
#include "table/node.h"
#include "table/typed.h"

#include "base/mem.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { ADDRESS, SIZE, REACHABLE, TYPE, KNOWN, REFERENCES, REFERRERS, RETAINED };
enum { NAME_SHOWN = 200 };

static const struct column columns[] = {
	[ADDRESS] = {"address", "address", "Address of the object as the program knows it",
				 VALUE_ADDRESS, 18, 0},
	[SIZE] = {"size", "size", "Bytes of the slot that the object takes", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable", "Does a path lead to it from a root of the dump?",
				   VALUE_BOOL, 9, 0},
	[TYPE] = {"type", "type",
			  "Type of the object, or of each of the values in it; without one what it looks "
			  "like, or what holds it",
			  VALUE_TEXT, 0, 0},
	[KNOWN] = {"type_known", "known",
			   "How its type is known: exact, inferred, guess, or none where there is only a label",
			   VALUE_TEXT, 8, 1},
	[REFERENCES] = {"references", "references", "Pointers in it to objects", VALUE_COUNT, 11, 2},
	[RETAINED] = {"retained_bytes", "retained",
				  "Bytes that would be freed with it: its own and those of all that it holds "
				  "alone",
				  VALUE_BYTES, 9, 0},
	[REFERRERS] = {"referrers", "referrers", "Pointers in objects to it", VALUE_COUNT, 11, 2},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[REACHABLE] = STAGE_REACHED, [TYPE] = STAGE_TYPED,         [KNOWN] = STAGE_TYPED,
	[REFERENCES] = STAGE_LINKED, [REFERRERS] = STAGE_REVERSED, [RETAINED] = STAGE_DOMINATED,
};

/* Keeps the objects whose reachability is `wanted`. */
static void select_reach(struct rows *rows, bool wanted)
{
	const struct reach *reach = rows->analysis->reach;
	uint32_t total = heap_object_count(rows->analysis->heap);
	uint32_t *ids = mem_alloc((wanted ? reach->objects : total - reach->objects) * sizeof *ids);
	for (uint32_t id = 0; id < total; id++)
		if (reach_has(reach, id) == wanted)
			ids[rows->count++] = id;
	rows->data = ids;
}

static void select_size(struct rows *rows, uint64_t size)
{
	const struct objects *objects = rows->analysis->heap->objects;
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

/* The objects of a section stand together. */
static bool select_section(struct rows *rows, uint64_t section, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	if (!format_has(heap->format, HAS_DOMAINS, err))
		return false;
	if (section < 1 || section > heap->listed->domain_count)
		return err_set(err, "The log has no section %" PRIu64 "; the table domains lists them",
					   section);
	uint32_t *ids = rows->data =
		mem_alloc((size_t)heap->listed->domain[section - 1].objects * sizeof *ids);
	for (uint32_t id = 0; id < heap_object_count(heap); id++)
		if (heap->listed->object[id].section == section - 1)
			ids[rows->count++] = id;
	buf_addf(&rows->title, "objects of section %" PRIu64, section);
	return true;
}

static enum stage needs_with(const char *argument)
{
	if (strncmp(argument, "type=", 5) == 0)
		return STAGE_TYPED;
	return *argument && strncmp(argument, "size=", 5) != 0 ? STAGE_REACHED : STAGE_READ;
}

static bool select_rows(struct rows *rows, const char *argument, struct err *err)
{
	uint64_t size;
	bool ok;
	if (!*argument) {
		rows->count = heap_object_count(rows->analysis->heap);
		buf_add(&rows->title, "all objects");
	} else if (strcmp(argument, "reachable") == 0 || strcmp(argument, "unreachable") == 0) {
		if (!reach_must_be_known(rows->analysis, err))
			return false;
		select_reach(rows, *argument == 'r');
		buf_addf(&rows->title, "%s objects", argument);
	} else if (argument_setting(argument, "size", &size, &ok) && ok) {
		select_size(rows, size);
		buf_addf(&rows->title, "objects of %" PRIu64 " bytes", size);
	} else if (argument_setting(argument, "section", &size, &ok) && ok) {
		return select_section(rows, size, err);
	} else if (strncmp(argument, "type=", 5) == 0) {
		rows->data = typed_select(rows->analysis, argument + 5, &rows->count);
		buf_add(&rows->title, "objects of type ");
		text_add_visible(&rows->title, argument + 5, strlen(argument + 5), NAME_SHOWN);
	} else {
		return err_set(err,
					   "Objects can be selected by reachable, unreachable, size=N, section=N or "
					   "type=NAME");
	}
	return true;
}

static bool objects_open(struct rows *rows, const char *argument, struct err *err)
{
	if (!select_rows(rows, argument, err))
		return false;
	if (!rows->count)
		buf_add(&rows->note, *argument
								 ? "No object is like that; the table objects without a word "
								   "after it lists all."
								 : "The dump holds no objects.");
	return true;
}

static void objects_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct analysis *analysis = rows->analysis;
	uint32_t id = rows_id(rows, row);
	switch (column) {
	case ADDRESS:
		cell_object(value, analysis->heap, id);
		break;
	case SIZE:
		cell_object_size(value, analysis->heap, id);
		break;
	case REACHABLE:
		cell_reachable(value, analysis, id);
		break;
	case TYPE:
		cell_type(value, analysis, id);
		break;
	case KNOWN:
		cell_text(value, typed_known(analysis, id));
		break;
	case REFERENCES:
		cell_number(value, VALUE_COUNT, heap_references(analysis->heap, id).count);
		break;
	case RETAINED:
		cell_retained(value, analysis, id);
		break;
	case REFERRERS:
		cell_number(value, VALUE_COUNT, heap_referrers(analysis->heap, id).count);
		break;
	}
}

const struct table table_objects = {
	.name = "objects",
	.help = "The objects of the heap, by address: all, the reachable or unreachable ones, or those "
			"of one slot size or type",
	.argument = "[reachable|unreachable|size=N|section=N|type=NAME]",
	.needs = STAGE_READ,
	.needs_with = needs_with,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = objects_open,
	.cell = objects_cell,
	.link = rows_id_link,
	.style = rows_id_style,
	.address = rows_id_address,
	.sort = -1,
};
