/* The colors of styles: one palette for 256 colors, one for 8, each for dark and for light
   backgrounds; `color` changes single styles. Part of ui/term.h. */
#include "ui/term_color.h"

#include "base/text.h"
#include "ui/term.h"

#include <stdlib.h>
#include <string.h>

/* Foregrounds and attributes with and without color. The colors for light backgrounds of 256 have a
   contrast of 4 or more to white as well as to black: they are also used where the background is
   unknown. Of 8 colors, only red and magenta can be read on both, so that the others are used where
   the background is known. */
static const struct look {
	short dark8, light8, dark, light;
	attr_t always, mono;
} looks[STYLE_COUNT] = {
	[STYLE_PLAIN] = {-1, -1, -1, -1, A_NORMAL, A_NORMAL},
	[STYLE_FAINT] = {-1, -1, 245, 243, A_NORMAL, A_DIM},
	[STYLE_HEAD] = {-1, -1, -1, -1, A_BOLD, A_BOLD},
	[STYLE_LINK] = {COLOR_CYAN, COLOR_BLUE, 38, 31, A_NORMAL, A_NORMAL},
	[STYLE_WARNING] = {COLOR_RED, COLOR_RED, 203, 161, A_BOLD, A_BOLD},
	[STYLE_GUESS] = {COLOR_MAGENTA, COLOR_MAGENTA, 176, 133, A_NORMAL, A_NORMAL},
	[STYLE_BAR] = {COLOR_GREEN, COLOR_BLUE, 71, 28, A_NORMAL, A_NORMAL},
	[STYLE_MATCH] = {COLOR_MAGENTA, COLOR_MAGENTA, 205, 162, A_BOLD | A_UNDERLINE,
                     A_BOLD | A_UNDERLINE},
	[STYLE_ADDRESS] = {COLOR_CYAN, COLOR_BLUE, 73, 30, A_NORMAL, A_NORMAL},
	[STYLE_BLOCK] = {COLOR_GREEN, COLOR_BLUE, 71, 28, A_REVERSE, A_REVERSE},
	[STYLE_BLOCK_NEXT] = {COLOR_CYAN, COLOR_MAGENTA, 73, 30, A_REVERSE, A_UNDERLINE},
	[STYLE_GREW] = {COLOR_RED, COLOR_RED, 167, 161, A_REVERSE, A_REVERSE | A_BOLD},
	[STYLE_NEW] = {COLOR_MAGENTA, COLOR_MAGENTA, 176, 133, A_REVERSE, A_REVERSE | A_BOLD},
	[STYLE_WASTE] = {COLOR_YELLOW, -1, 178, 130, A_NORMAL, A_BOLD},
	[STYLE_SHRANK] = {COLOR_GREEN, COLOR_BLUE, 74, 31, A_REVERSE, A_UNDERLINE},
};

const char *const term_color_names[COLOR_NAMES] = {
	"default", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
};
const char *const term_attribute_names[ATTRIBUTE_NAMES] = {"bold", "dim", "underline", "reverse"};

static struct {
	bool available, on, colored[STYLE_COUNT]; /* colored: the style has a color pair */
	enum term_background background;
	struct chosen { /* by `color` */
		bool set;
		short colors[2]; /* foreground and background; -1: the terminal's own */
		attr_t attributes;
	} chosen[STYLE_COUNT];
} state;

/* Returns the color of a style: -1: the terminal's own. */
static short color_of(const struct look *look)
{
	if (COLORS >= 256)
		return state.background == BACKGROUND_DARK ? look->dark : look->light;
	if (state.background == BACKGROUND_UNKNOWN)
		return look->dark8 == look->light8 ? look->dark8 : -1;
	return state.background == BACKGROUND_DARK ? look->dark8 : look->light8;
}

/* Makes the pairs of curses, after a change of the palette. */
static void color_pairs(void)
{
	for (short style = 0; state.available && style < STYLE_COUNT; style++) {
		const struct chosen *chosen = &state.chosen[style];
		short pair[2] = {color_of(&looks[style]), -1};
		for (int i = 0; chosen->set && i < 2; i++)
			pair[i] = chosen->colors[i] < COLORS ? chosen->colors[i] : -1;
		state.colored[style] = (pair[0] >= 0 || pair[1] >= 0)
		                       && init_pair((short)(style + 1), pair[0], pair[1]) == OK;
	}
}

void term_color_begin(void)
{
	const char *no_color = getenv("NO_COLOR"), *type = getenv("TERM");
	/* "15;0": the numbers of the foreground and the background, set by rxvt, Konsole and others. */
	const char *known = getenv("COLORFGBG"), *last = known ? strrchr(known, ';') : NULL;
	uint64_t number;
	if (state.background == BACKGROUND_UNKNOWN && last && text_parse_number(last + 1, &number))
		state.background = number == 7 || number > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
	else if (state.background == BACKGROUND_UNKNOWN && type && strcmp(type, "linux") == 0)
		state.background = BACKGROUND_DARK;
	state.available = has_colors() && start_color() == OK && use_default_colors() == OK;
	color_pairs();
	term_color(!(no_color && *no_color));
}

void term_color(bool on)
{
	state.on = on && state.available;
}

void term_background(enum term_background background)
{
	state.background = background;
	color_pairs();
}

attr_t term_color_of(const struct cell *cell, short *pair)
{
	const struct chosen *chosen = &state.chosen[cell->style];
	bool colored = state.on && state.colored[cell->style];
	*pair = 0;
	if (cell->cursor) /* the cursor bar hides other styles, except matches */
		return A_REVERSE | (cell->style == STYLE_MATCH ? A_UNDERLINE : A_NORMAL);
	if (colored)
		*pair = (short)(cell->style + 1);
	if (chosen->set)
		return chosen->attributes;
	return colored ? looks[cell->style].always : looks[cell->style].mono;
}

/* ---- The command `color` */

/* Reads a color by name or number; -1 is the terminal's own. */
static bool color_parse(const char *word, short *color)
{
	uint64_t number;
	for (short i = -1; i < (short)(COLOR_NAMES - 1); i++)
		if (strcmp(term_color_names[i + 1], word) == 0)
			return *color = i, true;
	if (!text_parse_number(word, &number) || number > 255)
		return false;
	return *color = (short)number, true;
}

/* Adds an attribute by name. */
static bool attribute_parse(const char *word, attr_t *attributes)
{
	static const attr_t values[ATTRIBUTE_NAMES] = {A_BOLD, A_DIM, A_UNDERLINE, A_REVERSE};
	for (size_t i = 0; i < ATTRIBUTE_NAMES; i++)
		if (strcmp(term_attribute_names[i], word) == 0)
			return *attributes |= values[i], true;
	return false;
}

/* Reads one more word; false: it does not belong there. */
static bool chosen_take(struct chosen *chosen, const char *word, int *colors)
{
	if (*colors < 2 && !chosen->attributes && color_parse(word, &chosen->colors[*colors]))
		return ++*colors, true;
	return *colors && attribute_parse(word, &chosen->attributes);
}

bool term_color_set(const char *argument, struct err *err)
{
	struct chosen chosen = {.set = true, .colors = {-1, -1}};
	SCOPED_BUF word = {0}, shown = {0};
	int style = -1, colors = 0;
	bool right = true;
	for (const char *at = argument; right && *(at += strspn(at, " ")); at += strcspn(at, " ")) {
		buf_clear(&word);
		buf_add_bytes(&word, at, strcspn(at, " "));
		if (style >= 0) {
			right = chosen_take(&chosen, buf_text(&word), &colors);
			continue;
		}
		while (++style < STYLE_COUNT && strcmp(style_names[style], buf_text(&word)) != 0)
			;
		right = style < STYLE_COUNT;
	}
	text_add_escaped(&shown, buf_text(&word), word.len, 60);
	if (!right)
		err_set(err, "\"%s\" is no %s here: help color", buf_text(&shown),
		        style == STYLE_COUNT ? "style"
		        : colors < 2         ? "color or attribute"
		                             : "attribute");
	else if (!colors)
		right = err_set(err, "Give a style, a color and attributes: color link blue default bold");
	if (!right)
		return false;
	state.chosen[style] = chosen;
	color_pairs();
	return true;
}
