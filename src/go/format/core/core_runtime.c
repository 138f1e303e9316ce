#include "core_runtime.h"
#include "core_allocator.h"

#include "core_exe.h"
#include "core_fatal.h"
#include "core_others.h"
#include "core_queues.h"
#include "core_search.h"
#include "core_type_mask.h"
#include "core_unpacked.h"
#include "core_wakers.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

uint64_t core_arena(const struct core_runtime *rt, uint64_t address)
{
	/* mheap.arenas is an array with one pointer, to the second level. */
	uint64_t level2 = rt_field(rt, rt->mheap, RT_MHEAP_ARENAS);
	return memory_word(&rt->memory, level2 + (address - rt->arena_base) / CORE_ARENA_BYTES * 8);
}

struct core_run core_module_variables(const struct core_runtime *rt, uint64_t module)
{
	uint64_t data = rt_field(rt, module, RT_MODULEDATA_DATA);
	uint64_t start = rt_field(rt, module, RT_MODULEDATA_NOPTRDATA);
	uint64_t end = rt_field(rt, module, RT_MODULEDATA_END);
	if (data < start)
		start = data;
	if (start >= end || end - start > rt->memory.file.size)
		return (struct core_run){0};
	return (struct core_run){start, end};
}

static uint64_t variable(const struct core_runtime *rt, const char *name)
{
	uint64_t address;
	if (!image_symbol_named(exe_image(rt->memory.exe), name, &address))
		return 0;
	return address + rt->memory.bias;
}

/* Returns true if the mask of data or bss has one bit per word. Otherwise the module record is
   misread. */
static bool masks_fit(const struct core_runtime *rt)
{
	static const enum core_field parts[][3] = {
		{RT_MODULEDATA_DATA, RT_MODULEDATA_EDATA, RT_MODULEDATA_GCDATAMASK},
		{RT_MODULEDATA_BSS, RT_MODULEDATA_EBSS, RT_MODULEDATA_GCBSSMASK},
	};
	bool fit = false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		uint64_t size = rt_field(rt, rt->module, parts[i][1])
		                - rt_field(rt, rt->module, parts[i][0]);
		uint64_t bits;
		memory_number(&rt->memory, rt_place(rt, rt->module, parts[i][2]), 4, &bits);
		fit |= bits && bits == size / 8;
	}
	return fit;
}

static bool find_runtime_variables(struct core_runtime *rt, struct err *err)
{
	const struct module *module = &exe_pclntab(rt->memory.exe)->module;
	rt->arena_base = rt->arm64 ? 0 : UINT64_C(0xffff800000000000);
	rt->module = module->address ? module->address + rt->memory.bias
	                             : variable(rt, "runtime.firstmoduledata");
	rt->mheap = variable(rt, "runtime.mheap_");
	if (!rt->mheap || !core_is_mheap(rt, rt->mheap))
		rt->mheap = core_search_mheap(rt);
	if (!rt->mheap && rt->memory.file.cut)
		return err_set(
			err,
			"The core file is cut: %s of it are missing, and in these is what leads to the "
			"heap of the program",
			text_size(rt->memory.file.cut).text);
	if (!rt->mheap)
		return err_set(err,
		               "The heap of the program was not found in the core file: it may be written "
		               "without anonymous memory (coredump_filter in /proc/PID), of another "
		               "executable, or of a moment before the program began");
	rt->allgs = variable(rt, "runtime.allgs");
	if (!rt->allgs)
		rt->allgs = core_search_allgs(rt);
	rt->wait_reasons = variable(rt, "runtime.waitReasonStrings");
	if (!rt->wait_reasons)
		rt->wait_reasons = core_search_wait_reasons(rt);
	uint64_t finalizers = variable(rt, "runtime.allfin"),
			 cleanups = variable(rt, "runtime.gcCleanups");
	bool known = cleanups && rt->layout.offset[RT_CLEANUPQUEUE_ALL] != RT_NONE;
	rt->finalizers = finalizers ? memory_word(&rt->memory, finalizers) : core_search_finalizers(rt);
	rt->cleanups = known ? rt_field(rt, cleanups, RT_CLEANUPQUEUE_ALL) : core_search_cleanups(rt);
	rt->itab_table = memory_word(&rt->memory, variable(rt, "runtime.itabTable"));
	rt->allm = memory_word(&rt->memory, variable(rt, "runtime.allm"));
	if (!masks_fit(rt) && !rt->memory.file.cut)
		return err_set(err,
		               "What the runtime knows of the program's variables does not fit them: the "
		               "core file is damaged, or of a runtime that was changed");
	rt->mbuckets = variable(rt, "runtime.mbuckets");
	rt->profile_rate = variable(rt, "runtime.MemProfileRate");
	return true;
}

/* Returns the minor version: "go1.24.4 X:noallocheaders", "devel go1.28-1f2e3d" -> 24, 28; 0: not
   known. */
static unsigned minor_of(const char *version)
{
	const char *number = strstr(version, "go1.");
	return number ? (unsigned)strtoul(number + strlen("go1."), NULL, 10) : 0;
}

static bool find_layout(struct core_runtime *rt, struct err *err)
{
	const char *version = exe_version(rt->memory.exe);
	unsigned minor = minor_of(version);
	core_layout_init(&rt->layout, minor, rt->arm64);
	rt->has_debug_layout = core_layout_ask(&rt->layout, exe_image(rt->memory.exe));
	if (!rt->has_debug_layout && minor < CORE_MINOR_FIRST)
		return err_set(err,
		               "Core files are read of programs of Go 1.%d and later, and of others whose "
		               "executables have debug information; this one is of %s and has none. "
		               "debug.WriteHeapDump writes heap dumps with every version",
		               CORE_MINOR_FIRST, *version ? version : "an unknown version");
	rt->tried = minor < CORE_MINOR_FIRST || minor > CORE_MINOR_CHECKED;
	return core_layout_suffices(&rt->layout, err);
}

static bool check_exe(struct core_runtime *rt, struct err *err)
{
	const struct image *image = exe_image(rt->memory.exe);
	uint64_t entry;
	if (image->pointer_size != 8 || image->big_endian)
		return err_set(err, "The executable is of another kind of machine than the core file");
	memcpy(&entry, image->data + offsetof(Elf64_Ehdr, e_entry), sizeof entry);
	if (rt->library) /* core_find_exe has set the bias */
		return find_layout(rt, err);
	rt->memory.bias = rt->memory.file.entry ? rt->memory.file.entry - entry : 0;
	uint16_t type;
	memcpy(&type, image->data + offsetof(Elf64_Ehdr, e_type), sizeof type);
	if (type == ET_EXEC ? rt->memory.bias : rt->memory.bias % 4096) {
		if (!core_unpacked_find(rt, &rt->memory.bias))
			return err_set(err, "The executable is of another program or build than the core file: "
			                    "that began to run elsewhere");
		rt->proven = true;
	}
	return find_layout(rt, err);
}

bool core_runtime_init(struct core_runtime *rt, struct core_file *file, const struct input *input,
                       const char *exe_path, struct err *err)
{
	*rt = (struct core_runtime){
		.memory.file = *file, .arm64 = file->machine == EM_AARCH64, .options = input->options};
	*file = (struct core_file){0};
	bool found = core_find_exe(rt, input->path, input->filter, exe_path, err);
	if (found)
		exe_find_debug(rt->memory.exe, input->path, input->filter);
	if (found && check_exe(rt, err) && find_runtime_variables(rt, err)) {
		rt->allocator = core_allocator_find(&rt->memory.file, exe_image(rt->memory.exe));
		core_plugins_find(rt, input->path);
		core_others_find(rt, &rt->others);
		core_statics_find(rt, input->path);
		rt->fatal = core_fatal(rt);
		core_wakers_find(rt, &rt->wakers);
		rt->masks = core_type_masks_new();
		return true;
	}
	core_runtime_fini(rt);
	return false;
}

void core_runtime_fini(struct core_runtime *rt)
{
	core_wakers_fini(&rt->wakers);
	core_plugins_fini(&rt->plugins);
	core_others_fini(&rt->others);
	core_statics_fini(&rt->statics);
	core_type_masks_free(rt->masks);
	exe_close(rt->memory.exe);
	core_file_fini(&rt->memory.file);
}
