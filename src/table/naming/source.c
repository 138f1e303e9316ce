#include "table/naming/source.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_LIMIT = 400 };

void source_add(const struct pclntab_line *line, struct buf *out)
{
	const char *file = line->file ? names_file_base(line->file) : "";
	if (!*file || !line->line)
		return;
	text_add_escaped(out, file, strlen(file), NAME_LIMIT);
	buf_addf(out, ":%" PRIu64, line->line);
}

void source_add_call(const struct pclntab_line *line, struct buf *out)
{
	text_add_symbol(out, line->function, strlen(line->function), NAME_LIMIT);
	buf_add(out, "  ");
	source_add(line, out);
}

bool source_of_frame(const struct analysis *analysis, uint32_t frame, struct pclntab_line *line)
{
	struct pclntab_line lines[EXE_LINES];
	size_t count = names_frame(analysis_names(analysis), analysis_heap(analysis), frame, lines);
	if (count)
		*line = lines[count - 1];
	return count > 0;
}

void source_add_frame(const struct analysis *analysis, uint32_t frame, struct buf *out)
{
	struct pclntab_line line;
	if (!source_of_frame(analysis, frame, &line))
		return;
	buf_add_char(out, ' ');
	source_add(&line, out);
}

/* ---- Places */

bool source_place(const struct pclntab_line *line, struct buf *file, uint64_t *number)
{
	if (!line->file || !*line->file || !line->line)
		return false;
	buf_add(file, line->file);
	*number = line->line;
	return true;
}
