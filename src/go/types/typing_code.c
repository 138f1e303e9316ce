/* Dictionary coding of the types of objects: few combinations of type, count and source are
   frequent, so that an object takes a code of 16 bits. */
#include "base/mem.h"
#include "go/types/propagate.h"

#include <stdlib.h>
#include <string.h>

/* Codes met of late, by a part of their key, so that few objects need the map. */
enum { RECENT_BITS = 10, RECENT = 1 << RECENT_BITS };
struct coder {
	struct map codes;
	uint64_t key[RECENT]; /* 0: none */
	uint16_t code[RECENT];
	struct object_type *coded;
	size_t count, capacity;
};

static uint64_t coder_key(const struct object_type *object)
{
	uint64_t key;
	memcpy(&key, object, sizeof key);
	return key;
}
_Static_assert(sizeof(struct object_type) == sizeof(uint64_t), "it is a key");

/* Returns the code of a combination; UINT32_MAX: there are too many. */
static uint32_t coder_add(struct coder *coder, const struct object_type *object)
{
	uint64_t key = coder_key(object), code = coder->count;
	size_t recent = key * 0x9e3779b97f4a7c15 >> (64 - RECENT_BITS);
	if (key && coder->key[recent] == key)
		return coder->code[recent];
	if (code > UINT16_MAX && !map_get(&coder->codes, key, &code))
		return UINT32_MAX;
	if (code == coder->count && map_add(&coder->codes, key, &code))
		MEM_PUSH(coder->coded, coder->count, coder->capacity, *object);
	coder->key[recent] = key;
	coder->code[recent] = (uint16_t)code;
	return (uint32_t)code;
}

void typing_encode(struct typing *t)
{
	struct coder *coder = mem_alloc(sizeof *coder);
	size_t count = t->code_size / sizeof *t->code, i = 0;
	t->code = mem_column(t->code_size);
	for (uint32_t code; i < count && (code = coder_add(coder, &t->object[i])) <= UINT16_MAX; i++)
		t->code[i] = (uint16_t)code;
	if (i == count) {
		mem_column_free(t->object, t->object_size);
		t->object = NULL;
		t->coded = coder->coded;
		t->codes = coder->count;
	} else {
		mem_column_free(t->code, t->code_size);
		free(coder->coded);
		t->code = NULL;
	}
	map_free(&coder->codes);
	free(coder);
}
