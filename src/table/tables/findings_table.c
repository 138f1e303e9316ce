/* The table of what is worth a look: the largest places, and what is wrong. */
#include "table/findings/finding.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/cell.h"

#include <string.h>

static const struct findings *findings_of(const struct rows *rows)
{
	return rows->data;
}

/* Says what is found only where no root is missing. */
static void findings_add_doubt(struct rows *rows)
{
	SCOPED_BUF cause = {0};
	if (!damage_cause(analysis_heap(rows->analysis), DAMAGE_ROOTS, &cause))
		return;
	rows->unknown = UINT64_MAX;
	buf_addf(&rows->note,
	         "%sUnused parts of arrays and most lost " THREAD_WORD "s are not known: %s.",
	         rows->note.len ? " " : "", buf_text(&cause));
}

/* Says that nothing was found, and what was not looked for. */
static void findings_add_note(struct rows *rows)
{
	if (findings_of(rows)->doubt.len)
		buf_addf(&rows->note, "%s.", buf_text(&findings_of(rows)->doubt));
	if (!rows->count)
		buf_add(&rows->note, findings_of(rows)->of_libraries
		                         ? "No finding is about variables of libraries."
		                         : "No place holds a large part of the heap, and no other check "
		                           "found anything.");
	if (findings_of(rows)->of_libraries)
		return;
	if (analysis_heap(rows->analysis)->params.redacted) {
		rows->unknown = UINT64_MAX;
		buf_addf(&rows->note, "%sEqual strings are not known of a redacted file.",
		         rows->note.len ? " " : "");
	}
	if (!heap_has(analysis_heap(rows->analysis), PART_GO))
		return;
	findings_add_doubt(rows);
	if (analysis_typing(rows->analysis))
		return;
	rows->unknown = UINT64_MAX;
	buf_addf(&rows->note,
	         "%sEqual strings, unused capacity and dead weak pointers are not known without the "
	         "program's executable.",
	         rows->note.len ? " " : "");
}

static bool findings_open(struct rows *rows, const char *argument, struct err *err)
{
	bool of_libraries = strcmp(argument, "libraries") == 0;
	if (*argument && !of_libraries)
		return err_set(err, "Findings can be selected by libraries, not by \"%.40s\"", argument);
	struct findings *findings = rows->data = mem_alloc(sizeof *findings);
	buf_add(&rows->title,
	        of_libraries ? "places in variables of libraries" : "findings, the worst first");
	if (!reach_must_be_known(rows->analysis, err)
	    || !findings_find(findings, rows->analysis, of_libraries, rows->progress, err))
		return false;
	rows->count = findings->count;
	findings_add_note(rows);
	return true;
}

static void findings_close(struct rows *rows)
{
	findings_fini(rows->data);
}

static const struct finding *finding_of(const struct rows *rows, size_t row)
{
	return &findings_of(rows)->finding[row];
}

static void findings_mark_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finding *finding = finding_of(rows, row);
	if (*finding->kind->mark || finding->recoverable)
		cell_text(value, *finding->kind->mark ? finding->kind->mark : "~");
}

static void findings_kind_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_field(rows, finding_of(rows, row)->kind, value);
}

static void findings_what_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_text(value, buf_text(&finding_of(rows, row)->what));
}

static void findings_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (finding_of(rows, row)->name.len)
		cell_text(value, buf_text(&finding_of(rows, row)->name));
}

static void findings_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct finding *finding = finding_of(rows, row);
	if (finding->of_heap)
		cell_share(value, finding->bytes, findings_of(rows)->whole);
}

static void findings_frees_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (finding_of(rows, row)->frees_known)
		cell_number(value, VALUE_BYTES, finding_of(rows, row)->frees);
}

static void findings_expression_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (finding_of(rows, row)->expression.len)
		cell_text(value, buf_text(&finding_of(rows, row)->expression));
}

static void findings_held_by_cell(const struct rows *rows, size_t row, struct value *value)
{
	if (finding_of(rows, row)->held_by.len)
		cell_text(value, buf_text(&finding_of(rows, row)->held_by));
}

static void findings_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_add(command, buf_text(&finding_of(rows, row)->link));
}

static const struct column columns[] = {
	{"mark", "",
     "Why it is suspicious: + it grew, ! it can never run or wake up, ~ it is not used; empty: it "
     "uses memory",
     VALUE_TEXT, 1, 0, .cell = findings_mark_cell, .is_mark = true},
	{"kind", "kind", "The kind of the finding, such as place, threads or duplicates", VALUE_TEXT,
     10, 3, .cell = findings_kind_cell, FIELD(struct finding_kind, name)},
	{"bytes", "bytes", "Bytes that it takes; of a place: with all below it", VALUE_BYTES, 9, 0,
     FIELD_UNLESS_0(struct finding, bytes)},
	{"frees", "frees",
     "Bytes that are freed if all of its objects go, or all of its " THREADS_WORD
     " end, with their stacks; less than bytes: others hold a part of these, too; more: bytes "
     "are only what is unused of its objects, or by how much they have grown; empty: not computed, "
     "or it is about no set of objects, as slots without one, finalizers that are due, and what is "
     "not used at many places",
     VALUE_BYTES, 9, 0, .cell = findings_frees_cell},
	{"share", "share", "Share of all reachable bytes; empty for bytes that are not among these",
     VALUE_SHARE, 6, 1, .cell = findings_share_cell},
	{"count", "count", "Number of objects, entries, or " THREADS_WORD " that it is about",
     VALUE_COUNT, 9, 3, FIELD_UNLESS_0(struct finding, count)},
	{"what", "what",
     "What it is: a number of objects, or of " THREADS_WORD
     " with what they wait for, which may never "
     "wake up",
     VALUE_TEXT, 0, 0, .cell = findings_what_cell},
	{"name", "where", "Its place: the steps from a root, or a function", VALUE_TEXT, 24, 0,
     .cell = findings_name_cell},
	{"also_held_by", "also held by",
     "What else holds its objects or those below them, and most of their bytes: another place, a "
     "variable, or the function whose stacks do; empty: nothing holds a tenth of them",
     VALUE_TEXT, 24, 4, .cell = findings_held_by_cell},
	{"recoverable_bytes", "to save",
     "Bytes of these that a change of the program could save; rows may count the same bytes",
     VALUE_BYTES, 9, 2, FIELD_UNLESS_0(struct finding, recoverable)},
	{"expression", "expression",
     "What it is about, as retained by type takes it, such as at=main.cache[*]; empty: it "
     "has none",
     VALUE_TEXT, 24, 5, .cell = findings_expression_cell},
	{"why", "why", "Why it is worth a look", VALUE_TEXT, 40, 4, .cell = findings_kind_cell,
     FIELD(struct finding_kind, why), .cut_end = true},
};

DEFINE_PLUGIN(tables, struct table, table_findings) = {
	.rank = 4,
	.name = "findings",
	.from = DAMAGE_ROOTS,
	.help = "What is worth a look: the places that hold most of the heap, and what is wrong, the "
			"worst first; rows may overlap. With libraries: each place that the row of the kind "
			"libraries stands for",
	.argument = "[libraries]",
	.needs = STAGE_ALL,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = findings_open,
	.link = findings_link,
	RECORDS(struct findings, finding),
	.close = findings_close,
};
