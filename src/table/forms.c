#include "table/forms.h"

#include <string.h>

bool table_is_listed(const struct table *table)
{
	return !table->form_of && !table->rare;
}

const struct table *table_next_form(const struct table *table, const struct table *after)
{
	bool found = !after;
	for (size_t i = 0; tables[i]; i++) {
		const char *of = tables[i]->form_of;
		if (found && of && strcmp(of, table->name) == 0)
			return tables[i];
		found = found || tables[i] == after;
	}
	return NULL;
}

/* Returns the words that choose a form, with | between. */
static const char *form_words(const struct table *form)
{
	return form->by ? form->by : form->name + strlen(form->form_of) + 1;
}

/* Returns true if a word is one of those with | between. */
static bool form_has_word(const char *words, const char *word)
{
	size_t length = strlen(word);
	for (; length && *words; words += strcspn(words, "|"), words += *words == '|')
		if (strcspn(words, "|") == length && strncmp(words, word, length) == 0)
			return true;
	return false;
}

const char *table_form_groups(const struct table *form)
{
	const char *words = form_words(form);
	bool option = strcmp(words, "tree") == 0 || strcmp(words, "list") == 0;
	return form->takes_over || option ? NULL : words;
}

void table_form_add_option(const struct table *form, struct buf *out)
{
	const char *groups = table_form_groups(form);
	if (form->takes_over)
		buf_addf(out, " %s", form->argument);
	else
		buf_addf(out, " --%s%s", groups ? "group " : "", form_words(form));
}

static bool form_requires_argument(const struct table *form)
{
	return form->argument && *form->argument != '[';
}

const struct table *table_form(const struct table *table, const char *word, bool argued)
{
	const struct table *form = NULL;
	while ((form = table_next_form(table, form)))
		if (!form->takes_over && form_has_word(form_words(form), word)
		    && (argued || !form_requires_argument(form)))
			return form;
	return NULL;
}

/* Returns "by WORD" at the end of an argument; NULL: it ends in no such words. */
static const char *form_last_words(const char *argument)
{
	const char *word = strrchr(argument, ' ');
	bool by = word && word - argument >= 2 && strncmp(word - 2, "by", 2) == 0
	          && (word - argument == 2 || word[-3] == ' ');
	return by ? word - 2 : NULL;
}

const struct table *table_of_argument(const struct table *table, const char *argument,
                                      struct buf *rest)
{
	const char *by = form_last_words(argument);
	const struct table *form = by ? table_form(table, by + 3, by > argument) : NULL;
	if (form && !form->by) {
		buf_add_bytes(rest, argument, by > argument ? (size_t)(by - argument) - 1 : 0);
		return form;
	}
	buf_add(rest, argument);
	if (form || !*argument)
		return form ? form : table;
	while ((form = table_next_form(table, form)))
		if (form->takes_over ? form->takes_over(argument)
		                     : !table->argument && form_requires_argument(form))
			return form;
	return table;
}

void table_form_add_word(const struct table *form, const char *word, struct buf *argument)
{
	if (form->by)
		buf_addf(argument, " by %s", word);
}
