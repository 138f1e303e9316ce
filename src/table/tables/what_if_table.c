/* The table of what would be freed without certain objects, references and roots, one after the
   other. */
#include "table/cell.h"
#include "table/contents/object_set.h"
#include "table/naming/operand.h"
#include "table/paths/what_if_part.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/runtime.h"

#include <stdlib.h>
#include <string.h>

struct taken {
	char *text;
	struct entity entity;
	char *set;     /* of several objects; NULL: the entity */
	uint32_t *ids; /* those */
	size_t count;
	struct freed alone, together;
};
struct what_if_data {
	struct taken *taken;
	size_t capacity;
};

static void what_if_close(struct rows *rows)
{
	struct what_if_data *data = rows->data;
	for (size_t i = 0; i < rows->count; i++) {
		free(data->taken[i].text);
		free(data->taken[i].set);
		free(data->taken[i].ids);
	}
	free(data->taken);
}

/* Reads several objects: what names them, or a set of them. False: none begins at *text; or *err is
   set. */
static bool what_if_read_set(const struct rows *rows, const char **text, struct taken *taken,
                             struct err *err)
{
	SCOPED_BUF set = {0};
	struct operand operand;
	const char *end = *text;
	if (!object_set_next(rows->analysis, &end, &operand, &set, &(struct err){0}) || !set.len
	    || operand.kind == OPERAND_GROUP)
		return false;
	*text = end;
	taken->ids =
		object_set_ids(rows->analysis, buf_text(&set), true, rows->progress, &taken->count, err);
	taken->set = taken->ids ? mem_strdup(buf_text(&set)) : NULL;
	return taken->ids;
}

static bool what_if_parse(struct rows *rows, const char *argument, struct err *err)
{
	struct what_if_data *data = rows->data;
	while (*argument) {
		const char *start = argument;
		struct taken next = {0};
		struct err own = {0};
		if (!what_if_read_set(rows, &argument, &next, &own)
		    && (own.set || !what_if_part_read(rows->analysis, &argument, &next.entity, &own))) {
			free(next.ids);
			free(next.set);
			*err = own;
			return false;
		}
		data->taken = mem_grow(data->taken, rows->count, &data->capacity, sizeof *data->taken);
		struct taken *taken = &data->taken[rows->count++];
		size_t length = text_trimmed(start, (size_t)(argument - start));
		*taken = next;
		taken->text = mem_strndup(start, length);
	}
	return true;
}

static void what_if_take(const struct analysis *analysis, const struct taken *taken,
                         struct what_if *what_if)
{
	if (taken->set)
		object_set_remove(analysis, taken->set, (struct ids){taken->ids, taken->count}, what_if);
	else
		what_if_part_take(analysis, taken->entity, what_if);
}

static bool count_alone(struct rows *rows, struct taken *taken)
{
	if (!taken->ids)
		return what_if_part_frees(rows->analysis, taken->entity, rows->progress, &taken->alone);
	return object_set_count(rows->analysis, taken->set, (struct ids){taken->ids, taken->count},
	                        rows->progress, &taken->alone);
}

static bool count_all(struct rows *rows)
{
	const struct what_if_data *data = rows->data;
	struct what_if *what_if = what_if_new(analysis_heap(rows->analysis));
	bool done = true;
	for (size_t i = 0; i < rows->count && done; i++) {
		struct taken *taken = &data->taken[i];
		what_if_take(rows->analysis, taken, what_if);
		done = count_alone(rows, taken);
		taken->together = taken->alone;
		if (i && done)
			done = what_if_count(what_if, rows->progress, &taken->together);
	}
	what_if_free(what_if);
	return done;
}

static bool what_if_open(struct rows *rows, const char *argument, struct err *err)
{
	rows->data = mem_alloc(sizeof(struct what_if_data));
	if (!reach_must_be_known(rows->analysis, err) || !what_if_parse(rows, argument, err))
		return false;
	buf_add(&rows->title, rows->count == 1 ? "what would be freed without this"
	                                       : "what would be freed without these");
	return count_all(rows) || err_set(err, "Counting the remaining objects was cancelled");
}

static void what_if_cut_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct what_if_data *data = rows->data;
	const struct taken *taken = &data->taken[row];
	cell_dump_text(value, (struct text){taken->text, strlen(taken->text)});
}

static struct entity what_if_entity(const struct rows *rows, size_t row)
{
	const struct taken *taken = rows_record(rows, row);
	return taken->entity;
}

static void what_if_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct taken *taken = rows_record(rows, row);
	if (taken->ids)
		text_add_number_of(cell_begin(value), taken->count, "object", "objects");
	else
		entity_add_label(rows->analysis, taken->entity, cell_begin(value));
}

static const struct column columns[] = {
	{"cut", "cut", "The removed part, as every command accepts it", VALUE_TEXT, 29, 1,
     .cell = what_if_cut_cell},
	{"name", "what", "The removed object, reference, variable or " THREAD_WORD, VALUE_TEXT, 0, 0,
     .cell = what_if_name_cell, .wants = STAGE_TYPED},
	{"alone_bytes", "alone",
     "Bytes that would be freed without this part alone; of " THREADS_WORD
     ", which end, with their stacks",
     VALUE_BYTES, 9, 0, FIELD(struct taken, alone.bytes)},
	{"freed_bytes", "together",
     "Bytes that would be freed without this part and those of the "
     "rows above",
     VALUE_BYTES, 9, 0, FIELD(struct taken, together.bytes)},
	{"freed_objects", "objects", "Number of objects with those bytes", VALUE_COUNT, 10, 0,
     FIELD(struct taken, together.objects)},
};

DEFINE_PLUGIN(tables, struct table, table_what_if) = {
	.rank = 190,
	.name = "what-if",
	.from = DAMAGE_ROOTS,
	.help = "The memory that would be freed without some objects (0xc000012340, "
			"main.cache.Nodes[0]), references (0xc000012340>0xc000056780), variables (main.cache) "
			"or " THREADS_WORD " (" THREAD_WORD " 17)",
	.argument = "CUT ...",
	.takes = TAKES_PLACE,
	.needs = STAGE_DOMINATED,
	COLUMNS(columns),
	.open = what_if_open,
	RECORDS(struct what_if_data, taken),
	.close = what_if_close,
	.entity = what_if_entity,
};
