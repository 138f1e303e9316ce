/* The overview of a core file that a signal caused: the signal, the goroutine that crashed, and the
   runtime's message. */
#include "report/overview.h"

#include "base/text.h"
#include "format/format.h"
#include "go/table/panic.h"
#include "heap/heap.h"
#include "table/naming/source.h"
#include "table/naming/thread.h"

#include <inttypes.h>

enum { FRAMES_MOST = 32, MESSAGE_LEAST = 4, MESSAGE_MOST = 200 };

/* The kinds of a program's end, judged by functions on the stack of the goroutine that ended it
   (runtime/panic.go). */
enum crash_kind { CRASH_SIGNAL, CRASH_PANIC, CRASH_FATAL };

struct crash {
	enum crash_kind kind;
	const struct thread *thread; /* NULL: unknown */
	uint32_t frame;              /* CRASH_FATAL: the frame with the message */
};

/* Signal numbers of Linux on amd64 and arm64. */
static const char *crash_signal_name(unsigned number)
{
	static const char *const names[] = {
		[3] = "SIGQUIT", [4] = "SIGILL",   [5] = "SIGTRAP",  [6] = "SIGABRT",  [7] = "SIGBUS",
		[8] = "SIGFPE",  [11] = "SIGSEGV", [24] = "SIGXCPU", [25] = "SIGXFSZ", [31] = "SIGSYS",
	};
	return number < sizeof names / sizeof *names ? names[number] : NULL;
}

/* Returns how a goroutine ended the program; CRASH_SIGNAL: it did not. */
static enum crash_kind crash_kind_of(const struct heap *heap, const struct thread *g,
                                     uint32_t *frame)
{
	uint32_t end = g->first_frame + (g->frames < FRAMES_MOST ? g->frames : FRAMES_MOST);
	for (*frame = g->first_frame; *frame < end; ++*frame) {
		struct text function = heap->frames[*frame].record.function;
		if (text_is(function, "runtime.throw") || text_is(function, "runtime.fatal"))
			return CRASH_FATAL;
		if (text_is(function, "runtime.fatalpanic"))
			return CRASH_PANIC;
	}
	return CRASH_SIGNAL;
}

static bool crash_is_on_thread(const struct heap *heap, const struct thread *g, uint64_t os_thread)
{
	for (uint32_t i = 0; g->record.m && i < heap->os_thread_count; i++)
		if (heap->os_threads[i].address == g->record.m)
			return heap->os_threads[i].os_id == os_thread;
	return false;
}

/* Returns the goroutine that ended the program; of several or none, the one on the thread. */
static struct crash crash_find(const struct heap *heap, uint64_t os_thread)
{
	struct crash crash = {0};
	for (uint32_t i = 0; i < heap->thread_count; i++) {
		const struct thread *g = &heap->threads[i];
		uint32_t frame;
		enum crash_kind kind = crash_kind_of(heap, g, &frame);
		if (kind < crash.kind
		    || (crash.thread && kind == crash.kind && !crash_is_on_thread(heap, g, os_thread))
		    || (kind == CRASH_SIGNAL && !crash_is_on_thread(heap, g, os_thread)))
			continue;
		crash = (struct crash){kind, g, frame};
	}
	return crash;
}

static bool crash_is_message(const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		if (bytes[i] < ' ' || bytes[i] >= 0x7f)
			return false;
	return true;
}

/* Appends the argument of runtime.throw: the frame contains the closure that prints it, with the
   text's address and length. */
static void crash_add_message(const struct analysis *analysis, uint32_t frame, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct frame_record *record = &heap->frames[frame].record;
	unsigned width = heap->params.layout.pointer_size;
	if (!analysis_typing(analysis) || !record->data)
		return;
	for (uint64_t at = 0; at + 2 * (uint64_t)width <= record->size; at += width) {
		uint64_t text = heap_word(heap, record->data + at);
		uint64_t size = heap_word(heap, record->data + at + width);
		if (size < MESSAGE_LEAST || size > MESSAGE_MOST)
			continue;
		const uint8_t *bytes =
			gomemory_bytes(typing_runtime(analysis_typing(analysis)), text, size);
		if (!bytes || !crash_is_message(bytes, size))
			continue;
		text_add_escaped(out, (const char *)bytes, size, MESSAGE_MOST);
		return;
	}
}

/* Appends the last panic. */
static void crash_add_panic(const struct analysis *analysis, const struct thread *g,
                            struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	for (uint32_t i = 0; i < heap->panic_count; i++)
		if (heap->panics[i].address == g->record.panic) {
			panic_add_value(analysis, &heap->panics[i], out);
			return;
		}
}

static void crash_for_programs(struct page *page, const struct crash *crash,
                               const struct crash_note *note, const struct buf *message)
{
	struct thread_place place = {0};
	SCOPED_BUF function = {0}, source = {0};
	page_number(page, "signal", note->signal);
	page_string(page, "signal_name", crash_signal_name(note->signal));
	page_number(page, "thread", note->thread);
	if (crash->thread && thread_place_of(page->analysis, crash->thread, &place)) {
		text_add_symbol(&function, place.function.data, place.function.len, MESSAGE_MOST);
		source_add(&place.line, &source);
	}
	if (crash->thread)
		page_number(page, "goroutine", crash->thread->record.id);
	else
		page_null(page, "goroutine");
	page_text(page, "function", &function);
	page_text(page, "source", &source);
	page_text(page, crash->kind == CRASH_PANIC ? "panic" : "fatal_error", message);
}

void overview_crash(struct page *page)
{
	const struct heap *heap = analysis_heap(page->analysis);
	struct crash_note note;
	SCOPED_BUF text = {0}, message = {0};
	if (!heap->format->crash || !heap->reader || heap->input->pid
	    || !heap->format->crash(heap->reader, &note) || !crash_signal_name(note.signal))
		return;
	struct crash crash = crash_find(heap, note.thread);
	if (crash.kind == CRASH_SIGNAL && note.fatal.len) {
		crash.kind = CRASH_FATAL;
		text_add_escaped(&message, note.fatal.data, note.fatal.len, MESSAGE_MOST);
	} else if (crash.kind == CRASH_FATAL)
		crash_add_message(page->analysis, crash.frame, &message);
	if (crash.kind == CRASH_PANIC)
		crash_add_panic(page->analysis, crash.thread, &message);
	page_open(page, "crash");
	crash_for_programs(page, &crash, &note, &message);
	page_close(page);
	if (crash.kind == CRASH_SIGNAL)
		buf_addf(&text, "Ended by %s on thread %" PRIu64, crash_signal_name(note.signal),
		         note.thread);
	else
		buf_addf(&text, "Crashed: %s%s%s (%s)", crash.kind == CRASH_PANIC ? "panic" : "fatal error",
		         message.len ? ": " : "", buf_text(&message), crash_signal_name(note.signal));
	page_line(page, NULL);
	page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_WARNING, buf_text(&text));
	buf_clear(&text);
	if (crash.thread) {
		SCOPED_BUF link = {0};
		buf_addf(&link, "goroutine %" PRIu64, crash.thread->record.id);
		buf_add(&text, crash.kind == CRASH_SIGNAL ? "It ran " : "in ");
		thread_add_place(page->analysis, crash.thread, &text);
		page_line(page, buf_text(&link));
		page_put(page, PAGE_REST, OVERVIEW_LABEL, STYLE_LINK, buf_text(&text));
	}
}
