/* An analysis from its beginning to its end: part of analysis/analysis.h. */
#include "analysis/index.h"
#include "analysis/kept.h"
#include "analysis/series.h"
#include "analysis/stages.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "goruntime/goplumbing.h"
#include "heap/heap.h"

#include <stdlib.h>

struct analysis *analysis_new(const char *path)
{
	struct analysis *analysis = mem_alloc(sizeof *analysis);
	analysis->path = mem_strdup(path);
	analysis->kept = kept_new();
	analysis->input.fd = -1;
	analysis->retain = RETAIN_COUNT;
	analysis->only = OBJECT_NONE;
	return analysis;
}

struct analysis *analysis_again(const struct analysis *analysis, const char *exe)
{
	struct analysis *again = analysis_new(analysis->path);
	analysis_use_executable(again, *exe ? exe : analysis->exe);
	return again;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	if (!analysis->task)
		analysis_keep(analysis);
	analysis_stop(analysis);
	series_free(analysis->series);
	structures_free(analysis->structures);
	labels_free(analysis->labels);
	buf_free(&analysis->exe_damage);
	statics_free(analysis->statics);
	locals_free(analysis->locals);
	typing_free(analysis->typing);
	gotypes_free(analysis->types);
	kept_free(analysis->kept);
	for (int retain = 0; retain < RETAIN_COUNT; retain++)
		dominators_free(analysis->dominators[retain]);
	root_nodes_free(analysis->root_nodes);
	reach_free(analysis->reach);
	goplumbing_free(analysis->plumbing);
	gowaits_free(analysis->waits);
	names_close(analysis->names);
	groups_free(analysis->groups);
	heap_free(analysis->heap);
	input_close(&analysis->input);
	index_close(analysis->index);
	free(analysis->path);
	free(analysis->exe);
	free(analysis);
}
