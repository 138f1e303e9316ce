/* The place of a hash table, by votes: a semaphore's address gives the index of its entry. */
#include "runtime_semtable.h"

#include "base/map.h"
#include "goruntime/gomemory.h"

enum {
	SEMAPHORES = 251,   /* entries */
	SUDOG_ELEM = 3,     /* word of a sudog with the semaphore's address; it is the next one */
	SUDOG_ELEM_END = 5, /* up to Go 1.12, and from 1.26 on */
};

/* The table's address if `word` is that of the first word behind an entry's lock; 0: none. */
static uint64_t runtime_semtable_by(const struct heap *heap, uint64_t word, unsigned elem,
                                    uint64_t entry)
{
	unsigned width = heap->params.layout.pointer_size;
	uint64_t sudog = gomemory_word_in_dump(heap, word);
	uint64_t semaphore = gomemory_word_in_dump(heap, sudog + elem * (uint64_t)width);
	return semaphore ? word - width - (semaphore >> 3) % SEMAPHORES * entry : 0;
}

/* The address that most words agree in, if more do than in *best. */
static void runtime_semtable_vote(const struct heap *heap, const uint64_t *word, size_t count,
                                  unsigned elem, uint64_t entry, struct runtime_semtable *best)
{
	struct map votes = {0};
	for (size_t i = 0; i < count; i++) {
		uint64_t address = runtime_semtable_by(heap, word[i], elem, entry), agree = 0;
		map_get(&votes, address, &agree);
		map_put(&votes, address, ++agree);
		if (address && agree > best->words)
			*best = (struct runtime_semtable){address, SEMAPHORES * entry, agree};
	}
	map_free(&votes);
}

/* An entry is as long as a cache line of the processor. A global sync.Cond has such a word, too,
   which agrees with no other. */
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
