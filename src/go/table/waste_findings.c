/* Finds memory that is reachable but unused, and what will never run. */
#include "table/findings/finding.h"

#include "analysis/damage.h"
#include "analysis/kept.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/analysis/finalizer_cycles.h"
#include "go/runtime/gospans.h"
#include "go/runtime/gotimer.h"
#include "heap/heap.h"
#include "table/paths/path_tree.h"
#include "table/waste/outside.h"
#include "table/waste/waste.h"

#include <stdlib.h>
#include <string.h>

enum {
	LEAST = 2, /* percent of the reachable bytes */
	LEAST_SLOTS = 50,
	LEAST_TIMERS = 1000,
};

struct waste {
	struct waste_place *place; /* those with much, of all kinds */
	size_t count;
	struct waste_rest {
		uint64_t places, bytes; /* the others, by kind */
	} rest[WASTE_KINDS];
	struct outside outside;
	struct waste_numbers {
		uint64_t cycles, cleanups, cycle_bytes;
		uint64_t slot_bytes;
		uint64_t timers, unheard, timer_bytes; /* unheard: no thread waits on their channels */
	} n;
};

/* Returns the bytes of slots without an object, in spans that have objects. */
static uint64_t waste_free_slots(const struct heap *heap)
{
	struct gospans spans;
	uint64_t bytes = 0;
	SCOPED_BUF cause = {0};
	if (!heap_has(heap, PART_GO | PART_MEMORY) || damage_cause(heap, DAMAGE_OBJECTS, &cause))
		return 0; /* an object that is missing may lie there */
	gospans_init(&spans, heap);
	for (size_t i = 0; i < spans.count; i++)
		bytes += gospans_free_slots(&spans.span[i]) * spans.span[i].size;
	gospans_fini(&spans);
	return bytes;
}

/* Counts the timers that a program creates and may stop. */
static bool waste_find_timers(const struct analysis *analysis, struct waste *waste,
                              struct progress *progress, struct err *err)
{
	if (!heap_has(analysis_heap(analysis), PART_GO | PART_MEMORY))
		return true;
	SCOPED_BUF cause = {0};
	struct rows *rows = rows_open_watched(table_find("timers"), analysis, NULL, progress, err);
	for (size_t row = 0; rows && row < rows->count; row++) {
		const struct gotimer *timer = rows_record(rows, row);
		if (timer->kind > GOTIMER_CALL)
			continue;
		waste->n.timers++;
		waste->n.timer_bytes += rows_number(rows, row, "retained_bytes").number;
		waste->n.unheard += timer->kind != GOTIMER_CALL
		                    && rows_number(rows, row, "goroutine").kind == VALUE_NONE;
	}
	/* A thread whose wait is unknown may wait for them. */
	const struct gowaits *waits = analysis_waits(analysis);
	for (uint32_t g = 0; g < analysis_heap(analysis)->thread_count; g++)
		if (!waits->of[g].known)
			waste->n.unheard = 0;
	if (damage_cause(analysis_heap(analysis), DAMAGE_THREADS, &cause))
		waste->n.unheard = 0;
	rows_close(rows);
	return rows;
}

enum { TEXTS = OUTSIDE_MOST * OUTSIDE_TEXTS };

static void waste_free(void *made)
{
	struct waste *waste = made;
	for (size_t i = 0; waste && i < TEXTS; i++)
		buf_free(&waste->outside.text[i]);
	if (waste)
		free(waste->place);
	free(waste);
}

/* Adds up what one kind finds; lists the places with much. False: cancelled. */
static bool waste_find_places(const struct analysis *analysis, struct waste *waste, uint32_t kind,
                              struct progress *progress)
{
	struct waste_sum sum = {
		.tree = analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress)};
	struct waste_rest *rest = &waste->rest[kind];
	struct err err = {0};
	bool done = sum.tree && waste_add_up(analysis, &waste_kinds[kind], &sum, progress, &err);
	rest->bytes = sum.bytes;
	waste->place = mem_resize(waste->place, (waste->count + sum.count) * sizeof *waste->place);
	for (size_t i = 0; i < sum.count; i++)
		if (sum.place[i].bytes * 100 >= analysis_reach(analysis)->bytes * LEAST) {
			waste->place[waste->count] = sum.place[i];
			waste->place[waste->count++].kind = kind;
			rest->bytes -= sum.place[i].bytes;
		} else {
			rest->places++;
		}
	waste_sum_fini(&sum);
	return done;
}

/* Computes the sums. Rows retain by the current setting, so only its tree has a result. */
static void *waste_make(const struct analysis *analysis, enum retain retain,
                        struct progress *progress)
{
	const struct reach *reach = analysis_reach(analysis);
	struct waste *waste = mem_alloc(sizeof *waste);
	struct err err = {0};
	bool done = analysis_has_roots(analysis) && analysis_retained(analysis)->retain == retain;
	if (done)
		analysis_walk_kept(analysis, progress);
	for (uint32_t i = 0; done && i < WASTE_KINDS; i++)
		done = waste_find_places(analysis, waste, i, progress);
	done = done && outside_find(&waste->outside, analysis, progress)
	       && waste_find_timers(analysis, waste, progress, &err);
	struct finalizer_cycles *cycles = done ? finalizer_cycles_new(reach, progress) : NULL;
	if (!cycles) {
		waste_free(waste);
		return NULL;
	}
	waste->n.cycles = cycles->cycles;
	waste->n.cleanups = cycles->cleanups;
	waste->n.cycle_bytes = cycles->bytes;
	finalizer_cycles_free(cycles);
	waste->n.slot_bytes = waste_free_slots(analysis_heap(analysis));
	return waste;
}

static bool waste_index(void *made, const struct index_io *io)
{
	struct waste *waste = made;
	SCOPED_BUF texts = {0};
	for (size_t i = 0; io->writer && i < TEXTS; i++)
		buf_add_bytes(&texts, buf_text(&waste->outside.text[i]), waste->outside.text[i].len + 1);
	bool done = INDEX_VALUES(io, "numbers", INDEX_VALUE(waste->rest), INDEX_VALUE(waste->n),
	                         INDEX_VALUE(waste->outside.place))
	            && INDEX_ARRAY(io, "places", waste->place, waste->count)
	            && index_io_buf(io, "texts", &texts);
	const char *text = texts.data;
	for (size_t i = 0; done && io->file && i < TEXTS; i++, text += strlen(text) + 1)
		buf_add(&waste->outside.text[i], text);
	return done;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, waste_kept) = {
	.name = "waste",
	.needs = STAGE_ALL,
	.by_retain = true,
	.make = waste_make,
	.free = waste_free,
	.size = sizeof(struct waste),
	.index = waste_index,
};

/* ---- Findings */

enum {
	KIND_CYCLES = WASTE_KINDS,
	KIND_DUE,
	KIND_SLOTS,
	KIND_UNHEARD,
	KIND_TIMERS,
	KIND_OUTSIDE,
	KIND_OUTSIDE_LEAST
};
static const struct finding_kind kinds[] = {
	/* in the order of waste_kinds */
	{FINDING_USUAL, "unused parts", "~",
     "Slices and strings keep arrays alive of which they use a part",
     "{bytes} at {name} are unused: slices and strings use only a part of their arrays."},
	{FINDING_USUAL, "unused capacity", "~",
     "Maps and channels have room that they do not use, and sync.Pools have values that nobody "
     "uses",
     "{bytes} at {name} are unused capacity of maps, channels or pools."},
	{FINDING_USUAL, "duplicates", "~",
     "One copy of equal strings and byte arrays would do. What is counted as an unused part is "
     "left out",
     "{bytes} at {name} would be saved if equal strings and byte arrays were one copy."},
	[KIND_CYCLES] = {FINDING_USUAL, "cycles", "!",
                     "What each would clean up keeps itself alive, so that it can never run",
                     "{what} can never run: what each would clean up keeps itself alive[, "
                     "{bytes}]."},
	[KIND_DUE] = {FINDING_USUAL, "finalizers", "!",
                  "Their objects stay until they have run, one after the other",
                  "{what}[, behind {name}]: their objects stay until all have run."},
	[KIND_SLOTS] = {FINDING_LAST, "free slots", "~",
                    "Spans with few objects: they return to the system only when they are empty",
                    "{bytes} are free slots between objects: they return to the system only "
                    "when no object is left beside them."},
	[KIND_UNHEARD] = {FINDING_USUAL, "timers", "~",
                      "No " THREAD_WORD " waits for them: they were not stopped",
                      "{what} run, and {name}: they were not stopped[; they keep {bytes}]."},
	[KIND_TIMERS] = {FINDING_USUAL, "timers", "", "So many timers run",
                     "{what} were started and not stopped[; they keep {bytes}]."},
	[KIND_OUTSIDE] = {FINDING_USUAL, "outside slices", "~",
                      "A slice was cut, as by s = s[n:], and the elements that were cut off still "
                      "keep these objects alive; bytes: what setting them to zero frees",
                      "{bytes} at {name} are kept alive only by elements that a slice has cut "
                      "off: {what}."},
	[KIND_OUTSIDE_LEAST] =
		{FINDING_USUAL, "outside slices", "~",
         "Slices were cut, as by s = s[n:], and the elements that were cut off still keep these "
         "objects alive; bytes: what setting them to zero frees at least",
         "At least {bytes} at {name} are kept alive only by elements that a slice has cut off: "
         "{what}."},
};

static const char *const waste_words[WASTE_KINDS] = {
	"unused parts",
	"unused capacity",
	[WASTE_DUPLICATES] = "equal contents",
};

static struct finding *waste_report(struct findings *findings, size_t kind, uint64_t bytes,
                                    const char *what, const char *link)
{
	struct finding *finding = findings_add(findings, &kinds[kind]);
	finding->bytes = bytes;
	finding->of_heap = kind != KIND_SLOTS && kind != KIND_DUE;
	finding->recoverable = finding->of_heap && kind != KIND_UNHEARD && kind != KIND_TIMERS ? bytes
	                                                                                       : 0;
	buf_add(&finding->what, what);
	buf_add(&finding->link, link);
	return finding;
}

/* Adds "unused capacity, 5,514 × map[string]int" or "24,000 equal []byte", and the places with
   little together. */
static void waste_report_places(struct findings *findings, const struct waste *waste,
                                const struct path_tree *tree)
{
	for (size_t i = 0; i < waste->count; i++) {
		const struct waste_place *place = &waste->place[i];
		const char *words = waste_words[place->kind];
		struct finding *finding = waste_report(findings, place->kind, place->bytes, words, "");
		finding->count = place->count;
		bool equal = place->kind == WASTE_DUPLICATES;
		finding->waste = equal ? words : "unused";
		if (equal)
			buf_clear(&finding->what);
		else
			buf_add(&finding->what, ", ");
		if (place->count > 1 || equal)
			buf_addf(&finding->what, "%s %s ", text_count(place->count).text,
			         equal ? "equal" : "×");
		buf_add(&finding->what, step_classes_type(tree->step_classes,
		                                          tree->merged_paths->node[place->place].label));
		finding_place_take(finding, findings->analysis, tree, place->place);
	}
	for (size_t kind = 0; kind < WASTE_KINDS; kind++) {
		const struct waste_rest *rest = &waste->rest[kind];
		if (!findings_is_much(findings, rest->bytes, LEAST))
			continue;
		struct finding *finding =
			waste_report(findings, kind, rest->bytes, waste_words[kind], waste_kinds[kind].table);
		text_add_number_of(&finding->name, rest->places, "place with little",
		                   "places with little each");
	}
}

/* Adds "5 finalizers", which can never run. */
static void waste_report_cycles(struct findings *findings, const struct waste_numbers *n)
{
	bool all = n->cleanups == n->cycles, none = !n->cleanups;
	SCOPED_BUF what = {0};
	if (!findings_is_much(findings, n->cycle_bytes, LEAST))
		return;
	text_add_number_of(&what, n->cycles,
	                   none  ? "finalizer"
	                   : all ? "cleanup"
	                         : "finalizer and cleanup",
	                   none  ? "finalizers"
	                   : all ? "cleanups"
	                         : "finalizers and cleanups");
	struct finding *finding =
		waste_report(findings, KIND_CYCLES, n->cycle_bytes, buf_text(&what), "cycles");
	finding->count = n->cycles;
	buf_add(&finding->expression, "rows=cycles");
	buf_add(&finding->name, "can never run");
}

/* Returns the thread that runs finalizers, found by its function. */
static const struct thread *waste_finalizer_thread(const struct heap *heap)
{
	for (uint32_t f = 0; f < heap->frame_count; f++) {
		struct text name = heap->frames[f].record.function;
		if ((text_is(name, "runtime.runfinq") || text_is(name, "runtime.runFinalizers"))
		    && heap->frames[f].thread != UINT32_MAX)
			return &heap->threads[heap->frames[f].thread];
	}
	return NULL;
}

/* Adds "12 finalizers are due", and what the thread that runs them waits for. */
static void waste_report_queue(struct findings *findings)
{
	const struct heap *heap = analysis_heap(findings->analysis);
	const struct thread *thread = waste_finalizer_thread(heap);
	uint64_t count = heap->queued_finalizer_count;
	SCOPED_BUF what = {0};
	if (!count)
		return;
	text_add_number_of(&what, count, "finalizer is due", "finalizers are due");
	struct finding *finding =
		waste_report(findings, KIND_DUE, 0, buf_text(&what), "finalizers queued");
	finding->count = count;
	buf_add(&finding->expression, "rows=finalizers queued");
	if (thread && thread->record.wait_reason.len) {
		thread_add_name(heap, thread, &finding->name);
		buf_add(&finding->name, " in ");
		text_add_escaped(&finding->name, thread->record.wait_reason.data,
		                 thread->record.wait_reason.len, 60);
	}
}

static void waste_report_timers(struct findings *findings, const struct waste *waste)
{
	const struct waste_numbers *n = &waste->n;
	uint64_t count = n->unheard ? n->unheard : n->timers;
	SCOPED_BUF what = {0};
	if (n->timers < LEAST_TIMERS && !findings_is_much(findings, n->timer_bytes, LEAST))
		return;
	text_add_number_of(&what, n->timers, "timer", "timers");
	struct finding *finding = waste_report(findings, n->unheard ? KIND_UNHEARD : KIND_TIMERS,
	                                       n->timer_bytes, buf_text(&what), "timers started");
	finding->count = count;
	buf_add(&finding->expression, "rows=timers started");
	buf_add(&finding->name, n->unheard ? "nobody waits for " : "started and not stopped");
	if (n->unheard)
		buf_add(&finding->name, count < n->timers ? text_count(count).text : "them");
}

/* Takes the objects at "main.queue[*] outside" where that is a place. */
static void waste_take_outside(struct finding *finding, const struct path_tree *tree)
{
	SCOPED_BUF place = {0};
	size_t places = 0;
	buf_addf(&place, "%s[*] outside", buf_text(&finding->name));
	free(tree ? path_tree_find_places(tree, buf_text(&place), false, &places) : NULL);
	if (!places)
		return;
	finding->frees_known = false;
	buf_addf(&finding->expression, "at=%s", buf_text(&place));
}

static void waste_report_outside(struct findings *findings, const struct outside *outside,
                                 const struct path_tree *tree)
{
	for (size_t i = 0; i < OUTSIDE_MOST; i++) {
		const struct outside_place *place = &outside->place[i];
		const struct buf *text = &outside->text[i * OUTSIDE_TEXTS];
		if (!findings_is_much(findings, place->bytes, LEAST))
			return;
		struct finding *finding =
			waste_report(findings, place->least ? KIND_OUTSIDE_LEAST : KIND_OUTSIDE, place->bytes,
		                 buf_text(&text[0]), buf_text(&text[2]));
		finding->count = place->count;
		finding->frees = place->bytes;
		finding->frees_known = !place->least;
		buf_add(&finding->name, buf_text(&text[1]));
		waste_take_outside(finding, tree);
	}
}

static bool waste_find(struct findings *findings, struct progress *progress, struct err *err)
{
	const struct analysis *analysis = findings->analysis;
	const struct waste *waste =
		analysis_kept(analysis, &waste_kept, analysis_retained(analysis)->retain, progress);
	if (!waste)
		return err_set(err, "Adding up unused memory was cancelled");
	const struct path_tree *tree =
		analysis_kept(analysis, &path_tree_whole, RETAIN_ALIVE, progress);
	if (waste->count)
		waste_report_places(findings, waste, tree);
	waste_report_outside(findings, &waste->outside, tree);
	waste_report_cycles(findings, &waste->n);
	waste_report_queue(findings);
	waste_report_timers(findings, waste);
	if (findings_is_much(findings, waste->n.slot_bytes, LEAST_SLOTS))
		waste_report(findings, KIND_SLOTS, waste->n.slot_bytes, "free slots", "types-size");
	return true;
}

DEFINE_PLUGIN(finders, struct finder, waste_finder) = {
	.parts = PART_GO | PART_MEMORY, .find = waste_find, .slow = &waste_kept};
