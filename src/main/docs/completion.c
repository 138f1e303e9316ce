/* goheapx completion: prints a script that completes goheapx command lines in a shell. */
#include "main/docs/completion.h"

#include "main/print/output.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *shell;
	void (*print)(struct buf *out);
} shells[] = {
	{"bash", completion_bash},
	{"fish", completion_fish},
	{"zsh", completion_zsh},
};

static void completion_line(struct buf *out, const char *const part[3], const char *name,
                            struct buf *words)
{
	if (words->len)
		buf_addf(out, "%s%s%s%s%s", part[0], name, part[1], buf_text(words), part[2]);
	buf_free(words);
}

/* Appends the words of a usage such as "list|clear", separated by blanks. */
static void completion_operands(const char *usage, struct buf *out)
{
	if (!strchr(usage, '|') || strpbrk(usage, " [=ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		return;
	for (; *usage; usage++)
		buf_add_char(out, *usage == '|' ? ' ' : *usage);
	buf_add_char(out, ' ');
}

void completion_add_operands(struct buf *out, const char *before, const char *between,
                             const char *after)
{
	for (size_t i = 0; subcommand_at(i); i++) {
		struct buf words = {0};
		completion_operands(subcommand_at(i)->usage, &words);
		completion_line(out, (const char *[]){before, between, after}, subcommand_at(i)->name,
		                &words);
	}
}

static void completion_words(const struct table *table, struct buf *out)
{
	const char *at = table->argument;
	if (!at || *at != '[' || !strpbrk(at, "|="))
		return;
	for (at++; *at && *at != ']'; at += *at == '|') {
		size_t length = strcspn(at, "|]"), shown = strcspn(at, "=|]");
		if (!isupper((unsigned char)*at)) { /* KIND is a placeholder */
			buf_add_bytes(out, at, shown + (shown < length));
			buf_add_char(out, ' ');
		}
		at += length;
	}
}

void completion_add_arguments(struct buf *out, const char *before, const char *between,
                              const char *after)
{
	for (size_t i = 0; tables[i]; i++) {
		struct buf words = {0};
		completion_words(tables[i], &words);
		completion_line(out, (const char *[]){before, between, after}, tables[i]->name, &words);
	}
}

/* Appends the words of the forms that --group chooses. */
static void completion_groups(const struct table *table, struct buf *out)
{
	for (const struct table *form = NULL; (form = table_next_form(table, form));) {
		const char *words = table_form_groups(form);
		for (const char *at = words; words && *at; at++)
			buf_add_char(out, *at == '|' ? ' ' : *at);
		buf_add(out, words ? " " : "");
	}
}

void completion_add_groups(struct buf *out, const char *before, const char *between,
                           const char *after)
{
	for (size_t i = 0; tables[i]; i++) {
		struct buf words = {0};
		completion_groups(tables[i], &words);
		completion_line(out, (const char *[]){before, between, after}, tables[i]->name, &words);
	}
}

bool completion_takes_files(const struct subcommand *subcommand)
{
	return strstr(subcommand->usage, "DUMP") || strstr(subcommand->usage, "FILE");
}

enum status run_completion(const struct options *options)
{
	struct buf out = {0};
	struct err err = {0};
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(shells[i].shell, options->operands[0]) == 0) {
			shells[i].print(&out);
			return output_end(&out, STATUS_ANSWERED);
		}
	err_set(&err, "There is no completion for \"%.40s\"; there is one for bash, fish and zsh",
	        options->operands[0]);
	return complain(NULL, &err);
}
