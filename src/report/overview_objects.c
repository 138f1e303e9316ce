/* The overview of the objects: how many, who owns them, and what references them from outside the
   heap. */
#include "report/overview.h"

#include "analysis/damage.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/root.h"
#include "table/naming/step.h"
#include "table/owners/node.h"

#include <stdlib.h>

static const char NO_ROOTS[] = "no roots: what is alive cannot be told";

enum {
	OWNERS = 4,
	LEAST = 100, /* one part in LEAST of the whole is too little to show */
};

/* Adds the reachable bytes by class of the strongest root; they add up to the whole. Weak roots are
   shown elsewhere on the screen. */
static void overview_add_classes(struct section *section, const struct analysis *analysis)
{
	bool programs = section->page->form & FORM_PROGRAMS;
	bool weak = programs && heap_has(analysis_heap(analysis), PART_WEAK);
	enum root_class end = weak ? ROOT_CLASSES : ROOT_CLASS_WEAK;
	uint64_t whole = analysis_reach(analysis)->bytes, rest = 0;
	for (enum root_class s = 0; analysis_has(analysis, STAGE_OWNED) && s < end; s++) {
		const struct dominators *owners = node_root_class_tree(analysis, s);
		uint32_t node = root_nodes_node(analysis_root_nodes(analysis),
		                                analysis_root_nodes(analysis)->root_class[s]);
		SCOPED_BUF name = {0}, link = {0};
		buf_add(&name, "  ");
		entity_add_name(analysis, entity_of_node(analysis, node), &name);
		buf_addf(&link, "owners-root %s", root_class_names[s]);
		uint64_t bytes = dominators_bytes(owners, node);
		page_number(section->page, root_class_names[s], bytes);
		if (bytes * 100 >= whole && bytes)
			overview_bytes(section, NULL, buf_text(&link), bytes, whole, buf_text(&name));
		else
			rest += bytes;
	}
	if (rest)
		overview_bytes(section, NULL, "owners-root", rest, whole, "  other roots");
}

static void overview_add_counts(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	const struct reach *reach = analysis_reach(page->analysis);
	/* On the screen, this section appears before the references are counted. */
	if (!(page->form & FORM_PROGRAMS))
		return;
	const struct overview_number counts[] = {
		{"objects", heap_object_count(heap)},
		{"ghosts_dropped", heap->ghosts},
		{"pointers", heap->edge_count},
		{"dangling_pointers", heap->dangling_count},
	};
	overview_numbers(page, counts, sizeof counts / sizeof *counts);
	if (heap_has(heap, PART_WEAK)) {
		page_number(page, "weakly_reachable_objects", reach->weak_objects);
		page_number(page, "weakly_reachable_bytes", reach->weak_bytes);
	}
}

void overview_heap(struct page *page)
{
	const struct analysis *analysis = page->analysis;
	struct section section = {page, "HEAP"};
	uint64_t bytes = objects_bytes(analysis_heap(analysis)->objects);
	uint64_t count = heap_object_count(analysis_heap(analysis));
	SCOPED_BUF name = {0};
	text_add_number_of(&name, count, "object", "objects");
	overview_bytes(&section, "object_bytes", "objects", bytes, 0, buf_text(&name));
	overview_add_counts(page);
	overview_add_other_memory(&section);
	if (!analysis_has(analysis, STAGE_REACHED))
		return;
	const struct reach *reach = analysis_reach(analysis);
	if (!analysis_has_roots(analysis)) {
		page_null(page, "reachable_objects");
		page_null(page, "reachable_bytes");
		page_open(page, "owned_bytes");
		page_close(page);
		overview_line(&section, "unreachable");
		page_put(section.page, PAGE_LEFT, OVERVIEW_TEXT, STYLE_WARNING, NO_ROOTS);
		return;
	}
	/* The shares of owners below, and in their tables, have the same base. */
	page_number(page, "reachable_objects", reach->objects);
	overview_bytes(&section, "reachable_bytes", "objects reachable", reach->bytes, reach->bytes,
	               "reachable");
	page_open(page, "owned_bytes");
	overview_add_classes(&section, analysis);
	page_number(page, "none", bytes - reach->bytes - reach->weak_bytes);
	page_close(page);
	if (reach->weak_bytes)
		overview_bytes(&section, NULL, "owners-root weak", reach->weak_bytes, 0,
		               heap_has(analysis_heap(analysis), PART_NAMES)
		                   ? "only weak roots or references"
		                   : "only weak roots");
	/* The share of the unreachable bytes is of the whole heap, not of the reachable part. */
	uint64_t unreachable = bytes - reach->bytes - reach->weak_bytes;
	SCOPED_BUF rest = {0};
	buf_add(&rest, "unreachable");
	if (unreachable) {
		buf_add(&rest, ", ");
		text_add_share(&rest, unreachable, bytes);
		buf_add(&rest, " of all");
	}
	overview_bytes(&section, NULL, "unreachable", unreachable, 0, buf_text(&rest));
}

void overview_roots(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct section section = {page, "ROOTS"};
	overview_count(&section, NULL, "roots", heap->root_count, 0,
	               heap->root_count == 1 ? "pointer into the heap from outside"
	                                     : "pointers into the heap from outside");
	struct root_kinds kinds = heap_root_kinds(heap);
	bool told = !heap->format->root_kinds; /* a log defines its own kinds */
	if (told)
		page_open(page, "roots");
	for (int kind = kinds.first; kind < kinds.end; kind++) {
		uint32_t count = heap_root_count(heap, (enum root_kind)kind);
		const char *word = heap_root_kind(heap, kind);
		SCOPED_BUF link = {0}, name = {0};
		if (!word)
			continue;
		buf_addf(&link, "roots %s", word);
		buf_add(&name, word);
		/* Each finalizer has several roots: its function, and what its object references. */
		uint32_t queued = heap->queued_finalizer_count;
		if (kind == ROOT_FINALIZER || kind == ROOT_QUEUED_FINALIZER) {
			buf_add(&name, ": pointers of ");
			text_add_number_of(&name,
			                   kind == ROOT_FINALIZER ? heap->finalizer_count - queued : queued,
			                   "finalizer", "finalizers");
		}
		if (told)
			page_number(page, word, count);
		if (count)
			overview_count(&section, NULL, buf_text(&link), count, heap->root_count,
			               buf_text(&name));
	}
	if (told)
		page_close(page);
}

bool overview_find_owners(struct page *page, struct progress *progress)
{
	struct overview *own = page->own;
	struct err err = {0};
	if (!analysis_has_roots(page->analysis))
		return true;
	own->retain = analysis_owner_retain(page->analysis);
	own->owners = rows_open_watched(table_find("owners"), page->analysis, NULL, progress, &err);
	return own->owners != NULL;
}

/* Returns the owners by the current setting, which may have changed since they were found. NULL:
   none. */
static const struct rows *overview_owner_rows(struct page *page)
{
	struct overview *overview = page->own;
	const struct analysis *analysis = page->analysis;
	if (overview->owners && overview->retain != analysis_owner_retain(analysis)) {
		rows_close(overview->owners);
		overview->retain = analysis_owner_retain(analysis);
		overview->owners = rows_open(table_find("owners"), analysis, NULL, NULL);
	}
	return overview->owners && overview->owners->count ? overview->owners : NULL;
}

/* Appends which roots a dump does not have; `variables`: which of these, or NULL. */
static void overview_add_lack(bool most, bool lacks, const char *variables, struct buf *out)
{
	const char *before = most ? "; " : ": ";
	if (variables)
		buf_addf(out, "%sdumps lack variables %s, cleanups and weak handles.", before, variables);
	else if (most && !lacks)
		buf_add(out, ". No root leads to it.");
	else
		buf_addf(out, "%sdumps lack cleanups%s weak handles.", before, most ? "," : " and");
}

/* Adds a sentence if more bytes are unreachable than reachable, or plugins may hold some; of a dump
   that lacks records of cleanups already if a tenth is. Says if what is reachable is not known. */
static void unreachable_add(struct page *page)
{
	enum { SOME = 10 };
	const struct heap *heap = analysis_heap(page->analysis);
	uint64_t all = objects_bytes(heap->objects), reachable = analysis_reach(page->analysis)->bytes;
	bool most = reachable < all - reachable, lacks = heap_lacks_cleanups(heap);
	const struct names *names = analysis_names(page->analysis);
	bool plugins = !heap_has(heap, PART_PROCESS)
	               && (names->fit.types_elsewhere || names->fit.frames_elsewhere
	                   || (names->exe && exe_part(names->exe, 0)));
	const char *variables = !plugins        ? NULL
	                        : names->linked ? "outside of the library with the runtime"
	                                        : "of plugins";
	SCOPED_BUF text = {0}, cause = {0};
	if ((!most && !plugins && !(lacks && all - reachable >= all / SOME)) || reachable == all)
		return;
	if (most)
		buf_addf(&text, "Most of the heap is unreachable: %s", text_size(all - reachable).text);
	else
		text_add_share(&text, all - reachable, all);
	if (!most)
		buf_addf(&text, " (%s) is unreachable", text_size(all - reachable).text);
	if (damage_cause(heap, DAMAGE_ROOTS, &cause))
		buf_addf(&text, "%s root that was read leads to it; %s, and roots may be missing.",
		         most ? ". No" : ": no", buf_text(&cause));
	else
		overview_add_lack(most, lacks, variables, &text);
	page_line(page, "unreachable");
	page_paragraph(page, OVERVIEW_LABEL, STYLE_PLAIN, buf_text(&text));
}

/* Returns true if most of the heap is unreachable, or no root is known. */
static bool unreachable_is_most(const struct page *page)
{
	uint64_t all = objects_bytes(heap_objects(analysis_heap(page->analysis)));
	return !analysis_has_roots(page->analysis) || analysis_reach(page->analysis)->bytes < all / 2;
}

void overview_unreachable(struct page *page)
{
	if (analysis_has_roots(page->analysis)) {
		if (unreachable_is_most(page))
			unreachable_add(page);
		return;
	}
	page_line(page, "warnings");
	page_put(page, PAGE_LEFT, OVERVIEW_LABEL, STYLE_WARNING, NO_ROOTS);
}

void overview_unrecorded(struct page *page)
{
	if (!unreachable_is_most(page))
		unreachable_add(page);
}

void overview_owners(struct page *page)
{
	struct section section = {page, "OWNERS"};
	const struct rows *owners = overview_owner_rows(page);
	size_t most = OWNERS + page->spare, i = 0;
	for (; owners && i < owners->count && i < most; i++) {
		struct value share = rows_number(owners, i, "share");
		if (i >= OWNERS && share.number < share.whole / LEAST)
			break;
		overview_row(&section, owners, i, "owned_bytes", share.whole, "name");
	}
	if (owners)
		overview_more(&section, "owners", owners->count, i, "more owner …", "more owners …");
}
