#include "base/string_set.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

uint32_t string_set_number(struct string_set *set, const char *text, bool *is_new)
{
	uint64_t hash = hash_bytes(hash_multiplier(), text, strlen(text)), first = 0;
	if (is_new)
		*is_new = false;
	map_get(&set->of_hash, hash, &first);
	for (uint32_t i = (uint32_t)first; i; i = set->text[i - 1].next)
		if (strcmp(set->text[i - 1].text, text) == 0)
			return i - 1;
	MEM_PUSH(set->text, set->count, set->capacity,
	         (struct string_set_text){mem_strdup(text), (uint32_t)first});
	map_put(&set->of_hash, hash, set->count);
	if (is_new)
		*is_new = true;
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
