#include "ui/breakdown_lines.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { OPENED = 16 }; /* lines that are opened at first, at most */

uint64_t breakdown_lines_total(const struct breakdown_lines *lines)
{
	return lines->breakdown->cell[0].size;
}

static size_t parts_of(const struct breakdown_lines *lines, uint32_t cell, enum axis axis,
                       struct part **parts)
{
	uint64_t least = choice_least(&lines->choice, breakdown_lines_total(lines));
	return breakdown_telling_parts(lines->breakdown, cell, axis, least, parts);
}

static bool has_parts(const struct breakdown_lines *lines, uint32_t cell, enum axis axis)
{
	struct part *parts;
	bool has = parts_of(lines, cell, axis, &parts) > 0;
	free(parts);
	return has;
}

/* By stack as far as that goes, then by type. */
static struct breakdown_line make_line(const struct breakdown_lines *lines,
                                       const struct part *part, enum axis axis, int depth)
{
	struct breakdown_line line = {.part = *part, .axis = axis, .depth = depth};
	if (part->cell == CELL_NONE)
		return line;
	bool stack = has_parts(lines, part->cell, AXIS_STACK);
	line.by = stack ? AXIS_STACK : AXIS_TYPE;
	line.can_open = stack || has_parts(lines, part->cell, AXIS_TYPE);
	return line;
}

/* Rows below a row that are parts of it, or of its parts. */
static size_t below(const struct breakdown_lines *lines, size_t row)
{
	size_t end = row + 1;
	while (end < lines->count && lines->line[end].depth > lines->line[row].depth)
		end++;
	return end - row - 1;
}

void breakdown_lines_close(struct breakdown_lines *lines, size_t row)
{
	size_t gone = below(lines, row), from = row + 1 + gone;
	memmove(lines->line + row + 1, lines->line + from, (lines->count - from) * sizeof *lines->line);
	lines->count -= gone;
	lines->line[row].open = false;
}

static void insert(struct breakdown_lines *lines, size_t at, const struct breakdown_line *line)
{
	lines->line = mem_grow(lines->line, lines->count, &lines->capacity, sizeof *lines->line);
	memmove(lines->line + at + 1, lines->line + at, (lines->count++ - at) * sizeof *lines->line);
	lines->line[at] = *line;
}

void breakdown_lines_open(struct breakdown_lines *lines, size_t row)
{
	struct part *parts;
	struct breakdown_line whole = lines->line[row];
	if (whole.open || !whole.can_open)
		return;
	size_t count = parts_of(lines, whole.part.cell, whole.by, &parts);
	for (size_t i = count; i-- > 0;) {
		struct breakdown_line line = make_line(lines, &parts[i], whole.by, whole.depth + 1);
		insert(lines, row + 1, &line);
	}
	lines->line[row].open = true;
	free(parts);
}

void breakdown_lines_start(struct breakdown_lines *lines)
{
	const struct breakdown_cell *all = &lines->breakdown->cell[0];
	struct part part = {.size = all->size, .count = all->count, .before = all->before};
	struct breakdown_line whole = make_line(lines, &part, AXIS_STACK, 0);
	lines->count = 0;
	insert(lines, 0, &whole);
	for (size_t row = 0; row < OPENED && row < lines->count; row++) {
		const struct breakdown_line *line = &lines->line[row];
		if (row && (line->part.size < breakdown_lines_total(lines) / 2 || !line->can_open))
			break;
		breakdown_lines_open(lines, row);
	}
}

bool breakdown_lines_turn(struct breakdown_lines *lines, size_t row, struct err *err)
{
	struct breakdown_line *line = &lines->line[row];
	enum axis other = line->by == AXIS_STACK ? AXIS_TYPE : AXIS_STACK;
	if (line->part.cell == CELL_NONE || !has_parts(lines, line->part.cell, other))
		return err_set(err, "Nothing more is known of this row %s",
		               other == AXIS_TYPE ? "by type" : "by stack");
	breakdown_lines_close(lines, row);
	lines->line[row].by = other;
	breakdown_lines_open(lines, row);
	return true;
}
