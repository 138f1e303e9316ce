/* 64-bit FNV-1a hash of a name, for maps keyed by name. Collisions are possible. Private to
   src/go/exe. */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline uint64_t name_hash(const char *name, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3;
	return hash;
}
