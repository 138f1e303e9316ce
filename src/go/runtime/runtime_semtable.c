/* Finds the address of a hash table by voting: the address of a semaphore determines the index of
   its entry. */
#include "runtime_semtable.h"

#include "base/map.h"
#include "go/runtime/gomemory.h"
#include "heap/heap.h"

enum {
	SEMAPHORES = 251,   /* entries of the table */
	SUDOG_ELEM = 3,     /* word of a sudog with the semaphore's address, */
	SUDOG_ELEM_END = 5, /* or word 4: up to Go 1.12, and since 1.26 */
};

/* Returns the table's address if `word` is the first word after the lock of an entry; 0: it is
   not. */
static uint64_t runtime_semtable_by(const struct heap *heap, uint64_t word, unsigned elem,
                                    uint64_t entry)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t sudog = gomemory_word_in_dump(heap, word);
	uint64_t semaphore = gomemory_word_in_dump(heap, sudog + elem * (uint64_t)width);
	return semaphore ? word - width - (semaphore >> 3) % SEMAPHORES * entry : 0;
}

/* Finds the address on which most words agree; stores it if they are more than in *best. */
static void runtime_semtable_vote(const struct heap *heap, const uint64_t *word, size_t count,
                                  unsigned elem, uint64_t entry, struct runtime_semtable *best)
{
	SCOPED_MAP votes = {0};
	for (size_t i = 0; i < count; i++) {
		uint64_t address = runtime_semtable_by(heap, word[i], elem, entry), agree = 0;
		map_get(&votes, address, &agree);
		map_put(&votes, address, ++agree);
		if (address && agree > best->words)
			*best = (struct runtime_semtable){address, SEMAPHORES * entry, agree};
	}
}

/* Tries the entry sizes of all cache lines. A global sync.Cond has such a word, too, but it agrees
   with no other. */
bool runtime_semtable_find(const struct heap *heap, const uint64_t *word, size_t count,
                           struct runtime_semtable *table)
{
	static const uint64_t entries[] = {64, 128, 256, 32};
	*table = (struct runtime_semtable){.words = 1};
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		for (unsigned elem = SUDOG_ELEM; elem < SUDOG_ELEM_END; elem++)
			runtime_semtable_vote(heap, word, count, elem, entries[i], table);
	return table->words > 1;
}
