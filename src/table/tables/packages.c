/* The table of packages, with the memory of objects of their types. */
#include "table/growth/delta.h"
#include "table/owners/row_owner.h"
#include "table/query/row_classes.h"

#include "base/text.h"

static const struct table table_packages;
CLASSES_KEPT(package_retained, table_packages, "package-sums");

static const struct column columns[] = {
	{"package", "package", "The first package in the name of the type; (built in) if there is none",
     VALUE_TEXT, 0, 0, KEY("package")},
	{"types", "types", "Number of types of the package that objects have", VALUE_COUNT, 9, 0,
     ROWS_COUNT},
	{"count", "objects", "Objects of these types", VALUE_COUNT, 11, 0, SUM("count")},
	{"bytes", "bytes", "Bytes of their slots", VALUE_BYTES, 9, 0, SUM("bytes")},
	{"largest", "largest", "Bytes of the slot of the largest of them", VALUE_BYTES, 9, 1,
     MOST("largest")},
	{"share", "share", "Share of the bytes of all objects", VALUE_SHARE, 6, 0, SHARE_OF("bytes")},
	{"retained_bytes", "retained",
     "Retained size of all objects of these types together: an object that is retained by another "
     "one of them counts once. " RETAINED_TOGETHER,
     VALUE_BYTES, 9, 0, RETAINED},
	{COUNT_DELTA_OF("count"), .width = 9, .rank = 2},
	{BYTES_DELTA_OF("bytes"), .width = 10, .rank = 1},
	{ROW_OWNER, .width = 24, .rank = 3},
	{ROW_OWNER_SHARE, .width = 9, .rank = 3},
};

static void packages_link(const struct rows *rows, size_t row, struct buf *command)
{
	SCOPED_BUF name = {0};
	rows_text(rows, row, 0, &name);
	buf_add(command, "types ");
	text_add_quoted(command, "", buf_text(&name));
}

static void packages_fill(struct rows *rows)
{
	buf_add(&rows->title, "packages of the types of objects");
	if (!analysis_typing(rows->analysis))
		buf_add(&rows->title, ": not known without the executable");
}

DEFINE_PLUGIN(tables, struct table, table_packages) = {
	.rank = 350,
	.name = "types-package",
	.form_of = "types",
	.former = "packages",
	.grouped = "types",
	.help = "The packages of the objects' types, with the number and bytes of the objects of each",
	COLUMNS(columns),
	.classes_of = "types",
	CLASSES,
	.retained = &package_retained,
	.fill = packages_fill,
	.none = "The dump holds no objects.",
	.members = classes_members,
	.link = packages_link,
	.sort = "bytes",
};
