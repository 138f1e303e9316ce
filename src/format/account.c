#include "format/account.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 };

/* Names lie one after the other in pieces that never move. */
struct account_piece {
	struct account_piece *next;
	size_t used, size;
	char data[];
};

static const char *keep(struct accounts *accounts, struct text text)
{
	struct account_piece *piece = accounts->pieces;
	if (!piece || piece->size - piece->used < text.len) {
		size_t size = text.len > PIECE ? text.len : PIECE;
		piece = mem_alloc(sizeof *piece + size);
		piece->size = size;
		piece->next = accounts->pieces;
		accounts->pieces = piece;
	}
	char *data = piece->data + piece->used;
	if (text.len)
		memcpy(data, text.data, text.len);
	piece->used += text.len;
	return data;
}

static uint64_t hash_of(const struct accounts *accounts, struct text text)
{
	uint64_t hash = text.len;
	for (size_t i = 0; i < text.len; i++)
		hash = hash_mix(hash, (unsigned char)text.data[i], accounts->multiplier);
	return hash;
}

static uint32_t *place_of(const struct accounts *accounts, struct text text)
{
	size_t mask = ((size_t)1 << accounts->bits) - 1;
	uint64_t hash = hash_of(accounts, text);
	size_t at = (size_t)hash_place(hash, accounts->multiplier, accounts->bits);
	while (accounts->places[at] && !text_equal(accounts->name[accounts->places[at] - 1], text))
		at = (at + 1) & mask;
	return &accounts->places[at];
}

static void enlarge(struct accounts *accounts)
{
	free(accounts->places);
	accounts->bits++;
	accounts->places = mem_alloc(sizeof *accounts->places << accounts->bits);
	for (size_t i = 0; i < accounts->name_count; i++)
		*place_of(accounts, accounts->name[i]) = (uint32_t)i + 1;
}

uint32_t accounts_name(struct accounts *accounts, struct text name)
{
	uint32_t *place = place_of(accounts, name);
	if (*place)
		return *place - 1;
	accounts->name = mem_grow(accounts->name, accounts->name_count, &accounts->name_capacity,
	                          sizeof *accounts->name);
	accounts->name[accounts->name_count++] = (struct text){keep(accounts, name), name.len};
	*place = (uint32_t)accounts->name_count;
	uint32_t number = *place - 1;
	if (accounts->name_count * 2 >= (size_t)1 << accounts->bits)
		enlarge(accounts);
	return number;
}

static uint32_t add_frame(struct accounts *accounts, uint32_t parent, uint32_t name)
{
	accounts->frame = mem_grow(accounts->frame, accounts->frame_count, &accounts->frame_capacity,
	                           sizeof *accounts->frame);
	accounts->frame[accounts->frame_count] = (struct account_frame){name, parent};
	return (uint32_t)accounts->frame_count++;
}

uint32_t accounts_frame(struct accounts *accounts, uint32_t parent, uint32_t name)
{
	uint64_t key = (uint64_t)parent << 32 | name, frame;
	if (map_get(&accounts->frames, key, &frame))
		return (uint32_t)frame;
	frame = add_frame(accounts, parent, name);
	map_put(&accounts->frames, key, frame);
	return (uint32_t)frame;
}

struct accounts *accounts_new(void)
{
	struct accounts *accounts = mem_alloc(sizeof *accounts);
	accounts->multiplier = hash_multiplier();
	accounts->bits = 6;
	accounts->places = mem_alloc(sizeof *accounts->places << accounts->bits);
	accounts_name(accounts, (struct text){"", 0});
	accounts_name(accounts, (struct text){"<self>", 6}); /* NAME_SELF */
	add_frame(accounts, FRAME_ROOT, 0);
	return accounts;
}

void accounts_free(struct accounts *accounts)
{
	if (!accounts)
		return;
	for (struct account_piece *next, *piece = accounts->pieces; piece; piece = next) {
		next = piece->next;
		free(piece);
	}
	map_free(&accounts->frames);
	free(accounts->name);
	free(accounts->frame);
	free(accounts->entry);
	free(accounts->account);
	free(accounts->places);
	free(accounts);
}

struct account *accounts_begin(struct accounts *accounts)
{
	accounts->account = mem_grow(accounts->account, accounts->count, &accounts->capacity,
	                             sizeof *accounts->account);
	struct account *account = &accounts->account[accounts->count++];
	*account = (struct account){.first = accounts->entry_count};
	return account;
}

void accounts_add(struct accounts *accounts, struct account_entry entry)
{
	accounts->entry = mem_grow(accounts->entry, accounts->entry_count, &accounts->entry_capacity,
	                           sizeof *accounts->entry);
	accounts->entry[accounts->entry_count++] = entry;
	struct account *account = &accounts->account[accounts->count - 1];
	account->count++;
	if (!account->cumulative)
		accounts_frame(accounts, entry.frame, NAME_SELF);
}

uint64_t accounts_sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
