/* The printed names of shared sets, with which operands and owned= find them: "18 × finalizer",
   "main.cache[*], shared with main.last", "20 × main.Job held by main.a and main.b". */
#include "table/owners/owner_names.h"

#include "analysis/kept.h"
#include "base/mem.h"
#include "base/string_set.h"
#include "base/text.h"
#include "heap/heap.h"
#include "table/naming/operand_parts.h"
#include "table/owners/object_owner.h"
#include "table/owners/owner_tree.h"

#include <stdlib.h>
#include <string.h>

struct owner_names {
	struct string_set texts;
	/* by shared set: the numbers of its name in the table owners, and of its owners alone */
	struct owner_name {
		uint32_t row, owners;
	} * of;
	uint32_t count;
};

static void owner_names_free(void *made)
{
	struct owner_names *self = made;
	string_set_free(&self->texts);
	free(self->of);
	free(self);
}

static void owner_names_close(struct rows *rows)
{
	if (rows->data)
		owner_tree_close(rows);
	free(rows->data);
	buf_free(&rows->title);
	buf_free(&rows->note);
}

static void *owner_names_make(const struct analysis *analysis, enum retain retain,
                              struct progress *progress)
{
	struct rows rows = {.analysis = analysis, .progress = progress};
	SCOPED_BUF name = {0};
	(void)retain;
	if (!analysis_has_roots(analysis) || !owner_tree_open_owners(&rows, &(struct err){0})) {
		owner_names_close(&rows);
		return NULL;
	}
	struct owner_names *self = mem_alloc(sizeof *self);
	*self = (struct owner_names){.count = owner_tree_owners(&rows)->shared_sets};
	self->of = mem_alloc((self->count + 1ULL) * sizeof *self->of);
	for (uint32_t set = 0; set < self->count; set++) {
		buf_clear(&name);
		object_owner_add(analysis, set, &name);
		self->of[set].owners = string_set_number(&self->texts, buf_text(&name), NULL);
		self->of[set].row = self->of[set].owners;
	}
	for (size_t row = 0; row < rows.count; row++) {
		const struct owner_row *owner_row = owner_tree_row(&rows, row);
		if (owner_row->kind != OWNER_ROW_HOLDING)
			continue;
		buf_clear(&name);
		owner_tree_add_name(&rows, owner_row, &name);
		self->of[owner_row->id].row = string_set_number(&self->texts, buf_text(&name), NULL);
	}
	owner_names_close(&rows);
	return self;
}

/* Not registered: quickly made from what an index has. */
static const struct kept_kind owner_names_kept = {
	.needs = STAGE_TYPED | STAGE_OWNED,
	.by_retain = true,
	.make = owner_names_make,
	.free = owner_names_free,
};

static const struct owner_names *owner_names_of(const struct analysis *analysis)
{
	return analysis_has(analysis, owner_names_kept.needs)
	           ? analysis_kept(analysis, &owner_names_kept, analysis_owner_retain(analysis), NULL)
	           : NULL;
}

bool *owner_names_sets(const struct analysis *analysis, const char *name)
{
	const struct owner_names *names = owner_names_of(analysis);
	uint32_t found = names ? string_set_find(&names->texts, name) : 0;
	if (!found)
		return NULL;
	bool *is_named = mem_alloc((names->count + 1ULL) * sizeof *is_named);
	for (uint32_t set = 0; set < names->count; set++)
		is_named[set] = names->of[set].row + 1 == found || names->of[set].owners + 1 == found;
	return is_named;
}

/* Takes the first object of named sets; one of roots that lead to none is its first root node. */
static bool owner_names_take(const struct analysis *analysis, const bool *named, struct operand *o)
{
	const struct heap *heap = analysis_heap(analysis);
	const struct owners *owners = analysis_owners(analysis, analysis_owner_retain(analysis), NULL);
	const uint32_t *sets = object_owner_sets(analysis, NULL);
	for (uint32_t id = 0; sets && id < heap_object_count(heap); id++) {
		if (sets[id] == UINT32_MAX || !named[sets[id]])
			continue;
		o->kind = OPERAND_ADDRESS;
		o->address = heap_address(heap, id);
		o->set = "owned=";
		return true;
	}
	for (uint32_t set = 0; owners && set < owners->shared_sets; set++) {
		struct ids ids = owners_of_shared_set(owners, set);
		if (!named[set] || !ids.count)
			continue;
		o->kind = OPERAND_ROOT_NODE;
		o->index = owners->owner[ids.id[0]].root_node;
		return true;
	}
	return false;
}

static bool owner_names_read(const struct analysis *analysis, const char *text, struct operand *o)
{
	size_t length = text_trimmed(text, strlen(text));
	SCOPED_FREE char *name = mem_strndup(text, length);
	SCOPED_FREE bool *named = owner_names_sets(analysis, name);
	struct operand found = {.root = UINT32_MAX, .start = text, .end = text + length};
	if (!named || !owner_names_take(analysis, named, &found))
		return false;
	*o = found;
	return true;
}

const struct operand_owners operand_owners = {owner_names_read};
