/* The growth since the earlier dumps as a whole, and why some are not compared. */
#include "report/overview.h"

#include "analysis/input_state.h"
#include "analysis/series.h"
#include "base/text.h"
#include "heap/heap.h"

#include <string.h>

enum { WARNING = 12 /* column */ };

static void growth_add_change(uint64_t before, uint64_t now,
                              void (*add)(struct buf *buf, uint64_t number), struct buf *out)
{
	buf_add(out, now < before ? "-" : "+");
	add(out, now < before ? before - now : now - before);
}

/* Adds "   +5.6 MB reachable since drift-1.dump" and the change of threads. */
static void growth_add_total(struct section *section)
{
	SCOPED_BUF bytes = {0}, text = {0};
	const struct analysis *now = section->page->analysis;
	const struct analysis *before = series_older(now, 0);
	growth_add_change(analysis_reach(before)->bytes, analysis_reach(now)->bytes, text_add_size,
	                  &bytes);
	buf_add(&text, "reachable since ");
	const char *path = analysis_path(before), *slash = strrchr(path, '/');
	const char *name = analysis_input(before)->pid ? "snapshot 1" : slash ? slash + 1 : path;
	text_add_escaped(&text, name, strlen(name), SIZE_MAX);
	buf_add(&text, series_is_idle(before, now) ? ", nothing was allocated since" : "");
	const struct runtime_words *words = heap_words(analysis_heap(now));
	if (words->thread) {
		uint64_t were = analysis_heap(before)->thread_count;
		uint64_t are = analysis_heap(now)->thread_count;
		buf_add(&text, ", ");
		growth_add_change(were, are, text_add_count, &text);
		buf_add_char(&text, ' ');
		buf_add(&text, were + 1 == are || are + 1 == were ? words->thread : words->threads);
	}
	struct page *page = overview_line(section, "growth");
	page_put(page, PAGE_RIGHT, OVERVIEW_NUMBER, STYLE_PLAIN, buf_text(&bytes));
	page_put(page, PAGE_REST, OVERVIEW_TEXT, STYLE_LINK, buf_text(&text));
}

/* Adds what is wrong with an earlier dump, or why one is not compared. */
static void growth_add_warning(struct section *section, const char *about, const char *text)
{
	SCOPED_BUF line = {0};
	text_add_escaped(&line, about, strlen(about), SIZE_MAX);
	buf_addf(&line, "%s%s", *about ? ": " : "", text);
	struct page *page = overview_line(section, NULL);
	page_paragraph(page, WARNING, STYLE_WARNING, buf_text(&line));
}

static void growth_add_states(struct section *section, const struct series *series)
{
	const struct analysis *now = section->page->analysis;
	for (size_t i = 0; series && i < series->count; i++) {
		struct input_state state = input_state_of(series_older(now, i));
		if (state.text.len)
			growth_add_warning(section, analysis_path(series_older(now, i)), buf_text(&state.text));
		input_state_fini(&state);
	}
	for (const char *line = series_left_out(now); *line;) {
		SCOPED_BUF text = {0};
		size_t length = strcspn(line, "\n");
		buf_add_bytes(&text, line, length);
		growth_add_warning(section, "", buf_text(&text));
		line += length + (line[length] == '\n');
	}
	const char *failure = series_failure(now);
	if (failure) {
		SCOPED_BUF text = {0};
		buf_addf(&text, "%s.", failure);
		growth_add_warning(section, "", buf_text(&text));
	}
}

void overview_growth(struct page *page)
{
	struct section section = {page, "WHAT GREW"};
	const struct series *series = analysis_series(page->analysis);
	if (series && !series_failure(page->analysis) && analysis_has_roots(page->analysis)
	    && analysis_has_roots(series_older(page->analysis, 0)))
		growth_add_total(&section);
	growth_add_states(&section, series);
}
