#include "go/types/names.h"

#include "base/mem.h"
#include "base/package.h"
#include "base/text.h"
#include "format/format.h"
#include "go/exe/gotypes.h"
#include "go/exe/image.h"
#include "heap/heap.h"
#include "heap/object_ids.h"
#include "names_modules.h"

#include <stdlib.h>
#include <string.h>

size_t names_frame(const struct names *names, const struct heap *heap, uint32_t frame,
                   struct pclntab_line lines[EXE_LINES])
{
	if (!names || !names->exe)
		return 0;
	const struct frame *f = &heap->frames[frame];
	bool is_return = true;
	if (frame > 0 && heap->frames[frame - 1].thread == f->thread) {
		/* What a fault or a preemption seems to call is below an instruction that is no call. */
		struct text inner = heap->frames[frame - 1].record.function;
		is_return = !text_is(inner, "runtime.sigpanic") && !text_is(inner, "runtime.asyncPreempt");
	}
	return exe_lines(names->exe, f->record.pc - names->fit.bias, is_return, lines);
}

bool names_function(const struct names *names, uint64_t pc, const char **name)
{
	uint64_t entry;
	return names && names->exe && exe_function(names->exe, pc - names->fit.bias, name, &entry);
}

bool names_variable(const struct names *names, uint64_t address, const char **name,
                    uint64_t *offset)
{
	if (names && names->exe
	    && exe_variable(names->exe, address - names->fit.data_bias, name, offset))
		return true;
	const struct runtime_variable *told = names ? runtime_variables_at(names->runtime, address)
	                                            : NULL;
	if (!told || !told->name)
		return false;
	*name = told->name;
	*offset = address - told->address;
	return true;
}

bool names_is_of_program(const struct names *names, const char *name)
{
	static const char package[] = "main.";
	return strncmp(name, package, sizeof package - 1) == 0
	       || (names && names->exe && exe_is_own(names->exe, name));
}

bool names_is_of_library(const struct names *names, const char *package)
{
	return names && names->exe && strcmp(package, "main") != 0
	       && exe_is_of_others(names->exe, package);
}

bool names_is_of_runtime(const struct names *names, uint64_t address)
{
	return names && runtime_variables_at(names->runtime, address);
}

bool symbol_is_of_runtime(struct text symbol)
{
	static const char package[] = "runtime.";
	return symbol.len > strlen(package) && memcmp(symbol.data, package, strlen(package)) == 0;
}

const char *names_file_base(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}

/* ---- Opening the executable */

/* Finds the executable: the one that the user names, or one beside the dump. */

/* Takes the library with the runtime for a program that is linked with it, of which a heap dump
   does not tell the path. Returns false with names->refused if it is not there. */
static bool names_open_linked(struct names *names, const struct heap *heap, const char *path)
{
	struct exe *program = names->exe;
	names->exe = names_modules_runtime(program, heap);
	exe_close(program);
	if (names->exe) {
		free(names->path);
		names->path = mem_strdup(exe_path(names->exe));
		return true;
	}
	text_add_escaped(&names->refused, path, strlen(path), SIZE_MAX);
	buf_add(&names->refused, " is linked with Go's packages as shared libraries, and that with the "
	                         "runtime is not here: put it beside the dump");
	return false;
}

/* Opens and checks a file. Returns false with names->refused if it is not used. */
static bool names_open_use(struct names *names, const struct heap *heap, const char *path)
{
	struct err err = {0};
	struct format_executable read = {0};
	if (heap->format->executable)
		read = heap->format->executable(heap->reader);
	free(names->path);
	names->path = mem_strdup(path);
	buf_clear(&names->refused);
	names->exe = exe_open(path, &heap->input->options, &err);
	if (!names->exe) {
		text_add_escaped(&names->refused, err.text, strlen(err.text), SIZE_MAX);
		names->wanted = true;
		return false;
	}
	names->linked = !heap->format->executable && image_is_linked(exe_image(names->exe));
	if (names->linked && !names_open_linked(names, heap, path))
		return false;
	names_modules_open(names->exe, &read);
	names->fit = exe_match_check(names->exe, heap, &read);
	if (names->fit.accepted) {
		exe_find_debug(names->exe, heap->input->path, heap->input->filter);
		names_modules_find(names, heap, names->linked ? path : NULL);
		names_add_damage(names, NULL, &names->damage);
		return true;
	}
	text_add_escaped(&names->refused, path, strlen(path), SIZE_MAX);
	buf_add(&names->refused, " is not the executable of this dump: ");
	exe_match_explain(&names->fit, &names->refused);
	exe_close(names->exe);
	names->exe = NULL;
	return false;
}

struct attempt {
	struct names *names;
	const struct heap *heap;
};

static bool use_beside(void *self, const char *path)
{
	struct attempt *attempt = self;
	return names_open_use(attempt->names, attempt->heap, path);
}

struct names *names_open(const struct heap *heap, const char *path)
{
	struct names *names = mem_alloc(sizeof *names);
	names->useless = !(heap_has(heap, PART_GO));
	if (heap->format->executable)
		path = heap->format->executable(heap->reader).path;
	if (!path && !names->useless)
		path = getenv("GOHEAPX_EXE");
	names->wanted = path && *path;
	if (names->useless)
		buf_addf(&names->refused, "a %s has all names in itself", heap->format->noun);
	else if (names->wanted)
		names_open_use(names, heap, path);
	else
		exe_beside(heap->input->path, ".exe", heap->input->filter, use_beside,
		           &(struct attempt){names, heap});
	bool symbols = names->exe && exe_image(names->exe)->symbol_count;
	names->runtime = runtime_variables_new(names->useless || symbols ? NULL : heap);
	return names;
}

void names_close(struct names *names)
{
	if (!names)
		return;
	exe_close(names->exe);
	runtime_variables_free(names->runtime);
	free(names->path);
	buf_free(&names->refused);
	buf_free(&names->damage);
	buf_free(&names->other_modules);
	free(names);
}

static void names_add_file(const char *path, struct buf *out)
{
	const char *file = names_file_base(path);
	text_add_escaped(out, file, strlen(file), SIZE_MAX);
}

/* Appends where to find names of variables for a stripped executable: Debian's package with its
   debug file has the name of the package that it came with, plus a suffix. */
static void names_add_missing(const struct names *names, struct buf *out)
{
	SCOPED_BUF package = {0}, path = {0};
	const char *before = ": ";
	struct text id = image_build_ids(exe_image(names->exe)).gnu;
	buf_add(out, ". Names of variables are in its debug file (--debug-file)");
	if (package_of(PACKAGE_LISTS, names->path, &package)) {
		buf_addf(out, "%spackage %s-dbgsym", before, buf_text(&package));
		before = ", ";
	}
	if (exe_add_debug_path(names->exe, &path)) {
		buf_addf(out, "%sbuild id ", before);
		for (size_t i = 0; i < id.len; i++)
			buf_addf(out, "%02x", (unsigned char)id.data[i]);
		buf_add(out, ", file ");
		text_add_escaped(out, path.data, path.len, SIZE_MAX);
	}
}

void names_add_damage(const struct names *names, const struct gotypes *types, struct buf *out)
{
	const struct exe *exe = names->exe;
	for (size_t i = 0; exe; exe = exe_part(names->exe, i++)) {
		SCOPED_BUF what = {0}, unread = {0};
		exe_explain_damage(exe, &what);
		if (types)
			gotypes_explain_damage(types, i, &unread);
		buf_addf(&what, "%s%s", what.len && unread.len ? "; " : "", buf_text(&unread));
		if (!what.len)
			continue;
		buf_add(out, out->len ? ". " : "");
		names_add_file(exe_path(exe), out);
		buf_addf(
			out,
			" is damaged: %s; names and types may be missing or wrong, an intact copy has them",
			buf_text(&what));
	}
}

/* Appends "all 455 frames", or "454 of 455 frames". */
static void names_add_fit(uint64_t right, uint64_t all, const char *one, const char *many,
                          struct buf *out)
{
	if (right == all && all > 1) {
		buf_add(out, "all ");
	} else {
		buf_addf(out, "%s of ", text_count(right).text);
	}
	text_add_number_of(out, all, one, many);
}

/* Appends ", one.so, two.so": the plugins that were read, too. */
static void names_add_parts(const struct exe *exe, struct buf *out)
{
	enum { NAMED = 4 };
	size_t count = 0;
	for (const struct exe *part = exe_part(exe, 0); part; part = exe_part(exe, ++count)) {
		if (count >= NAMED)
			continue;
		buf_add(out, ", ");
		names_add_file(exe_path(part), out);
		buf_add(out, exe_image(part)->stripped ? " (stripped)" : "");
	}
	if (count > NAMED)
		buf_addf(out, " and %s more", text_count(count - NAMED).text);
}

void names_explain(const struct names *names, struct buf *out)
{
	if (names->useless)
		return;
	if (!names->path) {
		buf_add(out, "No executable, so no names and no lines: goheapx DUMP EXE gives it");
		return;
	}
	if (!names->exe) {
		buf_addf(out, "No names: %s", buf_text(&names->refused));
		return;
	}
	const struct input *debug = exe_debug_input(names->exe);
	bool stripped = exe_image(names->exe)->stripped;
	buf_add(out, "Names from ");
	names_add_file(names->path, out);
	buf_add(out, stripped ? " (stripped)" : "");
	names_add_parts(names->exe, out);
	if (debug) {
		buf_add(out, " and its debug file ");
		names_add_file(debug->path, out);
	}
	buf_add(out, ": ");
	names_add_fit(names->fit.frames_right, names->fit.frames, "frame", "frames", out);
	if (names->fit.types) { /* core files have no records of types */
		buf_add(out, " and ");
		names_add_fit(names->fit.types_right, names->fit.types, "type", "types", out);
	}
	buf_add(out, " fit");
	names_modules_explain(names, out);
	if (!exe_image(names->exe)->symbol_count)
		names_add_missing(names, out);
	const char *refused = exe_debug_refused(names->exe);
	buf_addf(out, "%s%s", *refused ? ". " : "", refused);
}
