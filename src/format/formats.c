/* The table of formats. */
#include "format/format.h"

#include "format/plugins.h"

const struct format *const formats[] = {
	&format_go17, &format_go16, &format_go15, &format_go14, &format_go13early, &format_go13beta,
	&format_go13,
	NULL,
};

const struct format *format_find(const struct input *input, struct err *err)
{
	for (int i = 0; formats[i]; i++)
		if (formats[i]->probe(formats[i], input->data, input->size))
			return formats[i];
	err_at(err, 0, "%s does not begin like a heap dump (\"go1.7 heap dump\"); debug.WriteHeapDump "
	       "writes one", input->path);
	return NULL;
}
