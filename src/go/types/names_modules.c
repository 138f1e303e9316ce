#include "names_modules.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/format.h"
#include "go/exe/image.h"
#include "go/exe/type_places.h"
#include "heap/heap.h"
#include "heap/object_ids.h"

#include <dirent.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* FILES: libraries looked at in one folder; SHIFTS: tried for a file; PAGE: files are loaded at
   whole ones; NAME_SHOWN: bytes of the name of a file; LIBRARIES: that a program needs, and folders
   of its runpath */
enum { FILES = 256, SHIFTS = 1 << 12, PAGE = 1 << 12, NAME_SHOWN = 100, LIBRARIES = 64 };

void names_modules_open(struct exe *exe, const struct format_executable *read)
{
	for (size_t i = 0; i < read->modules; i++) {
		struct err err = {0};
		struct exe *module = exe_open(read->module[i].path, &exe_input(exe)->options, &err);
		if (!module)
			continue;
		exe_find_debug_of_part(module);
		exe_add_part(exe, module, read->module[i].bias - read->bias);
	}
}

/* What a dump tells of files that it does not name: functions on stacks and types, both only where
   the executable has none. */
struct elsewhere {
	const struct frame_record **functions;
	size_t function_count, function_capacity;
	struct type_place *types;
	size_t type_count, type_capacity;
};

/* One file, and where it could be. */
struct module_try {
	const struct elsewhere *all;
	const struct exe *exe;
	struct type_places *places;
	struct map seen; /* shifts that were tried */
	uint64_t shift;  /* with which most fits */
	size_t fits;
	bool doubt; /* as much fits with another one */
};

static void elsewhere_collect(struct elsewhere *all, const struct names *names,
                              const struct heap *heap)
{
	const struct image *image = exe_image(names->exe);
	SCOPED_MAP seen = {0};
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		const struct frame_record *frame = &heap->frames[i].record;
		const char *name;
		uint64_t entry, known = 1;
		if (frame->function.len && frame->entry_pc && map_add(&seen, frame->entry_pc, &known)
		    && !exe_function(names->exe, frame->entry_pc - names->fit.bias, &name, &entry))
			MEM_PUSH(all->functions, all->function_count, all->function_capacity, frame);
	}
	for (uint32_t i = 0; i < heap->type_count; i++) {
		const struct type_record *type = &heap->types[i];
		uint64_t size;
		if (heap_find(heap, type->address) == OBJECT_NONE
		    && !image_number(image, type->address - names->fit.bias, image->pointer_size, &size))
			MEM_PUSH(all->types, all->type_count, all->type_capacity,
			         (struct type_place){type->address, type->size, type->name});
	}
}

static void elsewhere_free(struct elsewhere *all)
{
	free(all->functions);
	free(all->types);
	*all = (struct elsewhere){0};
}

/* Counts what fits with a shift; 0 if something does not. */
static size_t module_try_fits(const struct module_try *try, uint64_t shift)
{
	const struct module *module = &exe_pclntab(try->exe)->module;
	size_t fits = 0;
	for (size_t i = 0; i < try->all->function_count; i++) {
		const struct frame_record *frame = try->all->functions[i];
		const char *name;
		uint64_t at = frame->entry_pc - shift, entry;
		if (at - module->text >= module->etext - module->text)
			continue;
		if (!exe_function(try->exe, at, &name, &entry) || entry != at
		    || !text_is(frame->function, name))
			return 0;
		fits++;
	}
	for (size_t i = 0; i < try->all->type_count; i++) {
		enum type_place_fit fit = type_places_check(try->places, &try->all->types[i], shift);
		if (fit == TYPE_PLACE_WRONG)
			return 0;
		fits += fit == TYPE_PLACE_RIGHT;
	}
	return fits;
}

static void module_try_shift(void *self, uint64_t shift)
{
	struct module_try *try = self;
	uint64_t known = 1;
	if (try->seen.count >= SHIFTS || shift % PAGE || !map_add(&try->seen, shift, &known))
		return;
	size_t fits = module_try_fits(try, shift);
	if (fits >= try->fits && fits) {
		try->doubt = fits == try->fits;
		try->fits = fits;
		try->shift = shift;
	}
}

/* Tries where each function and type would have the file, which is of a version of Go. Returns true
   if it is found. */
static bool module_try_all(struct module_try *try, const char *version)
{
	uint64_t entry;
	try->places = type_places_new(try->exe, version);
	for (size_t i = 0; i < try->all->function_count; i++)
		if (exe_entry(try->exe, try->all->functions[i]->function, &entry))
			module_try_shift(try, try->all->functions[i]->entry_pc - entry);
	for (size_t i = 0; i < try->all->type_count; i++)
		type_places_shifts(try->places, &try->all->types[i], module_try_shift, try);
	type_places_free(try->places);
	map_free(&try->seen);
	return try->fits && !try->doubt;
}

/* Appends why a file is not used. */
static void names_modules_refuse(struct buf *out, const struct exe *exe, const struct err *err)
{
	SCOPED_BUF damage = {0};
	if (exe)
		exe_explain_damage(exe, &damage);
	if (exe || *err->text)
		buf_add(out, out->len ? ". " : "");
	if (exe) {
		const char *file = names_file_base(exe_path(exe));
		text_add_escaped(out, file, strlen(file), NAME_SHOWN);
		buf_addf(out, damage.len ? " is damaged: %s" : "%s", buf_text(&damage));
		buf_add(out, damage.len ? ""
		                        : " has other functions and types than were loaded, or has them "
		                          "elsewhere");
	}
	text_add_escaped(out, err->text, strlen(err->text), SIZE_MAX);
}

/* Adds a file if it is one that was loaded, else why it is none to names->other_modules. */
static void names_modules_try(struct names *names, struct elsewhere *all, const struct heap *heap,
                              const char *path)
{
	struct err err = {0};
	struct exe *exe = exe_may_be(path) ? exe_open(path, &heap->input->options, &err) : NULL;
	struct module_try try = {.all = all, .exe = exe};
	/* Go 1.19 writes no version into a plugin. */
	bool other = exe && *exe_version(exe) && strcmp(exe_version(exe), exe_version(names->exe)) != 0;
	if (exe && exe_image(exe)->pointer_size == exe_image(names->exe)->pointer_size && !other
	    && module_try_all(&try, exe_version(names->exe))) {
		exe_find_debug_of_part(exe);
		exe_add_part(names->exe, exe, try.shift - names->fit.bias);
		elsewhere_free(all);
		elsewhere_collect(all, names, heap);
		return;
	}
	names_modules_refuse(&names->other_modules, exe, &err);
	exe_close(exe);
}

static int names_modules_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Tries the libraries in the folder of a file, by their names. */
static void names_modules_beside(struct names *names, struct elsewhere *all,
                                 const struct heap *heap, const char *file)
{
	const char *base = names_file_base(file);
	SCOPED_FREE char *folder = mem_strndup(file, (size_t)(base - file));
	DIR *open = opendir(*folder ? folder : ".");
	char **paths = NULL;
	size_t count = 0, capacity = 0;
	for (struct dirent *entry; open && count < FILES && (entry = readdir(open));) {
		const char *end = strstr(entry->d_name, ".so");
		SCOPED_BUF path = {0};
		buf_addf(&path, "%s%s", folder, entry->d_name);
		if (end && (!end[3] || end[3] == '.'))
			MEM_PUSH(paths, count, capacity, mem_strdup(buf_text(&path)));
	}
	if (open)
		closedir(open);
	if (count)
		qsort(paths, count, sizeof *paths, names_modules_by_name);
	for (size_t i = 0; i < count; i++) {
		if (all->function_count || all->type_count)
			names_modules_try(names, all, heap, paths[i]);
		free(paths[i]);
	}
	free(paths);
}

/* Opens a library in a folder, if the dump is of it. */
static struct exe *names_modules_open_in(const char *folder, size_t length, const char *name,
                                         const struct heap *heap)
{
	const struct format_executable none = {0};
	struct err err = {0};
	SCOPED_BUF path = {0};
	buf_add_bytes(&path, folder, length);
	buf_addf(&path, "%s%s", length && folder[length - 1] != '/' ? "/" : "", name);
	struct exe *exe =
		exe_may_be(buf_text(&path)) ? exe_open(buf_text(&path), &heap->input->options, &err) : NULL;
	if (!exe || (!image_is_linked(exe_image(exe)) && exe_match_check(exe, heap, &none).accepted))
		return exe;
	exe_close(exe);
	return NULL;
}

struct exe *names_modules_runtime(const struct exe *program, const struct heap *heap)
{
	static const int64_t tags[] = {DT_RUNPATH, DT_RPATH};
	const struct image *image = exe_image(program);
	const char *beside[] = {exe_path(program), heap->input->path}, *name;
	struct exe *found = NULL;
	for (size_t n = 0; !found && n < LIBRARIES && (name = image_dynamic_text(image, DT_NEEDED, n));
	     n++) {
		if (strchr(name, '/'))
			continue;
		for (size_t i = 0; !found && i < sizeof tags / sizeof *tags; i++) {
			const char *at = image_dynamic_text(image, tags[i], 0);
			for (size_t folders = 0; at && !found && folders < LIBRARIES; folders++) {
				size_t length = strcspn(at, ":");
				found = length ? names_modules_open_in(at, length, name, heap) : NULL;
				at = at[length] ? at + length + 1 : NULL;
			}
		}
		for (size_t i = 0; !found && i < sizeof beside / sizeof *beside; i++)
			found = names_modules_open_in(
				beside[i], (size_t)(names_file_base(beside[i]) - beside[i]), name, heap);
	}
	return found;
}

void names_modules_find(struct names *names, const struct heap *heap, const char *program)
{
	struct elsewhere all = {0};
	struct format_executable none = {0};
	const char *dump = heap->input->path, *exe = exe_path(names->exe);
	size_t folder = (size_t)(names_file_base(dump) - dump);
	if (heap->format->executable)
		return;
	elsewhere_collect(&all, names, heap);
	if (program && (all.function_count || all.type_count))
		names_modules_try(names, &all, heap, program);
	if (all.function_count || all.type_count)
		names_modules_beside(names, &all, heap, dump);
	if ((all.function_count || all.type_count)
	    && (folder != (size_t)(names_file_base(exe) - exe) || strncmp(dump, exe, folder) != 0))
		names_modules_beside(names, &all, heap, exe);
	elsewhere_free(&all);
	if (exe_part(names->exe, 0))
		names->fit = exe_match_check(names->exe, heap, &none);
}

void names_modules_explain(const struct names *names, struct buf *out)
{
	if (!names->fit.types_elsewhere)
		return;
	buf_addf(out, "; %s of a plugin, which has no names, as its file is not beside the dump",
	         text_number_of(names->fit.types_elsewhere, "type is", "types are").text);
	if (names->other_modules.len)
		buf_addf(out, ": %s", buf_text(&names->other_modules));
}
