#include "ui/table_loader.h"

#include "analysis/job.h"
#include "base/mem.h"

#include <stdlib.h>

struct table_loader {
	const struct table *table;
	const struct analysis *analysis;
	char *argument;
	struct job *job;
	/* Of the job, until that has ended. */
	struct rows *rows;
	struct err err;
};

static void table_loader_work(void *arg, struct progress *progress)
{
	struct table_loader *loader = arg;
	loader->rows = rows_open_watched(loader->table, loader->analysis, loader->argument, progress,
	                                 &loader->err);
}

struct table_loader *table_loader_begin(const struct table *table, const struct analysis *analysis,
                                        const char *argument)
{
	struct table_loader *loader = mem_alloc(sizeof *loader);
	loader->table = table;
	loader->analysis = analysis;
	loader->argument = argument ? mem_strdup(argument) : NULL;
	loader->job = job_start(table_loader_work, loader);
	return loader;
}

bool table_loader_wait(struct table_loader *loader, int milliseconds)
{
	return job_wait(loader->job, milliseconds);
}

struct rows *table_loader_end(struct table_loader *loader, struct err *err)
{
	if (!loader)
		return NULL;
	job_end(loader->job);
	struct rows *rows = loader->rows;
	if (err && !rows)
		*err = loader->err;
	free(loader->argument);
	free(loader);
	return rows;
}

const struct table *table_loader_table(const struct table_loader *loader)
{
	return loader->table;
}

const char *table_loader_argument(const struct table_loader *loader)
{
	return loader->argument;
}

void table_loader_progress(const struct table_loader *loader, struct buf *out)
{
	job_tell(loader->job, "opening", out);
}
