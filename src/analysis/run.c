/* Runs the unfinished stages, in the caller or in a task. */
#include "analysis/index.h"
#include "analysis/kept.h"
#include "analysis/stages.h"
#include "base/mem.h"
#include "base/task.h"

/* Publishes the results of a stage to all threads. False: failed or cancelled. */
static bool publish_stage(struct analysis *a, enum stage stage, bool made, const struct err *err,
                          uint64_t cpu)
{
	if (!made) {
		a->dump->err = *err;
		err_set(&a->dump->err, "Cancelled while looking for %s", stage_name(stage));
		atomic_store_explicit(&a->dump->failed, true, memory_order_release);
		return false;
	}
	a->dump->cpu[stage_index(stage)] = cpu;
	atomic_fetch_or_explicit(&a->dump->stages, stage, memory_order_release);
	return true;
}

static bool run_stage(struct analysis *a, enum stage stage, struct progress *progress)
{
	struct err err = {0};
	uint64_t before = task_cpu();
	bool made = stage_make(a->dump, stage, progress, &err);
	uint64_t cpu = task_cpu() - before;
	progress_begin(progress, NULL, 0);
	return publish_stage(a, stage, made, &err, cpu);
}

/* Types and dominators are independent, so a second task computes types meanwhile; they are
   published in their turn. */
struct beside {
	struct analysis *analysis;
	const struct progress *whole;
	struct task *task; /* NULL: not started, or ended */
	bool made;
	struct err err;
	uint64_t cpu;
};

static void beside_work(void *self, struct progress *progress)
{
	struct beside *beside = self;
	progress->whole = beside->whole;
	beside->made = stage_make(beside->analysis->dump, STAGE_TYPED, progress, &beside->err);
	beside->cpu = task_cpu();
}

static void beside_begin(struct beside *beside, enum stage next, unsigned stages)
{
	bool lacks = stages_with(stages) & ~analysis_stages(beside->analysis) & STAGE_TYPED;
	if (lacks && !beside->task && next > STAGE_LINKED && next < STAGE_TYPED)
		beside->task = task_start(beside_work, beside, NULL);
}

static bool beside_publish(struct beside *beside, struct progress *progress)
{
	progress_begin(progress, "finding types", 0);
	task_wait(beside->task, TASK_FOREVER);
	task_end(beside->task);
	beside->task = NULL;
	progress_begin(progress, NULL, 0);
	return publish_stage(beside->analysis, STAGE_TYPED, beside->made, &beside->err, beside->cpu);
}

/* Runs the stages of earlier dumps. If one fails, the explorer shows this dump without comparisons,
   and says why. Batch callers get an error, because what they print would miss the comparison. */
static bool run_earlier(struct analysis *a, unsigned stages, struct progress *progress)
{
	const struct series *series = analysis_series(a);
	struct err why = {0}, err = {0};
	size_t i = 0;
	while (series && i < series->count
	       && analysis_run_watched(series->older[i], stages, progress, &why))
		i++;
	if (!series || i == series->count)
		return true;
	err_set(&err, "%.120s cannot be compared with: %.220s", analysis_path(series->older[i]),
	        why.text);
	if (a->dump->wake && progress_step(progress, 0)) {
		series_give_up(a->dump->series, &err);
		return true;
	}
	a->dump->err = err;
	atomic_store_explicit(&a->dump->failed, true, memory_order_release);
	return false;
}

static void sum_up(struct analysis *a, struct progress *progress)
{
	if (analysis_has_roots(a))
		analysis_owners(a, analysis_owner_retain(a), progress);
}

/* Checks the memory before a stage starts, because a stage cannot recover from a lack of
   memory. Batch callers get an error for the whole request at once; the explorer runs the stages
   that fit. An index needs no check, nor does a stage that already runs beside: what it has taken
   is not there any more. True: run `next`. */
static bool run_may(struct analysis *a, unsigned stages, enum stage next, unsigned running)
{
	struct err err = {0};
	enum stage first;
	unsigned lacking = stages_with(stages) & ~analysis_stages(a) & ~running;
	const struct exe *exe = a->dump->names ? a->dump->names->exe : NULL;
	if (next < STAGE_LINKED || a->dump->index || analysis_failed(a, NULL)
	    || memory_need_fits(a->dump->heap, exe, lacking, &first, &err)
	    || (a->dump->wake && first != next))
		return true;
	return publish_stage(a, next, false, &err, 0);
}

/* Runs all unfinished stages in order; `sums`: also what the first screen shows of owners. */
static bool run_lacking(struct analysis *a, unsigned stages, bool sums, struct progress *progress)
{
	struct beside types = {.analysis = a, .whole = progress};
	enum stage next;
	bool compares = analysis_series(a); /* more dumps may join later */
	bool more = run_earlier(a, stages, progress);
	compares &= analysis_series(a) != NULL;
	analysis_expect(a, stages);
	while (more && (next = analysis_lacks(a, stages)) != STAGE_NONE) {
		if (!(more = run_may(a, stages, next, types.task ? STAGE_TYPED : 0)))
			break;
		beside_begin(&types, next, stages);
		if (sums && next == STAGE_TYPED) {
			sum_up(a, progress);
			if (compares)
				series_prepare(analysis_series(a), a);
		}
		more = !analysis_failed(a, NULL)
		       && (next == STAGE_TYPED && types.task ? beside_publish(&types, progress)
		                                             : run_stage(a, next, progress));
		wake_up(a->dump->wake);
	}
	task_end(types.task);
	return more;
}

void analysis_expect(struct analysis *analysis, unsigned stages)
{
	analysis->dump->expected |= stages_with(stages);
}

void analysis_expect_only(struct analysis *analysis, uint32_t object)
{
	if (!index_of_dump_may_be_kept(analysis->dump))
		analysis->dump->only = object;
}

static bool analysis_run_in(struct analysis *a, unsigned stages, struct progress *progress,
                            struct err *err)
{
	return run_lacking(a, stages, false, progress) || (analysis_failed(a, err), false);
}

bool analysis_run_watched(struct analysis *analysis, unsigned stages, struct progress *progress,
                          struct err *err)
{
	bool done = analysis_run_in(analysis, stages, progress, err);
	analysis_keep(analysis);
	return done;
}

bool analysis_run(struct analysis *analysis, unsigned stages, struct err *err)
{
	return analysis_run_in(analysis, stages, NULL, err);
}

void analysis_sum_up(struct analysis *analysis)
{
	sum_up(analysis, NULL);
}

static void analysis_work(void *self, struct progress *progress)
{
	struct analysis *a = self;
	if (run_lacking(a, STAGE_ALL, true, progress))
		analysis_keep(a);
	mem_recycled_free();
	atomic_store(&a->dump->done, true); /* the end of the task wakes the caller */
}

void analysis_start(struct analysis *analysis, const struct wake *wake)
{
	analysis->dump->wake = wake;
	analysis->dump->task = task_start(analysis_work, analysis, wake);
}

static void keep_work(void *self, struct progress *progress)
{
	(void)progress;
	analysis_keep(self);
}

void analysis_keep_beside(struct analysis *a)
{
	if (!a->dump->task || !task_wait(a->dump->task, 0) || !analysis_has_to_keep(a))
		return;
	task_end(a->dump->task);
	a->dump->task = task_start(keep_work, a, a->dump->wake); /* there may be more to keep by then */
}
