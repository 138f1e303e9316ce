/* What an object is: how large, of which type, reachable or not, where it was allocated. */
#include "ui/object_page.h"

#include "base/text.h"
#include "table/alloc_site.h"
#include "table/root.h"
#include "table/typed.h"
#include "ui/retained_lines.h"

#include <inttypes.h>

enum {
	STEPS_COUNTED = 10000000,
	QUICK_OBJECTS = 1 << 20 /* up to here all ways to an object are found at once */
};

static void object_facts_add_size(struct page *page, const struct object_page *object)
{
	struct buf text = {0};
	text_add_size(&text, object->record.size);
	if (object->record.size >= 1024) {
		buf_add(&text, " = ");
		text_add_count(&text, object->record.size);
		buf_add(&text, " bytes");
	}
	if (object->record.header)
		buf_addf(&text, ", with an allocation header of %d bytes", object->record.header);
	page_field(page, "size", buf_text(&text));
	buf_free(&text);
}

/* Go does not write objects of 2 GiB and more whole. */
static void add_stored(struct page *page, const struct object_page *object)
{
	struct buf text = {0};
	if (object->record.data && object->record.stored < object->record.size) {
		buf_add(&text, "the dump holds only the first ");
		text_add_count(&text, object->record.stored);
		buf_add(&text, " bytes");
		page_field(page, "contents", buf_text(&text));
	}
	buf_free(&text);
}

/* The allocation header is the address of the object's type. */
static void object_facts_add_type(struct page *page, const struct object_page *object)
{
	const struct analysis *analysis = object->analysis;
	const struct heap *heap = analysis_heap(analysis);
	struct buf text = {0};
	if (typed_add(analysis, object->id, &text)) {
		buf_addf(&text, "  (%s; i: why)", typed_level(analysis, object->id));
		page_field(page, "type", buf_text(&text));
	} else if (object->record.header) {
		buf_addf(&text, "descriptor at 0x%" PRIx64 ", which is not in the dump",
		         heap_word(heap, object->record.data));
		page_field(page, "type", buf_text(&text));
	}
	buf_free(&text);
}

static void add_asked(struct page *page, const struct object_page *object)
{
	struct buf text = {0};
	buf_addf(&text, "0x%" PRIx64, object->asked);
	if (object->asked > object->address)
		buf_addf(&text, ", +0x%" PRIx64 " in this object", object->asked - object->address);
	else
		buf_add(&text, ", in the allocation header of this object");
	if (object->asked != object->address)
		page_field(page, "asked for", buf_text(&text));
	buf_free(&text);
}

/* Whether there are other ways to it than the shortest, where looking for them is quick. */
static const char *other_ways(const struct object_page *object, const struct heap *heap)
{
	if (!object->paths || heap_object_count(heap) > QUICK_OBJECTS)
		return "";
	if (paths_get(object->paths, 1, NULL))
		return "; there are other ways to it";
	return paths_exhausted(object->paths) ? "; there is no other way to it" : "";
}

static void object_facts_add_reach(struct page *page, const struct object_page *object)
{
	const struct analysis *analysis = object->analysis;
	struct buf text = {0};
	if (!analysis_has(analysis, STAGE_REACHED)) {
		buf_add(&text, "not known yet");
	} else if (!analysis_reach(analysis)->known) {
		buf_add(&text, "unknown: there are no roots in the dump");
	} else if (reach_has(analysis_reach(analysis), object->id)) {
		size_t steps = reach_distance(analysis_reach(analysis), object->id, STEPS_COUNTED);
		buf_add(&text, "yes, ");
		text_add_count(&text, steps);
		buf_addf(&text, " %s from a root%s", steps == 1 ? "step" : "steps",
		         other_ways(object, analysis_heap(analysis)));
	} else {
		root_add_none(analysis, object->id, &text);
	}
	page_field(page, "reachable", buf_text(&text));
	buf_free(&text);
}

static void object_facts_add_finalizer(struct page *page, const struct object_page *object)
{
	const struct heap *heap = analysis_heap(object->analysis);
	for (uint32_t i = 0; i < heap->finalizer_count; i++) {
		const struct finalizer_record *finalizer = &heap->finalizers[i];
		if (heap_find(heap, finalizer->object) != object->id)
			continue;
		page_field(page, "finalizer",
		           finalizer->queued ? "has one that is due or running" : "has one");
		return;
	}
}

/* Where it was allocated, if the profiler has looked at it. */
static void object_facts_add_site(struct page *page, const struct object_page *object)
{
	const struct heap *heap = analysis_heap(object->analysis);
	const struct sample *sample = profiles_of_object(&heap->profiles, object->id);
	struct stack_frame frame;
	struct buf text = {0};
	if (!sample || sample->profile == PROFILE_NONE
	    || !profile_site(&heap->profiles.profile[sample->profile], &frame))
		return;
	stack_frame_add(&frame, &text);
	page_linef(page, "profile 0x%" PRIx64, sample->record.profile);
	page_put(page, PAGE_LEFT, 1, STYLE_FAINT, "allocated in");
	page_put(page, PAGE_REST, PAGE_TEXT_COLUMN, STYLE_LINK, buf_text(&text));
	buf_free(&text);
}

void object_facts(struct object_page *object)
{
	struct page *page = &object->page;
	object_facts_add_size(page, object);
	add_stored(page, object);
	add_asked(page, object);
	object_facts_add_type(page, object);
	object_facts_add_reach(page, object);
	retained_lines(page, object->analysis, object->id);
	object_facts_add_finalizer(page, object);
	object_facts_add_site(page, object);
}
