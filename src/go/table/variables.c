/* The table of global variables: the symbols of the executable in writable memory. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/findings/finding.h"
#include "table/naming/part.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/exe/gotypes.h"
#include "go/exe/image.h"
#include "go/types/names.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

struct variable {
	const struct image_symbol *symbol;
	uint64_t address, size, resident;
	bool knows_resident;
	const char *section;
};

/* The sections that have them. Go's linker keeps variables without pointers apart, as collections
   skip these. */
static const char *const variables_sections[] = {".noptrdata", ".data", ".noptrbss", ".bss"};
enum { SECTIONS = sizeof variables_sections / sizeof *variables_sections };

struct variables_range {
	struct image_section in;
	const char *name;
};

/* Returns the sections with variables of the executable and of each plugin; the caller frees. */
static struct variables_range *variables_ranges(const struct image *image, size_t *count)
{
	struct variables_range *range = NULL, found;
	size_t capacity = 0;
	for (size_t number = 0; number <= image->part_count; number++)
		for (int i = 0; i < SECTIONS; i++)
			if (image_section_of(image, number, variables_sections[i], &found.in)) {
				found.name = variables_sections[i] + 1;
				MEM_PUSH(range, *count, capacity, found);
			}
	return range;
}

/* Adds a variable, unless its symbol is of read-only memory. */
static void variables_add(struct rows *rows, const struct image_symbol *symbol,
                          const struct variables_range *range, size_t ranges, size_t *capacity)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	struct variable variable = {
		.symbol = symbol,
		.address = symbol->address + analysis_names(rows->analysis)->fit.data_bias,
		.size = symbol->size,
	};
	for (size_t i = 0; i < ranges; i++)
		if (symbol->address - range[i].in.address < range[i].in.size)
			variable.section = range[i].name;
	if (!variable.section)
		return;
	variable.knows_resident =
		heap_resident(heap, variable.address, variable.size, &variable.resident);
	struct variable *list = rows->data;
	MEM_PUSH(list, rows->count, *capacity, variable);
	rows->data = list;
}

static void variables_fill(struct rows *rows)
{
	const struct names *names = analysis_names(rows->analysis);
	const struct image *image = names && names->exe ? exe_image(names->exe) : NULL;
	struct variables_range *range = NULL;
	size_t capacity = 0, ranges = 0;
	buf_add(&rows->title, "global variables");
	if (image)
		range = variables_ranges(image, &ranges);
	for (size_t i = 0; image && i < image->symbol_count; i++)
		if (image->symbols[i].variable)
			variables_add(rows, &image->symbols[i], range, ranges, &capacity);
	free(range);
	if (!rows->count)
		buf_add(&rows->note, image ? "The executable has no symbols, which name variables and tell "
		                             "their sizes."
		                           : "Only the executable names variables, and there is none.");
}

static void variables_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct variable *variable = rows_record(rows, row);
	const char *name = variable->symbol->name;
	cell_symbol(value, (struct text){name, strlen(name)});
}

/* Returns what debug information says of a variable; NULL: it has nothing. */
static const struct exe_global *variables_global(const struct rows *rows,
                                                 const struct variable *variable)
{
	struct gotypes *types = analysis_types(rows->analysis);
	const struct exe_global *global = types ? gotypes_global_at(types, variable->symbol->address)
	                                        : NULL;
	return global && global->address == variable->symbol->address ? global : NULL;
}

static void variables_type_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct exe_global *global = variables_global(rows, rows_record(rows, row));
	if (!global)
		return;
	gotype_display(analysis_types(rows->analysis), global->type, cell_begin(value));
}

static const struct column columns[] = {
	{"address", "address", "Its address", VALUE_ADDRESS, 18, 1, FIELD(struct variable, address)},
	{"size", "size", "Its size in bytes, without what it points to", VALUE_BYTES, 9, 0,
     FIELD(struct variable, size)},
	{"resident_bytes", "resident", "Bytes of it that are resident, for snapshots and processes",
     VALUE_BYTES, 9, 0, FIELD_IF(struct variable, resident, knows_resident),
     .absent = rows_lack_residence},
	{"section", "section",
     "The section of the executable: data begins with values, bss as zeros; in those called noptr "
     "no "
     "variable has a pointer",
     VALUE_TEXT, 9, 0, FIELD(struct variable, section)},
	{"name", "name", "Its name", VALUE_TEXT, 0, 0, .cell = variables_name_cell},
	{"type", "type", "Its type, from the debug information of the executable", VALUE_TEXT, 20, 0,
     .cell = variables_type_cell, .stages = STAGE_TYPED},
};

/* Opens the value of a variable or the object that it points to, if the type and the bytes are
   known, else the pointers in it. */
static void variables_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct variable *variable = rows_record(rows, row);
	const char *name = variable->symbol->name;
	SCOPED_BUF text = {0};
	text_add_symbol(&text, name, strlen(name), SIZE_MAX);
	if (variables_global(rows, variable))
		part_add_page(rows->analysis, buf_text(&text), command);
	else
		buf_addf(command, "roots %s", buf_text(&text));
}

DEFINE_PLUGIN(tables, struct table, table_variables) = {
	.rank = 298,
	.name = "variables",
	.from = DAMAGE_GLOBALS,
	.help =
		"The global variables by size, with what of them is resident; a row opens the fields of "
		"its value, or the pointers in it to objects if the dump does not have the value",
	.needs = STAGE_NAMED,
	.parts = PART_GO,
	COLUMNS(columns),
	.fill = variables_fill,
	RECORD_ARRAY(struct variable),
	.link = variables_link,
	.sort = "size",
};

/* ---- Findings */

enum { LEAST = 10, LEAST_BYTES = 1 << 20, FOUND = 4 }; /* percent of the heap; of one, in all */

static const struct finding_kind variable_kind = {
	FINDING_USUAL, "variable", "",
	"A global variable that is itself large; it is no part of the heap",
	"{name}, a global variable, takes {bytes}; it is no part of the heap."};

/* Adds the largest variables, by what of them is resident. Elsewhere that cannot be told: a large
   one that was never written takes no memory. */
static bool variables_find(struct findings *findings, struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("variables"), findings->analysis, NULL, progress, err);
	for (size_t row = 0, found = 0; rows && row < rows->count && found < FOUND; row++) {
		const struct variable *variable = rows_record(rows, row);
		uint64_t bytes = variable->resident;
		if (!variable->knows_resident || bytes < LEAST_BYTES
		    || !findings_is_much(findings, bytes, LEAST))
			continue;
		struct finding *finding = findings_add(findings, &variable_kind);
		finding->bytes = bytes;
		finding->count = 1;
		rows_text(rows, row, table_column(rows->table, "type"), &finding->what);
		if (!finding->what.len)
			buf_add(&finding->what, "variable");
		rows_text(rows, row, table_column(rows->table, "name"), &finding->name);
		buf_add(&finding->link, "variables");
		found++;
	}
	rows_close(rows);
	return rows;
}

DEFINE_PLUGIN(finders, struct finder, variables_finder) = {.parts = PART_GO,
                                                           .find = variables_find};
