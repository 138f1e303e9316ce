/* Completion of names of files: as shells do it, and of runtimes of the process. */
#include "ui/completing.h"

#include "analysis/analysis.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
#include "ui/command.h"
#include "ui/state.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_ENTRIES = 100000, LONGEST = 4096 };

/* Returns true for a name that can be typed and shown as it is: without control characters and
   other bytes that are no text, and without what a line of commands gives a meaning. */
static bool file_is_word(const char *name)
{
	SCOPED_BUF visible = {0};
	size_t length = strlen(name);
	text_add_escaped(&visible, name, length, LONGEST);
	return length && strcmp(buf_text(&visible), name) == 0 && !strpbrk(name, ";\"")
	       && name[0] != ' ' && name[length - 1] != ' ';
}

static bool file_is_folder(DIR *folder, const struct dirent *entry)
{
	struct stat info;
	if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK)
		return entry->d_type == DT_DIR;
	return fstatat(dirfd(folder), entry->d_name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

/* Adds a file whose path begins with `path`, of which the first `length` bytes name its folder; the
   word that is completed begins at byte `skip`. Of . and .. two dots must have been typed. */
static void complete_add_file(struct completion *c, DIR *folder, const struct dirent *entry,
                              const char *path, size_t length, size_t skip)
{
	const char *name = entry->d_name, *typed = path + length;
	bool itself = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
	SCOPED_BUF whole = {0};
	if (strncmp(name, typed, strlen(typed)) != 0 || (itself && strcmp(name, typed) != 0)
	    || !file_is_word(name))
		return;
	buf_add_bytes(&whole, path, length);
	buf_addf(&whole, "%s%s", name, file_is_folder(folder, entry) ? "/" : "");
	completion_add(c, buf_text(&whole) + skip);
}

void complete_files(struct completion *c)
{
	SCOPED_BUF text = {0}, name = {0};
	if (c->count) /* formats or runtimes that the word may be */
		return;
	buf_addf(&text, "%s%.*s", c->before, (int)c->prefix_len, c->prefix);
	const char *path = buf_text(&text) + strspn(buf_text(&text), " ");
	size_t word = strcspn(path, " ./"), next = word + strspn(path + word, " ");
	if (command_takes(c->command) & TAKES_FORMAT && next > word)
		path += next;
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	buf_add_bytes(&name, path, length);
	DIR *folder = opendir(length ? buf_text(&name) : ".");
	struct dirent *entry;
	for (int i = 0; folder && i < MOST_ENTRIES && (entry = readdir(folder)); i++)
		complete_add_file(c, folder, entry, path, length, strlen(path) - c->prefix_len);
	if (folder)
		closedir(folder);
}

void complete_runtimes(struct completion *c)
{
	const struct analysis *analysis = c->explorer->analysis;
	const struct heap *heap = analysis_has(analysis, STAGE_READ) ? analysis_heap(analysis) : NULL;
	const char *path;
	if (!heap || !heap->reader || !heap->format->other_runtime)
		return;
	for (size_t i = 0; (path = heap->format->other_runtime(heap->reader, i)); i++) {
		const char *slash = strrchr(path, '/');
		const char *name = slash && *c->prefix != '/' ? slash + 1 : path;
		if (complete_is_word(name))
			completion_add(c, name);
	}
}
