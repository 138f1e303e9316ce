#include "table/naming/nearest.h"

#include <ctype.h>
#include <string.h>

static unsigned nearest_least(unsigned a, unsigned b, unsigned c)
{
	unsigned low = a < b ? a : b;
	return low < c ? low : c;
}

/* Returns the edit distance (Levenshtein) of the first NEAREST_LENGTH - 1 letters,
   case-insensitive. */
static unsigned distance_of(const char *a, const char *b)
{
	unsigned row[NEAREST_LENGTH];
	size_t length = strnlen(b, NEAREST_LENGTH - 1);
	for (unsigned j = 0; j <= length; j++)
		row[j] = j;
	for (unsigned i = 0; a[i] && i < NEAREST_LENGTH - 1; i++) {
		unsigned before = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			unsigned here = row[j + 1];
			bool same = tolower((unsigned char)a[i]) == tolower((unsigned char)b[j]);
			row[j + 1] = nearest_least(here + 1, row[j] + 1, before + !same);
			before = here;
		}
	}
	return row[length];
}

void nearest_see(void *self, const char *name)
{
	struct nearest *nearest = self;
	struct nearest_name found = {.distance = distance_of(nearest->wanted, name)};
	size_t at = nearest->count;
	nearest->seen++;
	while (at > 0 && nearest->name[at - 1].distance > found.distance)
		at--;
	if (at == NEAREST_KEPT)
		return;
	nearest->count += nearest->count < NEAREST_KEPT;
	memmove(nearest->name + at + 1, nearest->name + at,
	        (nearest->count - at - 1) * sizeof *nearest->name);
	/* A long name is cut at the end of a character. */
	size_t length = strnlen(name, NEAREST_LENGTH - 1);
	while (length && (name[length] & 0xc0) == 0x80)
		length--;
	memcpy(found.text, name, length);
	found.text[length] = '\0';
	nearest->name[at] = found;
}

void nearest_keep(struct nearest *nearest, unsigned distance)
{
	while (nearest->count && nearest->name[nearest->count - 1].distance > distance)
		nearest->count--;
	nearest->seen = nearest->count;
}

void nearest_add(const struct nearest *nearest, struct buf *out)
{
	for (size_t i = 0; i < nearest->count; i++)
		buf_addf(out, "%s%s", i ? ", " : "", nearest->name[i].text);
	if (nearest->seen > nearest->count)
		buf_addf(out, " and %zu more", nearest->seen - nearest->count);
}

void nearest_add_meant(struct nearest *nearest, const char *before_name, struct buf *out)
{
	enum { SHORTEST = 3, SHORT = 6 };
	size_t length = strlen(nearest->wanted);
	nearest_keep(nearest, length < SHORTEST ? 0 : length < SHORT ? 1 : 2);
	if (nearest->count)
		buf_addf(out, ", perhaps %s%s is meant", before_name, nearest->name[0].text);
}
