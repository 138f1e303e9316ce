/* goheapx: shows what uses the memory of a Go program, and what keeps it alive. */
#include "main/commands.h"
#include "main/options/inputs.h"
#include "main/print/output.h"
#include "main/session/session.h"
#include "table/naming/nearest.h"
#include "table/query/user_views.h"
#include "ui/command.h"
#include "ui/view.h"

#include "base/mem.h"
#include "base/process.h"
#include "base/text.h"
#include "go/exe/exe.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Returns the subcommand that the first operand names, and removes the operand. Another word is a
   dump. */
static const struct subcommand *main_choose(struct options *options)
{
	if (options->help)
		return subcommand_find("help");
	if (options->version)
		return subcommand_find("version");
	if (!options->operand_count)
		return NULL;
	const struct subcommand *named = subcommand_find(options->operands[0]);
	if (!named)
		return subcommand_at(0);
	options->operands++;
	options->operand_count--;
	return named;
}

static void main_add_command_meant(const char *word, const char *before_name, struct buf *out)
{
	struct nearest nearest = {.wanted = word};
	for (size_t i = 0; subcommand_at(i); i++)
		nearest_see(&nearest, subcommand_at(i)->name);
	nearest_add_meant(&nearest, before_name, out);
}

/* Appends the file in the folder of a missing one whose name is nearest. */
static void main_add_file_meant(const char *path, struct buf *out)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct nearest nearest = {.wanted = name};
	SCOPED_BUF folder = {0}, shown = {0};
	buf_add_bytes(&folder, path, (size_t)(name - path));
	DIR *files = opendir(slash ? buf_text(&folder) : ".");
	for (struct dirent *entry; files && (entry = readdir(files));) {
		size_t length = strlen(entry->d_name);
		buf_clear(&shown);
		text_add_escaped(&shown, entry->d_name, length, NEAREST_LENGTH - 1);
		if (*entry->d_name != '.' && strcmp(buf_text(&shown), entry->d_name) == 0)
			nearest_see(&nearest, entry->d_name);
	}
	if (files)
		closedir(files);
	nearest_add_meant(&nearest, buf_text(&folder), out);
}

/* Returns true if a word that names no subcommand is an existing dump; else *err suggests one. */
static bool main_is_there(const char *path, struct err *err)
{
	SCOPED_BUF meant = {0};
	struct stat status;
	if (process_named(path, true, err))
		return true;
	if (err->set)
		return false;
	if (stat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return true;
	main_add_command_meant(path, "the subcommand ", &meant);
	if (!meant.len)
		main_add_file_meant(path, &meant);
	return err_set(err, "There is no file \"%.200s\"%s", path, buf_text(&meant));
}

static bool main_use_beside(void *self, const char *path)
{
	buf_addf(self, "; %.200s is found without being named", path);
	return true;
}

/* Returns true if the last operand, where it stands for the executable, is a file; else *err
   suggests what is meant. */
static bool main_exe_is_there(const struct subcommand *subcommand, const struct options *options,
                              struct err *err)
{
	size_t last = options->operand_count - 1;
	if (!strstr(subcommand->usage, "[EXE]") || options->operand_count < 2
	    || last < subcommand->least)
		return true;
	const char *path = options->operands[last], *dump = options->operands[0];
	SCOPED_BUF meant = {0};
	struct stat status;
	if (process_named(path, true, NULL) || stat(path, &status) == 0
	    || (errno != ENOENT && errno != ENOTDIR))
		return true;
	if (subcommand == subcommand_at(0))
		main_add_command_meant(path, "goheapx ", &meant);
	if (!meant.len)
		exe_beside(dump, ".exe", false, main_use_beside, &meant);
	if (!meant.len)
		main_add_file_meant(path, &meant);
	return err_set(err, "There is no file \"%.200s\", which would be the executable%s", path,
	               buf_text(&meant));
}

/* Appends the word of a usage that is needed after `given` others: "ADDR" of "DUMP ADDR...". */
static void main_add_missing(const char *usage, size_t given, struct buf *out)
{
	int depth = 0;
	for (const char *at = usage; *at;) {
		size_t len = strcspn(at, " ");
		depth += *at == '[';
		if (!depth && given-- == 0) {
			buf_add_bytes(out, at, len);
			return;
		}
		depth -= len && at[len - 1] == ']';
		at += len + strspn(at + len, " ");
	}
}

static bool operands_fit(const struct subcommand *subcommand, const struct options *options,
                         struct err *err)
{
	if (options->help || options->version)
		return true;
	if (subcommand == subcommand_at(0) && options->operand_count
	    && !main_is_there(options->operands[0], err))
		return false;
	if (options->operand_count >= subcommand->least && options->operand_count <= subcommand->most)
		return main_exe_is_there(subcommand, options, err);
	if (options->operand_count > subcommand->most)
		return err_set(err, "Too many arguments; it is: goheapx %s%s%s", subcommand->name,
		               *subcommand->usage ? " " : "", subcommand->usage);
	SCOPED_BUF missing = {0};
	main_add_missing(subcommand->usage, options->operand_count, &missing);
	return err_set(err, "Missing %s, as in: goheapx %s %s", buf_text(&missing), subcommand->name,
	               subcommand->usage);
}

static bool main_keeps(const char *input, const struct options *options, struct err *err)
{
	return !output_is_file(options->file, input)
	       || err_set(err, "%.120s is an input and would be overwritten: name another file with -o",
	                  input);
}

/* Returns true if the output file is none of the inputs, under any name. */
static bool main_keeps_inputs(const struct options *options, struct err *err)
{
	const char *line = buf_text(&options->since);
	bool keeps = !options->exe || main_keeps(options->exe, options, err);
	for (size_t i = 0; keeps && i < options->operand_count; i++)
		keeps = main_keeps(options->operands[i], options, err);
	while (keeps && *line) {
		SCOPED_BUF path = {0};
		size_t length = strcspn(line, "\n");
		buf_add_bytes(&path, line, length);
		keeps = main_keeps(buf_text(&path), options, err);
		line += length + (line[length] == '\n');
	}
	return keeps;
}

/* Lines of JSON that are no rows cannot be left out. */
static bool main_skips(const struct subcommand *subcommand, const struct options *options,
                       struct err *err)
{
	return !options->skip || subcommand->rows || options->output != OUTPUT_JSON
	       || err_set(err, "--skip leaves out rows or lines of text, but %s --json prints neither",
	                  subcommand->name);
}

/* A server answers what ends by itself. */
static bool main_may_be_asked(const struct subcommand *subcommand, const struct options *options,
                              struct err *err)
{
	bool scripted = options->commands.len || options->script;
	return !session_is_asked() || !subcommand->alone || (scripted && subcommand == subcommand_at(0))
	       || err_set(err, "goheapx serve does not answer %s: start it by itself",
	                  subcommand->name);
}

static enum status main_answer(const struct subcommand *subcommand, struct options *options)
{
	struct err err = {0};
	if (!options_fit(options, subcommand->name, &err) || !operands_settle(options, subcommand, &err)
	    || !operands_fit(subcommand, options, &err) || !main_may_be_asked(subcommand, options, &err)
	    || !main_keeps_inputs(options, &err) || !main_skips(subcommand, options, &err))
		return complain(NULL, &err);
	output_bound(options, subcommand->rows);
	return subcommand->run ? subcommand->run(options) : print_report(subcommand->report, options);
}

/* Runs without arguments: lists the processes and the last dumps, and on a terminal opens the
   chosen one. */
static enum status main_offer(struct options *options)
{
	char answer[PATH_MAX];
	struct err err = {0};
	if (!options_fit(options, "explore", &err))
		return complain(NULL, &err);
	enum status status = run_processes(options);
	if (status != STATUS_ANSWERED || !offer_choose(answer, sizeof answer))
		return status;
	options->operands = (char *[]){answer, NULL};
	options->operand_count = 1;
	return main_answer(subcommand_at(0), options);
}

static enum status main_run(struct options *options)
{
	const struct subcommand *subcommand = main_choose(options);
	if (!subcommand)
		return main_offer(options);
	enum status status = main_answer(subcommand, options);
	return status == STATUS_EMPTY ? STATUS_ANSWERED : status;
}

/* Falls back to a UTF-8 locale if the requested one is not installed, as in containers. */
static void main_set_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *wanted = NULL;
	if (setlocale(LC_ALL, ""))
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names && !(wanted && *wanted); i++)
		wanted = getenv(names[i]);
	if (wanted && (strcasestr(wanted, "UTF-8") || strcasestr(wanted, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
}

/* Returns true for a name that is not free for a view of the user. */
static bool main_is_word(const char *name)
{
	return subcommand_find(name) || command_find(name) || view_find(name);
}

/* Reads the user's views, and tells what is wrong with them. */
static void main_load_views(void)
{
	user_views_load(main_is_word);
	for (const char *line = user_views_wrong(); *line; line += strcspn(line, "\n") + 1) {
		SCOPED_BUF text = {0};
		buf_add_bytes(&text, line, strcspn(line, "\n"));
		err_tell_text(buf_text(&text), NULL);
	}
}

int run_words(int argc, char **argv)
{
	struct options options;
	struct err err = {0};
	optind = 0; /* getopt begins anew */
	enum status status = options_parse(&options, argc, argv, &err) ? main_run(&options)
	                                                               : complain(NULL, &err);
	options_fini(&options);
	return (int)status;
}

int main(int argc, char **argv)
{
	mem_begin();
	main_set_locale();
	/* Every dump of a series stays open: the limit of open files is raised. */
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	main_load_views();
	signal(SIGXFSZ, SIG_IGN); /* writing too much then fails with an error message */
	return run_words(argc, argv);
}
