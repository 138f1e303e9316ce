/* A grid of cells that views draw on. It does not depend on a terminal: src/ui/term.c copies it to
   curses, src/ui/script.c prints it as text, tests compare it. */
#pragma once

#include "base/buf.h"
#include "report/style.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const char *const style_names[STYLE_COUNT]; /* "plain", "faint", ... for canvas_print */

struct cell {
	uint32_t codepoint; /* 0: the right half of a wide character */
	uint32_t mark;      /* a combining character over it, or 0 */
	uint8_t style;
	bool cursor; /* part of the cursor line */
};
struct canvas_cut; /* a text that did not fit */
struct canvas {
	int width, height;
	bool ascii;             /* draw ASCII only: … becomes ~, lines and blocks become - | # */
	struct cell *cells;     /* height rows of width */
	struct canvas_cut *cut; /* the texts that canvas_middle has cut since it was cleared */
	size_t cuts, cut_capacity;
};

void canvas_init(struct canvas *canvas, int width, int height);
void canvas_resize(struct canvas *canvas, int width, int height); /* clears */
void canvas_fini(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
void canvas_clear_line(struct canvas *canvas, int y); /* also clears the cursor mark */

/* Writes UTF-8 text at (y, x), clipped to the canvas and to `width` columns (< 0: to the edge).
   Returns the column after it. Control characters and invalid bytes become visible marks, so that
   no bytes of a dump reach a terminal unescaped. */
int canvas_text(struct canvas *canvas, int y, int x, int width, enum style style, const char *text);
int canvas_textf(struct canvas *canvas, int y, int x, int width, enum style style,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Writes text right-aligned in `width` columns; truncates it like canvas_middle. */
void canvas_right(struct canvas *canvas, int y, int x, int width, enum style style,
                  const char *text);
/* Writes text left-aligned. Shortens a longer text in this order: package paths, arguments of
   generic types, then its middle, replaced by …; keeps its last name as long as possible. Two
   different texts above each other stay different: of these, what both begin with is replaced. */
void canvas_middle(struct canvas *canvas, int y, int x, int width, enum style style,
                   const char *text);
/* Like canvas_middle, but truncates the end. */
void canvas_begin(struct canvas *canvas, int y, int x, int width, enum style style,
                  const char *text);
void canvas_rule(struct canvas *canvas, int y); /* draws a horizontal line */
/* Draws a bar of share (0 ... 1) of the width, with a resolution of an eighth of a cell. */
void canvas_bar(struct canvas *canvas, int y, int x, int width, double share);
/* Restyles the cells behind a share (0 ... 1) of the width, rounded: a bar under a number. */
void canvas_shade(struct canvas *canvas, int y, int x, int width, double share);
/* Copies the rows first ... end - 1 of a narrower canvas to the same rows, from column x on. */
void canvas_paste(struct canvas *canvas, int x, const struct canvas *part, int first, int end);
void canvas_cursor_line(struct canvas *canvas, int y); /* marks a row as the cursor line */
/* Restyles every occurrence of `needle` in a row; ignores case unless it has capitals. True: there
   is one. */
bool canvas_match(struct canvas *canvas, int y, const char *needle);
/* Appends the text of one row, without trailing blanks. */
void canvas_row(const struct canvas *canvas, int y, struct buf *out);

/* Appends the screen as text, rows without trailing blanks. With `marks`, a line with the runs of
   styles (first and last column) follows each row with any: "^ 2-14 link, 20-27 head, cursor". */
void canvas_print(const struct canvas *canvas, bool marks, struct buf *out);
