/* A real dump of testdata with the program's own record of its state (truth) and, if there is one,
   the types of its executable. */
#pragma once

#include "cmocka_all.h"

#include "exe/types_of.h"
#include "go/runtime/goruntime.h"
#include "go/runtime/probe.h"

#include <jansson.h>

struct opened {
	struct input input;
	struct heap *heap;
	struct regions regions;
	json_t *truth;
	struct types_of of;
	struct goruntime rt; /* with the addresses of the executable */
};
void opened_dump(struct opened *o, const char *name);
/* Opens with the types of the executable; stripped: with those that remain without debug
   information. */
void opened_types(struct opened *o, const char *name, bool stripped);
void opened_close(struct opened *o);
/* Declares one that is closed where its block ends. */
#define SCOPED_OPENED __attribute__((cleanup(opened_close))) struct opened

uint64_t opened_address(const json_t *text); /* "0xc000" */
/* Returns the word in a global variable, according to the truth of the program "small". */
uint64_t opened_global(const struct opened *o, const char *name);
uint64_t opened_word(const struct opened *o, uint64_t address);
/* Returns an object by the address of its first byte. */
struct probe opened_probe(const struct opened *o, uint64_t address);
