/* The list that a format fills with the references of a listed object. */
#include "format/format.h"

#include "base/mem.h"

void listed_references_add(struct listed_references *references, struct listed_reference reference)
{
	MEM_PUSH(references->item, references->count, references->capacity, reference);
}
