/* The sentences of report/why.h. */
#include "report/why.h"

#include "base/text.h"
#include "table/naming/entity.h"
#include "table/naming/root.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/naming/variable_user.h"
#include "table/paths/path_steps.h"

#include <inttypes.h>

enum {
	HOLDERS_NAMED = 6,
	PATH_DOMINATORS_NAMED = 3, /* those next to the object */
};

static void why_text_add_retained(const struct why *why, uint32_t node, struct buf *out)
{
	text_add_size(out, dominators_bytes(analysis_dominators(why->analysis, RETAIN_ALIVE), node));
}

static void why_text_add_node(const struct why *why, uint32_t node, struct buf *out)
{
	entity_add_label(why->analysis, entity_of_node(why->analysis, node), out);
}

static void add_none(const struct why *why, struct buf *out)
{
	struct buf doubt = {0};
	if (!reach_is_weak(analysis_reach(why->analysis), why->object)) {
		buf_add(out, ". No root in the dump leads to it");
		buf_add(out, heap_lacks_cleanups(analysis_heap(why->analysis))
		                 ? ". It is garbage, or a cleanup keeps it: heap dumps do not record those."
		                 : ": nothing keeps it alive.");
		if (damage_doubt(analysis_heap(why->analysis), DAMAGE_ROOTS, &doubt))
			buf_addf(out, " %s.", buf_text(&doubt));
		buf_free(&doubt);
		buf_add(out, "\n");
		return;
	}
	buf_add(out, ". Nothing keeps it alive; ");
	root_add_none(why->analysis, why->object, out);
	buf_add(out, ".\n");
}

/* Appends "main.Session 0xc000012340 takes 64 B and retains 4.4 KB, 2 objects." */
static void add_subject(const struct why *why, struct buf *out)
{
	const struct dominators *d = analysis_dominators(why->analysis, RETAIN_ALIVE);
	if (!typed_add(why->analysis, why->object, out))
		buf_add(out, "The object");
	buf_addf(out, " 0x%" PRIx64 " takes ", heap_address(analysis_heap(why->analysis), why->object));
	text_add_size(out, heap_size(analysis_heap(why->analysis), why->object));
	if (!why->path) {
		add_none(why, out);
		return;
	}
	if (dominators_objects(d, why->object) == 1) {
		buf_add(out, " and retains only itself.\n");
		return;
	}
	buf_add(out, " and retains ");
	why_text_add_retained(why, why->object, out);
	buf_add(out, ": that much, in ");
	text_add_number_of(out, dominators_objects(d, why->object), "object", "objects");
	buf_add(out, ", would be freed without it.\n");
}

/* Appends the object dominators between the roots and the object, the nearest last. */
static void add_object_path_dominators(const struct why *why, bool alone, struct buf *out)
{
	size_t first = why->root_gates, end = why->gates;
	size_t shown = end - first > PATH_DOMINATORS_NAMED ? end - PATH_DOMINATORS_NAMED : first;
	if (shown > first) {
		buf_add(out, alone ? "through " : ", then through ");
		text_add_number_of(out, shown - first, "object", "objects");
		buf_add(out, ", then");
		alone = true;
	}
	for (size_t i = shown; i < end; i++) {
		buf_add(out, alone && i == shown ? shown > first ? " " : "through " : ", then ");
		why_text_add_node(why, why->gate[i], out);
		buf_add(out, " (retains ");
		why_text_add_retained(why, why->gate[i], out);
		buf_add_char(out, ')');
	}
}

/* Appends the dominators: without any one of these, the object becomes unreachable. */
static void why_text_add_path_dominators(const struct why *why, struct buf *out)
{
	const struct path_dominator *root_node = path_dominators_root_node(&why->path_dominators);
	size_t objects = why->gates - why->root_gates;
	if (!root_node && objects == 0) {
		buf_add(out, "No single object keeps it alive: its paths from the roots have nothing in "
		             "common.\n");
		return;
	}
	buf_add(out, "Every path to it leads ");
	if (root_node) {
		buf_add(out, "through ");
		why_text_add_node(why, root_node->node, out);
		buf_add(out, " (retains ");
		why_text_add_retained(why, root_node->node, out);
		buf_add_char(out, ')');
	}
	add_object_path_dominators(why, !root_node, out);
	buf_add(out, (root_node != NULL) + objects == 1
	                 ? ". Without that, it would be freed.\n"
	                 : ". Without any one of these, it would be freed.\n");
}

void why_add_holder(const struct why *why, const struct why_holder *holder, struct buf *out)
{
	const struct root_node *root_node = holder->root_node;
	if (holder->count > 1) {
		text_add_count(out, holder->count);
		buf_add_char(out, ' ');
		if (root_node && root_node->kind == ROOT_NODE_THREAD)
			buf_add(out, heap_words(analysis_heap(why->analysis))->threads);
		else if (root_node)
			buf_add(out, "finalizers");
		else if (!typed_add(why->analysis, holder->node, out))
			buf_add(out, "objects");
		buf_add(out, " such as ");
	}
	why_text_add_node(why, holder->node, out);
}

static void why_text_add_holders(const struct why *why, const struct why_co_holders *co_holders,
                                 struct buf *out)
{
	size_t shown = co_holders->holders < HOLDERS_NAMED ? co_holders->holders : HOLDERS_NAMED;
	size_t items = shown + co_holders->directly + (co_holders->holders > shown);
	const char *const between[] = {"", " and by ", ", by "};
	size_t told = 0;
	buf_add(out, "by ");
	if (co_holders->directly) {
		why_text_add_node(why, why->path_dominators.item[co_holders->path_dominator - 1].node, out);
		buf_add(out, " itself");
		told++;
	}
	for (size_t i = 0; i < shown; i++, told++) {
		buf_add(out, between[told == 0 ? 0 : told + 1 == items ? 1 : 2]);
		why_add_holder(why, &co_holders->holder[i], out);
	}
	if (co_holders->holders > shown) {
		buf_add(out, between[1]);
		text_add_number_of(out, co_holders->holders - shown, "other", "others");
	}
}

static void why_text_add_co_holders(const struct why *why, const struct why_co_holders *co_holders,
                                    struct buf *out)
{
	bool two = co_holders->count + co_holders->directly == 2;
	bool itself = co_holders->path_dominator + 1 == why->path_dominators.count;
	if (itself)
		buf_add(out, "It");
	else
		why_text_add_node(why, why->path_dominators.item[co_holders->path_dominator].node, out);
	buf_add(out, " is held ");
	if (co_holders->path_dominator > why->path_dominators.root_nodes) {
		buf_add(out, "within ");
		why_text_add_node(why, why->path_dominators.item[co_holders->path_dominator - 1].node, out);
		buf_add_char(out, ' ');
	}
	why_text_add_holders(why, co_holders, out);
	buf_add(out, two ? ". Neither of the two retains it: without one, the other still keeps it "
	                   "alive. Without both, "
	                 : ". None of them retains it: without one, the others still keep it alive. "
	                   "Without all of them, ");
	text_add_size(out, co_holders->freed.bytes);
	buf_add(out, " in ");
	text_add_number_of(out, co_holders->freed.objects, "object", "objects");
	buf_add(out, co_holders->freed.objects == 1 ? " is freed.\n" : " are freed.\n");
}

static void why_text_add_owner(const struct why *why, struct buf *out)
{
	const struct runtime_words *words = heap_words(analysis_heap(why->analysis));
	const struct path_dominator *root_node = path_dominators_root_node(&why->path_dominators);
	if (why->owner == OBJECT_NONE) {
		buf_add(out, "It has no single owner.\n");
		return;
	}
	buf_add(out, "Its owner is ");
	why_text_add_node(why, why->owner, out);
	if (!root_node)
		buf_addf(out,
		         ": no other root of the same kind reaches it; %s come before %s, and these "
		         "before finalizers and pools",
		         words->globals, words->threads ? words->threads : words->running);
	buf_add(out, ".\n");
}

void why_add_text(const struct why *why, struct buf *out)
{
	add_subject(why, out);
	if (!why->path)
		return;
	buf_add(out, "The shortest path to it is ");
	step_add_path(why->analysis, why->path, out);
	buf_add(out, ", ");
	text_add_number_of(out, path_steps_count(why->analysis, why->path), "step", "steps");
	buf_add(out, " from the root.\n");
	/* The function that uses the variable at the start, if no symbol names it. */
	if (variable_user_explain(why->analysis, &analysis_heap(why->analysis)->roots[why->path->root],
	                          out))
		buf_add_char(out, '\n');
	why_text_add_path_dominators(why, out);
	for (size_t i = 0; i < why->co_holders_count; i++)
		why_text_add_co_holders(why, &why->co_holders[i], out);
	why_text_add_owner(why, out);
}
