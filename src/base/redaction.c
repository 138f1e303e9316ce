#include "base/redaction.h"

#include "base/bits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static size_t redaction_bytes(const struct redaction *redaction)
{
	return redaction->size / 8 + 1;
}

void redaction_init(struct redaction *redaction, const uint8_t *data, uint64_t size)
{
	*redaction = (struct redaction){.data = data, .size = size, .end = size, .mark_at = size};
	redaction->stays = mem_column(redaction_bytes(redaction));
}

void redaction_fini(struct redaction *redaction)
{
	if (redaction->stays)
		mem_column_free(redaction->stays, redaction_bytes(redaction));
	for (size_t i = 0; i < redaction->edits; i++)
		free(redaction->edit[i].with);
	free(redaction->edit);
	free(redaction->fill);
	free(redaction->same);
	free(redaction->value);
	free(redaction->zone);
	buf_free(&redaction->head);
	buf_free(&redaction->mark);
	*redaction = (struct redaction){0};
}

void redaction_add_zone(struct redaction *redaction, uint64_t offset, uint64_t bytes)
{
	if (offset >= redaction->size)
		return;
	if (bytes > redaction->size - offset)
		bytes = redaction->size - offset;
	MEM_PUSH(redaction->zone, redaction->zones, redaction->capacity,
	         (struct redaction_zone){offset, bytes});
}

void redaction_keep(struct redaction *redaction, const uint8_t *at, uint64_t bytes)
{
	uint64_t offset = (uint64_t)((uintptr_t)at - (redaction ? (uintptr_t)redaction->data : 0));
	if (!redaction || !at || offset >= redaction->size || bytes > redaction->size - offset)
		return;
	for (; bytes && offset % 8; bytes--)
		bit_set(redaction->stays, offset++);
	memset(redaction->stays + offset / 8, 0xff, bytes / 8);
	for (offset += bytes / 8 * 8, bytes %= 8; bytes; bytes--)
		bit_set(redaction->stays, offset++);
}

bool redaction_keeps(const struct redaction *redaction, const uint8_t *at, uint64_t bytes)
{
	uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)redaction->data);
	bool keeps = offset < redaction->size && bytes <= redaction->size - offset;
	for (uint64_t end = offset + bytes; keeps && offset < end; offset++)
		keeps = bit_is_set(redaction->stays, offset);
	return keeps;
}

void redaction_make_same(struct redaction *redaction, const uint8_t *at, unsigned width)
{
	uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)redaction->data);
	if (offset >= redaction->size || width > redaction->size - offset)
		return;
	redaction_keep(redaction, at, width);
	redaction->width = width;
	MEM_PUSH(redaction->same, redaction->sames, redaction->same_capacity, offset);
}

void redaction_add_value(struct redaction *redaction, uint64_t address, uint64_t bytes)
{
	MEM_PUSH(redaction->value, redaction->values, redaction->value_capacity,
	         (struct redaction_zone){address, bytes});
}

bool redaction_is_value(const struct redaction *redaction, uint64_t address)
{
	for (size_t i = 0; i < redaction->values; i++)
		if (address - redaction->value[i].offset < redaction->value[i].bytes)
			return true;
	return false;
}

void redaction_fill(struct redaction *redaction, const uint8_t *at, uint64_t bytes)
{
	uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)redaction->data);
	if (offset < redaction->size && bytes <= redaction->size - offset)
		MEM_PUSH(redaction->fill, redaction->fills, redaction->fill_capacity,
		         (struct redaction_zone){offset, bytes});
}

uint8_t *redaction_change(struct redaction *redaction, uint64_t offset, uint64_t bytes)
{
	uint8_t *with = mem_alloc(bytes + 1);
	memcpy(with, redaction->data + offset, bytes);
	redaction_keep(redaction, redaction->data + offset, bytes);
	MEM_PUSH(redaction->edit, redaction->edits, redaction->edit_capacity,
	         (struct redaction_edit){offset, bytes, with});
	return with;
}

static void redaction_zero(struct redaction *redaction, uint8_t *data,
                           const struct redaction_zone *zone)
{
	for (uint64_t at = zone->offset, end = at + zone->bytes; at < end;) {
		bool whole = at % 8 == 0 && end - at >= 8;
		uint8_t stays = redaction->stays[at / 8];
		if (whole && (stays == 0xff || memcmp(data + at, "\0\0\0\0\0\0\0", 8) == 0)) {
			at += 8;
			continue;
		}
		for (uint64_t next = whole ? at + 8 : at + 1; at < next; at++)
			if (data[at] && !bit_is_set(redaction->stays, at)) {
				data[at] = 0;
				redaction->zeroed++;
			}
	}
}

void redaction_apply(struct redaction *redaction, uint8_t *data)
{
	for (size_t i = 0; i < redaction->zones; i++)
		redaction_zero(redaction, data, &redaction->zone[i]);
	for (size_t i = 0; i < redaction->sames; i++)
		memcpy(data + redaction->same[i], redaction->common, redaction->width);
	for (size_t i = 0; i < redaction->fills; i++)
		memset(data + redaction->fill[i].offset, 1, redaction->fill[i].bytes);
	for (size_t i = 0; i < redaction->edits; i++)
		memcpy(data + redaction->edit[i].offset, redaction->edit[i].with, redaction->edit[i].bytes);
}
