#include "go/table/memory_sites.h"

#include "base/string_set.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/profile.h"
#include "table/naming/alloc_site.h"
#include "table/naming/typed.h"

#include <string.h>

enum { POLL_EVERY = 1 << 12 };

static enum label_class memory_sites_label(const struct memory_list *list, uint32_t id)
{
	const struct labels *labels = analysis_labels(list->analysis);
	return labels ? labels_class(labels, labels_of(labels, id)) : LABEL_NONE;
}

/* Returns true if only the profiler tells an object from others of the same shape. */
static bool memory_sites_by_profile(const struct memory_list *list, uint32_t id)
{
	const struct typing *typing = analysis_typing(list->analysis);
	return memory_sites_label(list, id) == LABEL_SITE
	       || (typing && typing_object(typing, id).source == SOURCE_PROFILE);
}

/* Returns true for a sample whose object is there and unreachable. */
static bool memory_sites_has(const struct memory_list *list, const struct sample *sample)
{
	return sample->object != OBJECT_NONE && !memory_is_reachable(list, sample->object);
}

/* Adds the shapes of objects that only the profiler knows to a set, and counts the samples of each
   type. */
static void memory_sites_count(struct memory_list *list, struct string_set *shapes)
{
	const struct profiles *profiles = &analysis_heap(list->analysis)->profiles;
	SCOPED_BUF shape = {0};
	for (uint32_t i = 0; i < profiles->sample_count; i++) {
		uint32_t id = profiles->sample[i].object;
		uint64_t at;
		if (!memory_sites_has(list, &profiles->sample[i]))
			continue;
		if (memory_sites_by_profile(list, id)) {
			buf_clear(&shape);
			labels_add_pattern(analysis_labels(list->analysis), id, &shape);
			string_set_number(shapes, buf_text(&shape), NULL);
		}
		if (memory_sites_label(list, id) != LABEL_SITE
		    && map_get(&list->of_key, typed_code(list->analysis, id), &at))
			list->part[at].samples++;
	}
}

void memory_sites_mark(struct memory_list *list)
{
	struct string_set shapes = {0};
	SCOPED_BUF shape = {0};
	memory_sites_count(list, &shapes);
	for (size_t i = 0; shapes.count && i < list->count; i++) {
		bool is_new = false;
		if (memory_sites_label(list, list->part[i].id) != LABEL_SHAPE)
			continue;
		buf_clear(&shape);
		labels_add_pattern(analysis_labels(list->analysis), list->part[i].id, &shape);
		string_set_number(&shapes, buf_text(&shape), &is_new);
		list->part[i].samples += !is_new;
	}
	string_set_free(&shapes);
}

/* ---- The sites of one type */

/* Returns true if a name of a type is a shape, or that of objects of the shape that are held
   somewhere. */
static bool memory_sites_has_shape(const char *name, const char *shape)
{
	static const char held[] = " held ";
	size_t length = strlen(shape);
	return strncmp(name, shape, length) == 0
	       && (!name[length] || strncmp(name + length, held, sizeof held - 1) == 0);
}

enum site_role { SITE_OTHER, SITE_OWN, SITE_ALIKE /* of the same shape */ };

static enum site_role memory_sites_find_role(const struct memory_list *list, uint32_t id)
{
	SCOPED_BUF name = {0};
	enum site_role role = SITE_OTHER;
	memory_name_type(list, id, &name);
	if (strcmp(buf_text(&name), list->of.words.name) == 0)
		role = SITE_OWN;
	buf_clear(&name);
	if (role == SITE_OTHER && memory_sites_by_profile(list, id)) {
		labels_add_pattern(analysis_labels(list->analysis), id, &name);
		if (memory_sites_has_shape(list->of.words.name, buf_text(&name)))
			role = SITE_ALIKE;
	}
	return role;
}

/* Returns what a sampled object is to the type whose parts are made. `known`: the roles by key of a
   type, of objects that only the profiler knows and of others. */
static enum site_role memory_sites_role(const struct memory_list *list, uint32_t id,
                                        struct map known[2])
{
	uint64_t key = typed_code(list->analysis, id), role;
	struct map *map = &known[memory_sites_by_profile(list, id)];
	if (!map_get(map, key, &role))
		map_put(map, key, role = memory_sites_find_role(list, id));
	return (enum site_role)role;
}

/* Shares out a number of bytes in proportion to what the samples stand for. */
static uint64_t memory_sites_share(uint64_t bytes, uint64_t part, uint64_t whole)
{
	double share = (double)bytes * ((double)part / (double)whole);
	return part == whole || share > (double)bytes ? bytes : (uint64_t)share;
}

/* The samples are only some of the objects, unless all are sampled. `alike`: none of these. */
static void memory_sites_estimate(struct memory_list *list, bool alike)
{
	uint64_t whole = 0, sampled = 0, part = 0;
	for (size_t i = 0; i < list->count; i++) {
		whole += list->part[i].estimate;
		sampled += list->part[i].bytes;
	}
	list->estimated = (alike || sampled != list->of.bytes) && whole;
	if (alike && !whole)
		list->count = 0;
	for (size_t i = 0; list->estimated && i < list->count; i++) {
		struct memory_part *site = &list->part[i];
		uint64_t next = part + site->estimate;
		site->bytes = memory_sites_share(list->of.bytes, next, whole)
		              - memory_sites_share(list->of.bytes, part, whole);
		site->resident = memory_sites_share(list->of.resident, next, whole)
		                 - memory_sites_share(list->of.resident, part, whole);
		part = next;
	}
}

bool memory_sites_add(struct memory_list *list, struct progress *progress)
{
	const struct profiles *profiles = &analysis_heap(list->analysis)->profiles;
	struct map known[2] = {{0}, {0}};
	bool goes_on = true, alike = false;
	progress_begin(progress, "allocation sites", profiles->sample_count);
	for (uint32_t i = 0; goes_on && i < profiles->sample_count; i++) {
		const struct sample *sample = &profiles->sample[i];
		goes_on = i % POLL_EVERY || progress_step(progress, i);
		enum site_role role = memory_sites_has(list, sample)
		                          ? memory_sites_role(list, sample->object, known)
		                          : SITE_OTHER;
		if (role == SITE_OTHER)
			continue;
		alike |= role == SITE_ALIKE;
		struct memory_part *site =
			memory_list_add_object(list, sample->profile, sample->object, sample->profile);
		site->estimate += profiles_of_sample(profiles, sample).bytes;
	}
	map_free(&known[0]);
	map_free(&known[1]);
	memory_sites_estimate(list, alike);
	return goes_on;
}

void memory_sites_name(const struct memory_list *list, uint32_t profile, struct buf *out)
{
	const struct profiles *profiles = &analysis_heap(list->analysis)->profiles;
	struct stack_frame frame;
	if (profile != PROFILE_NONE && profile_site(&profiles->profile[profile], &frame))
		stack_frame_add(&frame, out);
	else
		buf_add(out, "unknown site");
	buf_add(out, list->estimated ? ", estimate" : "");
}

void memory_sites_link(const struct memory_list *list, uint32_t profile, struct buf *out)
{
	const struct heap *heap = analysis_heap(list->analysis);
	void (*const cells[])(struct value *, const struct heap *, uint32_t) = {cell_site_function,
	                                                                        cell_site_line};
	buf_add(out, "samples; filter reachable = no");
	for (size_t i = 0; i < 2; i++) {
		SCOPED_BUF text = {0};
		cells[i](&(struct value){.text = &text}, heap, profile);
		buf_add(out, i ? " and line = " : " and function = ");
		if (text.len)
			text_add_quoted(out, "", buf_text(&text));
		else
			buf_add(out, "none");
	}
}
