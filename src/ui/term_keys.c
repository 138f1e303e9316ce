/* Keys and mouse events as curses reports them, by the names that bindings use: part of ui/term.h.
 */
#include "ui/term.h"

#include "base/text.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { ESCAPE = 27, DELETE = 127 };

static const struct {
	int code;
	const char *name, *bytes;
} special_keys[] = {
	{KEY_UP, "Up", "\033[A"},
	{KEY_DOWN, "Down", "\033[B"},
	{KEY_RIGHT, "Right", "\033[C"},
	{KEY_LEFT, "Left", "\033[D"},
	{KEY_HOME, "Home", "\033[H"},
	{KEY_END, "End", "\033[F"},
	{KEY_PPAGE, "PageUp", ""},
	{KEY_NPAGE, "PageDown", ""},
	{KEY_DC, "Delete", "\033[3~"},
	{KEY_IC, "Insert", ""},
	{KEY_BACKSPACE, "Backspace", "\177"},
	{KEY_ENTER, "Enter", "\r"},
	{KEY_BTAB, "BackTab", ""},
};
static const struct {
	int code;
	const char *name;
} control_keys[] = {
	{'\t', "Tab"},         {'\r', "Enter"}, {'\n', "Enter"}, {'\b', "Backspace"},
	{DELETE, "Backspace"}, {ESCAPE, "Esc"}, {' ', "Space"},
};

bool term_key_exists(const char *name)
{
	uint32_t c;
	size_t len = strlen(name), first = strncmp(name, "M-", 2) == 0 && name[2] ? 2 : 0;
	for (size_t i = 0; i < sizeof special_keys / sizeof *special_keys; i++)
		if (strcmp(special_keys[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < sizeof control_keys / sizeof *control_keys; i++)
		if (strcmp(control_keys[i].name, name + first) == 0)
			return true;
	if (strcmp(name, "WheelUp") == 0 || strcmp(name, "WheelDown") == 0)
		return true;
	if (name[first] == '^' && name[first + 1] >= '@' && name[first + 1] <= '_')
		return !name[first + 2];
	if (name[0] == 'F' && name[1] >= '1' && name[1] <= '9')
		return !name[2] || (name[1] == '1' && name[2] <= '2' && name[2] >= '0' && !name[3]);
	return len > first && text_decode(name + first, len - first, &c) == len - first
	       && text_is_plain(c);
}

static bool name_mouse(struct term_key *key)
{
	MEVENT event;
	if (getmouse(&event) != OK)
		return false;
	/* If a button is released before the event is read, curses merges both events into one. */
	const mmask_t left = BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED;
	const char *what = event.bstate & BUTTON4_PRESSED   ? "WheelUp"
	                   : event.bstate & BUTTON5_PRESSED ? "WheelDown"
	                   : event.bstate & left            ? "MouseLeft"
	                                                    : NULL;
	if (!what)
		return false;
	snprintf(key->name, sizeof key->name, "%s %d %d", what, event.y, event.x);
	if (*what == 'W')
		key->name[strlen(what)] = '\0';
	return true;
}

static bool name_special(struct term_key *key, int code)
{
	if (code == KEY_MOUSE)
		return name_mouse(key);
	if (code >= KEY_F(1) && code <= KEY_F(12)) {
		snprintf(key->name, sizeof key->name, "F%d", code - KEY_F0);
		return true;
	}
	for (size_t i = 0; i < sizeof special_keys / sizeof *special_keys; i++)
		if (special_keys[i].code == code) {
			strncpy(key->name, special_keys[i].name, sizeof key->name - 1);
			strncpy(key->bytes, special_keys[i].bytes, sizeof key->bytes - 1);
			return true;
		}
	return false;
}

static void name_character(struct term_key *key, wint_t c)
{
	mbstate_t shift = {0};
	size_t len = wcrtomb(key->bytes, (wchar_t)c, &shift);
	key->bytes[len == (size_t)-1 ? 0 : len] = '\0';
	memcpy(key->name, key->bytes, sizeof key->bytes);
	if (c < ' ')
		snprintf(key->name, sizeof key->name, "^%c", (char)(c + '@'));
	for (size_t i = 0; i < sizeof control_keys / sizeof *control_keys; i++)
		if (control_keys[i].code == (int)c)
			strncpy(key->name, control_keys[i].name, sizeof key->name - 1);
}

/* Joins a character that follows Esc immediately into one key: "M-b". */
static void join_meta(struct term_key *key)
{
	wint_t next;
	int got = get_wch(&next);
	if (got == KEY_CODE_YES)
		ungetch((int)next);
	if (got != OK)
		return;
	struct term_key second = {0};
	name_character(&second, next);
	snprintf(key->name, sizeof key->name, "M-%.20s", second.name);
	snprintf(key->bytes, sizeof key->bytes, "\033%.8s", second.bytes);
}

bool term_key(struct term_key *key)
{
	wint_t c;
	for (int got; (got = get_wch(&c)) != ERR;) {
		*key = (struct term_key){0};
		if (got == KEY_CODE_YES && name_special(key, (int)c))
			return true;
		if (got != OK)
			continue;
		name_character(key, c);
		if (c == ESCAPE)
			join_meta(key);
		return true;
	}
	return false;
}
