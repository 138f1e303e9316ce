#include "analysis/damage.h"
#include "analysis/kept.h"
#include "analysis/stages.h"

#include "analysis/owners.h"
#include "base/mem.h"
#include "base/process.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>

const char *analysis_path(const struct analysis *analysis)
{
	return analysis->dump->path;
}

const char *analysis_about(const struct analysis *analysis)
{
	return process_named(analysis->dump->path, true, NULL) ? NULL : analysis->dump->path;
}

bool analysis_hides_keys(const struct analysis *analysis)
{
	const struct heap *heap = analysis_heap(analysis);
	return analysis->dump->options.hide_keys || (heap && heap->params.redacted);
}

unsigned analysis_stages(const struct analysis *analysis)
{
	return atomic_load_explicit(&analysis->dump->stages, memory_order_acquire);
}

/* Returns true if all `stages` are finished. STAGE_OWNED runs before STAGE_REVERSED to save memory,
   but counts as finished only after it. */
bool analysis_has(const struct analysis *analysis, unsigned stages)
{
	unsigned has = analysis_stages(analysis);
	if (!(has & STAGE_REVERSED))
		has &= ~(unsigned)STAGE_OWNED;
	return !(stages & ~has);
}

enum stage analysis_lacks(const struct analysis *analysis, unsigned stages)
{
	unsigned lacking = stages_with(stages) & ~analysis_stages(analysis);
	return lacking ? (enum stage)(1U << __builtin_ctz(lacking)) : STAGE_NONE;
}

const struct estimate *analysis_estimate(const struct analysis *analysis)
{
	bool there = atomic_load_explicit(&analysis->dump->estimated, memory_order_acquire);
	return there ? &analysis->dump->estimate : NULL;
}

/* Defines analysis_NAME, which returns a result once its stage is finished. */
#define RESULT(type, name, stage)                                               \
	type analysis_##name(const struct analysis *analysis)                       \
	{                                                                           \
		return analysis_has(analysis, (stage)) ? (analysis->dump->name) : NULL; \
	}
RESULT(struct heap *, heap, STAGE_READ)
RESULT(const struct groups *, groups, STAGE_READ)
RESULT(const struct names *, names, STAGE_NAMED)
RESULT(const struct gowaits *, waits, STAGE_LINKED)
RESULT(const struct reach *, reach, STAGE_REACHED)
RESULT(const struct root_nodes *, root_nodes, STAGE_RETAINED)
RESULT(struct gotypes *, types, STAGE_TYPED)
RESULT(const struct typing *, typing, STAGE_TYPED)
RESULT(struct locals *, locals, STAGE_TYPED)
RESULT(const struct statics *, statics, STAGE_TYPED)
RESULT(const struct labels *, labels, STAGE_TYPED)
RESULT(const struct structures *, structures, STAGE_TYPED)

const struct input *analysis_input(const struct analysis *analysis)
{
	return analysis_has(analysis, STAGE_READ) ? &analysis->dump->input : NULL;
}

bool analysis_has_roots(const struct analysis *analysis)
{
	return damage_has_roots(analysis->dump->heap);
}

const struct dominators *analysis_dominators(const struct analysis *analysis, enum retain retain)
{
	static const enum stage stages[RETAIN_COUNT] = {
		[RETAIN_ALIVE] = STAGE_RETAINED,
		[RETAIN_STRONGEST] = STAGE_OWNED,
		[RETAIN_WEAK] = STAGE_RETAINED,
	};
	if (!analysis_has(analysis, stages[retain]))
		return NULL;
	if (retain == RETAIN_WEAK && !analysis->dump->dominators[RETAIN_WEAK])
		retain = RETAIN_ALIVE;
	return analysis->dump->dominators[retain];
}

const struct dominators *analysis_dominators_of(const struct analysis *analysis, uint32_t object)
{
	bool weak = analysis_has(analysis, STAGE_REACHED)
	            && reach_is_weak(analysis->dump->reach, object);
	return analysis_dominators(analysis, weak ? RETAIN_WEAK : RETAIN_ALIVE);
}

enum retain analysis_retain(const struct analysis *analysis)
{
	return analysis->retain == RETAIN_COUNT ? RETAIN_ALIVE : analysis->retain;
}

enum retain analysis_owner_retain(const struct analysis *analysis)
{
	if (analysis->retain != RETAIN_COUNT)
		return analysis->retain;
	return heap_has(analysis->dump->heap, PART_GO) ? RETAIN_STRONGEST : RETAIN_ALIVE;
}

bool analysis_parts(const struct analysis *analysis)
{
	return analysis->parts;
}

const struct analysis *analysis_with_parts(const struct analysis *analysis, bool parts)
{
	return &analysis->dump->ways[parts][analysis->retain];
}

const struct analysis *analysis_with_retain(const struct analysis *analysis, enum retain retain)
{
	return &analysis->dump->ways[analysis->parts][retain];
}

const struct analysis *analysis_asked_as(const struct analysis *analysis,
                                         const struct analysis *other)
{
	return &analysis->dump->ways[other->parts][other->retain];
}

const struct dominators *analysis_retained(const struct analysis *analysis)
{
	return analysis_dominators(analysis, analysis_retain(analysis));
}

const struct owners *analysis_owners(const struct analysis *analysis, enum retain retain,
                                     struct progress *progress)
{
	const struct dominators *dominators = analysis_dominators(analysis, retain);
	return analysis_kept(analysis, &owners_kept, dominators->retain, progress);
}

const struct dominator_children *analysis_children(const struct analysis *analysis,
                                                   enum retain retain, struct progress *progress)
{
	const struct dominators *dominators = analysis_dominators(analysis, retain);
	return analysis_kept(analysis, &dominator_children_kept, dominators->retain, progress);
}

const struct owners *analysis_owners_made(const struct analysis *analysis, enum retain retain)
{
	const struct dominators *dominators = analysis_dominators(analysis, retain);
	return dominators ? analysis_kept_made(analysis, &owners_kept, dominators->retain) : NULL;
}

const char *analysis_executable_damage(const struct analysis *analysis)
{
	const struct names *names = analysis_names(analysis);
	if (!names || !names->exe)
		return NULL;
	const struct buf *damage = analysis_has(analysis, STAGE_TYPED) ? &analysis->dump->exe_damage
	                                                               : &names->damage;
	return damage->len ? buf_text(damage) : NULL;
}

bool analysis_failed(const struct analysis *analysis, struct err *err)
{
	if (!atomic_load_explicit(&analysis->dump->failed, memory_order_acquire))
		return false;
	if (err)
		*err = analysis->dump->err;
	return true;
}

bool analysis_done(const struct analysis *analysis)
{
	return atomic_load(&analysis->dump->done) || analysis_has(analysis, STAGE_ALL);
}

const struct progress *analysis_progress(const struct analysis *analysis)
{
	return analysis->dump->task ? task_progress(analysis->dump->task) : NULL;
}

void analysis_stop(struct analysis *analysis)
{
	task_end(analysis->dump->task);
	analysis->dump->task = NULL;
}

uint64_t analysis_cpu(const struct analysis *analysis, enum stage stage)
{
	return analysis_has(analysis, stage) ? analysis->dump->cpu[stage_index(stage)] : 0;
}
