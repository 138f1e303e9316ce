#include "base/needle.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 64 }; /* positions checked together; compilers vectorize the loop */

void needle_init(struct needle *needle, const void *bytes, size_t len, const uint8_t *sample,
                 size_t sample_size)
{
	size_t count[256] = {0};
	size_t first = 0, second = len - 1;
	*needle = (struct needle){.bytes = bytes, .len = len};
	for (size_t i = 0; i < sample_size; i++)
		count[sample[i]]++;
	for (size_t i = 1; i < len; i++)
		if (count[needle->bytes[i]] < count[needle->bytes[first]])
			first = i;
	second = first ? 0 : len - 1;
	for (size_t i = 0; i < len; i++)
		if (i != first && count[needle->bytes[i]] < count[needle->bytes[second]])
			second = i;
	needle->rare = first < second ? first : second;
	needle->rarest = first < second ? second : first;
}

static bool any_place(const uint8_t *one, const uint8_t *other, uint8_t a, uint8_t b)
{
	uint8_t any = 0;
	for (int i = 0; i < BLOCK; i++)
		any |= (uint8_t)((one[i] == a) & (other[i] == b));
	return any;
}

static const uint8_t *find_in(const struct needle *needle, const uint8_t *data, size_t places)
{
	uint8_t first = needle->bytes[needle->rare];
	for (size_t i = 0; i < places; i++)
		if (data[i + needle->rare] == first && memcmp(data + i, needle->bytes, needle->len) == 0)
			return data + i;
	return NULL;
}

const uint8_t *needle_find(const struct needle *needle, const uint8_t *data, size_t size)
{
	uint8_t a = needle->bytes[needle->rare], b = needle->bytes[needle->rarest];
	if (size < needle->len)
		return NULL;
	size_t places = size - needle->len + 1, at = 0;
	for (; at + BLOCK <= places; at += BLOCK) {
		const uint8_t *block = data + at, *found;
		if (any_place(block + needle->rare, block + needle->rarest, a, b)
		    && (found = find_in(needle, block, BLOCK)) != NULL)
			return found;
	}
	return find_in(needle, data + at, places - at);
}
