#include "format/heap_profile.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 };

/* Names are stored in pieces that never move. */
struct heap_profile_piece {
	struct heap_profile_piece *next;
	size_t used, size;
	char data[];
};

static const char *heap_profile_keep(struct heap_profiles *heap_profiles, struct text text)
{
	struct heap_profile_piece *piece = heap_profiles->pieces;
	if (!piece || piece->size - piece->used < text.len) {
		size_t size = text.len > PIECE ? text.len : PIECE;
		piece = mem_alloc(sizeof *piece + size);
		piece->size = size;
		piece->next = heap_profiles->pieces;
		heap_profiles->pieces = piece;
	}
	char *data = piece->data + piece->used;
	if (text.len)
		memcpy(data, text.data, text.len);
	piece->used += text.len;
	return data;
}

static uint64_t heap_profile_hash_of(const struct heap_profiles *heap_profiles, struct text text)
{
	uint64_t hash = text.len;
	for (size_t i = 0; i < text.len; i++)
		hash = hash_mix(hash, (unsigned char)text.data[i], heap_profiles->multiplier);
	return hash;
}

static uint32_t *heap_profile_place_of(const struct heap_profiles *heap_profiles, struct text text)
{
	size_t mask = ((size_t)1 << heap_profiles->bits) - 1;
	uint64_t hash = heap_profile_hash_of(heap_profiles, text);
	size_t at = (size_t)hash_place(hash, heap_profiles->multiplier, heap_profiles->bits);
	while (heap_profiles->places[at]
	       && !text_equal(heap_profiles->name[heap_profiles->places[at] - 1], text))
		at = (at + 1) & mask;
	return &heap_profiles->places[at];
}

uint32_t heap_profiles_name(struct heap_profiles *heap_profiles, struct text name)
{
	uint32_t *place = heap_profile_place_of(heap_profiles, name);
	if (*place)
		return *place - 1;
	MEM_PUSH(heap_profiles->name, heap_profiles->name_count, heap_profiles->name_capacity,
	         (struct text){heap_profile_keep(heap_profiles, name), name.len});
	*place = (uint32_t)heap_profiles->name_count;
	uint32_t number = *place - 1;
	if (heap_profiles->name_count * 2 >= (size_t)1 << heap_profiles->bits) {
		free(heap_profiles->places);
		heap_profiles->bits++;
		heap_profiles->places = mem_alloc(sizeof *heap_profiles->places << heap_profiles->bits);
		for (size_t i = 0; i < heap_profiles->name_count; i++)
			*heap_profile_place_of(heap_profiles, heap_profiles->name[i]) = (uint32_t)i + 1;
	}
	return number;
}

static uint32_t heap_profile_add_frame(struct heap_profiles *heap_profiles, uint32_t parent,
                                       uint32_t name)
{
	return (uint32_t)MEM_PUSH(heap_profiles->frame, heap_profiles->frame_count,
	                          heap_profiles->frame_capacity,
	                          (struct heap_profile_frame){name, parent});
}

uint32_t heap_profiles_frame(struct heap_profiles *heap_profiles, uint32_t parent, uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name, frame;
	if (map_get(&heap_profiles->frames, key, &frame))
		return (uint32_t)frame;
	frame = heap_profile_add_frame(heap_profiles, parent, name);
	map_put(&heap_profiles->frames, key, frame);
	return (uint32_t)frame;
}

struct heap_profiles *heap_profiles_new(void)
{
	struct heap_profiles *heap_profiles = mem_alloc(sizeof *heap_profiles);
	heap_profiles->multiplier = hash_multiplier();
	heap_profiles->bits = 6;
	heap_profiles->places = mem_alloc(sizeof *heap_profiles->places << heap_profiles->bits);
	heap_profiles_name(heap_profiles, (struct text){"", 0});
	heap_profiles_name(heap_profiles, (struct text){"<self>", 6}); /* NAME_SELF */
	heap_profile_add_frame(heap_profiles, FRAME_ROOT, 0);
	return heap_profiles;
}

void heap_profiles_free(struct heap_profiles *heap_profiles)
{
	if (!heap_profiles)
		return;
	for (struct heap_profile_piece *next, *piece = heap_profiles->pieces; piece; piece = next) {
		next = piece->next;
		free(piece);
	}
	map_free(&heap_profiles->frames);
	free(heap_profiles->name);
	free(heap_profiles->frame);
	free(heap_profiles->entry);
	free(heap_profiles->heap_profile);
	free(heap_profiles->places);
	free(heap_profiles->use);
	free(heap_profiles);
}

struct heap_profile *heap_profiles_begin(struct heap_profiles *heap_profiles)
{
	heap_profiles->heap_profile = mem_grow(heap_profiles->heap_profile, heap_profiles->count,
	                                       &heap_profiles->capacity,
	                                       sizeof *heap_profiles->heap_profile);
	struct heap_profile *heap_profile = &heap_profiles->heap_profile[heap_profiles->count++];
	*heap_profile = (struct heap_profile){.first = heap_profiles->entry_count};
	return heap_profile;
}

void heap_profiles_add(struct heap_profiles *heap_profiles, struct heap_profile_entry entry)
{
	MEM_PUSH(heap_profiles->entry, heap_profiles->entry_count, heap_profiles->entry_capacity,
	         entry);
	struct heap_profile *heap_profile = &heap_profiles->heap_profile[heap_profiles->count - 1];
	heap_profile->count++;
	if (!heap_profile->cumulative)
		heap_profiles_frame(heap_profiles, entry.frame, NAME_SELF);
}

uint64_t heap_profiles_sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

const struct heap_profile_entry *heap_profiles_entries(const struct heap_profiles *profiles,
                                                       const struct heap_profile *profile)
{
	return profile->count ? &profiles->entry[profile->first] : NULL;
}
