/* The table of packages, with the memory of objects of their types. */
#include "table/cell.h"
#include "table/naming/typed.h"
#include "table/owners/row_owner.h"

#include "analysis/kept.h"
#include "analysis/retained_of_class.h"
#include "base/mem.h"
#include "base/plugin.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct package {
	char *name;
	uint64_t types, count, bytes, largest, retained;
};
struct packages {
	struct package *package;
	size_t count;
	struct type_groups groups;
	bool retained; /* the retained bytes are known */
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

/* Counts the groups of each package. */
static void packages_count(struct packages *packages)
{
	const struct type_groups *groups = &packages->groups;
	SCOPED_BUF name = {0};
	packages->package = mem_alloc((groups->count + 1) * sizeof *packages->package);
	for (size_t i = 0; i < groups->count; i++) {
		const struct type_group *group = &groups->group[i];
		buf_clear(&name);
		typed_add_package(group->name, group->label, &name);
		packages->package[packages->count++] = (struct package){.name = mem_strdup(buf_text(&name)),
		                                                        .types = 1,
		                                                        .count = group->count,
		                                                        .bytes = group->bytes,
		                                                        .largest = group->largest};
	}
	qsort(packages->package, packages->count, sizeof *packages->package, packages_by_name);
	packages_merge_equal(packages);
}

/* Stores the package of each object. */
static void packages_of(const void *self, const struct analysis *analysis, uint32_t *row_of)
{
	const struct packages *packages = self;
	const struct type_groups *groups = &packages->groups;
	SCOPED_FREE uint32_t *of_group = mem_alloc((groups->count + 1) * sizeof *of_group);
	SCOPED_BUF name = {0};
	for (size_t i = 0; i < groups->count; i++) {
		buf_clear(&name);
		typed_add_package(groups->group[i].name, groups->group[i].label, &name);
		const struct package wanted = {.name = name.data},
							 *found = bsearch(&wanted, packages->package, packages->count,
		                                      sizeof *found, packages_by_name);
		of_group[i] = (uint32_t)(found - packages->package);
	}
	type_groups_classes(groups, analysis, of_group, row_of);
}

static void packages_members(const struct rows *rows, uint32_t *row_of)
{
	packages_of(rows->data, rows->analysis, row_of);
}

static void packages_init(struct packages *packages, const struct analysis *analysis)
{
	type_groups_init(&packages->groups, analysis);
	packages_count(packages);
}

static void packages_fini(struct packages *packages)
{
	for (size_t i = 0; i < packages->count; i++)
		free(packages->package[i].name);
	free(packages->package);
	type_groups_fini(&packages->groups);
}

/* ---- Retained bytes of each package */

static struct object_classes packages_as_classes(const struct packages *packages)
{
	return (struct object_classes){packages->count, packages, packages_of};
}

static void *package_retained_make(const struct analysis *analysis, enum retain retain,
                                   struct progress *progress)
{
	struct packages packages = {0};
	packages_init(&packages, analysis);
	const struct object_classes classes = packages_as_classes(&packages);
	struct retained_of_class *sums = retained_of_classes(&classes, analysis, retain, progress);
	packages_fini(&packages);
	return sums;
}

DEFINE_PLUGIN(kept_kinds, struct kept_kind, package_retained) = {
	.name = "package-sums",
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.without_parts = true,
	.make = package_retained_make,
	.free = retained_of_class_free,
	.size = sizeof(struct retained_of_class),
	.index = retained_of_class_index,
};

static bool packages_retain(const struct rows *rows)
{
	struct packages *packages = rows->data;
	const struct object_classes classes = packages_as_classes(packages);
	return retained_of_classes_store(
		&classes, rows->analysis, packages->groups.of_key ? NULL : &package_retained,
		rows->progress, &packages->package->retained, sizeof *packages->package);
}

static void packages_fill(struct rows *rows)
{
	struct packages *packages = rows->data = mem_alloc(sizeof *packages);
	packages_init(packages, rows->analysis);
	/* As in the table types: computed where opening may take long. */
	packages->retained = rows->progress && analysis_has_roots(rows->analysis)
	                     && packages_retain(rows);
	rows->count = packages->count;
	buf_add(&rows->title, "packages of the types of objects");
	if (!analysis_typing(rows->analysis))
		buf_add(&rows->title, ": not known without the executable");
}

static void packages_close(struct rows *rows)
{
	packages_fini(rows->data);
}

static bool packages_retained_unknown(const struct rows *rows)
{
	return !((const struct packages *)rows->data)->retained;
}

static void packages_retained_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct package *package = rows_record(rows, row);
	if (!packages_retained_unknown(rows))
		cell_number(value, VALUE_BYTES, package->retained);
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
	{"retained_bytes", "retained",
     "Retained size of all objects of these types together: an object that is retained by another "
     "one of them counts once. " RETAINED_TOGETHER,
     VALUE_BYTES, 9, 0, .cell = packages_retained_cell, .absent = packages_retained_unknown},
	{ROW_OWNER, .width = 24, .rank = 3},
	{ROW_OWNER_SHARE, .width = 9, .rank = 3},
};

static void packages_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct package *package = rows_record(rows, row);
	buf_add(command, "types ");
	text_add_quoted(command, "", package->name);
}

DEFINE_PLUGIN(tables, struct table, table_packages) = {
	.rank = 350,
	.name = "packages",
	.grouped = "types",
	.help = "The packages of the objects' types, with the number and bytes of the objects of each",
	.needs = STAGE_OWNED | STAGE_TYPED,
	COLUMNS(columns),
	.fill = packages_fill,
	.none = "The dump holds no objects.",
	RECORDS(struct packages, package),
	.members = packages_members,
	.link = packages_link,
	.close = packages_close,
	.sort = "bytes",
};
