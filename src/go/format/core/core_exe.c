/* Finds the executable of a core file: the one that the user names, one beside the core file, or
   the one at the path in the core file. */
#include "core_exe.h"

#include "core_library.h"

#include "base/buf.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MAPPINGS = 1 << 12 }; /* that are looked at */

static void add_quoted(struct buf *out, const char *text, size_t len)
{
	buf_add(out, " ");
	text_add_escaped(out, text, len, 100); /* leaves room for both build ids */
}

/* Sets *err, starting with the program's name from the core file; returns false. */
static bool core_exe_refuse(const struct core_file *file, const struct err *why, struct err *err)
{
	SCOPED_BUF text = {0};
	if (!file->program.len)
		return err_set(err, "%s", why->text);
	buf_add(&text, "The core file is of the program");
	add_quoted(&text, file->program.data, file->program.len);
	buf_addf(&text, ": %s", why->text);
	return err_set(err, "%s", buf_text(&text));
}

/* Opens and checks an executable. Returns false with *err if it is not the right one. */
static bool try_exe(struct core_runtime *rt, const char *path, const char *in_core, struct err *err)
{
	struct exe *exe = exe_open(path, &rt->options, err);
	if (!exe)
		return false;
	if (image_is_linked(exe_image(exe))) {
		exe_close(exe);
		rt->linked = true;
		return err_set(err,
		               "%s is linked with Go's packages as shared libraries, and that with the "
		               "runtime is not here: goheapx CORE --exe LIBRARY names it",
		               path);
	}
	struct text has = core_build_id_of(exe);
	struct text wants = in_core ? core_build_id(&rt->memory.file, in_core) : (struct text){0};
	const struct core_mapping *library = !in_core || (wants.len && text_equal(has, wants))
	                                         ? NULL
	                                         : core_library_of(&rt->memory.file, in_core, exe);
	if (!library && has.len && wants.len && !text_equal(has, wants)) {
		SCOPED_BUF text = {0};
		add_quoted(&text, path, strlen(path));
		buf_add(&text, " is of another build: the core file is of build id");
		add_quoted(&text, wants.data, wants.len);
		buf_add(&text, ", the executable of");
		add_quoted(&text, has.data, has.len);
		err_set(err, "%s", buf_text(&text) + 1);
		exe_close(exe);
		return false;
	}
	bool differs = false,
		 same = library && !has.len && core_library_is(&rt->memory.file, library, exe, &differs);
	if (differs) {
		exe_close(exe);
		return err_set(err, "%s is of another build than the library that the process has loaded",
		               path);
	}
	rt->memory.exe = exe;
	rt->library = library != NULL;
	if (library)
		rt->memory.bias = library->start - core_library_start(exe);
	rt->proven = same
	             || (has.len
	                 && (library ? text_equal(core_build_id(&rt->memory.file, library->path), has)
	                             : wants.len));
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

/* Opens the program, or a library that the process has loaded, at one of the paths where it may be.
 */
static bool try_path_at(struct core_runtime *rt, const char *core_path, const char *in_core,
                        const char *path)
{
	char *paths[CORE_LIBRARY_PATHS];
	bool found = false;
	core_library_paths(&rt->memory.file, core_path, path, paths);
	for (size_t i = 0; i < CORE_LIBRARY_PATHS; i++) {
		struct err ignored = {0};
		found = found || (exe_may_be(paths[i]) && try_exe(rt, paths[i], in_core, &ignored));
		free(paths[i]);
	}
	return found;
}

/* Returns true for a path, or the name at its end. */
static bool is_named(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	return strcmp(path, name) == 0 || (slash && strcmp(slash + 1, name) == 0);
}

/* Opens the program or Go library of the process that has a path, or a name. */
static bool try_named(struct core_runtime *rt, const char *core_path, const char *in_core,
                      const char *name)
{
	const struct core_file *file = &rt->memory.file;
	if (in_core && is_named(in_core, name))
		return try_path_at(rt, core_path, in_core, in_core);
	const struct core_mapping *at = core_library_next(file, in_core, NULL);
	while (at && !is_named(at->path, name))
		at = core_library_next(file, in_core, at);
	return at && try_path_at(rt, core_path, in_core, at->path);
}

/* Finds the library with the runtime of a program that is linked with it, which has no build id of
   Go. Returns false if it is missing. */
static bool try_linked(struct core_runtime *rt, const char *core_path, const char *in_core)
{
	const struct core_file *file = &rt->memory.file;
	for (size_t i = 0; i < file->mappings && i < MOST_MAPPINGS; i++) {
		const char *path = file->mapping[i].path, *slash = strrchr(path, '/');
		bool named = slash && strncmp(slash, "/lib", 4) == 0 && strstr(slash, ".so");
		if (named && (!i || strcmp(file->mapping[i - 1].path, path) != 0)
		    && try_path_at(rt, core_path, in_core, path))
			return true;
	}
	return false;
}

/* Finds the Go library loaded by a program that is not written in Go, or is linked with the
   runtime. Returns false with *err if it is missing. */
static bool try_library(struct core_runtime *rt, const char *core_path, const char *in_core,
                        struct err *err)
{
	const struct core_file *file = &rt->memory.file;
	const struct core_mapping *library = core_library_next(file, in_core, NULL);
	if (rt->linked)
		return try_linked(rt, core_path, in_core);
	if (!library || (in_core && core_build_id(file, in_core).len))
		return false;
	for (const struct core_mapping *at = library; at; at = core_library_next(file, in_core, at))
		if (try_path_at(rt, core_path, in_core, at->path))
			return true;
	SCOPED_BUF text = {0};
	buf_add(&text, "It is no Go program itself, but has loaded a Go library, which is not here: "
	               "goheapx CORE --exe LIBRARY names it; it was");
	add_quoted(&text, library->path, strlen(library->path));
	*err = (struct err){0};
	return err_set(err, "%s", buf_text(&text));
}

bool core_find_exe(struct core_runtime *rt, const char *core_path, bool packed,
                   const char *exe_path, struct err *err)
{
	struct err tried = {0};
	const char *in_core = core_file_path(&rt->memory.file, rt->memory.file.entry);
	if (exe_path)
		return try_exe(rt, exe_path, in_core, &tried) || try_named(rt, core_path, in_core, exe_path)
		       || (exe_may_be(exe_path) && try_library(rt, core_path, in_core, &tried))
		       || core_exe_refuse(&rt->memory.file, &tried, err);
	struct exe_search search = {rt, in_core, &tried};
	if (exe_beside(core_path, ".exe", packed, try_beside, &search)
	    || (in_core && exe_may_be(in_core) && try_exe(rt, in_core, in_core, &tried))
	    || try_library(rt, core_path, in_core, &tried))
		return true;
	if (*tried.text)
		return core_exe_refuse(&rt->memory.file, &tried, err);
	SCOPED_BUF text = {0};
	struct text id = in_core ? core_build_id(&rt->memory.file, in_core) : (struct text){0};
	buf_add(&text, "A core file can only be read with the program's executable, which is not here: "
	               "goheapx CORE EXE names it");
	if (in_core) {
		buf_add(&text, "; it was");
		add_quoted(&text, in_core, strlen(in_core));
	} else if (rt->memory.file.program.len) {
		buf_add(&text, "; it is called");
		add_quoted(&text, rt->memory.file.program.data, rt->memory.file.program.len);
	}
	if (id.len) {
		buf_add(&text, ", build id");
		add_quoted(&text, id.data, id.len);
	}
	return err_set(err, "%s", buf_text(&text));
}
