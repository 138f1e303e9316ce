/* A heap broken down by call stack and type, as a tree: each row opens into its parts, which add up
   to it, by stack or by type. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/choice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIZE_END = 11, SHARE_END = 19, COUNT_END = 30, CHANGE_END = 41, COLUMN = 9,
	MILLION = 1000000, USUAL = 5000, /* of them: parts below 0.5 % are folded */
	OPENED = 16                      /* rows that are opened at first, at most */
};

struct line {
	struct part part;  /* cell CELL_NONE: <other> */
	enum axis axis;    /* along which it is a part */
	enum axis by;      /* along which its own parts are shown */
	int depth;
	bool open, can_open;
};

struct tree {
	struct account_set set;
	struct choice choice;
	const struct account *account;
	struct breakdown *breakdown;
	struct line *line;
	size_t count, capacity;
};

static const struct breakdown_cell *cell_of(const struct tree *tree, const struct line *line)
{
	return &tree->breakdown->cell[line->part.cell];
}

static uint64_t total_of(const struct tree *tree)
{
	return tree->breakdown->cell[0].size;
}

static uint32_t frame_name(const struct tree *tree, uint32_t cell)
{
	const struct accounts *accounts = tree->breakdown->accounts;
	return accounts->frame[tree->breakdown->cell[cell].frame].name;
}

static size_t parts_of(const struct tree *tree, uint32_t cell, enum axis axis, struct part **parts)
{
	uint64_t least = choice_least(&tree->choice, total_of(tree));
	return breakdown_telling_parts(tree->breakdown, cell, axis, least, parts);
}

static bool has_parts(const struct tree *tree, uint32_t cell, enum axis axis)
{
	struct part *parts;
	bool has = parts_of(tree, cell, axis, &parts) > 0;
	free(parts);
	return has;
}

/* By stack as far as that goes, then by type. */
static struct line make_line(const struct tree *tree, const struct part *part, enum axis axis,
                             int depth)
{
	struct line line = {.part = *part, .axis = axis, .depth = depth};
	if (part->cell == CELL_NONE)
		return line;
	bool stack = has_parts(tree, part->cell, AXIS_STACK);
	line.by = stack ? AXIS_STACK : AXIS_TYPE;
	line.can_open = stack || has_parts(tree, part->cell, AXIS_TYPE);
	return line;
}

/* Rows below a row that are parts of it, or of its parts. */
static size_t below(const struct tree *tree, size_t row)
{
	size_t end = row + 1;
	while (end < tree->count && tree->line[end].depth > tree->line[row].depth)
		end++;
	return end - row - 1;
}

static void close_line(struct tree *tree, size_t row)
{
	size_t gone = below(tree, row), from = row + 1 + gone;
	memmove(tree->line + row + 1, tree->line + from, (tree->count - from) * sizeof *tree->line);
	tree->count -= gone;
	tree->line[row].open = false;
}

static void insert(struct tree *tree, size_t at, const struct line *line)
{
	tree->line = mem_grow(tree->line, tree->count, &tree->capacity, sizeof *tree->line);
	memmove(tree->line + at + 1, tree->line + at, (tree->count++ - at) * sizeof *tree->line);
	tree->line[at] = *line;
}

static void open_line(struct tree *tree, size_t row)
{
	struct part *parts;
	struct line whole = tree->line[row];
	if (whole.open || !whole.can_open)
		return;
	size_t count = parts_of(tree, whole.part.cell, whole.by, &parts);
	for (size_t i = count; i-- > 0;) {
		struct line line = make_line(tree, &parts[i], whole.by, whole.depth + 1);
		insert(tree, row + 1, &line);
	}
	tree->line[row].open = true;
	free(parts);
}

/* The whole, opened as far as one part is more than half of it. */
static void start(struct tree *tree)
{
	const struct breakdown_cell *all = &tree->breakdown->cell[0];
	struct part part = {.size = all->size, .count = all->count, .before = all->before};
	struct line line = make_line(tree, &part, AXIS_STACK, 0);
	tree->count = 0;
	insert(tree, 0, &line);
	for (size_t row = 0; row < OPENED && row < tree->count; row++) {
		if (row && (tree->line[row].part.size < total_of(tree) / 2 || !tree->line[row].can_open))
			break;
		open_line(tree, row);
	}
}

static void set_title(struct view *view)
{
	const struct tree *tree = view->data;
	const struct text *name = tree->set.accounts->name;
	struct text allocator = name[tree->account->allocator], dump = name[tree->account->dump];
	struct text base = {buf_text(&tree->choice.compare), tree->choice.compare.len};
	buf_clear(&view->title);
	text_add_visible(&view->title, allocator.data, allocator.len, 60);
	if (tree->account->has_process)
		buf_addf(&view->title, " of process %" PRIu64, tree->account->process);
	buf_add(&view->title, dump.len ? ", dump " : "");
	text_add_visible(&view->title, dump.data, dump.len, 60);
	buf_add(&view->title, base.len ? " compared with " : "");
	text_add_visible(&view->title, base.data, base.len, 60);
	buf_add(&view->title, tree->choice.bottom_up ? ", bottom-up" : "");
	buf_clear(&view->side);
	buf_add(&view->side, "least ");
	if (tree->choice.relative)
		buf_addf(&view->side, "%g%%", (double)tree->choice.least * 100 / MILLION);
	else
		text_add_size(&view->side, tree->choice.least);
}

static void build(struct view *view)
{
	struct tree *tree = view->data;
	const struct accounts *accounts = tree->set.accounts;
	breakdown_free(tree->breakdown);
	tree->breakdown =
		breakdown_new(accounts, tree->account, choice_base(&tree->choice, accounts, tree->account),
	                  tree->choice.bottom_up);
	start(tree);
	set_title(view);
}

static void breakdown_close(struct view *view)
{
	struct tree *tree = view->data;
	if (!tree)
		return;
	breakdown_free(tree->breakdown);
	choice_fini(&tree->choice);
	account_set_fini(&tree->set);
	free(tree->line);
	free(tree);
	view->data = NULL;
}

static bool breakdown_open(struct view *view, struct err *err)
{
	const char *argument = view->argument ? view->argument : "";
	struct tree *tree = view->data = mem_alloc(sizeof *tree);
	account_set_init(&tree->set, view->analysis);
	const struct accounts *accounts = tree->set.accounts;
	if (!choice_parse(&tree->choice, argument, err))
		return false;
	if (!strstr(argument, "min="))
		tree->choice.relative = true, tree->choice.least = USUAL;
	for (size_t i = 0; i < accounts->count && !tree->account; i++)
		if (choice_has(&tree->choice, accounts, &accounts->account[i]))
			tree->account = &accounts->account[i];
	if (!tree->account)
		return choice_none(view->analysis, err);
	build(view);
	return true;
}

static size_t breakdown_rows(const struct view *view)
{
	const struct tree *tree = view->data;
	return tree->count;
}

static int tree_column(const struct tree *tree)
{
	if (tree->choice.compare.len)
		return CHANGE_END + 2;
	return tree->breakdown->counted ? COUNT_END + 2 : SHARE_END + 2;
}

static int breakdown_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct tree *tree = view->data;
	if (!canvas)
		return 1;
	canvas_text(canvas, y, SIZE_END - 5, -1, STYLE_HEAD, "bytes");
	canvas_text(canvas, y, SHARE_END - 5, -1, STYLE_HEAD, "share");
	if (tree->breakdown->counted)
		canvas_text(canvas, y, COUNT_END - 6, -1, STYLE_HEAD, "number");
	if (tree->choice.compare.len)
		canvas_text(canvas, y, CHANGE_END - 6, -1, STYLE_HEAD, "change");
	canvas_text(canvas, y, tree_column(tree), -1, STYLE_HEAD, "stack, type");
	return 1;
}

static void draw_number(struct canvas *canvas, int y, int end, const struct value *value)
{
	struct buf text = {0};
	value_add(value, &text);
	canvas_right(canvas, y, end - COLUMN, COLUMN, STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

static void draw_numbers(const struct tree *tree, const struct part *part, struct canvas *canvas,
                         int y)
{
	bool less = part->size < part->before;
	uint64_t change = less ? part->before - part->size : part->size - part->before;
	const struct value size = {.kind = VALUE_BYTES, .number = part->size,
	                           .negative = part->negative};
	const struct value share = {.kind = VALUE_SHARE, .number = part->size,
	                            .whole = total_of(tree), .negative = part->negative};
	const struct value count = {.kind = VALUE_COUNT, .number = part->count};
	const struct value growth = {.kind = VALUE_BYTES, .number = change, .negative = less};
	draw_number(canvas, y, SIZE_END, &size);
	draw_number(canvas, y, SHARE_END, &share);
	if (tree->breakdown->counted)
		draw_number(canvas, y, COUNT_END, &count);
	if (tree->choice.compare.len)
		draw_number(canvas, y, CHANGE_END, &growth);
}

/* "BrMain", "type T", "<other>" */
static void add_name(const struct tree *tree, const struct line *line, struct buf *out)
{
	const struct text *names = tree->breakdown->accounts->name;
	if (line->part.cell == CELL_NONE) {
		buf_add(out, "<other>");
		return;
	}
	if (line->depth == 0) {
		buf_add(out, "everything");
		return;
	}
	bool type = line->axis == AXIS_TYPE;
	struct text name = names[type ? cell_of(tree, line)->type : frame_name(tree, line->part.cell)];
	buf_add(out, type ? "type " : "");
	text_add_visible(out, name.data, name.len, 400);
}

static void breakdown_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct tree *tree = view->data;
	const struct line *line = &tree->line[row];
	struct buf text = {0};
	int x = tree_column(tree) + 2 * line->depth;
	draw_numbers(tree, &line->part, canvas, y);
	if (line->can_open)
		canvas_text(canvas, y, x, -1, STYLE_FAINT, line->open ? "-" : "+");
	add_name(tree, line, &text);
	if (x + 2 < canvas->width)
		canvas_middle(canvas, y, x + 2, canvas->width - x - 2,
		              line->can_open ? STYLE_LINK : STYLE_PLAIN, buf_text(&text));
	buf_free(&text);
}

static void breakdown_link(const struct view *view, size_t row, struct buf *command)
{
	const struct tree *tree = view->data;
	if (tree->line[row].can_open)
		buf_addf(command, "node \"toggle %zu\"", row);
}

static void go_up(struct view *view, size_t row)
{
	const struct tree *tree = view->data;
	int depth = tree->line[row].depth;
	while (row && tree->line[row].depth >= depth)
		row--;
	view->cursor = row;
}

/* By the other axis, where there is one. */
static bool turn_line(struct tree *tree, size_t row, struct err *err)
{
	struct line *line = &tree->line[row];
	enum axis other = line->by == AXIS_STACK ? AXIS_TYPE : AXIS_STACK;
	if (line->part.cell == CELL_NONE || !has_parts(tree, line->part.cell, other))
		return err_set(err, "Nothing more is known of this row %s",
		               other == AXIS_TYPE ? "by type" : "by stack");
	close_line(tree, row);
	tree->line[row].by = other;
	open_line(tree, row);
	return true;
}

/* "open|close|toggle|turn ROW" */
static bool node(struct view *view, const char *argument, struct err *err)
{
	struct tree *tree = view->data;
	const char *number = strchr(argument, ' ');
	uint64_t row = 0;
	if (!number || !text_parse_number(number + 1, &row) || row >= tree->count)
		return err_set(err, "Which row? For example: node \"open 0\"");
	struct line *line = &tree->line[row];
	bool open = strncmp(argument, "open", 4) == 0, toggle = strncmp(argument, "toggle", 6) == 0;
	if (strncmp(argument, "turn", 4) == 0)
		return turn_line(tree, (size_t)row, err);
	if (open || (toggle && !line->open))
		open_line(tree, (size_t)row);
	else if (line->open)
		close_line(tree, (size_t)row);
	else
		go_up(view, (size_t)row);
	return true;
}

static bool bottom_up(struct view *view, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	struct tree *tree = view->data;
	tree->choice.bottom_up = !tree->choice.bottom_up;
	view->cursor = 0;
	build(view);
	return true;
}

/* Without a number: the next of the usual ones. */
static bool cutoff(struct view *view, const char *argument, struct err *err)
{
	static const uint64_t usual[] = {0, 1000, USUAL, 10000, 50000};
	struct tree *tree = view->data;
	if (*argument) {
		if (!choice_set_least(&tree->choice, argument, err))
			return false;
	} else {
		size_t next = 0;
		while (next < sizeof usual / sizeof *usual && usual[next] <= tree->choice.least)
			next++;
		tree->choice.least = usual[next % (sizeof usual / sizeof *usual)];
		tree->choice.relative = true;
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
