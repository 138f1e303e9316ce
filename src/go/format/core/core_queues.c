#include "core_queues.h"

enum {
	KIND_OFFSET = 23, /* of a type descriptor */
	KIND_MASK = 31,
	KIND_INTERFACE = 20,
	KIND_POINTER = 22,
	PUSHED = 8,  /* offset in a cleanup block: how often it was in a queue */
	PADDING = 4, /* after the count of either block */
};

unsigned core_cleanup_words(const struct core_runtime *rt)
{
	return rt->layout.offset[RT_SPECIALCLEANUP_CLEANUP] == RT_NONE ? 1 : 3;
}

/* ---- Blocks: every word of them must make sense */

/* Checks one block. Returns its link to the next one; *evidence: no other memory looks so. */
typedef bool queue_is_block(const struct core_runtime *rt, uint64_t block, bool *evidence,
                            uint64_t *next);

/* A finalizer function takes a pointer or an interface. */
static bool queue_is_argument_type(const struct core_runtime *rt, uint64_t type)
{
	uint64_t kind;
	if (type < rt_field(rt, rt->module, RT_MODULEDATA_TYPES)
	    || type >= rt_field(rt, rt->module, RT_MODULEDATA_ETYPES)
	    || !memory_number(&rt->memory, type + KIND_OFFSET, 1, &kind))
		return false;
	return (kind & KIND_MASK) == KIND_POINTER || (kind & KIND_MASK) == KIND_INTERFACE;
}

/* Returns true if a closure is at an address. */
static bool queue_is_closure(const struct core_runtime *rt, uint64_t closure)
{
	const char *name;
	uint64_t code = closure ? memory_word(&rt->memory, closure) - rt->memory.bias : 0, entry;
	return code && exe_function(rt->memory.exe, code, &name, &entry) && entry == code;
}

/* Go 1.24 has its cleanups among the finalizers: functions without anything else. */
static bool queue_is_mixed(const struct core_runtime *rt)
{
	return rt->layout.offset[RT_SPECIALCLEANUP_FN] != RT_NONE
	       && rt->layout.offset[RT_CLEANUPBLOCK_CLEANUPS] == RT_NONE;
}

/* Checks a finalizer of a block. The runtime clears one that it calls, but for the number of result
   bytes and the type of the argument: so *typed remains for all that were ever used. */
static bool queue_is_finalizer(const struct core_runtime *rt, uint64_t at, bool queued, bool *typed)
{
	uint64_t function = memory_word(&rt->memory, at);
	uint64_t argument = memory_word(&rt->memory, at + FINALIZER_ARG);
	uint64_t bytes = memory_word(&rt->memory, at + FINALIZER_NRET);
	uint64_t argument_type = memory_word(&rt->memory, at + FINALIZER_FINT);
	uint64_t type = memory_word(&rt->memory, at + FINALIZER_OT);
	*typed = argument_type != 0;
	if (*typed && !queue_is_argument_type(rt, argument_type))
		return false;
	if (!queued)
		return !function && !argument && !type && (*typed || !bytes);
	if (!queue_is_closure(rt, function))
		return false;
	return *typed ? argument && type : queue_is_mixed(rt) && !argument && !type && !bytes;
}

/* Blocks are filled from the first finalizer on. */
static bool queue_is_finblock(const struct core_runtime *rt, uint64_t block, bool *evidence,
                              uint64_t *next)
{
	uint64_t count, padding;
	bool before = true, typed, mixed = queue_is_mixed(rt);
	if (!memory_at(&rt->memory, block, FINBLOCK_FIRST + FINBLOCK_MOST * FINALIZER_SIZEOF))
		return false;
	memory_number(&rt->memory, block + FINBLOCK_COUNT, 4, &count);
	memory_number(&rt->memory, block + FINBLOCK_COUNT + PADDING, 4, &padding);
	if (count > FINBLOCK_MOST || padding)
		return false;
	for (uint64_t i = 0; i < FINBLOCK_MOST; i++) {
		uint64_t at = block + FINBLOCK_FIRST + i * FINALIZER_SIZEOF;
		if (!queue_is_finalizer(rt, at, i < count, &typed) || (!mixed && typed > before))
			return false;
		*evidence |= typed || i < count;
		before = typed;
	}
	*next = memory_word(&rt->memory, block);
	return mixed || *evidence;
}

/* Returns true if a cleanup is at an address, or *empty: nothing but zeros. */
static bool queue_is_cleanup(const struct core_runtime *rt, uint64_t at, unsigned words,
                             bool *empty)
{
	enum { CALL, FUNCTION, ARGUMENT, WORDS };
	uint64_t word[WORDS] = {0};
	for (unsigned i = 0; i < words; i++)
		word[i] = memory_word(&rt->memory, at + i * 8);
	*empty = !word[CALL] && !word[FUNCTION] && !word[ARGUMENT];
	if (*empty)
		return true;
	return queue_is_closure(rt, word[CALL])
	       && (words == 1 || (queue_is_closure(rt, word[FUNCTION]) && word[ARGUMENT]));
}

/* The runtime clears each cleanup before it calls it, and the count after the last one of a block:
   only the first ones can be empty. What was moved to another block remains behind the last. */
static bool queue_is_cleanup_block(const struct core_runtime *rt, uint64_t block, bool *evidence,
                                   uint64_t *next)
{
	unsigned words = core_cleanup_words(rt), most = CLEANUPBLOCK_WORDS / words;
	uint64_t count = rt_field(rt, block, RT_CLEANUPBLOCKHEADER_N), padding;
	uint64_t first = rt_place(rt, block, RT_CLEANUPBLOCK_CLEANUPS);
	bool filled = false, empty;
	if (!memory_at(&rt->memory, block, first - block + CLEANUPBLOCK_WORDS * 8) || count > most)
		return false;
	memory_number(&rt->memory, rt_place(rt, block, RT_CLEANUPBLOCKHEADER_N) + PADDING, 4, &padding);
	if (padding || (!count && !memory_word(&rt->memory, block + PUSHED)))
		return false;
	for (uint64_t i = 0; i < most; i++) {
		if (!queue_is_cleanup(rt, first + i * words * 8, words, &empty)
		    || (i < count && empty && filled))
			return false;
		filled |= !empty;
		*evidence |= !empty && i < count;
	}
	*next = rt_field(rt, block, RT_CLEANUPBLOCKHEADER_ALLLINK);
	return true;
}

/* ---- Search */

/* Returns true for addresses of the memory that the runtime keeps outside of the heap and of its
   variables. */
static bool queue_is_outside(const struct core_runtime *rt, const struct core_run *variables,
                             uint64_t block)
{
	return block && block % 8 == 0 && !core_arena(rt, block)
	       && (block < variables->start || block >= variables->end);
}

/* Returns the length of the list that begins with a block; 0: it is none. Subtracts it from
 *left. */
static uint64_t queue_length(const struct core_runtime *rt, const struct core_run *variables,
                             uint64_t block, queue_is_block *is, uint64_t *left)
{
	bool evidence = false;
	uint64_t count = 0;
	for (; block && count < MOST_BLOCKS && *left; count++, --*left)
		if (!queue_is_outside(rt, variables, block) || !is(rt, block, &evidence, &block))
			return 0;
	return evidence && !block ? count : 0;
}

/* Several variables lead to blocks: the list of all is the longest. */
static uint64_t queue_search(struct core_runtime *rt, queue_is_block *is)
{
	struct core_run range = core_module_variables(rt, rt->module);
	struct redaction *redaction = rt->memory.file.redaction;
	uint64_t best = 0, most = 0, left = rt->memory.file.size / 512;
	rt->memory.file.redaction = NULL; /* most of the words are none of the runtime's */
	for (uint64_t at = range.start; at < range.end && range.end - at >= 8; at += 8) {
		uint64_t block = memory_word(&rt->memory, at);
		uint64_t count = block == best ? 0 : queue_length(rt, &range, block, is, &left);
		if (count > most) {
			best = block;
			most = count;
		}
	}
	rt->memory.file.redaction = redaction;
	if (best && redaction)
		queue_length(rt, &range, best, is, &left);
	return best;
}

uint64_t core_search_finalizers(struct core_runtime *rt)
{
	return queue_search(rt, queue_is_finblock);
}

uint64_t core_search_cleanups(struct core_runtime *rt)
{
	if (rt->layout.offset[RT_CLEANUPBLOCK_CLEANUPS] == RT_NONE)
		return 0;
	return queue_search(rt, queue_is_cleanup_block);
}
