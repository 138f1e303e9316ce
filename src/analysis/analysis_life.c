/* An analysis from its beginning to its end: part of analysis/analysis.h. */
#include "analysis/index.h"
#include "analysis/kept.h"
#include "analysis/series.h"
#include "analysis/stages.h"

#include "analysis/structures.h"
#include "base/mem.h"
#include "go/runtime/goplumbing.h"
#include "heap/heap.h"

#include <stdlib.h>

struct analysis *analysis_new(const char *path, const struct analysis_options *options)
{
	struct dump *dump = mem_alloc(sizeof *dump);
	for (int parts = 0; parts < 2; parts++)
		for (enum retain retain = 0; retain <= RETAIN_COUNT; retain++)
			dump->ways[parts][retain] = (struct analysis){dump, parts, retain};
	dump->path = mem_strdup(path);
	if (options)
		dump->options = *options;
	dump->exe = dump->options.exe ? mem_strdup(dump->options.exe) : NULL;
	dump->index_file = dump->options.index_file ? mem_strdup(dump->options.index_file) : NULL;
	dump->options.exe = dump->exe;
	if (dump->options.input.debug_file)
		dump->options.input.debug_file = dump->debug_file =
			mem_strdup(dump->options.input.debug_file);
	dump->options.index_file = dump->index_file;
	dump->kept = kept_new();
	dump->input.fd = -1;
	dump->only = OBJECT_NONE;
	return &dump->ways[false][RETAIN_COUNT];
}

struct analysis *analysis_again(const struct analysis *analysis, const char *exe)
{
	struct analysis_options options = analysis->dump->options;
	options.exe = *exe ? exe : options.exe;
	return analysis_new(analysis->dump->path, &options);
}

struct analysis *analysis_other(const struct analysis *analysis, const char *path)
{
	struct analysis_options options = analysis->dump->options;
	if (options.index == INDEX_FILE)
		options.index = INDEX_CACHE;
	return analysis_new(path, &options);
}

static void dump_free(struct dump *dump)
{
	series_free(dump->series);
	structures_free(dump->structures);
	labels_free(dump->labels);
	buf_free(&dump->exe_damage);
	statics_free(dump->statics);
	locals_free(dump->locals);
	typing_free(dump->typing);
	gotypes_free(dump->types);
	kept_free(dump->kept);
	for (int retain = 0; retain < RETAIN_COUNT; retain++)
		dominators_free(dump->dominators[retain]);
	root_nodes_free(dump->root_nodes);
	reach_free(dump->reach);
	goplumbing_free(dump->plumbing);
	gowaits_free(dump->waits);
	names_close(dump->names);
	groups_free(dump->groups);
	heap_free(dump->heap);
	input_close(&dump->input);
	index_close(dump->index);
	free(dump->path);
	free(dump->exe);
	free(dump->debug_file);
	free(dump->index_file);
	free(dump);
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	if (!analysis->dump->task)
		analysis_keep(analysis);
	analysis_stop(analysis);
	dump_free(analysis->dump);
}
