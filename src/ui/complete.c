/* Completion of command lines: command words, then names for the command's argument. */
#include "ui/completing.h"

#include "base/mem.h"
#include "base/text.h"
#include "format/runtime.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/contents/object_set.h"
#include "table/naming/operand.h"
#include "ui/state.h"
#include "ui/term.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = 1000, MAX_ROWS = 200000, MAX_NAME = 200 };

void completion_add(struct completion *c, const char *word)
{
	if (strncmp(word, c->prefix, c->prefix_len) != 0 || c->count >= MAX_CANDIDATES)
		return;
	size_t at = 0, end = c->count; /* the place of the word in the sorted list */
	while (at < end) {
		size_t middle = (at + end) / 2;
		if (strcmp(c->words[middle], word) < 0)
			at = middle + 1;
		else
			end = middle;
	}
	if (at < c->count && strcmp(c->words[at], word) == 0)
		return;
	c->words = mem_grow(c->words, c->count, &c->capacity, sizeof *c->words);
	memmove(c->words + at + 1, c->words + at, (c->count - at) * sizeof *c->words);
	c->words[at] = mem_strdup(word);
	c->count++;
}

static void complete_add_command(void *self, const char *name, const char *argument,
                                 const char *help)
{
	SCOPED_BUF typed = {0};
	(void)argument, (void)help;
	command_write(name, &typed);
	completion_add(self, strtok(typed.data, " "));
}

static void complete_add_second(void *self, const char *second, const char *help)
{
	(void)help;
	completion_add(self, second);
}

static void complete_command(struct completion *c)
{
	command_each(complete_add_command, c);
	for (size_t i = 0; tables[i]; i++)
		completion_add(c, tables[i]->name);
}

const struct table *completion_table(const struct completion *c)
{
	const struct location *here = view_stack_here(&c->explorer->view_stack);
	return view_table_shown(here->ops, here->argument);
}

static void complete_columns(struct completion *c)
{
	const struct table *table = completion_table(c);
	for (int i = 0; table && i < table->column_count; i++)
		completion_add(c, table->columns[i].name);
}

static void complete_stages(struct completion *c)
{
	for (unsigned stage = STAGE_READ; stage < STAGE_ALL; stage <<= 1)
		completion_add(c, stage_name((enum stage)stage));
}

static void complete_options(struct completion *c)
{
	static const char *const words[] = {
		"ascii", "color", "mouse",  "background", "retain", "parts",
		"on",    "off",   "strong", "dark",       "light",  "all",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		completion_add(c, words[i]);
}

static void complete_styles(struct completion *c)
{
	for (size_t i = 0; i < STYLE_COUNT; i++)
		completion_add(c, style_names[i]);
	for (size_t i = 0; i < COLOR_NAMES; i++)
		completion_add(c, term_color_names[i]);
	for (size_t i = 0; i < ATTRIBUTE_NAMES; i++)
		completion_add(c, term_attribute_names[i]);
}

/* Adds names of functions on the stacks. */
static void complete_functions(struct completion *c)
{
	if (!analysis_has(c->explorer->analysis, STAGE_READ))
		return;
	const struct heap *heap = analysis_heap(c->explorer->analysis);
	SCOPED_BUF name = {0};
	for (uint32_t i = 0; i < heap->frame_count && i < MAX_ROWS * 10; i++) {
		struct text function = heap->frames[i].record.function;
		if (function.len < c->prefix_len || memcmp(function.data, c->prefix, c->prefix_len) != 0)
			continue;
		buf_clear(&name);
		text_add_symbol(&name, function.data, function.len, MAX_NAME);
		completion_add(c, buf_text(&name));
	}
}

bool complete_is_word(const char *name)
{
	for (; *name; name++)
		if (*name <= ' ' || *name == ';' || *name == '"' || *name == 0x7f)
			return false;
	return true;
}

/* Adds names of global variables. */
static void complete_variables(struct completion *c)
{
	const struct names *names = analysis_names(c->explorer->analysis);
	if (!names || !names->exe)
		return;
	const struct image *image = exe_image(names->exe);
	SCOPED_BUF name = {0};
	for (size_t i = 0; i < image->symbol_count; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		if (!symbol->variable || !complete_is_word(symbol->name)
		    || !exe_is_of_variables(names->exe, symbol->address))
			continue;
		buf_clear(&name);
		text_add_symbol(&name, symbol->name, strlen(symbol->name), SIZE_MAX);
		completion_add(c, buf_text(&name));
	}
}

static void complete_roots(struct completion *c)
{
	if (!analysis_has(c->explorer->analysis, STAGE_READ))
		return;
	const struct heap *heap = analysis_heap(c->explorer->analysis);
	struct root_kinds kinds = heap_root_kinds(heap);
	for (int kind = kinds.first; kind < kinds.end; kind++)
		if (heap_root_kind(heap, kind))
			completion_add(c, heap_root_kind(heap, kind));
	complete_variables(c);
}

/* Adds the cells of a column, given as "table.column". */
void completion_add_cells(struct completion *c, const char *source)
{
	char *name = mem_strdup(source), *dot = strchr(name, '.');
	if (dot)
		*dot++ = '\0';
	const struct table *table = table_find(name);
	int column = 0;
	while (table && dot && column < table->column_count
	       && strcmp(table->columns[column].name, dot) != 0)
		column++;
	bool known = table && dot && column < table->column_count;
	free(name);
	if (!known || !analysis_has(c->explorer->analysis, table->needs))
		return;
	struct rows *rows = rows_open(table, c->explorer->analysis, NULL, NULL);
	SCOPED_BUF text = {0};
	for (size_t row = 0; rows && row < rows->count && row < MAX_ROWS; row++) {
		buf_clear(&text);
		rows_text(rows, row, column, &text);
		completion_add(c, buf_text(&text));
	}
	if (rows)
		rows_close(rows);
}

/* Completion of one step after a typed path. */
struct step_completion {
	struct completion *completion;
	struct buf word;
	size_t before; /* bytes of the word before the step */
};

static void complete_add_step(void *self, const char *step)
{
	struct step_completion *c = self;
	buf_truncate(&c->word, c->before);
	buf_add(&c->word, step);
	if (!strchr(step, ' ') && !strchr(step, ';'))
		completion_add(c->completion, buf_text(&c->word));
}

/* Adds the steps from the value before the last . or [. */
static void complete_steps(struct completion *c)
{
	const struct analysis *analysis = c->explorer->analysis;
	struct step_completion steps = {.completion = c};
	size_t length = c->prefix_len;
	while (length > 0 && c->prefix[length - 1] != '.' && c->prefix[length - 1] != '[')
		length--;
	if (length < 2 || !analysis_typing(analysis))
		return;
	buf_add_bytes(&steps.word, c->prefix, length - 1);
	steps.before = length - 1;
	struct operand operand;
	const char *at = buf_text(&steps.word);
	if (operand_read(analysis, &at, &operand, NULL) && !*at && operand.kind == OPERAND_VALUE)
		expression_each(analysis, &operand.value.place, complete_add_step, &steps);
	buf_free(&steps.word);
}

/* Stores the value that the cursor's row is about: an object, or a part of one. */
static bool complete_value(struct explorer *explorer, struct datum *value)
{
	struct govalue in = datum_memory(explorer->analysis);
	const struct view *view = explorer_view(explorer);
	size_t row;
	const struct rows *rows = view->ops->table_row ? view->ops->table_row(view, view->cursor, &row)
	                                               : NULL;
	if (rows && rows->table->value)
		return rows_value(rows, row, value);
	uint64_t address = explorer_address(explorer);
	uint32_t object = address ? heap_find(in.heap, address) : OBJECT_NONE;
	if (object != OBJECT_NONE)
		*value = datum_of_object(&in, object);
	return object != OBJECT_NONE;
}

/* Adds the fields of the value on the cursor's row, and their values' fields: after the last . or
   [ of the word, also in len( and cap(. */
void complete_fields(struct completion *c)
{
	const struct analysis *analysis = c->explorer->analysis;
	struct step_completion steps = {.completion = c};
	size_t length = c->prefix_len;
	size_t call = strncmp(c->prefix, "len(", 4) == 0 || strncmp(c->prefix, "cap(", 4) == 0 ? 4 : 0;
	while (length > call && c->prefix[length - 1] != '.' && c->prefix[length - 1] != '[')
		length--;
	if (length == call && c->prefix_len > call)
		return;
	length -= length > call;
	struct datum value;
	if (!analysis_typing(analysis) || !complete_value(c->explorer, &value))
		return;
	buf_addf(&steps.word, "%.*s", (int)length, c->prefix);
	steps.before = length;
	const char *at = buf_text(&steps.word) + call;
	struct expression e = {.start = at, .place = value, .whole = true};
	if (expression_read(analysis, &e, &at, NULL) && !*at)
		expression_each(analysis, &e.place, complete_add_step, &steps);
	buf_free(&steps.word);
}

static void complete_types(struct completion *c)
{
	completion_add_cells(c, "types.type");
}

static void complete_holders(struct completion *c)
{
	const char *word;
	for (size_t n = 0; (word = object_set_word(n)); n++)
		completion_add(c, word);
	complete_variables(c);
	complete_steps(c);
}

/* Adds the words of a set; behind an = or a parenthesis, types or what retains. */
static void complete_sets(struct completion *c)
{
	static const char type[] = "type=";
	const char *word;
	size_t head = c->prefix_len;
	while (head && !strchr("=(", c->prefix[head - 1]))
		head--;
	for (size_t n = 0; !head && (word = object_set_word(n)); n++)
		completion_add(c, word);
	if (!head)
		return;
	bool typed = head >= strlen(type)
	             && strncmp(c->prefix + head - strlen(type), type, strlen(type)) == 0;
	struct completion rest = {.explorer = c->explorer,
	                          .prefix = c->prefix + head,
	                          .prefix_len = c->prefix_len - head,
	                          .command = c->command};
	(typed ? complete_types : complete_holders)(&rest);
	for (size_t i = 0; i < rest.count; i++) {
		SCOPED_BUF whole = {0};
		buf_addf(&whole, "%.*s%s", (int)head, c->prefix, rest.words[i]);
		completion_add(c, buf_text(&whole));
		free(rest.words[i]);
	}
	free(rest.words);
}

/* Adds the formats that a dump is exported in. */
static void complete_formats(struct completion *c)
{
	const char *name, *(*format)(size_t number) = c->explorer->host.writers.export_format;
	for (size_t i = 0; c->first && format && (name = format(i)); i++)
		completion_add(c, name);
}

/* Completes an argument by its kinds. */
static void complete_argument(struct completion *c)
{
	static const struct {
		enum takes kind;
		void (*run)(struct completion *);
		const char *cells; /* else: those of this column */
	} kinds[] = {
		{TAKES_COLUMN, .run = complete_columns},     {TAKES_FIELD, .run = complete_fields},
		{TAKES_THREAD, .cells = THREADS_WORD ".id"}, {TAKES_FUNCTION, .run = complete_functions},
		{TAKES_COMMAND, .run = complete_command},    {TAKES_STAGE, .run = complete_stages},
		{TAKES_OPTION, .run = complete_options},     {TAKES_TYPE, .cells = "types.type"},
		{TAKES_ROOTS, .run = complete_roots},        {TAKES_PLACE, .run = complete_variables},
		{TAKES_PLACE, .run = complete_steps},        {TAKES_STYLE, .run = complete_styles},
		{TAKES_SET, .run = complete_sets},           {TAKES_FORMAT, .run = complete_formats},
		{TAKES_RUNTIME, .run = complete_runtimes},   {TAKES_FILE, .run = complete_files},
	};
	const struct table *table = table_find(c->command);
	if (c->first)
		command_each_second(c->command, complete_add_second, c);
	unsigned takes = command_takes(c->command);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (takes & kinds[i].kind && kinds[i].run)
			kinds[i].run(c);
		else if (takes & kinds[i].kind)
			completion_add_cells(c, kinds[i].cells);
	if (table && table->completes && !command_find(c->command))
		completion_add_cells(c, table->completes);
}

/* Returns the start of the command that contains byte `end`. */
static size_t command_start(const char *line, size_t end)
{
	size_t start = 0;
	bool quoted = false;
	for (size_t i = 0; i < end; i++) {
		quoted ^= line[i] == '"';
		if (line[i] == ';' && !quoted)
			start = i + 1;
	}
	while (start < end && line[start] == ' ')
		start++;
	return start;
}

bool explorer_names_file(char kind, const char *line, size_t end)
{
	size_t start = kind == ':' ? command_start(line, end) : end;
	SCOPED_BUF word = {0};
	buf_add_bytes(&word, line + start, strcspn(line + start, " "));
	return command_takes(buf_text(&word)) & TAKES_FILE;
}

size_t explorer_complete(struct explorer *explorer, char kind, const char *line, size_t end,
                         char ***candidates)
{
	size_t start = kind == ':' ? command_start(line, end) : 0, word = end;
	while (word > start && line[word - 1] != ' ')
		word--;
	SCOPED_BUF prefix = {0}, word_of = {0}, before = {0};
	buf_add_bytes(&prefix, line + word, end - word);
	bool argument = kind == '=' || kind == 's'; /* the line is one of a command */
	if (argument)
		buf_add(&word_of, line_kind_find(kind)->command);
	else
		buf_add_bytes(&word_of, line + start, strcspn(line + start, " "));
	size_t rest = kind == ':' ? start + word_of.len : 0;
	if (word > rest)
		buf_add_bytes(&before, line + rest, word - rest);
	struct completion c = {.explorer = explorer,
	                       .prefix = buf_text(&prefix),
	                       .prefix_len = prefix.len,
	                       .command = buf_text(&word_of),
	                       .before = buf_text(&before),
	                       .first = !buf_text(&before)[strspn(buf_text(&before), " ")]};
	const struct command *command = command_find(c.command);
	if (kind == '.')
		complete_fields(&c);
	else if (kind == '&' || (word > start && command && command->takes & TAKES_FILTER))
		complete_filter(&c, buf_text(&before));
	else if (word == start && !argument)
		complete_command(&c);
	else
		complete_argument(&c);
	*candidates = c.words;
	return c.count;
}
