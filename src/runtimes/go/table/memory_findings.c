/* Finds resident memory that is not the heap, where it is most of what is resident. */
#include "table/findings/finding.h"

#include "base/text.h"
#include "table/table.h"

enum { PERCENT = 50 };

static const struct finding_kind memory_kind = {
	FINDING_USUAL, "memory", "", "It is most of the resident memory, and not in the heap"};

static bool memory_find(struct findings *findings, struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("memory"), findings->analysis, NULL, progress, err);
	uint64_t all = 0, most = 0;
	size_t place = 0;
	for (size_t row = 0; rows && row < rows->count; row++) {
		uint64_t bytes = rows_number(rows, row, "resident_bytes").number;
		all += bytes;
		if (bytes > most) {
			most = bytes;
			place = row;
		}
	}
	if (rows && most > findings->whole && most * 100 >= all * PERCENT) {
		struct finding *finding = findings_add(findings, &memory_kind);
		finding->bytes = most;
		buf_add(&finding->what, "of ");
		text_add_size(&finding->what, all);
		buf_add(&finding->what, " resident");
		rows_text(rows, place, table_column(rows->table, "use"), &finding->name);
		buf_add(&finding->name, ", not objects");
		buf_add(&finding->link, "memory");
	}
	rows_close(rows);
	return rows;
}

static const struct finder memory_finder = {.parts = PART_PROCESS, .find = memory_find};
PLUGIN(finders, memory_finder);
