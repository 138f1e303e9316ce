/* The sentences of report/why.h. */
#include "report/why.h"

#include "analysis/damage.h"
#include "base/text.h"
#include "format/format.h"
#include "heap/heap.h"
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
	const struct heap *heap = analysis_heap(why->analysis);
	SCOPED_BUF cause = {0};
	bool doubted = damage_cause(heap, DAMAGE_ROOTS, &cause);
	if (reach_is_weak(analysis_reach(why->analysis), why->object)) {
		buf_addf(out, ". %s; ",
		         doubted ? "Nothing that was read keeps it alive" : "Nothing keeps it alive");
		root_add_none(why->analysis, why->object, out);
	} else if (doubted) {
		buf_add(out, ". No root that was read leads to it");
	} else {
		buf_add(out, ". No root in the dump leads to it");
		buf_add(out, heap_lacks_cleanups(heap) ? ". Nothing keeps it alive but perhaps a cleanup: "
		                                         "heap dumps do not record those"
		                                       : ": nothing keeps it alive");
	}
	if (doubted)
		buf_addf(out, ". Whether anything else keeps it alive cannot be told: %s",
		         buf_text(&cause));
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
	buf_addf(out, ": that much, in %s, would be freed without it.\n",
	         text_number_of(dominators_objects(d, why->object), "object", "objects").text);
}

/* Do steps have names? */
static bool why_has_names(const struct why *why)
{
	return analysis_typing(why->analysis) || heap_has(analysis_heap(why->analysis), PART_NAMES);
}

void why_add_gate(const struct why *why, const struct path_dominator *gate, struct buf *out)
{
	struct path part = *why->path;
	if (gate->step == SIZE_MAX) {
		entity_add_name(why->analysis, entity_of_node(why->analysis, gate->node), out);
	} else if (why_has_names(why)) {
		part.count = gate->step + 1;
		step_add_path(why->analysis, &part, out);
	} else {
		why_text_add_node(why, gate->node, out);
	}
}

/* Appends "main.cache.entries (map[string]*main.Entry, retains 1.2 MB)". */
static void why_text_add_gate(const struct why *why, const struct path_dominator *gate,
                              struct buf *out)
{
	why_add_gate(why, gate, out);
	buf_add(out, " (");
	if (gate->step != SIZE_MAX && why_has_names(why)
	    && entity_add_type(why->analysis, entity_of_node(why->analysis, gate->node), out))
		buf_add(out, ", ");
	buf_add(out, "retains ");
	why_text_add_retained(why, gate->node, out);
	buf_add_char(out, ')');
}

/* Appends through what the owner, or the strongest class of roots, holds the object. */
static void why_text_add_nearest_of_owner(const struct why *why, struct buf *out)
{
	uint32_t from = why->owner != OBJECT_NONE ? why->owner : why->class;
	if (from == OBJECT_NONE || why->nearest.node == OBJECT_NONE)
		return;
	buf_add(out, why->owner != OBJECT_NONE ? " Its owner, " : " Of these, ");
	entity_add_name(why->analysis, entity_of_node(why->analysis, from), out);
	buf_add(out, why->owner != OBJECT_NONE ? ", holds it" : " hold it");
	if (why->nearest.node != from && (why->nearest.step || !why_has_names(why))) {
		buf_add(out, " through ");
		why_text_add_gate(why, &why->nearest, out);
	}
	buf_add_char(out, '.');
}

/* Appends the nearest dominator: without it, the object becomes unreachable. Without one, how many
   roots lead to the object. */
static void why_text_add_nearest(const struct why *why, struct buf *out)
{
	if (why->gates) {
		buf_add(out, "Every path to it leads through ");
		why_text_add_gate(why, &why->gate[why->gates - 1], out);
		buf_add(out, ": without that, it would be freed.\n");
		return;
	}
	buf_add(out, "No single object keeps it alive: ");
	if (why_roots(why)) {
		text_add_count(out, why_roots(why));
		buf_add(out, " roots do, and any one of them is enough.");
	} else {
		buf_add(out, "its paths from the roots have nothing in common.");
	}
	why_text_add_nearest_of_owner(why, out);
	buf_add_char(out, '\n');
}

/* Is it a root whose name is also that of the object behind it? */
static bool why_text_is_named_twice(const struct why *why, size_t gate)
{
	return why_has_names(why) && why->gate[gate].step == SIZE_MAX && why->gate[gate + 1].step == 0;
}

/* Appends the dominators before the nearest one, from the root on: the first, and the last few. */
static void why_text_add_path_dominators(const struct why *why, struct buf *out)
{
	size_t end = why->gates ? why->gates - 1 : 0, first = 0, omitted = 0;
	while (first < end && why_text_is_named_twice(why, first))
		first++;
	if (first >= end)
		return;
	if (end > first + PATH_DOMINATORS_NAMED + 1)
		omitted = end - PATH_DOMINATORS_NAMED;
	buf_add(out, "Before that, every path leads through ");
	for (size_t i = first; i < end; i++) {
		buf_add(out, i > first ? ", then " : "");
		if (i == first + 1 && omitted) {
			text_add_number_of(out, omitted - i, "other", "others");
			i = omitted - 1;
		} else {
			why_text_add_gate(why, &why->gate[i], out);
		}
	}
	buf_add(out, ". Without any one of these, it would be freed, too.\n");
}

void why_add_holder(const struct why *why, const struct why_holder *holder, struct buf *out)
{
	const struct root_node *root_node = holder->root_node;
	if (holder->count > 1) {
		buf_addf(out, "%s ", text_count(holder->count).text);
		if (root_node && root_node->kind == ROOT_NODE_THREAD)
			buf_add(out, heap_words(analysis_heap(why->analysis))->threads);
		else if (root_node)
			buf_add(out, root_node->kind == ROOT_NODE_CLEANUP ? "cleanups" : "finalizers");
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
	entity_add_name(why->analysis, entity_of_node(why->analysis, why->owner), out);
	if (!root_node)
		buf_addf(out,
		         ": no other root of the same kind reaches it; %s come before %s, and these "
		         "before finalizers and pools",
		         words->globals, words->threads ? words->threads : words->running);
	buf_add(out, ".\n");
}

void why_add_text(const struct why *why, struct buf *out)
{
	if (why->path)
		why_text_add_nearest(why, out);
	add_subject(why, out);
	if (!why->path)
		return;
	SCOPED_BUF cause = {0};
	buf_add(out, "The shortest path to it is ");
	step_add_path(why->analysis, why->path, out);
	buf_addf(out, ", %s from the root.\n",
	         text_number_of(path_steps_count(why->analysis, why->path), "step", "steps").text);
	/* The function that uses the variable at the start, if no symbol names it. */
	if (variable_user_explain(why->analysis, &analysis_heap(why->analysis)->roots[why->path->root],
	                          out))
		buf_add_char(out, '\n');
	why_text_add_path_dominators(why, out);
	for (size_t i = 0; i < why->co_holders_count; i++)
		why_text_add_co_holders(why, &why->co_holders[i], out);
	why_text_add_owner(why, out);
	if (damage_cause(analysis_heap(why->analysis), DAMAGE_ROOTS, &cause))
		buf_addf(out, "What else keeps it alive, or is kept by it, cannot be told: %s.\n",
		         buf_text(&cause));
}
