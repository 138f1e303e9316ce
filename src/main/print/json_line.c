#include "main/print/json_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void json_line_write(json_t *message, bool *gone)
{
	char *text = json_dumps(message, JSON_COMPACT);
	size_t len = text ? strlen(text) : 0, done = 0;
	if (text)
		text[len++] = '\n'; /* in place of its end */
	while (done < len && !*gone) {
		ssize_t written = write(STDOUT_FILENO, text + done, len - done);
		if (written >= 0)
			done += (size_t)written;
		else
			*gone = errno != EINTR;
	}
	free(text);
	json_decref(message);
}
