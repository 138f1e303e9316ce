/* Functions, files and lines by code address. Counts and offsets in the table are checked against
   its size. */
#include "pclntab_layout.h"

#include "base/bound.h"

#include <stdlib.h>
#include <string.h>

uint64_t pclntab_number(const struct pclntab *table, uint64_t offset, unsigned bytes)
{
	if (offset > table->size || table->size - offset < bytes)
		return 0;
	return image_decode(table->image, table->data + offset, bytes);
}

const char *pclntab_text(const struct pclntab *table, uint64_t offset)
{
	if (offset >= table->size || !memchr(table->data + offset, 0, table->size - offset))
		return "";
	return (const char *)table->data + offset;
}

uint64_t pclntab_fields(const struct pclntab *table, size_t function)
{
	table = pclntab_of(table, function);
	return table->functions[function].record
	       + (table->layout->narrow ? 4 : table->image->pointer_size);
}

size_t pclntab_find(const struct pclntab *table, uint64_t pc)
{
	size_t function =
		upper_bound(table->functions, table->count, BOUND_BY(struct pclntab_function, entry), pc)
		- 1; /* SIZE_MAX before the first function */
	return function != SIZE_MAX && pc < pclntab_of(table, function)->end ? function : SIZE_MAX;
}

const char *pclntab_name(const struct pclntab *table, size_t function)
{
	table = pclntab_of(table, function);
	uint64_t name = pclntab_number(table, pclntab_fields(table, function) + FIELD_NAME, 4);
	return pclntab_text(table, table->names + name);
}

size_t pclntab_package(const char *name)
{
	static const char *const made[] = {"type:", "type..", "go:", "go.(", "go.struct"};
	size_t path = strcspn(name, "(["), slash = path;
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strncmp(name, made[i], strlen(made[i])) == 0)
			return 0;
	while (slash && name[slash - 1] != '/')
		slash--;
	const char *dot = memchr(name + slash, '.', path - slash);
	return dot ? (size_t)(dot - name) : 0;
}

static uint64_t unzigzag(uint64_t number)
{
	return number & 1 ? ~(number >> 1) : number >> 1;
}

struct pclntab_run pclntab_run_first(const struct pclntab *table, size_t function, uint64_t offset)
{
	struct pclntab_run run = {.cursor = {.failed = true}, .value = UINT64_MAX};
	table = pclntab_of(table, function);
	if (offset && offset <= table->size && table->pcs <= table->size - offset)
		run.cursor = cursor_make(table->data, table->size, table->pcs + offset);
	run.end = table->functions[function].entry;
	run.first = true;
	return run;
}

/* Reads pairs of a change of the value and the length of code that has it. A change of 0 ends the
   list, except in the first pair. */
bool pclntab_run_next(const struct pclntab *table, struct pclntab_run *run)
{
	if (!cursor_ok(&run->cursor))
		return false;
	uint64_t change = cursor_uvarint(&run->cursor);
	uint64_t length = cursor_uvarint(&run->cursor);
	if (!change && !run->first)
		cursor_fail(&run->cursor);
	if (!cursor_ok(&run->cursor))
		return false;
	run->first = false;
	run->value += unzigzag(change);
	run->end += length * table->quantum;
	return true;
}

int64_t pclntab_value(const struct pclntab *table, size_t function, uint64_t offset, uint64_t pc)
{
	struct pclntab_run run = pclntab_run_first(table, function, offset);
	while (pclntab_run_next(table, &run))
		if (pc < run.end)
			return (int64_t)run.value;
	return -1;
}

static const char *file_name(const struct pclntab *table, size_t function, int64_t number)
{
	uint64_t index = (uint64_t)number;
	if (number < 0)
		return "";
	if (!table->layout->parts)
		return pclntab_text(table, pclntab_number(table, table->files + 4 * index, 4));
	index += pclntab_number(table, pclntab_fields(table, function) + FIELD_CU, 4);
	if (index > table->size)
		return "";
	return pclntab_text(table, table->files + pclntab_number(table, table->cutab + 4 * index, 4));
}

void pclntab_position(const struct pclntab *table, size_t function, uint64_t pc,
                      struct pclntab_line *line)
{
	table = pclntab_of(table, function);
	uint64_t fields = pclntab_fields(table, function);
	uint64_t files = pclntab_number(table, fields + FIELD_PCFILE, 4);
	uint64_t lines = pclntab_number(table, fields + FIELD_PCLINE, 4);
	int64_t number = pclntab_value(table, function, lines, pc);
	line->file = file_name(table, function, pclntab_value(table, function, files, pc));
	line->line = number > 0 ? (uint64_t)number : 0;
}

void pclntab_fini(struct pclntab *table)
{
	free(table->functions);
	free(table->parts);
	table->functions = NULL;
	table->parts = NULL;
	table->part_count = 0;
	table->count = 0;
}
