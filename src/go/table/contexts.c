/* The table of contexts of package context, with their parents. */
#include "table/cell.h"
#include "table/columns.h"
#include "table/contents/datum.h"
#include "table/naming/typed.h"

#include "base/bound.h"
#include "base/mem.h"
#include "format/format.h"
#include "heap/heap.h"

#include <stdlib.h>
#include <string.h>

struct context {
	uint32_t object, parent; /* parent OBJECT_NONE: it is no object, such as context.Background() */
	uint64_t children;       /* in this list only */
	bool cancelled;
};

struct contexts {
	struct context *item;
	size_t count, capacity;
};

static const void *contexts_row(const struct rows *rows, size_t row)
{
	return &((const struct contexts *)rows->data)->item[row];
}

/* Returns true for the types that context.With... create: "context.cancelCtx", "context.valueCtx"
   ... */
static bool contexts_is_one(const struct analysis *analysis, uint32_t object)
{
	static const char package[] = "context.", end[] = "Ctx";
	struct typed typed = typing_object(analysis_typing(analysis), object);
	const char *name = gotype_get(analysis_types(analysis), typed.type)->name;
	size_t len = typed.type ? strlen(name) : 0;
	return typed.count == 1 && typed.known > KNOWN_GUESS && len > strlen(package) + strlen(end)
	       && strncmp(name, package, strlen(package)) == 0
	       && strcmp(name + len - strlen(end), end) == 0;
}

/* Returns true if the context has an error. Nil is all zeros, in an atomic.Value or not. */
static bool contexts_is_cancelled(const struct govalue *in, const struct datum *context)
{
	struct datum err;
	unsigned width = in->heap->params.layout.pointer_size;
	return datum_field(in, context, "err", strlen("err"), &err) && err.data && err.room >= width
	       && heap_word(in->heap, err.data) != 0;
}

static struct context contexts_read(const struct govalue *in, uint32_t object)
{
	struct context context = {.object = object, .parent = OBJECT_NONE};
	struct datum place = datum_of_object(in, object), field, parent;
	if (datum_field(in, &place, "Context", strlen("Context"), &field)
	    && datum_follow(in, &field, &parent))
		context.parent = parent.object;
	context.cancelled = contexts_is_cancelled(in, &place);
	return context;
}

static bool contexts_open(struct rows *rows, const char *argument, struct err *err)
{
	enum { POLL_EVERY = 4096 };
	struct govalue in = datum_memory(rows->analysis);
	struct contexts *contexts = rows->data = mem_alloc(sizeof *contexts);
	uint32_t count = in.typing ? heap_object_count(in.heap) : 0;
	(void)argument;
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	progress_begin(rows->progress, "looking for contexts", count);
	for (uint32_t id = 0; id < count; id++) {
		if (id % POLL_EVERY == 0 && !progress_step(rows->progress, id))
			return err_set(err, "The search for contexts was cancelled");
		if (!reach_has(analysis_reach(rows->analysis), id) || !contexts_is_one(rows->analysis, id))
			continue;
		MEM_PUSH(contexts->item, contexts->count, contexts->capacity, contexts_read(&in, id));
	}
	/* Each context counts as a child of its parent. */
	for (size_t i = 0; i < contexts->count; i++) {
		size_t at = lower_bound(contexts->item, contexts->count, BOUND_BY(struct context, object),
		                        contexts->item[i].parent);
		if (at < contexts->count && contexts->item[at].object == contexts->item[i].parent)
			contexts->item[at].children++;
	}
	rows->count = contexts->count;
	buf_add(&rows->title, "contexts");
	if (!in.typing) {
		rows->unknown = UINT64_MAX;
		buf_add(&rows->note, "Which objects are contexts is not known without the program's "
		                     "executable.");
	} else if (!rows->count && !typed_doubt(rows, "a context"))
		buf_add(&rows->note, "No context is reachable.");
	return true;
}

static void contexts_close(struct rows *rows)
{
	struct contexts *contexts = rows->data;
	free(contexts->item);
}

static const struct column columns[] = {
	{OBJECT_EXPRESSION, .width = 0, .rank = 0},
	{OBJECT_TYPE, .width = 18, .rank = 1},
	{"children", "children", "Number of reachable contexts that were derived from it", VALUE_COUNT,
     9, 0, FIELD(struct context, children)},
	{"cancelled", "cancelled", "Has it been cancelled, or has its time passed?", VALUE_BOOL, 10, 1,
     FIELD(struct context, cancelled)},
	{OBJECT_RETAINED, .width = 9, .rank = 0},
	{"parent", "parent", "Its parent context, if that is an object", VALUE_ADDRESS, 14, 2,
     FIELD_OBJECT(struct context, parent)},
	{"address", "address", "Its address", VALUE_ADDRESS, 14, 3, .cell = object_address_cell},
};

DEFINE_PLUGIN(tables, struct table, table_contexts) = {
	.rank = 349,
	.name = "contexts",
	.from = DAMAGE_ROOTS,
	.help = "The contexts of package context, each with the number of its children: a context "
			"that is not cancelled keeps all of its children alive",
	.needs = STAGE_TYPED | STAGE_REACHED,
	.parts = PART_GO | PART_MEMORY,
	COLUMNS(columns),
	.open = contexts_open,
	.record = contexts_row,
	.object = ROW_MEMBER(struct context, object, uint32_t),
	.close = contexts_close,
	.sort = "children",
};
