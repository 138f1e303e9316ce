/* Named facts, one after the other, as one JSON object or as CSV lines "name,value". Those of a
   group stand in an object of their own, or have the group's name and a dot before theirs. */
#ifndef MAIN_FACTS_H
#define MAIN_FACTS_H

#include "main/json.h"
#include "main/options.h"

struct facts {
	struct json json;
	bool csv;
	const char *group; /* NULL: none */
};

void facts_begin(struct facts *facts, enum output output,
				 struct buf *out); /* OUTPUT_JSON or _CSV */
void facts_end(struct facts *facts);
void facts_open_group(struct facts *facts, const char *name);
void facts_close_group(struct facts *facts);

void facts_number(struct facts *facts, const char *name, uint64_t number);
void facts_null(struct facts *facts, const char *name); /* CSV: an empty value */
void facts_bool(struct facts *facts, const char *name, bool value);
void facts_address(struct facts *facts, const char *name, uint64_t address);
void facts_text(struct facts *facts, const char *name, const char *text); /* NULL: none */
/* CSV: one cell with blanks between the numbers. */
void facts_numbers(struct facts *facts, const char *name, const uint64_t *numbers, size_t count);

#endif
