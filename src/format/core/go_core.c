/* Core files of Go programs, as a format: their memory is the dump, and is read where it lies. */
#include "core_spans.h"
#include "core_stacks.h"
#include "format/format.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 1 << 10, MOST_MODULES = 1 << 12, MOST_BLOCKS = 1 << 20 };

struct core_reader {
	struct core_runtime rt;
	struct core_spans spans;
	struct core_store store;
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
	const struct params_record params = {
		.layout = {.pointer_size = 8},
		.pointer_size = 8,
		.arch = rt->arm64 ? (struct text){"arm64", 5} : (struct text){"amd64", 5},
		.version = {version, strcspn(version, " ")},
	};
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

/* Data or bss of one module, with the mask that the runtime made of it. */
static void core_tell_segment(const struct core_runtime *rt, const struct sink *sink,
                              uint64_t module, bool bss)
{
	const struct core_memory *memory = &rt->memory;
	uint64_t start = rt_field(rt, module, bss ? RT_MODULEDATA_BSS : RT_MODULEDATA_DATA);
	uint64_t end = rt_field(rt, module, bss ? RT_MODULEDATA_EBSS : RT_MODULEDATA_EDATA);
	uint64_t mask = rt_place(rt, module, bss ? RT_MODULEDATA_GCBSSMASK : RT_MODULEDATA_GCDATAMASK);
	uint64_t bits = 0;
	memory_number(memory, mask, 4, &bits);
	struct segment_record record = {
		.offset = memory_offset(memory, start),
		.address = start,
		.bss = bss,
		.data = start < end ? memory_at(memory, start, end - start) : NULL,
	};
	if (start >= end)
		return;
	record.size = record.data ? end - start : 0;
	bool fits = bits == (end - start) / 8;
	fields_of_mask(&record.fields, fits ? FIELDS_BITS : FIELDS_EVERY, record.size / 8);
	record.fields.pointers = UINT32_MAX;
	record.fields.at = memory_at(memory, memory_word(memory, mask + 8), (bits + 7) / 8);
	if (fits && !record.fields.at)
		record.fields.mask = FIELDS_EVERY;
	if (!record.data || record.fields.mask == FIELDS_EVERY)
		sink->warning(sink->self, record.offset,
		              record.data ? "The mask of the variables is damaged: every word counts as a "
		                            "pointer"
		                          : "The variables of the program are not in the core file");
	sink->record(sink->self, bss ? RECORD_BSS : RECORD_DATA, &record);
}

static void core_tell_modules(const struct core_runtime *rt, const struct sink *sink)
{
	uint64_t module = rt->module;
	for (unsigned i = 0; module && i < MOST_MODULES; i++) {
		core_tell_segment(rt, sink, module, false);
		core_tell_segment(rt, sink, module, true);
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
}

/* ---- Finalizers, cleanups, weak handles */

struct specials {
	const struct core_runtime *rt;
	const struct core_spans *spans;
	const struct core_span *span;
	const struct sink *sink;
};

static void core_tell_finalizer(const struct specials *s, uint64_t object, uint64_t at)
{
	const struct core_runtime *rt = s->rt;
	uint64_t function = memory_word(&rt->memory, rt_place(rt, at, RT_SPECIALFINALIZER_FN));
	const struct finalizer_record record = {
		.offset = memory_offset(&rt->memory, at),
		.object = object,
		.function = function,
		.entry_pc = memory_word(&rt->memory, function),
		.argument_type = rt_field(rt, at, RT_SPECIALFINALIZER_FINT),
		.object_type = rt_field(rt, at, RT_SPECIALFINALIZER_OT),
	};
	s->sink->record(s->sink->self, RECORD_FINALIZER, &record);
}

static void core_tell_root(const struct core_runtime *rt, const struct sink *sink, uint64_t at,
                           const char *what, uint64_t target)
{
	const struct otherroot_record record = {
		.offset = memory_offset(&rt->memory, at), .what = {what, strlen(what)}, .target = target};
	if (target)
		sink->record(sink->self, RECORD_OTHERROOT, &record);
}

static void core_tell_cleanup(const struct core_runtime *rt, const struct sink *sink, uint64_t at)
{
	uint64_t function = rt_field(rt, at, RT_SPECIALCLEANUP_FN);
	uint64_t cleanup = rt_place(rt, at, RT_SPECIALCLEANUP_CLEANUP);
	core_tell_root(rt, sink, at, "cleanup", function);
	for (unsigned word = 0; cleanup && word < 3; word++)
		core_tell_root(rt, sink, at, "cleanup", memory_word(&rt->memory, cleanup + word * 8));
}

static void core_tell_special(void *self, const struct core_special *special)
{
	const struct specials *s = self;
	uint64_t at = special->structure;
	if (special->kind == SPECIAL_FINALIZER)
		core_tell_finalizer(s, special->object, at);
	else if (special->kind == SPECIAL_CLEANUP)
		core_tell_cleanup(s->rt, s->sink, at);
	else if (special->kind == SPECIAL_WEAK_HANDLE)
		core_tell_root(s->rt, s->sink, at, "weak handle",
		               rt_field(s->rt, at, RT_SPECIALWEAKHANDLE_HANDLE));
}

static void core_tell_specials(const struct core_reader *r, const struct sink *sink)
{
	struct specials specials = {&r->rt, &r->spans, NULL, sink};
	for (size_t i = 0; i < r->spans.count; i++) {
		specials.span = &r->spans.span[i];
		core_span_specials(&r->rt, specials.span, core_tell_special, &specials);
	}
}

/* Blocks of finalizers that wait to be run (runtime/mfinal.go: finBlock). */
static void core_tell_queue(const struct core_runtime *rt, const struct sink *sink)
{
	enum { COUNT = 16, FIRST = 24, ENTRY = 40, MOST = 101 };
	uint64_t block = rt->allfin ? memory_word(&rt->memory, rt->allfin) : 0, count;
	for (unsigned i = 0; block && i < MOST_BLOCKS; i++) {
		memory_number(&rt->memory, block + COUNT, 4, &count);
		for (uint64_t n = 0; n < count && n < MOST; n++) {
			uint64_t at = block + FIRST + n * ENTRY, function = memory_word(&rt->memory, at);
			const struct finalizer_record record = {
				.offset = memory_offset(&rt->memory, at),
				.object = memory_word(&rt->memory, at + 8),
				.function = function,
				.entry_pc = memory_word(&rt->memory, function),
				.argument_type = memory_word(&rt->memory, at + 24),
				.object_type = memory_word(&rt->memory, at + 32),
				.queued = true,
			};
			sink->record(sink->self, RECORD_QUEUED_FINALIZER, &record);
		}
		block = memory_word(&rt->memory, block);
	}
}

/* ---- Interface tables, threads */

static void core_tell_itab(const struct core_runtime *rt, const struct sink *sink, uint64_t itab)
{
	const struct itab_record record = {.offset = memory_offset(&rt->memory, itab),
	                                   .address = itab,
	                                   .type = memory_word(&rt->memory, itab + 8)};
	if (record.type)
		sink->record(sink->self, RECORD_ITAB, &record);
}

static void core_tell_itabs(const struct core_runtime *rt, const struct sink *sink)
{
	/* itabTableType: size, count, entries */
	uint64_t size = rt->itab_table ? memory_word(&rt->memory, rt->itab_table) : 0;
	if (size > rt->memory.file.size / 8)
		size = 0;
	for (uint64_t i = 0; i < size; i++) {
		uint64_t itab = memory_word(&rt->memory, rt->itab_table + 16 + i * 8);
		if (itab)
			core_tell_itab(rt, sink, itab);
	}
	if (size || rt_place(rt, rt->module, RT_MODULEDATA_ITABLINKS) == 0)
		return;
	struct memory_slice links =
		memory_slice(&rt->memory, rt_place(rt, rt->module, RT_MODULEDATA_ITABLINKS), 8);
	for (uint64_t i = 0; i < links.count; i++)
		core_tell_itab(rt, sink, memory_word(&rt->memory, links.address + i * 8));
}

static void core_tell_thread(const struct core_runtime *rt, const struct sink *sink, uint64_t m,
                             uint64_t id, uint64_t os_id)
{
	const struct thread_record record = {.offset = m ? memory_offset(&rt->memory, m)
	                                                 : ERR_NO_OFFSET,
	                                     .address = m,
	                                     .id = id,
	                                     .os_id = os_id};
	sink->record(sink->self, RECORD_THREAD, &record);
}

static void core_tell_threads(const struct core_runtime *rt, const struct sink *sink)
{
	/* The runtime's list begins with the newest; they are numbered from 0 on. Of a stripped
	   executable it is not found: the core file's own threads are told. */
	uint64_t m = rt->allm, count = 0;
	for (; m && count < MOST_BLOCKS; count++)
		m = rt_field(rt, m, RT_M_ALLLINK);
	for (m = rt->allm; count--; m = rt_field(rt, m, RT_M_ALLLINK))
		core_tell_thread(rt, sink, m, count, rt_field(rt, m, RT_M_PROCID));
	for (size_t i = 0; !rt->allm && i < rt->memory.file.threads; i++)
		core_tell_thread(rt, sink, 0, i, rt->memory.file.thread[i].id);
}

static void core_tell_losses(const struct core_reader *r, const struct sink *sink)
{
	const struct core_file *file = &r->rt.memory.file;
	warn_number(sink, file->cut, file->size,
	            "bytes of memory are not in the core file, which is cut: what was there is lost");
	warn_number(sink, r->spans.lost, ERR_NO_OFFSET,
	            "spans of the heap cannot be read: their objects are lost");
	warn_number(sink, r->spans.odd, ERR_NO_OFFSET,
	            "spans of the heap have another number of objects than they say");
	warn_number(sink, file->notes_broken, ERR_NO_OFFSET,
	            "note of the core file is damaged: threads may be missing");
}

static void go_core_close(struct reader *reader)
{
	struct core_reader *r = (struct core_reader *)reader;
	if (!r)
		return;
	core_store_fini(&r->store);
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
	if (!core_file_init(&file, input->data, input->size, err)
	    || !core_runtime_init(&r->rt, &file, input->path, input->filter, exe && *exe ? exe : NULL,
	                          err)) {
		free(r);
		return NULL;
	}
	uint64_t cut = r->rt.memory.file.cut;
	progress_begin(progress, "reading spans", 0);
	core_tell_params(r, sink);
	if (core_spans_init(&r->spans, &r->rt, progress) && core_tell_objects(r, sink, progress)
	    && core_tell_goroutines(&r->rt, sink, &r->store, progress)) {
		core_tell_modules(&r->rt, sink);
		core_tell_specials(r, sink);
		core_tell_queue(&r->rt, sink);
		core_tell_itabs(&r->rt, sink);
		core_tell_threads(&r->rt, sink);
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

static const char *go_core_executable(const struct reader *reader)
{
	return exe_path(((const struct core_reader *)reader)->rt.memory.exe);
}

static const struct format format_go_core = {
	.rank = 100,
	.name = "go-core",
	.help = "Core file of a Go program, Go 1.17 to 1.27, amd64 and arm64",
	.noun = "core file of a Go program",
	.has = HAS_GO,
	.probe = go_core_probe,
	.read = go_core_read,
	.object = go_core_object,
	.executable = go_core_executable,
	.close = go_core_close,
};

PLUGIN(formats, format_go_core);
