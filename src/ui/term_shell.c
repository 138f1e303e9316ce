/* Terminal functions without curses: shell commands, ^Z, and the clipboard. */
#include "ui/term.h"

#include "ui/restore.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASIDE = 4 };
static const int aside[ASIDE] = {SIGPIPE, SIGINT, SIGQUIT, SIGTSTP};

static void term_hear_signal(int number)
{
	(void)number;
}

/* Prepares the signals for a shell command. ^C, or a command that stops reading, must not end the
   explorer. It handles these signals instead of ignoring them, because the command would inherit
   the latter; they are blocked during the change. Both ignore the stop signal, because nobody could
   continue the command. */
static void term_leave_for_command(struct sigaction before[])
{
	struct sigaction heard = {.sa_handler = term_hear_signal, .sa_flags = SA_RESTART};
	sigset_t set, old;
	sigemptyset(&set);
	for (size_t i = 0; i < ASIDE; i++)
		sigaddset(&set, aside[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	term_leave();
	for (size_t i = 0; i < ASIDE; i++) {
		heard.sa_handler = aside[i] == SIGTSTP ? SIG_IGN : term_hear_signal;
		sigaction(aside[i], &heard, &before[i]);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
}

bool term_shell(const char *command, const struct buf *input, int *status, struct err *err)
{
	struct sigaction before[ASIDE];
	term_leave_for_command(before);
	FILE *pipe = input ? popen(command, "w") : NULL;
	if (pipe)
		fwrite(buf_text(input), 1, input->len, pipe);
	int ended = pipe ? pclose(pipe) : input ? -1 : system(command);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	bool done = ended != -1;
	int why = errno;
	static const char question[] = "[Enter goes back to the explorer] ";
	char c = 0;
	fwrite(question, 1, sizeof question - 1, stdout);
	fflush(stdout);
	while (c != '\n' && read(STDIN_FILENO, &c, 1) == 1)
		;
	term_take();
	for (size_t i = 0; i < ASIDE; i++) /* until now ^C is a signal */
		sigaction(aside[i], &before[i], NULL);
	return done || err_set(err, "The shell could not be started: %s", strerror(why));
}

/* Sends OSC 52 with the text in base64. */
void term_copy(const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	SCOPED_BUF out = {0};
	size_t len = strlen(text);
	buf_add(&out, "\033]52;c;");
	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (i + k < len ? (unsigned char)text[i + k] : 0);
		for (size_t k = 0; k < 4; k++)
			buf_add_char(&out, i + k <= len ? digits[bits >> (18 - 6 * k) & 63] : '=');
	}
	buf_add_char(&out, '\a');
	fwrite(out.data, 1, out.len, stdout);
	fflush(stdout);
}

void term_suspend(void)
{
	term_leave();
	restore_stop();
	term_take();
}
