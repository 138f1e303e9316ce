#include "running_files.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };

void running_files_open(struct running_files *files, pid_t pid)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
	*files = (struct running_files){.maps = fopen(path, "re"), .pid = pid, .left = MOST};
}

bool running_files_next(struct running_files *files, struct buf *path)
{
	while (files->maps && files->left && getline(&files->line, &files->room, files->maps) > 0) {
		char *line = files->line, permissions[8];
		int at = 0;
		if (sscanf(line, "%*s %7s %*s %*s %*s %n", permissions, &at) < 1 || !at || line[at] != '/'
		    || !strchr(permissions, 'x'))
			continue;
		line[strcspn(line, "\n")] = '\0';
		files->left--;
		buf_clear(path);
		buf_addf(path, "/proc/%d/root%s", (int)files->pid, line + at);
		return true;
	}
	return false;
}

void running_files_close(struct running_files *files)
{
	free(files->line);
	if (files->maps)
		fclose(files->maps);
}
