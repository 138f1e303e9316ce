/* The objects whose allocation the profiler has recorded, with where that was. */
#include "table/site.h"
#include "table/typed.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT, SIZE, TYPE, REACHABLE, FUNCTION, LINE, PROFILE };

static const struct column columns[] = {
	[OBJECT] = {"object", "object", "Address of the object, as the profiler has it", VALUE_ADDRESS,
				14, 0},
	[SIZE] = {"size", "size", "Bytes of the slot that it takes", VALUE_BYTES, 9, 0},
	[TYPE] = {"type", "type", "Its type; after ~ only what it looks like", VALUE_TEXT, 20, 1},
	[REACHABLE] = {"reachable", "reachable", "Does a path lead to it from a root of the dump?",
				   VALUE_BOOL, 9, 2},
	[FUNCTION] = {"function", "allocated in",
				  "The innermost function of the stack that is not of package runtime", VALUE_TEXT,
				  0, 0},
	[LINE] = {"line", "line", "File and line of that call", VALUE_TEXT, 24, 3},
	[PROFILE] = {"profile", "profile", "Its allocation profile, for profile ID", VALUE_ADDRESS, 14,
				 4},
};

static const enum stage column_needs[sizeof columns / sizeof *columns] = {
	[TYPE] = STAGE_TYPED,
};

struct samples {
	const uint32_t *order; /* numbers of samples */
	uint32_t *own;         /* the same, of chosen profiles */
};

static const struct sample *sample_of(const struct rows *rows, size_t row)
{
	const struct samples *samples = rows->data;
	return &rows->analysis->heap->profiles.sample[samples->order[row]];
}

static void add_profile(struct rows *rows, uint32_t profile)
{
	struct samples *samples = rows->data;
	const struct profiles *profiles = &rows->analysis->heap->profiles;
	uint32_t first = profiles->first[profile], count = profiles->first[profile + 1] - first;
	samples->own = mem_resize(samples->own, (rows->count + count) * sizeof *samples->own);
	for (uint32_t i = 0; i < count; i++)
		samples->own[rows->count++] = profiles->by_profile[first + i];
	samples->order = samples->own;
}

/* Of a place in the program that makes objects of several sizes there are several profiles. */
static bool add_profiles(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = rows->analysis->heap;
	struct buf word = {0};
	uint32_t profile = 0;
	size_t count = 0;
	bool known = true;
	for (; known && *argument; argument += strspn(argument, " "), count++) {
		size_t length = strcspn(argument, " ");
		buf_clear(&word);
		buf_add_bytes(&word, argument, length);
		known = argument_profile(heap, buf_text(&word), &profile, err);
		if (known)
			add_profile(rows, profile);
		argument += length;
	}
	buf_free(&word);
	if (known && count == 1)
		buf_addf(&rows->title, "objects of allocation profile 0x%" PRIx64,
				 heap->profiles.profile[profile].id);
	else if (known)
		buf_addf(&rows->title, "objects of %zu allocation profiles", count);
	return known;
}

static bool samples_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct profiles *profiles = &rows->analysis->heap->profiles;
	struct samples *samples = rows->data = mem_alloc(sizeof *samples);
	if (*argument && !add_profiles(rows, argument, err))
		return false;
	if (!*argument) {
		samples->order = profiles->by_object;
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
	struct samples *samples = rows->data;
	free(samples->own);
	free(samples);
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
	case TYPE:
		if (sample->object != OBJECT_NONE)
			cell_type(value, rows->analysis, sample->object);
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
	.from = DAMAGE_SAMPLES,
	.help = "The objects of which is known where they were allocated: all, or those of some "
			"allocation profiles",
	.argument = "[PROFILE...]",
	.needs = STAGE_REACHED,
	.parts = HAS_RUNTIME,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.column_needs = column_needs,
	.open = samples_open,
	.cell = samples_cell,
	.link = samples_link,
	.close = samples_close,
	.address = samples_address,
	.sort = -1,
	.completes = "profiles.id",
};
