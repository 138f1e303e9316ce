#include "main/hprof/java.h"

#include "base/text.h"

#include <string.h>

/* Every class has at most one field, except entries of a hash table: key, value, next. */
static const struct {
	const char *name, *field;
	enum java_class super;
} java_classes[JAVA_CLASSES] = {
	[JAVA_OBJECT] = {"java/lang/Object", NULL, JAVA_OBJECT},
	[JAVA_CLASS] = {"java/lang/Class", NULL, JAVA_OBJECT},
	[JAVA_LOADER] = {"java/lang/ClassLoader", NULL, JAVA_OBJECT},
	[JAVA_STRING] = {"java/lang/String", "value", JAVA_OBJECT},
	[JAVA_THREAD] = {"java/lang/Thread", "name", JAVA_OBJECT},
	[JAVA_SYSTEM] = {"java/lang/System", NULL, JAVA_OBJECT},
	[JAVA_HASHTABLE] = {"java/util/Hashtable", "table", JAVA_OBJECT},
	[JAVA_PROPERTIES] = {"java/util/Properties", "defaults", JAVA_HASHTABLE},
	[JAVA_ENTRY] = {"java/util/Hashtable$Entry", "key", JAVA_OBJECT},
	[JAVA_REFERENCE] = {"java/lang/ref/Reference", "referent", JAVA_OBJECT},
	[JAVA_SOFT] = {"java/lang/ref/SoftReference", NULL, JAVA_REFERENCE},
	[JAVA_WEAK] = {"java/lang/ref/WeakReference", NULL, JAVA_REFERENCE},
	[JAVA_FINAL] = {"java/lang/ref/FinalReference", NULL, JAVA_REFERENCE},
	[JAVA_PHANTOM] = {"java/lang/ref/PhantomReference", NULL, JAVA_REFERENCE},
	[JAVA_CHARS] = {"[C", NULL, JAVA_OBJECT},
	[JAVA_ENTRIES] = {"[Ljava/util/Hashtable$Entry;", NULL, JAVA_OBJECT},
};

void java_begin(struct java *java, struct hprof *h, struct hprof_classes *classes)
{
	static const char *const more[] = {"value", "next", "props"};
	*java = (struct java){.h = h};
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		hprof_text(h, more[i]);
	for (int i = 0; i < JAVA_CLASSES; i++) {
		java->id[i] = hprof_new_id(h);
		if (java_classes[i].field)
			java->name[i] = hprof_text(h, java_classes[i].field);
		hprof_classes_name(classes, java->id[i], java_classes[i].name);
	}
	java->properties = hprof_new_id(h);
}

static void java_add_field(struct hprof *h, struct buf *out, uint32_t name)
{
	hprof_id(h, out, name);
	hprof_number(out, HPROF_OBJECT, 1);
}

/* Writes a class. Object has a size, so that readers use the given sizes, and derive the size of a
   reference from it. */
static void java_write_class(const struct java *java, enum java_class class)
{
	struct hprof *h = java->h;
	bool is_object = class == JAVA_OBJECT, is_system = class == JAVA_SYSTEM;
	unsigned fields = class == JAVA_ENTRY ? 3 : java->name[class] != 0;
	struct buf *out = hprof_class(h, java->id[class],
	                              is_object ? 0 : java->id[java_classes[class].super],
	                              is_object ? 2 * h->id_size : 0, 4);
	hprof_number(out, is_system, 2);
	if (is_system) {
		java_add_field(h, out, hprof_text(h, "props"));
		hprof_id(h, out, java->properties);
	}
	hprof_number(out, fields, 2);
	if (fields)
		java_add_field(h, out, java->name[class]);
	if (class == JAVA_ENTRY) {
		java_add_field(h, out, hprof_text(h, "value"));
		java_add_field(h, out, hprof_text(h, "next"));
	}
}

static void java_write_text(const struct java *java, uint64_t id, const char *text)
{
	struct hprof *h = java->h;
	uint64_t chars = hprof_new_id(h);
	size_t length = strlen(text), count = 0;
	SCOPED_BUF units = {0};
	hprof_id(h, hprof_instance(h, id, java->id[JAVA_STRING], h->id_size), chars);
	for (size_t step; length; text += step, length -= step, count++) {
		uint32_t c;
		step = text_decode(text, length, &c);
		hprof_number(&units, c <= UINT16_MAX ? c : '?', 2);
	}
	struct buf *out = hprof_sub(h, HPROF_PRIMITIVES, h->id_size + 9 + units.len);
	hprof_id(h, out, chars);
	hprof_number(out, 0, 4); /* trace */
	hprof_number(out, count, 4);
	hprof_number(out, HPROF_CHAR, 1);
	buf_add_bytes(out, buf_text(&units), units.len);
}

void java_write_thread(const struct java *java, uint64_t id, const char *name)
{
	struct hprof *h = java->h;
	uint64_t text = hprof_new_id(h);
	hprof_id(h, hprof_instance(h, id, java->id[JAVA_THREAD], h->id_size), text);
	java_write_text(java, text, name);
}

/* Writes all entries of the hash table as one list. Returns the first. */
static uint64_t java_write_entries(const struct java *java, const char *const *properties)
{
	struct hprof *h = java->h;
	uint64_t entry = 0;
	for (; *properties; properties += 2) {
		uint64_t key = hprof_new_id(h), value = hprof_new_id(h), id = hprof_new_id(h);
		struct buf *out = hprof_instance(h, id, java->id[JAVA_ENTRY], 3 * h->id_size);
		hprof_id(h, out, key);
		hprof_id(h, out, value);
		hprof_id(h, out, entry);
		java_write_text(java, key, properties[0]);
		java_write_text(java, value, properties[1]);
		entry = id;
	}
	return entry;
}

void java_write(struct java *java, const char *const *properties)
{
	struct hprof *h = java->h;
	for (int i = 0; i < JAVA_CLASSES; i++)
		java_write_class(java, (enum java_class)i);
	uint64_t table = hprof_new_id(h), entry = java_write_entries(java, properties);
	struct buf *out =
		hprof_instance(h, java->properties, java->id[JAVA_PROPERTIES], 2 * h->id_size);
	hprof_id(h, out, 0);
	hprof_id(h, out, table);
	out = hprof_sub(h, HPROF_OBJECTS, 3 * h->id_size + 8);
	hprof_id(h, out, table);
	hprof_number(out, 0, 4); /* trace */
	hprof_number(out, 1, 4);
	hprof_id(h, out, java->id[JAVA_ENTRIES]);
	hprof_id(h, out, entry);
	hprof_id(h, hprof_sub(h, HPROF_STICKY_CLASS, h->id_size), java->id[JAVA_SYSTEM]);
}
