#include "core_tell.h"

#include "core_queues.h"
#include "core_specials.h"

#include <string.h>

struct telling {
	const struct core_runtime *rt;
	const struct sink *sink;
};

static void tell_held(const struct telling *t, struct otherroot_record record, const char *what,
                      uint64_t target)
{
	record.what = (struct text){what, strlen(what)};
	record.target = target;
	if (target)
		t->sink->record(t->sink->self, RECORD_OTHERROOT, &record);
}

static void tell_finalizer(const struct telling *t, const struct core_special *special)
{
	const struct core_runtime *rt = t->rt;
	uint64_t at = special->structure, function = rt_field(rt, at, RT_SPECIALFINALIZER_FN);
	const struct finalizer_record record = {
		.offset = memory_offset(&rt->memory, at),
		.object = special->object,
		.function = function,
		.entry_pc = memory_word(&rt->memory, function),
		.argument_type = rt_field(rt, at, RT_SPECIALFINALIZER_FINT),
		.object_type = rt_field(rt, at, RT_SPECIALFINALIZER_OT),
	};
	t->sink->record(t->sink->self, RECORD_FINALIZER, &record);
}

/* Returns the entry of the function passed to runtime.AddCleanup; 0: only the closure that calls it
   is known. */
static uint64_t cleanup_entry(const struct core_runtime *rt, uint64_t at)
{
	enum { FUNCTION = 8 /* offset in runtime.cleanupFn */ };
	if (!at || core_cleanup_words(rt) == 1)
		return 0;
	return memory_word(&rt->memory, memory_word(&rt->memory, at + FUNCTION));
}

static void tell_cleanup(const struct telling *t, uint64_t object, uint64_t at)
{
	const struct core_memory *memory = &t->rt->memory;
	const struct otherroot_record record = {.offset = memory_offset(memory, at),
	                                        .role = OTHERROOT_CLEANUP,
	                                        .object = object,
	                                        .entry_pc = cleanup_entry(t->rt, at)};
	const char *what = object ? "cleanup" : "queued cleanup";
	for (unsigned word = 0; at && word < core_cleanup_words(t->rt); word++)
		tell_held(t, record, what, memory_word(memory, at + word * 8));
}

static void tell_special(void *self, const struct core_special *special)
{
	const struct telling *t = self;
	const struct core_runtime *rt = t->rt;
	uint64_t at = special->structure, cleanup = rt_place(rt, at, RT_SPECIALCLEANUP_CLEANUP);
	const struct otherroot_record weak = {.offset = memory_offset(&rt->memory, at),
	                                      .role = OTHERROOT_WEAK_HANDLE,
	                                      .object = special->object};
	if (special->kind == SPECIAL_FINALIZER)
		tell_finalizer(t, special);
	else if (special->kind == SPECIAL_CLEANUP)
		tell_cleanup(t, special->object,
		             cleanup ? cleanup : rt_place(rt, at, RT_SPECIALCLEANUP_FN));
	else if (special->kind == SPECIAL_WEAK_HANDLE)
		tell_held(t, weak, "weak handle", rt_field(rt, at, RT_SPECIALWEAKHANDLE_HANDLE));
}

/* Passes queued finalizers to the sink (runtime/mfinal.go: finBlock). */
static void tell_queued_finalizers(const struct telling *t)
{
	const struct core_memory *memory = &t->rt->memory;
	uint64_t block = t->rt->finalizers, count;
	for (unsigned i = 0; block && i < MOST_BLOCKS; i++) {
		memory_number(memory, block + FINBLOCK_COUNT, 4, &count);
		for (uint64_t n = 0; n < count && n < FINBLOCK_MOST; n++) {
			uint64_t at = block + FINBLOCK_FIRST + n * FINALIZER_SIZEOF,
					 function = memory_word(memory, at);
			const struct finalizer_record record = {
				.offset = memory_offset(memory, at),
				.object = memory_word(memory, at + FINALIZER_ARG),
				.function = function,
				.entry_pc = memory_word(memory, function),
				.argument_type = memory_word(memory, at + FINALIZER_FINT),
				.object_type = memory_word(memory, at + FINALIZER_OT),
				.queued = true,
			};
			t->sink->record(t->sink->self, RECORD_QUEUED_FINALIZER, &record);
		}
		block = memory_word(memory, block);
	}
}

/* Passes queued cleanups to the sink, since Go 1.25 (runtime/mcleanup.go: cleanupBlock). */
static void tell_queued_cleanups(const struct telling *t)
{
	const struct core_runtime *rt = t->rt;
	unsigned words = core_cleanup_words(rt);
	uint64_t block = rt->cleanups;
	for (unsigned i = 0; block && i < MOST_BLOCKS; i++) {
		uint64_t count = rt_field(rt, block, RT_CLEANUPBLOCKHEADER_N);
		uint64_t first = rt_place(rt, block, RT_CLEANUPBLOCK_CLEANUPS);
		for (uint64_t n = 0; n < count && n < CLEANUPBLOCK_WORDS / words; n++)
			tell_cleanup(t, 0, first + n * words * 8);
		block = rt_field(rt, block, RT_CLEANUPBLOCKHEADER_ALLLINK);
	}
}

void core_tell_roots(const struct core_spans *spans, const struct sink *sink)
{
	struct telling telling = {spans->rt, sink};
	for (size_t i = 0; i < spans->count; i++)
		core_span_specials(spans->rt, &spans->span[i], tell_special, &telling);
	tell_queued_finalizers(&telling);
	tell_queued_cleanups(&telling);
}
