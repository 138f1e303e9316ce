/* The allocation profile: what each place in the program has allocated. */
#include "table/choice.h"
#include "table/site.h"

#include <inttypes.h>

enum { ID, FUNCTION, LINE, SIZE, ALLOCS, FREES, LIVE, BYTES, SAMPLES, FRAMES };

static const struct column columns[] = {
	[ID] = {"id", "id", "The runtime's record of the profile, for profile ID", VALUE_ADDRESS, 14,
			2},
	[FUNCTION] = {"function", "allocated in",
				  "The innermost function of the stack that is not of package runtime", VALUE_TEXT,
				  0, 0},
	[LINE] = {"line", "line", "File and line of that call", VALUE_TEXT, 24, 3},
	[SIZE] = {"size", "size", "Bytes of one object", VALUE_BYTES, 9, 0},
	[ALLOCS] = {"allocs", "allocs", "Such objects that the profiler saw allocated", VALUE_COUNT, 9,
				1},
	[FREES] = {"frees", "frees",
			   "Those of them that it saw freed; two collections may not be counted yet",
			   VALUE_COUNT, 9, 1},
	[LIVE] = {"live", "live", "Allocs less frees", VALUE_COUNT, 9, 0},
	[BYTES] = {"live_bytes", "live bytes", "Bytes of the live ones", VALUE_BYTES, 11, 0},
	[SAMPLES] = {"samples", "samples", "Objects of the dump that are known to be of it",
				 VALUE_COUNT, 8, 2},
	[FRAMES] = {"frames", "frames", "Calls on the stack", VALUE_COUNT, 7, 3},
};

static const struct profile_record *profile_of(const struct rows *rows, size_t row)
{
	return &rows->analysis->heap->profiles.profile[row];
}

static bool profiles_open(struct rows *rows, const char *argument, struct err *err)
{
	(void)argument, (void)err;
	rows->count = rows->analysis->heap->profiles.count;
	buf_add(&rows->title, "allocation profiles");
	if (!rows->count)
		buf_addf(&rows->note, "The dump has no allocation profile%s.",
				 choice_no_profile(rows->analysis->heap));
	return true;
}

static uint64_t live_of(const struct profile_record *profile)
{
	return profile->allocs > profile->frees ? profile->allocs - profile->frees : 0;
}

static uint32_t samples_of(const struct rows *rows, size_t row)
{
	const uint32_t *first = rows->analysis->heap->profiles.first;
	return first[row + 1] - first[row];
}

static void profiles_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct profile_record *profile = profile_of(rows, row);
	switch (column) {
	case ID:
		cell_number(value, VALUE_ADDRESS, profile->id);
		break;
	case FUNCTION:
		cell_site_function(value, rows->analysis->heap, (uint32_t)row);
		break;
	case LINE:
		cell_site_line(value, rows->analysis->heap, (uint32_t)row);
		break;
	case SIZE:
		cell_number(value, VALUE_BYTES, profile->size);
		break;
	case ALLOCS:
		cell_number(value, VALUE_COUNT, profile->allocs);
		break;
	case FREES:
		cell_number(value, VALUE_COUNT, profile->frees);
		break;
	case LIVE:
		cell_number(value, VALUE_COUNT, live_of(profile));
		break;
	case BYTES:
		cell_number(value, VALUE_BYTES, live_of(profile) * profile->size);
		break;
	case SAMPLES:
		cell_number(value, VALUE_COUNT, samples_of(rows, row));
		break;
	case FRAMES:
		cell_number(value, VALUE_COUNT, profile->frames);
		break;
	}
}

static void profiles_link(const struct rows *rows, size_t row, struct buf *command)
{
	buf_addf(command, "profile 0x%" PRIx64, profile_of(rows, row)->id);
}

const struct table table_profiles = {
	.name = "profiles",
	.from = DAMAGE_PROFILE,
	.help = "The allocation profile: which places of the program have allocated what",
	.needs = STAGE_READ,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = profiles_open,
	.cell = profiles_cell,
	.link = profiles_link,
	.sort = BYTES,
};
