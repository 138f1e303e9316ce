/* The view of one goroutine: its state, and its frames with the slots that hold pointers. */
#include "analysis/analysis.h"
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/table/waits.h"
#include "heap/heap.h"
#include "table/naming/argument.h"
#include "ui/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct stack {
	const struct thread *thread;
	struct rows *rows;
	struct grid grid;
};

static void goroutine_view_add_state(const struct view *view, const struct thread *thread,
                                     struct buf *out)
{
	char name[32];
	uint64_t waited;
	struct text reason = thread->record.wait_reason;
	if (reason.len)
		text_add_escaped(out, reason.data, reason.len, 60);
	else
		buf_add(out, thread_state(analysis_heap(view->analysis), thread->record.status, name));
	if (thread_waited(analysis_heap(view->analysis), thread, &waited))
		buf_addf(out, ", for at least %s", text_duration(waited).text);
}

static void goroutine_close(struct view *view)
{
	struct stack *stack = view->data;
	if (stack)
		rows_close(stack->rows);
	free(stack);
	view->data = NULL;
}

static bool goroutine_open(struct view *view, struct err *err)
{
	const struct heap *heap = analysis_heap(view->analysis);
	uint32_t index;
	if (!view->argument)
		return err_set(err, "Say which goroutine: goroutine 1");
	if (!argument_thread(heap, view->argument, &index, err))
		return false;
	struct stack *stack = view->data = mem_alloc(sizeof *stack);
	stack->thread = &heap->threads[index];
	stack->rows = rows_open(table_find("stack"), view->analysis, view->argument, err);
	if (!stack->rows)
		return false;
	buf_addf(&view->title, "goroutine %" PRIu64 "  ", stack->thread->record.id);
	goroutine_view_add_state(view, stack->thread, &view->title);
	text_add_count(&view->side, stack->thread->frames);
	buf_add(&view->side, stack->thread->frames == 1 ? " frame" : " frames");
	return true;
}

static const struct rows *goroutine_view_rows_of(const struct view *view)
{
	const struct stack *stack = view->data;
	return stack->rows;
}

static size_t goroutine_rows(const struct view *view)
{
	size_t count = goroutine_view_rows_of(view)->count;
	return count ? count : 1; /* a message why there are none */
}

static bool goroutine_selectable(const struct view *view, size_t row)
{
	return row < goroutine_view_rows_of(view)->count;
}

/* Draws "created by main.(*KV).Watch", or the address of the go statement, with a function if the
   frames of the dump show it. */
static void draw_creator(const struct analysis *analysis, uint64_t pc, struct canvas *canvas, int y)
{
	const struct frame *frame = frame_of_pc(analysis_heap(analysis), pc);
	SCOPED_BUF text = {0};
	const char *name;
	if (names_function(analysis_names(analysis), pc, &name)) {
		buf_add(&text, "created by ");
		text_add_symbol(&text, name, strlen(name), 200);
	} else {
		buf_addf(&text, "created at pc 0x%" PRIx64, pc);
	}
	if (frame && !analysis_names(analysis)) {
		buf_add(&text, " in ");
		text_add_symbol(&text, frame->record.function.data, frame->record.function.len, 100);
	}
	canvas_text(canvas, y, 1, -1, STYLE_PLAIN, buf_text(&text));
}

static void draw_facts(const struct view *view, struct canvas *canvas, int y)
{
	const struct stack *stack = view->data;
	const struct goroutine_record *record = &stack->thread->record;
	int x = canvas_textf(canvas, y, 1, -1, STYLE_PLAIN, "g at 0x%" PRIx64, record->address);
	if (record->m)
		x = canvas_textf(canvas, y, x, -1, STYLE_PLAIN, ", on thread m 0x%" PRIx64, record->m);
	if (record->context)
		x = canvas_textf(canvas, y, x, -1, STYLE_PLAIN, ", context 0x%" PRIx64, record->context);
	if (record->system)
		x = canvas_text(canvas, y, x, -1, STYLE_PLAIN, ", of the runtime");
	if (stack->thread->dumping)
		canvas_text(canvas, y, x, -1, STYLE_PLAIN, ", wrote this dump");
}

enum { WAITS = 3 }; /* lines of a select's cases, before the number of others */

/* Draws "waits on chan *main.Event 0xc000012340 len 0 cap 0, held by ...", with a line per case of
   a select. Returns the number of lines; 0: unknown. */
static int draw_waits(const struct view *view, struct canvas *canvas, int y)
{
	static const char between[] = "; ";
	const struct stack *stack = view->data;
	const struct heap *heap = analysis_heap(view->analysis);
	SCOPED_BUF text = {0};
	int lines = 0, more = 0;
	waits_add(view->analysis, (uint32_t)(stack->thread - heap->threads), &text);
	for (const char *at = buf_text(&text), *end; text.len && at;
	     at = end ? end + strlen(between) : NULL) {
		end = strstr(at, between);
		if (lines < WAITS) {
			SCOPED_BUF line = {0};
			buf_add(&line, lines ? "      or " : "waits on ");
			buf_add_bytes(&line, at, end ? (size_t)(end - at) : strlen(at));
			if (canvas)
				canvas_middle(canvas, y + lines, 1, canvas->width - 2, STYLE_PLAIN,
				              buf_text(&line));
			lines++;
		} else {
			more++;
		}
	}
	if (more && canvas)
		canvas_textf(canvas, y + lines, 1, -1, STYLE_FAINT, "      or on %d more", more);
	return lines + (more > 0);
}

/* Draws facts in some lines, then the column heads. */
static int goroutine_head(const struct view *view, struct canvas *canvas, int y)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	struct stack *stack = view->data;
	uint64_t creator = stack->thread->record.creator_pc;
	int waits = draw_waits(view, canvas, y + 1);
	int lines = 2 + waits + (creator != 0);
	if (canvas) {
		draw_facts(view, canvas, y);
		if (creator)
			draw_creator(view->analysis, creator, canvas, y + 1 + waits);
		for (size_t row = view->top; row < view->top + (size_t)canvas->height && row < rows->count;
		     row++)
			grid_see(&stack->grid, rows, row, 0, canvas->width);
		grid_fit(&stack->grid, rows, canvas->width, view->left);
		grid_heads(&stack->grid, rows, canvas, y + lines - 1, -1, false);
	}
	return lines;
}

static void goroutine_draw(const struct view *view, size_t row, struct canvas *canvas, int y)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	if (row < rows->count)
		grid_row(&((const struct stack *)view->data)->grid, rows, row, canvas, y);
	else
		canvas_text(canvas, y, 1, -1, STYLE_PLAIN, buf_text(&rows->note));
}

static void goroutine_link(const struct view *view, size_t row, struct buf *command)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	if (row < rows->count)
		rows_link(rows, row, command);
}

static uint64_t goroutine_address(const struct view *view, size_t row)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	return row < rows->count ? rows_address(rows, row) : 0;
}

static bool goroutine_matches(const struct view *view, size_t row, struct row_search *search)
{
	return row < goroutine_view_rows_of(view)->count
	       && row_search_matches(search, goroutine_view_rows_of(view), row);
}

static const struct rows *goroutine_table_row(const struct view *view, size_t row, size_t *number)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	*number = row;
	return row < rows->count ? rows : NULL;
}

static void goroutine_explain(const struct view *view, struct buf *out)
{
	const struct rows *rows = goroutine_view_rows_of(view);
	buf_add(out, "for at least: how much longer than the goroutine that began to wait last; the "
	             "dump has no other clock\n");
	grid_explain(rows, out);
}

DEFINE_PLUGIN(views, struct view_ops, view_goroutine) = {
	.rank = 30,
	.name = "goroutine",
	.help = "One goroutine: its state, its frames, and below each its deferred calls, panics and "
			"pointers",
	.argument = "ID",
	.takes = TAKES_THREAD,
	.needs = STAGE_LINKED,
	.parts = PART_GO,
	.open = goroutine_open,
	.close = goroutine_close,
	.rows = goroutine_rows,
	.head = goroutine_head,
	.draw = goroutine_draw,
	.selectable = goroutine_selectable,
	.link = goroutine_link,
	.address = goroutine_address,
	.matches = goroutine_matches,
	.explain = goroutine_explain,
	.table_row = goroutine_table_row,
};
