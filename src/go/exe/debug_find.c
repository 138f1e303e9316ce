/* Searches for the debug file of an executable: the file that the user names; beside the executable
   and the dump; by .gnu_debuglink and by build id in the folders that gdb searches. */
#include "debug_file.h"

#include "base/text.h"
#include "go/exe/exe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEBUG_FOLDER "/usr/lib/debug"

enum { ID_LEAST = 2, ID_MOST = 64 }; /* limits of a build id in bytes */

struct debug_search {
	struct debug_file *file;
	const struct image *image;
	const struct input *exe;
	struct buf *refused;
};

static void debug_find_refuse(struct debug_search *search, const char *path, const char *why)
{
	buf_add(search->refused, search->refused->len ? ". " : "");
	text_add_escaped(search->refused, path, strlen(path), SIZE_MAX);
	buf_add(search->refused, " is not used: ");
	text_add_escaped(search->refused, why, strlen(why), SIZE_MAX);
}

static bool debug_find_try(struct debug_search *search, const char *path)
{
	struct err err = {0};
	struct stat x, y;
	if (stat(path, &x) == 0 && stat(search->exe->path, &y) == 0 && x.st_dev == y.st_dev
	    && x.st_ino == y.st_ino)
		return false;
	if (debug_file_open(search->file, search->image, path, &search->exe->options, &err))
		return true;
	debug_find_refuse(search, path, err.text);
	return false;
}

static bool debug_find_use(void *self, const char *path)
{
	return debug_find_try(self, path);
}

/* Tries a file, plain or compressed. */
static bool debug_find_at(struct debug_search *search, const struct buf *path)
{
	return exe_try_packed(buf_text(path), debug_find_use, search);
}

static bool debug_find_in(struct debug_search *search, const char *folder, const char *between,
                          const char *name)
{
	SCOPED_BUF path = {0};
	buf_addf(&path, "%s%s%s", folder, between, name);
	return debug_find_at(search, &path);
}

/* Tries the places of .gnu_debuglink. `program` is the path of the executable below the folder
   `root`. */
static bool debug_find_by_link(struct debug_search *search, const char *root, const char *program)
{
	struct debug_link link = debug_link_of(search->image);
	const char *slash = strrchr(program, '/');
	SCOPED_BUF folder = {0}, global = {0};
	buf_addf(&folder, "%s", root);
	buf_add_bytes(&folder, program, slash ? (size_t)(slash - program) + 1 : 0);
	buf_addf(&global, "%s%s", root, exe_debug_folder());
	buf_add_bytes(&global, program, slash ? (size_t)(slash - program) + 1 : 0);
	bool found =
		link.name
		&& (debug_find_in(search, buf_text(&folder), "", link.name)
	        || debug_find_in(search, buf_text(&folder), ".debug/", link.name)
	        || (*program == '/' && debug_find_in(search, buf_text(&global), "", link.name)));
	return found;
}

static bool debug_find_by_id(struct debug_search *search, const char *root)
{
	SCOPED_BUF path = {0};
	buf_add(&path, root);
	return debug_file_add_path(search->image, &path) && debug_find_at(search, &path);
}

/* Splits the path of an executable. If it is /proc/PID/exe of a process in another mount namespace,
 *root is the root folder of the process and *program the path inside it. */
static void debug_find_roots(const char *path, struct buf *root, struct buf *program)
{
	char target[4096];
	size_t len = strlen(path);
	bool process = strncmp(path, "/proc/", 6) == 0 && len > 4
	               && strcmp(path + len - 4, "/exe") == 0;
	ssize_t got = process ? readlink(path, target, sizeof target) : -1;
	if (got > 0 && (size_t)got < sizeof target) {
		buf_addf(root, "%.*s/root", (int)len - 4, path);
		buf_add_bytes(program, target, (size_t)got);
	} else {
		buf_add(program, path);
	}
}

static bool debug_find_around(struct debug_search *search)
{
	SCOPED_BUF root = {0}, program = {0};
	debug_find_roots(search->exe->path, &root, &program);
	return debug_find_by_link(search, buf_text(&root), buf_text(&program))
	       || debug_find_by_id(search, buf_text(&root))
	       || (root.len && debug_find_by_id(search, ""));
}

bool debug_file_find(struct debug_file *file, const struct image *image, const struct input *exe,
                     const char *dump, bool packed, struct buf *refused)
{
	struct debug_search search = {file, image, exe, refused};
	const char *named = exe->options.debug_file;
	bool complete = !image->stripped && image_has_dwarf(image);
	if (named && complete)
		debug_find_refuse(&search, named,
		                  "the executable has symbols and debug information itself");
	if (complete || named)
		return !complete && debug_find_try(&search, named);
	return exe_beside(exe->path, ".debug", exe->filter, debug_find_use, &search)
	       || (dump && exe_beside(dump, ".debug", packed, debug_find_use, &search))
	       || debug_find_around(&search);
}

const char *exe_debug_folder(void)
{
	const char *given = getenv("GOHEAPX_DEBUG_DIR");
	return given && *given ? given : DEBUG_FOLDER;
}

bool debug_file_add_path(const struct image *image, struct buf *out)
{
	struct text id = image_build_ids(image).gnu;
	if (id.len < ID_LEAST || id.len > ID_MOST)
		return false;
	buf_addf(out, "%s/.build-id/", exe_debug_folder());
	for (size_t i = 0; i < id.len; i++)
		buf_addf(out, "%02x%s", (unsigned)(uint8_t)id.data[i], i ? "" : "/");
	buf_add(out, ".debug");
	return true;
}
