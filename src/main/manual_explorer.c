/* The sections of the manual on keys and commands of the explorer. */
#include "main/manual.h"
#include "ui/command.h"

#include <string.h>

static bool same_binding(const struct key *a, const struct key *b)
{
	bool same_view = a->view == b->view || (a->view && b->view && strcmp(a->view, b->view) == 0);
	return same_view && strcmp(a->command, b->command) == 0;
}

static bool is_first(const struct key *key, bool (*same)(const struct key *, const struct key *))
{
	for (const struct key *before = keys; before < key; before++)
		if (same(before, key))
			return false;
	return true;
}

static bool same_group(const struct key *a, const struct key *b)
{
	return strcmp(a->group, b->group) == 0;
}

static void add_help(struct buf *out, const char *command)
{
	struct buf word = {0}, text = {0};
	buf_add_bytes(&word, command, strcspn(command, " "));
	const char *help = command_help(buf_text(&word), NULL);
	if (help) {
		buf_addf(&text, "%s.", help);
		manual_text(out, buf_text(&text));
	}
	buf_free(&word);
	buf_free(&text);
}

/* Appends one entry for all keys that are bound to the same command. */
static void add_binding(struct buf *out, const struct key *first)
{
	buf_add(out, ".It");
	const char *separator = "";
	for (const struct key *key = first; key->key; key++) {
		if (!same_binding(first, key))
			continue;
		buf_addf(out, "%s Ic \\&%s", separator, key->key);
		separator = " ,";
	}
	buf_add_char(out, '\n');
	if (first->view)
		buf_addf(out, "In the view %s:\n", first->view);
	add_help(out, first->command);
	buf_addf(out, ".Pq Ic \\&:%s\n", first->command);
}

static void manual_explorer_add_group(struct buf *out, const struct key *first)
{
	buf_addf(out, ".Ss %s\n.Bl -tag -width Ds\n", first->group);
	for (const struct key *key = first; key->key; key++)
		if (same_group(first, key) && is_first(key, same_binding))
			add_binding(out, key);
	buf_add(out, ".El\n");
}

static void manual_explorer_add_command(void *self, const char *name, const char *argument,
                                        const char *help)
{
	struct buf *out = self, text = {0};
	buf_addf(out, ".It Ic %s", name);
	if (argument)
		buf_addf(out, " %s", argument);
	buf_addf(&text, "%s.", help);
	buf_add_char(out, '\n');
	manual_text(out, buf_text(&text));
	buf_free(&text);
}

void manual_explorer(struct buf *out)
{
	buf_add(out, ".Sh KEYS\n"
	             "Keys that are typed while a view loads are used when it opens.\n"
	             "Esc, ^C, q and the digits act at once, and discard the keys that wait.\n");
	for (const struct key *key = keys; key->key; key++)
		if (is_first(key, same_group))
			manual_explorer_add_group(out, key);
	buf_add(out, ".Sh COMMANDS\n"
	             "Commands are typed after\n.Ic \\&: ,\n"
	             "given to\n.Fl e ,\n"
	             "or written into a file for\n.Fl -script ,\n"
	             "one a line, or several with\n.Ql \\&;\nbetween them.\n"
	             ".Bl -tag -width Ds\n");
	command_each(manual_explorer_add_command, out);
	buf_add(out, ".El\n");
}
