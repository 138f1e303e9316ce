/* The objects whose allocation the profiler has recorded, with where that was. */
#include "table/site.h"

#include <inttypes.h>

enum { OBJECT, SIZE, REACHABLE, FUNCTION, LINE, PROFILE };

static const struct column columns[] = {
	[OBJECT] = {"object", "object", "Address of the object, as the profiler has it", VALUE_ADDRESS,
				14, 0},
	[SIZE] = {"size", "size", "Bytes of the slot that it takes", VALUE_BYTES, 9, 0},
	[REACHABLE] = {"reachable", "reachable", "Does a path lead to it from a root of the dump?",
				   VALUE_BOOL, 9, 2},
	[FUNCTION] = {"function", "allocated in",
				  "The innermost function of the stack that is not of package runtime", VALUE_TEXT,
				  0, 0},
	[LINE] = {"line", "line", "File and line of that call", VALUE_TEXT, 24, 3},
	[PROFILE] = {"profile", "profile", "Its allocation profile, for profile ID", VALUE_ADDRESS, 14,
				 1},
};

/* Rows of one profile are a part of the index by profile, all rows the whole index by object. */
static const struct sample *sample_of(const struct rows *rows, size_t row)
{
	const uint32_t *order = rows->data;
	return &rows->analysis->heap->profiles.sample[order[row]];
}

static bool samples_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	const struct profiles *profiles = &heap->profiles;
	uint32_t profile;
	if (*argument) {
		if (!argument_profile(heap, argument, &profile, err))
			return false;
		rows->data = profiles->by_profile + profiles->first[profile];
		rows->count = profiles->first[profile + 1] - profiles->first[profile];
		buf_addf(&rows->title, "objects of allocation profile 0x%" PRIx64,
				 profiles->profile[profile].id);
	} else {
		rows->data = profiles->by_object;
		rows->count = profiles->sample_count;
		buf_add(&rows->title, "objects whose allocation is known");
	}
	if (!rows->count)
		buf_add(&rows->note, "The dump tells of no object where it was allocated; the profiler "
							 "samples one in 512 KiB.");
	return true;
}

static void samples_close(struct rows *rows)
{
	rows->data = NULL; /* the heap's */
}

static void samples_cell(const struct rows *rows, size_t row, int column, struct value *value)
{
	const struct heap *heap = rows->analysis->heap;
	const struct sample *sample = sample_of(rows, row);
	switch (column) {
	case OBJECT:
		cell_number(value, VALUE_ADDRESS, sample->address);
		break;
	case SIZE:
		cell_object_size(value, heap, sample->object);
		break;
	case REACHABLE:
		cell_reachable(value, rows->analysis, sample->object);
		break;
	case FUNCTION:
		cell_site_function(value, heap, sample->profile);
		break;
	case LINE:
		cell_site_line(value, heap, sample->profile);
		break;
	case PROFILE:
		cell_number(value, VALUE_ADDRESS, sample->id);
		break;
	}
}

static void samples_link(const struct rows *rows, size_t row, struct buf *command)
{
	link_object(rows->analysis->heap, sample_of(rows, row)->object, command);
}

static uint64_t samples_address(const struct rows *rows, size_t row)
{
	return sample_of(rows, row)->address;
}

const struct table table_samples = {
	.name = "samples",
	.help = "The objects of which is known where they were allocated: all, or those of one "
			"allocation profile",
	.argument = "[PROFILE]",
	.needs = STAGE_REACHED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = samples_open,
	.cell = samples_cell,
	.link = samples_link,
	.close = samples_close,
	.address = samples_address,
	.sort = -1,
	.completes = "profiles.id",
};
