/* Go's packages as classes: global variables are their static fields, functions their methods. */
#ifndef MAIN_HPROF_STATICS_H
#define MAIN_HPROF_STATICS_H

#include "main/hprof/classes.h"

struct hprof_package {
	uint32_t name, serial;
	uint64_t id;
	size_t first, count; /* variables */
};

struct hprof_variable {
	uint32_t package, name, object, number; /* number: in the dump's order */
};

struct hprof_packages {
	struct hprof *h;
	struct hprof_classes *classes; /* knows which names are taken */
	struct hprof_package *package;
	size_t count, capacity;
	struct hprof_variable *variable;
	size_t variables, variable_capacity;
	struct map of_name;
};

/* Names the package of a function or variable, "net/http" of "net/http.(*conn).serve"; the method's
   or the variable's name in it begins at *rest. Returns its number. */
uint32_t hprof_package_of(struct hprof_packages *packages, const char *name, const char **rest);
/* Names all global variables that are roots. */
void hprof_packages_find(struct hprof_packages *packages, const struct analysis *analysis);
/* Writes the classes, those below `super`. */
void hprof_packages_write(struct hprof_packages *packages, uint64_t super);
void hprof_packages_free(struct hprof_packages *packages);

#endif
