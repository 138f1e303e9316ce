#include "main/options/inputs.h"

#include "base/process.h"
#include "base/temporary.h"
#include "go/exe/exe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Standard input */

static bool operands_copy_input(int to, struct err *err)
{
	char bytes[1 << 16];
	ssize_t got;
	while ((got = read(STDIN_FILENO, bytes, sizeof bytes)) != 0) {
		if (got < 0 && errno != EINTR)
			return err_set(err, "The standard input cannot be read: %s", strerror(errno));
		if (got > 0 && !temporary_add(to, bytes, (size_t)got, err))
			return false;
	}
	return true;
}

/* Returns a descriptor of the contents of the standard input; -1: *err. */
static int operands_open_input(struct err *err)
{
	struct stat info;
	if (isatty(STDIN_FILENO)) {
		err_set(err, "The standard input is a terminal: give a dump to it, or name a file");
		return -1;
	}
	if (fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int fd = temporary_open(err);
	if (fd < 0 || operands_copy_input(fd, err))
		return fd;
	close(fd);
	return -1;
}

static bool operands_use_input(struct options *options, struct err *err)
{
	for (size_t i = 0; i < options->operand_count; i++) {
		if (strcmp(options->operands[i], "-") != 0)
			continue;
		int fd = operands_open_input(err);
		if (fd < 0)
			return false;
		options->operands[i] = options->standard_input;
		snprintf(options->standard_input, sizeof options->standard_input, "/proc/self/fd/%d", fd);
		int terminal = open("/dev/tty", O_RDWR | O_NOCTTY); /* the explorer reads keys from there */
		if (terminal >= 0 && terminal != STDIN_FILENO) {
			dup2(terminal, STDIN_FILENO);
			close(terminal);
		}
		return true;
	}
	return true;
}

/* ---- Executables */

/* Looks at the operands from `first` on: the name of a table is not looked for among processes. */
static bool operands_have_dump(const struct options *options, size_t first)
{
	struct stat info;
	for (size_t i = first; i < options->operand_count; i++)
		if (process_named(options->operands[i], true, NULL)
		    || (stat(options->operands[i], &info) == 0 && !exe_may_be(options->operands[i])))
			return true;
	return false;
}

/* Removes and returns the last executable, or with `debug` the last debug file, among the operands;
   NULL: none. */
static const char *operands_take_program(struct options *options, bool debug)
{
	for (size_t i = options->operand_count; i-- > 0;) {
		const char *path = options->operands[i];
		if (!exe_may_be(path) || exe_is_debug_file(path, &options->input) != debug)
			continue;
		size_t at = i;
		for (; at < options->operand_count; at++) /* includes the NULL at the end */
			options->operands[at] = options->operands[at + 1];
		options->operand_count--;
		return path;
	}
	return NULL;
}

bool operands_settle(struct options *options, const struct subcommand *subcommand, struct err *err)
{
	bool dumps = strstr(subcommand->usage, "DUMP") || strstr(subcommand->usage, "OLD");
	/* A note takes "-" and names of files as texts, too. */
	bool noted = strstr(subcommand->usage, "ADDR TEXT") || strstr(subcommand->usage, "[WHY]");
	if (!dumps || options->help || options->version
	    || (noted && options->operand_count && strcmp(options->operands[0], "-") != 0))
		return true;
	size_t first = strncmp(subcommand->usage, "TABLE ", 6) == 0;
	/* Behind the only dump, - is a text to look for. */
	bool several = strstr(subcommand->usage, "OLD") || strstr(subcommand->usage, "[DUMP");
	if ((several || !operands_have_dump(options, first)) && !operands_use_input(options, err))
		return false;
	if (noted || strcmp(subcommand->name, "estimate") == 0 || options->operand_count < 2
	    || !operands_have_dump(options, first))
		return true;
	if (!options->exe)
		options->exe = operands_take_program(options, false);
	if (options->exe && !options->input.debug_file)
		options->input.debug_file = operands_take_program(options, true);
	return true;
}
