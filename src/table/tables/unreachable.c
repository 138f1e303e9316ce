/* The table of unreachable objects, grouped by the objects that lead to all others. */
#include "table/columns.h"

#include "analysis/analysis.h"
#include "analysis/unreachable_roots.h"
#include "format/format.h"

static bool unreachable_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument;
	const struct analysis *analysis = rows->analysis;
	struct unreachable_roots *unreachable_roots = rows->data =
		unreachable_roots_new(analysis_heap(analysis), analysis_reach(analysis), rows->progress);
	if (!unreachable_roots)
		return err_set(err, "Cancelled");
	rows->count = unreachable_roots->count;
	buf_add(&rows->title, analysis_has_roots(analysis)
	                          ? "unreachable objects, by their heads"
	                          : "all objects, by their heads: there are no roots in the dump, so "
	                            "which are alive cannot be told");
	return true;
}

static const struct column columns[] = {
	{"object", "object", "An unreachable object that no other unreachable object references",
     VALUE_ADDRESS, 18, 0, .cell = object_address_cell},
	{OBJECT_SIZE, .width = 9},
	{"objects", "leads to",
     "Number of unreachable objects below it, itself included; each is counted in the first row "
     "that reaches it",
     VALUE_COUNT, 10, 0, FIELD(struct unreachable_root, objects)},
	{"bytes", "bytes", "Bytes of these objects", VALUE_BYTES, 10, 0,
     FIELD(struct unreachable_root, bytes)},
	{"ring", "ring", "Is it one object of a cycle in which all objects are referenced?", VALUE_BOOL,
     5, 1, FIELD(struct unreachable_root, ring)},
	{"text", "text", "Text in the object; ~ marks a guess", VALUE_TEXT, 0, 0,
     .cell = object_text_cell},
};

static void unreachable_close(struct rows *rows)
{
	unreachable_roots_free(rows->data);
	rows->data = NULL;
}

DEFINE_PLUGIN(tables, struct table, table_unreachable) = {
	.rank = 110,
	.name = "unreachable",
	.from = DAMAGE_ROOTS,
	.help = "The unreachable objects, by their heads: each row is an object that no other "
			"unreachable object references. The collector would free them, unless something keeps "
			"them alive that heap dumps do not record: arguments of runtime.AddCleanup, weak "
			"handles. All objects if the dump has no roots",
	.needs = STAGE_REACHED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = unreachable_open,
	.none = "All objects are reachable.",
	RECORDS(struct unreachable_roots, unreachable_root),
	.object = ROW_MEMBER(struct unreachable_root, object, uint32_t),
	.close = unreachable_close,
	.sort = "bytes",
};
