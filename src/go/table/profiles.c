/* The table of the allocation profile: the allocations of each call stack. */
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/breakdown/breakdown_query.h"
#include "table/naming/alloc_site.h"
#include "table/table.h"

static void profiles_fill(struct rows *rows)
{
	if (!rows->count)
		buf_addf(&rows->note, "The dump has no allocation profile%s.",
		         breakdown_query_no_profile(analysis_heap(rows->analysis)));
	else
		breakdown_query_say_rate(rows);
}

static struct profile_amount profiles_live_of(const struct rows *rows, size_t row)
{
	const struct profile_record *profile = rows_record(rows, row);
	return profile_scaled(&analysis_heap(rows->analysis)->profiles, profile, profile_live(profile));
}

static uint32_t samples_of(const struct rows *rows, size_t row)
{
	const uint32_t *first = analysis_heap(rows->analysis)->profiles.first;
	return first[row + 1] - first[row];
}

static uint64_t profiles_site_code(const struct rows *rows, size_t row)
{
	(void)rows;
	return site_code((uint32_t)row);
}

static const struct coding profiles_function = {profiles_site_code, site_function_cell};
static const struct coding profiles_line = {profiles_site_code, site_line_cell};

static void profiles_live_cell(const struct rows *rows, size_t row, struct value *value)
{
	struct profile_amount live = profiles_live_of(rows, row);
	cell_field(rows, &live, value);
}

static void profiles_samples_cell(const struct rows *rows, size_t row, struct value *value)
{
	cell_number(value, VALUE_COUNT, samples_of(rows, row));
}

static const struct column columns[] = {
	{"id", "id", "The runtime's record of the profile, for profile ID", VALUE_ADDRESS, 14, 2,
     FIELD(struct profile_record, id)},
	{"function", "allocated in",
     "The innermost function of the stack that is not of package runtime", VALUE_TEXT, 0, 0,
     .coding = &profiles_function},
	{"line", "line", "File and line of that call", VALUE_TEXT, 24, 3, .coding = &profiles_line},
	{"size", "size", "Bytes of one object", VALUE_BYTES, 9, 0, FIELD(struct profile_record, size)},
	{"allocs", "allocs", "Number of sampled allocations", VALUE_COUNT, 9, 1,
     FIELD(struct profile_record, allocs)},
	{"frees", "frees",
     "Number of them that are freed; the last two collections may not be "
     "counted yet",
     VALUE_COUNT, 9, 1, FIELD(struct profile_record, frees)},
	{"live", "live", "Estimated number of live objects: allocs minus frees, scaled as pprof does",
     VALUE_COUNT, 9, 0, .cell = profiles_live_cell, FIELD(struct profile_amount, count)},
	{"live_bytes", "live bytes", "Estimated bytes of the live objects, scaled likewise",
     VALUE_BYTES, 11, 0, .cell = profiles_live_cell, FIELD(struct profile_amount, bytes)},
	{"samples", "samples", "Number of sampled objects in the dump", VALUE_COUNT, 8, 2,
     .cell = profiles_samples_cell},
	{"frames", "frames", "Number of calls on the stack", VALUE_COUNT, 7, 3,
     FIELD(struct profile_record, frames)},
};

static struct entity profiles_entity(const struct rows *rows, size_t row)
{
	(void)rows;
	return (struct entity){ENTITY_ALLOC_SITE, (uint32_t)row, 0};
}

DEFINE_PLUGIN(tables, struct table, table_profiles) = {
	.rank = 400,
	.name = "profiles",
	.from = DAMAGE_PROFILE,
	.help =
		"The allocation profile by call stack. Live objects are estimated as in go tool pprof, by "
		"runtime.MemProfileRate: that of the process, otherwise Go's default unless the sampled "
		"objects contradict it",
	.needs = STAGE_READ,
	.parts = PART_GO,
	COLUMNS(columns),
	.records = RECORD_PROFILE,
	.title = "allocation profiles",
	.fill = profiles_fill,
	.entity = profiles_entity,
	.sort = "live_bytes",
};
