#include "go/types/locals.h"

#include "base/map.h"
#include "base/mem.h"
#include "format/record.h"

#include <pthread.h>
#include <stdlib.h>

struct variables {
	struct exe_variable *items; /* NULL: none */
	size_t count;
};

struct locals {
	struct gotypes *types;
	uint64_t bias;
	pthread_mutex_t lock; /* protects all members below, and reading more types */
	struct map by_pc;     /* pc -> index */
	struct variables *known;
	size_t count, capacity;
};

struct locals *locals_new(struct gotypes *types, uint64_t bias)
{
	struct locals *locals = mem_alloc(sizeof *locals);
	locals->types = types;
	locals->bias = bias;
	pthread_mutex_init(&locals->lock, NULL);
	return locals;
}

void locals_free(struct locals *locals)
{
	if (!locals)
		return;
	for (size_t i = 0; i < locals->count; i++)
		free(locals->known[i].items);
	free(locals->known);
	map_free(&locals->by_pc);
	pthread_mutex_destroy(&locals->lock);
	free(locals);
}

void locals_save_types(struct locals *locals, const struct index_io *io)
{
	pthread_mutex_lock(&locals->lock);
	gotypes_index(locals->types, io);
	pthread_mutex_unlock(&locals->lock);
}

static const struct variables *variables_of(struct locals *locals, const struct frame_record *frame)
{
	uint64_t index = locals->count;
	struct variables found;
	if (map_add(&locals->by_pc, frame->pc, &index)) {
		found.items = gotypes_locals(locals->types, frame->entry_pc - locals->bias,
		                             frame->pc - locals->bias, &found.count);
		MEM_PUSH(locals->known, locals->count, locals->capacity, found);
	}
	return &locals->known[index];
}

static bool locals_has(const struct exe_variable *variable, uint64_t cfa, uint64_t bias,
                       uint64_t address, struct local *local)
{
	for (unsigned i = 0; i < variable->pieces; i++) {
		const struct exe_piece *piece = &variable->piece[i];
		uint64_t at = address - (piece->absolute ? bias : cfa) - (uint64_t)piece->place;
		if (at >= piece->size)
			continue;
		*local = (struct local){variable->name, variable->type, piece->offset + at};
		return true;
	}
	return false;
}

bool locals_find(struct locals *locals, const struct frame_record *frame, uint64_t address,
                 struct local *local)
{
	bool found = false;
	if (!locals)
		return false;
	pthread_mutex_lock(&locals->lock);
	const struct variables *variables = variables_of(locals, frame);
	for (size_t i = 0; i < variables->count && !found; i++)
		found =
			locals_has(&variables->items[i], frame->sp + frame->size, locals->bias, address, local);
	pthread_mutex_unlock(&locals->lock);
	return found;
}
