#include "core_layout.h"

enum { LAYOUT_CHANGES = 9 }; /* of one field */

/* Where a field is since each minor version of Go that changed it: its offset and the bytes to
   read. A release that changes nothing needs no entry. */
#define GONE RT_NONE, 0
static const struct {
	uint16_t field;
	struct {
		uint8_t since; /* 0 behind the last one */
		uint32_t offset;
		uint8_t size;
	} place[LAYOUT_CHANGES];
} rows[] = {
	{RT_MSPAN_SIZEOF, {{17, 136, 8}, {19, 144, 8}, {20, 160, 8}, {21, 168, 8}, {22, 160, 8}}},
	{RT_MSPAN_STARTADDR, {{17, 24, 8}}},
	{RT_MSPAN_NPAGES, {{17, 32, 8}}},
	{RT_MSPAN_ELEMSIZE, {{17, 104, 8}, {21, 112, 8}, {22, 104, 8}}},
	{RT_MSPAN_NELEMS, {{17, 56, 8}, {22, 50, 2}}},
	{RT_MSPAN_FREEINDEX, {{17, 48, 8}, {22, 48, 2}}},
	/* Late releases of 1.19 have it, too, but only debug information says which. */
	{RT_MSPAN_FREEINDEXFORSCAN, {{20, 152, 8}, {21, 160, 8}, {22, 52, 2}}},
	{RT_MSPAN_ALLOCBITS, {{17, 72, 8}, {22, 64, 8}}},
	{RT_MSPAN_GCMARKBITS, {{17, 80, 8}, {22, 72, 8}}},
	{RT_MSPAN_SWEEPGEN, {{17, 88, 4}, {21, 96, 4}, {22, 88, 4}}},
	{RT_MSPAN_SPANCLASS, {{17, 98, 1}, {21, 106, 1}, {22, 98, 1}}},
	{RT_MSPAN_STATE, {{17, 99, 1}, {21, 107, 1}, {22, 99, 1}}},
	{RT_MSPAN_ALLOCCOUNT, {{17, 96, 2}, {21, 104, 2}, {22, 96, 2}}},
	{RT_MSPAN_SPECIALS, {{17, 128, 8}, {21, 136, 8}, {22, 128, 8}}},
	{RT_MSPAN_LARGETYPE, {{22, 152, 8}}},
	{RT_MHEAP_SWEEPGEN,
     {{17, 65832, 4}, {18, 65840, 4}, {19, 65848, 4}, {20, 65816, 4}, {21, 65856, 4}}},
	{RT_MHEAP_ALLSPANS, {{17, 65848, 8}, {19, 65856, 8}, {20, 65824, 8}, {21, 65864, 8}}},
	{RT_MHEAP_ARENAS,
     {{17, 65944, 8}, {18, 65936, 8}, {20, 65904, 8}, {21, 65944, 8}, {22, 66008, 8}}},
	{RT_MHEAP_PAGES, {{17, 8, 8}, {19, 16, 8}, {20, 8, 8}}},
	{RT_PAGEALLOC_SUMMARY, {{17, 0, 8}}},
	/* Not known for 1.17, 1.18 and 1.20. */
	{RT_PAGEALLOC_SCAV, {{19, 65728, 8}, {20, GONE}, {21, 65720, 8}}},
	{RT_SCAVENGEINDEX_CHUNKS, {{19, 8, 8}, {21, 0, 8}}},
	{RT_PAGEALLOC_CHUNKS, {{17, 120, 8}}},
	{RT_PAGEALLOC_INUSE, {{17, 65680, 8}}},
	{RT_HEAPARENA_BITMAP, {{17, 0, 8}, {22, GONE}}},
	{RT_HEAPARENA_NOMOREPTRS, {{20, 1048576, 8}, {22, GONE}}},
	{RT_HEAPARENA_SPANS, {{17, 2097152, 8}, {20, 1064960, 8}, {22, 0, 8}}},
	{RT_HEAPARENA_PAGEUSESPANINLINEMARKBITS, {{25, 68608, 8}}},
	{RT_G_SIZEOF,
     {{17, 392, 8}, {21, 408, 8}, {22, 424, 8}, {23, 432, 8}, {24, 440, 8}, {26, 456, 8}}},
	{RT_G_STACK, {{17, 0, 8}}},
	{RT_G_PANIC, {{17, 32, 8}}},
	{RT_G_DEFER, {{17, 40, 8}}},
	{RT_G_M, {{17, 48, 8}}},
	{RT_G_SCHED, {{17, 56, 8}}},
	{RT_G_SYSCALLSP, {{17, 112, 8}, {25, 104, 8}}},
	{RT_G_SYSCALLPC, {{17, 120, 8}, {25, 112, 8}}},
	{RT_G_ATOMICSTATUS, {{17, 144, 4}, {23, 152, 4}, {25, 144, 4}}},
	{RT_G_GOID, {{17, 152, 8}, {23, 160, 8}, {25, 152, 8}}},
	{RT_G_WAITSINCE, {{17, 168, 8}, {23, 176, 8}, {25, 168, 8}}},
	{RT_G_WAITREASON, {{17, 176, 1}, {23, 184, 1}, {25, 176, 1}}},
	{RT_G_GOPC, {{17, 296, 8}, {21, 280, 8}, {23, 288, 8}, {25, 280, 8}, {26, 288, 8}}},
	{RT_G_STARTPC, {{17, 312, 8}, {21, 296, 8}, {23, 304, 8}, {25, 296, 8}, {26, 304, 8}}},
	{RT_GOBUF_SP, {{17, 0, 8}}},
	{RT_GOBUF_PC, {{17, 8, 8}}},
	{RT_GOBUF_CTXT, {{17, 24, 8}}},
	{RT_M_GSIGNAL, {{17, 80, 8}, {25, 72, 8}}},
	{RT_M_PROCID, {{17, 72, 8}, {25, 64, 8}}},
	/* Not known for 1.17, 1.18, 1.20 and 1.25. */
	{RT_M_VDSOSP,
     {{19, 800, 8},
      {20, GONE},
      {21, 808, 8},
      {22, 1120, 8},
      {23, 856, 8},
      {24, 880, 8},
      {25, GONE},
      {26, 896, 8}}},
	{RT_M_VDSOPC,
     {{19, 808, 8},
      {20, GONE},
      {21, 816, 8},
      {22, 1128, 8},
      {23, 864, 8},
      {24, 888, 8},
      {25, GONE},
      {26, 904, 8}}},
	{RT_M_ALLLINK, {{17, 344, 8}, {18, 336, 8}, {22, 328, 8}, {25, 344, 8}, {26, 352, 8}}},
	{RT_P_ID, {{17, 0, 4}}},
	{RT_P_STATUS, {{17, 4, 4}}},
	{RT_P_MCACHE, {{17, 64, 8}, {23, 56, 8}}},
	{RT_P_PCACHE, {{17, 72, 8}, {23, 64, 8}}},
	/* Not known for 1.17, 1.18 and 1.20. */
	{RT_P_TIMERS,
     {{19, 8840, 8},
      {20, GONE},
      {21, 8840, 8},
      {22, 8872, 8},
      {23, 8840, 8},
      {25, 9392, 8},
      {26, 13672, 8}}},
	{RT_P_NUMTIMERS, {{19, 8864, 4}, {20, GONE}, {21, 8864, 4}, {22, 8896, 4}, {23, GONE}}},
	{RT_TIMERS_HEAP, {{23, 8, 8}}},
	{RT_TIMERS_LEN, {{23, 32, 4}}},
	{RT_TIMER_WHEN, {{17, 8, 8}, {23, 16, 8}, {25, 24, 8}}},
	{RT_TIMER_F, {{17, 24, 8}, {23, 32, 8}, {25, 40, 8}}},
	{RT_TIMER_ARG, {{17, 32, 8}, {23, 40, 8}, {25, 48, 8}}},
	{RT_TIMER_STATUS, {{17, 64, 4}, {23, GONE}}},
	{RT_SPECIAL_NEXT, {{17, 0, 8}}},
	{RT_SPECIAL_OFFSET, {{17, 8, 2}, {24, 8, 8}}},
	{RT_SPECIAL_KIND, {{17, 10, 1}, {24, 16, 1}}},
	{RT_SPECIALFINALIZER_FN, {{17, 16, 8}, {24, 24, 8}}},
	{RT_SPECIALFINALIZER_FINT, {{17, 32, 8}, {24, 40, 8}}},
	{RT_SPECIALFINALIZER_OT, {{17, 40, 8}, {24, 48, 8}}},
	{RT_SPECIALCLEANUP_FN, {{24, 24, 8}, {26, GONE}}},
	{RT_SPECIALCLEANUP_CLEANUP, {{26, 24, 8}}},
	{RT_CLEANUPQUEUE_ALL, {{25, 128, 8}}},
	{RT_CLEANUPBLOCKHEADER_ALLLINK, {{25, 16, 8}}},
	{RT_CLEANUPBLOCKHEADER_N, {{25, 24, 4}}},
	{RT_CLEANUPBLOCK_CLEANUPS, {{25, 32, 8}}},
	{RT_SPECIALWEAKHANDLE_HANDLE, {{23, 16, 8}, {24, 24, 8}}},
	{RT_SPECIALPROFILE_B, {{17, 16, 8}, {24, 24, 8}}},
	{RT_MODULEDATA_TEXT, {{17, 176, 8}}},
	{RT_MODULEDATA_ETEXT, {{17, 184, 8}}},
	{RT_MODULEDATA_NOPTRDATA, {{17, 192, 8}}},
	{RT_MODULEDATA_ENOPTRDATA, {{17, 200, 8}}},
	{RT_MODULEDATA_DATA, {{17, 208, 8}}},
	{RT_MODULEDATA_EDATA, {{17, 216, 8}}},
	{RT_MODULEDATA_BSS, {{17, 224, 8}}},
	{RT_MODULEDATA_EBSS, {{17, 232, 8}}},
	{RT_MODULEDATA_NOPTRBSS, {{17, 240, 8}}},
	{RT_MODULEDATA_END, {{17, 256, 8}, {20, 272, 8}}},
	{RT_MODULEDATA_TYPES, {{17, 280, 8}, {20, 296, 8}}},
	{RT_MODULEDATA_ETYPES, {{17, 288, 8}, {20, 304, 8}, {27, 312, 8}}},
	{RT_MODULEDATA_ITABLINKS, {{17, 344, 8}, {18, 360, 8}, {20, 376, 8}, {26, 384, 8}, {27, GONE}}},
	{RT_MODULEDATA_ITABOFFSET, {{27, 320, 8}}},
	{RT_MODULEDATA_GCDATAMASK,
     {{17, 480, 8}, {18, 496, 8}, {20, 512, 8}, {21, 536, 8}, {26, 544, 8}, {27, 520, 8}}},
	{RT_MODULEDATA_GCBSSMASK,
     {{17, 496, 8}, {18, 512, 8}, {20, 528, 8}, {21, 552, 8}, {26, 560, 8}, {27, 536, 8}}},
	{RT_MODULEDATA_NEXT,
     {{17, 528, 8},
      {18, 544, 8},
      {20, 560, 8},
      {21, 584, 8},
      {23, 576, 8},
      {26, 584, 8},
      {27, 560, 8}}},
	{RT_DEFER_SP, {{17, 8, 8}}},
	{RT_DEFER_PC, {{17, 16, 8}}},
	{RT_DEFER_FN, {{17, 24, 8}}},
	{RT_DEFER_LINK, {{17, 40, 8}, {22, 32, 8}}},
	{RT_PANIC_ARG, {{17, 8, 8}, {26, 0, 8}}},
	{RT_PANIC_LINK, {{17, 24, 8}, {26, 16, 8}}},
	{RT_KIND_FINALIZER, {{17, 1, 0}, {25, 2, 0}}},
	{RT_KIND_WEAK_HANDLE, {{23, 2, 0}, {25, 3, 0}}},
	{RT_KIND_PROFILE, {{17, 2, 0}, {23, 3, 0}, {25, 4, 0}}},
	{RT_KIND_CLEANUP, {{24, 6, 0}, {25, 7, 0}}},
};
#undef GONE

/* Since 1.22 mheap.arenas follows padding to whole cache lines, which are larger on arm64. */
enum { ARM_PADDING = 64, ARM_PADDED = 22 };

void core_layout_init(struct core_layout *layout, unsigned minor, bool arm64)
{
	*layout = (struct core_layout){.minor = minor};
	for (size_t i = 0; i < RT_COUNT; i++)
		layout->offset[i] = RT_NONE;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < LAYOUT_CHANGES && rows[i].place[k].since; k++)
			if (minor >= rows[i].place[k].since) {
				layout->offset[rows[i].field] = rows[i].place[k].offset;
				layout->size[rows[i].field] = rows[i].place[k].size;
			}
	if (arm64 && minor >= ARM_PADDED)
		layout->offset[RT_MHEAP_ARENAS] += ARM_PADDING;
	/* The padding before this field on arm64 is not known. */
	if (arm64)
		layout->offset[RT_CLEANUPQUEUE_ALL] = RT_NONE;
}

uint64_t core_field(const struct core_memory *memory, const struct core_layout *layout,
                    uint64_t structure, enum core_field field)
{
	uint64_t value;
	if (layout->offset[field] == RT_NONE)
		return 0;
	memory_number(memory, structure + layout->offset[field], layout->size[field], &value);
	return value;
}
