/* Rows as comma-separated values (RFC 4180), with a header line. */
#include "base/number.h"
#include "main/print/writer.h"

#include <inttypes.h>
#include <string.h>

static void csv_add_quoted(struct buf *out, const char *before, const char *text)
{
	buf_add(out, before);
	for (; *text; text++) {
		if (*text == '"')
			buf_add_char(out, '"');
		buf_add_char(out, *text);
	}
	buf_add_char(out, '"');
}

void csv_quoted(struct buf *out, const char *text)
{
	csv_add_quoted(out, "\"", text);
}

void csv_text(struct buf *out, const char *text)
{
	/* Spreadsheets would take such a text as a formula: it gets a leading apostrophe. */
	bool formula = *text && strchr("=+-@\t\r", *text);
	if (formula || text[strcspn(text, ",\"\r\n")])
		csv_add_quoted(out, formula ? "\"'" : "\"", text);
	else
		buf_add(out, text);
}

void csv_value(struct buf *out, const struct value *value)
{
	struct buf list = {0};
	if (value->negative)
		buf_add_char(out, '-');
	switch (value->kind) {
	case VALUE_NONE:
		break;
	case VALUE_LIST:
		value_add(value, &list);
		csv_text(out, buf_text(&list));
		buf_free(&list);
		break;
	case VALUE_TEXT:
		csv_text(out, buf_text(value->text));
		break;
	case VALUE_ADDRESS:
		number_add_hex(out, value->number);
		break;
	case VALUE_BOOL:
		buf_add(out, value->number ? "true" : "false");
		break;
	case VALUE_SHARE:
		number_add_percent(out, value->number, value->whole);
		break;
	case VALUE_REAL:
		value_add(value, out);
		break;
	default: /* the others are numbers */
		number_add(out, value->number);
		break;
	}
}

static void writer_csv_begin(struct writing *writing)
{
	const struct table *table = writing->rows->table;
	if (writing_tells_depth(writing))
		buf_add(writing->out, "depth,");
	for (int i = 0; i < writing->columns->count; i++) {
		buf_add(writing->out, i ? "," : "");
		csv_text(writing->out, table->columns[writing->columns->column[i]].name);
	}
	buf_add(writing->out, "\r\n");
}

void csv_row(struct buf *out, const struct rows *rows, size_t row, const struct columns *columns)
{
	SCOPED_BUF text = {0};
	for (int i = 0; i < columns->count; i++) {
		struct value value = columns_value(columns, rows, row, i, &text);
		buf_add(out, i ? "," : "");
		csv_value(out, &value);
	}
	buf_add(out, "\r\n");
}

static void writer_csv_row(struct writing *writing, size_t number)
{
	if (writing_tells_depth(writing))
		buf_addf(writing->out, "%" PRIu32 ",", writing->selection->depth[writing->at]);
	csv_row(writing->out, writing->rows, number, writing->columns);
}

const struct writer writer_csv = {writer_csv_begin, writer_csv_row, NULL};
