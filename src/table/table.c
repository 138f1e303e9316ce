/* Opens and closes tables: table/table.h. */
#include "table/table.h"
#include "table/owners/object_owner.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"
#include "table/contents/datum.h"
#include "table/naming/argument.h"
#include "table/naming/former_names.h"

#include <stdlib.h>
#include <string.h>

const struct table *table_find(const char *name)
{
	name = current_name(name);
	for (size_t i = 0; tables[i]; i++)
		if (strcmp(tables[i]->name, name) == 0
		    || (tables[i]->former && strcmp(tables[i]->former, name) == 0))
			return tables[i];
	const struct field_word *other = field_word_find(name);
	for (size_t i = 0; other && tables[i]; i++)
		if (strcmp(tables[i]->name, other->command) == 0)
			return tables[i];
	return NULL;
}

int table_column(const struct table *table, const char *name)
{
	for (int i = 0; name && i < table->column_count; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return i;
	return -1;
}

unsigned table_needs(const struct table *table, const char *argument)
{
	unsigned needs = table->needs;
	if (table->needs_with && argument)
		needs |= table->needs_with(argument);
	if (table->takes & TAKES_PLACE && argument)
		needs |= argument_needs(argument);
	if (table->made)
		needs |= table->made->needs(table);
	return needs;
}

bool table_takes(const struct table *table, const char *argument, struct err *err)
{
	if (*argument && !table->argument)
		return err_set(err, "%s takes no argument", table->name);
	if (!*argument && table->argument && *table->argument != '[')
		return err_set(err, "Say of what: %s %s", table->name, table->argument);
	return true;
}

void rows_doubt(const struct rows *rows, struct buf *out)
{
	SCOPED_BUF doubt = {0};
	if (damage_doubt(analysis_heap(rows->analysis), rows->table->from, &doubt)
	    && !strstr(buf_text(out), buf_text(&doubt)))
		buf_addf(out, " %s.", buf_text(&doubt));
}

const void *rows_record(const struct rows *rows, size_t row)
{
	if (rows->table->record)
		return rows->table->record(rows, row);
	size_t at = rows->table->array.at, size = rows->table->array.size;
	if (size) {
		const char *array = rows->data;
		return row * size + (at ? *(const char *const *)(const void *)(array + at - 1) : array);
	}
	struct heap_records records = heap_records(analysis_heap(rows->analysis), rows->table->records);
	return (const char *)records.items + row * records.stride;
}

/* Returns true with *err for a table of what is zero in a redacted file. */
static bool table_is_redacted(const struct table *table, const struct analysis *analysis,
                              struct err *err)
{
	if (!table->contents || !analysis_heap(analysis)->params.redacted)
		return false;
	err_set(err, "The file is redacted: what was in its objects cannot be told");
	err->absent = true;
	return true;
}

struct rows *rows_open_watched(const struct table *table, const struct analysis *analysis,
                               const char *argument, struct progress *progress, struct err *err)
{
	argument = argument ? argument : "";
	if (!format_has(analysis_heap(analysis)->format, table->parts, err)
	    || !table_takes(table, argument, err) || table_is_redacted(table, analysis, err))
		return NULL;
	struct rows *rows = mem_alloc(sizeof *rows);
	rows->table = table;
	rows->analysis = analysis;
	rows->numbered = !(heap_has(analysis_heap(analysis), PART_MEMORY));
	rows->progress = progress;
	rows->owners = table->members ? mem_alloc(sizeof *rows->owners) : NULL;
	if (rows->owners)
		pthread_mutex_init(&rows->owners->lock, NULL);
	rows->object_owners = mem_alloc(sizeof *rows->object_owners);
	if (table->records)
		rows->count = heap_records(analysis_heap(rows->analysis), rows->table->records).count;
	if (table->title)
		buf_add(&rows->title, table->title);
	bool done = !table->made || table->made->open(rows, argument, err);
	if (done && table->fill)
		table->fill(rows);
	done = done && (!table->open || table->open(rows, argument, err));
	for (int i = 0; done && i < rows->table->column_count; i++)
		if (rows->table->columns[i].prepare)
			rows->table->columns[i].prepare(rows, argument);
	rows->progress = NULL;
	if (done && !rows->count && !rows->note.len && table->none)
		buf_add(&rows->note, table->none);
	if (done && !rows->count && rows->note.len)
		rows_doubt(rows, &rows->note);
	if (done)
		return rows;
	rows_close(rows);
	return NULL;
}

struct rows *rows_open(const struct table *table, const struct analysis *analysis,
                       const char *argument, struct err *err)
{
	return rows_open_watched(table, analysis, argument, NULL, err);
}

struct rows *rows_open_whole(const struct table *table, const struct analysis *analysis,
                             const char *argument, struct err *err)
{
	struct progress progress = {.cancel = false};
	return rows_open_watched(table, analysis, argument, &progress, err);
}

/* Returns the rows that a row belongs to: of a view, those of the other table. */
static const struct rows *table_row(const struct rows *rows, size_t *row)
{
	return rows->table->made ? rows->table->made->row(rows, row) : rows;
}

struct entity rows_entity(const struct rows *rows, size_t row)
{
	rows = table_row(rows, &row);
	if (rows->table->entity)
		return rows->table->entity(rows, row);
	if (!rows->table->object)
		return (struct entity){0};
	const char *record = rows_record(rows, row);
	return entity_of_object(*(const uint32_t *)(const void *)(record + rows->table->object - 1));
}

/* Returns the object of a row of such a table that table_row returns. */
static uint32_t table_object(const struct rows *rows, size_t row)
{
	if (rows->table->entity == rows_id_entity)
		return rows_id(rows, row);
	return entity_object(rows->analysis, rows_entity(rows, row));
}

uint32_t rows_object(const struct rows *rows, size_t row)
{
	rows = table_row(rows, &row);
	return table_object(rows, row);
}

uint64_t rows_address(const struct rows *rows, size_t row)
{
	return entity_address(rows->analysis, rows_entity(rows, row));
}

bool rows_value(const struct rows *rows, size_t row, struct datum *value)
{
	rows = table_row(rows, &row);
	if (rows->table->value) {
		rows->table->value(rows, row, value);
		return true;
	}
	uint32_t object = rows_object(rows, row);
	struct govalue in = datum_memory(rows->analysis);
	if (object != OBJECT_NONE)
		*value = datum_of_object(&in, object);
	return object != OBJECT_NONE;
}

bool rows_bytes(const struct rows *rows, size_t row, uint64_t *bytes)
{
	rows = table_row(rows, &row);
	if (rows->table->value) {
		struct datum value;
		struct govalue in = datum_memory(rows->analysis);
		rows->table->value(rows, row, &value);
		*bytes = datum_size(&in, &value);
		return true;
	}
	uint32_t object = table_object(rows, row);
	if (object != OBJECT_NONE)
		*bytes = heap_size(analysis_heap(rows->analysis), object);
	return object != OBJECT_NONE;
}

void rows_link(const struct rows *rows, size_t row, struct buf *command)
{
	rows = table_row(rows, &row);
	if (rows->table->link)
		rows->table->link(rows, row, command);
	else if (rows->table->made)
		rows->table->made->link(rows, row, command);
	else
		entity_link(rows->analysis, rows_entity(rows, row), command);
}

void rows_close(struct rows *rows)
{
	if (!rows)
		return;
	if (rows->before) {
		rows_close(rows->before->rows);
		map_free(&rows->before->of_keys);
	}
	free(rows->before);
	if (rows->classes)
		rows->table->made->close(rows);
	if (rows->data && rows->table->close)
		rows->table->close(rows);
	free(rows->data);
	if (rows->owners)
		free(rows->owners->row);
	free(rows->owners);
	free(rows->object_owners);
	buf_free(&rows->title);
	buf_free(&rows->note);
	free(rows);
}
