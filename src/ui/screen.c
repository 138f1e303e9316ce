/* The whole screen: head, tabs, title, the view's rows, and the bottom line. */
#include "ui/state.h"

#include "analysis/input_state.h"
#include "analysis/series.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "table/table.h"
#include "ui/scroll.h"

#include <string.h>

/* Lays out the parts of the screen. Small screens omit parts, the least important first. */
struct screen_layout screen_layout(int height)
{
	struct screen_layout layout = {-1, -1, -1, .rule = -1, .bottom = height - 1};
	int y = 0, end = height - 1;
	if (height >= 8)
		layout.head = y++;
	if (height >= 12)
		layout.tabs = y++;
	if (height >= 4)
		layout.title = y++;
	if (height >= 10)
		layout.rule = --end;
	layout.body = y;
	layout.body_height = end > y ? end - y : 1;
	return layout;
}

static void screen_add_text(struct buf *buf, struct text text)
{
	if (text.len)
		buf_add_char(buf, ' ');
	text_add_escaped(buf, text.data, text.len, 40);
}

/* Appends "[cut]" or a similar mark if the file is damaged; the page of warnings explains it. */
static void add_mark(const struct explorer *explorer, struct buf *out)
{
	if (!analysis_has(explorer->analysis, STAGE_READ))
		return;
	struct input_state state = input_state_of(explorer->analysis);
	if (state.mark)
		buf_addf(out, "[%s]", state.mark);
	input_state_fini(&state);
}

/* Draws " svc.dump  go1.24.4 amd64  2,100,000 objects, 312.4 MB". */
static void draw_head(const struct explorer *explorer, struct canvas *canvas, int y)
{
	const struct analysis *analysis = explorer->analysis;
	SCOPED_BUF left = {0}, right = {0};
	const char *path = analysis_path(analysis);
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	text_add_escaped(&left, name, strlen(name), 200);
	buf_add_char(&left, ' ');
	if (analysis_has(analysis, STAGE_READ)) {
		const struct heap *heap = analysis_heap(analysis);
		screen_add_text(&left, heap->params.version);
		screen_add_text(&left, heap->params.arch);
		if (heap_has(heap, PART_OBJECTS)) {
			text_add_number_of(&right, heap_object_count(heap), "object", "objects");
			buf_addf(&right, ", %s", text_size(objects_bytes(heap->objects)).text);
		} else {
			buf_add(&right, heap->format->noun);
		}
	}
	SCOPED_BUF mark = {0};
	add_mark(explorer, &mark);
	int room = canvas->width - text_columns(buf_text(&right)) - 4;
	int name_room = room - text_columns(buf_text(&mark)) - 1;
	int x = canvas_text(canvas, y, 1, mark.len ? name_room : room, STYLE_HEAD, buf_text(&left));
	canvas_text(canvas, y, x + 1, room - x, STYLE_WARNING, buf_text(&mark));
	canvas_right(canvas, y, room + 2, canvas->width - room - 3, STYLE_PLAIN, buf_text(&right));
}

/* Returns true if the dump has what a main view shows, or is not read yet. */
static bool is_offered(const struct explorer *explorer, const char *command)
{
	const struct view_ops *ops = view_find(command);
	const struct table *table = table_find(command);
	unsigned parts = ops ? ops->parts : table ? table->parts : 0;
	if (table && table->has_rows && !table->has_rows(explorer->analysis))
		return false;
	if (!parts || !analysis_has(explorer->analysis, STAGE_READ))
		return true;
	return format_has(analysis_heap(explorer->analysis)->format, parts, NULL);
}

/* Walks the tabs: draws them, or finds the one at a column. */
static const struct key *walk_tabs(const struct explorer *explorer, const struct location *here,
                                   struct canvas *canvas, int y, int column)
{
	int x = 1, width = -1;
	for (const struct key *key = keys; key->key; key++)
		if (key->when == HINT_TAB && is_offered(explorer, key->command))
			width += text_columns(key->key) + text_columns(key->hint) + 3;
	int gap = width > explorer->width ? 1 : 2; /* smaller if the tabs do not all fit */
	for (const struct key *key = keys; key->key; key++) {
		if (key->when != HINT_TAB || !is_offered(explorer, key->command))
			continue;
		int end = x + text_columns(key->key) + 1 + text_columns(key->hint);
		if (end > explorer->width)
			break;
		if (column >= x && column < end)
			return key;
		if (canvas) {
			bool table = here->ops->of_table && here->argument;
			const char *name = table ? here->argument : here->ops->name;
			bool open = strcmp(name, key->command) == 0;
			canvas_text(canvas, y, x, -1, STYLE_LINK, key->key);
			canvas_right(canvas, y, end - text_columns(key->hint), text_columns(key->hint),
			             open ? STYLE_HEAD : STYLE_PLAIN, key->hint);
		}
		x = end + gap;
	}
	return NULL;
}

const struct key *screen_tab_at(const struct explorer *explorer, int column)
{
	return walk_tabs(explorer, NULL, NULL, 0, column);
}

/* Draws "── 81 rows ─────────────────────────────────── path 1 of 3 ─›": the arrow says that there
   are columns to the right. */
static void draw_title(const struct view *view, struct canvas *canvas, int y)
{
	canvas_rule(canvas, y);
	if (view->left > 0)
		canvas_text(canvas, y, 0, 1, STYLE_LINK, "‹");
	if (view->ops->wider && view->ops->wider(view))
		canvas_text(canvas, y, canvas->width - 1, 1, STYLE_LINK, "›");
	const char *side = buf_text(&view->side);
	int columns = text_columns(side), room = canvas->width - 4;
	if (columns > 0 && columns < canvas->width / 2) {
		int x = canvas->width - columns - 3;
		canvas_textf(canvas, y, x - 1, columns + 2, STYLE_PLAIN, " %s ", side);
		room = x - 6;
	}
	SCOPED_BUF title = {0};
	buf_addf(&title, " %s ", buf_text(&view->title));
	int wanted = text_columns(title.data);
	if (view->title.len)
		canvas_middle(canvas, y, 2, wanted < room ? wanted : room, STYLE_HEAD, title.data);
}

static void draw_rows(struct view *view, const char *needle, struct canvas *canvas,
                      struct screen_layout layout)
{
	int y = layout.body, end = layout.body + layout.body_height;
	if (view->ops->head)
		y += view->ops->head(view, canvas, y);
	size_t rows = view->ops->rows(view);
	for (size_t row = view->top; row < rows && y < end; row++, y++) {
		view->ops->draw(view, row, canvas, y);
		char mark[2] = {note_mark(view->explorer, view, row)};
		canvas_text(canvas, y, 0, 1, *mark == '!' ? STYLE_WARNING : STYLE_HEAD, mark);
		canvas_match(canvas, y, needle);
		if (!view->beside && row == view->cursor
		    && (!view->ops->selectable || view->ops->selectable(view, row)))
			canvas_cursor_line(canvas, y);
	}
}

/* Draws a view with its title on some columns of the screen. */
static void draw_view(struct view *view, const char *needle, struct canvas *canvas, int x, int end,
                      struct screen_layout layout)
{
	struct canvas part;
	canvas_init(&part, end - x, canvas->height);
	part.ascii = canvas->ascii;
	draw_rows(view, needle, &part, layout);
	if (layout.title >= 0)
		draw_title(view, &part, layout.title);
	canvas_paste(canvas, x, &part, layout.title >= 0 ? layout.title : layout.body,
	             layout.body + layout.body_height);
	canvas_fini(&part);
}

/* Draws the current view, and what the cursor's row leads to beside it. */
static void draw_views(struct explorer *explorer, struct canvas *canvas,
                       struct screen_layout layout)
{
	const char *needle = explorer->search.shown ? buf_text(&explorer->search.needle) : "";
	int left = pane_left(explorer, canvas->width);
	struct view *beside = left < canvas->width ? pane_view(explorer) : NULL;
	if (layout.title >= 0)
		canvas_rule(canvas, layout.title);
	draw_view(explorer_view(explorer), needle, canvas, 0, left, layout);
	for (int y = layout.title; left < canvas->width && y < layout.body + layout.body_height; y++)
		canvas_text(canvas, y, left, 1, STYLE_FAINT, y == layout.title ? "┬" : "│");
	if (beside)
		draw_view(beside, "", canvas, left + 1, canvas->width, layout);
}

/* Returns true if the hint of a key is useful now. */
static bool is_of_use(struct explorer *explorer, const struct key *key, bool link)
{
	const struct view *view = explorer_view(explorer);
	if (!key_is_of(key, view))
		return false;
	switch (key->when) {
	case HINT_LINK:
		return link;
	case HINT_BACK:
		return explorer->view_stack.at > 0;
	case HINT_FIRST:
		return explorer->view_stack.at == 0 && is_offered(explorer, key->command);
	case HINT_ADDRESS:
		return explorer_address(explorer) != 0;
	case HINT_HERE:
		return key->view || command_in(view, key->command);
	case HINT_SORT:
		return command_in(view, "sort");
	case HINT_AGENT:
		return explorer->agent.waits;
	case HINT_ALWAYS:
		return true;
	case HINT_TAB:
	case HINT_NEVER:
		break;
	}
	return false;
}

static int hint_columns(const struct key *key)
{
	return text_columns(key->key) + 1 + text_columns(key->hint) + 2;
}

/* Walks the useful hints that fit; reserves room for those shown always. Draws them, or finds the
   one at a column. */
static const struct key *walk_hints(struct explorer *explorer, struct canvas *canvas, int y,
                                    int end, int column)
{
	const struct view *view = explorer_view(explorer);
	SCOPED_BUF command = {0};
	int x = 1, kept = 0;
	if (view->ops->link && view->cursor < view->ops->rows(view))
		view->ops->link(view, view->cursor, &command);
	bool link = command.len > 0;
	for (const struct key *key = keys; key->key; key++)
		if (key->when == HINT_ALWAYS)
			kept += hint_columns(key);
	for (const struct key *key = keys; key->key; key++) {
		if (!is_of_use(explorer, key, link))
			continue;
		if (key->when == HINT_ALWAYS)
			kept -= hint_columns(key);
		if (x + hint_columns(key) + kept - 2 > end)
			continue;
		if (column >= x && column < x + hint_columns(key) - 2)
			return key;
		if (canvas) {
			canvas_text(canvas, y, x, -1, STYLE_LINK, key->key);
			canvas_right(canvas, y, x, hint_columns(key) - 2, STYLE_PLAIN, key->hint);
		}
		x += hint_columns(key);
	}
	return NULL;
}

const struct key *screen_hint_at(struct explorer *explorer, int column)
{
	return explorer->hints ? walk_hints(explorer, NULL, 0, explorer->width - 1, column) : NULL;
}

/* Returns the length of the first line of a text, with the spaces after it. */
static size_t message_line(const char *text, int width)
{
	size_t len = text_line(text, width);
	return len + strspn(text + len, " ");
}

/* Draws the message on the last lines, up to half of the screen. */
static void draw_message(const struct explorer *explorer, struct canvas *canvas, int bottom,
                         int width)
{
	enum style style = explorer->alarm ? STYLE_WARNING : STYLE_PLAIN;
	const char *text = buf_text(&explorer->message);
	int lines = 0, most = canvas->height > 3 ? canvas->height / 2 : 1;
	for (const char *at = text; *at && lines < most; lines++)
		at += message_line(at, width);
	for (int y = bottom - lines + 1; y <= bottom; y++) {
		size_t len = y < bottom ? message_line(text, width) : strlen(text);
		if (y < bottom)
			canvas_clear_line(canvas, y);
		canvas_textf(canvas, y, 1, width, style, "%.*s", (int)len, text);
		text += len;
	}
}

/* Appends the progress of what the user waits for: a task, or the analysis. */
static void explorer_progress(struct explorer *explorer, struct buf *out)
{
	const struct search *search = &explorer->search;
	if (search->running) {
		double share = search_share(search, explorer_view(explorer));
		buf_addf(out, "searching %d%%", (int)(share * 100));
		return;
	}
	const struct progress *progress = tasks_progress(&explorer->tasks, NULL);
	if (!progress && !analysis_done(explorer->analysis))
		progress = analysis_progress(explorer->analysis);
	if (progress)
		progress_add(progress, "opening", out);
}

static void draw_bottom(struct explorer *explorer, struct canvas *canvas, int y)
{
	SCOPED_BUF progress = {0};
	explorer_progress(explorer, &progress);
	int columns = text_columns(buf_text(&progress));
	int end = columns ? canvas->width - columns - 3 : canvas->width - 1;
	canvas_text(canvas, y, canvas->width - columns - 1, -1, STYLE_GUESS, buf_text(&progress));
	const struct line_kind *kind = line_kind_find(explorer->wants_line);
	if (kind)
		canvas_textf(canvas, y, 0, -1, STYLE_PLAIN, "%s%s", kind->head, buf_text(&explorer->line));
	else if (explorer->message.len)
		draw_message(explorer, canvas, y, end - 1);
	else
		walk_hints(explorer, canvas, y, end, -1);
	explorer->hints = !explorer->wants_line && !explorer->message.len && !columns;
}

void explorer_draw(struct explorer *explorer, struct canvas *canvas)
{
	struct screen_layout layout = screen_layout(canvas->height);
	search_task_rest(explorer);
	explorer_resize(explorer, canvas->width, canvas->height);
	scroll_settle(explorer_view(explorer), explorer_page(explorer));
	pane_follow(explorer);
	canvas_clear(canvas);
	/* A change of the file is told once, when there is no other message; the head keeps its mark.
	 */
	SCOPED_BUF text = {0};
	if (!explorer->changed_told && !explorer->message.len
	    && analysis_has(explorer->analysis, STAGE_READ)
	    && input_state_changed(explorer->analysis, &text)) {
		explorer_message(explorer, "%s. :reopen opens it anew.", buf_text(&text));
		explorer->changed_told = true;
	}
	if (!explorer->message.len && explorer->notice.len)
		explorer_message(explorer, "%s", buf_text(&explorer->notice));
	if (layout.head >= 0)
		draw_head(explorer, canvas, layout.head);
	if (layout.tabs >= 0)
		walk_tabs(explorer, view_stack_here(&explorer->view_stack), canvas, layout.tabs, -1);
	draw_views(explorer, canvas, layout);
	if (layout.title >= 0 && layout.head < 0) {
		/* The mark of a damaged file stands at the end of a screen without a head. */
		SCOPED_BUF mark = {0};
		add_mark(explorer, &mark);
		int columns = text_columns(buf_text(&mark));
		if (columns)
			canvas_textf(canvas, layout.title, canvas->width - columns - 1, -1, STYLE_WARNING,
			             " %s", mark.data);
	}
	if (layout.rule >= 0)
		canvas_rule(canvas, layout.rule);
	draw_bottom(explorer, canvas, layout.bottom);
	search_task_go_on(explorer);
}
