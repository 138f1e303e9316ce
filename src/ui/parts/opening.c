#include "ui/opening.h"

#include "analysis/job.h"
#include "base/mem.h"

#include <stdlib.h>

struct opening {
	const struct table *table;
	const struct analysis *analysis;
	char *argument;
	struct job *job;
	/* Of the job, until that has ended. */
	struct rows *rows;
	struct err err;
};

static void work(void *arg, struct progress *progress)
{
	struct opening *opening = arg;
	opening->rows = rows_open_watched(opening->table, opening->analysis, opening->argument,
	                                  progress, &opening->err);
}

struct opening *opening_begin(const struct table *table, const struct analysis *analysis,
                              const char *argument)
{
	struct opening *opening = mem_alloc(sizeof *opening);
	opening->table = table;
	opening->analysis = analysis;
	opening->argument = argument ? mem_strdup(argument) : NULL;
	opening->job = job_start(work, opening);
	return opening;
}

bool opening_wait(struct opening *opening, int milliseconds)
{
	return job_wait(opening->job, milliseconds);
}

struct rows *opening_end(struct opening *opening, struct err *err)
{
	if (!opening)
		return NULL;
	job_end(opening->job);
	struct rows *rows = opening->rows;
	if (err && !rows)
		*err = opening->err;
	free(opening->argument);
	free(opening);
	return rows;
}

const struct table *opening_table(const struct opening *opening)
{
	return opening->table;
}

const char *opening_argument(const struct opening *opening)
{
	return opening->argument;
}

void opening_progress(const struct opening *opening, struct buf *out)
{
	job_tell(opening->job, "opening", out);
}
