/* Names of roots, and their form as arguments: part of table/naming/entity.h. */
#include "analysis/damage.h"
#include "analysis/root_nodes.h"
#include "table/naming/entity_parts.h"

#include "base/text.h"
#include "format/runtime.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/root.h"
#include "table/naming/root.h"
#include "table/naming/source.h"
#include "table/naming/step.h"
#include "table/naming/typed.h"
#include "table/naming/variable_user.h"

#include <inttypes.h>
#include <string.h>

void entity_add_function(const struct heap *heap, uint32_t frame, struct buf *out)
{
	struct text function = heap->frames[frame].record.function;
	text_add_symbol(out, function.data, function.len, ENTITY_NAME_LIMIT);
}

void entity_add_slot(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	const struct frame_record *frame = &analysis_heap(analysis)->frames[root->holder].record;
	if (root->flags & ROOT_GUESS)
		buf_add_char(out, '~');
	if (!typed_add_local(analysis, frame, root->address, NULL, out))
		buf_addf(out, "+0x%" PRIx64, root->address - frame->sp);
}

static void entity_add_thread(const struct heap *heap, const struct thread *thread, struct buf *out)
{
	if (thread)
		thread_add_name(heap, thread, out);
	else
		buf_addf(out, "a %s that the dump lacks", heap_words(heap)->thread);
}

void entity_slot_label(const struct naming *n)
{
	entity_add_slot(n->analysis, &n->heap->roots[n->id], n->out);
}

void entity_frame_label(const struct naming *n)
{
	entity_add_function(n->heap, n->id, n->out);
	source_add_frame(n->analysis, n->id, n->out);
}

void entity_frame_name(const struct naming *n)
{
	entity_add_thread(n->heap, frame_thread(n->heap, n->id), n->out);
	buf_add_char(n->out, ' ');
	entity_frame_label(n);
}

void entity_finalizer_name(const struct naming *n)
{
	const struct finalizer_record *finalizer = &n->heap->finalizers[n->id];
	buf_add(n->out, finalizer->queued ? "queued finalizer of" : "finalizer of");
	if (name_wants(n->out, NAME_ADDRESS))
		buf_addf(n->out, " 0x%" PRIx64, finalizer->object);
}

/* Appends the name of the record that a root comes from. */
static void root_add_holder(const struct naming *n, const struct root *root, naming_add *name)
{
	struct naming holder = *n;
	holder.id = root->holder;
	name(&holder);
}

static void root_add_frame(const struct naming *n, const struct root *root)
{
	root_add_holder(n, root, entity_frame_name);
	buf_add_char(n->out, ' ');
	entity_slot_label(n);
}

static void root_add_finalizer(const struct naming *n, const struct root *root)
{
	if (name_wants(n->out, NAME_HEAD))
		root_add_holder(n, root, entity_finalizer_name);
	if (root->part == FINALIZER_FUNCTION)
		buf_add(n->out, ", its function");
	if (root->part == FINALIZER_REFERENCE)
		buf_addf(n->out, " +0x%" PRIx64, root->address - n->heap->finalizers[root->holder].object);
}

/* Appends the variable's name, else its place in the segment. */
static void root_add_global(const struct naming *n, const struct root *root)
{
	const char *name;
	uint64_t offset = 0;
	if (typed_add_global(n->analysis, root->address, NULL, n->out))
		return;
	if (names_variable(analysis_names(n->analysis), root->address, &name, &offset)) {
		if (name_wants(n->out, NAME_HEAD))
			text_add_symbol(n->out, name, strlen(name), ENTITY_NAME_LIMIT);
		if (offset)
			buf_addf(n->out, "+0x%" PRIx64, offset);
		return;
	}
	variable_user_add_place(n->analysis, root, n->out);
}

/* Appends "first.exe: static variable of App.Root, pinned". */
static void root_add_log(const struct naming *n, const struct root *root)
{
	const struct heap *heap = n->heap;
	const struct log_root *record = &heap->log_roots[root->holder];
	struct text domain = heap->domains[record->section].record.name;
	if (heap->domain_count > 1) {
		text_add_escaped(n->out, domain.data, domain.len, ENTITY_NAME_LIMIT);
		buf_add(n->out, ": ");
	}
	if (record->record.name.len) {
		text_add_escaped(n->out, record->record.name.data, record->record.name.len,
		                 ENTITY_NAME_LIMIT);
		step_add_place(heap, record->record.place, n->out);
	} else {
		buf_add(n->out, heap->format->root_kinds[root->kind - ROOT_INTERNAL].text);
	}
	if (root->kind == ROOT_UNKNOWN)
		buf_addf(n->out, "%" PRIx64, record->record.kind);
	if (record->container != HEAP_NO_TYPE) {
		buf_add(n->out, " of ");
		typed_add_log(&heap->told_types[record->container], n->out);
	}
	if (root->flags)
		buf_add(n->out, ", ");
	root_add_flags(root, ", ", n->out);
}

static void root_add_defer(const struct naming *n, const struct root *root)
{
	const struct heap *heap = n->heap;
	buf_add(n->out, root->part ? "closure of a deferred call of " : "deferred call of ");
	entity_add_thread(heap, thread_before(heap, heap->defers[root->holder].behind), n->out);
}

static void root_add_panic(const struct naming *n, const struct root *root)
{
	const struct heap *heap = n->heap;
	buf_add(n->out, "panic of ");
	entity_add_thread(heap, thread_before(heap, heap->panics[root->holder].behind), n->out);
}

static void root_add_other(const struct naming *n, const struct root *root)
{
	const struct otherroot_record *record = &n->heap->otherroots[root->holder];
	text_add_escaped(n->out, record->what.data, record->what.len, ENTITY_NAME_LIMIT);
	if (record->object && name_wants(n->out, NAME_ADDRESS))
		buf_addf(n->out, " of 0x%" PRIx64, record->object);
}

void entity_root_name(const struct naming *n)
{
	static void (*const add[])(const struct naming *, const struct root *) = {
		[ROOT_DATA] = root_add_global,
		[ROOT_BSS] = root_add_global,
		[ROOT_FRAME] = root_add_frame,
		[ROOT_FINALIZER] = root_add_finalizer,
		[ROOT_QUEUED_FINALIZER] = root_add_finalizer,
		[ROOT_DEFER] = root_add_defer,
		[ROOT_PANIC] = root_add_panic,
		[ROOT_OTHER] = root_add_other,
		[ROOT_CLEANUP] = root_add_other,
		[ROOT_WEAK_HANDLE] = root_add_other,
	};
	const struct root *root = &n->heap->roots[n->id];
	(root->kind < ROOT_INTERNAL ? add[root->kind] : root_add_log)(n, root);
}

bool root_add_field(const struct analysis *analysis, const struct root *root, struct buf *out)
{
	bool variable = root->kind == ROOT_DATA || root->kind == ROOT_BSS;
	bool finalizer = root->kind == ROOT_FINALIZER || root->kind == ROOT_QUEUED_FINALIZER;
	const struct names *names = analysis_names(analysis);
	const struct exe_global *global = NULL;
	SCOPED_BUF field = {.without = out->without | NAME_HEAD};
	const char *name;
	uint64_t offset, address = root->address;
	if (variable ? !names_variable(names, address, &name, &offset) : !finalizer)
		return root->kind != ROOT_DEFER || !root->part;
	if (variable && analysis_typing(analysis))
		global = gotypes_global_at(analysis_types(analysis), address - names->fit.data_bias);
	if (global ? strcmp(global->name, name) != 0
	           : variable && statics_find(analysis_statics(analysis), address))
		return false;
	entity_add_name(analysis, entity_of_root(analysis_heap(analysis), root), &field);
	buf_add(out, buf_text(&field));
	return true;
}

const char *root_variable_note(const struct heap *heap, const char *name)
{
	const struct runtime_note *note = heap->format->runtime->variables;
	while (note && note->name && strcmp(note->name, name) != 0)
		note++;
	return note && note->name ? note->note : "";
}

void entity_root_argument(const struct naming *n)
{
	uint64_t address = n->heap->roots[n->id].address;
	if (address && heap_find(n->heap, address) == OBJECT_NONE)
		buf_addf(n->out, "0x%" PRIx64, address);
	else
		buf_addf(n->out, "root=%" PRIu32, n->id);
}

void root_add_none(const struct analysis *analysis, uint32_t object, struct buf *out)
{
	const struct heap *heap = analysis_heap(analysis);
	uint32_t count = heap_object_count(heap), id = object;
	if (!reach_is_weak(analysis_reach(analysis), object)) {
		buf_addf(out, "it is unreachable from any %s", damage_any_root(heap));
		return;
	}
	while (id < count)
		id = reach_before(analysis_reach(analysis), id);
	SCOPED_BUF cause = {0};
	bool doubted = damage_cause(heap, DAMAGE_ROOTS, &cause);
	buf_addf(out, "%sonly weak %s", doubted ? "of what was read " : "",
	         reach_is_by_reference(analysis_reach(analysis), object) ? "references reach it, from "
	                                                                 : "roots reach it: ");
	entity_add_name(analysis, (struct entity){ENTITY_ROOT, id - count, 0}, out);
}

void entity_root_link(const struct naming *n)
{
	const struct root *root = &n->heap->roots[n->id];
	const struct thread *thread = NULL;
	if (root->kind == ROOT_FRAME)
		thread = frame_thread(n->heap, root->holder);
	if (thread)
		thread_add_name(n->heap, thread, n->out);
	else if (root->kind == ROOT_DATA || root->kind == ROOT_BSS)
		buf_addf(n->out, "object 0x%" PRIx64, heap_address(n->heap, root->target));
	else
		buf_addf(n->out, "roots %s", heap_root_kind(n->heap, root->kind));
}
