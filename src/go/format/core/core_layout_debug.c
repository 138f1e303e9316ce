/* Field offsets from the executable's debug information. */
#include "core_layout.h"

#include "go/exe/debug_places.h"

static const struct {
	const char *of, *name;
} core_fields[RT_COUNT] = {
#define CORE_FIELD(name, of, field) {of, field},
#include "core_fields.def"
#undef CORE_FIELD
};

bool core_layout_ask(struct core_layout *layout, const struct image *image)
{
	struct debug_place places[RT_COUNT];
	for (size_t i = 0; i < RT_COUNT; i++)
		places[i] = (struct debug_place){.of = core_fields[i].of, .name = core_fields[i].name};
	if (!debug_places_find(image, "runtime", places, RT_COUNT))
		return false;
	for (size_t i = 0; i < RT_COUNT; i++) {
		uint64_t size = places[i].size;
		if (!places[i].found || places[i].offset >= RT_NONE) {
			/* A field that a newer version has no longer must not come from the table. */
			if (core_fields[i].of && layout->minor > CORE_MINOR_CHECKED)
				layout->offset[i] = RT_NONE;
			continue;
		}
		layout->offset[i] = (uint32_t)places[i].offset;
		/* Of a struct, array or slice the first word is read, of a constant nothing. */
		if (core_fields[i].of)
			layout->size[i] = size == 1 || size == 2 || size == 4 ? (uint8_t)size : 8;
	}
	return true;
}

bool core_layout_suffices(const struct core_layout *layout, struct err *err)
{
	/* Fields required to read anything. Without others some data is missing. */
	static const enum core_field needed[] = {
		RT_MSPAN_STARTADDR,
		RT_MSPAN_NPAGES,
		RT_MSPAN_ELEMSIZE,
		RT_MSPAN_NELEMS,
		RT_MSPAN_FREEINDEX,
		RT_MSPAN_ALLOCBITS,
		RT_MSPAN_GCMARKBITS,
		RT_MSPAN_SWEEPGEN,
		RT_MSPAN_SPANCLASS,
		RT_MSPAN_STATE,
		RT_MSPAN_SPECIALS,
		RT_MHEAP_SWEEPGEN,
		RT_MHEAP_ALLSPANS,
		RT_MHEAP_ARENAS,
		RT_HEAPARENA_SPANS,
		RT_G_SIZEOF,
		RT_G_STACK,
		RT_G_SCHED,
		RT_G_ATOMICSTATUS,
		RT_G_GOID,
		RT_G_SYSCALLSP,
		RT_G_SYSCALLPC,
		RT_GOBUF_SP,
		RT_GOBUF_PC,
		RT_MODULEDATA_DATA,
		RT_MODULEDATA_EDATA,
		RT_MODULEDATA_BSS,
		RT_MODULEDATA_EBSS,
		RT_MODULEDATA_GCDATAMASK,
		RT_MODULEDATA_GCBSSMASK,
	};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		const char *name = core_fields[needed[i]].name;
		if (layout->offset[needed[i]] == RT_NONE)
			return err_set(
				err,
				"Core files of programs of Go 1.%u cannot be read: it does without %s%s%s. "
				"debug.WriteHeapDump writes heap dumps with every version",
				layout->minor, core_fields[needed[i]].of, name ? "." : "", name ? name : "");
	}
	return true;
}
