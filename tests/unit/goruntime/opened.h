/* A real dump of testdata with what its program knew of itself and, where there is one, the types
   of its executable, settled. */
#ifndef TESTS_GORUNTIME_OPENED_H
#define TESTS_GORUNTIME_OPENED_H

#include "cmocka_all.h"

#include "exe/types_of.h"
#include "goruntime/goruntime.h"
#include "goruntime/probe.h"

#include <jansson.h>

struct opened {
	struct input input;
	struct heap *heap;
	struct regions regions;
	json_t *truth;
	struct types_of of;
	struct goruntime rt; /* its addresses are those of the executable */
};
void opened_dump(struct opened *o, const char *name);
/* With the types of the executable; stripped: those that are left without debug information. */
void opened_types(struct opened *o, const char *name, bool stripped);
void opened_close(struct opened *o);

uint64_t opened_address(const json_t *text); /* "0xc000" */
/* The word in a global variable, as the truth of the program "small" has it. */
uint64_t opened_global(const struct opened *o, const char *name);
uint64_t opened_word(const struct opened *o, uint64_t address);
/* An object by the address of its first byte. */
struct probe opened_probe(const struct opened *o, uint64_t address);

#endif
