#include "go/exe/exe.h"

#include "base/mem.h"
#include "debug_file.h"
#include "go/exe/buildinfo.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>

struct exe {
	struct input input;
	struct image *image;
	struct pclntab pclntab;
	struct buf version;
	struct buf program; /* what the paths of its own packages begin with; empty: not known */
	const char *version_doubt;
	struct debug_file debug;
	struct buf debug_refused;
	struct map functions; /* hash of the name -> entry of the function */
	struct exe **parts;   /* owned */
	size_t part_count;
};

static uint64_t exe_hash_of(const char *name, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
	return hash;
}

/* If two functions have the same name, the first one counts. */
static void index_functions(struct exe *exe)
{
	for (size_t i = 0; i < exe->pclntab.count; i++) {
		const char *name = pclntab_name(&exe->pclntab, i);
		uint64_t entry = exe->pclntab.functions[i].entry;
		exe->pclntab.lost += !*name;
		map_add(&exe->functions, exe_hash_of(name, strlen(name)), &entry);
	}
}

void exe_add_part(struct exe *exe, struct exe *part, uint64_t shift)
{
	size_t capacity = exe->part_count;
	MEM_PUSH(exe->parts, exe->part_count, capacity, part);
	image_add_part(exe->image,
	               &(struct image_part){part->image, shift, part->pclntab.module.address});
	pclntab_add_part(&exe->pclntab, &part->pclntab, shift);
	for (size_t i = 0; i < part->pclntab.count; i++) {
		const char *name = pclntab_name(&part->pclntab, i);
		uint64_t entry = part->pclntab.functions[i].entry + shift;
		map_add(&exe->functions, exe_hash_of(name, strlen(name)), &entry);
	}
}

const struct exe *exe_part(const struct exe *exe, size_t number)
{
	return number < exe->part_count ? exe->parts[number] : NULL;
}

/* Opens an ELF file and applies a predicate that reads only section headers. */
static bool exe_look(const char *path, const struct input_options *options,
                     bool (*has)(const struct image *image))
{
	const struct input_options opening = input_options_for(options, image_known);
	struct input input;
	struct err err = {0};
	if (!input_open(&input, path, &opening, NULL, &err))
		return false;
	elf_version(EV_CURRENT);
	struct image image = {.data = input.data, .size = input.size};
	image.elf = elf_memory((char *)(uintptr_t)input.data, input.size);
	bool found = image.elf && has(&image);
	elf_end(image.elf);
	input_close(&input);
	return found;
}

static bool exe_has_go_sections(const struct image *image)
{
	struct image_section section;
	return image_section(image, ".gopclntab", &section)
	       || image_section(image, ".go.buildinfo", &section);
}

bool exe_is_go(const char *path)
{
	return exe_look(path, NULL, exe_has_go_sections);
}

bool exe_is_debug_file(const char *path, const struct input_options *options)
{
	return exe_look(path, options, image_is_debug_file);
}

bool exe_is_packed(const char *path)
{
	return exe_look(path, NULL, image_is_packed);
}

/* Guesses the release by functions of the runtime, for a file that does not record its version. */
static const char *version_by_functions(struct exe *exe)
{
	static const struct {
		unsigned minor;
		const char *function; /* exists in this release and later ones only */
	} marks[] = {
		{27, "runtime.addModuleItabs"},          {26, "runtime.(*gcWork).tryGetSpan"},
		{25, "runtime.(*cleanupQueue).enqueue"}, {24, "runtime.mallocgcSmallNoscan"},
		{23, "runtime.(*timers).check"},         {22, "runtime.(*mspan).writeHeapBitsSmall"},
	};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		uint64_t entry;
		const char *name = marks[i].function;
		if (!exe_entry(exe, (struct text){name, strlen(name)}, &entry))
			continue;
		buf_addf(&exe->version, "go1.%u", marks[i].minor);
		return "The executable does not tell its Go version: it is a guess by the functions of its "
			   "runtime";
	}
	return NULL;
}

struct exe *exe_open(const char *path, const struct input_options *options, struct err *err)
{
	const struct input_options opening = input_options_for(options, image_known);
	struct exe *exe = mem_alloc(sizeof *exe);
	struct err why = {0};
	exe->input.fd = exe->debug.input.fd = -1;
	if (input_open(&exe->input, path, &opening, NULL, &why))
		exe->image = image_open(exe->input.data, exe->input.size, path, err);
	else
		err_set(err, "%s: %s", path, why.text);
	if (exe->image && image_is_debug_file(exe->image)) {
		err_set(err,
		        "%s is a separate debug file, with names but without the program: name the "
		        "executable, and this one with --debug-file",
		        path);
		exe_close(exe);
		return NULL;
	}
	struct err unread = {0};
	if (!exe->image || !pclntab_init(&exe->pclntab, exe->image, path, &unread)) {
		if (exe->image && exe->image->damage.cut)
			err_set(err, "%s is damaged: its end is missing", path);
		else
			err_set(err, "%s", unread.text);
		exe_close(exe);
		return NULL;
	}
	index_functions(exe);
	buildinfo_add_program(exe->image, &exe->program);
	if (!buildinfo_version(exe->image, &exe->version))
		exe->version_doubt = exe->version.len
		                         ? "The executable has no build information: its Go version is "
		                           "taken from a text among its variables"
		                         : version_by_functions(exe);
	return exe;
}

void exe_close(struct exe *exe)
{
	if (!exe)
		return;
	for (size_t i = 0; i < exe->part_count; i++)
		exe_close(exe->parts[i]);
	free(exe->parts);
	map_free(&exe->functions);
	buf_free(&exe->version);
	buf_free(&exe->program);
	pclntab_fini(&exe->pclntab);
	image_close(exe->image);
	debug_file_close(&exe->debug);
	buf_free(&exe->debug_refused);
	input_close(&exe->input);
	free(exe);
}

const struct image *exe_image(const struct exe *exe)
{
	return exe->image;
}

const struct pclntab *exe_pclntab(const struct exe *exe)
{
	return &exe->pclntab;
}

bool exe_is_own(const struct exe *exe, const char *name)
{
	size_t len = exe->program.len;
	bool own = len && strncmp(name, buf_text(&exe->program), len) == 0
	           && (name[len] == '.' || name[len] == '/');
	for (size_t i = 0; i < exe->part_count && !own; i++)
		own = exe_is_own(exe->parts[i], name);
	return own;
}

bool exe_is_of_others(const struct exe *exe, const char *package)
{
	const char *program = buf_text(&exe->program);
	size_t owner = strcspn(program, "/");
	if (memchr(program, '.', owner) && program[owner]) /* a host: its owner is the next part */
		owner += 1 + strcspn(program + owner + 1, "/");
	return owner
	       && !(strncmp(package, program, owner) == 0
	            && (!package[owner] || package[owner] == '/'));
}

const char *exe_path(const struct exe *exe)
{
	return exe->input.path;
}

const struct input *exe_input(const struct exe *exe)
{
	return &exe->input;
}

void exe_find_debug(struct exe *exe, const char *dump, bool packed)
{
	const struct debug_file *debug = &exe->debug;
	if (!debug->elf
	    && debug_file_find(&exe->debug, exe->image, &exe->input, dump, packed, &exe->debug_refused))
		image_use_debug(exe->image, debug->elf, debug->input.data, debug->input.size);
}

void exe_find_debug_of_part(struct exe *part)
{
	if (!part->input.options.debug_file)
		exe_find_debug(part, NULL, false);
}

const struct input *exe_debug_input(const struct exe *exe)
{
	return exe->debug.elf ? &exe->debug.input : NULL;
}

const char *exe_debug_refused(const struct exe *exe)
{
	return buf_text(&exe->debug_refused);
}

bool exe_add_debug_path(const struct exe *exe, struct buf *out)
{
	return debug_file_add_path(exe->image, out);
}

const char *exe_version(const struct exe *exe)
{
	return buf_text(&exe->version);
}

const char *exe_version_doubt(const struct exe *exe)
{
	return exe->version_doubt;
}

void exe_explain_damage(const struct exe *exe, struct buf *out)
{
	const struct image_damage *damage = &exe->image->damage;
	const struct {
		uint64_t lost;
		const char *one, *many;
	} parts[] = {
		{damage->segments, "segment", "segments"},
		{damage->symbols, "symbol", "symbols"},
		{damage->relocations, "relocation", "relocations"},
		{exe->pclntab.lost, "function", "functions"},
	};
	if (exe->input.damage)
		buf_add(out, exe->input.damage);
	else if (damage->cut)
		buf_add(out, "its end is missing");
	size_t len = out->len;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].lost)
			continue;
		buf_add(out, out->len > len ? ", " : len ? "; " : "");
		text_add_number_of(out, parts[i].lost, parts[i].one, parts[i].many);
	}
	buf_add(out, out->len > len ? " cannot be read" : "");
}

bool exe_function(const struct exe *exe, uint64_t pc, const char **name, uint64_t *entry)
{
	size_t function = pclntab_find(&exe->pclntab, pc);
	if (function == SIZE_MAX)
		return false;
	*name = pclntab_name(&exe->pclntab, function);
	*entry = exe->pclntab.functions[function].entry;
	return true;
}

bool exe_entry(const struct exe *exe, struct text name, uint64_t *entry)
{
	if (!map_get(&exe->functions, exe_hash_of(name.data, name.len), entry))
		return false;
	/* functions without code have the entry of the next one */
	for (size_t i = pclntab_find(&exe->pclntab, *entry);
	     i < exe->pclntab.count && exe->pclntab.functions[i].entry == *entry; i--) {
		const char *found = pclntab_name(&exe->pclntab, i);
		if (text_equal(name, (struct text){found, strlen(found)}))
			return true;
	}
	return false;
}

size_t exe_lines(const struct exe *exe, uint64_t pc, bool is_return,
                 struct pclntab_line lines[EXE_LINES])
{
	const struct pclntab *table = &exe->pclntab;
	size_t function = pclntab_find(table, pc - is_return);
	if (is_return && function != SIZE_MAX && table->functions[function].entry < pc)
		pc--;
	return pclntab_lines(table, pc, lines, EXE_LINES);
}

bool exe_variable(const struct exe *exe, uint64_t address, const char **name, uint64_t *offset)
{
	const struct image_symbol *symbol = image_variable_at(exe->image, address);
	if (!symbol)
		return false;
	*name = symbol->name;
	*offset = address - symbol->address;
	return true;
}

struct exe_segments exe_segments(const struct exe *exe)
{
	const struct module *module = &exe->pclntab.module;
	struct exe_segments segments = {0};
	if (image_symbol_named(exe->image, "runtime.data", &segments.data)
	    && image_symbol_named(exe->image, "runtime.edata", &segments.edata)
	    && image_symbol_named(exe->image, "runtime.bss", &segments.bss)
	    && image_symbol_named(exe->image, "runtime.ebss", &segments.ebss))
		return segments;
	return (struct exe_segments){module->data, module->edata, module->bss, module->ebss};
}

bool exe_is_of_variables(const struct exe *exe, uint64_t address)
{
	struct exe_segments own = exe_segments(exe);
	bool found = address >= own.data && address < own.ebss;
	for (size_t i = 0; i < exe->part_count && !found; i++)
		found = exe_is_of_variables(exe->parts[i], address - exe->image->parts[i].shift);
	return found;
}
