/* The table of packages, with the memory of objects of their types. */
#include "table/naming/typed.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct package {
	char *name;
	uint64_t types, count, bytes, largest;
};
struct packages {
	struct package *package;
	size_t count;
};

static int packages_by_name(const void *a, const void *b)
{
	const struct package *x = a, *y = b;
	return strcmp(x->name, y->name);
}

static void packages_merge_equal(struct packages *packages)
{
	size_t kept = 0;
	for (size_t i = 0; i < packages->count; i++) {
		const struct package *from = &packages->package[i];
		if (!kept || strcmp(packages->package[kept - 1].name, from->name) != 0) {
			packages->package[kept++] = *from;
			continue;
		}
		struct package *same = &packages->package[kept - 1];
		same->types += from->types;
		same->count += from->count;
		same->bytes += from->bytes;
		same->largest = same->largest > from->largest ? same->largest : from->largest;
		free(from->name);
	}
	packages->count = kept;
}

static bool packages_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	struct packages *packages = rows->data = mem_alloc(sizeof *packages);
	struct type_groups groups;
	struct buf name = {0};
	type_groups_init(&groups, rows->analysis);
	packages->package = mem_alloc((groups.count + 1) * sizeof *packages->package);
	for (size_t i = 0; i < groups.count; i++) {
		const struct type_group *group = &groups.group[i];
		buf_clear(&name);
		typed_add_package(group->name, group->label, &name);
		packages->package[packages->count++] = (struct package){
			mem_strdup(buf_text(&name)), 1, group->count, group->bytes, group->largest};
	}
	buf_free(&name);
	type_groups_fini(&groups);
	qsort(packages->package, packages->count, sizeof *packages->package, packages_by_name);
	packages_merge_equal(packages);
	rows->count = packages->count;
	buf_add(&rows->title, "packages of the types of objects");
	if (!analysis_typing(rows->analysis))
		buf_add(&rows->title, ": not known without the executable");
	if (!rows->count)
		buf_add(&rows->note, "The dump holds no objects.");
	return true;
}

static void packages_close(struct rows *rows)
{
	struct packages *packages = rows->data;
	for (size_t i = 0; packages && i < packages->count; i++)
		free(packages->package[i].name);
	if (packages)
		free(packages->package);
	free(packages);
}

static const struct column columns[] = {
	{"package", "package", "The first package in the name of the type; (built in) if there is none",
     VALUE_TEXT, 0, 0, FIELD(struct package, name)},
	{"types", "types", "Number of types of the package that objects have", VALUE_COUNT, 9, 0,
     FIELD(struct package, types)},
	{"count", "objects", "Objects of these types", VALUE_COUNT, 11, 0,
     FIELD(struct package, count)},
	{"bytes", "bytes", "Bytes of their slots", VALUE_BYTES, 9, 0, FIELD(struct package, bytes)},
	{"largest", "largest", "Bytes of the slot of the largest of them", VALUE_BYTES, 9, 1,
     FIELD(struct package, largest)},
	{"share", "share", "Share of the bytes of all objects", VALUE_SHARE, 6, 0,
     FIELD(struct package, bytes)},
};

static void packages_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct package *package = rows_record(rows, row);
	buf_add(command, "types ");
	text_add_quoted(command, "", package->name);
}

static const struct table table_packages = {
	.rank = 350,
	.name = "packages",
	.grouped = "types",
	.help = "The packages of the objects' types, with the number and bytes of the objects of each",
	.needs = STAGE_OWNED | STAGE_TYPED,
	COLUMNS(columns),
	.open = packages_open,
	RECORDS(struct packages, package),
	.link = packages_link,
	.close = packages_close,
	.sort = "bytes",
};
PLUGIN(tables, table_packages);
