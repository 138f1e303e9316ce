/* Resolves ids of Chromium traces. */
#include "chromium/format/chromium.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { UNRESOLVED, RESOLVING, RESOLVED, IN_LOOP };

static uint64_t chromium_names_key_of(uint32_t process, enum id_kind kind, uint32_t id)
{
	return (process * (uint64_t)ID_KINDS + kind) << 32 | id;
}

static struct definition *chromium_names_find(const struct chromium *c, uint32_t process,
                                              enum id_kind kind, uint32_t id)
{
	uint64_t index;
	bool found = id && map_get(&c->definitions, chromium_names_key_of(process, kind, id), &index);
	return found ? &c->definition[index] : NULL;
}

bool chromium_define(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                     uint32_t name, uint32_t parent)
{
	const struct definition *taken = chromium_names_find(c, process, kind, id);
	if (taken)
		return taken->name == name && taken->parent == parent;
	map_put(&c->definitions, chromium_names_key_of(process, kind, id), c->definition_count);
	c->definition = mem_grow(c->definition, c->definition_count, &c->definition_capacity,
	                         sizeof *c->definition);
	c->definition[c->definition_count++] = (struct definition){
		.name = name,
		.parent = parent,
		.kind = (uint8_t)kind,
		.process = process,
	};
	return true;
}

/* Returns a name such as "#12" for an unknown id. */
static uint32_t unnamed(struct chromium *c, uint32_t id)
{
	SCOPED_BUF text = {0};
	struct text number = c->heap_profiles->name[id];
	buf_add_char(&text, '#');
	buf_add_bytes(&text, number.data, number.len);
	return heap_profiles_name(c->heap_profiles, (struct text){buf_text(&text), text.len});
}

/* Returns the name of a definition. Nodes refer to the table of strings. */
static uint32_t chromium_names_name_of(struct chromium *c, const struct definition *definition)
{
	if (definition->kind != ID_NODE && definition->kind != ID_NODE_TYPE)
		return definition->name;
	const struct definition *string =
		chromium_names_find(c, definition->process, ID_STRING, definition->name);
	return string ? string->name : unnamed(c, definition->name);
}

/* Creates frames for a chain of definitions, starting at the end next to the root. */
static void name_chain(struct chromium *c, const size_t *chain, size_t count, uint32_t frame)
{
	while (count--) {
		struct definition *definition = &c->definition[chain[count]];
		frame = heap_profiles_frame(c->heap_profiles, frame, chromium_names_name_of(c, definition));
		definition = &c->definition[chain[count]];
		definition->frame = frame;
		definition->state = RESOLVED;
	}
}

/* Follows parents to a resolved frame or to the root. A definition with an unknown parent moves to
   the root. */
static void chromium_names_resolve(struct chromium *c, struct definition *definition)
{
	size_t *chain = NULL, count = 0, capacity = 0;
	uint32_t top = FRAME_ROOT;
	while (definition && definition->state == UNRESOLVED) {
		MEM_PUSH(chain, count, capacity, (size_t)(definition - c->definition));
		definition->state = RESOLVING;
		uint32_t parent = definition->parent;
		definition =
			chromium_names_find(c, definition->process, (enum id_kind)definition->kind, parent);
		c->orphans += parent && !definition;
	}
	if (definition && definition->state == RESOLVED)
		top = definition->frame;
	if (definition && definition->state != RESOLVED) {
		for (size_t i = 0; i < count; i++)
			c->definition[chain[i]].state = IN_LOOP;
		c->loops += count;
	} else
		name_chain(c, chain, count, top);
	free(chain);
}

bool chromium_frame(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                    uint32_t *frame)
{
	struct definition *definition = chromium_names_find(c, process, kind, id);
	if (definition && definition->state == UNRESOLVED)
		chromium_names_resolve(c, definition);
	if (!definition || definition->state != RESOLVED)
		return false;
	*frame = definition->frame;
	return true;
}

/* Removes compiler decoration around a type name. */
static struct text strip(struct text name)
{
	static const struct {
		const char *before, *after;
	} noise[] = {
		{"const char *WTF::getStringWithTypeName() [T = ", "]"},
		{"const char* WTF::getStringWithTypeName() [with T = ", "]"},
		{"const char *__cdecl WTF::getStringWithTypeName<", ">(void)"},
	};
	for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) {
		size_t before = strlen(noise[i].before), after = strlen(noise[i].after);
		if (name.len > before + after && memcmp(name.data, noise[i].before, before) == 0
		    && memcmp(name.data + name.len - after, noise[i].after, after) == 0)
			return (struct text){name.data + before, name.len - before - after};
	}
	return name;
}

bool chromium_type(struct chromium *c, uint32_t process, enum id_kind kind, uint32_t id,
                   uint32_t *name)
{
	const struct definition *definition = chromium_names_find(c, process, kind, id);
	if (!definition && kind == ID_TYPE)
		return false;
	if (!definition && text_is(c->heap_profiles->name[id], "0"))
		*name = heap_profiles_name(c->heap_profiles, (struct text){"[unknown]", 9});
	else
		*name = definition ? chromium_names_name_of(c, definition) : unnamed(c, id);
	*name = heap_profiles_name(c->heap_profiles, strip(c->heap_profiles->name[*name]));
	return true;
}
