/* Selectors of objects: each adds the objects that have a property to a bit vector. */
#include "object_selectors.h"

#include "analysis/structures.h"
#include "base/bits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/contents/object_set.h"
#include "table/contents/span.h"
#include "table/contents/value_set.h"
#include "table/naming/argument.h"
#include "table/naming/entity.h"
#include "table/naming/operand.h"
#include "table/naming/step_inner.h"
#include "table/naming/typed.h"
#include "table/owners/object_owner.h"
#include "table/paths/libraries.h"
#include "table/paths/path_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 200 };

size_t object_set_words(const struct rows *rows)
{
	return heap_object_count(analysis_heap(rows->analysis)) / 64 + 1;
}

static void object_set_add_quoted(struct rows *rows, const char *words, const char *text)
{
	buf_add(&rows->title, words);
	text_add_escaped(&rows->title, text, strlen(text), NAME_SHOWN);
}

/* Takes `ids`, which may be NULL. */
static void object_set_add_ids(uint64_t *set, uint32_t *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		word_bit_set(set, ids[i]);
	free(ids);
}

/* Selects the objects that the search for live objects reached, or the others. */
static bool select_reached(struct rows *rows, bool wanted, uint64_t *set, struct err *err)
{
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	const struct reach *reach = analysis_reach(rows->analysis);
	for (uint32_t id = 0; id < heap_object_count(reach->heap); id++)
		if (reach_has(reach, id) == wanted)
			word_bit_set(set, id);
	buf_add(&rows->title, wanted ? "that are reachable" : "that are unreachable");
	return true;
}

bool select_reachable(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	(void)value;
	return select_reached(rows, true, set, err);
}

bool select_unreachable(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	(void)value;
	return select_reached(rows, false, set, err);
}

bool select_size(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const struct objects *objects = analysis_heap(rows->analysis)->objects;
	struct objects_run_view run;
	uint64_t size;
	if (!text_parse_number(value, &size))
		return err_set(err, "size= needs a number of bytes");
	bool any = false;
	for (size_t r = 0; r < objects_run_count(objects); r++) {
		objects_run(objects, r, &run);
		any |= run.size == size && run.count;
		for (uint32_t i = 0; run.size == size && i < run.count; i++)
			word_bit_set(set, run.first + i);
	}
	if (!any) {
		err_set(err,
		        "No object has a slot of %" PRIu64
		        " bytes; the table types by size lists all sizes",
		        size);
		return argument_absent(analysis_heap(rows->analysis), DAMAGE_OBJECTS, err);
	}
	buf_addf(&rows->title, "of %" PRIu64 " bytes", size);
	return true;
}

bool select_section(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	uint64_t section;
	if (!text_parse_number(value, &section))
		return err_set(err, "section= needs the number of a section");
	if (!format_has(heap->format, PART_DOMAINS, err))
		return false;
	if (section < 1 || section > heap->domain_count)
		return err_set(err, "The log has no section %" PRIu64 "; the table domains lists them",
		               section);
	for (uint32_t id = 0; id < heap_object_count(heap); id++)
		if (heap_section(heap, id) == section - 1)
			word_bit_set(set, id);
	buf_addf(&rows->title, "of section %" PRIu64, section);
	return true;
}

bool select_span(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	uint64_t address;
	size_t count;
	if (!argument_address(value, &address))
		return err_set(err, "span= needs an address");
	uint32_t *ids = span_select(rows->analysis, address, &count, err);
	if (!ids)
		return false;
	object_set_add_ids(set, ids, count);
	buf_addf(&rows->title, "in the span at 0x%" PRIx64, address);
	return true;
}

size_t object_set_guessed(const struct analysis *analysis, const char *name)
{
	if (*name == TYPE_MARK)
		return 0;
	size_t count, guessed = 0;
	SCOPED_FREE uint32_t *ids = typed_select(analysis, name, &count);
	for (size_t i = 0; i < count; i++)
		guessed += typed_known(analysis, ids[i]) == KNOWN_GUESS;
	return guessed;
}

/* Returns false, with *err: nothing has that type, as far as types are known. */
static bool select_deny_type(const struct analysis *analysis, const char *name, struct err *err)
{
	const struct heap *heap = analysis_heap(analysis);
	bool typing = analysis_typing(analysis);
	uint64_t untyped = typing ? typed_totals(analysis).known[KNOWN_NONE].objects : 0;
	SCOPED_BUF doubt = {0}, type = {0}, marked = {0};
	size_t labeled;
	text_add_escaped(&type, name, strlen(name), NAME_SHOWN);
	if (untyped)
		buf_addf(&doubt, ", but of %s the type is not known",
		         text_number_of(untyped, "reachable object", "reachable objects").text);
	buf_addf(&marked, "%c%s", TYPE_MARK, name);
	free(typed_select(analysis, buf_text(&marked), &labeled));
	if (labeled)
		err_set(err, "%s has the type %s; type=~%s selects the %s whose contents look like it",
		        typing ? "No object" : "Without the executable of the program, no object",
		        buf_text(&type), buf_text(&type),
		        text_number_of(labeled, "object", "objects").text);
	else if (!typing && !heap_has(heap, PART_TYPES))
		err_set(err,
		        "Which objects have the type %s cannot be told without the program's executable; "
		        "the table types lists their shapes",
		        buf_text(&type));
	else
		err_set(err, "No object%s has the type %s%s%s; the table types lists the types of objects",
		        typing ? " or variable" : "", buf_text(&type),
		        typing ? " or holds a value of it" : "", buf_text(&doubt));
	return argument_absent(heap, DAMAGE_ROOTS, err);
}

uint32_t *object_set_of_type(const struct analysis *analysis, const char *name, size_t *count,
                             struct err *err)
{
	uint32_t *ids = typed_select(analysis, name, count);
	if (*count || (analysis_typing(analysis) && value_set_count(analysis, name)))
		return ids;
	free(ids);
	select_deny_type(analysis, name, err);
	return NULL;
}

bool select_type(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	size_t count;
	uint32_t *ids = object_set_of_type(rows->analysis, value, &count, err);
	if (!ids)
		return false;
	object_set_add_ids(set, ids, count);
	object_set_add_quoted(rows, "of type ", value);
	return true;
}

/* Returns true for a part of a map or a channel, or of a map or a pool of package sync. */
static bool select_is_part(const struct structures *structures, struct step_inner *inner,
                           const struct reach *reach, uint32_t id)
{
	uint32_t before = reach_before(reach, id);
	return structures_of(structures, id) != id
	       || (before < heap_object_count(reach->heap) && step_inner_has(inner, before, id));
}

/* Selects the objects of places; `keys`: those whose paths have its keys, NULL: all. Returns their
   number, with parts of maps and channels, which are not selected. */
static size_t select_at(const struct analysis *analysis, const struct path_tree *tree,
                        const bool *wanted, const char *keys, uint64_t *set)
{
	const struct structures *structures = analysis_parts(analysis) ? NULL
	                                                               : analysis_structures(analysis);
	struct step_inner inner = {.analysis = analysis};
	SCOPED_MAP filters = {0}; /* place -> struct path_filter */
	struct path_filter **filter = NULL;
	size_t found = 0, count = 0, capacity = 0;
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(analysis)); id++) {
		uint32_t place = merged_paths_node(tree->merged_paths, id);
		uint64_t at = count;
		if (place == OBJECT_NONE || !wanted[place])
			continue;
		if (keys && map_add(&filters, place, &at))
			MEM_PUSH(filter, count, capacity, path_filter_new(tree, place, keys));
		if (keys && !path_filter_has(filter[at], id))
			continue;
		found++;
		if (!structures || !select_is_part(structures, &inner, analysis_reach(analysis), id))
			word_bit_set(set, id);
	}
	while (count)
		path_filter_free(filter[--count]);
	free(filter);
	step_inner_fini(&inner);
	return found;
}

/* Selects the objects of a place of the table where, without parts of maps and channels. */
bool select_place(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const struct analysis *analysis = rows->analysis;
	if (!reach_must_be_known(analysis, err))
		return false;
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, rows->progress);
	if (!tree)
		return err_set(err, "Merging the paths was cancelled");
	size_t places, found = 0;
	bool *wanted = path_tree_find_places(tree, value, false, &places);
	if (wanted)
		found = select_at(analysis, tree, wanted, NULL, set);
	else if ((wanted = path_tree_find_places(tree, value, true, &places)) != NULL)
		found = select_at(analysis, tree, wanted, value, set);
	free(wanted);
	if (!found) {
		err_set(err, "There is no such place as %.200s; the table where has them", value);
		return argument_unknown(analysis_heap(analysis), DAMAGE_ROOTS, err);
	}
	object_set_add_quoted(rows, "at ", value);
	return true;
}

/* Selects the object that an operand names. */
bool select_operand(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	uint32_t id;
	if (!argument_object(rows->analysis, value, &id, err))
		return false;
	word_bit_set(set, id);
	object_set_add_quoted(rows, "at ", value);
	return true;
}

/* Selects the descriptors of threads that a text names. */
bool select_threads(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	size_t length, count;
	SCOPED_FREE uint32_t *threads = operand_threads(rows->analysis, value, &length, &count);
	if (!threads || value[length]) {
		err_set(err, "No thread has the function or the group \"%.100s\"", value);
		return argument_absent(heap, DAMAGE_THREADS, err);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t id = heap_find(heap, heap->threads[threads[i]].record.address);
		if (id != OBJECT_NONE)
			word_bit_set(set, id);
	}
	object_set_add_quoted(rows, "of the threads with ", value);
	return true;
}

/* Selects what roots of a name point to. */
bool select_roots(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	SCOPED_BUF name = {0};
	bool any = false;
	for (uint32_t i = 0; i < heap->root_count; i++) {
		buf_clear(&name);
		entity_add_name(rows->analysis, (struct entity){ENTITY_ROOT, i, 0}, &name);
		if (strcmp(buf_text(&name), value) != 0)
			continue;
		word_bit_set(set, heap->roots[i].target);
		any = true;
	}
	if (!any) {
		err_set(err, "No root has the name \"%.100s\"; the table roots lists them", value);
		return argument_absent(heap, DAMAGE_ROOTS, err);
	}
	object_set_add_quoted(rows, "of the roots called ", value);
	return true;
}

bool select_owned(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	if (!reach_must_be_known(rows->analysis, err)
	    || !object_owner_select(rows->analysis, value, rows->progress, set, err))
		return false;
	object_set_add_quoted(rows, "owned by ", value);
	return true;
}

/* Returns the table that "timers started" begins with, and stores its argument. NULL: there is
   none, or its rows are not objects, or a set of its own. */
static const struct table *select_table(const char *value, const char **argument)
{
	char name[64];
	size_t length = strcspn(value, " ");
	if (length >= sizeof name)
		return NULL;
	memcpy(name, value, length);
	name[length] = 0;
	*argument = value + length + strspn(value + length, " ");
	const struct table *table = table_find(name);
	bool plain = table && !table->takes && !strpbrk(*argument, "=(");
	return plain && (table->object || table->members || table->entity) ? table : NULL;
}

unsigned select_rows_needs(const char *value)
{
	const char *argument;
	const struct table *table = select_table(value, &argument);
	return table ? table_needs(table, NULL) | table->wants : STAGE_READ;
}

static void select_rows_of(const struct rows *of, uint64_t *set)
{
	const struct heap *heap = analysis_heap(of->analysis);
	SCOPED_FREE uint32_t *row_of = NULL;
	if (!of->table->members) {
		for (size_t row = 0; row < of->count; row++)
			if (rows_object(of, row) != OBJECT_NONE)
				word_bit_set(set, rows_object(of, row));
		return;
	}
	row_of = mem_alloc((heap_object_count(heap) + 1) * sizeof *row_of);
	memset(row_of, 0xff, heap_object_count(heap) * sizeof *row_of);
	of->table->members(of, row_of);
	for (uint32_t id = 0; id < heap_object_count(heap); id++)
		if (row_of[id] != UINT32_MAX)
			word_bit_set(set, id);
}

/* Selects the objects that the rows of a table are about. */
bool select_rows(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	const char *argument;
	const struct table *table = select_table(value, &argument);
	if (!table)
		return err_set(err, "No table has rows that are objects and is called \"%.60s\"", value);
	struct rows *of = rows_open_watched(table, rows->analysis, argument, rows->progress, err);
	if (!of)
		return false;
	select_rows_of(of, set);
	rows_close(of);
	object_set_add_quoted(rows, "of the rows of ", value);
	return true;
}

/* Selects what the variables of libraries lead to first, of those that hold little. */
bool select_libraries(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	(void)value;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	const struct libraries *libraries = libraries_of(rows->analysis, rows->progress);
	const struct path_tree *tree =
		analysis_kept(rows->analysis, &path_tree_whole, RETAIN_ALIVE, rows->progress);
	if (!libraries || !tree)
		return err_set(err, "Merging the paths was cancelled");
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(rows->analysis)); id++) {
		uint32_t at = merged_paths_node(tree->merged_paths, id);
		if (at < tree->merged_paths->topmost && libraries->is_one[at])
			word_bit_set(set, id);
	}
	buf_add(&rows->title, "at variables of libraries");
	return true;
}
