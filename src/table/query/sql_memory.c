/* The allocator that SQLite is given: malloc, with a limit. Without it a query such as an endless
   recursion takes memory until the kernel ends a process, maybe another one. */
#include "table/query/sql_memory.h"

#include "base/memory_left.h"
#include "base/text.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SHARE = 2 /* of what is free */, HEAD = 8 /* bytes before a block: its size */ };
static const uint64_t LEAST = 32 << 20, NO_LIMIT = UINT64_MAX / 2;

static _Atomic uint64_t used, limit = UINT64_MAX / 2;

/* Takes the difference of two sizes from the limit. False: it is too much. */
static bool sql_memory_take(uint64_t before, uint64_t after)
{
	uint64_t more = after - before; /* wraps where it becomes less */
	uint64_t now = atomic_fetch_add_explicit(&used, more, memory_order_relaxed) + more;
	if (after <= before || now <= atomic_load_explicit(&limit, memory_order_relaxed))
		return true;
	atomic_fetch_sub_explicit(&used, more, memory_order_relaxed);
	return false;
}

static int sql_memory_size(void *block)
{
	return block ? (int)((uint64_t *)block)[-1] : 0;
}

static void *sql_memory_realloc(void *block, int size)
{
	uint64_t before = block ? (uint64_t)sql_memory_size(block) : 0, after = (uint64_t)size;
	if (!sql_memory_take(before, after))
		return NULL;
	uint64_t *head = realloc(block ? (uint64_t *)block - 1 : NULL, (size_t)after + HEAD);
	if (!head) {
		atomic_fetch_sub_explicit(&used, after - before, memory_order_relaxed);
		return NULL;
	}
	*head = after;
	return head + 1;
}

static void *sql_memory_malloc(int size)
{
	return sql_memory_realloc(NULL, size);
}

static void sql_memory_free(void *block)
{
	sql_memory_take((uint64_t)sql_memory_size(block), 0);
	free((uint64_t *)block - 1);
}

static int sql_memory_round(int size)
{
	return (size + HEAD - 1) & ~(HEAD - 1);
}

static int sql_memory_init(void *self)
{
	(void)self;
	return SQLITE_OK;
}

static void sql_memory_shutdown(void *self)
{
	(void)self;
}

/* Before the first database, and without SQLite's own count, which takes a lock each time. */
__attribute__((constructor)) static void sql_memory_begin(void)
{
	static const sqlite3_mem_methods methods = {
		.xMalloc = sql_memory_malloc,
		.xFree = sql_memory_free,
		.xRealloc = sql_memory_realloc,
		.xSize = sql_memory_size,
		.xRoundup = sql_memory_round,
		.xInit = sql_memory_init,
		.xShutdown = sql_memory_shutdown,
	};
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

void sql_memory_renew(void)
{
	uint64_t left = memory_left(), space = memory_left_in_space();
	uint64_t share = (left < space ? left : space) / SHARE, now = atomic_load(&used);
	atomic_store(&limit,
	             share >= NO_LIMIT / SHARE ? NO_LIMIT : now + (share > LEAST ? share : LEAST));
}

bool sql_memory_allows(uint64_t bytes)
{
	return bytes <= NO_LIMIT
	       && atomic_load_explicit(&used, memory_order_relaxed) + bytes
	              <= atomic_load_explicit(&limit, memory_order_relaxed);
}

bool sql_memory_fail(struct err *err)
{
	return err_set(
		err,
		"The query takes more memory than the %s that it may, half of what is free: let it "
		"read or answer less, as by WHERE or LIMIT",
		text_size(atomic_load(&limit)).text);
}
