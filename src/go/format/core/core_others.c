#include "core_others.h"

#include "core_library.h"
#include "core_runtime.h"

#include "base/bound.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 1 << 12, NAMED = 4, PATH_SHOWN = 200 };

/* Returns true for a file that has a module of the runtime: the executable, a plugin of it, or what
   it is linked with. */
static bool others_is_own(const struct core_runtime *rt, const char *path)
{
	uint64_t module = rt->module;
	for (int i = 0; module && i < MOST_MODULES; i++) {
		const uint64_t at[] = {module, rt_field(rt, module, RT_MODULEDATA_TEXT),
		                       rt_field(rt, module, RT_MODULEDATA_DATA)};
		for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
			const char *own = core_file_path(&rt->memory.file, at[k]);
			if (own && strcmp(own, path) == 0)
				return true;
		}
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
	return false;
}

/* Returns true if code of a file is mapped: a program may read one as data. */
static bool others_runs(const struct core_file *file, const char *path)
{
	for (size_t i = 0; i < file->mappings; i++) {
		uint64_t start = file->mapping[i].start;
		if (strcmp(file->mapping[i].path, path) != 0)
			continue;
		size_t at =
			upper_bound(file->range, file->ranges, BOUND_BY(struct core_range, start), start);
		if (at && start - file->range[at - 1].start < file->range[at - 1].bytes
		    && file->range[at - 1].flags & PF_X)
			return true;
	}
	return false;
}

/* Adds a path to those that are not read, unless it is there. */
static void others_add(const struct core_file *file, const char *path, struct core_others *others)
{
	if (!others_runs(file, path))
		return;
	for (size_t i = 0; i < others->count; i++)
		if (strcmp(others->path[i], path) == 0)
			return;
	if (others->count < CORE_OTHERS_MOST)
		others->path[others->count++] = path;
}

static char *others_say(const struct core_runtime *rt, const struct core_others *others)
{
	const char *own = core_file_path(&rt->memory.file, rt->module);
	SCOPED_BUF text = {0};
	if (!own)
		own = exe_path(rt->memory.exe);
	buf_addf(&text, "The process has %s Go runtimes, each with a heap of its own. Only that of ",
	         text_count(others->count + 1).text);
	text_add_escaped(&text, own, strlen(own), PATH_SHOWN);
	buf_add(&text, " is read: sums, and what is said of all or of none, are of that one, and "
	               "objects of ");
	for (size_t i = 0; i < others->count && i < NAMED; i++) {
		buf_add(&text, i ? ", " : "");
		text_add_escaped(&text, others->path[i], strlen(others->path[i]), PATH_SHOWN);
	}
	if (others->count > NAMED)
		buf_addf(&text, " and %s more", text_count(others->count - NAMED).text);
	buf_add(&text, " are not shown (--exe FILE shows them, in the explorer :reopen FILE)");
	return mem_strdup(buf_text(&text));
}

void core_others_find(const struct core_runtime *rt, struct core_others *others)
{
	const struct core_file *file = &rt->memory.file;
	const char *program = core_file_path(file, file->entry);
	if (program && core_build_id(file, program).len && !others_is_own(rt, program))
		others_add(file, program, others);
	const struct core_mapping *at = core_library_next(file, program, NULL);
	for (; at; at = core_library_next(file, program, at))
		if (!others_is_own(rt, at->path))
			others_add(file, at->path, others);
	if (others->count)
		others->sentence = others_say(rt, others);
}

void core_others_fini(struct core_others *others)
{
	free(others->sentence);
}
