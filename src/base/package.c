#include "base/package.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/user_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MOST = 1 << 24 }; /* bytes of a list */

/* Returns true if a list has a line with that path. */
static bool package_lists(const char *list, const char *path)
{
	size_t len = strlen(path);
	for (const char *at = list; (at = strstr(at, path)); at += len)
		if ((at == list || at[-1] == '\n') && (at[len] == '\n' || !at[len]))
			return true;
	return false;
}

/* Appends the name of a package by that of its list, "bash.list" or "libc6:amd64.list". False: it
   is no list, or lacks the file. */
static bool package_has(const char *lists, const char *entry, const char *path, struct buf *name)
{
	static const char end[] = ".list";
	SCOPED_BUF file = {0}, text = {0};
	size_t len = strlen(entry);
	if (len < sizeof end || strcmp(entry + len - (sizeof end - 1), end) != 0)
		return false;
	buf_addf(&file, "%s/%s", lists, entry);
	if (!user_file_read(buf_text(&file), LIST_MOST, &text, &(struct err){0}))
		return false;
	/* Lists name /bin/x what a system with one folder for programs has in /usr/bin/x. */
	bool usr = strncmp(path, "/usr/", 5) == 0;
	if (!package_lists(buf_text(&text), path)
	    && !(usr && package_lists(buf_text(&text), path + strlen("/usr"))))
		return false;
	text_add_escaped(name, entry, strcspn(entry, ":") < len ? strcspn(entry, ":") : len - 5,
	                 SIZE_MAX);
	return true;
}

bool package_of(const char *lists, const char *path, struct buf *name)
{
	SCOPED_FREE char *real = realpath(path, NULL);
	DIR *folder = real ? opendir(lists) : NULL;
	bool found = false;
	for (struct dirent *entry; folder && !found && (entry = readdir(folder));)
		found = package_has(lists, entry->d_name, real, name);
	if (folder)
		closedir(folder);
	return found;
}
