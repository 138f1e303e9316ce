/* The app domains of a log: a section each. */
#include "table/cell.h"

#include <inttypes.h>

enum { SECTION, NAME, OBJECTS, BYTES, TYPES, ROOTS, TIME, COMPLETE };

static const struct column columns[] = {
	[SECTION] = {"section", "#", "Number of the section in the log, from 1", VALUE_ID, 4, 0},
	[NAME] = {"name", "app domain", "Its name, mostly that of the program", VALUE_TEXT, 0, 0},
	[OBJECTS] = {"objects", "objects", "Objects of the section", VALUE_COUNT, 11, 0},
	[BYTES] = {"bytes", "bytes", "Bytes of these", VALUE_BYTES, 10, 0},
	[TYPES] = {"types", "types", "Types that the section names", VALUE_COUNT, 8, 1},
	[ROOTS] = {"roots", "roots", "Roots of the section", VALUE_COUNT, 8, 0},
	[TIME] = {"time", "time", "When it was written, since the device was started; starts anew "
							  "after 49.7 days",
			  VALUE_TIME, 9, 1},
	[COMPLETE] = {"complete", "complete", "Is the record there that ends the section?", VALUE_BOOL,
				  8, 0},
};

static bool domains_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	const struct listed *listed = rows->analysis->heap->listed;
	rows->count = listed ? listed->domain_count : 0;
	buf_add(&rows->title, "app domains");
	return true;
}

static void domains_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct domain *domain = &rows->analysis->heap->listed->domain[row];
	const struct {
		enum value_kind kind;
		uint64_t number;
	} numbers[] = {
		[SECTION] = {VALUE_ID, row + 1},
		[NAME] = {VALUE_NONE, 0},
		[OBJECTS] = {VALUE_COUNT, domain->objects},
		[BYTES] = {VALUE_BYTES, domain->bytes},
		[TYPES] = {VALUE_COUNT, domain->types},
		[ROOTS] = {VALUE_COUNT, domain->roots},
		[TIME] = {domain->record.has_time ? VALUE_TIME : VALUE_NONE, domain->record.time * 1000000},
		[COMPLETE] = {VALUE_BOOL, domain->ended},
	};
	if (column == NAME)
		cell_dump_text(value, domain->record.name);
	else
		cell_number(value, numbers[column].kind, numbers[column].number);
}

static void domains_link(const struct rows *rows, size_t row, struct buf *command)
{
	(void)rows;
	buf_addf(command, "objects section=%zu", row + 1);
}

static enum row_style domains_style(const struct rows *rows, size_t row)
{
	return rows->analysis->heap->listed->domain[row].ended ? ROW_PLAIN : ROW_WARNING;
}

static void domains_close(struct rows *rows)
{
	rows->data = NULL;
}

const struct table table_domains = {
	.name = "domains",
	.help = "The app domains of a .NET CF GC log, a section of it each; numbers of objects and "
			"types mean something in their section only",
	.needs = STAGE_READ,
	.parts = HAS_DOMAINS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = domains_open,
	.cell = domains_cell,
	.link = domains_link,
	.style = domains_style,
	.close = domains_close,
	.sort = -1,
};
