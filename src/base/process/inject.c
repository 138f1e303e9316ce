/* Injects one system call into a thread, such that the process stays intact even if this program
   dies at any point.

   The thread is one that the Go runtime has put to sleep in runtime.futex or runtime.usleep. It
   executes the injected call in place of its own, and then gets its registers back. If this program
   is killed in between, the thread continues after its call with another result: to its caller,
   which ignores the result, this is an early wakeup, which may always happen. The stack of the fork
   holds one word, the address of code that ends it, in case it ever runs. Threads with a seccomp
   filter are never used: the filter may kill the process. */
#include "inject.h"

#include "forbidden.h"
#include "state.h"
#include "watch.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__

enum {
	SYSTEM_CALL = 2, /* bytes of the instruction */
	ARGUMENTS = 4,
	CALL_STOP = SIGTRAP | 0x80,
	REAP_MS = 3000,
	END_MS = 60000, /* to free the memory of a fork */
	/* Exit signal of the fork. It is no valid signal, so the parent gets none; it identifies our
	   forks. */
	END_SIGNAL = 71,
	FIRST_ERRNO = 1,
	LAST_ERRNO = 511,
};

/* Calls in which the runtime lets threads sleep, and the instructions that follow. */
struct sleep {
	uint64_t number;
	uint8_t size;
	uint8_t code[12];
	uint8_t skipped; /* bytes of the stack below the return address */
};
static const struct sleep sleeps[] = {
	/* runtime.futex: mov %eax, 48(%rsp); ret */
	{SYS_futex, 7, {0x0f, 0x05, 0x89, 0x44, 0x24, 0x30, 0xc3}, 0},
	/* runtime.usleep: add $16, %rsp; pop %rbp; ret */
	{SYS_nanosleep, 8, {0x0f, 0x05, 0x48, 0x83, 0xc4, 0x10, 0x5d, 0xc3}, 24},
	/* older versions of runtime.usleep: mov 16(%rsp), %rbp; add $24, %rsp; ret */
	{SYS_nanosleep,
     12,
     {0x0f, 0x05, 0x48, 0x8b, 0x6c, 0x24, 0x10, 0x48, 0x83, 0xc4, 0x18, 0xc3},
     24},
};

static bool inject_read(pid_t pid, uint64_t address, void *bytes, size_t size)
{
	struct iovec here = {bytes, size}, there = {(void *)(uintptr_t)address, size};
	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static bool inject_set(pid_t id, const struct user_regs_struct *registers)
{
	return ptrace(PTRACE_SETREGS, id, NULL, (void *)(uintptr_t)registers) == 0;
}

/* Returns the sleep call that the stopped thread is in or has just left, or NULL. Reads its
   registers. */
static const struct sleep *sleep_of(pid_t id, struct user_regs_struct *registers)
{
	uint8_t code[sizeof sleeps->code];
	if (ptrace(PTRACE_GETREGS, id, NULL, registers) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof sleeps / sizeof *sleeps; i++) {
		const struct sleep *sleep = &sleeps[i];
		if (registers->orig_rax == sleep->number
		    && inject_read(id, registers->rip - SYSTEM_CALL, code, sleep->size)
		    && memcmp(code, sleep->code, sleep->size) == 0)
			return sleep->number != SYS_futex
			               || ((int)registers->rsi & FUTEX_CMD_MASK) == FUTEX_WAIT
			           ? sleep
			           : NULL;
	}
	return NULL;
}

struct call {
	uint64_t number, argument[ARGUMENTS];
	uint64_t result;
	pid_t child;   /* process that the call created; 0: none */
	int signal;    /* signal that arrived instead; it must be delivered later */
	bool finished; /* the call has returned */
	bool lost;     /* the thread has ended */
	bool waits;    /* the thread is still in the call */
};

/* Handles one stop of the thread during the call. Returns true if the call continues. */
static bool call_take_stop(struct call *call, pid_t id, int status, bool *inside)
{
	unsigned long child = 0;
	if (!WIFSTOPPED(status)) {
		call->lost = true;
		return false;
	}
	if (WSTOPSIG(status) == CALL_STOP) {
		*inside = !*inside;
		call->finished = !*inside;
		return *inside;
	}
	if (status >> 16 == PTRACE_EVENT_CLONE || status >> 16 == PTRACE_EVENT_FORK) {
		if (ptrace(PTRACE_GETEVENTMSG, id, NULL, &child) == 0)
			call->child = (pid_t)child;
		return true;
	}
	if (status >> 16 == PTRACE_EVENT_STOP)
		return true;
	call->signal = WSTOPSIG(status);
	return false;
}

/* Moves the thread back to the point before the kernel checks for call restart. */
static void return_to_stop(struct call *call, pid_t id)
{
	int status = 0;
	ptrace(PTRACE_INTERRUPT, id, NULL, NULL);
	if (ptrace(PTRACE_CONT, id, NULL, NULL) != 0 || !watch_wait(id, &status, WATCH_MS)
	    || !WIFSTOPPED(status))
		call->lost = true;
	else if (status >> 16 != PTRACE_EVENT_STOP)
		call->signal = WSTOPSIG(status);
}

/* Executes the call in a thread that is stopped in a sleep call with the given registers, and
   restores them. Returns false if the call was not completed successfully. */
static bool inject_call(struct call *call, pid_t id, const struct user_regs_struct *registers)
{
	struct user_regs_struct changed = *registers;
	bool inside = false;
	int status;
	changed.rip -= SYSTEM_CALL;
	changed.orig_rax = UINT64_MAX; /* disables restart of the interrupted call */
	changed.rax = call->number;
	changed.rdi = call->argument[0];
	changed.rsi = call->argument[1];
	changed.rdx = call->argument[2];
	changed.r10 = call->argument[3];
	if (!inject_set(id, &changed))
		return false;
	do {
		if (ptrace(PTRACE_SYSCALL, id, NULL, NULL) != 0)
			return false;
		call->waits = !watch_wait(id, &status, WATCH_MS);
		if (call->waits)
			return false;
	} while (call_take_stop(call, id, status, &inside));
	if (call->lost)
		return false;
	if (call->finished && ptrace(PTRACE_GETREGS, id, NULL, &changed) == 0)
		call->result = changed.rax;
	if (call->finished)
		return_to_stop(call, id);
	inject_set(id, registers);
	return call->finished && (int64_t)call->result > 0;
}

static enum injected inject_fork_in(struct stopped_thread *thread, uint64_t exit_code,
                                    struct forked *forked, struct buf *why)
{
	struct user_regs_struct registers;
	const uintptr_t options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK;
	int status;
	const struct sleep *sleep = sleep_of(thread->id, &registers);
	if (!sleep || ptrace(PTRACE_SETOPTIONS, thread->id, NULL, (void *)options) != 0)
		return INJECT_LATER;
	/* Memory below the stack pointer is unused. Files are shared, so that a file that the process
	   closes is closed. */
	void *top = (void *)(uintptr_t)(registers.rsp - sizeof exit_code);
	struct call call = {
		.number = SYS_clone,
		.argument = {CLONE_FILES | CLONE_FS | END_SIGNAL,
	                 (uint64_t)(uintptr_t)top - sleep->skipped},
	};
	errno = 0;
	long before = ptrace(PTRACE_PEEKDATA, thread->id, top, NULL);
	if (errno || ptrace(PTRACE_POKEDATA, thread->id, top, (void *)(uintptr_t)exit_code) != 0)
		return INJECT_LATER;
	memcpy(forked->registers, &registers, sizeof registers);
	forked->thread = thread->id;
	inject_call(&call, thread->id, &registers);
	if (call.waits)
		return INJECT_STUCK;
	thread->signal = call.signal;
	ptrace(PTRACE_POKEDATA, thread->id, top, (void *)(uintptr_t)before);
	*forked = (struct forked){.pid = call.child, .seen = (pid_t)call.result};
	if (call.child && watch_wait(call.child, &status, WATCH_MS) && WIFSTOPPED(status))
		ptrace(PTRACE_SETOPTIONS, call.child, NULL, (void *)(uintptr_t)PTRACE_O_EXITKILL);
	int64_t number = -(int64_t)call.result;
	if (call.child || !call.finished || number < FIRST_ERRNO || number > LAST_ERRNO)
		return call.child ? INJECT_DONE : INJECT_LATER;
	buf_addf(why, "the call that makes a process failed in it: %s", strerror((int)number));
	return INJECT_NEVER;
}

enum injected inject_fork(struct stopped *stopped, uint64_t exit_code, struct forked *forked,
                          struct buf *why)
{
	enum injected result = INJECT_LATER;
	if (!exit_code) {
		buf_add(why, "it has no code that can end a copy of it");
		return INJECT_NEVER;
	}
	watch_allow(2 * WATCH_MS);
	for (size_t i = 0; i < stopped->count && result == INJECT_LATER; i++) {
		struct stopped_thread *thread = &stopped->thread[i];
		if (thread->at_rest && !forbidden_thread(thread->id))
			result = inject_fork_in(thread, exit_code, forked, why);
	}
	if (result == INJECT_LATER)
		buf_add(why, "none of its threads waits in the Go runtime just now");
	return result;
}

/* Traces and stops a thread. *signal is the signal that stopped it first, or 0. Returns false if it
   cannot be stopped. */
static bool inject_hold(pid_t id, int *signal, int *status)
{
	const uintptr_t options = PTRACE_O_TRACESYSGOOD;
	if (ptrace(PTRACE_SEIZE, id, NULL, (void *)options) != 0)
		return false;
	bool held = ptrace(PTRACE_INTERRUPT, id, NULL, NULL) == 0 && watch_wait(id, status, WATCH_MS)
	            && WIFSTOPPED(*status);
	*signal = held && *status >> 16 != PTRACE_EVENT_STOP ? WSTOPSIG(*status) : 0;
	return held;
}

/* Returns true if the thread has not executed the call yet, or will restart it after an
   interruption. */
static bool call_is_ahead(const struct user_regs_struct *now, const struct user_regs_struct *before)
{
	enum { RESTART_FIRST = -516, RESTART_LAST = -512 }; /* ERESTARTSYS ... ERESTART_RESTARTBLOCK */
	bool anew = now->rip == before->rip && now->orig_rax == SYS_clone
	            && (int64_t)now->rax >= RESTART_FIRST && (int64_t)now->rax <= RESTART_LAST;
	return anew || (now->rip == before->rip - SYSTEM_CALL && now->rax == SYS_clone);
}

/* Restores the registers of a thread whose tracer died before the injected call. A thread that has
   completed the call is left as it is. */
void inject_forget(const struct forked *forked)
{
	struct user_regs_struct now, before;
	int status, signal = 0;
	memcpy(&before, forked->registers, sizeof before);
	watch_allow(2 * WATCH_MS);
	if (inject_hold(forked->thread, &signal, &status)
	    && ptrace(PTRACE_GETREGS, forked->thread, NULL, &now) == 0 && call_is_ahead(&now, &before))
		inject_set(forked->thread, &before);
	ptrace(PTRACE_DETACH, forked->thread, NULL, (void *)(intptr_t)signal);
	watch_allow(0);
}

/* Makes a thread of the process reap the fork. */
static bool reap_in(pid_t id, pid_t child)
{
	struct user_regs_struct registers;
	struct call call = {
		.number = SYS_wait4,
		.argument = {(uint64_t)child, 0, (uint32_t)__WCLONE | WNOHANG},
	};
	int status;
	bool done = !forbidden_thread(id) && inject_hold(id, &call.signal, &status)
	            && status >> 8 == (SIGTRAP | PTRACE_EVENT_STOP << 8) && sleep_of(id, &registers)
	            && !forbidden_thread(id) && inject_call(&call, id, &registers);
	ptrace(PTRACE_DETACH, id, NULL, (void *)(intptr_t)call.signal);
	return done;
}

/* Returns true if the kernel says that the thread is in futex or nanosleep. */
static bool seems_to_sleep(pid_t pid, const char *thread)
{
	char path[64];
	int number = -1;
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/syscall", (int)pid, thread);
	FILE *file = fopen(path, "re");
	if (file && fscanf(file, "%d", &number) != 1)
		number = -1;
	if (file)
		fclose(file);
	return number == SYS_futex || number == SYS_nanosleep;
}

static void reap(pid_t pid, pid_t child)
{
	char path[64];
	bool done = false;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	watch_allow(2 * WATCH_MS);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && !done && (entry = readdir(tasks));) {
		pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
		done = id > 0 && seems_to_sleep(pid, entry->d_name) && reap_in(id, child);
	}
	if (tasks)
		closedir(tasks);
	let_go_left(pid);
	watch_allow(0);
}

static void end_copy(pid_t child)
{
	int status;
	kill(child, SIGKILL);
	while (watch_wait(child, &status, END_MS) && !WIFEXITED(status) && !WIFSIGNALED(status))
		ptrace(PTRACE_CONT, child, NULL, NULL);
}

/* Returns the number of remaining forks of this process that no other program traces. Reaps
   zombies, and kills forks that this program traces: the kernel makes the tracer of a thread the
   tracer of its fork, too. */
static size_t reap_children_of(pid_t pid, const char *thread)
{
	char path[64];
	int child;
	size_t left = 0;
	snprintf(path, sizeof path, "/proc/%d/task/%.20s/children", (int)pid, thread);
	FILE *file = fopen(path, "re");
	while (file && fscanf(file, "%d", &child) == 1) {
		struct process_state state = process_state_of(child);
		bool ours = state.tracer == getpid();
		if (process_end_signal(child) != END_SIGNAL || (state.tracer && !ours))
			continue;
		if (ours)
			end_copy(child);
		else if (state.letter == 'Z')
			reap(pid, state.inner);
		left += process_state_of(child).letter != 0;
	}
	if (file)
		fclose(file);
	return left;
}

static size_t reap_children(pid_t pid)
{
	char path[64];
	size_t left = 0;
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	DIR *tasks = opendir(path);
	for (struct dirent *entry; tasks && (entry = readdir(tasks));)
		if (*entry->d_name != '.')
			left += reap_children_of(pid, entry->d_name);
	if (tasks)
		closedir(tasks);
	return left;
}

void inject_reap_left(pid_t pid, bool wait)
{
	const struct timespec pause = {0, 1000000};
	uint64_t end = clock_now() + REAP_MS * UINT64_C(1000000);
	while (reap_children(pid) && wait && clock_now() < end)
		nanosleep(&pause, NULL);
}

/* If the process has ended, another parent has the fork and reaps it. */
bool inject_end(pid_t pid, const struct forked *forked)
{
	const struct timespec pause = {0, 1000000};
	end_copy(forked->pid);
	uint64_t end = clock_now() + REAP_MS * UINT64_C(1000000);
	while (process_state_of(forked->pid).letter && clock_now() < end) {
		pid_t parent = process_parent(forked->pid);
		if (parent && parent != pid)
			return true;
		reap(pid, forked->seen);
		nanosleep(&pause, NULL);
	}
	return !process_state_of(forked->pid).letter;
}

#endif
