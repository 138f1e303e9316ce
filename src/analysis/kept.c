#include "analysis/kept.h"

#include "analysis/stages.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/task.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { CANCEL_MS = 100 }; /* a thread that waits looks so often whether it is cancelled */

PLUGINS(kept_kinds);

/* No thread holds the lock for long, so that waiting threads can be cancelled. */
struct kept {
	pthread_mutex_t lock;
	pthread_cond_t ended; /* a thread has computed a result, or was cancelled */
	struct kept_result {
		const struct kept_kind *kind;
		enum retain retain;
		bool making; /* one thread computes it; others wait */
		void *made;
	} * *result; /* each stays where it is, as threads work with it */
	size_t count, capacity;
	uint64_t cpu; /* of results that are not in the index */
};

struct kept *kept_new(void)
{
	struct kept *kept = mem_alloc(sizeof *kept);
	pthread_mutex_init(&kept->lock, NULL);
	pthread_cond_init(&kept->ended, NULL);
	return kept;
}

void kept_free(struct kept *kept)
{
	for (size_t i = 0; i < kept->count; i++) {
		if (kept->result[i]->made)
			kept->result[i]->kind->free(kept->result[i]->made);
		free(kept->result[i]);
	}
	free(kept->result);
	pthread_cond_destroy(&kept->ended);
	pthread_mutex_destroy(&kept->lock);
	free(kept);
}

/* Returns the slot of a result; the caller holds kept->lock. */
static struct kept_result *kept_result_of(struct kept *kept, const struct kept_kind *kind,
                                          enum retain retain)
{
	retain = kind->by_retain ? retain : RETAIN_ALIVE;
	for (size_t i = 0; i < kept->count; i++)
		if (kept->result[i]->kind == kind && kept->result[i]->retain == retain)
			return kept->result[i];
	struct kept_result *result = mem_alloc(sizeof *result);
	*result = (struct kept_result){.kind = kind, .retain = retain};
	MEM_PUSH(kept->result, kept->count, kept->capacity, result);
	return result;
}

/* Waits until another thread has ended with a result, for some time at most; the caller holds
   kept->lock. */
static void kept_wait(struct kept *kept)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += CANCEL_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&kept->ended, &kept->lock, &until);
}

/* Waits while another thread computes the result; the caller holds kept->lock. True: the caller
   must compute it. */
static bool kept_take_turn(struct kept *kept, struct kept_result *result, struct progress *progress)
{
	bool mine = false;
	while (result->making && !result->made && progress_step(progress, 0))
		kept_wait(kept);
	if (!result->making && !result->made)
		mine = result->making = true;
	return mine;
}

/* Returns the way of asking that a result is made with: who asks for it must not matter. By default
   owners have a kind of tree of their own. */
static const struct analysis *kept_way(const struct analysis *analysis, enum retain retain)
{
	return analysis_with_retain(analysis_with_parts(analysis, false),
	                            retain == RETAIN_ALIVE ? RETAIN_COUNT : retain);
}

static bool kept_is_for(const struct kept_kind *kind, const struct analysis *analysis)
{
	return !kind->without_parts || !analysis_parts(analysis);
}

static void *kept_make(const struct analysis *analysis, const struct kept_result *result,
                       struct progress *progress)
{
	const struct kept_kind *kind = result->kind;
	const struct object_walker *walker = &kind->walker;
	void *walked;
	if (walker->begin) {
		object_walk(analysis, &walker, 1, &walked, progress);
		return walked;
	}
	return kind->make(analysis, result->retain, progress);
}

/* Writes a result to an index, or reads it. */
static bool kept_index(const struct kept_result *result, void *made, const struct index_io *io)
{
	const struct kept_kind *kind = result->kind;
	const struct index_io own = kind->by_retain ? dominators_section(io, kind->name, result->retain)
	                                            : index_io_below(io, kind->name);
	return kind->index(made, &own);
}

static void *kept_load(const struct analysis *analysis, const struct kept_result *result)
{
	const struct kept_kind *kind = result->kind;
	if (!analysis->dump->index || !kind->name)
		return NULL;
	void *made = kind->empty ? kind->empty(analysis, result->retain) : mem_alloc(kind->size);
	if (kept_index(result, made, &(struct index_io){.file = analysis->dump->index}))
		return made;
	kind->free(made);
	return NULL;
}

static void *kept_load_or_make(const struct analysis *analysis, const struct kept_result *result,
                               struct progress *progress, uint64_t *cpu)
{
	analysis = kept_way(analysis, result->retain);
	void *made = kept_load(analysis, result);
	if (made)
		return made;
	uint64_t before = task_cpu();
	made = kept_make(analysis, result, progress);
	*cpu = task_cpu() - before;
	if (atomic_load(&analysis->dump->done)) /* else the next stages reuse the memory */
		mem_recycled_free();
	return made;
}

const void *analysis_kept(const struct analysis *analysis, const struct kept_kind *kind,
                          enum retain retain, struct progress *progress)
{
	struct kept *kept = analysis->dump->kept;
	uint64_t cpu = 0;
	if (!kept_is_for(kind, analysis))
		return NULL;
	pthread_mutex_lock(&kept->lock);
	struct kept_result *result = kept_result_of(kept, kind, retain);
	if (kept_take_turn(kept, result, progress)) {
		pthread_mutex_unlock(&kept->lock);
		void *made = kept_load_or_make(analysis, result, progress, &cpu);
		pthread_mutex_lock(&kept->lock);
		result->made = made;
		result->making = false;
		pthread_cond_broadcast(&kept->ended);
		kept->cpu += made && kind->name ? cpu : 0; /* else there is nothing to save */
	}
	const void *made = result->made;
	pthread_mutex_unlock(&kept->lock);
	return made;
}

/* Takes the results with a walker that nobody computes. Returns their number. */
static size_t kept_take_walked(struct kept *kept, const struct analysis *analysis,
                               struct kept_result *taken[WALKERS])
{
	size_t count = 0;
	pthread_mutex_lock(&kept->lock);
	for (const void *const *at = __start_all_kept_kinds; at < __stop_all_kept_kinds; at++) {
		const struct kept_kind *kind = *at;
		if (!kind->walker.begin || !analysis_has(analysis, kind->needs) || count == WALKERS)
			continue;
		struct kept_result *result = kept_result_of(kept, kind, RETAIN_ALIVE);
		if (!result->making && !result->made) {
			result->making = true;
			taken[count++] = result;
		}
	}
	pthread_mutex_unlock(&kept->lock);
	return count;
}

void analysis_walk_kept(const struct analysis *analysis, struct progress *progress)
{
	struct kept *kept = analysis->dump->kept;
	struct kept_result *taken[WALKERS];
	const struct object_walker *walker[WALKERS];
	void *loaded[WALKERS], *walked[WALKERS];
	size_t count = kept_take_walked(kept, analysis, taken), walkers = 0;
	analysis = kept_way(analysis, RETAIN_ALIVE);
	for (size_t i = 0; i < count; i++)
		if (!(loaded[i] = kept_load(analysis, taken[i])))
			walker[walkers++] = &taken[i]->kind->walker;
	uint64_t before = task_cpu();
	if (walkers)
		object_walk(analysis, walker, walkers, walked, progress);
	pthread_mutex_lock(&kept->lock);
	for (size_t i = 0, next = 0; i < count; i++) {
		taken[i]->made = loaded[i] ? loaded[i] : walked[next++];
		taken[i]->making = false;
	}
	pthread_cond_broadcast(&kept->ended);
	kept->cpu += walkers ? task_cpu() - before : 0;
	pthread_mutex_unlock(&kept->lock);
}

const void *analysis_kept_made(const struct analysis *analysis, const struct kept_kind *kind,
                               enum retain retain)
{
	struct kept *kept = analysis->dump->kept;
	if (!kept_is_for(kind, analysis))
		return NULL;
	pthread_mutex_lock(&kept->lock);
	const void *made = kept_result_of(kept, kind, retain)->made;
	pthread_mutex_unlock(&kept->lock);
	return made;
}

static void kept_save_one(struct kept *kept, const struct kept_kind *kind, enum retain retain,
                          const struct index_io *io)
{
	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_result *result = kept->result[i];
		if (result->kind == kind && result->retain == retain && result->made && kind->name)
			kept_index(result, result->made, io);
	}
}

/* In the order of the kinds, so that an index does not depend on which thread was first. */
void kept_save(struct kept *kept, const struct index_io *io)
{
	pthread_mutex_lock(&kept->lock);
	for (const void *const *at = __start_all_kept_kinds; at < __stop_all_kept_kinds; at++)
		for (enum retain retain = 0; retain < RETAIN_COUNT; retain++)
			kept_save_one(kept, *at, retain, io);
	kept->cpu = 0;
	pthread_mutex_unlock(&kept->lock);
}

uint64_t kept_cpu(struct kept *kept)
{
	pthread_mutex_lock(&kept->lock);
	uint64_t cpu = kept->cpu;
	pthread_mutex_unlock(&kept->lock);
	return cpu;
}

/* The results of all kinds: two threads take one after the other. */
struct kept_all {
	const struct analysis *analysis;
	atomic_size_t next; /* kind * RETAIN_COUNT + retain */
};

/* Computes one result for each distinct tree: without weak roots, two kinds are the same. Those
   with a walker come from one walk. */
static void kept_make_next(void *self, struct progress *progress)
{
	struct kept_all *all = self;
	const size_t kinds = (size_t)(__stop_all_kept_kinds - __start_all_kept_kinds);
	size_t at;
	while ((at = atomic_fetch_add(&all->next, 1)) < kinds * RETAIN_COUNT) {
		const struct kept_kind *kind = __start_all_kept_kinds[at / RETAIN_COUNT];
		enum retain r = (enum retain)(at % RETAIN_COUNT);
		if (kind->walker.begin || !analysis_has(all->analysis, kind->needs))
			continue;
		const struct dominators *d = analysis_dominators(all->analysis, r);
		if (r == RETAIN_ALIVE || (kind->by_retain && d && d->retain == r))
			analysis_kept(all->analysis, kind, r, progress);
	}
}

void analysis_make_kept(const struct analysis *analysis)
{
	struct kept_all all = {.analysis = analysis};
	struct task *task = task_start(kept_make_next, &all, NULL);
	analysis_walk_kept(analysis, NULL);
	kept_make_next(&all, NULL);
	task_wait(task, TASK_FOREVER);
	task_end(task);
}
