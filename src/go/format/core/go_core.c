/* Core files of Go programs as a dump format: objects are read directly from the stored memory. */
#include "core_malloc.h"
#include "core_redact.h"
#include "core_spans.h"
#include "core_tell.h"
#include "format/format.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 10, MOST_THREADS = 1 << 20 };

struct core_reader {
	struct core_runtime rt;
	struct core_spans spans;
	struct core_store store;
	struct core_variables variables;
};

static bool go_core_probe(const struct format *format, const uint8_t *data, size_t size)
{
	(void)format;
	return core_file_is(data, size);
}

static void warn_number(const struct sink *sink, uint64_t count, uint64_t offset, const char *what)
{
	char text[300];
	if (!count)
		return;
	snprintf(text, sizeof text, "%" PRIu64 " %s", count, what);
	sink->warning(sink->self, offset, text);
}

static void core_tell_params(const struct core_reader *r, const struct sink *sink)
{
	const struct core_runtime *rt = &r->rt;
	const char *version = exe_version(rt->memory.exe);
	struct params_record params = {
		.layout = {.pointer_size = 8},
		.pointer_size = 8,
		.arch = rt->arm64 ? (struct text){"arm64", 5} : (struct text){"amd64", 5},
		.version = {version, strlen(version)},
	};
	params.redacted = rt->memory.file.redacted;
	params.sweep_generation = rt_field(rt, rt->mheap, RT_MHEAP_SWEEPGEN);
	params.has_profile_rate =
		rt->profile_rate && memory_number(&rt->memory, rt->profile_rate, 8, &params.profile_rate)
		&& params.profile_rate <= INT64_MAX;
	sink->record(sink->self, RECORD_PARAMS, &params);
}

static bool core_tell_objects(const struct core_reader *r, const struct sink *sink,
                              struct progress *progress)
{
	progress_begin(progress, "reading objects", r->spans.count);
	for (size_t i = 0; i < r->spans.count; i++) {
		const struct core_span *span = &r->spans.span[i];
		struct object_record record;
		if (i % STEP == 0 && !progress_step(progress, i))
			return false;
		for (uint64_t slot = core_span_next(&r->spans, span, 0); slot < span->slots;
		     slot = core_span_next(&r->spans, span, slot + 1)) {
			core_object(&r->spans, span, slot, &record);
			sink->object(sink->self, &record);
		}
	}
	return true;
}

static void core_tell_thread(const struct core_runtime *rt, const struct sink *sink, uint64_t m,
                             uint64_t id, uint64_t os_id)
{
	struct os_thread_record record = {.offset = m ? memory_offset(&rt->memory, m) : ERR_NO_OFFSET,
	                                  .address = m,
	                                  .id = id,
	                                  .os_id = os_id};
	for (size_t i = 0; i < rt->memory.file.threads; i++)
		if (rt->memory.file.thread[i].id == os_id) {
			record.pc = rt->memory.file.thread[i].pc;
			record.sp = rt->memory.file.thread[i].sp;
		}
	sink->record(sink->self, RECORD_OS_THREAD, &record);
}

static void core_tell_threads(const struct core_runtime *rt, const struct sink *sink)
{
	/* The runtime's list begins with the newest thread; numbers count from 0. In a stripped
	   executable the list is not found: the threads of the core file are used instead. */
	uint64_t m = rt->allm, count = 0;
	for (; m && count < MOST_THREADS; count++)
		m = rt_field(rt, m, RT_M_ALLLINK);
	for (m = rt->allm; count--; m = rt_field(rt, m, RT_M_ALLLINK))
		core_tell_thread(rt, sink, m, count, rt_field(rt, m, RT_M_PROCID));
	for (size_t i = 0; !rt->allm && i < rt->memory.file.threads; i++)
		core_tell_thread(rt, sink, 0, i, rt->memory.file.thread[i].id);
}

static void core_tell_memstats(const struct core_runtime *rt, uint64_t profile_bytes,
                               const struct sink *sink)
{
	struct memstats_record record;
	core_memstats(rt, profile_bytes, &record);
	sink->record(sink->self, RECORD_MEMSTATS, &record);
}

static void core_tell_version(const struct core_runtime *rt, const struct sink *sink)
{
	char text[240];
	if (rt->has_debug_layout)
		snprintf(text, sizeof text,
		         "Go 1.%u is %s than the versions whose core files are known: this one is read as "
		         "the executable's debug information says, which may be wrong",
		         rt->layout.minor, rt->layout.minor < CORE_MINOR_FIRST ? "older" : "newer");
	else
		snprintf(text, sizeof text,
		         "Go 1.%u is newer than the versions whose core files are known: this one is read "
		         "as those of Go 1.%d are, which fits so far and may be wrong",
		         rt->layout.minor, CORE_MINOR_CHECKED);
	if (exe_version_doubt(rt->memory.exe))
		sink->notice(sink->self, ERR_NO_OFFSET, exe_version_doubt(rt->memory.exe));
	if (rt->tried)
		sink->notice(sink->self, ERR_NO_OFFSET, text);
}

static void core_tell_losses(const struct core_reader *r, const struct sink *sink)
{
	const struct core_file *file = &r->rt.memory.file;
	core_tell_version(&r->rt, sink);
	if (r->rt.others.sentence)
		sink->notice(sink->self, ERR_NO_OFFSET, r->rt.others.sentence);
	warn_number(sink, file->cut, file->size,
	            "bytes of memory are not in the core file, which is cut: what was there is lost");
	warn_number(sink, file->headers_lost, file->size,
	            "segments that the core file says it has are not read, as its list of them ends "
	            "before or is too long: memory is lost");
	warn_number(sink, r->spans.lost, ERR_NO_OFFSET,
	            "spans of the heap cannot be read: their objects are lost");
	warn_number(sink, r->spans.miscounted, ERR_NO_OFFSET,
	            "spans of the heap have another number of objects than they say");
	if (!file->threads)
		sink->warning(sink->self, ERR_NO_OFFSET,
		              "The core file tells of no threads: of goroutines that ran only what they "
		              "had saved before is known");
	warn_number(sink, file->notes_broken, ERR_NO_OFFSET,
	            "note of the core file is damaged: threads may be missing");
}

/* Checks invariants of spans. If many fail, the runtime's structs are not where they were expected,
   and all results would be wrong. A truncated core file only lacks parts. */
static bool core_check_spans(const struct core_reader *r, struct err *err)
{
	enum { MOST = 10 }; /* tolerates one of this many */
	const struct core_spans *spans = &r->spans;
	if (r->rt.memory.file.cut || spans->miscounted * MOST <= spans->settled)
		return true;
	return err_set(
		err,
		"%" PRIu64 " of %" PRIu64
		" spans of the heap have another number of objects than they say: the runtime of "
		"this program is not as that of its version, or the core file is damaged",
		spans->miscounted, spans->settled);
}

static void go_core_close(struct reader *reader)
{
	struct core_reader *r = (struct core_reader *)reader;
	if (!r)
		return;
	core_store_fini(&r->store);
	core_variables_fini(&r->variables);
	core_spans_fini(&r->spans);
	core_runtime_fini(&r->rt);
	free(r);
}

static struct reader *go_core_read(const struct format *format, const struct input *input,
                                   const struct sink *sink, struct progress *progress,
                                   struct err *err)
{
	struct core_reader *r = mem_alloc(sizeof *r);
	struct core_file file;
	(void)format;
	const char *exe = input->executable ? input->executable : getenv("GOHEAPX_EXE");
	if (!core_file_init(&file, input->data, input->size, err)) {
		free(r);
		return NULL;
	}
	file.redaction = input->redaction;
	if (!core_runtime_init(&r->rt, &file, input, exe && *exe ? exe : NULL, err)) {
		free(r);
		return NULL;
	}
	/* the very file that the process executes, whatever its build id */
	r->rt.proven |= exe && exe == input->process_executable;
	uint64_t cut = r->rt.memory.file.cut;
	progress_begin(progress, "reading spans", 0);
	core_tell_params(r, sink);
	core_variables_init(&r->variables, &r->rt);
	bool going = core_spans_init(&r->spans, &r->rt, progress);
	if (going && !core_check_spans(r, err)) {
		go_core_close((struct reader *)r);
		return NULL;
	}
	if (going && core_tell_objects(r, sink, progress)
	    && core_tell_goroutines(&r->rt, sink, &r->store, progress)) {
		core_tell_modules(&r->rt, sink);
		core_tell_roots(&r->spans, sink);
		core_tell_itabs(&r->rt, sink);
		core_tell_threads(&r->rt, sink);
		core_tell_memstats(
			&r->rt, core_tell_profile(&r->spans, sink, &r->store, &r->rt.profile_table), sink);
		core_tell_spans(&r->spans, sink);
		core_tell_losses(r, sink);
		if (!cut)
			sink->end(sink->self, input->size);
	}
	return (struct reader *)r;
}

static bool go_core_object(const struct reader *reader, uint64_t offset,
                           struct object_record *record)
{
	const struct core_reader *r = (const struct core_reader *)reader;
	const struct core_span *span = core_spans_at(&r->spans, offset);
	if (!span)
		return false;
	uint64_t slot = (offset - span->offset) / span->size;
	if (slot >= span->slots || !core_span_is_live(&r->spans, span, slot))
		return false;
	core_object(&r->spans, span, slot, record);
	return true;
}

static bool go_core_variables(const struct reader *reader, uint64_t address,
                              struct segment_record *segment)
{
	return core_variables_find(&((const struct core_reader *)reader)->variables, address, segment);
}

static const struct process_note *go_core_snapshot(const struct reader *reader)
{
	const struct process_note *own = &((const struct core_reader *)reader)->rt.memory.file.own;
	return own->pid ? own : NULL;
}

/* Returns the signal of a crash. The kernel writes the signaled thread first. Debuggers and goheapx
   also write core files, of processes that continue. */
static bool go_core_crash(const struct reader *reader, struct crash_note *crash)
{
	const struct core_file *file = &((const struct core_reader *)reader)->rt.memory.file;
	if (file->own.pid || !file->threads || !file->thread[0].signal)
		return false;
	const struct core_runtime *rt = &((const struct core_reader *)reader)->rt;
	*crash = (struct crash_note){file->thread[0].id, file->thread[0].signal, rt->fatal};
	return true;
}

static const struct wakers_note *go_core_wakers(const struct reader *reader)
{
	return &((const struct core_reader *)reader)->rt.wakers;
}

static bool go_core_resident(const struct reader *reader, uint64_t address, uint64_t bytes,
                             uint64_t *resident)
{
	return core_file_resident(&((const struct core_reader *)reader)->rt.memory.file, address, bytes,
	                          resident);
}

static bool go_core_malloc_chunks(const struct reader *reader, uint64_t address, uint64_t bytes,
                                  struct progress *progress, struct malloc_chunks *chunks)
{
	return core_malloc_count(&((const struct core_reader *)reader)->rt.memory, address,
	                         address + bytes, progress, chunks);
}

static const char *go_core_allocator(const struct reader *reader)
{
	return ((const struct core_reader *)reader)->rt.allocator;
}

static const char *go_core_unread(const struct reader *reader)
{
	return ((const struct core_reader *)reader)->rt.others.sentence;
}

static const char *go_core_other_runtime(const struct reader *reader, size_t number)
{
	const struct core_others *others = &((const struct core_reader *)reader)->rt.others;
	return number < others->count ? others->path[number] : NULL;
}

static struct format_executable go_core_executable(const struct reader *reader)
{
	const struct core_runtime *rt = &((const struct core_reader *)reader)->rt;
	return (struct format_executable){exe_path(rt->memory.exe), rt->memory.bias, rt->proven,
	                                  rt->plugins.module, rt->plugins.modules};
}

static void go_core_redact(const struct reader *reader, struct redaction *redaction)
{
	core_redact(&((const struct core_reader *)reader)->rt, redaction);
}

DEFINE_PLUGIN(formats, struct format, format_go_core) = {
	.rank = 100,
	.name = "go-core",
	.help = "Core file of a Go program, Go 1.17 and later, amd64 and arm64",
	.noun = "core file of a Go program",
	.runtime = &runtime_go,
	.probe = go_core_probe,
	.read = go_core_read,
	.object = go_core_object,
	.variables = go_core_variables,
	.snapshot = go_core_snapshot,
	.crash = go_core_crash,
	.wakers = go_core_wakers,
	.resident = go_core_resident,
	.malloc_chunks = go_core_malloc_chunks,
	.allocator = go_core_allocator,
	.unread = go_core_unread,
	.other_runtime = go_core_other_runtime,
	.executable = go_core_executable,
	.redact = go_core_redact,
	.close = go_core_close,
};
