/* Goroutines that no other goroutine wakes: they wait for a connection, a file, or the time. The
   texts require known types; otherwise they are empty. */
#include "base/map.h"
#include "base/text.h"
#include "heap/heap.h"
#include "heap/pointer_walk.h"
#include "table/contents/datum.h"
#include "table/contents/field_value.h"
#include "waits_parts.h"

#include <inttypes.h>
#include <string.h>

enum { FRAMES_MOST = 16, REFERRERS_MOST = 16, NAME_LIMIT = 200 };

/* ---- Fields */

static bool waits_is_a(const struct analysis *analysis, uint32_t object, const char *name)
{
	const struct typing *typing = analysis_typing(analysis);
	struct typed typed = typing_object(typing, object);
	if (!typed.type || typed.known == KNOWN_GUESS)
		return false;
	return strcmp(gotype_get(typing_types(typing), typed.type)->name, name) == 0;
}

static bool waits_field_number(const struct analysis *analysis, uint32_t object, const char *field,
                               uint64_t *number)
{
	SCOPED_BUF text = {0};
	struct value value = {.text = &text};
	struct govalue in = datum_memory(analysis);
	struct datum whole = datum_of_object(&in, object);
	bool known = typing_object(in.typing, object).known != KNOWN_GUESS
	             && field_value_get(analysis, &whole, field, &value, NULL)
	             && value.kind != VALUE_NONE && value.kind != VALUE_TEXT && !value.negative;
	*number = value.number;
	return known;
}

static bool waits_add_field_text(const struct analysis *analysis, uint32_t object,
                                 const char *field, struct buf *out)
{
	SCOPED_BUF text = {0};
	struct value value = {.text = &text};
	struct govalue in = datum_memory(analysis);
	struct datum whole = datum_of_object(&in, object);
	bool known = field_value_get(analysis, &whole, field, &value, NULL) && value.kind == VALUE_TEXT
	             && text.len;
	if (known)
		buf_add(out, buf_text(&text));
	return known;
}

/* ---- Connections and files */

/* Stores the poller function of a frame: Read for internal/poll.(*FD).Read. False: it is none. */
static bool waits_polls(const struct frame_record *frame, struct text *call)
{
	static const char *const types[] = {"internal/poll.(*FD).", "net.(*netFD)."};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		size_t len = strlen(types[i]);
		if (frame->function.len > len && memcmp(frame->function.data, types[i], len) == 0) {
			*call = (struct text){frame->function.data + len, frame->function.len - len};
			return true;
		}
	}
	return false;
}

/* Returns the only object of the frame that is a connection or a file; OBJECT_NONE: none, or
   several. */
static uint32_t waits_descriptor(const struct analysis *analysis, const struct frame_record *frame)
{
	const struct heap *heap = analysis_heap(analysis);
	struct pointer_walk walk;
	struct pointer pointer;
	uint32_t found = OBJECT_NONE;
	pointer_walk_frame(&walk, heap, frame);
	while (pointer_walk_next(&walk, &pointer)) {
		uint32_t object = heap_find(heap, pointer.value);
		if (object == OBJECT_NONE || object == found
		    || !(waits_is_a(analysis, object, "net.netFD")
		         || waits_is_a(analysis, object, "os.file")))
			continue;
		if (found != OBJECT_NONE)
			return OBJECT_NONE;
		found = object;
	}
	return found;
}

/* Appends "127.0.0.1:80", "[::1]:80" or "/run/socket". False: unknown. */
static bool waits_add_end(const struct analysis *analysis, uint32_t object, const char *end,
                          struct buf *out)
{
	SCOPED_BUF field = {0}, ip = {0};
	uint64_t port;
	buf_addf(&field, "%s.IP", end);
	bool known = waits_add_field_text(analysis, object, buf_text(&field), &ip);
	buf_clear(&field);
	buf_addf(&field, "%s.Port", end);
	known = known && waits_field_number(analysis, object, buf_text(&field), &port);
	bool brackets = strchr(buf_text(&ip), ':');
	if (known)
		buf_addf(out, "%s%s%s:%" PRIu64, brackets ? "[" : "", buf_text(&ip), brackets ? "]" : "",
		         port);
	buf_clear(&field);
	buf_addf(&field, "%s.Name", end);
	known = known || waits_add_field_text(analysis, object, buf_text(&field), out);
	return known;
}

/* Appends "read", "accept" or "connect". */
static void waits_add_call(struct text call, struct buf *out)
{
	static const struct {
		const char *begins, *word;
	} words[] = {
		{"Read", "read"},     {"Write", "write"},       {"Accept", "accept"},
		{"accept", "accept"}, {"WaitWrite", "connect"}, {"connect", "connect"},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (call.len >= strlen(words[i].begins)
		    && memcmp(call.data, words[i].begins, strlen(words[i].begins)) == 0) {
			buf_addf(out, "%s ", words[i].word);
			return;
		}
}

/* Appends "read tcp" or "read file"; *object is the descriptor. False: unknown. */
static bool waits_add_network(const struct analysis *analysis, uint32_t thread, struct buf *out,
                              uint32_t *object)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct thread *g = &heap->threads[thread];
	struct text call = {0}, outer;
	for (uint32_t i = 0; i < g->frames && i < FRAMES_MOST; i++) {
		const struct frame_record *frame = &heap->frames[g->first_frame + i].record;
		if (!waits_polls(frame, call.len ? &outer : &call))
			continue;
		*object = waits_descriptor(analysis, frame);
		if (*object == OBJECT_NONE)
			continue;
		waits_add_call(call, out);
		if (!waits_add_field_text(analysis, *object, ".net", out))
			buf_add(out, "file");
		return true;
	}
	return false;
}

static void waits_add_descriptor(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	uint64_t number;
	SCOPED_BUF end = {0};
	bool known = !analysis_heap(analysis)->params.redacted; /* else all are zero */
	if (known && waits_add_end(analysis, object, ".laddr", &end))
		buf_addf(out, " %s", buf_text(&end));
	buf_clear(&end);
	if (known && waits_add_end(analysis, object, ".raddr", &end))
		buf_addf(out, " from %s", buf_text(&end));
	buf_clear(&end);
	if (known && waits_add_field_text(analysis, object, ".name", &end))
		buf_addf(out, " %s", buf_text(&end));
	if (waits_field_number(analysis, object, ".pfd.Sysfd", &number))
		buf_addf(out, ", fd %" PRIu64, number);
}

/* ---- Timers */

/* Appends the time that remains until `when`. The latest time known from a dump is when a
   collection last found a goroutine waiting. */
static void waits_add_time(const struct heap *heap, uint64_t when, struct buf *out)
{
	if (!heap->latest_wait)
		return;
	if (when <= heap->latest_wait) {
		buf_add(out, ", is due");
		return;
	}
	buf_addf(out, " in %s", text_duration(when - heap->latest_wait).text);
}

/* Stores the end of time.Sleep, from the timer in runtime.g, or from a field since Go 1.23. False:
   unknown. */
static bool waits_sleep(const struct analysis *analysis, uint32_t thread, uint64_t *when)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t g = heap_find(heap, heap->threads[thread].record.address);
	if (g == OBJECT_NONE || !waits_is_a(analysis, g, "runtime.g"))
		return false;
	bool known = waits_field_number(analysis, g, ".sleepWhen", when)
	             || waits_field_number(analysis, g, ".timer.when", when);
	return known && *when;
}

/* Since Go 1.23 the channel has its timer; before that a time.Timer or Ticker has the channel. */
bool waits_add_channel_timer(const struct analysis *analysis, uint32_t channel, struct buf *out)
{
	static const char *const types[] = {"time.Timer", "time.Ticker"};
	const struct heap *heap = analysis_heap(analysis);
	uint64_t when = 0;
	if (!analysis_typing(analysis) || !analysis_has(analysis, STAGE_REVERSED))
		return false;
	bool known = waits_field_number(analysis, channel, ".timer.when", &when);
	struct ids referrers = heap_referrers(heap, channel);
	for (size_t i = 0; i < referrers.count && i < REFERRERS_MOST && !known; i++)
		for (size_t n = 0; n < sizeof types / sizeof *types && !known; n++)
			known = waits_is_a(analysis, referrers.id[i], types[n])
			        && waits_field_number(analysis, referrers.id[i], ".r.when", &when);
	if (!known || !when)
		return false;
	buf_add(out, ", from a timer");
	waits_add_time(heap, when, out);
	return true;
}

/* ---- Public functions */

static bool waits_reason_is(const struct heap *heap, uint32_t thread, const char *reason)
{
	const struct thread *g = &heap->threads[thread];
	return goroutine_status_waits(g->record.status) && text_is(g->record.wait_reason, reason);
}

void waits_add_outside(const struct analysis *analysis, uint32_t thread, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t descriptor;
	uint64_t when;
	if (!analysis_typing(analysis))
		return;
	if (waits_reason_is(heap, thread, "IO wait")
	    && waits_add_network(analysis, thread, out, &descriptor))
		waits_add_descriptor(analysis, descriptor, out);
	if (waits_reason_is(heap, thread, "sleep") && waits_sleep(analysis, thread, &when)) {
		buf_add(out, "timer");
		waits_add_time(heap, when, out);
	}
}

static void waits_add_sleepers(const struct analysis *analysis, struct ids threads, struct buf *out)
{
	uint64_t first = UINT64_MAX, when;
	for (size_t i = 0; i < threads.count; i++)
		if (!waits_sleep(analysis, threads.id[i], &when))
			return;
		else if (when < first)
			first = when;
	buf_add(out, "timers, the first");
	waits_add_time(analysis_heap(analysis), first, out);
}

static void waits_add_networks(const struct analysis *analysis, struct ids threads, struct buf *out)
{
	SCOPED_MAP seen = {0};
	SCOPED_BUF ignored = {0};
	uint32_t object;
	bool known = true;
	size_t before = out->len;
	for (size_t i = 0; i < threads.count && known; i++) {
		buf_clear(&ignored);
		known = waits_add_network(analysis, threads.id[i], i ? &ignored : out, &object);
		if (known)
			map_put(&seen, object, 1);
	}
	if (known)
		buf_addf(out, ", %zu different", seen.count);
	else if (out->len > before)
		out->data[out->len = before] = '\0';
}

void waits_add_outside_common(const struct analysis *analysis, struct ids threads, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	if (!analysis_typing(analysis))
		return;
	if (waits_reason_is(heap, threads.id[0], "IO wait"))
		waits_add_networks(analysis, threads, out);
	if (waits_reason_is(heap, threads.id[0], "sleep"))
		waits_add_sleepers(analysis, threads, out);
}
