/* How types become known, and how sure that is: part of go/types/typing.h. */
#include "go/types/typing.h"

const char *const type_source_names[SOURCE_COUNT] = {
	"nothing says it",
	"no other type fits it, of all or of those that its package names",
	"two words that look like an interface lead to it",
	"all pointers into it say the same",
	"it is one of the allocator's blocks for small values, by the pointers into it",
	"it says so itself",
	"the allocator has written its elements' type into it, and nothing says how many there are",
	"others that were allocated at the same place are of it",
	"a typed pointer points to it",
	"an interface that holds it names it",
	"its first word is the entry of a function",
	"a record of the dump says it",
	"the allocator has written it into the object",
};
const char *const type_known_names[KNOWN_COUNT] = {"none", "guess", "inferred", "exact"};

enum type_known type_known(enum type_source source)
{
	static const enum type_known known[SOURCE_COUNT] = {
		[SOURCE_NONE] = KNOWN_NONE,         [SOURCE_GUESS] = KNOWN_GUESS,
		[SOURCE_LOOKS] = KNOWN_GUESS,       [SOURCE_WHOLE] = KNOWN_INFERRED,
		[SOURCE_BLOCK] = KNOWN_INFERRED,    [SOURCE_CONTENTS] = KNOWN_INFERRED,
		[SOURCE_ELEMENTS] = KNOWN_INFERRED, [SOURCE_PROFILE] = KNOWN_INFERRED,
	};
	return source < SOURCE_FIELD ? known[source] : KNOWN_EXACT;
}

const char *type_mark(enum type_known known)
{
	static const char mark[] = {TYPE_MARK, '\0'};
	return known == KNOWN_GUESS ? mark : "";
}

const char *type_unmarked(const char *name)
{
	return name + (*name == TYPE_MARK);
}
