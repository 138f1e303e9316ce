#include "table/growth/delta.h"

#include "heap/heap.h"
#include "heap/name_part.h"
#include "table/naming/typed.h"

#include <string.h>

bool delta_absent(const struct rows *rows)
{
	return !analysis_series(rows->analysis);
}

const struct analysis *delta_oldest(const struct rows *rows)
{
	return analysis_series(rows->analysis) ? series_older(rows->analysis, 0) : NULL;
}

const struct analysis *delta_oldest_reached(const struct rows *rows)
{
	const struct analysis *oldest = delta_oldest(rows);
	return oldest && series_knows_reach(oldest, NULL) ? oldest : NULL;
}

void cell_delta(struct value *value, enum value_kind kind, uint64_t before, uint64_t now)
{
	cell_number(value, kind, now >= before ? now - before : before - now);
	value->negative = now < before;
}

/* Returns true if both objects have a type of the same name. Decides most cases without composing
   texts. */
static bool delta_same_type(const struct analysis *older, uint32_t before,
                            const struct analysis *newer, uint32_t object)
{
	const struct typing *old_types = analysis_typing(older), *types = analysis_typing(newer);
	if (!old_types || !types)
		return false;
	struct typed was = typing_object(old_types, before), is = typing_object(types, object);
	return was.type && is.type && was.text == is.text && (was.count == 1) == (is.count == 1)
	       && strcmp(gotype_get(typing_types(old_types), was.type)->name,
	                 gotype_get(typing_types(types), is.type)->name)
	              == 0;
}

/* Returns true if the objects can be the same one. Types belong to one dump; only their names are
   comparable. The length of an array may be known in one dump and not in the other. */
static bool born_alike(const struct analysis *older, uint32_t before, const struct analysis *newer,
                       uint32_t object)
{
	SCOPED_BUF was = {.without = NAME_LENGTH}, is = {.without = NAME_LENGTH};
	if (typed_known(older, before) < KNOWN_INFERRED || typed_known(newer, object) < KNOWN_INFERRED)
		return series_untyped_alike(older, before, newer, object);
	if (delta_same_type(older, before, newer, object))
		return true;
	typed_add_part(older, before, &was);
	typed_add_part(newer, object, &is);
	return strcmp(buf_text(&was), buf_text(&is)) == 0;
}

void cell_born(struct value *value, const struct analysis *analysis, uint32_t object)
{
	if (analysis_series(analysis) && series_knows_objects(analysis))
		cell_number(value, VALUE_COUNT, series_born(analysis, object, born_alike));
}

bool delta_is_old(const struct analysis *analysis, uint32_t object)
{
	return analysis_series(analysis) && series_knows_objects(analysis)
	       && series_born(analysis, object, born_alike) == 1;
}

void cell_born_thread(struct value *value, const struct analysis *analysis, uint32_t thread)
{
	const struct series *series = analysis_series(analysis);
	uint32_t before;
	if (!series)
		return;
	size_t born = series->count + 1;
	while (born > 1
	       && series_thread(series, born - 2, &analysis_heap(analysis)->threads[thread], &before))
		born--;
	cell_number(value, VALUE_COUNT, born);
}

void cell_stuck_since(struct value *value, const struct analysis *analysis, uint32_t thread)
{
	const struct series *series = analysis_series(analysis);
	size_t since = series ? series->count : 0;
	while (since > 0 && series_thread_waits(analysis, since - 1, thread))
		since--;
	if (series && since < series->count)
		cell_number(value, VALUE_COUNT, since + 1);
}
