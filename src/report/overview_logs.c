/* The overview of formats other than Go's: the app domains of a GC log with the bytes of their
   objects; the heaps of a trace by call stack, each with a link to its breakdown. */
#include "report/overview.h"

#include "base/bound.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/breakdown/breakdown_query.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DOMAINS = 4, HEAPS = 12 /* lines */, NAME_LIMIT = 60 /* columns */ };

/* ---- Logs */

static uint64_t overview_count_flag(const struct heap *heap, enum root_flag flag)
{
	uint64_t count = 0;
	for (size_t i = 0; i < heap->log_root_count; i++)
		count += (heap->log_roots[i].record.flags & flag) != 0;
	return count;
}

static void overview_add_log_kinds(struct page *page, const struct heap *heap)
{
	SCOPED_FREE uint64_t *kinds = mem_alloc(heap->log_root_count * sizeof *kinds);
	for (size_t i = 0; i < heap->log_root_count; i++)
		kinds[i] = heap->log_roots[i].record.kind;
	bound_sort(kinds, heap->log_root_count, BOUND_ITSELF(uint64_t));
	page_open(page, "roots");
	for (size_t i = 0, next; i < heap->log_root_count; i = next) {
		for (next = i + 1; next < heap->log_root_count && kinds[next] == kinds[i];)
			next++;
		/* A kind without a name is shown as its number. */
		uint64_t kind = kinds[i];
		SCOPED_BUF name = {0};
		if (kind < LOG_KINDS)
			buf_add(&name, heap_root_kind(heap, ROOT_INTERNAL + (int)kind));
		else
			buf_addf(&name, "%" PRIx64, kind);
		page_number(page, buf_text(&name), next - i);
	}
	page_close(page);
}

/* Adds the counts of the log, missing objects included. */
static void overview_add_log(struct page *page, const struct heap *heap)
{
	uint64_t types = 0;
	if (!(page->form & FORM_PROGRAMS))
		return;
	for (size_t i = 0; i < heap->domain_count; i++)
		types += heap->domains[i].types;
	if (heap_has(heap, PART_DOMAINS))
		page_number(page, "sections", heap->domain_count);
	page_number(page, "types", types);
	page_number(page, "references", heap->edge_count + heap->dangling_count);
	page_number(page, "dangling_references", heap->dangling_count);
	if (heap_has(heap, PART_NAMES))
		page_number(page, "weak_references", heap_weak_references(heap).count);
	page_number(page, "dangling_roots", heap->log_root_count - heap->root_count);
	overview_add_log_kinds(page, heap);
	page_open(page, "root_flags");
	page_number(page, "pinned", overview_count_flag(heap, ROOT_PINNED));
	page_number(page, "weak", overview_count_flag(heap, ROOT_WEAK));
	page_number(page, "interior", overview_count_flag(heap, ROOT_INTERIOR));
	page_close(page);
}

void overview_domains(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct section section = {page, "DOMAINS"};
	overview_add_log(page, heap);
	if (!heap_has(heap, PART_DOMAINS))
		return;
	for (size_t i = 0; i < heap->domain_count && i < DOMAINS; i++) {
		struct text text = heap->domains[i].record.name;
		SCOPED_BUF name = {0}, link = {0};
		text_add_escaped(&name, text.data, text.len, NAME_LIMIT);
		if (!name.len)
			buf_add(&name, "a section without a name");
		buf_addf(&link, "objects section=%zu", i + 1);
		overview_bytes(&section, NULL, buf_text(&link), heap->domains[i].bytes,
		               objects_bytes(heap->objects), buf_text(&name));
	}
	overview_more(&section, "domains", heap->domain_count, DOMAINS, "more app domain …",
	              "more app domains …");
}

/* ---- Traces */

static void overview_add_heap(struct section *section, const struct rows *heaps, size_t row,
                              const char *name)
{
	SCOPED_BUF link = {0}, text = {0};
	rows_link(heaps, row, &link);
	struct page *page = overview_line(section, link.len ? buf_text(&link) : heaps->table->name);
	page_size(page, OVERVIEW_NUMBER, rows_number(heaps, row, "size").number);
	page_putf(page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_LINK, "%s",
	          overview_cell(heaps, row, name, &text));
	page_putf(page, PAGE_NEXT, 0, STYLE_PLAIN, " of process %s",
	          overview_cell(heaps, row, "process", &text));
	page_putf(page, PAGE_NEXT, 0, STYLE_PLAIN, ", dump %s",
	          overview_cell(heaps, row, "dump", &text));
}

static void overview_add_trace(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct overview_number counts[] = {
		{"events", heap->trace.events},
		{"processes", heap->trace.processes},
		{"memory_dumps", heap->trace.dumps},
		{"heaps", heap->heap_profiles->count},
	};
	SCOPED_BUF text = {0};
	overview_numbers(page, counts, sizeof counts / sizeof *counts);
	if (page->form == FORM_TEXT) {
		trace_add(&heap->trace, &text);
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
	}
}

static void overview_add_profiles(struct page *page, const struct rows *heaps)
{
	struct section section = {page, "HEAPS"};
	overview_count(&section, NULL, "breakdown-heap", heaps->count, 0,
	               heaps->count == 1 ? "heap by call stack" : "heaps by call stack");
	for (size_t i = 0; i < heaps->count && i < HEAPS; i++)
		overview_add_heap(&section, heaps, i, "allocator");
	overview_more(&section, "breakdown-heap", heaps->count, HEAPS, "more heap …", "more heaps …");
	if (!heaps->count) {
		page_line(page, NULL);
		page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&heaps->note));
	}
}

void overview_heaps(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct overview *overview = page->own;
	if (heap->heap_profiles)
		overview_add_trace(page);
	if (heap_has(heap, PART_OBJECTS))
		return;
	if (!overview->heaps)
		overview->heaps = rows_open(table_find("breakdown-heap"), page->analysis, NULL, NULL);
	overview_add_profiles(page, overview->heaps);
	if (page->form == FORM_PROGRAMS || !heap->heap_profiles->uses)
		return;
	if (!overview->allocators)
		overview->allocators =
			rows_open(table_find("breakdown-reports"), page->analysis, NULL, NULL);
	struct section section = {page, "ALLOCATORS"};
	for (size_t i = 0; i < overview->allocators->count && i < HEAPS; i++)
		overview_add_heap(&section, overview->allocators, i, "name");
	overview_more(&section, "breakdown-reports", overview->allocators->count, HEAPS,
	              "more allocator …", "more allocators …");
}
