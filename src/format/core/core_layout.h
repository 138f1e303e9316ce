/* Where the fields of the runtime's structures are, Go 1.17 to 1.27, 64 bits: as the debug
   information of programs built by each version says. */
#ifndef FORMAT_CORE_LAYOUT_H
#define FORMAT_CORE_LAYOUT_H

#include "core_memory.h"

enum core_field {
	RT_MSPAN_SIZEOF,
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
	RT_MSPAN_ALLOCCOUNT,
	RT_MSPAN_SPECIALS,
	RT_MSPAN_LARGETYPE,
	RT_MHEAP_SWEEPGEN,
	RT_MHEAP_ALLSPANS,
	RT_MHEAP_ARENAS,
	RT_HEAPARENA_BITMAP,
	RT_HEAPARENA_NOMOREPTRS,
	RT_HEAPARENA_SPANS,
	RT_HEAPARENA_PAGEUSESPANINLINEMARKBITS,
	RT_G_SIZEOF,
	RT_G_STACK,
	RT_G_PANIC,
	RT_G_DEFER,
	RT_G_M,
	RT_G_SCHED,
	RT_G_SYSCALLSP,
	RT_G_SYSCALLPC,
	RT_G_ATOMICSTATUS,
	RT_G_GOID,
	RT_G_WAITSINCE,
	RT_G_WAITREASON,
	RT_G_GOPC,
	RT_G_STARTPC,
	RT_GOBUF_SP,
	RT_GOBUF_PC,
	RT_GOBUF_CTXT,
	RT_M_G0,
	RT_M_GSIGNAL,
	RT_M_PROCID,
	RT_M_CURG,
	RT_M_ALLLINK,
	RT_SPECIAL_NEXT,
	RT_SPECIAL_OFFSET,
	RT_SPECIAL_KIND,
	RT_SPECIALFINALIZER_FN,
	RT_SPECIALFINALIZER_FINT,
	RT_SPECIALFINALIZER_OT,
	RT_SPECIALCLEANUP_FN,
	RT_SPECIALCLEANUP_CLEANUP,
	RT_SPECIALWEAKHANDLE_HANDLE,
	RT_SPECIALPROFILE_B,
	RT_MODULEDATA_TEXT,
	RT_MODULEDATA_ETEXT,
	RT_MODULEDATA_NOPTRDATA,
	RT_MODULEDATA_DATA,
	RT_MODULEDATA_EDATA,
	RT_MODULEDATA_BSS,
	RT_MODULEDATA_EBSS,
	RT_MODULEDATA_NOPTRBSS,
	RT_MODULEDATA_END,
	RT_MODULEDATA_TYPES,
	RT_MODULEDATA_RODATA,
	RT_MODULEDATA_GOFUNC,
	RT_MODULEDATA_ITABLINKS,
	RT_MODULEDATA_ITABOFFSET,
	RT_MODULEDATA_GCDATAMASK,
	RT_MODULEDATA_GCBSSMASK,
	RT_MODULEDATA_NEXT,
	RT_DEFER_SP,
	RT_DEFER_PC,
	RT_DEFER_FN,
	RT_DEFER_LINK,
	RT_PANIC_ARG,
	RT_PANIC_LINK,
	RT_COUNT
};

enum { CORE_MINOR_FIRST = 17, CORE_MINOR_LAST = 27 };
#define RT_NONE UINT32_MAX

struct core_layout {
	unsigned minor;            /* 24 of Go 1.24 */
	uint32_t offset[RT_COUNT]; /* RT_NONE: this version has no such field */
	uint8_t size[RT_COUNT];
};

/* Of a version between the first and the last. */
void core_layout_init(struct core_layout *layout, unsigned minor, bool arm64);

/* A field of the structure at an address; 0 where there is no such field or memory. */
uint64_t core_field(const struct core_memory *memory, const struct core_layout *layout,
                    uint64_t structure, enum core_field field);
/* The address of a field; 0 where this version has none. */
static inline uint64_t core_place(const struct core_layout *layout, uint64_t structure,
                                  enum core_field field)
{
	return layout->offset[field] == RT_NONE ? 0 : structure + layout->offset[field];
}

#endif
