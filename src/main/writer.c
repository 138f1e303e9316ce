#include "main/writer.h"

#include "main/output.h"

bool writer_print(enum output output, const struct rows *rows, const struct columns *columns,
				  const uint32_t *order, size_t limit, struct buf *out)
{
	static const struct writer *const writers[] = {
		[OUTPUT_TEXT] = &writer_text,
		[OUTPUT_JSON] = &writer_json,
		[OUTPUT_CSV] = &writer_csv,
	};
	const struct writer *writer = writers[output];
	size_t count = limit < rows->count ? limit : rows->count;
	struct columns all = columns_all(rows->table);
	struct writing writing = {.rows = rows, .order = order, .count = count, .out = out,
							  .columns = columns ? columns : &all};
	bool ok = true;
	writer->begin(&writing);
	for (size_t i = 0; i < count && ok; i++) {
		writer->row(&writing, order ? order[i] : i, i == 0);
		ok = output_some(out);
	}
	writer->end(&writing);
	buf_free(&writing.cell);
	return ok;
}
