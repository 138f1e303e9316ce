/* Finds the places that have grown most since the oldest of the earlier dumps. */
#include "table/findings/finding.h"

#include "analysis/series.h"
#include "table/table.h"

#include <string.h>

enum { MOST = 8 };

static const struct finding_kind growth_kind = {
	FINDING_FIRST, "growth", "+", "It has grown since the oldest earlier dump; bytes: how much",
	"{name} has grown by {bytes} since the oldest earlier dump: {what}."};

/* Makes a finding one about the objects that its command opens, if it opens such. */
static void growth_take_set(struct finding *finding)
{
	static const char one[] = "object 0x", many[] = "objects ";
	const char *link = buf_text(&finding->link);
	if (strncmp(link, one, strlen(one)) == 0)
		buf_addf(&finding->expression, "object=%s", link + strlen("object "));
	else if (strncmp(link, many, strlen(many)) == 0)
		buf_add(&finding->expression, link + strlen(many));
}

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
		growth_take_set(finding);
	}
	rows_close(rows);
	return true;
}

DEFINE_PLUGIN(finders, struct finder, growth_finder) = {.find = growth_findings};
