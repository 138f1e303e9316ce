#include "base/string_set.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static uint32_t string_set_at(const struct string_set *set, const char *text, uint64_t hash,
                              uint64_t *first)
{
	map_get(&set->of_hash, hash, first);
	for (uint32_t i = (uint32_t)*first; i; i = set->text[i - 1].next)
		if (strcmp(set->text[i - 1].text, text) == 0)
			return i;
	return 0;
}

static uint64_t string_set_hash(const char *text)
{
	return hash_bytes(hash_multiplier(), text, strlen(text));
}

uint32_t string_set_find(const struct string_set *set, const char *text)
{
	return string_set_at(set, text, string_set_hash(text), &(uint64_t){0});
}

uint32_t string_set_number(struct string_set *set, const char *text, bool *is_new)
{
	uint64_t hash = string_set_hash(text), first = 0;
	uint32_t found = string_set_at(set, text, hash, &first);
	if (is_new)
		*is_new = !found;
	if (found)
		return found - 1;
	MEM_PUSH(set->text, set->count, set->capacity,
	         (struct string_set_text){mem_strdup(text), (uint32_t)first});
	map_put(&set->of_hash, hash, set->count);
	return (uint32_t)set->count - 1;
}

const char *string_set_text(const struct string_set *set, uint32_t number)
{
	return set->text[number].text;
}

void string_set_free(struct string_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->text[i].text);
	free(set->text);
	map_free(&set->of_hash);
}
