/* Rows as aligned text for people. The first rows determine the widths of columns; later cells may
   exceed them, because rows are not buffered. */
#include "main/print/writer.h"

#include "base/text.h"

enum { MEASURED = 1000, WIDEST = 60, GAP = 2, INDENT = 2, DEEPEST = 100 };

bool column_is_right(const struct column *column)
{
	return column->kind != VALUE_TEXT && column->kind != VALUE_LIST && column->kind != VALUE_ADDRESS
	       && column->kind != VALUE_BOOL;
}

static void pad(struct buf *out, int columns)
{
	for (int i = 0; i < columns; i++)
		buf_add_char(out, ' ');
}

static const struct column *column_at(const struct writing *writing, int place)
{
	return &writing->rows->table->columns[writing->columns->column[place]];
}

static void add_cell(struct writing *writing, int place, const char *text)
{
	int space = writing->width[place] - text_columns(text);
	bool right = column_is_right(column_at(writing, place)),
		 last = place == writing->columns->count - 1;
	if (place)
		pad(writing->out, GAP);
	if (right)
		pad(writing->out, space);
	buf_add(writing->out, text);
	if (!right && !last)
		pad(writing->out, space);
}

/* Ends a line, and removes trailing spaces. */
static void end_line(struct buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_add_char(out, '\n');
}

/* Returns the text of a cell; in a tree, the column without a width is indented by depth. */
static const char *cell_text_of(struct writing *writing, size_t at, int place)
{
	const uint32_t *depth = writing->selection->depth;
	buf_clear(&writing->cell);
	if (depth && !column_at(writing, place)->width)
		pad(&writing->cell, INDENT * (int)(depth[at] < DEEPEST ? depth[at] : DEEPEST));
	rows_text(writing->rows, writing_row(writing, at), writing->columns->column[place],
	          &writing->cell);
	return buf_text(&writing->cell);
}

static void writer_text_begin(struct writing *writing)
{
	if (!writing->count)
		return;
	for (int i = 0; i < writing->columns->count; i++) {
		writing->width[i] = text_columns(column_at(writing, i)->name);
		for (size_t k = 0; k < writing->count && k < MEASURED; k++) {
			int width = text_columns(cell_text_of(writing, k, i));
			width = width < WIDEST ? width : WIDEST;
			if (width > writing->width[i])
				writing->width[i] = width;
		}
	}
	for (int i = 0; i < writing->columns->count; i++)
		add_cell(writing, i, column_at(writing, i)->name);
	end_line(writing->out);
}

static void writer_text_row(struct writing *writing, size_t number)
{
	(void)number;
	for (int i = 0; i < writing->columns->count; i++)
		add_cell(writing, i, cell_text_of(writing, writing->at, i));
	end_line(writing->out);
}

const struct writer writer_text = {writer_text_begin, writer_text_row, NULL};
