#include "main/print/writer.h"

#include "main/print/output.h"

bool writing_tells_depth(const struct writing *writing)
{
	return writing->selection->depth && table_column(writing->rows->table, "depth") < 0;
}

size_t writing_row(const struct writing *writing, size_t place)
{
	return writing->selection->row ? writing->selection->row[place] : place;
}

/* `keep`: leaves everything in the buffer. */
static bool writer_run(enum output output, const struct rows *rows, const struct columns *columns,
                       const struct selection *selection, size_t limit, struct buf *out, bool keep)
{
	static const struct writer *const writers[] = {
		[OUTPUT_TEXT] = &writer_text,
		[OUTPUT_JSON] = &writer_json,
		[OUTPUT_CSV] = &writer_csv,
		[OUTPUT_JSONL] = &writer_jsonl,
	};
	const struct writer *writer = writers[output];
	const struct selection as_they_are = {.count = rows->count};
	selection = selection ? selection : &as_they_are;
	size_t first = selection->first < selection->count ? selection->first : selection->count;
	size_t count = limit < selection->count - first ? first + limit : selection->count;
	struct columns all = columns_all(rows->table);
	struct writing writing = {.rows = rows,
	                          .selection = selection,
	                          .first = first,
	                          .at = first,
	                          .count = count,
	                          .out = out,
	                          .columns = columns ? columns : &all};
	bool ok = true;
	if (writer->begin)
		writer->begin(&writing);
	for (; writing.at < count && ok; writing.at++) {
		writer->row(&writing, writing_row(&writing, writing.at));
		ok = keep || output_some(out);
	}
	if (writer->end)
		writer->end(&writing);
	buf_free(&writing.cell);
	return ok;
}

bool writer_print(enum output output, const struct rows *rows, const struct columns *columns,
                  const struct selection *selection, size_t limit, struct buf *out)
{
	return writer_run(output, rows, columns, selection, limit, out, false);
}

void writer_collect(enum list_form form, const struct rows *rows, uint32_t *row, size_t count,
                    struct buf *out)
{
	static const enum output outputs[] = {
		[LIST_TEXT] = OUTPUT_TEXT, [LIST_CSV] = OUTPUT_CSV, [LIST_JSON] = OUTPUT_JSON};
	const struct selection selection = {.row = row, .count = count};
	struct columns columns = columns_all(rows->table);
	if (form == LIST_TEXT)
		columns_leave_empty(&columns, rows, row, count);
	writer_run(outputs[form], rows, &columns, &selection, count, out, true);
}
