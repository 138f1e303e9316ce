/* The dumps that the explorer had open, of which it saves where it was left: files in
   ~/.local/state/goheapx/places. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct place_dump {
	char *path;
	uint64_t size; /* bytes */
	time_t left;   /* when the explorer was left */
};
/* Stores those dumps that are still there, the one left last first; `most` at most. Returns their
   number. */
size_t places_last(struct place_dump *dumps, size_t most);
void places_free(struct place_dump *dumps, size_t count);
