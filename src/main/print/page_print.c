#include "main/print/page_print.h"

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "main/print/output.h"
#include "main/print/writer.h"

enum { GROUPS = 8 }; /* maximum nesting */

static const char *page_print_text_of(const struct page *page, size_t text)
{
	return text ? page->text.data + text : "";
}

/* Prints rows from `row` on. */
static bool page_print_rows(const struct rows *rows, size_t row, size_t count, enum output output,
                            struct buf *out)
{
	struct selection selection = {.count = count};
	if (row) {
		selection.row = mem_alloc(count * sizeof *selection.row);
		for (size_t i = 0; i < count; i++)
			selection.row[i] = (uint32_t)(row + i);
	}
	bool ok = writer_print(output, rows, NULL, &selection, count, out);
	selection_fini(&selection);
	return ok;
}

/* ---- Text: lines without styles, bars and truncation */

static void page_print_add_piece(const struct page *page, const struct page_piece *piece,
                                 size_t begin, struct buf *out)
{
	const char *text = page_print_text_of(page, piece->text);
	int x = text_columns(buf_text(out) + begin);
	if (piece->place == PAGE_BAR)
		return;
	for (int start = page_piece_start(piece, x, text_columns(text)); x < start; x++)
		buf_add_char(out, ' ');
	buf_add(out, text);
}

void page_print_line(const struct page *page, const struct page_line *line, struct buf *out)
{
	size_t begin = out->len;
	for (size_t k = 0; k < line->count; k++)
		page_print_add_piece(page, &page->pieces[line->first + k], begin, out);
	while (out->len > begin && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_add_char(out, '\n');
}

static void page_print_text(const struct page *page, struct buf *out)
{
	bool ok = true;
	for (size_t i = 0; i < page->count && ok; i++) {
		const struct page_line *line = &page->lines[i];
		if (line->rows) {
			ok = page_print_rows(line->rows, line->row, line->row_count, OUTPUT_TEXT, out);
			continue;
		}
		page_print_line(page, line, out);
		ok = output_some(out);
	}
}

/* ---- JSON */

static void page_print_json_rows(const struct page_datum *datum, struct json *json)
{
	const struct columns columns = columns_all(datum->rows->table);
	json_open(json, '[');
	for (size_t i = 0; i < datum->row_count && output_some(json->out); i++) {
		json_line(json);
		json_open(json, '{');
		json_cells(json, datum->rows, datum->row + i, &columns);
		json_close(json, '}');
	}
	json_close(json, ']');
}

void page_print_values(const struct page *page, struct json *into)
{
	struct json json = *into;
	struct buf *out = json.out;
	SCOPED_BUF text = {0};
	json_open(&json, '{');
	for (size_t i = 0; i < page->data_count && output_some(out); i++) {
		const struct page_datum *datum = &page->data[i];
		struct value value = datum->value;
		buf_clear(&text);
		buf_add(&text, page_print_text_of(page, datum->text));
		value.text = &text;
		if (datum->name)
			json_key(&json, page_print_text_of(page, datum->name));
		else if (datum->kind == DATUM_OPEN)
			json_line(&json);
		switch (datum->kind) {
		case DATUM_VALUE:
			json_value(&json, &value);
			break;
		case DATUM_OPEN:
			json_open(&json, datum->array ? '[' : '{');
			break;
		case DATUM_CLOSE:
			json_close(&json, datum->array ? ']' : '}');
			break;
		case DATUM_ROWS:
			page_print_json_rows(datum, &json);
			break;
		}
	}
	json_close(&json, '}');
	*into = json;
}

/* ---- CSV */

static void page_print_csv_value(const struct page *page, const struct page_datum *datum,
                                 struct buf *out)
{
	SCOPED_BUF text = {0};
	struct value value = datum->value;
	buf_add(&text, page_print_text_of(page, datum->text));
	value.text = &text;
	csv_value(out, &value);
}

/* Appends an array: values as one cell, separated by blanks; of groups only their number. Returns
   the index of its end. */
static size_t page_print_csv_array(const struct page *page, size_t at, struct buf *out)
{
	size_t groups = 0, depth = 0, values = 0;
	SCOPED_BUF cell = {0};
	for (at++; depth || page->data[at].kind != DATUM_CLOSE; at++) {
		const struct page_datum *datum = &page->data[at];
		groups += depth == 0 && datum->kind == DATUM_OPEN;
		depth += datum->kind == DATUM_OPEN;
		depth -= datum->kind == DATUM_CLOSE;
		if (depth == 0 && datum->kind == DATUM_VALUE) {
			buf_add(&cell, values++ ? " " : "");
			page_print_csv_value(page, datum, &cell);
		}
	}
	if (values)
		buf_add(out, buf_text(&cell));
	else
		number_add(out, groups);
	return at;
}

/* Appends lines with dotted names such as "memstats.Sys" or "typed.known_bytes": the groups of a
   value, and its own name. */
static void page_print_csv(const struct page *page, struct buf *out)
{
	size_t before[GROUPS], depth = 0;
	SCOPED_BUF group = {0};
	buf_add(out, "name,value\r\n");
	for (size_t i = 0; i < page->data_count; i++) {
		const struct page_datum *datum = &page->data[i];
		const char *name = page_print_text_of(page, datum->name);
		if (datum->kind == DATUM_OPEN && !datum->array) {
			before[depth] = group.len;
			buf_addf(&group, "%s%s", name, depth++ ? "_" : ".");
			continue;
		}
		if (datum->kind == DATUM_CLOSE) {
			group.len = before[--depth];
			group.data[group.len] = '\0';
			continue;
		}
		buf_addf(out, "%s%s,", buf_text(&group), name);
		if (datum->kind == DATUM_OPEN)
			i = page_print_csv_array(page, i, out);
		else
			page_print_csv_value(page, datum, out);
		buf_add(out, "\r\n");
	}
}

/* Returns the first table of the page. */
static const struct page_datum *page_print_table(const struct page *page)
{
	for (size_t i = 0; i < page->data_count; i++)
		if (page->data[i].kind == DATUM_ROWS)
			return &page->data[i];
	return NULL;
}

void page_print(const struct page *page, struct buf *out)
{
	const struct page_datum *table = page_print_table(page);
	if (page->form == FORM_JSON) {
		struct json json = {out, false};
		page_print_values(page, &json);
		buf_add_char(out, '\n');
	} else if (page->form == FORM_CSV && table)
		page_print_rows(table->rows, table->row, table->row_count, OUTPUT_CSV, out);
	else if (page->form == FORM_CSV)
		page_print_csv(page, out);
	else
		page_print_text(page, out);
}
