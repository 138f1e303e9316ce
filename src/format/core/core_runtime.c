#include "core_runtime.h"

#include "base/mem.h"
#include "base/text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SPANS = 256, WAIT_REASONS_LEAST = 20 };

uint64_t core_arena(const struct core_runtime *rt, uint64_t address)
{
	/* mheap.arenas is an array of one pointer to the second level. */
	uint64_t level2 = rt_field(rt, rt->mheap, RT_MHEAP_ARENAS);
	return memory_word(&rt->memory, level2 + (address - rt->arena_base) / CORE_ARENA_BYTES * 8);
}

static uint64_t variable(const struct core_runtime *rt, const char *name)
{
	uint64_t address;
	if (!image_symbol_named(exe_image(rt->memory.exe), name, &address))
		return 0;
	return address + rt->memory.bias;
}

/* Is every span in use among the first ones found again under its own page? */
static bool is_mheap(struct core_runtime *rt, uint64_t mheap)
{
	rt->mheap = mheap;
	struct memory_slice spans =
		memory_slice(&rt->memory, rt_place(rt, mheap, RT_MHEAP_ALLSPANS), 8);
	size_t seen = 0;
	for (uint64_t i = 0; i < spans.count && i < FIRST_SPANS; i++) {
		uint64_t span = memory_word(&rt->memory, spans.address + i * 8);
		if (rt_field(rt, span, RT_MSPAN_STATE) != 1)
			continue;
		uint64_t start = rt_field(rt, span, RT_MSPAN_STARTADDR);
		uint64_t page = (start - rt->arena_base) % CORE_ARENA_BYTES / CORE_PAGE;
		uint64_t arena = core_arena(rt, start);
		if (!arena
		    || memory_word(&rt->memory, rt_place(rt, arena, RT_HEAPARENA_SPANS) + page * 8) != span)
			return false;
		seen++;
	}
	return seen;
}

/* Has the slice at an address an element 0 with id 1, and stacks as goroutines have them? */
static bool is_allgs(const struct core_runtime *rt, uint64_t address)
{
	struct memory_slice gs = memory_slice(&rt->memory, address, 8);
	if (gs.count < 1 || gs.count > memory_word(&rt->memory, address + 16))
		return false;
	for (uint64_t i = 0; i < gs.count && i < 16; i++) {
		uint64_t g = memory_word(&rt->memory, gs.address + i * 8);
		uint64_t stack = rt_place(rt, g, RT_G_STACK);
		uint64_t low = memory_word(&rt->memory, stack), high = memory_word(&rt->memory, stack + 8);
		if ((low >= high && low) || (i == 0 && rt_field(rt, g, RT_G_GOID) != 1))
			return false;
	}
	return true;
}

/* The names of what goroutines wait for: an array of strings, the first empty, the second this. */
static bool is_wait_reasons(const struct core_runtime *rt, uint64_t address)
{
	static const char second[] = "GC assist marking";
	uint64_t len = sizeof second - 1;
	if (memory_word(&rt->memory, address + 24) != len || memory_word(&rt->memory, address + 8))
		return false;
	const uint8_t *text = memory_at(&rt->memory, memory_word(&rt->memory, address + 16), len);
	return text && memcmp(text, second, len) == 0;
}

/* Calls `is` with every word of the writable image, up to the first that is one; 0: none is. */
static uint64_t search_image(struct core_runtime *rt, bool writable,
                             bool (*is)(struct core_runtime *rt, uint64_t address))
{
	const struct image *image = exe_image(rt->memory.exe);
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *segment = &image->segments[i];
		if (writable && !segment->writable)
			continue;
		/* What follows the file's bytes is zero in the file, but not in the process. */
		uint64_t at = segment->address + rt->memory.bias, end = at + segment->size;
		const struct core_segment *mapped = core_file_segment(&rt->memory.file, at);
		if (mapped && writable)
			end = mapped->address + mapped->size;
		for (; at + 8 <= end; at += 8)
			if (is(rt, at))
				return at;
	}
	return 0;
}

static bool starts_mheap(struct core_runtime *rt, uint64_t address)
{
	/* The address would be that of allspans: a slice of more than a few, not longer than its
	   capacity. */
	uint64_t count = memory_word(&rt->memory, address + 8);
	if (count < 8 || count > memory_word(&rt->memory, address + 16) || count > UINT32_MAX)
		return false;
	return is_mheap(rt, address - rt->layout.offset[RT_MHEAP_ALLSPANS]);
}

static bool starts_allgs(struct core_runtime *rt, uint64_t address)
{
	return is_allgs(rt, address);
}

static bool starts_wait_reasons(struct core_runtime *rt, uint64_t address)
{
	return is_wait_reasons(rt, address);
}

/* There is an older copy of the slice beside allgs: the longer one counts. */
static uint64_t find_allgs(struct core_runtime *rt)
{
	uint64_t first = search_image(rt, true, starts_allgs);
	uint64_t best = first;
	const struct core_segment *segment = first ? core_file_segment(&rt->memory.file, first) : NULL;
	uint64_t end = segment ? segment->address + segment->size : 0;
	for (uint64_t at = first + 8; segment && at + 24 <= end; at += 8)
		if (is_allgs(rt, at)
		    && memory_word(&rt->memory, at + 8) > memory_word(&rt->memory, best + 8))
			best = at;
	return best;
}

static bool find_runtime_variables(struct core_runtime *rt, struct err *err)
{
	const struct module *module = &exe_pclntab(rt->memory.exe)->module;
	rt->arena_base = rt->arm64 ? 0 : UINT64_C(0xffff800000000000);
	rt->mheap = variable(rt, "runtime.mheap_");
	if (!rt->mheap || !is_mheap(rt, rt->mheap)) {
		uint64_t allspans = search_image(rt, true, starts_mheap);
		rt->mheap = allspans ? allspans - rt->layout.offset[RT_MHEAP_ALLSPANS] : 0;
	}
	if (!rt->mheap)
		return err_set(err,
		               "The heap of the program was not found in the core file: it may be cut, "
		               "of another executable, or of a moment before the program began");
	rt->allgs = variable(rt, "runtime.allgs");
	if (!rt->allgs)
		rt->allgs = find_allgs(rt);
	rt->module = module->address ? module->address + rt->memory.bias
	                             : variable(rt, "runtime.firstmoduledata");
	rt->wait_reasons = variable(rt, "runtime.waitReasonStrings");
	if (!rt->wait_reasons)
		rt->wait_reasons = search_image(rt, false, starts_wait_reasons);
	rt->allfin = variable(rt, "runtime.allfin");
	rt->cleanups = variable(rt, "runtime.gcCleanups");
	rt->itab_table = memory_word(&rt->memory, variable(rt, "runtime.itabTable"));
	rt->allm = memory_word(&rt->memory, variable(rt, "runtime.allm"));
	rt->mbuckets = variable(rt, "runtime.mbuckets");
	return true;
}

/* The note of the Go linker: its name is "Go", its type 4. Empty: there is none in these bytes. */
static struct text build_id(const uint8_t *bytes, size_t size)
{
	static const uint8_t start[] = {4, 0, 0, 0};
	for (size_t at = 0; bytes && at + 16 <= size; at += 4) {
		uint32_t length;
		if (memcmp(bytes + at, start, 4) != 0 || memcmp(bytes + at + 8, "\4\0\0\0Go\0\0", 8) != 0)
			continue;
		memcpy(&length, bytes + at + 4, 4);
		if (length <= size - at - 16)
			return (struct text){(const char *)bytes + at + 16, length};
	}
	return (struct text){0};
}

static struct text build_id_of_exe(const struct exe *exe)
{
	struct image_section note;
	if (!image_section(exe_image(exe), ".note.go.buildid", &note) || !note.data)
		return (struct text){0};
	return build_id(note.data, note.size);
}

/* The first page of the executable's mapping is in most cores. */
static struct text build_id_of_core(const struct core_file *file, const char *path)
{
	for (size_t i = 0; i < file->mappings; i++) {
		const struct core_segment *at = core_file_segment(file, file->mapping[i].start);
		if (strcmp(file->mapping[i].path, path) != 0 || !at
		    || at->address != file->mapping[i].start)
			continue;
		size_t size = at->size < 4096 ? at->size : 4096;
		struct text id = build_id(file->data + at->offset, size);
		if (id.len)
			return id;
	}
	return (struct text){0};
}

/* The mapping that the entry point lies in is the executable's. */
static const char *path_in_core(const struct core_file *file)
{
	for (size_t i = 0; i < file->mappings; i++)
		if (file->entry - file->mapping[i].start < file->mapping[i].end - file->mapping[i].start)
			return file->mapping[i].path;
	return NULL;
}

static void add_quoted(struct buf *out, const char *text, size_t len)
{
	buf_add(out, " ");
	text_add_escaped(out, text, len, 200);
}

/* Opens one and compares; false: it is not the right one, and *err says why. */
static bool try_exe(struct core_runtime *rt, const char *path, const char *in_core, struct err *err)
{
	struct exe *exe = exe_open(path, err);
	if (!exe)
		return false;
	struct text has = build_id_of_exe(exe);
	struct text wants = in_core ? build_id_of_core(&rt->memory.file, in_core) : (struct text){0};
	if (has.len && wants.len && !text_equal(has, wants)) {
		struct buf text = {0};
		add_quoted(&text, path, strlen(path));
		buf_add(&text, " is of another build: the core file is of build id");
		add_quoted(&text, wants.data, wants.len);
		buf_add(&text, ", the executable of");
		add_quoted(&text, has.data, has.len);
		err_set(err, "%s", buf_text(&text) + 1);
		buf_free(&text);
		exe_close(exe);
		return false;
	}
	rt->memory.exe = exe;
	return true;
}

struct exe_search {
	struct core_runtime *rt;
	const char *in_core;
	struct err *err;
};

static bool try_beside(void *self, const char *path)
{
	struct exe_search *search = self;
	return try_exe(search->rt, path, search->in_core, search->err);
}

static bool find_exe(struct core_runtime *rt, const char *core_path, bool packed,
                     const char *exe_path, struct err *err)
{
	struct err tried = {0};
	const char *in_core = path_in_core(&rt->memory.file);
	if (exe_path)
		return try_exe(rt, exe_path, in_core, err);
	struct exe_search search = {rt, in_core, &tried};
	if (exe_beside(core_path, packed, try_beside, &search)
	    || (in_core && exe_may_be(in_core) && try_exe(rt, in_core, in_core, &tried)))
		return true;
	if (*tried.text)
		return err_set(err, "%s", tried.text);
	struct buf text = {0};
	struct text id = in_core ? build_id_of_core(&rt->memory.file, in_core) : (struct text){0};
	buf_add(&text, "A core file can only be read with the program's executable, which is not here: "
	               "goheapx CORE EXE names it");
	if (in_core) {
		buf_add(&text, "; it was");
		add_quoted(&text, in_core, strlen(in_core));
	}
	if (id.len) {
		buf_add(&text, ", build id");
		add_quoted(&text, id.data, id.len);
	}
	err_set(err, "%s", buf_text(&text));
	buf_free(&text);
	return false;
}

/* "go1.24.4 X:noallocheaders" -> 24; 0: not known. */
static unsigned minor_of(const char *version)
{
	return strncmp(version, "go1.", 4) == 0 ? (unsigned)strtoul(version + 4, NULL, 10) : 0;
}

static bool check_exe(struct core_runtime *rt, struct err *err)
{
	const char *version = exe_version(rt->memory.exe);
	const struct image *image = exe_image(rt->memory.exe);
	unsigned minor = minor_of(version);
	if (image->pointer_size != 8 || image->big_endian)
		return err_set(err, "The executable is of another kind of machine than the core file");
	if (minor < CORE_MINOR_FIRST || minor > CORE_MINOR_LAST)
		return err_set(err,
		               "Core files are read of programs of Go 1.17 to 1.27; this one is of %s. "
		               "debug.WriteHeapDump writes heap dumps with every version",
		               *version ? version : "an unknown version");
	core_layout_init(&rt->layout, minor, rt->arm64);
	uint64_t entry;
	memcpy(&entry, image->data + offsetof(Elf64_Ehdr, e_entry), sizeof entry);
	rt->memory.bias = rt->memory.file.entry ? rt->memory.file.entry - entry : 0;
	return true;
}

bool core_runtime_init(struct core_runtime *rt, struct core_file *file, const char *core_path,
                       bool packed, const char *exe_path, struct err *err)
{
	*rt = (struct core_runtime){.memory.file = *file, .arm64 = file->machine == EM_AARCH64};
	*file = (struct core_file){0};
	if (find_exe(rt, core_path, packed, exe_path, err) && check_exe(rt, err)
	    && find_runtime_variables(rt, err))
		return true;
	core_runtime_fini(rt);
	return false;
}

void core_runtime_fini(struct core_runtime *rt)
{
	exe_close(rt->memory.exe);
	core_file_fini(&rt->memory.file);
}
