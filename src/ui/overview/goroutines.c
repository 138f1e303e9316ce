/* Overview: what the goroutines do. */
#include "ui/overview.h"

#include "base/text.h"
#include "ui/goroutine_states.h"

#include <string.h>

enum { WHERE = 50, WHERE_WIDTH = 30, /* columns */ STATES = 4, GROUPS = 5 /* lines */ };

void overview_goroutines(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	struct section section = {&overview->page, "GOROUTINES"};
	struct goroutine_states states;
	uint64_t all = analysis_heap(analysis)->goroutine_count, shown = 0;
	struct buf name = {0};
	goroutine_states_goroutines(&states, analysis_groups(analysis), analysis_heap(analysis));
	text_add_count(&name, analysis_groups(analysis)->count);
	buf_add(&name, " different stacks");
	overview_count(&section, "groups", all, 0, buf_text(&name));
	for (size_t i = 0; i < states.count && i < STATES; i++) {
		buf_clear(&name);
		goroutine_states_name(&states.row[i], &name);
		overview_count(&section, "goroutines", states.row[i].count, all, buf_text(&name));
		shown += states.row[i].count;
	}
	overview_more(&section, "goroutines", all, shown, "in other states …");
	buf_free(&name);
}

/* A function without the folders of its package, where its whole name is too long to be seen. */
static const char *short_name(const char *function)
{
	const char *name = function;
	size_t package = strcspn(function, "(");
	bool long_name = text_columns(function) > WHERE_WIDTH;
	for (size_t i = 0; long_name && i < package; i++)
		if (function[i] == '/')
			name = function + i + 1;
	return name;
}

static void overview_goroutines_add_group(struct section *section, const struct rows *groups,
                                          size_t row)
{
	struct buf text = {0};
	rows_link(groups, row, &text);
	struct page *page = overview_line(section, buf_text(&text));
	page_put(page, PAGE_RIGHT, OVERVIEW_NUMBER, STYLE_PLAIN,
	         overview_cell(groups, row, "count", &text));
	page_put(page, PAGE_RIGHT, OVERVIEW_SHARE, STYLE_PLAIN,
	         overview_cell(groups, row, "waited", &text));
	if (!*overview_cell(groups, row, "wait_reason", &text))
		overview_cell(groups, row, "status", &text);
	page_put(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_PLAIN, buf_text(&text));
	page_put(page, PAGE_REST, WHERE, STYLE_LINK,
	         short_name(overview_cell(groups, row, "function", &text)));
	buf_free(&text);
}

/* The biggest groups, without the runtime's own goroutines. */
void overview_groups(struct overview *overview)
{
	if (!overview->groups)
		overview->groups = rows_open(table_find("groups"), overview->analysis, NULL, NULL);
	const struct rows *groups = overview->groups;
	struct section section = {&overview->page, "STACKS"};
	size_t shown = 0;
	for (size_t i = 0; i < groups->count && shown < GROUPS; i++)
		if (groups->table->style(groups, i) == ROW_PLAIN) {
			overview_goroutines_add_group(&section, groups, i);
			shown++;
		}
	overview_more(&section, "groups", groups->count, shown, "more stacks …");
}
