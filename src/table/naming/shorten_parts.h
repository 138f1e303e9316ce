/* The parts of names, for src/table/naming/shorten.c and shorten_cut.c only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true for a character that a name of Go may begin with. */
bool shorten_is_letter(char c);
/* Returns the length of a quoted text, both quotes included. */
size_t shorten_quoted(const char *text);
/* Returns where the fields begin of the first type in a text that has no name: behind the brace of
   "struct {" or "interface {"; *end is the place of its closing brace. Returns 0 if there is none.
 */
size_t shorten_fields(const char *text, size_t *end);
/* Returns the length of what stands before a name, as "largest: "; 0: nothing. */
size_t shorten_label(const char *text);
