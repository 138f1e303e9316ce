/* Named facts, one after the other, as one JSON object or as CSV lines "name,value". Those of a
   group stand in an object of their own, or have the group's name and a dot before theirs. */
#ifndef MAIN_KEY_VALUES_H
#define MAIN_KEY_VALUES_H

#include "main/json.h"
#include "main/options.h"

struct key_values {
	struct json json;
	bool csv;
	const char *group; /* NULL: none */
};

void key_values_begin(struct key_values *values, enum output output,
                      struct buf *out); /* OUTPUT_JSON
                                           or _CSV */
void key_values_end(struct key_values *values);
void key_values_open_group(struct key_values *values, const char *name);
void key_values_close_group(struct key_values *values);

void key_values_number(struct key_values *values, const char *name, uint64_t number);
void key_values_null(struct key_values *values, const char *name); /* CSV: an empty value */
void key_values_bool(struct key_values *values, const char *name, bool value);
void key_values_address(struct key_values *values, const char *name, uint64_t address);
void key_values_text(struct key_values *values, const char *name, const char *text); /* NULL: none
                                                                                      */
/* CSV: one cell with blanks between the numbers. */
void key_values_numbers(struct key_values *values, const char *name, const uint64_t *numbers,
                        size_t count);

#endif
