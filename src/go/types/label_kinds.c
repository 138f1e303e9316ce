/* Recognizes maps, channels and closures by their pointer words, and by numbers that must be
   consistent. */
#include "go/runtime/gochan.h"
#include "go/runtime/gomap.h"
#include "go/types/labelling.h"
#include "heap/heap.h"

struct label_kinds {
	struct labels *l;
	struct gomap_layouts maps;
	struct gochan_layouts channels;
	unsigned width;
};

/* bytes of the smallest part of a map; one word is added */
enum { CLOSURE_WORDS = 64, LEAST_MAP = 16, CHUNK = 2 << 20 /* bytes that it has at least */ };

static bool label_map(const struct label_kinds *k, const struct probe *p, uint64_t pointers)
{
	static const enum kind kinds[GOMAP_ROLES] = {
		[GOMAP_HEADER] = KIND_MAP,          [GOMAP_BUCKETS] = KIND_BUCKETS,
		[GOMAP_GROUPS] = KIND_GROUPS,       [GOMAP_TABLE] = KIND_TABLE,
		[GOMAP_DIRECTORY] = KIND_DIRECTORY,
	};
	struct gomap_found found;
	if (!pointers || p->bytes < LEAST_MAP + k->width || !gomap_look(&k->maps, p, pointers, &found))
		return false;
	for (size_t i = 0; i < found.others; i++)
		label_set_kind(k->l, found.other[i].object, kinds[found.other[i].role], 0);
	label_set_kind(k->l, p->region.ref, kinds[found.role], 0);
	return true;
}

static void label_channel(const struct label_kinds *k, const struct probe *p)
{
	struct gochan_found channel;
	struct probe elements;
	if (!gochan_look(&k->channels, p, &channel))
		return;
	if (!channel.inside && probe_find(p->regions, channel.buffer, &elements))
		label_set_kind(k->l, elements.region.ref, KIND_CHANNEL_BUFFER, 0);
	label_set_kind(k->l, p->region.ref, KIND_CHANNEL, channel.elem_type);
}

/* Labels closures: the first word is the entry of a function. An object without pointers may
   contain numbers, so the function must be in a frame. If a pointer follows directly, the object
   may be an interface, whose type is after the last function in a frame. */
static bool label_closure(const struct label_kinds *k, const struct probe *p, uint64_t pointers)
{
	struct labels *l = k->l;
	uint64_t entry = probe_word(p, 0), frame;
	if ((pointers & 1) || entry < l->text_low || entry >= l->text_high || entry % k->width
	    || p->bytes > CLOSURE_WORDS * k->width)
		return false;
	if (!pointers && !map_get(&l->functions, entry, &frame))
		return false;
	if ((pointers & 2) && entry > l->text_last)
		return false;
	label_set_kind(l, p->region.ref, KIND_CLOSURE, entry);
	return true;
}

/* Finds the range of code: from the lowest function in a frame to the first address after code. */
static void label_kind_find_text(struct labels *l)
{
	const struct heap *heap = l->heap;
	uint64_t end = UINT64_MAX;
	l->text_low = UINT64_MAX;
	for (uint32_t i = 0; i < heap->frame_count; i++) {
		uint64_t entry = heap->frames[i].record.entry_pc;
		map_put(&l->functions, entry, i);
		l->text_low = entry && entry < l->text_low ? entry : l->text_low;
		l->text_last = entry > l->text_last ? entry : l->text_last;
	}
	for (uint32_t i = 0; i < heap->type_count; i++)
		if (heap->types[i].address > l->text_last && heap->types[i].address < end)
			end = heap->types[i].address;
	for (uint32_t i = 0; i < heap->segment_count; i++)
		if (heap->segments[i].address > l->text_last && heap->segments[i].address < end)
			end = heap->segments[i].address;
	l->text_high = end == UINT64_MAX ? l->text_last + 1 : end;
}

void label_kinds(struct labels *l)
{
	struct label_kinds k = {.l = l, .width = l->regions->width};
	if (!k.width) /* the format has no memory contents */
		return;
	gomap_layouts_init(&k.maps, k.width);
	gochan_layouts_init(&k.channels, k.width);
	label_kind_find_text(l);
	for (uint32_t id = label_next(l, 0); id < l->regions->objects; id = label_next(l, id + 1)) {
		struct probe p;
		probe_init(&p, l->regions, id);
		uint64_t pointers = probe_pointers(&p);
		/* Maps come first: their numbers may look like the entry of a function. */
		if (p.bytes >= k.width && !label_map(&k, &p, pointers) && !label_closure(&k, &p, pointers))
			label_channel(&k, &p);
	}
}

/* Labels chunks of package arena. They come first, because the type of a value at their beginning
   is not theirs. */
void label_chunks(struct labels *l)
{
	struct objects_run_view run;
	for (size_t i = 0; i < objects_run_count(l->heap->objects); i++) {
		objects_run(l->heap->objects, i, &run);
		for (uint32_t n = 0; n < run.count && run.size > CHUNK; n++) {
			struct region region;
			regions_get(l->regions, run.first + n, &region);
			if (size_class_is_arena_chunk(region.address, region.size, l->regions->width))
				label_set_kind(l, run.first + n, KIND_ARENA_CHUNK, 0);
		}
	}
}

static const struct label *kind_of(const struct labels *labels, uint32_t object)
{
	const struct label *label = &labels->label[labels_of(labels, object)];
	return label->class == LABEL_KIND ? label : NULL;
}

enum gostructure_role labels_role(const struct labels *labels, uint32_t object)
{
	static const enum gostructure_role roles[KIND_COUNT] = {
		[KIND_MAP] = GOSTRUCTURE_MAP,         [KIND_BUCKETS] = GOSTRUCTURE_SLOTS,
		[KIND_GROUPS] = GOSTRUCTURE_SLOTS,    [KIND_TABLE] = GOSTRUCTURE_TABLE,
		[KIND_DIRECTORY] = GOSTRUCTURE_TABLE, [KIND_CHANNEL] = GOSTRUCTURE_CHAN,
	};
	const struct label *label = kind_of(labels, object);
	return label ? roles[label->kind] : GOSTRUCTURE_NONE;
}

bool labels_is_inside(enum gostructure_role role, const struct labels *labels, uint32_t to)
{
	enum gostructure_role other = labels_role(labels, to);
	const struct label *label = kind_of(labels, to);
	switch (role) {
	case GOSTRUCTURE_MAP:
	case GOSTRUCTURE_TABLE:
		return other == GOSTRUCTURE_TABLE || other == GOSTRUCTURE_SLOTS;
	case GOSTRUCTURE_SLOTS:
		return label && label->kind == KIND_BUCKETS; /* a chain */
	case GOSTRUCTURE_CHAN:
		return label && label->kind == KIND_CHANNEL_BUFFER;
	default:
		return false;
	}
}
