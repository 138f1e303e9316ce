/* Go packages as Java classes: global variables are static fields, functions are methods. */
#pragma once

#include "main/hprof/classes.h"

struct hprof_package {
	uint32_t name, serial;
	uint64_t id;
	size_t first, count; /* variables of the package */
};

struct hprof_variable {
	uint32_t package, name, object, number; /* number: index in the dump's order */
};

struct hprof_packages {
	struct hprof *h;
	struct hprof_classes *classes; /* for unique names */
	struct hprof_package *package;
	size_t count, capacity;
	struct hprof_variable *variable;
	size_t variables, variable_capacity;
	struct map of_name;
};

/* Returns the number of the package of a function or variable, "net/http" for
   "net/http.(*conn).serve", and names it if it is new. *rest is the rest of the name. */
uint32_t hprof_package_of(struct hprof_packages *packages, const char *name, const char **rest);
/* Names all global variables that are roots. */
void hprof_packages_find(struct hprof_packages *packages, const struct analysis *analysis);
/* Writes the classes, as subclasses of `super`. */
void hprof_packages_write(struct hprof_packages *packages, uint64_t super);
void hprof_packages_free(struct hprof_packages *packages);
