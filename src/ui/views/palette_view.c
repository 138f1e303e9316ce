/* The palette: commands, views and words of other tools, found by name and sentence. */
#include "ui/view.h"

#include "base/mem.h"
#include "base/text.h"
#include "table/forms.h"
#include "table/naming/former_names.h"
#include "ui/command.h"
#include "ui/page_view.h"

#include <string.h>

enum { PALETTE_HELP_COLUMN = 30, PALETTE_RANKS = 3 };

struct palette {
	struct page page;
	const char *words; /* wanted, separated by blanks; "" wants all */
	int rank;          /* of the lines that are added now: 0 has the words in its name */
};

/* Returns true if a text has the `len` bytes of a word, whatever their case. */
static bool palette_has(const char *text, const char *word, size_t len)
{
	for (; *text; text++)
		if (strncasecmp(text, word, len) == 0)
			return true;
	return false;
}

/* Returns how well a line matches: 0 all words are in its name, 1 in its name or sentence,
   PALETTE_RANKS: some are in neither. */
static int palette_rank(const char *words, const char *name, const char *help)
{
	int rank = 0;
	for (const char *at = words + strspn(words, " "); *at && rank < PALETTE_RANKS;) {
		size_t len = strcspn(at, " ");
		if (!palette_has(name, at, len))
			rank = palette_has(help, at, len) ? 1 : PALETTE_RANKS;
		at += len + strspn(at + len, " ");
	}
	return rank;
}

static void palette_add_line(struct palette *palette, const char *name, const char *argument,
                             const char *link, const char *help)
{
	struct page *page = &palette->page;
	SCOPED_BUF keys_of = {0}, left = {0}, sentence = {0};
	const char *end = strstr(help, ". "); /* of the first sentence */
	buf_add_bytes(&sentence, help, end ? (size_t)(end - help) : strlen(help));
	for (const struct key *key = keys; key->key; key++)
		if (!key->view && strcmp(key->command, name) == 0)
			buf_addf(&keys_of, "%s%s", keys_of.len ? " " : "", key->key);
	command_write(name, &left);
	buf_addf(&left, "%s%s", argument ? " " : "", argument ? argument : "");
	page_line(page, link);
	page_put(page, PAGE_LEFT, 1, STYLE_LINK, buf_text(&keys_of));
	page_putf(page, PAGE_LEFT, 8, STYLE_PLAIN, "%s", buf_text(&left));
	if (text_columns(buf_text(&left)) > PALETTE_HELP_COLUMN - 10)
		page_line(page, NULL);
	page_paragraph(page, PALETTE_HELP_COLUMN, STYLE_PLAIN, buf_text(&sentence));
}

/* Enter on a command that needs an argument explains it. */
static void palette_see_command(void *self, const char *name, const char *argument,
                                const char *help)
{
	struct palette *palette = self;
	SCOPED_BUF link = {0}, typed = {0};
	unsigned takes = command_takes(name);
	bool whole = !argument || *argument == '[' || takes & (TAKES_THIS_OBJECT | TAKES_THIS_HOLDER);
	buf_addf(&link, "%s%s", whole ? "" : "help ", name);
	command_write(name, &typed);
	if (palette_rank(palette->words, buf_text(&typed), help) == palette->rank)
		palette_add_line(palette, name, argument, buf_text(&link), help);
}

static bool palette_open(struct view *view, struct err *err)
{
	struct palette *palette = view->data = mem_alloc(sizeof *palette);
	palette->words = view->argument ? view->argument : "";
	for (palette->rank = 0; palette->rank < PALETTE_RANKS; palette->rank++) {
		command_each(palette_see_command, palette);
		for (size_t i = 0; tables[i]; i++)
			if (!table_is_listed(tables[i]))
				palette_see_command(palette, tables[i]->name, tables[i]->argument, tables[i]->help);
		for (const struct field_word *other = field_words; other->word; other++)
			if (palette_rank(palette->words, other->word, other->says) == palette->rank)
				palette_add_line(palette, other->word, NULL, other->word, other->says);
	}
	buf_add(&view->title, "commands");
	if (*palette->words) {
		buf_add(&view->title, " about ");
		text_add_escaped(&view->title, palette->words, strlen(palette->words), 40);
	}
	view->cursor = page_first_link(&palette->page);
	return palette->page.count
	       || err_set(err, "No command is about that; ^P and Enter shows all of them");
}

static void palette_close(struct view *view)
{
	page_fini(view->data);
}

DEFINE_PLUGIN(views, struct view_ops, view_palette) = {
	.rank = 65,
	.name = "palette",
	.argument = "[WORD ...]",
	.help = "The commands and views that are about some words; other tools' words are known, too",
	.needs = STAGE_NONE,
	.open = palette_open,
	.close = palette_close,
	.rows = page_view_rows,
	.draw = page_view_draw,
	.selectable = page_view_selectable,
	.link = page_view_link,
};
