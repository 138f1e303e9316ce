#include "go/table/waits.h"
#include "waits_parts.h"

#include "base/bound.h"
#include "base/map.h"
#include "base/text.h"
#include "go/runtime/gochan.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"

#include <inttypes.h>
#include <string.h>

enum { CASES_SHOWN = 64, NAME_LIMIT = 200 };

static const struct gowait *waits_of(const struct analysis *analysis, uint32_t thread)
{
	const struct gowaits *waits = analysis_waits(analysis);
	return waits ? &waits->of[thread] : NULL;
}

/* ---- Channels */

/* Appends "chan *main.Event"; "chan" if the type is unknown. */
static void waits_add_type(const struct analysis *analysis, uint32_t channel, struct buf *out)
{
	const struct typing *typing = analysis_typing(analysis);
	gotype_id type = typing ? typing_type(typing, channel) : 0;
	gotype_id container = type ? goruntime_container(typing_runtime(typing), type) : 0;
	typed_add_mark_of(analysis, container ? channel : OBJECT_NONE, out);
	if (container)
		gotype_display(typing_types(typing), container, out);
	else
		buf_add(out, "chan");
}

/* Returns true if the path leads through the runtime's records of waiting goroutines (sudog). */
static bool waits_by_runtime(const struct gowaits *waits, const struct path *path)
{
	static const struct bound_by itself = {sizeof(uint32_t), 0, sizeof(uint32_t)};
	for (size_t i = 0; i + 1 < path->count; i++) {
		size_t at = lower_bound(waits->sudogs, waits->sudog_count, itself, path->step[i]);
		if (at < waits->sudog_count && waits->sudogs[at] == path->step[i])
			return true;
	}
	return false;
}

/* Appends the best path to an object. False: it begins in the goroutine itself, or passes through
   the runtime's records. */
static bool waits_find_holder(const struct analysis *analysis, uint32_t thread, uint32_t object,
                              struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	if (!analysis_has(analysis, STAGE_REVERSED | STAGE_TYPED) || !analysis_has_roots(analysis))
		return false;
	struct paths *paths = paths_open(heap, analysis_reach(analysis), object);
	const struct path *path = paths_get(paths, 0, NULL);
	const struct root *root = path ? &heap->roots[path->root] : NULL;
	bool own = root && root->kind == ROOT_FRAME && heap->frames[root->holder].thread == thread;
	bool told = path && !own && !waits_by_runtime(analysis_waits(analysis), path);
	if (told)
		step_add_path(analysis, path, out);
	paths_close(paths);
	return told;
}

static void waits_add_channels(const struct analysis *analysis, uint32_t thread,
                               const struct gowait *wait, struct buf *out)
{
	const struct gowait_case *cases = analysis_waits(analysis)->cases + wait->first;
	if (wait->kind == GOWAIT_SELECT)
		buf_add(out, "select ");
	for (uint32_t i = 0; i < wait->cases && i < CASES_SHOWN; i++) {
		SCOPED_BUF holder = {0};
		buf_add(out, i ? "; " : "");
		if (wait->kind == GOWAIT_SELECT)
			buf_add(out, cases[i].sends ? "send " : "receive ");
		uint32_t channel = cases[i].object;
		const struct heap *heap = analysis_heap(analysis);
		uint64_t length, room;
		waits_add_type(analysis, channel, out);
		if (name_wants(out, NAME_ADDRESS))
			buf_addf(out, " 0x%" PRIx64, heap_address(heap, channel));
		/* Who names a place wants to know if a channel is full, not that it has no room. */
		if (gochan_length(heap, heap_address(heap, channel), &length, &room)
		    && (room || name_wants(out, NAME_ADDRESS)))
			buf_addf(out, " len %" PRIu64 " cap %" PRIu64, length, room);
		if (waits_add_channel_timer(analysis, cases[i].object, out))
			continue;
		if (waits_find_holder(analysis, thread, cases[i].object, &holder))
			buf_addf(out, ", held by %s", buf_text(&holder));
	}
	if (wait->cases > CASES_SHOWN)
		buf_addf(out, "; %s", text_number_of(wait->cases - CASES_SHOWN, "other", "others").text);
}

/* ---- Locks */

/* Returns the type in package sync that a goroutine waits for, "Mutex", from the waiting method,
   else from the wait reason "sync.Mutex.Lock"; empty: unknown. The text is the dump's. */
static struct text waits_lock_type(const struct analysis *analysis, uint32_t thread)
{
	struct text reason = analysis_heap(analysis)->threads[thread].record.wait_reason, method;
	struct waits_methods methods = {analysis, thread, 0, 0};
	const size_t before = strlen("sync.(*");
	while (waits_next_method(&methods, &method)) {
		const char *end = *method.data == 's' ? memchr(method.data, ')', method.len) : NULL;
		if (end)
			return (struct text){method.data + before, (size_t)(end - method.data) - before};
	}
	const char *dot = reason.len > 5 && memcmp(reason.data, "sync.", 5) == 0
	                      ? memchr(reason.data + 5, '.', reason.len - 5)
	                      : NULL;
	return dot ? (struct text){reason.data + 5, (size_t)(dot - reason.data) - 5} : (struct text){0};
}

/* Appends "sync.Mutex", or "semaphore" for no type. */
static void waits_add_lock_type(struct text type, struct buf *out)
{
	buf_add(out, type.len ? "sync." : "semaphore");
	text_add_escaped(out, type.data, type.len, NAME_LIMIT);
}

/* Appends " main.reg.mu", the name of a lock in a variable or in static memory. */
static void waits_add_static_lock(const struct analysis *analysis, uint64_t address,
                                  struct buf *out)
{
	SCOPED_BUF name = {.without = NAME_WORD};
	uint64_t offset;
	const char *variable;
	if (!typed_add_global(analysis, address, NULL, &name)
	    && names_variable(analysis_names(analysis), address, &variable, &offset))
		text_add_symbol(&name, variable, strlen(variable), NAME_LIMIT);
	if (name.len)
		buf_addf(out, " %s", buf_text(&name));
}

static void waits_add_lock(const struct analysis *analysis, uint32_t thread,
                           const struct gowait *wait, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t object = heap_find(heap, wait->address);
	SCOPED_BUF holder = {0};
	struct text type = waits_lock_type(analysis, thread);
	enum waits_lock lock = waits_lock_of(type);
	uint64_t begin = wait->address - waits_lock_offset(analysis, thread, wait->address);
	waits_add_lock_type(type, out);
	if (object == OBJECT_NONE) {
		size_t before = out->len;
		waits_add_static_lock(analysis, wait->address, out);
		if (out->len == before || name_wants(out, NAME_ADDRESS))
			buf_addf(out, " 0x%" PRIx64, begin);
		waits_add_lock_state(heap, lock, wait->address, out);
		return;
	}
	buf_addf(out, " 0x%" PRIx64, begin);
	waits_add_lock_state(heap, lock, wait->address, out);
	if (waits_find_holder(analysis, thread, object, &holder)) {
		holder.without = NAME_WORD;
		step_add(analysis, object, wait->address - heap_address(heap, object), &holder);
		buf_addf(out, ", %s", buf_text(&holder));
	}
}

/* ---- Coroutines */

static void waits_add_coroutine(const struct analysis *analysis, uint32_t thread,
                                const struct gowait *wait, struct buf *out)
{
	uint32_t object = heap_find(analysis_heap(analysis), wait->address);
	SCOPED_BUF holder = {0};
	buf_addf(out, "coroutine 0x%" PRIx64, wait->address);
	if (object != OBJECT_NONE && waits_find_holder(analysis, thread, object, &holder))
		buf_addf(out, ", held by %s", buf_text(&holder));
}

/* ---- All kinds */

void waits_add(const struct analysis *analysis, uint32_t thread, struct buf *out)
{
	const struct gowait *wait = waits_of(analysis, thread);
	if (!wait || !wait->known)
		return;
	switch (wait->kind) {
	case GOWAIT_FOREVER:
		buf_add(out, text_is(analysis_heap(analysis)->threads[thread].record.wait_reason,
		                     "select (no cases)")
		                 ? "no case"
		                 : "nil channel");
		return;
	case GOWAIT_CHANNEL:
	case GOWAIT_SELECT:
		waits_add_channels(analysis, thread, wait, out);
		return;
	case GOWAIT_SEMAPHORE:
	case GOWAIT_CONDITION:
		waits_add_lock(analysis, thread, wait, out);
		return;
	case GOWAIT_COROUTINE:
		waits_add_coroutine(analysis, thread, wait, out);
		return;
	case GOWAIT_NONE:
		waits_add_outside(analysis, thread, out);
		return;
	}
}

/* ---- Several */

/* Returns the address of what a goroutine waits for; of a select, its first channel. */
static uint64_t waits_key(const struct analysis *analysis, const struct gowait *wait)
{
	return wait->cases ? analysis_waits(analysis)->cases[wait->first].channel : wait->address;
}

/* Returns how many different things the goroutines wait for, as far as that is known, and stores of
   how many it is. */
static size_t waits_count(const struct analysis *analysis, struct ids threads, size_t *known)
{
	SCOPED_MAP seen = {0};
	*known = 0;
	for (size_t i = 0; i < threads.count; i++) {
		const struct gowait *wait = waits_of(analysis, threads.id[i]);
		*known += wait->known;
		if (wait->known)
			map_put(&seen, waits_key(analysis, wait), 1);
	}
	return seen.count;
}

bool waits_are_one(const struct analysis *analysis, struct ids threads)
{
	const struct gowait *first = threads.count ? waits_of(analysis, threads.id[0]) : NULL;
	size_t known;
	if (!first || threads.count == 1)
		return first;
	return first->known
	       && (first->kind == GOWAIT_FOREVER
	           || (first->kind != GOWAIT_NONE && first->kind != GOWAIT_SELECT
	               && waits_count(analysis, threads, &known) == 1 && known == threads.count));
}

/* The text for several different channels is "chan *main.Event, 3,000 different". */
void waits_add_common(const struct analysis *analysis, struct ids threads, struct buf *out)
{
	const struct gowait *first = threads.count ? waits_of(analysis, threads.id[0]) : NULL;
	if (!first || !first->known || threads.count == 1 || first->kind == GOWAIT_FOREVER) {
		if (threads.count)
			waits_add(analysis, threads.id[0], out);
		return;
	}
	if (first->kind == GOWAIT_NONE) {
		waits_add_outside_common(analysis, threads, out);
		return;
	}
	if (waits_are_one(analysis, threads)) {
		buf_add(out, "all: ");
		waits_add(analysis, threads.id[0], out);
		return;
	}
	if (first->kind == GOWAIT_SELECT) {
		buf_addf(out, "select of %s", text_number_of(first->cases, "case", "cases").text);
		return;
	}
	size_t known, count = waits_count(analysis, threads, &known);
	if (first->cases)
		waits_add_type(analysis, analysis_waits(analysis)->cases[first->first].object, out);
	else if (first->kind == GOWAIT_COROUTINE)
		buf_add(out, "coroutine");
	else
		waits_add_lock_type(waits_lock_type(analysis, threads.id[0]), out);
	buf_addf(out, ", %s different", text_count(count).text);
}
