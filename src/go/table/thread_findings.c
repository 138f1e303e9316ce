/* Finds goroutines that pile up, with what they wait for, and those that can never wake up. */
#include "table/findings/finding.h"

#include "analysis/damage.h"
#include "analysis/kept.h"
#include "analysis/owners.h"
#include "analysis/series.h"
#include "base/bits.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/text.h"
#include "format/format.h"
#include "format/runtime.h"
#include "go/analysis/lost.h"
#include "go/table/goroutine_sums.h"
#include "go/table/group_place.h"
#include "go/table/waits.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/thread.h"
#include "table/naming/typed.h"
#include "table/paths/path_tree.h"
#include "table/table.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	LEAST = 1,            /* percent of the reachable bytes, for a group of several, */
	MANY = 100,           /* or so many goroutines */
	DEEP = 50,            /* percent of the reachable bytes, for the stack of one alone, */
	DEEP_LEAST = 1 << 20, /* and so many bytes */
	GROWN = 10,           /* percent of a group that are new since the oldest earlier dump */
	STACKS = 100,         /* so many stacks of lost goroutines are findings of their own */
	SHOWN = 200,          /* bytes of a function's name */
};

/* Returns by group the number of its goroutines that can never wake up, adds their bytes, and sets
   the bit of each. */
static uint32_t *threads_lost(const struct analysis *analysis, const struct lost *lost,
                              uint64_t *bytes, uint64_t *is_lost)
{
	const struct groups *groups = analysis_groups(analysis);
	uint32_t *count = mem_alloc((groups->count + 1) * sizeof *count);
	for (uint32_t i = 0; i < lost->count; i++) {
		const struct lost_goroutine *one = &lost->goroutine[i];
		word_bit_set(is_lost, one->thread);
		count[groups->of[one->thread]]++;
		bytes[groups->of[one->thread]] += one->stack_bytes + one->bytes;
	}
	return count;
}

enum { KIND_LOST, KIND_MANY, KIND_DEEP, KIND_GROWN, KIND_ENDED };
static const struct finding_kind threads_kinds[] = {
	[KIND_LOST] = {FINDING_USUAL, "lost", "!",
                   "They can never wake up: nothing that can still run reaches what they wait on",
                   "{threads} can never wake up: {name}[; with their stacks, they keep {kept}]."},
	[KIND_MANY] = {FINDING_USUAL, THREADS_WORD, "",
                   "So many wait at the same place; bytes: their stacks, and what only they keep "
                   "alive",
                   "{threads} wait at one place: {name}[; with their stacks, they keep {kept}]."},
	[KIND_DEEP] = {FINDING_USUAL, "stack", "",
                   "Its stack is large beside the heap: it has many calls, or large ones",
                   "The stack of one " THREAD_WORD " takes {bytes}: {name}."},
	[KIND_GROWN] =
		{FINDING_FIRST, "more " THREADS_WORD, "+",
         "So many more than in the oldest earlier dump wait at the same place; bytes: by "
         "how much their stacks have grown",
         "{threads} more than in the oldest earlier dump wait at one place: {name}[; their stacks "
         "take {bytes}]."},
	[KIND_ENDED] = {FINDING_LAST, "ended", "~",
                    "The runtime keeps the records of " THREADS_WORD " that have ended, for new "
                    "ones, and never frees them",
                    "{what}; the runtime keeps their records for new ones: {bytes}."},
};

/* Appends "3,000 × chan receive", "20 never wake, select". */
static void threads_add_what(const struct heap *heap, const struct finding_kind *kind,
                             uint32_t thread, struct finding *finding)
{
	static const char *const between[] = {
		[KIND_LOST] = " never wake, ",
		[KIND_MANY] = " × ",
		[KIND_GROWN] = " more × ",
	};
	struct text reason = heap->threads[thread].record.wait_reason;
	if (kind == &threads_kinds[KIND_DEEP]) {
		buf_add(&finding->what, "stack of one " THREAD_WORD);
		return;
	}
	bool one_lost = kind == &threads_kinds[KIND_LOST] && finding->count == 1;
	text_add_count(&finding->what, finding->count);
	buf_add(&finding->what, one_lost ? " never wakes, " : between[kind - threads_kinds]);
	if (reason.len)
		text_add_escaped(&finding->what, reason.data, reason.len, SHOWN);
	else
		buf_add(&finding->what, finding->count == 1 ? THREAD_WORD : THREADS_WORD);
}

/* Adds the members of a group to what a finding is about; `only`: those with this bit, NULL: all.
 */
static void threads_take(struct finding *finding, struct ids members, const uint64_t *only)
{
	finding->thread = mem_resize(finding->thread,
	                             (finding->thread_count + members.count) * sizeof *finding->thread);
	for (size_t i = 0; i < members.count; i++)
		if (!only || word_bit_is_set(only, members.id[i]))
			finding->thread[finding->thread_count++] = members.id[i];
}

/* Adds a finding about a group, or about those of its members that have a bit in `only`. */
static void threads_report(const struct finding_kind *kind, struct findings *findings,
                           uint32_t group, const uint64_t *only, uint64_t count, uint64_t bytes,
                           struct progress *progress)
{
	const struct analysis *analysis = findings->analysis;
	const struct groups *groups = analysis_groups(analysis);
	struct ids members = groups_members(groups, group);
	struct finding *finding = findings_add(findings, kind);
	finding->count = count;
	finding->bytes = bytes;
	if (kind == &threads_kinds[KIND_LOST])
		finding->recoverable = bytes;
	if (kind != &threads_kinds[KIND_GROWN])
		threads_take(finding, members, only);
	if (finding->thread_count == members.count)
		buf_addf(&finding->expression, "group=%" PRIu32, group);
	threads_add_what(analysis_heap(analysis), kind, members.id[0], finding);
	group_place_add(analysis, members, progress, &finding->name);
	buf_addf(&finding->link, "goroutines group=%" PRIu32, group);
}

/* Adds the groups with goroutines that can never wake up. Of a program that has a stack for each,
   the small ones are one finding. */
static void threads_find_lost(struct findings *findings, const uint32_t *count,
                              const uint64_t *bytes, const uint64_t *is_lost,
                              struct progress *progress)
{
	const struct groups *groups = analysis_groups(findings->analysis);
	struct finding others = {.kind = &threads_kinds[KIND_LOST]};
	size_t stacks = 0;
	for (uint32_t group = 0; group < groups->count; group++) {
		if (!count[group])
			continue;
		if (stacks++ < STACKS || findings_is_much(findings, bytes[group], LEAST)) {
			threads_report(&threads_kinds[KIND_LOST], findings, group, is_lost, count[group],
			               bytes[group], progress);
		} else {
			others.count += count[group];
			others.recoverable = others.bytes += bytes[group];
			threads_take(&others, groups_members(groups, group), is_lost);
		}
	}
	if (!others.count)
		return;
	text_add_count(&others.what, others.count);
	buf_add(&others.what, others.count == 1 ? " never wakes" : " never wake");
	buf_add(&others.name, "on other stacks");
	buf_add(&others.link, "lost");
	*findings_add(findings, others.kind) = others;
}

/* The records of goroutines that are reachable, of those that have ended, too. */
struct thread_records {
	uint64_t count, bytes;
};

static void *thread_records_make(const struct analysis *analysis, enum retain retain,
                                 struct progress *progress)
{
	struct thread_records *sum = mem_alloc(sizeof *sum);
	size_t count;
	SCOPED_FREE uint32_t *records = typed_select(analysis, "runtime.g", &count);
	(void)retain, (void)progress;
	for (size_t i = 0; i < count; i++)
		if (reach_has(analysis_reach(analysis), records[i])) {
			sum->count++;
			sum->bytes += heap_size(analysis_heap(analysis), records[i]);
		}
	return sum;
}

static bool thread_records_index(void *made, const struct index_io *io)
{
	struct thread_records *sum = made;
	return INDEX_VALUES(io, "sums", INDEX_VALUE(sum->count), INDEX_VALUE(sum->bytes));
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, thread_records_kept) = {
	.name = "thread-records",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.make = thread_records_make,
	.free = free,
	.size = sizeof(struct thread_records),
	.index = thread_records_index,
};

/* Adds the records of goroutines that have ended. */
static void threads_find_ended(struct findings *findings, struct progress *progress)
{
	const struct heap *heap = analysis_heap(findings->analysis);
	const struct thread_records *sum =
		analysis_kept(findings->analysis, &thread_records_kept, RETAIN_ALIVE, progress);
	SCOPED_BUF doubt = {0};
	if (!sum || sum->count <= heap->thread_count || !heap->thread_count
	    || damage_doubt(heap, DAMAGE_THREADS, &doubt))
		return;
	uint64_t ended = sum->count - heap->thread_count;
	uint64_t bytes = sum->bytes / sum->count * ended; /* all are of one size */
	if (!findings_is_much(findings, bytes, LEAST))
		return;
	struct finding *finding = findings_add(findings, &threads_kinds[KIND_ENDED]);
	finding->count = ended;
	finding->bytes = bytes;
	finding->of_heap = true;
	text_add_number_of(&finding->what, ended, THREAD_WORD " has ended", THREADS_WORD " have ended");
	buf_add(&finding->name, "their records are kept");
	buf_add(&finding->link, "objects type=runtime.g");
}

/* Returns true if all threads of the oldest earlier dump are known. */
static bool threads_before_known(const struct analysis *analysis)
{
	const struct series *series = analysis_series(analysis);
	SCOPED_BUF doubt = {0};
	return series && series->count
	       && !damage_doubt(analysis_heap(series_older(analysis, 0)), DAMAGE_THREADS, &doubt);
}

/* Returns true if a group has grown by much since the oldest earlier dump. Both changes are
   VALUE_NONE without one. */
static bool threads_have_grown(const struct findings *findings, const struct group *group,
                               const struct value *more, const struct value *bytes)
{
	return more->kind != VALUE_NONE && !more->negative && !bytes->negative
	       && more->number * 100 >= (uint64_t)group->count * GROWN
	       && (more->number >= MANY || findings_is_much(findings, bytes->number, LEAST));
}

/* Returns true if a group may own much, or is a finding whatever it owns. What only a group keeps
   alive is below its roots in the tree of the strongest roots, too, which is made already. */
static bool threads_may_own_much(const struct findings *findings)
{
	const struct analysis *analysis = findings->analysis;
	const struct groups *groups = analysis_groups(analysis);
	const struct owners *strongest =
		analysis_owners_made(analysis, analysis_owner_retain(analysis));
	struct goroutine_sums sums;
	bool may = !strongest;
	goroutine_sums_by(&sums, analysis, strongest, groups->of, groups->count);
	for (uint32_t group = 0; group < groups->count && !may; group++)
		may = groups->group[group].count >= MANY
		      || (groups->group[group].count > 1
		          && findings_is_much(findings, sums.stack[group] + sums.sum[group].bytes, LEAST));
	goroutine_sums_fini(&sums);
	return may;
}

/* Adds the groups with goroutines that can never wake up, those that have grown, and those that are
   many or large. */
static bool threads_find(struct findings *findings, struct progress *progress, struct err *err)
{
	const struct analysis *analysis = findings->analysis;
	const struct groups *groups = analysis_groups(analysis);
	const struct lost *lost = analysis_lost(analysis, progress);
	bool compared = threads_before_known(analysis);
	bool sums = compared || threads_may_own_much(findings);
	struct progress none = {.total = 0}; /* with a progress, the table computes what they own */
	struct progress *owning = sums ? progress ? progress : &none : NULL;
	struct rows *rows =
		lost ? rows_open_watched(table_find("goroutines-stack"), analysis, NULL, owning, err)
			 : NULL;
	if (!rows)
		return false;
	uint64_t *bytes = mem_alloc((groups->count + 1) * sizeof *bytes);
	SCOPED_FREE uint64_t *is_lost =
		mem_alloc((analysis_heap(analysis)->thread_count / 64 + 1) * sizeof *is_lost);
	uint32_t *count = threads_lost(analysis, lost, bytes, is_lost);
	threads_find_lost(findings, count, bytes, is_lost, progress);
	for (uint32_t group = 0; group < groups->count; group++) {
		const struct group *all = &groups->group[group];
		uint32_t member = groups->members[all->first];
		uint64_t own = rows_number(rows, group, "own_bytes").number;
		struct value more = rows_number(rows, group, "count_delta");
		struct value grown = rows_number(rows, group, "bytes_delta");
		uint64_t stack = rows_number(rows, group, "stack_bytes").number;
		bool system = analysis_heap(analysis)->threads[member].record.system;
		bool much = all->count > 1 && findings_is_much(findings, own, LEAST);
		if (compared && threads_have_grown(findings, all, &more, &grown))
			threads_report(&threads_kinds[KIND_GROWN], findings, group, NULL, more.number,
			               grown.number, progress);
		else if (!system && count[group] < all->count && (much || all->count >= MANY))
			threads_report(&threads_kinds[KIND_MANY], findings, group, NULL, all->count, own,
			               progress);
		else if (!system && all->count == 1 && stack >= DEEP_LEAST
		         && findings_is_much(findings, stack, DEEP))
			threads_report(&threads_kinds[KIND_DEEP], findings, group, NULL, 1, stack, progress);
	}
	free(count);
	free(bytes);
	rows_close(rows);
	threads_find_ended(findings, progress);
	return true;
}

DEFINE_PLUGIN(finders, struct finder, threads_finder) = {.parts = PART_GO, .find = threads_find};
