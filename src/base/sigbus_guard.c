#include "base/sigbus_guard.h"

#include "base/mem.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Read by a signal handler: `base` is published last and cleared first. `taken` reserves the slot
   meanwhile. */
struct guard {
	atomic_bool taken;
	atomic_uintptr_t base;
	atomic_size_t size;
	atomic_uint_least64_t lost;
};

/* Slots are never freed, so that the handler can always scan all of them. */
enum { GUARDS = 64 };
struct guards {
	struct guard guard[GUARDS];
	_Atomic(struct guards *) next;
};

static struct {
	struct guards first;
	_Atomic(const char *) line; /* of sigbus_guard_tell */
	struct sigaction before;
	uintptr_t page_size;
	atomic_flag installed;
} sigbus_guard = {.installed = ATOMIC_FLAG_INIT};

static struct guard *sigbus_guard_find(uintptr_t address)
{
	for (struct guards *some = &sigbus_guard.first; some; some = atomic_load(&some->next))
		for (int i = 0; i < GUARDS; i++) {
			uintptr_t base = atomic_load(&some->guard[i].base);
			if (base && address - base < atomic_load(&some->guard[i].size))
				return &some->guard[i];
		}
	return NULL;
}

/* Reserves a free slot of a block, or returns NULL. */
static struct guard *sigbus_guard_take(struct guards *some)
{
	for (int i = 0; i < GUARDS; i++)
		if (!atomic_exchange(&some->guard[i].taken, true))
			return &some->guard[i];
	return NULL;
}

/* Returns the next block of slots. If there is none, whichever thread is first allocates it. */
static struct guards *sigbus_guard_more(struct guards *some)
{
	struct guards *none = NULL, *more = atomic_load(&some->next);
	if (more)
		return more;
	more = mem_alloc(sizeof *more);
	if (atomic_compare_exchange_strong(&some->next, &none, more))
		return more;
	free(more);
	return none;
}

bool rescue(const void *address)
{
	struct guard *guard = sigbus_guard_find((uintptr_t)address);
	if (!guard)
		return false;
	uintptr_t base = atomic_load(&guard->base),
			  page = (uintptr_t)address & ~(sigbus_guard.page_size - 1);
	size_t rest = atomic_load(&guard->size) - (page - base);
	int saved = errno;
	void *zeros = mmap((void *)page, rest, PROT_READ,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
	errno = saved;
	if (zeros == MAP_FAILED)
		return false;
	if (page - base < atomic_load(&guard->lost))
		atomic_store(&guard->lost, page - base);
	return true;
}

void sigbus_guard_end(void)
{
	const char *line = atomic_load(&sigbus_guard.line);
	if (!line)
		return;
	ssize_t wrote = write(STDERR_FILENO, line, strlen(line));
	(void)wrote;
	_exit(2);
}

/* Faults outside of guarded mappings go to the previous handler; the default ends the program. */
static void sigbus_guard_handle(int number, siginfo_t *info, void *context)
{
	if (rescue(info->si_addr))
		return;
	sigbus_guard_end();
	if (sigbus_guard.before.sa_flags & SA_SIGINFO) {
		sigbus_guard.before.sa_sigaction(number, info, context);
	} else if (sigbus_guard.before.sa_handler != SIG_DFL
	           && sigbus_guard.before.sa_handler != SIG_IGN) {
		sigbus_guard.before.sa_handler(number);
	} else {
		signal(number, SIG_DFL);
		raise(number);
	}
}

static void sigbus_guard_install(void)
{
	if (atomic_flag_test_and_set(&sigbus_guard.installed))
		return;
	sigbus_guard.page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct sigaction action = {.sa_sigaction = sigbus_guard_handle, .sa_flags = SA_SIGINFO};
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &sigbus_guard.before);
}

void sigbus_guard_tell(const char *line)
{
	atomic_store(&sigbus_guard.line, line);
	sigbus_guard_install();
}

void sigbus_guard_add(const void *base, size_t size)
{
	struct guards *some = &sigbus_guard.first;
	struct guard *guard;
	sigbus_guard_install();
	while (!(guard = sigbus_guard_take(some)))
		some = sigbus_guard_more(some);
	atomic_store(&guard->size, size);
	atomic_store(&guard->lost, UINT64_MAX);
	atomic_store(&guard->base, (uintptr_t)base);
}

void sigbus_guard_remove(const void *base)
{
	struct guard *guard = sigbus_guard_find((uintptr_t)base);
	if (!guard)
		return;
	atomic_store(&guard->base, 0);
	atomic_store(&guard->taken, false);
}

uint64_t sigbus_guard_lost(const void *base)
{
	struct guard *guard = sigbus_guard_find((uintptr_t)base);
	return guard ? atomic_load(&guard->lost) : UINT64_MAX;
}
