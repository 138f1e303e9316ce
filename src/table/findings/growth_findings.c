/* Finds the places that have grown most since the oldest of the earlier dumps. */
#include "table/findings/finding.h"

#include "analysis/series.h"
#include "table/table.h"

enum { MOST = 8 };

static const struct finding_kind growth_kind = {
	FINDING_FIRST, "growth", "+", "It has grown since the oldest earlier dump; bytes: how much",
	"{name} has grown by {bytes} since the oldest earlier dump: {what}."};

static bool growth_findings(struct findings *findings, struct progress *progress, struct err *err)
{
	const struct analysis *analysis = findings->analysis;
	struct err why = {0};
	if (!analysis_series(analysis))
		return true;
	struct rows *rows = rows_open_watched(table_find("growth"), analysis, NULL, progress, &why);
	if (!rows && !why.absent) {
		*err = why;
		return false; /* else the overview says why the dumps are not compared */
	}
	for (size_t row = 0; rows && row < rows->count && row < MOST; row++) {
		struct value bytes = rows_number(rows, row, "bytes_delta");
		struct finding *finding = findings_add(findings, &growth_kind);
		finding->count = rows_number(rows, row, "count_delta").number;
		finding->bytes = bytes.negative ? 0 : bytes.number;
		rows_text(rows, row, table_column(rows->table, "counts"), &finding->what);
		rows_text(rows, row, table_column(rows->table, "name"), &finding->name);
		rows_link(rows, row, &finding->link);
	}
	rows_close(rows);
	return true;
}

DEFINE_PLUGIN(finders, struct finder, growth_finder) = {.find = growth_findings};
