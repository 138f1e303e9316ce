/* The table of formats. */
#include "format/format.h"

#include "format/plugins.h"

const struct format *const formats[] = {
	&format_go17,
	NULL,
};

const struct format *format_find(const struct input *input, struct err *err)
{
	for (int i = 0; formats[i]; i++)
		if (formats[i]->probe(input->data, input->size))
			return formats[i];
	static const char go[] = "go1.";
	if (input->size >= sizeof go - 1 && __builtin_memcmp(input->data, go, sizeof go - 1) == 0)
		err_at(err, 0, "%s is a heap dump of a Go version that goheapx does not read; "
		       "it reads those of Go 1.7 and later", input->path);
	else
		err_at(err, 0, "%s does not begin like a heap dump (\"go1.7 heap dump\"); "
		       "debug.WriteHeapDump writes one", input->path);
	return NULL;
}
