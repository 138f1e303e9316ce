/* Signal handling while goheapx controls the terminal. */
#include "ui/restore.h"

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { MAX_RESET = 512, MAX_PATH = 512, STACK_SIZE = 65536, END_SECONDS = 1 };

/* All data of the handlers, prepared in advance. */
static struct {
	char reset[MAX_RESET];
	size_t reset_len;
	char path[MAX_PATH]; /* of a file to remove */
	pid_t owner;         /* the process that removes it */
	struct termios modes;
	volatile sig_atomic_t armed, ending; /* ending: SIGHUP or SIGTERM, 0: none */
	int pipe[2];                         /* passes signals to the main loop, a byte each */
	int terminal;                        /* opened anew, so that writing never waits; -1: not */
	_Alignas(16) char stack[STACK_SIZE]; /* of the handlers: a fault may be a stack overflow */
} state = {.pipe = {-1, -1}, .terminal = -1};

/* Writes the reset without waiting. What nobody reads is in the way of it, and is dropped. */
static void give_back_text(int fd)
{
	size_t done = 0;
	bool dropped = false;
	while (done < state.reset_len) {
		ssize_t wrote = write(fd, state.reset + done, state.reset_len - done);
		if (wrote > 0)
			done += (size_t)wrote;
		else if (errno == EINTR)
			continue;
		else if (errno != EAGAIN || dropped || tcflush(fd, TCOFLUSH) != 0)
			break;
		else
			dropped = true;
	}
}

static void give_back(void)
{
	if (!state.armed)
		return;
	state.armed = 0;
	/* A description of our own does not wait, and other programs do not notice. Without one, a flag
	   of the shared one is set for a moment. */
	bool own = state.terminal >= 0;
	int fd = own ? state.terminal : STDOUT_FILENO, flags = fcntl(fd, F_GETFL);
	if (!own && flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
	give_back_text(fd);
	if (!own && flags >= 0)
		fcntl(fd, F_SETFL, flags);
	tcsetattr(STDOUT_FILENO, TCSANOW, &state.modes);
}

static void restore_end(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number == SIGBUS && input_rescue(info->si_addr))
		return;
	give_back();
	if (*state.path && getpid() == state.owner)
		unlink(state.path);
	if (number == SIGBUS)
		input_end_lost();
	if (number == SIGALRM && state.ending)
		number = state.ending;
	signal(number, SIG_DFL);
	raise(number);
}

static void restore_tell(int number)
{
	int saved = errno;
	char byte = (char)number;
	ssize_t wrote = write(state.pipe[1], &byte, 1);
	(void)wrote; /* a full pipe wakes the loop anyway */
	errno = saved;
}

/* Leaves the end to the main loop; a second signal, or the alarm, does not wait for it. */
static void restore_end_soon(int number, siginfo_t *info, void *context)
{
	if (state.ending) {
		restore_end(number, info, context);
	} else {
		state.ending = number;
		alarm(END_SECONDS);
		restore_tell(number);
	}
}

void restore_end_by_signal(void)
{
	if (state.ending)
		restore_end(state.ending, NULL, NULL);
}

void restore_install(void)
{
	static const int ends[] = {
		SIGHUP,  SIGTERM, SIGINT,  SIGQUIT, SIGABRT, SIGSEGV,   SIGBUS,  SIGFPE, SIGILL,
		SIGPIPE, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGSYS, SIGTRAP,
	};
	static const int tells[] = {SIGWINCH, SIGTSTP, SIGCONT};
	tcgetattr(STDOUT_FILENO, &state.modes);
	if (state.pipe[0] >= 0)
		return;
	const char *name = ttyname(STDOUT_FILENO);
	if (name)
		state.terminal = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	bool made = pipe(state.pipe) == 0;
	for (int i = 0; made && i < 2; i++) {
		fcntl(state.pipe[i], F_SETFL, O_NONBLOCK);
		fcntl(state.pipe[i], F_SETFD, FD_CLOEXEC);
	}
	stack_t alternative = {.ss_sp = state.stack, .ss_size = sizeof state.stack};
	sigaltstack(&alternative, NULL);
	struct sigaction ending = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	struct sigaction telling = {.sa_handler = restore_tell, .sa_flags = SA_RESTART};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction before;
		bool soon = made && (ends[i] == SIGHUP || ends[i] == SIGTERM);
		ending.sa_sigaction = soon ? restore_end_soon : restore_end;
		sigaction(ends[i], NULL, &before);
		if (before.sa_handler != SIG_IGN) /* as after nohup */
			sigaction(ends[i], &ending, NULL);
	}
	for (size_t i = 0; i < sizeof tells / sizeof *tells; i++)
		sigaction(tells[i], &telling, NULL);
}

void restore_set(const char *reset, size_t len)
{
	state.reset_len = len < MAX_RESET ? len : MAX_RESET;
	memcpy(state.reset, reset, state.reset_len);
}

void restore_remove(const char *path)
{
	*state.path = '\0';
	state.owner = getpid();
	if (strlen(path) < MAX_PATH)
		memcpy(state.path, path, strlen(path) + 1);
}

void restore_arm(bool armed)
{
	state.armed = armed;
}

int restore_fd(void)
{
	return state.pipe[0];
}

int restore_next(void)
{
	char byte;
	return read(state.pipe[0], &byte, 1) == 1 ? byte : 0;
}

void restore_stop(void)
{
	struct sigaction telling, standard = {.sa_handler = SIG_DFL};
	sigaction(SIGTSTP, &standard, &telling);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &telling, NULL);
}
