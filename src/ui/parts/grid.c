/* Rows of a table on a screen. */
#include "ui/grid.h"

#include "base/text.h"
#include "table/naming/shorten.h"

#include <string.h>

bool grid_is_number(enum value_kind kind)
{
	return kind == VALUE_COUNT || kind == VALUE_ID || kind == VALUE_BYTES || kind == VALUE_OFFSET
	       || kind == VALUE_TIME || kind == VALUE_SHARE;
}

static void head(const struct rows *rows, int column, struct canvas *canvas, int y, int x,
                 int width, const char *arrow)
{
	SCOPED_BUF text = {0};
	const struct column *c = &rows->table->columns[column];
	bool right = grid_is_number(c->kind);
	/* Objects without addresses have numbers. */
	bool id = rows->numbered && c->kind == VALUE_ADDRESS && strcmp(c->title, "address") == 0;
	buf_addf(&text, "%s%s%s", right ? arrow : "", id ? "id" : c->title, right ? "" : arrow);
	int gap = right && text_columns(buf_text(&text)) > width; /* room for the arrow */
	if (right)
		canvas_right(canvas, y, x - gap, width + gap, STYLE_HEAD, buf_text(&text));
	else
		canvas_middle(canvas, y, x, width, STYLE_HEAD, buf_text(&text));
}

void grid_heads(const struct grid *grid, const struct rows *rows, struct canvas *canvas, int y,
                int sort, bool descending)
{
	static const char *const arrows[2][2] = {{"▲", "▼"}, {"^", "v"}};
	for (int i = 0; i < grid->count; i++) {
		int column = grid->at[i].column;
		const char *arrow = column == sort ? arrows[canvas->ascii][descending] : "";
		head(rows, column, canvas, y, grid->at[i].x, grid->at[i].width, arrow);
	}
}

/* Returns true if a cell matches a word of a command. Counts in cells have commas, arguments do
   not. */
static bool grid_is_word(const char *word, const char *cell)
{
	for (; *word || *cell; cell++) {
		if (*cell == ',')
			continue;
		if (*word++ != *cell)
			return false;
	}
	return true;
}

/* Returns the place of the cell that Enter follows: the one that matches the last word of the row's
   command, else the text that names the row. -1: the row has no link. */
static int target_cell(const struct grid *grid, const struct rows *rows, size_t row,
                       const struct buf text[])
{
	SCOPED_BUF command = {0};
	rows_link(rows, row, &command);
	const char *word = strrchr(buf_text(&command), ' ');
	int target = command.len ? 0 : -1;
	bool named = word || (grid->count && rows->table->columns[grid->at[0].column].is_mark);
	for (int i = 0; target >= 0 && named && i < grid->count; i++)
		if (!rows->table->columns[grid->at[i].column].width)
			target = i;
	for (int i = grid->count - 1; word && i >= 0; i--)
		if (grid_is_word(word + 1, buf_text(&text[i])))
			target = i;
	return target;
}

static enum style cell_style(const struct rows *rows, int column, enum row_style row, bool target)
{
	static const enum style row_styles[] = {
		[ROW_PLAIN] = STYLE_PLAIN,
		[ROW_FAINT] = STYLE_FAINT,
		[ROW_WARNING] = STYLE_WARNING,
	};
	if (rows_column_waits(rows, column))
		return STYLE_FAINT;
	if (target)
		return STYLE_LINK;
	if (row == ROW_PLAIN && rows->table->columns[column].kind == VALUE_ADDRESS)
		return STYLE_ADDRESS;
	return row_styles[row];
}

/* Returns the style of a text that is no link: of a mark of what is wrong or not used, a guess, a
   zero. */
static enum style grid_text_style(const struct column *column, const char *cell, enum style style)
{
	if (style != STYLE_PLAIN)
		return style;
	if (column->is_mark)
		return *cell == '~' ? STYLE_WASTE : STYLE_WARNING;
	if (*cell == '~')
		return STYLE_GUESS;
	return strcmp(cell, "0 B") == 0 || strcmp(cell, "0.0%") == 0 ? STYLE_FAINT : STYLE_PLAIN;
}

static bool grid_is_left(const struct grid *grid, const struct table *table, int i)
{
	return !grid_is_number(table->columns[grid->at[i].column].kind);
}

/* Returns the columns available to the text of a cell, including empty cells to its right, and the
   blanks before a number there. */
static int room(const struct grid *grid, int i, const struct table *table, const struct buf text[],
                int screen)
{
	for (int next = i + 1; next < grid->count; next++) {
		int blanks = grid->at[next].width - text_columns(buf_text(&text[next]));
		bool left = grid->heaviest || grid_is_left(grid, table, next) || blanks < 0;
		if (text[next].len)
			return grid->at[next].x + (left ? 0 : blanks) - GRID_GAP - grid->at[i].x;
	}
	return screen - grid->at[i].x;
}

/* Returns how many columns of so many a text leaves blank, and stores how many it lacks so that it
   is not cut; 0: it is shortened at most. */
static int grid_blanks(const char *text, int width, int *lacks)
{
	SCOPED_BUF shorter = {0}, cut = {0};
	*lacks = 0;
	if (text_columns(text) <= width)
		return width - text_columns(text);
	shorten_to(text, width, &shorter);
	shorten_cut(buf_text(&shorter), width, &cut);
	if (text_columns(buf_text(&shorter)) > width)
		*lacks = text_columns(buf_text(&shorter)) - width;
	return width - text_columns(buf_text(&cut));
}

/* Moves the border between two texts of a row, one of which would be cut beside blanks. */
static void grid_share_blanks(struct grid *grid, int i, int next, const struct table *table,
                              const struct buf text[], int screen)
{
	int lacks, lacks_after, width = grid->at[next].x - GRID_GAP - grid->at[i].x;
	int blanks = grid_blanks(buf_text(&text[i]), width, &lacks);
	if (width < text_columns(buf_text(&text[i]))) { /* the first text may have all of its parts */
		SCOPED_BUF shorter = {0};
		shorten_paths(buf_text(&text[i]), &shorter);
		int more = text_columns(buf_text(&shorter)) - width;
		lacks = more > lacks ? more : lacks;
	}
	int blanks_after =
		grid_blanks(buf_text(&text[next]), room(grid, next, table, text, screen), &lacks_after);
	int moved = lacks < blanks_after ? lacks : blanks_after;
	if (lacks_after && blanks > 0)
		moved = -(lacks_after < blanks ? lacks_after : blanks);
	grid->at[next].x += moved;
	grid->at[next].width -= moved;
}

static bool grid_is_name(const struct grid *grid, const struct table *table, int i)
{
	const struct column *column = &table->columns[grid->at[i].column];
	return column->kind == VALUE_TEXT && !column->cut_end && !column->is_mark;
}

static void grid_share_all_blanks(struct grid *grid, const struct table *table,
                                  const struct buf text[], int screen)
{
	for (int i = 0, last = -1; i < grid->count; i++) {
		if (!text[i].len)
			continue;
		if (last >= 0 && grid_is_name(grid, table, last) && grid_is_name(grid, table, i))
			grid_share_blanks(grid, last, i, table, text, screen);
		last = i;
	}
}

static void grid_draw_cell(const struct grid *grid, int i, const struct table *table,
                           const struct buf text[], enum style style, struct canvas *canvas, int y)
{
	const struct column *column = &table->columns[grid->at[i].column];
	const char *cell = buf_text(&text[i]);
	style = grid_text_style(column, cell, style);
	if (grid_is_number(column->kind))
		canvas_right(canvas, y, grid->at[i].x, grid->at[i].width, style, cell);
	else if (column->cut_end)
		canvas_begin(canvas, y, grid->at[i].x, room(grid, i, table, text, canvas->width), style,
		             cell);
	else
		canvas_middle(canvas, y, grid->at[i].x, room(grid, i, table, text, canvas->width), style,
		              cell);
}

/* Draws a text before the column without a width, and moves that column. */
static void indent(struct grid *grid, const struct table *table, const char *before,
                   struct canvas *canvas, int y)
{
	for (int i = 0; i < grid->count; i++) {
		if (table->columns[grid->at[i].column].width)
			continue;
		int most = grid->at[i].width / 2, columns = text_columns(before);
		if (columns > most)
			columns = most; /* deep in a tree, texts keep half of the column */
		canvas_text(canvas, y, grid->at[i].x, columns, STYLE_FAINT, before);
		grid->at[i].x += columns;
		grid->at[i].width -= columns;
	}
}

static bool grid_has_bar(const struct rows *rows, int column)
{
	return rows->table->columns[column].bar
	       || (rows->table->tree && column == rows_weight_column(rows));
}

uint64_t grid_bar(const struct rows *rows, size_t row, int column)
{
	SCOPED_BUF text = {0};
	struct value value = {.text = &text};
	if (!grid_has_bar(rows, column))
		return 0;
	if (!rows->table->columns[column].bar)
		return rows_weight(rows, row);
	rows_cell(rows, row, column, &value);
	return value.kind == VALUE_BYTES && !value.negative ? value.number : 0;
}

uint64_t grid_heaviest(const struct rows *rows, size_t count)
{
	uint64_t heaviest = 0;
	for (int i = 0; i < rows->table->column_count; i++)
		for (size_t row = 0; grid_has_bar(rows, i) && row < count; row++) {
			uint64_t bar = grid_bar(rows, row, i);
			heaviest = bar > heaviest ? bar : heaviest;
		}
	return heaviest;
}

void grid_row_after(const struct grid *laid, const struct rows *rows, size_t row,
                    const char *before, struct canvas *canvas, int y)
{
	const struct table *table = rows->table;
	struct buf text[GRID_COLUMNS] = {0};
	struct grid grid = *laid;
	if (grid.width != canvas->width)
		grid_fit(&grid, rows, canvas->width, grid.left);
	indent(&grid, table, before, canvas, y);
	for (int i = 0; i < grid.count; i++)
		rows_text(rows, row, grid.at[i].column, &text[i]);
	grid_share_all_blanks(&grid, table, text, canvas->width);
	int target = target_cell(&grid, rows, row, text);
	enum row_style row_style = table->style ? table->style(rows, row) : ROW_PLAIN;
	for (int i = 0; i < grid.count; i++) {
		enum style style = cell_style(rows, grid.at[i].column, row_style, i == target);
		grid_draw_cell(&grid, i, table, text, style, canvas, y);
		if (grid.heaviest)
			canvas_shade(canvas, y, grid.at[i].x, grid.at[i].width,
			             (double)grid_bar(rows, row, grid.at[i].column) / (double)grid.heaviest);
	}
	for (int i = 0; i < grid.count; i++)
		buf_free(&text[i]);
}

void grid_row(const struct grid *grid, const struct rows *rows, size_t row, struct canvas *canvas,
              int y)
{
	grid_row_after(grid, rows, row, "", canvas, y);
}

void grid_explain(const struct rows *rows, struct buf *out)
{
	for (int i = 0; i < rows->table->column_count; i++) {
		const struct column *column = &rows->table->columns[i];
		buf_addf(out, "%s (%s): %s\n", column->title, column->name, column->help);
	}
}
