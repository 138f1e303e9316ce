#include "analysis/damage.h"

#include "format/format.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <string.h>

bool damage_has_roots(const struct heap *heap)
{
	if (heap->log && heap->complete && !heap_object_count(heap))
		return true; /* a section without objects needs no roots */
	return heap->segment_count || heap->thread_count || heap->finalizer_count
	       || heap->otherroot_count || heap->foundroot_count || heap->log_root_count;
}

/* Sections of a Go dump, in order. */
enum place {
	PLACE_OBJECTS,
	PLACE_THREADS,
	PLACE_OS_THREADS,
	PLACE_GLOBALS,
	PLACE_FINALIZERS,
	PLACE_STATISTICS,
	PLACE_PROFILE,
	PLACE_SAMPLES,
	PLACES
};
static const struct {
	enum place last; /* the last section that can contain it */
	const char *name;
} places[] = {
	[DAMAGE_OBJECTS] = {PLACE_OBJECTS, "objects"},
	[DAMAGE_TYPES] = {PLACE_THREADS, "types"},
	[DAMAGE_THREADS] = {PLACE_THREADS, NULL},
	[DAMAGE_OS_THREADS] = {PLACE_OS_THREADS, "threads"},
	[DAMAGE_GLOBALS] = {PLACE_GLOBALS, "global variables"},
	[DAMAGE_FINALIZERS] = {PLACE_FINALIZERS, "finalizers"},
	[DAMAGE_ROOTS] = {PLACE_FINALIZERS, "roots"},
	[DAMAGE_STATISTICS] = {PLACE_STATISTICS, "statistics"},
	[DAMAGE_PROFILE] = {PLACE_PROFILE, "allocation profile"},
	[DAMAGE_SAMPLES] = {PLACE_SAMPLES, "allocation profile"},
};

/* The records of a section: how many there are, and where the first is in the file. */
struct damage_section {
	uint64_t count, offset;
};

static struct damage_section damage_section_of(uint32_t count, const void *records)
{
	struct damage_section section = {.count = count, .offset = ERR_NO_OFFSET};
	if (count)
		memcpy(&section.offset, records, sizeof section.offset); /* each begins with it */
	return section;
}

static struct damage_section damage_section_of_both(struct damage_section a,
                                                    struct damage_section b)
{
	return (struct damage_section){a.count + b.count, a.offset < b.offset ? a.offset : b.offset};
}

static struct damage_section damage_section_at(const struct heap *heap, enum place place)
{
	switch (place) {
	case PLACE_THREADS:
		return damage_section_of(heap->thread_count, heap->threads);
	case PLACE_OS_THREADS:
		return damage_section_of(heap->os_thread_count, heap->os_threads);
	case PLACE_GLOBALS:
		return damage_section_of_both(damage_section_of(heap->segment_count, heap->segments),
		                              damage_section_of(heap->foundroot_count, heap->foundroots));
	case PLACE_FINALIZERS:
		return damage_section_of_both(damage_section_of(heap->finalizer_count, heap->finalizers),
		                              damage_section_of(heap->otherroot_count, heap->otherroots));
	case PLACE_STATISTICS:
		return damage_section_of(heap->memstats.present, &heap->memstats);
	case PLACE_PROFILE:
		return damage_section_of(heap->profiles.count, heap->profiles.profile);
	case PLACE_SAMPLES:
		return damage_section_of(heap->profiles.sample_count, heap->profiles.sample);
	default:
		return (struct damage_section){0};
	}
}

/* Returns the last section that the dump contains. */
static enum place reached(const struct heap *heap)
{
	enum place place = heap->complete ? PLACES : PLACES - 1;
	while (place < PLACES && place > PLACE_OBJECTS && !damage_section_at(heap, place).count)
		place--;
	return place;
}

/* Returns whether something is lost of a section, or of those before it. What is lost behind the
   first record of a later one is not; other inputs have no such order. */
static bool damage_is_before_end(const struct heap *heap, enum place last)
{
	uint64_t end = ERR_NO_OFFSET;
	bool ordered = heap_has(heap, PART_GO) && !heap_has(heap, PART_PROCESS)
	               && !heap->foundroot_count; /* of the early format */
	for (enum place place = last + 1; ordered && place < PLACES; place++) {
		uint64_t begin = damage_section_at(heap, place).offset;
		if (damage_section_at(heap, place).count && begin < end)
			end = begin;
	}
	return heap->losses && heap->first_loss < end;
}

bool damage_cause(const struct heap *heap, enum damage_part part, struct buf *out)
{
	enum place last = places[part].last, end = reached(heap);
	if (!heap->complete && !heap_has(heap, PART_GO))
		buf_add(out, "the file is cut");
	else if (!heap->complete && end <= last)
		buf_addf(out, "the dump is cut before the end of its %s",
		         places[part].name ? places[part].name : heap_words(heap)->threads);
	else if (damage_is_before_end(heap, last))
		buf_add(out, "the file is damaged (the table warnings says where)");
	else
		return false;
	return true;
}

const char *damage_any_root(const struct heap *heap)
{
	SCOPED_BUF cause = {0};
	return damage_cause(heap, DAMAGE_ROOTS, &cause) ? "root that was read" : "root in the dump";
}

bool damage_doubt(const struct heap *heap, enum damage_part part, struct buf *out)
{
	SCOPED_BUF cause = {0};
	if (!damage_cause(heap, part, &cause))
		return false;
	buf_addf(out, "T%s, so that there may have been some", buf_text(&cause) + 1);
	return true;
}

const char *damage_meaning(const struct heap *heap, size_t k)
{
	bool go = heap_has(heap, PART_GO), roots = damage_has_roots(heap);
	bool globals = heap->segment_count || heap->foundroot_count;
	bool statistics = heap->complete || heap->memstats.present;
	/* In this order: threads, global variables, finalizers, statistics. */
	const struct {
		bool holds;
		const char *text;
	} meanings[] = {
		{heap_has(heap, PART_OBJECTS) && !roots,
	     "There are no roots in the dump: what is alive cannot be told. Only its objects are "
	     "known."},
		{heap_words(heap)->thread && roots && !heap->thread_count,
	     "The " THREADS_WORD
	     " are missing: objects that only their stacks keep alive seem unreachable."},
		{go && roots && !globals,
	     "The global variables are missing: objects that only they keep alive seem unreachable."},
		{!statistics && heap->segment_count,
	     "Finalizers may be missing: objects that only they keep alive seem unreachable."},
		{go && !statistics, "The statistics of the runtime are missing."},
		{go && !heap->complete, "Records of the allocation profile may be missing."},
	};
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
		if (meanings[i].holds && k-- == 0)
			return meanings[i].text;
	return NULL;
}
