#include "main/print/table_sources.h"

#include "analysis/analysis.h"
#include "main/print/columns.h"

#include "format/runtime.h"

#include <string.h>

/* Tables with an argument, and the column that contains all of its values: of another table, which
   is joined, or a column of its own, for an argument that stands for all. */
static const struct {
	const char *name, *of, *column, *as, *all;
} joined[] = {
	{"references", "references", "object", "object", "all"},
	{"frames", THREADS_WORD, "id", THREAD_WORD, NULL},
	{"profiles-stack", "profiles", "id", "profile", NULL},
};
enum { JOINED = sizeof joined / sizeof *joined };

/* Describes a table as a source. False: not all of its rows can be queried. */
static bool table_sources_of(const struct table *table, struct table_source *source)
{
	*source = (struct table_source){.table = table};
	if (!sql_schema_has(table))
		return false;
	if (!table->argument || *table->argument == '[')
		return true;
	for (size_t i = 0; i < JOINED; i++) {
		if (strcmp(joined[i].name, table->name) != 0)
			continue;
		const struct table *of = table_find(joined[i].of);
		source->of = &of->columns[table_column(of, joined[i].column)];
		source->of_table = joined[i].of;
		source->of_name = joined[i].as;
		source->all = joined[i].all;
		return true;
	}
	return false;
}

static void table_sources_add(struct table_sources *sources, const struct table_source *source)
{
	const struct table *table = source->table;
	if (sources->count == TABLE_SOURCES_MOST)
		return;
	sources->needs |= table_needs(table, source->of ? "?" : NULL) | table->wants;
	for (int i = 0; i < table->column_count; i++)
		if (!table->columns[i].on_request)
			sources->needs |= table->columns[i].stages | table->columns[i].wants;
	sources->source[sources->count++] = *source;
}

static bool table_sources_add_named(struct table_sources *sources, const char *name, size_t len,
                                    struct err *err)
{
	SCOPED_BUF wanted = {0};
	struct table_source source;
	buf_add_bytes(&wanted, name, len);
	const struct table *table = sql_schema_find(buf_text(&wanted));
	table = table ? table : table_find(buf_text(&wanted));
	bool known = table && table_sources_of(table, &source);
	if (known)
		table_sources_add(sources, &source);
	else if (table)
		err_set(err, "The table %s cannot be written without its argument: %s", table->name,
		        table->argument ? table->argument : "a query");
	else
		table_unknown(buf_text(&wanted), "goheapx help list lists them", err);
	return known;
}

bool table_sources_choose(struct table_sources *sources, const char *names, struct err *err)
{
	struct table_source source;
	*sources = (struct table_sources){.needs = STAGE_READ};
	for (size_t i = 0; !names && tables[i]; i++)
		if (table_sources_of(tables[i], &source))
			table_sources_add(sources, &source);
	while (names && *names) {
		size_t len = strcspn(names, ",");
		if (!table_sources_add_named(sources, names, len, err))
			return false;
		names += len + (names[len] == ',');
	}
	return true;
}

bool table_source_is_in(const struct table_source *source, const struct analysis *analysis)
{
	return heap_has(analysis_heap(analysis), source->table->parts);
}

void table_source_add_name(const struct table_source *source, struct buf *out)
{
	sql_schema_add_name(source->table->name, out);
}

void table_source_add_query(const struct table_source *source, struct buf *out)
{
	const char *of = source->all ? "r" : "o";
	buf_add(out, "SELECT ");
	if (source->of)
		buf_addf(out, "%s.\"%s\", ", of, source->of->name);
	buf_add(out, "r.* FROM ");
	if (source->of && !source->all)
		buf_addf(out, "main.\"%s\" o, ", source->of_table);
	buf_add(out, "main.\"");
	table_source_add_name(source, out);
	if (source->all)
		buf_addf(out, "\"('%s') r", source->all);
	else if (source->of)
		buf_addf(out, "\"(o.\"%s\") r", source->of->name);
	else
		buf_add(out, "\" r");
}

const struct column *table_source_column(const struct table_source *source, int i,
                                         const char **name)
{
	int own = i - (source->of != NULL);
	for (int k = 0; k <= own && own < source->table->column_count; k++)
		own += source->table->columns[k].on_request;
	if (own >= source->table->column_count)
		return NULL;
	const struct column *column = own < 0 ? source->of : &source->table->columns[own];
	*name = own < 0 ? source->of_name : column->name;
	return column;
}
