/* Finds resident memory that is not the heap, where it is most of what is resident. */
#include "table/findings/finding.h"

#include "base/text.h"
#include "runtimes/go/table/memory_use.h"
#include "table/table.h"

enum { MOST = 50, PART = 10, PARTS = 4, USES_NAMED = 2 }; /* percent of what is resident; rows */

static const struct finding_kind memory_kind = {FINDING_USUAL, "memory", "",
                                                "It is most of the resident memory, and not Go's"};
static const struct finding_kind mapping_kind = {
	FINDING_USUAL, "mapping", "",
	"Much of the resident memory that is not Go's; a variable or an object that points there names "
	"it"};

struct memory_sum {
	uint64_t all, outside;
	struct {
		uint64_t bytes;
		size_t row;
	} most[USES_NAMED]; /* the largest uses outside, in descending order */
};

static void memory_add_up(const struct rows *rows, struct memory_sum *sum)
{
	for (size_t row = 0; row < rows->count; row++) {
		struct buf use = {0};
		uint64_t bytes = rows_number(rows, row, "resident_bytes").number;
		rows_text(rows, row, table_column(rows->table, "use"), &use);
		sum->all += bytes;
		bool outside = memory_use_is_outside(buf_text(&use));
		sum->outside += outside ? bytes : 0;
		size_t place = USES_NAMED;
		while (outside && place > 0 && bytes > sum->most[place - 1].bytes)
			place--;
		for (size_t i = USES_NAMED - 1; outside && i > place; i--)
			sum->most[i] = sum->most[i - 1];
		if (outside && place < USES_NAMED) {
			sum->most[place].bytes = bytes;
			sum->most[place].row = row;
		}
		buf_free(&use);
	}
}

/* Adds the largest mappings outside, with what points there. */
static bool memory_report_mappings(struct findings *findings, uint64_t all,
                                   struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("mappings"), findings->analysis, NULL, progress, err);
	size_t parts = 0;
	for (size_t row = 0; rows && row < rows->count && parts < PARTS; row++) {
		struct buf use = {0}, name = {0};
		uint64_t bytes = rows_number(rows, row, "resident_bytes").number;
		rows_text(rows, row, table_column(rows->table, "use"), &use);
		if (bytes * 100 >= all * PART && memory_use_is_outside(buf_text(&use))) {
			struct finding *finding = findings_add(findings, &mapping_kind);
			finding->bytes = bytes;
			rows_text(rows, row, table_column(rows->table, "name"), &name);
			rows_text(rows, row, table_column(rows->table, "pointed_from"), &finding->name);
			buf_add(&finding->what, buf_text(&name));
			if (!finding->name.len)
				buf_add(&finding->name, "no pointer of the Go program leads there");
			buf_addf(&finding->link, "mappings %s", buf_text(&use));
			parts++;
		}
		buf_free(&use);
		buf_free(&name);
	}
	rows_close(rows);
	return rows;
}

static bool memory_find(struct findings *findings, struct progress *progress, struct err *err)
{
	struct rows *rows =
		rows_open_watched(table_find("memory"), findings->analysis, NULL, progress, err);
	struct memory_sum sum = {0};
	if (!rows)
		return false;
	memory_add_up(rows, &sum);
	bool most = sum.outside > findings->whole && sum.outside * 100 >= sum.all * MOST;
	if (most) {
		struct finding *finding = findings_add(findings, &memory_kind);
		finding->bytes = sum.outside;
		buf_add(&finding->what, "of ");
		text_add_size(&finding->what, sum.all);
		buf_add(&finding->what, " resident");
		buf_add(&finding->name, "not Go's: ");
		for (size_t i = 0; i < USES_NAMED && sum.most[i].bytes; i++) {
			buf_add(&finding->name, i ? ", " : "");
			rows_text(rows, sum.most[i].row, table_column(rows->table, "use"), &finding->name);
			buf_add(&finding->name, " ");
			text_add_size(&finding->name, sum.most[i].bytes);
		}
		buf_add(&finding->link, "memory");
	}
	rows_close(rows);
	return !most || memory_report_mappings(findings, sum.all, progress, err);
}

static const struct finder memory_finder = {.parts = PART_PROCESS, .find = memory_find};
PLUGIN(finders, memory_finder);
