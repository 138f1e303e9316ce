/* How firmly the memory is held: every byte of the dump has one owner here, so that the rows sum to
   all of it. An owner is a global variable, a goroutine, a finalizer, a pool ...; or, of what
   several of a kind hold, all of these together; or nobody. */
#include "table/argument.h"
#include "table/node.h"

#include "base/mem.h"

#include <string.h>

struct share {
	uint32_t node;     /* OBJECT_NONE: nobody */
	uint8_t strength;  /* STRENGTHS: none */
	bool several;      /* what hangs on more than one of the strength */
	uint64_t bytes, objects;
};

static const void *share_of(const struct rows *rows, size_t row)
{
	const struct share *shares = rows->data;
	return &shares[row];
}

static void add(struct rows *rows, struct share owner, size_t *capacity)
{
	struct share *shares = rows->data;
	if (!owner.objects)
		return;
	shares = mem_grow(shares, rows->count, capacity, sizeof *shares);
	shares[rows->count++] = owner;
	rows->data = shares;
}

/* The anchors below a strength, then what none of them holds alone. */
static void add_strength(struct rows *rows, enum strength strength, size_t *capacity)
{
	const struct dominators *d = node_strength_tree(rows->analysis, strength);
	const struct anchors *anchors = d->anchors;
	uint32_t above = anchors->strength[strength], all = anchors_node(anchors, above);
	uint64_t bytes = d->bytes[all], objects = d->objects[all];
	uint32_t end = strength + 1 < STRENGTHS ? anchors->strength[strength + 1] : anchors->count;
	for (uint32_t a = above + 1; a < end; a++) {
		uint32_t node = anchors_node(anchors, a);
		if (anchors->anchor[a].parent != above)
			continue;
		add(rows, (struct share){node, (uint8_t)strength, false, d->bytes[node], d->objects[node]},
		    capacity);
		bytes -= d->bytes[node];
		objects -= d->objects[node];
	}
	add(rows, (struct share){all, (uint8_t)strength, true, bytes, objects}, capacity);
}

static void add_nobody(struct rows *rows, size_t *capacity)
{
	const struct analysis *analysis = rows->analysis;
	struct share nobody = {.node = OBJECT_NONE, .strength = STRENGTHS};
	const struct reach *reach = analysis->reach;
	nobody.bytes = objects_bytes(analysis->heap->objects) - reach->bytes - reach->weak_bytes;
	nobody.objects = heap_object_count(analysis->heap) - reach->objects - reach->weak_objects;
	add(rows, nobody, capacity);
}

static const char *strength_name(uint8_t strength)
{
	return strength < STRENGTHS ? strength_names[strength] : "none";
}

static bool is_known(const char *argument, struct err *err)
{
	struct buf known = {0};
	bool found = !*argument;
	for (uint8_t s = 0; s <= STRENGTHS; s++) {
		found = found || strcmp(strength_name(s), argument) == 0;
		buf_addf(&known, "%s%s", s ? ", " : "", strength_name(s));
	}
	if (!found)
		err_set(err, "Owners can be selected by %s, not by \"%.40s\"", buf_text(&known), argument);
	buf_free(&known);
	return found;
}

static bool strengths_open(struct rows *rows, const char *argument, struct err *err)
{
	size_t capacity = 0;
	if (!is_known(argument, err) || !reach_must_be_known(rows->analysis, err))
		return false;
	for (uint8_t s = 0; s < STRENGTHS; s++)
		if (!*argument || strcmp(strength_name(s), argument) == 0)
			add_strength(rows, s, &capacity);
	if (!*argument || strcmp(strength_name(STRENGTHS), argument) == 0)
		add_nobody(rows, &capacity);
	buf_addf(&rows->title, "owners by how firmly they hold%s%s", *argument ? ": " : "", argument);
	if (!rows->count)
		buf_add(&rows->note, "Nothing in this dump is held so.");
	return true;
}

static void add_name(const struct rows *rows, const struct share *owner, struct buf *out)
{
	if (owner->node == OBJECT_NONE) {
		buf_add(out, "nobody: no root in the dump leads to it");
		return;
	}
	buf_add(out, owner->several ? "several of the " : "");
	node_add_name(rows->analysis, owner->node, out);
}

static void strengths_strength_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = share_of(rows, row);
	cell_text(value, strength_name(owner->strength));
}

static void strengths_name_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = share_of(rows, row);
	add_name(rows, owner, cell_begin(value));
	cell_end(value);
}

static void strengths_share_cell(const struct rows *rows, size_t row, struct value *value)
{
	const struct share *owner = share_of(rows, row);
	if (owner->strength < STRENGTH_WEAK)
		cell_share(value, owner->bytes, rows->analysis->reach->bytes);
}

static const struct column columns[] = {
	{"strength", "held by",
	 "global, parked, running, runtime, finalizer, pool, weak or none: what a firmer one holds "
	 "belongs to that", VALUE_TEXT, 9, 0, .cell = strengths_strength_cell},
	{"name", "owner", "The variable, goroutine, finalizer ... that holds it alone", VALUE_TEXT, 0,
	 0, .cell = strengths_name_cell, .wants = STAGE_TYPED},
	{"retained_bytes", "owned", "Bytes that it owns", VALUE_BYTES, 9, 0,
	 FIELD(struct share, bytes)},
	{"share", "share", "Their share of all that is reachable", VALUE_SHARE, 6, 0,
	 .cell = strengths_share_cell},
	{"retained_objects", "objects", "Objects that it owns", VALUE_COUNT, 10, 0,
	 FIELD(struct share, objects)},
};

static void strengths_link(const struct rows *rows, size_t row, struct buf *command)
{
	const struct share *owner = share_of(rows, row);
	if (owner->node == OBJECT_NONE)
		buf_add(command, "unreachable");
	else
		node_link(rows->analysis, owner->node, command);
}

static enum row_style strengths_style(const struct rows *rows, size_t row)
{
	const struct share *owner = share_of(rows, row);
	return owner->node == OBJECT_NONE ? ROW_FAINT : ROW_PLAIN;
}

const struct table table_strengths = {
	.name = "strengths",
	.from = DAMAGE_ROOTS,
	.help = "How firmly the memory is held: variables, goroutines and others, each with the bytes "
	        "that nothing else as firm leads to; the rows sum to all objects",
	.argument = "[STRENGTH]",
	.needs = STAGE_OWNED,
	.parts = HAS_OBJECTS,
	.columns = columns,
	.column_count = sizeof columns / sizeof *columns,
	.open = strengths_open,
	.record = share_of,
	.link = strengths_link,
	.style = strengths_style,
	.sort = "retained_bytes",
};
