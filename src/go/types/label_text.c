/* Texts of labels. */
#include "go/types/labelling.h"

#include "base/text.h"
#include "heap/heap.h"
#include "heap/name_part.h"
#include "heap/profile.h"

#include <inttypes.h>

enum { NAME_LIMIT = 200, MOST_SHOWN = 16 }; /* words of a shape */

static const char *const kind_names[KIND_COUNT] = {
	[KIND_MAP] = "map header",
	[KIND_BUCKETS] = "map buckets",
	[KIND_GROUPS] = "map groups",
	[KIND_TABLE] = "map table",
	[KIND_DIRECTORY] = "map directory",
	[KIND_CHANNEL] = "channel",
	[KIND_CHANNEL_BUFFER] = "channel buffer",
	[KIND_CLOSURE] = "closure",
	[KIND_ARENA_CHUNK] = "arena chunk",
	[KIND_BYTES] = "[]byte data",
	[KIND_SLICE] = "slice array",
	[KIND_STRING] = "string data",
	[KIND_TEXT] = "text",
};

static void add_visible(struct text text, struct buf *out)
{
	text_add_escaped(out, text.data, text.len, NAME_LIMIT);
}

/* Appends the name; for a pointer type that of its element. */
static void label_text_add_name(const struct labels *l, const struct label *label, struct buf *out)
{
	struct text name = l->descriptors[label->value].name;
	if (name.len && name.data[0] == '*')
		name = (struct text){name.data + 1, name.len - 1};
	buf_add(out, type_mark(label->known));
	if (label->kind && name_wants(out, NAME_LENGTH))
		buf_add(out, "[n]");
	add_visible(name, out);
}

static void add_identity(const struct labels *l, const struct label *label, struct buf *out)
{
	const struct descriptor *d = &l->descriptors[label->value];
	if (!label->kind)
		buf_add(out, "target of ");
	if (d->name.len && d->name.data[d->name.len - 1] == '.') {
		buf_add_char(out, '*');
		add_visible(d->name, out);
		buf_add_char(out, '?');
	} else {
		buf_add(out, "type");
	}
	buf_addf(out, "@0x%" PRIx64, d->address);
}

/* Appends a text such as "~closure main.main.func1" or "~slice array of type@0x7a12c0" that begins
   with this name of the kind. */
static void label_text_add_named(const struct labels *l, const struct label *label,
                                 const char *name, struct buf *out)
{
	uint64_t frame;
	buf_addf(out, "%s%s", label->known == KNOWN_EXACT ? "" : "~", name);
	if (label->kind != KIND_CLOSURE) {
		if (label->value)
			buf_addf(out, " of type@0x%" PRIx64, label->value);
		return;
	}
	buf_add_char(out, ' ');
	if (map_get(&l->functions, label->value, &frame))
		add_visible(l->heap->frames[frame].record.function, out);
	else
		buf_addf(out, "0x%" PRIx64, label->value);
}

static void label_text_add_kind(const struct labels *l, const struct label *label, struct buf *out)
{
	label_text_add_named(l, label, kind_names[label->kind], out);
}

static void label_text_add_site(const struct labels *l, const struct label *label, struct buf *out)
{
	struct stack_frame site;
	buf_add(out, "allocated at ");
	if (profile_site(&l->heap->profiles.profile[label->value], &site))
		stack_frame_add(&site, out);
}

void labels_add_pattern(const struct labels *l, uint32_t object, struct buf *out)
{
	struct object_record record;
	unsigned width = l->heap->params.layout.pointer_size;
	char words[MOST_SHOWN + 1] = "................";
	uint64_t size = heap_size(l->heap, object), count = size / width, offset;
	buf_addf(out, "obj[%" PRIu64 "]", size);
	if (!heap_object(l->heap, object, &record))
		return;
	bool any = false;
	while (fields_next(&record.fields, &offset)) {
		any = true;
		if (offset / width >= MOST_SHOWN)
			break;
		words[offset / width] = 'P';
	}
	if (any)
		buf_addf(out, " %.*s%s", (int)(count < MOST_SHOWN ? count : MOST_SHOWN), words,
		         count > MOST_SHOWN ? "…" : "");
}

static void label_text_add_holder(const struct labels *l, const struct label *label,
                                  struct buf *out)
{
	const struct holder *holder = &l->holders[label->holder];
	const struct label *of = &l->label[holder->kind == HOLDER_LABEL ? holder->value : 0];
	buf_add(out, holder->kind == HOLDER_FRAME ? " held by " : " held at ");
	if (holder->kind == HOLDER_DATA || holder->kind == HOLDER_BSS)
		buf_addf(out, "%s+0x%" PRIx64, holder->kind == HOLDER_BSS ? "bss" : "data", holder->value);
	else if (holder->kind == HOLDER_FRAME)
		add_visible(l->heap->frames[holder->value].record.function, out);
	else if (holder->kind == HOLDER_TYPE || holder->kind == HOLDER_GUESS) {
		buf_add(out, type_mark(holder->kind == HOLDER_GUESS ? KNOWN_GUESS : KNOWN_EXACT));
		gotype_display(typing_types(l->typing), (gotype_id)holder->value, out);
	} else if (of->class == LABEL_SHAPE)
		labels_add_pattern(l, (uint32_t)of->value, out);
	else
		labels_add(l, (uint32_t)holder->value, out);
	if (label->offset != UINT16_MAX)
		buf_addf(out, "+0x%x", label->offset);
	if (label->kind)
		buf_add(out, "…");
}

static void add_shape(const struct labels *l, const struct label *label, struct buf *out)
{
	uint32_t object = (uint32_t)(label->holder ? l->label[label->value].value : label->value);
	labels_add_pattern(l, object, out);
	if (label->holder)
		label_text_add_holder(l, label, out);
}

void labels_add(const struct labels *l, uint32_t id, struct buf *out)
{
	static void (*const add[LABEL_CLASSES])(const struct labels *, const struct label *,
	                                        struct buf *) = {
		[LABEL_NAME] = label_text_add_name, [LABEL_KIND] = label_text_add_kind,
		[LABEL_IDENTITY] = add_identity,    [LABEL_ROW] = label_text_add_kind,
		[LABEL_SITE] = label_text_add_site, [LABEL_SHAPE] = add_shape,
	};
	if (l->label[id].class != LABEL_NONE)
		add[l->label[id].class](l, &l->label[id], out);
}

void labels_add_whole(const struct labels *l, uint32_t id, struct buf *out)
{
	const struct label *label = &l->label[id];
	bool kind = label->class == LABEL_KIND || label->class == LABEL_ROW;
	if (kind && label->kind <= KIND_DIRECTORY)
		label_text_add_named(l, label, "map", out);
	else
		labels_add(l, id, out);
}
