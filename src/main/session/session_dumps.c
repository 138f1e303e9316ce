/* The dumps of a session, read before any question: each question's process has a copy of them. */
#include "main/session/session.h"

#include "analysis/analysis.h"
#include "analysis/index.h"
#include "analysis/kept.h"
#include "base/mem.h"
#include "go/exe/exe.h"
#include "heap/edges.h"

#include <stdio.h>
#include <string.h>

/* What the session of this process has read. */
static struct {
	struct session_input input;
	struct analysis **dump; /* NULL: it cannot be read, or is taken */
	int opened;             /* what a question opens is written there; -1: nowhere */
} session = {.opened = -1};

void session_tell_opened(int fd)
{
	session.opened = fd;
}

bool session_is_asked(void)
{
	return session.opened >= 0;
}

/* A question may name its own index and debug file, or want everything computed again. */
static bool session_serves(const struct analysis_options *options)
{
	const struct session_input *has = &session.input;
	return !options->input.debug_file && options->hide == has->hidden && !options->hide_keys
	       && (options->index == INDEX_CACHE || (options->index == INDEX_OFF && !has->cached));
}

struct analysis *session_take(const char *path, const struct analysis_options *options)
{
	const struct session_input *has = &session.input;
	const char *exe = options->exe;
	bool same = exe && has->exe ? strcmp(exe, has->exe) == 0 : !exe && !has->exe;
	if (session.opened >= 0)
		dprintf(session.opened, "%s%c%s%c%s%c", path, 0, exe ? exe : "", 0,
		        options->hide ? "hidden" : "", 0);
	same = same && session_serves(options);
	for (size_t i = 0; same && i < has->count; i++) {
		struct analysis *found = session.dump[i];
		if (!found || strcmp(path, has->dump[i]) != 0)
			continue;
		session.dump[i] = NULL;
		return found;
	}
	return NULL;
}

/* Reads a dump with all that questions need. A dump that cannot be read is left to the questions:
   each says what is wrong. */
static struct analysis *session_open(const char *path)
{
	const struct session_input *has = &session.input;
	const struct analysis_options options = {
		.exe = has->exe, .hide = has->hidden, .index = has->cached ? INDEX_CACHE : INDEX_OFF};
	struct analysis *analysis = analysis_new(path, &options);
	struct err err = {0};
	if (!analysis_run(analysis, STAGE_ALL, &err)) {
		analysis_free(analysis);
		return NULL;
	}
	heap_back_edges(analysis_heap(analysis)); /* builds them */
	analysis_sum_up(analysis);
	analysis_make_kept(analysis);
	analysis_keep(analysis);
	return analysis;
}

void session_read_all(const struct session_input *input)
{
	session.input = *input;
	session.dump = mem_alloc((input->count + 1) * sizeof *session.dump);
	for (size_t i = 0; i < input->count; i++)
		session.dump[i] = session_open(input->dump[i]);
	mem_recycled_free();
}
