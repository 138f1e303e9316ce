/* A heap broken down by call stack and type, as a tree: each row opens into its parts, which add up
   to it, by stack or by type. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "ui/breakdown_lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIZE_END = 11, SHARE_END = 19, COUNT_END = 30, CHANGE_END = 41, COLUMN = 9,
	MILLION = 1000000, USUAL = 5000 /* of them: parts below 0.5 % are folded */
};

static const struct breakdown_cell *cell_of(const struct breakdown_lines *lines,
                                            const struct breakdown_line *line)
{
	return &lines->breakdown->cell[line->part.cell];
}

static uint32_t frame_name(const struct breakdown_lines *lines, uint32_t cell)
{
	const struct accounts *accounts = lines->breakdown->accounts;
	return accounts->frame[lines->breakdown->cell[cell].frame].name;
}

static void set_title(struct view *view)
{
	const struct breakdown_lines *lines = view->data;
	const struct text *name = lines->set.accounts->name;
	struct text allocator = name[lines->account->allocator], dump = name[lines->account->dump];
	struct text base = {buf_text(&lines->choice.compare), lines->choice.compare.len};
	buf_clear(&view->title);
	text_add_visible(&view->title, allocator.data, allocator.len, 60);
	if (lines->account->has_process)
		buf_addf(&view->title, " of process %" PRIu64, lines->account->process);
	buf_add(&view->title, dump.len ? ", dump " : "");
	text_add_visible(&view->title, dump.data, dump.len, 60);
	buf_add(&view->title, base.len ? " compared with " : "");
	text_add_visible(&view->title, base.data, base.len, 60);
	buf_add(&view->title, lines->choice.bottom_up ? ", bottom-up" : "");
	buf_clear(&view->side);
	buf_add(&view->side, "least ");
	if (lines->choice.relative)
		buf_addf(&view->side, "%g%%", (double)lines->choice.least * 100 / MILLION);
	else
		text_add_size(&view->side, lines->choice.least);
}

static void build(struct view *view)
{
	struct breakdown_lines *lines = view->data;
	const struct accounts *accounts = lines->set.accounts;
	breakdown_free(lines->breakdown);
	const struct account *base = choice_base(&lines->choice, accounts, lines->account);
	lines->breakdown = breakdown_new(accounts, lines->account, base, lines->choice.bottom_up);
	breakdown_lines_start(lines);
	set_title(view);
}

static void breakdown_close(struct view *view)
{
	struct breakdown_lines *lines = view->data;
	if (!lines)
		return;
	breakdown_free(lines->breakdown);
	choice_fini(&lines->choice);
	account_set_fini(&lines->set);
	free(lines->line);
	free(lines);
	view->data = NULL;
}

static bool breakdown_open(struct view *view, struct err *err)
{
	const char *argument = view->argument ? view->argument : "";
	struct breakdown_lines *lines = view->data = mem_alloc(sizeof *lines);
	account_set_init(&lines->set, view->analysis);
	const struct accounts *accounts = lines->set.accounts;
	if (!choice_parse(&lines->choice, argument, err))
		return false;
	if (!strstr(argument, "min="))
		lines->choice.relative = true, lines->choice.least = USUAL;
	for (size_t i = 0; i < accounts->count && !lines->account; i++)
		if (choice_has(&lines->choice, accounts, &accounts->account[i]))
			lines->account = &accounts->account[i];
	if (!lines->account)
		return choice_none(view->analysis, err);
	build(view);
	return true;
}

static size_t breakdown_rows(const struct view *view)
{
	const struct breakdown_lines *lines = view->data;
	return lines->count;
}

static int tree_column(const struct breakdown_lines *lines)
{
	if (lines->choice.compare.len)
		return CHANGE_END + 2;
	return lines->breakdown->counted ? COUNT_END + 2 : SHARE_END + 2;
}

static int breakdown_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct breakdown_lines *lines = view->data;
	if (!canvas)
		return 1;
	canvas_text(canvas, y, SIZE_END - 5, -1, STYLE_HEAD, "bytes");
	canvas_text(canvas, y, SHARE_END - 5, -1, STYLE_HEAD, "share");
	if (lines->breakdown->counted)
		canvas_text(canvas, y, COUNT_END - 6, -1, STYLE_HEAD, "number");
	if (lines->choice.compare.len)
		canvas_text(canvas, y, CHANGE_END - 6, -1, STYLE_HEAD, "change");
	canvas_text(canvas, y, tree_column(lines), -1, STYLE_HEAD, "stack, type");
	return 1;
}

static void draw_number(struct canvas *canvas, int y, int end, const struct value *value)
{
	struct buf text = {0};
	value_add(value, &text);
	canvas_right(canvas, y, end - COLUMN, COLUMN, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

static void draw_numbers(const struct breakdown_lines *lines, const struct part *part,
                         struct canvas *canvas, int y)
{
	bool less = part->size < part->before;
	uint64_t change = less ? part->before - part->size : part->size - part->before;
	const struct value size = {.kind = VALUE_BYTES, .number = part->size,
	                           .negative = part->negative};
	const struct value share = {.kind = VALUE_SHARE, .number = part->size,
	                            .whole = breakdown_lines_total(lines), .negative = part->negative};
	const struct value count = {.kind = VALUE_COUNT, .number = part->count};
	const struct value growth = {.kind = VALUE_BYTES, .number = change, .negative = less};
	draw_number(canvas, y, SIZE_END, &size);
	draw_number(canvas, y, SHARE_END, &share);
	if (lines->breakdown->counted)
		draw_number(canvas, y, COUNT_END, &count);
	if (lines->choice.compare.len)
		draw_number(canvas, y, CHANGE_END, &growth);
}

/* "BrMain", "type T", "<other>" */
static void add_name(const struct breakdown_lines *lines, const struct breakdown_line *line,
                     struct buf *out)
{
	const struct text *names = lines->breakdown->accounts->name;
	if (line->part.cell == CELL_NONE) {
		buf_add(out, "<other>");
		return;
	}
	if (line->depth == 0) {
		buf_add(out, "everything");
		return;
	}
	bool type = line->axis == AXIS_TYPE;
	struct text name =
		names[type ? cell_of(lines, line)->type : frame_name(lines, line->part.cell)];
	buf_add(out, type ? "type " : "");
	text_add_visible(out, name.data, name.len, 400);
}

static void breakdown_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct breakdown_lines *lines = view->data;
	const struct breakdown_line *line = &lines->line[row];
	struct buf text = {0};
	int x = tree_column(lines) + 2 * line->depth;
	draw_numbers(lines, &line->part, canvas, y);
	if (line->can_open)
		canvas_text(canvas, y, x, -1, STYLE_FAINT, line->open ? "-" : "+");
	add_name(lines, line, &text);
	if (x + 2 < canvas->width)
		canvas_middle(canvas, y, x + 2, canvas->width - x - 2,
		              line->can_open ? STYLE_LINK : STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

static void breakdown_link(const struct view *view, size_t row, struct buf *command)
{
	const struct breakdown_lines *lines = view->data;
	if (lines->line[row].can_open)
		buf_addf(command, "node \"toggle %zu\"", row);
}

static void go_up(struct view *view, size_t row)
{
	const struct breakdown_lines *lines = view->data;
	int depth = lines->line[row].depth;
	while (row && lines->line[row].depth >= depth)
		row--;
	view->cursor = row;
}

/* "open|close|toggle|turn ROW" */
static bool node(struct view *view, const char *argument, struct err *err)
{
	struct breakdown_lines *lines = view->data;
	const char *number = strchr(argument, ' ');
	uint64_t row = 0;
	if (!number || !text_parse_number(number + 1, &row) || row >= lines->count)
		return err_set(err, "Which row? For example: node \"open 0\"");
	struct breakdown_line *line = &lines->line[row];
	bool open = strncmp(argument, "open", 4) == 0, toggle = strncmp(argument, "toggle", 6) == 0;
	if (strncmp(argument, "turn", 4) == 0)
		return breakdown_lines_turn(lines, (size_t)row, err);
	if (open || (toggle && !line->open))
		breakdown_lines_open(lines, (size_t)row);
	else if (line->open)
		breakdown_lines_close(lines, (size_t)row);
	else
		go_up(view, (size_t)row);
	return true;
}

static bool bottom_up(struct view *view, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	struct breakdown_lines *lines = view->data;
	lines->choice.bottom_up = !lines->choice.bottom_up;
	view->cursor = 0;
	build(view);
	return true;
}

/* Without a number: the next of the usual ones. */
static bool cutoff(struct view *view, const char *argument, struct err *err)
{
	static const uint64_t usual[] = {0, 1000, USUAL, 10000, 50000};
	struct breakdown_lines *lines = view->data;
	if (*argument) {
		if (!choice_set_least(&lines->choice, argument, err))
			return false;
	} else {
		size_t next = 0;
		while (next < sizeof usual / sizeof *usual && usual[next] <= lines->choice.least)
			next++;
		lines->choice.least = usual[next % (sizeof usual / sizeof *usual)];
		lines->choice.relative = true;
	}
	view->cursor = 0;
	build(view);
	return true;
}

static const struct {
	const char *word;
	bool (*run)(struct view *view, const char *argument, struct err *err);
} commands[] = {{"node", node}, {"bottom-up", bottom_up}, {"cutoff", cutoff}};

static const char *const words[] = {"node", "bottom-up", "cutoff", NULL};

static bool breakdown_command(struct view *view, const char *word, const char *argument,
                              struct err *err)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(commands[i].word, word) == 0)
			return commands[i].run(view, argument ? argument : "", err);
	return false;
}

static void breakdown_explain(const struct view *view, struct buf *out)
{
	(void)view;
	buf_add(out,
	        "bytes: what stacks that begin so have allocated, with all that they call\n"
	        "share: of the whole heap\n"
	        "number: allocations that the bytes are of\n"
	        "change: bytes more, or less, than in the dump that it is compared with\n"
	        "<self>: what the function above has allocated itself\n"
	        "<other>: what is not told in detail, or too small to be shown: o sets how small; the "
	        "parts of a row always add up to it\n"
	        "b turns the stacks round, so that they begin with what allocates; t breaks a row down "
	        "by type in the stead of by stack\n"
	        "The table heaps chooses another process, allocator or dump; "
	        "breakdown dump=ID compare=ID compares two dumps\n");
}

const struct view_ops view_breakdown = {
	.name = "breakdown",
	.help = "A heap broken down by call stack and type",
	.argument = "[process=N dump=ID allocator=NAME compare=ID min=BYTES bottom-up]",
	.needs = STAGE_TYPED,
	.parts = HAS_BREAKDOWN,
	.open = breakdown_open,
	.close = breakdown_close,
	.rows = breakdown_rows,
	.head = breakdown_head,
	.draw = breakdown_draw,
	.link = breakdown_link,
	.command = breakdown_command,
	.commands = words,
	.explain = breakdown_explain,
};
