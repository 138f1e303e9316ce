/* The table of objects whose allocation the profiler has recorded, with the call stack. */
#include "table/columns.h"
#include "table/naming/alloc_site.h"

#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"
#include "heap/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct samples {
	const uint32_t *order; /* sample numbers */
	uint32_t *own;         /* sample numbers of selected profiles */
};

static const void *sample_of(const struct rows *rows, size_t row)
{
	const struct samples *samples = rows->data;
	return &analysis_heap(rows->analysis)->profiles.sample[samples->order[row]];
}

static void samples_add_profile(struct rows *rows, uint32_t profile)
{
	struct samples *samples = rows->data;
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	uint32_t first = profiles->first[profile], count = profiles->first[profile + 1] - first;
	samples->own = mem_resize(samples->own, (rows->count + count) * sizeof *samples->own);
	for (uint32_t i = 0; i < count; i++)
		samples->own[rows->count++] = profiles->by_profile[first + i];
	samples->order = samples->own;
}

/* Adds the samples of the profiles in the argument. One call stack has several profiles if it
   allocates objects of several sizes. */
static bool add_profiles(struct rows *rows, const char *argument, struct err *err)
{
	const struct heap *heap = analysis_heap(rows->analysis);
	SCOPED_BUF word = {0};
	uint32_t profile = 0;
	size_t count = 0;
	bool known = true;
	for (; known && *argument; argument += strspn(argument, " "), count++) {
		size_t length = strcspn(argument, " ");
		buf_clear(&word);
		buf_add_bytes(&word, argument, length);
		known = argument_profile(heap, buf_text(&word), &profile, err);
		if (known)
			samples_add_profile(rows, profile);
		argument += length;
	}
	if (known && count == 1)
		buf_addf(&rows->title, "objects of allocation profile 0x%" PRIx64,
		         heap->profiles.profile[profile].id);
	else if (known)
		buf_addf(&rows->title, "objects of %zu allocation profiles", count);
	return known;
}

static bool samples_open(struct rows *rows, const char *argument, struct err *err)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	struct samples *samples = rows->data = mem_alloc(sizeof *samples);
	if (*argument && !add_profiles(rows, argument, err))
		return false;
	if (!*argument) {
		samples->order = profiles->by_object;
		rows->count = profiles->sample_count;
		buf_add(&rows->title, "objects whose allocation is known");
	}
	return true;
}

static void samples_close(struct rows *rows)
{
	struct samples *samples = rows->data;
	free(samples->own);
}

static uint64_t samples_site_code(const struct rows *rows, size_t row)
{
	const struct sample *sample = sample_of(rows, row);
	return site_code(sample->profile);
}

static const struct coding samples_function = {samples_site_code, site_function_cell};
static const struct coding samples_line = {samples_site_code, site_line_cell};

static void samples_amount_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct profiles *profiles = &analysis_heap(rows->analysis)->profiles;
	struct profile_amount amount = profiles_of_sample(profiles, sample_of(rows, row));
	cell_field(rows, &amount, value);
}

static const struct column columns[] = {
	{"object", "object", "Address of the object, as recorded by the profiler", VALUE_ADDRESS, 14, 0,
     FIELD(struct sample, record.object)},
	{OBJECT_SIZE, .width = 9},
	{OBJECT_TYPE, .width = 20, .rank = 1},
	{OBJECT_REACHABLE, .width = 9, .rank = 2},
	{"function", "allocated in",
     "The innermost function of the stack that is not of package runtime", VALUE_TEXT, 0, 0,
     .coding = &samples_function},
	{"line", "line", "File and line of that call", VALUE_TEXT, 24, 3, .coding = &samples_line},
	{"profile", "profile", "Its allocation profile, for profile ID", VALUE_ADDRESS, 14, 4,
     FIELD(struct sample, record.profile)},
	{"estimated_count", "est. objects",
     "Estimate of how many objects of this size and call stack it stands for, scaled as pprof "
     "does; "
     "added up, that of the objects in the dump",
     VALUE_COUNT, 12, 4, .cell = samples_amount_cell, FIELD(struct profile_amount, count)},
	{"estimated_bytes", "est. bytes", "Estimate of their bytes", VALUE_BYTES, 10, 3,
     .cell = samples_amount_cell, FIELD(struct profile_amount, bytes)},
	{OBJECT_OWNER, .width = 24, .rank = 5},
};

DEFINE_PLUGIN(tables, struct table, table_samples) = {
	.rank = 420,
	.name = "profiles-object",
	.form_of = "profiles",
	.former = "samples",
	.from = DAMAGE_SAMPLES,
	.help = "The sampled objects, whose allocation stack is known: all, or those of some "
			"allocation profiles",
	.argument = "[PROFILE...]",
	.needs = STAGE_REACHED,
	.parts = PART_GO,
	COLUMNS(columns),
	.open = samples_open,
	.none = "The dump has no samples of allocations; the profiler samples one in 512 KiB.",
	.record = sample_of,
	.object = ROW_MEMBER(struct sample, object, uint32_t),
	.close = samples_close,
	.completes = "profiles.id",
};
