/* goheapx completion: a script that completes command lines of goheapx. */
#include "main/completion.h"

#include "main/commands.h"
#include "main/output.h"

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

void completion_operands(const struct subcommand *subcommand, struct buf *out)
{
	const char *at = subcommand->usage;
	if (!strchr(at, '|') || strpbrk(at, " [=ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
		return;
	for (; *at; at++)
		buf_add_char(out, *at == '|' ? ' ' : *at);
	buf_add_char(out, ' ');
}

bool completion_takes_files(const struct subcommand *subcommand)
{
	return strstr(subcommand->usage, "DUMP") || strstr(subcommand->usage, "FILE");
}

void completion_words(const struct table *table, struct buf *out)
{
	const char *at = table->argument;
	if (!at || *at != '[' || !strpbrk(at, "|="))
		return;
	for (at++; *at && *at != ']'; at += *at == '|') {
		size_t length = strcspn(at, "|]"), shown = strcspn(at, "=|]");
		if (!isupper((unsigned char)*at)) { /* KIND stands for something else */
			buf_add_bytes(out, at, shown + (shown < length));
			buf_add_char(out, ' ');
		}
		at += length;
	}
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
