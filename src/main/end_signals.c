#include "main/print/whole_file.h"

#include <signal.h>
#include <stddef.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

void end_signals_hold(bool hold)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&set, ends[i]);
	sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void end_signals_handle(void (*handler)(int number))
{
	static void (*handled)(int number);
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction before;
		sigaction(ends[i], NULL, &before);
		if (before.sa_handler == SIG_DFL || (handled && before.sa_handler == handled))
			signal(ends[i], handler);
	}
	handled = handler;
}

void end_signals_catch(void (*handler)(int number))
{
	const struct sigaction action = {.sa_handler = handler ? handler : SIG_DFL};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction before;
		sigaction(ends[i], NULL, &before);
		if (before.sa_handler != SIG_IGN)
			sigaction(ends[i], &action, NULL);
	}
}

void end_signals_default(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}
