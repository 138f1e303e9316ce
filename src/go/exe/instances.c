/* Instances of generic types. The compiler makes code for all type arguments of one underlying type
   and gives it types such as main.Cache[go.shape.int,go.shape.*uint8]. The linker keeps the
   descriptors of all instances whose dictionaries are in use: where one of them alone fits, it is
   the type of the memory. */
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "universe.h"

#include <stdlib.h>
#include <string.h>

static const char shape_word[] = "go.shape.";
enum { SHAPE_LEN = sizeof shape_word - 1, ARGUMENT_MOST = 1 << 12 };

/* Types with arguments, by what an instance shares with the type of its code. */
struct instances {
	const struct gotypes *types;
	struct map by_key;  /* -> last type of that key */
	gotype_id *before;  /* per type: the one before it of the same key; 0: none */
	struct map by_name; /* hash of the name of a type -> id */
};

static uint64_t instances_key(const struct gotype *type)
{
	size_t len = strcspn(type->name, "[<");
	uint64_t multiplier = hash_multiplier();
	uint64_t key = hash_bytes(0, type->name, len);
	key = hash_mix(key, type->kind, multiplier);
	return hash_mix(hash_mix(key, type->size, multiplier), type->fields, multiplier);
}

static void instances_collect(struct instances *all)
{
	const struct gotypes *types = all->types;
	for (gotype_id id = 1; id <= types->count; id++) {
		const struct gotype *type = &types->types[id];
		uint64_t last = 0;
		if (strstr(type->name, shape_word))
			continue;
		map_put(&all->by_name, hash_bytes(0, type->name, strlen(type->name)), id);
		if (!strpbrk(type->name, "[<"))
			continue;
		map_get(&all->by_key, instances_key(type), &last);
		all->before[id] = (gotype_id)last;
		map_put(&all->by_key, instances_key(type), id);
	}
}

/* Returns the length of one type argument: up to a comma or a bracket that closes the list. */
static size_t argument_length(const char *name)
{
	size_t len = 0;
	for (unsigned depth = 0; name[len] && len < ARGUMENT_MOST; len++) {
		if (!depth && strchr(",]>", name[len]))
			break;
		depth += strchr("[({", name[len]) != NULL;
		depth -= depth && strchr("])}", name[len]) != NULL;
	}
	return len;
}

static const struct gotype *instances_named(const struct instances *all, const char *name,
                                            size_t len)
{
	uint64_t id = 0;
	map_get(&all->by_name, hash_bytes(0, name, len), &id);
	return id ? &all->types->types[id] : NULL;
}

/* Returns true for a type that a declaration has named: "main.T", "error". */
static bool argument_is_named(const char *name, size_t len)
{
	static const char *const literals[] = {"map[", "chan ", "func(", "struct {", "interface {"};
	for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
		if (strncmp(name, literals[i], strlen(literals[i])) == 0)
			return false;
	size_t word = strcspn(name, "[,]");
	return (len == 5 && strncmp(name, "error", len) == 0)
	       || (!strchr("*[(<", *name) && memchr(name, '.', word < len ? word : len));
}

/* Returns true if code for a type argument `shape`, without its prefix, may serve `argument`: the
   one is the underlying type of the other; all pointers share *uint8. */
static bool argument_fits(const struct instances *all, const char *shape, size_t shape_len,
                          const char *argument, size_t len)
{
	if (shape_len == len && memcmp(shape, argument, len) == 0)
		return true;
	if (*shape == '*' && *argument == '*')
		return true;
	if (!argument_is_named(argument, len))
		return false;
	const struct gotype *named = instances_named(all, argument, len),
						*under = instances_named(all, shape, shape_len);
	if (*shape == '*')
		return !named || named->kind == GO_POINTER;
	return !named || !under || (named->kind == under->kind && named->size == under->size);
}

/* Go 1.18 and 1.19 append the position of the argument: "go.shape.int_0". */
static size_t shape_length(const char *shape, size_t len)
{
	size_t digits = len;
	while (digits && shape[digits - 1] >= '0' && shape[digits - 1] <= '9')
		digits--;
	return digits && digits < len && shape[digits - 1] == '_' ? digits - 1 : len;
}

/* Returns true if `name` is that of an instance whose code has the type `shaped`. */
static bool instance_fits(const struct instances *all, const char *shaped, const char *name)
{
	bool begins = true; /* a word */
	while (*shaped) {
		if (!begins || strncmp(shaped, shape_word, SHAPE_LEN) != 0) {
			if (*shaped != *name++)
				return false;
			begins = strchr("[],*({< ", *shaped++) != NULL;
			continue;
		}
		const char *shape = shaped + SHAPE_LEN;
		size_t shape_len = argument_length(shape), len = argument_length(name);
		if (!shape_len || !len
		    || !argument_fits(all, shape, shape_length(shape, shape_len), name, len))
			return false;
		shaped = shape + shape_len;
		name += len;
	}
	return !*name;
}

/* Returns the only type that can be an instance of a type of generic code; 0: none, or several. */
static gotype_id instance_of(const struct instances *all, const struct gotype *type)
{
	uint64_t id = 0, found = 0;
	map_get(&all->by_key, instances_key(type), &id);
	for (; id; id = all->before[id]) {
		const char *name = all->types->types[id].name;
		if (!instance_fits(all, type->name, name))
			continue;
		if (found && strcmp(all->types->types[found].name, name) != 0)
			return 0;
		found = id;
	}
	return (gotype_id)found;
}

/* Returns true if a name has type arguments that code is shared by: not []go.shape.int, as a slice
   of each type of this underlying type is one. */
static bool has_shared_arguments(const char *name)
{
	const char *plain;
	size_t len = strlen(name);
	for (size_t at = 0; at < len; at++)
		if (name[at] == '[' && text_symbol_part(name, len, at, &plain))
			return true;
	return false;
}

void instances_find(struct gotypes *types)
{
	struct instances all = {.types = types};
	all.before = mem_alloc((types->count + 1UL) * sizeof *all.before);
	instances_collect(&all);
	for (gotype_id id = 1; id <= types->count; id++) {
		struct gotype *type = &types->types[id];
		if (strstr(type->name, shape_word) && has_shared_arguments(type->name))
			type->instance = instance_of(&all, type);
	}
	map_free(&all.by_key);
	map_free(&all.by_name);
	free(all.before);
}
