#include "base/index_format.h"

#include <string.h>

#if defined __x86_64__ && !defined XXHASH_PLAIN && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* selects the widest vector instructions at run time */
#else
#include <xxhash.h>
#endif

const char index_magic[8] = "goheapx";
const char index_head_name[INDEX_NAME] = "head";
const char index_shortened[] = "goheapx: the index was shortened in use: try again.\n";

struct index_key index_key_add(struct index_key key, const void *bytes, size_t size)
{
	XXH128_hash_t sum =
		XXH3_128bits_withSeed(bytes, size, key.low ^ (key.high << 1 | key.high >> 63));
	return (struct index_key){sum.low64, sum.high64};
}

struct index_key index_sum(const struct index_secret *secret, struct index_key key,
                           const char *name, const void *bytes, uint64_t size)
{
	XXH128_hash_t body = XXH3_128bits_withSecret(bytes, size, secret->bytes, INDEX_SECRET);
	struct {
		struct index_key key, body;
		uint64_t size;
		char name[INDEX_NAME];
	} whole = {.key = key, .body = {body.low64, body.high64}, .size = size};
	memcpy(whole.name, name, INDEX_NAME);
	XXH128_hash_t sum = XXH3_128bits_withSecret(&whole, sizeof whole, secret->bytes, INDEX_SECRET);
	return (struct index_key){sum.low64, sum.high64};
}
