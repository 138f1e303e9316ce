/* What of the terminal is no matter of curses: commands of the shell, and the clipboard. */
#include "ui/term.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASIDE = 3 };
static const int aside[ASIDE] = {SIGPIPE, SIGINT, SIGQUIT};

/* Who ends the command with ^C, or reads no further, does not mean the explorer. */
static void term_let_signals(struct sigaction before[], bool again)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN};
	for (size_t i = 0; i < ASIDE; i++)
		sigaction(aside[i], again ? &before[i] : &ignored, again ? NULL : &before[i]);
}

static bool term_run(const char *command, const struct buf *input, int *status)
{
	struct sigaction before[ASIDE], stopping, ignored = {.sa_handler = SIG_IGN};
	sigaction(SIGTSTP, &ignored, &stopping); /* for the command, too: nobody could continue it */
	FILE *pipe = input ? popen(command, "w") : NULL; /* before any signal is ignored */
	term_let_signals(before, false);
	if (pipe)
		fwrite(buf_text(input), 1, input->len, pipe);
	int ended = pipe ? pclose(pipe) : -1;
	term_let_signals(before, true);
	if (!input)
		ended = system(command);
	sigaction(SIGTSTP, &stopping, NULL);
	*status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
	return ended != -1;
}

static void term_wait_for_enter(void)
{
	static const char question[] = "[Enter goes back to the explorer] ";
	char c = 0;
	fwrite(question, 1, sizeof question - 1, stdout);
	fflush(stdout);
	while (c != '\n' && read(STDIN_FILENO, &c, 1) == 1)
		;
}

bool term_shell(const char *command, const struct buf *input, int *status, struct err *err)
{
	term_leave();
	bool done = term_run(command, input, status);
	int why = errno;
	term_wait_for_enter();
	term_take();
	return done || err_set(err, "The shell could not be started: %s", strerror(why));
}

/* OSC 52, the text in base64. */
void term_copy(const char *text)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct buf out = {0};
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
	buf_free(&out);
}
