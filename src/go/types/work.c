/* Blocks are freed as soon as they are consumed: the queue of a large heap reaches millions of
   values, and a growing array would temporarily need twice the memory. */
#include "go/types/propagate.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { BLOCK = 1 << 14 };

struct work_block {
	struct work_block *next;
	struct work work[BLOCK];
};

void work_put(struct work_queue *queue, struct work work)
{
	if (!queue->last || queue->tail == BLOCK) {
		struct work_block *block = queue->spare ? queue->spare : mem_resize(NULL, sizeof *block);
		block->next = queue->spare = NULL;
		*(queue->last ? &queue->last->next : &queue->first) = block;
		queue->last = block;
		queue->tail = 0;
	}
	queue->last->work[queue->tail++] = work;
}

static void drop_first(struct work_queue *queue)
{
	struct work_block *next = queue->first->next;
	free(queue->spare);
	queue->spare = queue->first;
	queue->first = next;
	queue->head = 0;
	if (!next)
		queue->last = NULL;
}

bool work_take(struct work_queue *queue, struct work *work)
{
	if (!queue->first || (queue->first == queue->last && queue->head == queue->tail))
		return false;
	*work = queue->first->work[queue->head++];
	if (queue->head == BLOCK)
		drop_first(queue);
	return true;
}

void work_clear(struct work_queue *queue)
{
	while (queue->first)
		drop_first(queue);
	free(queue->spare);
	queue->spare = NULL;
}

/* ---- The set of queued values */

enum { FIRST_BITS = 10 };
/* Bits of a place below the key. */
enum { SEEN_KNOWN = 3, TYPE_AT = 2 };

/* Returns a key of address and type. The factor is odd, so it is injective; addresses whose keys
   collide after truncation are too far apart for one process. */
static uint64_t seen_key(uint64_t address, gotype_id type)
{
	uint64_t key = address * 0x9e3779b97f4a7c15 ^ (uint64_t)type << TYPE_AT;
	key &= ~(uint64_t)SEEN_KNOWN;
	return key ? key : UINT64_MAX & ~(uint64_t)SEEN_KNOWN; /* 0 marks an empty place */
}

static uint64_t *seen_find(const struct seen *seen, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << seen->bits) - 1;
	uint64_t at = hash_place(key, hash_multiplier(), seen->bits);
	while (seen->places[at] && (seen->places[at] & ~(uint64_t)SEEN_KNOWN) != key)
		at = (at + 1) & mask;
	return &seen->places[at];
}

static void seen_enlarge(struct seen *seen)
{
	struct seen old = *seen;
	size_t count = old.bits ? (size_t)1 << old.bits : 0;
	seen->bits = old.bits ? old.bits + 1 : FIRST_BITS;
	seen->places = mem_alloc(sizeof *seen->places << seen->bits);
	for (size_t i = 0; i < count; i++)
		if (old.places[i])
			*seen_find(seen, old.places[i] & ~(uint64_t)SEEN_KNOWN) = old.places[i];
	free(old.places);
}

bool seen_add(struct seen *seen, uint64_t address, gotype_id type, enum type_known known)
{
	uint64_t key = seen_key(address, type);
	if (!seen->bits || seen->count * 2 >= (size_t)1 << seen->bits)
		seen_enlarge(seen);
	uint64_t *place = seen_find(seen, key);
	if (*place && (*place & SEEN_KNOWN) >= known)
		return false;
	seen->count += !*place;
	*place = key | known;
	return true;
}

void seen_free(struct seen *seen)
{
	free(seen->places);
	*seen = (struct seen){0};
}
