/* The table of unreachable objects, grouped by the objects that lead to all others. */
#include "table/columns.h"

#include "analysis/unreachable_roots.h"

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
	                          ? "objects without a root in the dump, by their heads"
	                          : "all objects, by their heads: the dump has no roots to tell which "
	                            "are alive");
	if (!rows->count)
		buf_add(&rows->note, "The roots of the dump lead to every object.");
	return true;
}

static const struct column columns[] = {
	{"object", "object", "An object that no other one without a root points to", VALUE_ADDRESS, 18,
     0, .cell = object_address_cell},
	{OBJECT_SIZE, .width = 9},
	{"objects", "leads to",
     "Objects without a root that it leads to, itself included; each is counted in the first row "
     "that leads to it",
     VALUE_COUNT, 10, 0, FIELD(struct unreachable_root, objects)},
	{"bytes", "bytes", "Bytes of these", VALUE_BYTES, 10, 0, FIELD(struct unreachable_root, bytes)},
	{"ring", "ring",
     "Does it stand for a ring, whose objects all have another one pointing to them?", VALUE_BOOL,
     5, 1, FIELD(struct unreachable_root, ring)},
	{"text", "text", "Text that it seems to hold; ~ marks a guess", VALUE_TEXT, 0, 0,
     .cell = object_text_cell},
};

static void unreachable_close(struct rows *rows)
{
	unreachable_roots_free(rows->data);
}

static const struct table table_unreachable = {
	.rank = 110,
	.name = "unreachable",
	.from = DAMAGE_ROOTS,
	.help = "The objects that no root of the dump leads to, by what they hang on: each row is one "
			"that no other of them points to. The collector would free them, or they are held in "
			"a way that no dump tells of: arguments of runtime.AddCleanup, weak handles. Of a dump "
			"without roots, all objects",
	.needs = STAGE_REACHED,
	.parts = PART_OBJECTS,
	COLUMNS(columns),
	.open = unreachable_open,
	RECORDS(struct unreachable_roots, unreachable_root),
	.object = ROW_MEMBER(struct unreachable_root, object, uint32_t),
	.close = unreachable_close,
	.sort = "bytes",
};
PLUGIN(tables, table_unreachable);
