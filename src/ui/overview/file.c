/* Overview: which file this is, how far it is read, and what is wrong with it. */
#include "ui/overview.h"

#include "analysis/damage.h"
#include "base/text.h"

#include <inttypes.h>

enum { WARNINGS = 10 }; /* lines of what may be long; the rest is a link away */

/* "go1.7 heap dump of go1.24.4, amd64, 64-bit little-endian" */
static void overview_file_add_program(const struct heap *heap, struct buf *out)
{
	const struct params_record *params = &heap->params;
	buf_addf(out, "%s heap dump", heap->format->name);
	if (params->version.len)
		buf_add(out, " of ");
	text_add_escaped(out, params->version.data, params->version.len, 60);
	buf_add(out, ", ");
	text_add_escaped(out, params->arch.data, params->arch.len, 30);
	buf_addf(out, " %d-bit %s-endian", params->layout.pointer_size * 8,
	         params->layout.big_endian ? "big" : "little");
}

static uint64_t warnings_of(const struct heap *heap)
{
	return heap->warning_count + heap->warnings_dropped;
}

/* What it is, then ", 11.0 MB, complete". */
void overview_file(struct overview *overview)
{
	struct page *page = &overview->page;
	const struct heap *heap = analysis_heap(overview->analysis);
	struct buf text = {0};
	if (heap->format->has & HAS_RUNTIME)
		overview_file_add_program(heap, &text);
	else
		buf_add(&text, heap->format->noun);
	buf_add(&text, ", ");
	text_add_size(&text, heap->input->size);
	buf_add(&text, heap->complete ? ", complete" : "");
	page_line(page, NULL);
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
	buf_clear(&text);
	text_add_number_of(&text, warnings_of(heap), "warning", "warnings");
	buf_add(&text, " about the file: what is shown may not be all.");
	if (!heap->complete || warnings_of(heap))
		page_line(page, "warnings");
	if (!heap->complete)
		page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_WARNING,
		         "The file is cut: its end record is missing, and whatever came before that.");
	else if (warnings_of(heap))
		page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_WARNING, buf_text(&text));
	buf_free(&text);
}

/* Which executable the names come from, or why there are none. */
void overview_names(struct overview *overview)
{
	const struct names *names = analysis_names(overview->analysis);
	struct page *page = &overview->page;
	struct buf text = {0};
	if (names->useless)
		return;
	names_explain(names, &text);
	page_line(page, NULL);
	page_paragraph(page, OVERVIEW_LABEL, names->refused.len ? STYLE_WARNING : STYLE_FAINT,
	               buf_text(&text));
	buf_free(&text);
	const char *damage = analysis_executable_damage(overview->analysis);
	if (damage) {
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_WARNING, damage);
	}
}

/* What is still being worked on, or why nothing more will come. */
void overview_progress(struct overview *overview)
{
	const struct analysis *analysis = overview->analysis;
	struct page *page = &overview->page;
	struct err err = {0};
	if (analysis_failed(analysis, &err)) {
		page_line(page, NULL);
		page_putf(page, PAGE_REST, OVERVIEW_LABEL, STYLE_WARNING, "%s.", err.text);
	} else if (!analysis_done(analysis)) {
		page_line(page, NULL);
		page_put(page, PAGE_LEFT, OVERVIEW_LABEL, STYLE_FAINT, "Still to come:");
		enum stage first = analysis_lacks(analysis, STAGE_ALL);
		for (unsigned next = first; next && next < STAGE_ALL; next <<= 1)
			page_putf(page, PAGE_NEXT, 0, STYLE_FAINT, "%s %s", next > first ? "," : "",
			          stage_name((enum stage)next));
	}
}

/* What is wrong, where, and what was skipped. */
static void overview_file_add_warning(struct page *page, const struct warning *warning)
{
	struct buf text = {0};
	if (warning->offset != ERR_NO_OFFSET)
		buf_addf(&text, "At byte %" PRIu64 ": ", warning->offset);
	buf_addf(&text, "%s.", warning->text);
	page_line(page, "warnings");
	page_paragraph(page, OVERVIEW_LABEL + 2, STYLE_WARNING, buf_text(&text));
	buf_free(&text);
}

void overview_condition(struct overview *overview)
{
	const struct heap *heap = analysis_heap(overview->analysis);
	struct page *page = &overview->page;
	struct section section = {page, "FILE"};
	uint64_t warnings = warnings_of(heap);
	overview_count(&section, "warnings", warnings, 0, warnings == 1 ? "warning" : "warnings");
	for (uint32_t i = 0; i < heap->warning_count && i < WARNINGS; i++)
		overview_file_add_warning(page, &heap->warnings[i]);
	overview_more(&section, "warnings", warnings, WARNINGS, "more warnings …");
	const char *meaning;
	for (size_t i = 0; (meaning = damage_meaning(heap, i)); i++) {
		page_line(page, "warnings");
		page_paragraph(page, OVERVIEW_LABEL + 2, STYLE_WARNING, meaning);
	}
	if (heap->ghosts)
		overview_count(&section, "warnings", heap->ghosts, 0,
		               "slots that hold no object, left out");
	/* They are still being counted before that. */
	if (analysis_has(overview->analysis, STAGE_LINKED) && heap->dangling_count)
		overview_count(&section, "warnings", heap->dangling_count, 0,
		               heap->format->has & HAS_ADDRESSES
		                   ? "pointers to where no object is"
		                   : "references to objects that are not in the file");
}
