/* The parts of names, for src/table/naming/shorten.c and shorten_cut.c only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true for a character that a name of Go may begin with. */
bool shorten_is_letter(char c);
/* Returns the length of what stands before a name, as "largest: "; 0: nothing. */
size_t shorten_label(const char *text);
