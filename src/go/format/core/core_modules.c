#include "core_tell.h"

#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MODULES = 1 << 12 };

/* Passes data or bss of one module to the sink, with the mask that the runtime has built. */
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
		.data = start < end ? memory_peek(memory, start, end - start) : NULL,
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

/* Without the file of a plugin its functions, types and variables have no names. */
static void core_tell_plugins(const struct core_plugins *plugins, const struct sink *sink)
{
	SCOPED_BUF text = {0};
	if (!plugins->missing.len)
		return;
	text_add_number_of(&text, plugins->count, "plugin or shared library of Go is",
	                   "plugins or shared libraries of Go are");
	buf_addf(&text, " loaded. %s", buf_text(&plugins->missing));
	sink->notice(sink->self, ERR_NO_OFFSET, buf_text(&text));
}

void core_tell_modules(const struct core_runtime *rt, const struct sink *sink)
{
	uint64_t module = rt->module;
	for (unsigned i = 0; module && i < MOST_MODULES; i++) {
		core_tell_segment(rt, sink, module, false);
		core_tell_segment(rt, sink, module, true);
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
	core_tell_plugins(&rt->plugins, sink);
}

/* ---- Variables without pointers */

static void core_variables_add(struct core_variables *variables, size_t *capacity,
                               const struct core_memory *memory, uint64_t start, uint64_t end,
                               bool bss)
{
	const uint8_t *data = start && start < end ? memory_peek(memory, start, end - start) : NULL;
	if (!data)
		return;
	variables->segment =
		mem_grow(variables->segment, variables->count, capacity, sizeof *variables->segment);
	variables->segment[variables->count++] = (struct segment_record){
		.offset = memory_offset(memory, start),
		.address = start,
		.size = end - start,
		.data = data,
		.bss = bss,
	};
}

void core_variables_init(struct core_variables *variables, const struct core_runtime *rt)
{
	uint64_t module = rt->module;
	size_t capacity = 0;
	*variables = (struct core_variables){0};
	for (unsigned i = 0; module && i < MOST_MODULES; i++) {
		core_variables_add(variables, &capacity, &rt->memory,
		                   rt_field(rt, module, RT_MODULEDATA_NOPTRDATA),
		                   rt_field(rt, module, RT_MODULEDATA_ENOPTRDATA), false);
		core_variables_add(variables, &capacity, &rt->memory,
		                   rt_field(rt, module, RT_MODULEDATA_NOPTRBSS),
		                   rt_field(rt, module, RT_MODULEDATA_END), true);
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
}

void core_variables_fini(struct core_variables *variables)
{
	free(variables->segment);
}

bool core_variables_find(const struct core_variables *variables, uint64_t address,
                         struct segment_record *segment)
{
	for (size_t i = 0; i < variables->count; i++) {
		*segment = variables->segment[i];
		if (address - segment->address < segment->size)
			return true;
	}
	return false;
}

/* ---- Interface tables */

static void core_tell_itab(const struct core_runtime *rt, const struct sink *sink, uint64_t itab)
{
	const struct itab_record record = {.offset = memory_offset(&rt->memory, itab),
	                                   .address = itab,
	                                   .type = memory_word(&rt->memory, itab + 8)};
	if (record.type)
		sink->record(sink->self, RECORD_ITAB, &record);
}

/* Passes the itabs of Go 1.27 and later, which are consecutive after the types. */
static void tell_row_of_itabs(const struct core_runtime *rt, const struct sink *sink)
{
	/* number of methods in abi.InterfaceType; size of abi.ITab without methods */
	enum { METHODS = 64, FIXED = 24 };
	uint64_t types = rt_field(rt, rt->module, RT_MODULEDATA_TYPES);
	uint64_t end = rt_field(rt, rt->module, RT_MODULEDATA_ETYPES);
	uint64_t at = types + rt_field(rt, rt->module, RT_MODULEDATA_ITABOFFSET);
	while (at >= types && at < end && end - at >= FIXED + 8) {
		uint64_t methods = memory_word(&rt->memory, memory_word(&rt->memory, at) + METHODS);
		core_tell_itab(rt, sink, at);
		if (methods > (end - at) / 8)
			break;
		at += FIXED + 8 * (methods ? methods : 1);
	}
}

void core_tell_itabs(const struct core_runtime *rt, const struct sink *sink)
{
	/* fields of itabTableType: size, count, entries */
	uint64_t size = rt->itab_table ? memory_word(&rt->memory, rt->itab_table) : 0;
	if (size > rt->memory.file.size / 8)
		size = 0;
	for (uint64_t i = 0; i < size; i++) {
		uint64_t itab = memory_word(&rt->memory, rt->itab_table + 16 + i * 8);
		if (itab)
			core_tell_itab(rt, sink, itab);
	}
	/* Without the table only itabs made by the linker are found. */
	if (!size && rt_place(rt, rt->module, RT_MODULEDATA_ITABLINKS)) {
		struct memory_slice links =
			memory_slice(&rt->memory, rt_place(rt, rt->module, RT_MODULEDATA_ITABLINKS), 8);
		for (uint64_t i = 0; i < links.count; i++)
			core_tell_itab(rt, sink, memory_word(&rt->memory, links.address + i * 8));
	} else if (!size && rt_place(rt, rt->module, RT_MODULEDATA_ITABOFFSET))
		tell_row_of_itabs(rt, sink);
}
