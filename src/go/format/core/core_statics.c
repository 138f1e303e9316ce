#include "core_library.h"
#include "core_runtime.h"

#include "base/bound.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PAGE = 4096,
	SYMBOL_LEAST = PAGE,    /* bytes of a variable that has a part of its own */
	NAMED_LEAST = 64 << 10, /* and of the variables of a library whose symbols are read */
	HEADERS_MOST = 64,      /* of one file */
	MODULES_MOST = 100,     /* of a program */
	RANGES_MOST = 4 * MODULES_MOST,
	MAPPINGS_MOST = 1 << 12, /* that are looked at */
};

/* What is looked at: the variables of Go, and the file whose variables are added. */
struct statics_look {
	struct core_runtime *rt;
	const char *core_path, *path;
	struct core_run go[RANGES_MOST]; /* sorted */
	size_t ranges;
	Elf64_Phdr header[HEADERS_MOST];
	size_t headers;
	uint64_t bias;
	struct text label;         /* of the file; empty: not made yet */
	const struct image *image; /* with its symbols, lying at image_bias; NULL: none */
	uint64_t image_bias;
};

/* ---- The parts */

/* Makes a label that lasts: the symbol, or what it is otherwise, and the path. */
static struct text statics_label(struct core_statics *statics, const char *what, const char *path)
{
	SCOPED_BUF text = {0};
	buf_addf(&text, "%s of %s", what, path);
	char *copy = mem_strdup(buf_text(&text));
	MEM_PUSH(statics->label, statics->labels, statics->label_capacity, copy);
	return (struct text){copy, strlen(copy)};
}

static void statics_add(struct statics_look *look, uint64_t start, uint64_t end, struct text label)
{
	struct core_statics *statics = &look->rt->statics;
	if (start < end)
		MEM_PUSH(statics->part, statics->count, statics->capacity,
		         ((struct core_static){start, end, label}));
}

static void statics_add_rest(struct statics_look *look, uint64_t start, uint64_t end)
{
	if (start < end && !look->label.len)
		look->label = statics_label(&look->rt->statics, "static data", look->path);
	statics_add(look, start, end, look->label);
}

/* Adds variables of C, the large ones that have symbols apart. */
static void statics_add_named(struct statics_look *look, uint64_t start, uint64_t end)
{
	const struct image *image = look->image;
	size_t count = image ? image->symbol_count : 0;
	size_t i = lower_bound(image ? image->symbols : NULL, count,
	                       BOUND_BY(struct image_symbol, address), start - look->image_bias);
	for (; i < count && image->symbols[i].address + look->image_bias < end; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		uint64_t at = symbol->address + look->image_bias;
		/* of several at an address the largest */
		bool more = i + 1 < count && symbol[1].address == symbol->address && symbol[1].variable
		            && symbol[1].size >= symbol->size;
		if (!symbol->variable || more || symbol->size < SYMBOL_LEAST || at < start
		    || symbol->size > end - at)
			continue;
		statics_add_rest(look, start, at);
		start = at + symbol->size;
		statics_add(look, at, start, statics_label(&look->rt->statics, symbol->name, look->path));
	}
	statics_add_rest(look, start, end);
}

/* Adds what is between the variables of Go in a segment with some. Before the first is what the
   loader has written. */
static void statics_add_beside_go(struct statics_look *look, uint64_t end, size_t first)
{
	uint64_t at = look->go[first].end;
	look->image = exe_image(look->rt->memory.exe); /* which has those of plugins, too */
	look->image_bias = look->rt->memory.bias;
	for (size_t i = first + 1; i <= look->ranges && at < end; i++) {
		bool last = i == look->ranges || look->go[i].start >= end;
		uint64_t next = last ? end : look->go[i].start;
		if (at < next && next - at < SYMBOL_LEAST)
			statics_add(look, at, next, (struct text){0});
		else if (at < next)
			statics_add_named(look, at, next);
		if (last)
			break;
		at = look->go[i].end > at ? look->go[i].end : at;
	}
}

/* ---- The file of a library */

static bool statics_in_note(const uint8_t *notes, uint64_t size, struct text id)
{
	return notes && id.len && memmem(notes, size, id.data, id.len);
}

/* Returns true if a file is the one that has been loaded: its build id is there. */
static bool statics_is_loaded(const struct statics_look *look, const struct image *image)
{
	struct text id = image_build_ids(image).gnu;
	for (size_t i = 0; i < look->headers; i++) {
		const Elf64_Phdr *header = &look->header[i];
		if (header->p_type == PT_NOTE && header->p_filesz <= PAGE
		    && statics_in_note(
				memory_peek(&look->rt->memory, header->p_vaddr + look->bias, header->p_filesz),
				header->p_filesz, id))
			return image->pointer_size == 8 && !image->big_endian;
	}
	return false;
}

static struct image *statics_open(const struct statics_look *look, const char *path,
                                  struct input *input)
{
	const struct input_options opening = input_options_for(&look->rt->options, image_known);
	struct err ignored = {0};
	struct image *image = NULL;
	if (!*path || !exe_may_be(path) || !input_open(input, path, &opening, NULL, &ignored))
		return NULL;
	image = image_open(input->data, input->size, path, &ignored);
	if (image && statics_is_loaded(look, image)) {
		image_add_exported(image);
		return image;
	}
	image_close(image);
	input_close(input);
	return NULL;
}

static void statics_add_library(struct statics_look *look, uint64_t start, uint64_t end)
{
	char *paths[CORE_LIBRARY_PATHS];
	struct image *image = NULL;
	struct input input = {.fd = -1};
	core_library_paths(&look->rt->memory.file, look->core_path, look->path, paths);
	for (size_t i = 0; i < CORE_LIBRARY_PATHS; i++) {
		if (!image && end - start >= NAMED_LEAST)
			image = statics_open(look, paths[i], &input);
		free(paths[i]);
	}
	look->image = image;
	look->image_bias = look->bias;
	statics_add_named(look, start, end);
	look->image = NULL;
	image_close(image);
	if (image)
		input_close(&input);
}

/* ---- Files in memory */

/* Returns the first header of a type whose flags are among those, from a number on; NULL: none. */
static const Elf64_Phdr *statics_header(const struct statics_look *look, size_t from, uint32_t type,
                                        uint32_t flags)
{
	for (size_t i = from; i < look->headers; i++)
		if (look->header[i].p_type == type && (look->header[i].p_flags & flags) == flags)
			return &look->header[i];
	return NULL;
}

/* Reads the headers of the file that a mapping may begin. False: it has none, or its code is not
   mapped: a program may read a library as data. */
static bool statics_read(struct statics_look *look, const struct core_mapping *mapping)
{
	const struct core_memory *memory = &look->rt->memory;
	const struct core_file *file = &memory->file;
	const uint8_t *at = memory_peek(memory, mapping->start, sizeof(Elf64_Ehdr));
	Elf64_Ehdr head;
	if (!at || memcmp(at, ELFMAG, SELFMAG) != 0)
		return false;
	memcpy(&head, memory_at(memory, mapping->start, sizeof head), sizeof head);
	if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phnum > HEADERS_MOST
	    || head.e_phoff > mapping->end - mapping->start)
		return false;
	at = memory_at(memory, mapping->start + head.e_phoff, head.e_phnum * sizeof(Elf64_Phdr));
	look->headers = at ? head.e_phnum : 0;
	if (at)
		memcpy(look->header, at, look->headers * sizeof(Elf64_Phdr));
	const Elf64_Phdr *first = statics_header(look, 0, PT_LOAD, 0);
	const Elf64_Phdr *code = statics_header(look, 0, PT_LOAD, PF_X);
	if (!code)
		return false;
	look->path = mapping->path;
	look->label = (struct text){0};
	look->bias = mapping->start - (first->p_vaddr & ~(uint64_t)(PAGE - 1));
	uint64_t start = code->p_vaddr + look->bias;
	size_t range =
		upper_bound(file->range, file->ranges, BOUND_BY(struct core_range, start), start);
	const char *path = core_file_path(file, start);
	return path && strcmp(path, look->path) == 0 && range
	       && start - file->range[range - 1].start < file->range[range - 1].bytes
	       && file->range[range - 1].flags & PF_X;
}

/* Adds the variables of a segment, without what is read-only once it is loaded. */
static void statics_add_segment(struct statics_look *look, const Elf64_Phdr *segment)
{
	const Elf64_Phdr *relro = statics_header(look, 0, PT_GNU_RELRO, 0);
	uint64_t start = segment->p_vaddr, end = start + segment->p_memsz;
	if (relro && relro->p_vaddr <= start && relro->p_vaddr + relro->p_memsz > start)
		start = relro->p_vaddr + relro->p_memsz;
	start += look->bias;
	end = (end + look->bias + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	if (segment->p_memsz > UINT64_MAX / 4 || start >= end)
		return;
	size_t i = lower_bound(look->go, look->ranges, BOUND_BY(struct core_run, start), start);
	if (i < look->ranges && look->go[i].start < end)
		statics_add_beside_go(look, end, i);
	else
		statics_add_library(look, start, end);
}

/* Reads where Go has its variables. False: not known. */
static bool statics_find_go(struct statics_look *look)
{
	static const enum core_field parts[][2] = {
		{RT_MODULEDATA_DATA, RT_MODULEDATA_EDATA},
		{RT_MODULEDATA_NOPTRDATA, RT_MODULEDATA_ENOPTRDATA},
		{RT_MODULEDATA_BSS, RT_MODULEDATA_EBSS},
		{RT_MODULEDATA_NOPTRBSS, RT_MODULEDATA_END},
	};
	const struct core_runtime *rt = look->rt;
	uint64_t module = rt->module;
	for (int n = 0; module && n < MODULES_MOST; n++) {
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
			struct core_run run = {rt_field(rt, module, parts[i][0]),
			                       rt_field(rt, module, parts[i][1])};
			if (!run.start || run.start > run.end)
				return false;
			look->go[look->ranges++] = run;
		}
		module = rt_field(rt, module, RT_MODULEDATA_NEXT);
	}
	bound_sort(look->go, look->ranges, BOUND_BY(struct core_run, start));
	return look->ranges && !module;
}

void core_statics_find(struct core_runtime *rt, const char *core_path)
{
	const struct core_file *file = &rt->memory.file;
	struct statics_look look = {.rt = rt, .core_path = core_path};
	struct core_statics *statics = &rt->statics;
	bool known = statics_find_go(&look);
	for (size_t i = 0; known && i < file->mappings && i < MAPPINGS_MOST; i++) {
		if (!statics_read(&look, &file->mapping[i]))
			continue;
		const Elf64_Phdr *at = statics_header(&look, 0, PT_LOAD, PF_W);
		for (; at; at = statics_header(&look, (size_t)(at - look.header) + 1, PT_LOAD, PF_W))
			statics_add_segment(&look, at);
	}
	bound_sort(statics->part, statics->count, BOUND_BY(struct core_static, start));
	size_t kept = 0;
	for (size_t i = 0; i < statics->count; i++)
		if (!kept || statics->part[i].start >= statics->part[kept - 1].end)
			statics->part[kept++] = statics->part[i];
	statics->count = kept;
}

void core_statics_fini(struct core_statics *statics)
{
	for (size_t i = 0; i < statics->labels; i++)
		free(statics->label[i]);
	free(statics->label);
	free(statics->part);
}
