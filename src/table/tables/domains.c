/* The table of app domains in a log, with a section for each. */
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"

static void domains_fill(struct rows *rows)
{
	rows->count = analysis_heap(rows->analysis)->domain_count;
	buf_add(&rows->title, "app domains");
}

static const void *domains_record(const struct rows *rows, size_t row)
{
	return &analysis_heap(rows->analysis)->domains[row];
}

static void domains_section_cell(const struct rows *rows, size_t row, struct value *value)
{
	(void)rows;
	cell_number(value, VALUE_ID, row + 1);
}

static void domains_time_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct domain *domain = domains_record(rows, row);
	if (domain->record.has_time)
		cell_number(value, VALUE_TIME, domain->record.time * 1000000);
}

static const struct column columns[] = {
	{"section", "#", "Number of the section in the log, from 1", VALUE_ID, 4, 0,
     .cell = domains_section_cell},
	{"name", "app domain", "Its name, usually that of the program", VALUE_TEXT, 0, 0,
     FIELD(struct domain, record.name)},
	{"objects", "objects", "Objects of the section", VALUE_COUNT, 11, 0,
     FIELD(struct domain, objects)},
	{"bytes", "bytes", "Bytes of these objects", VALUE_BYTES, 10, 0, FIELD(struct domain, bytes)},
	{"types", "types", "Types that the section names", VALUE_COUNT, 8, 1,
     FIELD(struct domain, types)},
	{"roots", "roots", "Roots of the section", VALUE_COUNT, 8, 0, FIELD(struct domain, roots)},
	{"time", "time", "Time since the device was started; restarts at 0 after 49.7 days", VALUE_TIME,
     9, 1, .cell = domains_time_cell},
	{"complete", "complete", "Does the section have its end record?", VALUE_BOOL, 8, 0,
     FIELD(struct domain, ended)},
};

static void domains_link(const struct rows *rows, size_t row, struct buf *command)
{
	(void)rows;
	buf_addf(command, "objects section=%zu", row + 1);
}

static enum row_style domains_style(const struct rows *rows, size_t row)
{
	return analysis_heap(rows->analysis)->domains[row].ended ? ROW_PLAIN : ROW_WARNING;
}

DEFINE_PLUGIN(tables, struct table, table_domains) = {
	.rank = 290,
	.name = "domains",
	.rare = true,
	.help = "The app domains of a .NET CF GC log, one per section; numbers of objects and types "
			"are valid only in their own section",
	.needs = STAGE_READ,
	.parts = PART_DOMAINS,
	COLUMNS(columns),
	.fill = domains_fill,
	.record = domains_record,
	.link = domains_link,
	.style = domains_style,
};
