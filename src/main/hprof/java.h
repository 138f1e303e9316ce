/* Classes of Java that tools require in every heap. Their objects have no bytes, except texts. */
#pragma once

#include "main/hprof/classes.h"

enum java_class {
	JAVA_OBJECT,
	JAVA_CLASS,
	JAVA_LOADER,
	JAVA_STRING,
	JAVA_THREAD,
	JAVA_SYSTEM,
	JAVA_HASHTABLE,
	JAVA_PROPERTIES,
	JAVA_ENTRY,
	JAVA_REFERENCE,
	JAVA_SOFT,
	JAVA_WEAK,
	JAVA_FINAL,
	JAVA_PHANTOM,
	JAVA_CHARS,
	JAVA_ENTRIES,
	JAVA_CLASSES
};

struct java {
	struct hprof *h;
	uint64_t id[JAVA_CLASSES];
	uint32_t name[JAVA_CLASSES]; /* of its field */
	uint64_t properties;         /* id of the properties object */
};

/* Names the classes, before all others. */
void java_begin(struct java *java, struct hprof *h, struct hprof_classes *classes);
/* Writes the classes, and properties for the user: pairs of texts, NULL at the end. */
void java_write(struct java *java, const char *const *properties);
/* Writes a thread object with its name. */
void java_write_thread(const struct java *java, uint64_t id, const char *name);
