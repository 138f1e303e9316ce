/* A library with variables that it writes. BYTES: of the largest. */
#include <string.h>

#ifndef BYTES
#define BYTES (7 << 20)
#endif

char library_one[1 << 10], library_four[4 << 10], library_large[BYTES];
char library_ready[100 << 10] = {1};
static char library_hidden[3 << 20];

void library_fill(void)
{
	memset(library_one, 1, sizeof library_one);
	memset(library_four, 1, sizeof library_four);
	memset(library_large, 1, sizeof library_large);
	memset(library_ready, 1, sizeof library_ready);
	memset(library_hidden, 1, sizeof library_hidden);
}
