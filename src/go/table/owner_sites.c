/* The table of allocation sites by owner: what each owner holds, and the calls that allocated it.
 */
#include "table/growth/delta.h"
#include "table/query/row_classes.h"

#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

static const struct column columns[] = {
	{"owner", "owner",
     "The owner of the objects, as in the table owners; empty if they are unreachable", VALUE_TEXT,
     24, 0, KEY("owner")},
	{"function", "allocated in",
     "The innermost function of the stack that is not of package runtime", VALUE_TEXT, 0, 0,
     KEY("function")},
	{"line", "line", "File and line of that call", VALUE_TEXT, 24, 3, KEY("line")},
	{"samples", "samples", "Number of sampled objects", VALUE_COUNT, 8, 2, ROWS_COUNT},
	{"estimated_count", "est. objects",
     "Estimate of all objects that these stand for, scaled as pprof does", VALUE_COUNT, 12, 1,
     SUM("estimated_count")},
	{"estimated_bytes", "est. bytes", "Estimate of their bytes", VALUE_BYTES, 10, 0,
     SUM("estimated_bytes")},
	{"share", "share", "Share of the estimated bytes", VALUE_SHARE, 7, 1,
     SHARE_OF("estimated_bytes")},
	{COUNT_DELTA_OF("estimated_count"), .width = 8, .rank = 2},
	{BYTES_DELTA_OF("estimated_bytes"), .width = 10, .rank = 1},
};

static void owner_sites_fill(struct rows *rows)
{
	buf_add(&rows->title, "allocation sites by owner, estimated: ");
	profile_rate_add(&analysis_heap(rows->analysis)->profiles, &rows->title);
}

DEFINE_PLUGIN(tables, struct table, table_owner_sites) = {
	.rank = 425,
	.name = "profiles-owner",
	.form_of = "profiles",
	.former = "owner-sites",
	.from = DAMAGE_SAMPLES,
	.help = "Who allocated what an owner holds: the sampled objects by owner and allocation site, "
			"with an estimate of all objects that they stand for, as go tool pprof makes it",
	.parts = PART_GO,
	COLUMNS(columns),
	.classes_of = "profiles-object",
	CLASSES,
	.fill = owner_sites_fill,
	.none = "The dump has no samples of allocations; the profiler samples one in 512 KiB.",
	.sort = "estimated_bytes",
};
