/* The terminal through curses: opening it, output of cells, waiting for input. */
#include "ui/term.h"

#include "ui/terminfo_table.h"

#include "base/buf.h"
#include "base/text.h"
#include "ui/restore.h"
#include "ui/term_color.h"

#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

enum { ESCAPE_DELAY_MS = 25 };

/* A type that nearly every current terminal understands. */
static const char FALLBACK[] = "xterm-256color";

static struct {
	SCREEN *screen;
	bool open, utf8;
	const char *fallback; /* the type used instead of the terminal's own; NULL: its own */
} term;

/* Puts the built-in description of a terminal type into the environment, where curses reads it, for
   containers without any. False: none is built in, or the user has set one. */
static bool terminfo_lend(const char *type)
{
	if (getenv("TERMINFO"))
		return false;
	for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++)
		if (strcmp(terminals[i].type, type) == 0)
			return setenv("TERMINFO", terminals[i].description, 1) == 0;
	return false;
}

/* ---- Open and close */

/* Prepares the string that undoes what curses has set, for the signal handlers. */
static void prepare_reset(void)
{
	static const char *const names[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
	SCOPED_BUF reset = {0};
	const char *mouse = tigetstr("kmous");
	if (mouse && mouse != (char *)-1)
		buf_add(&reset, "\033[?1000l\033[?1002l\033[?1006l");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const char *text = tigetstr(names[i]); text && text != (char *)-1 && *text;) {
			if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
				text = strchr(text, '>') + 1; /* padding, which only printing terminals need */
			else
				buf_add_char(&reset, *text++);
		}
	restore_set(buf_text(&reset), reset.len);
}

void term_mouse(bool on)
{
	/* All events: for an event outside of the mask, such as a button release, curses blocks in its
	   own read until the next key. */
	mousemask(on ? ALL_MOUSE_EVENTS : 0, NULL);
	mouseinterval(0);
}

/* Returns true if a screen can be drawn on the terminal. */
static bool term_check(struct err *err)
{
	static const char advice[] = "for the shell there are goheapx info, list, show and path";
	const char *type = getenv("TERM");
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return err_set(err, "The explorer needs a terminal, and standard %s is none; %s",
		               isatty(STDIN_FILENO) ? "output" : "input", advice);
	if (!type || !*type || strcmp(type, "dumb") == 0 || strcmp(type, "unknown") == 0)
		return err_set(err,
		               "The terminal is of type \"%s\", which cannot show screens: set TERM to "
		               "what it is, for example xterm; %s",
		               type ? type : "", advice);
	return true;
}

/* Opens the screen of a terminal type, described by the system or built in. */
static bool term_new_screen(const char *type)
{
	term.screen = newterm(type, stdout, stdin);
	if (!term.screen && terminfo_lend(type)) {
		term.screen = newterm(type, stdout, stdin);
		unsetenv("TERMINFO"); /* not for commands that goheapx runs */
	}
	return term.screen;
}

const char *term_fallback(void)
{
	return term.fallback;
}

bool term_open(struct err *err)
{
	term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if (!term_check(err))
		return false;
	restore_install();
	set_escdelay(ESCAPE_DELAY_MS);
	if (!term_new_screen(getenv("TERM"))) {
		term.fallback = FALLBACK;
		term_new_screen(FALLBACK);
	}
	if (!term.screen || !tigetstr("cup")) {
		if (term.screen)
			endwin();
		return err_set(err,
		               "Nothing is known of terminals of type \"%s\": set TERM to one that is "
		               "installed, for example xterm",
		               getenv("TERM"));
	}
	set_term(term.screen);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	term_color_begin();
	term_mouse(true);
	prepare_reset();
	restore_arm(true);
	if (!term.open)
		atexit(term_close);
	term.open = true;
	return true;
}

void term_close(void)
{
	if (!term.screen)
		return;
	curs_set(1);
	endwin();
	restore_arm(false);
	delscreen(term.screen);
	term.screen = NULL;
}

bool term_is_utf8(void)
{
	return term.utf8;
}

/* ---- Output */

void term_size(int *width, int *height)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row)
		resizeterm(size.ws_row, size.ws_col);
	*width = COLS;
	*height = LINES;
}

void term_draw(const struct canvas *canvas, int y, int x)
{
	erase();
	for (int row = 0; row < canvas->height && row < LINES; row++)
		for (int column = 0; column < canvas->width && column < COLS; column++) {
			const struct cell *cell =
				&canvas->cells[(size_t)row * (size_t)canvas->width + (size_t)column];
			/* Where the terminal's idea of the width differs, which would shift the rest of the
			   line, '?' stands for the character. */
			wchar_t c = (wchar_t)cell->codepoint;
			bool same = c < 0x7f || (term.utf8 && wcwidth(c) == text_width(cell->codepoint));
			wchar_t text[3] = {same ? c : '?', (wchar_t)cell->mark, 0};
			if (!term.utf8)
				text[1] = 0;
			short pair;
			attr_t look = term_color_of(cell, &pair);
			cchar_t out;
			if (cell->codepoint && setcchar(&out, text, look, pair, NULL) == OK)
				mvadd_wch(row, column, &out);
		}
	curs_set(y >= 0);
	move(y >= 0 ? y : canvas->height - 1, y >= 0 ? x : 0);
	refresh();
}

void term_redraw(void)
{
	clearok(curscr, TRUE);
}

/* ---- Input */

static unsigned read_signals(void)
{
	unsigned news = 0;
	for (int number; (number = restore_next()) != 0;) {
		if (number == SIGTSTP)
			news |= TERM_STOP;
		if (number == SIGHUP || number == SIGTERM)
			news |= TERM_GONE;
		if (number == SIGCONT) { /* another program may have used the terminal */
			reset_prog_mode();
			term_redraw();
		}
		news |= TERM_RESIZED; /* after a stop, too */
	}
	return news;
}

unsigned term_wait(int fd, int milliseconds)
{
	struct pollfd wait[] = {
		{.fd = STDIN_FILENO, .events = POLLIN},
		{.fd = fd, .events = POLLIN},
		{.fd = restore_fd(), .events = POLLIN},
	};
	if (poll(wait, 3, milliseconds) <= 0)
		return 0;
	unsigned news = 0;
	if (wait[0].revents & POLLIN)
		news |= TERM_KEY;
	if (wait[0].revents & ~POLLIN)
		news |= TERM_GONE;
	if (wait[1].revents)
		news |= TERM_FD;
	return wait[2].revents ? news | read_signals() : news;
}

void term_leave(void)
{
	curs_set(1);
	endwin();
	restore_arm(false);
}

void term_take(void)
{
	restore_arm(true);
	reset_prog_mode();
	term_redraw();
	refresh();
}
