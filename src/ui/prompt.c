/* The line editor: readline through its callback interface. */
#include "ui/prompt.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"
#include "ui/history_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { MAX_HISTORY = 1000, MAX_FED = 64 };

static struct {
	struct explorer *explorer;
	char kind;
	enum prompt_state state;
	struct buf line;   /* the finished line */
	char fed[MAX_FED]; /* bytes for readline */
	size_t fed_at, fed_len;
	char **candidates;                   /* shown above the line; NULL at the end */
	HISTORY_STATE histories[LINE_KINDS]; /* as line_kinds; readline has the one in use */
	size_t in_use;
	char **completions; /* and the next of them that readline gets */
	size_t completions_count, completion;
	bool ready;
	bool given_up; /* set by ^G, after readline has processed it */
} prompt;

/* ---- Hooks of readline */

static int next_byte(FILE *file)
{
	(void)file;
	return prompt.fed_at < prompt.fed_len ? (unsigned char)prompt.fed[prompt.fed_at++] : EOF;
}

/* Without this hook, readline 8.2 waits for real input. */
static int has_bytes(void)
{
	return prompt.fed_at < prompt.fed_len;
}

static void draw_nothing(void) {}

static void take_line(char *line)
{
	rl_callback_handler_remove();
	prompt.state = line ? PROMPT_DONE : PROMPT_CANCELLED;
	buf_clear(&prompt.line);
	size_t len = line ? strlen(line) : 0;
	while (prompt.kind != '/' && len > 0 && line[len - 1] == ' ') /* trailing blanks come from
	                                                                 completion */
		len--;
	buf_add_bytes(&prompt.line, line ? line : "", len);
	free(line);
}

static int give_up(int count, int key)
{
	(void)count;
	(void)key;
	prompt.given_up = true;
	return 0;
}

/* ---- Completion */

static char *next_completion(const char *text, int again)
{
	(void)text;
	if (!again)
		prompt.completion = 0;
	bool more = prompt.completion < prompt.completions_count;
	return more ? prompt.completions[prompt.completion++] : NULL; /* readline frees them */
}

static char **complete(const char *text, int start, int end)
{
	(void)start;
	rl_attempted_completion_over = 1; /* no file names */
	if (prompt.kind == '/' || prompt.kind == '?')
		return NULL;
	prompt.completions_count = explorer_complete(prompt.explorer, prompt.kind, rl_line_buffer,
	                                             (size_t)end, &prompt.completions);
	/* A value with parts may continue: main.cluster, then .Nodes; and so may a folder. */
	if (prompt.completions_count && strpbrk(prompt.completions[0], "./"))
		rl_completion_append_character = '\0';
	char **matches = rl_completion_matches(text, next_completion);
	free(prompt.completions);
	prompt.completions = NULL;
	prompt.completions_count = 0;
	return matches;
}

static void forget_candidates(void)
{
	for (char **at = prompt.candidates; at && *at; at++)
		free(*at);
	free(prompt.candidates);
	prompt.candidates = NULL;
}

/* Returns the length of what is not shown of candidates, whose common prefix is given: the folder
   of files. */
static size_t hidden_part(const char *common)
{
	const char *slash = strrchr(common, '/');
	bool file = explorer_names_file(prompt.kind, rl_line_buffer, (size_t)rl_point);
	return slash && file ? (size_t)(slash - common) + 1 : 0;
}

/* Stores the candidates for drawing. matches[0] is their common prefix. */
static void show_candidates(char **matches, int count, int longest)
{
	(void)longest;
	forget_candidates();
	prompt.candidates = mem_alloc(((size_t)count + 1) * sizeof *prompt.candidates);
	for (int i = 0; i < count; i++)
		prompt.candidates[i] = mem_strdup(matches[i + 1] + hidden_part(matches[0]));
}

/* Shows what may stand in a line that chooses, as of columns. */
static void suggest(void)
{
	char **words = NULL;
	if (prompt.kind != 's' || prompt.candidates)
		return;
	size_t count =
		explorer_complete(prompt.explorer, prompt.kind, rl_line_buffer, (size_t)rl_point, &words);
	prompt.candidates = mem_alloc((count + 1) * sizeof *prompt.candidates);
	for (size_t i = 0; i < count; i++)
		prompt.candidates[i] = words[i];
	free(words);
}

/* ---- History, by kind */

static void use_history_of(char kind)
{
	const struct line_kind *of = line_kind_find(kind);
	size_t wanted = of ? (size_t)(of - line_kinds) : prompt.in_use;
	if (wanted == prompt.in_use)
		return;
	HISTORY_STATE *now = history_get_history_state();
	prompt.histories[prompt.in_use] = *now;
	free(now);
	history_set_history_state(&prompt.histories[wanted]);
	prompt.in_use = wanted;
}

/* Adds a line to a history. False: it equals the last line. */
static bool remember(char kind, const char *text)
{
	use_history_of(kind);
	HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
	if (last && strcmp(last->line, text) == 0)
		return false;
	add_history(text);
	return true;
}

static void load_line(void *self, char kind, const char *text)
{
	(void)self;
	if (line_kind_find(kind))
		remember(kind, text);
}

static void prompt_prepare(void)
{
	FILE *nowhere;
	if (prompt.ready)
		return;
	prompt.ready = true;
	nowhere = fopen("/dev/null", "w");
	if (nowhere)
		rl_outstream = nowhere; /* else readline prints a newline */
	rl_readline_name = "goheapx";
	rl_catch_signals = rl_catch_sigwinch = rl_change_environment = 0;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_getc_function = next_byte;
	rl_input_available_hook = has_bytes;
	rl_redisplay_function = draw_nothing;
	rl_attempted_completion_function = complete;
	rl_completion_display_matches_hook = show_candidates;
	rl_basic_word_break_characters = " ;";
	rl_completer_quote_characters = "";
	rl_initialize();
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_completion_query_items = 0;
	rl_bind_key('\a', give_up); /* readline's own binding only rings the bell */
	using_history();
	stifle_history(MAX_HISTORY);
	history_file_load(load_line, NULL);
}

/* ---- Interface */

void prompt_begin(struct explorer *explorer, char kind)
{
	const struct line_kind *of = line_kind_find(kind);
	prompt_prepare();
	use_history_of(kind);
	using_history();
	prompt.explorer = explorer;
	prompt.kind = kind;
	prompt.state = PROMPT_EDITING;
	prompt.given_up = false;
	forget_candidates();
	rl_callback_handler_install(of ? of->head : "", take_line);
	suggest();
}

enum prompt_state prompt_feed(const char *bytes)
{
	size_t len = strlen(bytes);
	if (len == 0 || len > MAX_FED)
		return prompt.state;
	forget_candidates();
	memcpy(prompt.fed, bytes, len);
	prompt.fed_at = 0;
	prompt.fed_len = len;
	while (prompt.state == PROMPT_EDITING && has_bytes() && !prompt.given_up)
		rl_callback_read_char();
	if (prompt.given_up)
		prompt_cancel();
	if (prompt.state == PROMPT_EDITING)
		suggest();
	if (prompt.state != PROMPT_DONE || prompt.line.len == 0)
		return prompt.state;
	if (remember(prompt.kind, buf_text(&prompt.line)))
		history_file_add(prompt.kind, buf_text(&prompt.line));
	return prompt.state;
}

void prompt_cancel(void)
{
	if (prompt.state != PROMPT_EDITING)
		return;
	rl_callback_sigcleanup(); /* ends an incremental search */
	rl_callback_handler_remove();
	prompt.state = PROMPT_CANCELLED;
	forget_candidates();
}

const char *prompt_typed(void)
{
	return rl_line_buffer;
}

const char *prompt_line(void)
{
	return buf_text(&prompt.line);
}

/* Draws candidates in columns, in up to half of the rows of the screen above the line. */
static void draw_candidates(struct canvas *canvas)
{
	int widest = 1, count = 0;
	if (!prompt.candidates)
		return;
	for (; prompt.candidates[count]; count++) {
		int columns = text_columns(prompt.candidates[count]) + 2;
		widest = columns > widest ? columns : widest;
	}
	int across = widest < canvas->width ? (canvas->width - 1) / widest : 1;
	int rows = (count + across - 1) / across, most = canvas->height / 2;
	bool all = rows <= most;
	rows = all ? rows : most;
	for (int y = 0; y < rows; y++)
		canvas_clear_line(canvas, canvas->height - 1 - rows + y);
	int top = canvas->height - 1 - rows;
	for (int i = 0; i < count && i / across < rows - !all; i++)
		canvas_text(canvas, top + i / across, 1 + i % across * widest, widest - 1, STYLE_LINK,
		            prompt.candidates[i]);
	if (!all)
		canvas_textf(canvas, top + rows - 1, 1, -1, STYLE_FAINT,
		             "%d candidates in all: type more of the word", count);
}

void prompt_draw(struct canvas *canvas, int *x)
{
	int y = canvas->height - 1;
	SCOPED_BUF before = {0};
	const char *head = rl_display_prompt ? rl_display_prompt : "";
	buf_add(&before, head); /* "(reverse-i-search)`go': " during a search */
	buf_add_bytes(&before, rl_line_buffer, (size_t)rl_point);
	draw_candidates(canvas);
	canvas_clear_line(canvas, y);
	/* Shifts a long line so that the cursor stays on the screen. */
	int cursor = text_columns(buf_text(&before));
	int shift = cursor < canvas->width ? 0 : cursor - canvas->width + 1;
	int end = canvas_text(canvas, y, -shift, canvas->width + shift, STYLE_PLAIN, buf_text(&before));
	canvas_text(canvas, y, end, -1, STYLE_PLAIN, rl_line_buffer + rl_point);
	*x = cursor - shift;
}

void prompt_fini(void)
{
	if (!prompt.ready)
		return;
	prompt_cancel();
	for (const struct line_kind *of = line_kinds; of->kind; of++) {
		use_history_of(of->kind);
		clear_history();
	}
	buf_free(&prompt.line);
}
