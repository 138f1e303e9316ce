/* Objects of a heap by their dense ids, which are below heap_object_count. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define OBJECT_NONE UINT32_MAX

struct heap;
struct object_record;
struct objects;
struct run;

/* Returns the table of the objects, for code that needs no more of the heap. */
const struct objects *heap_objects(const struct heap *heap);
uint32_t heap_object_count(const struct heap *heap);
/* Returns the object whose slot contains the address, or OBJECT_NONE. */
uint32_t heap_find(const struct heap *heap, uint64_t address);
/* Returns the first object at or after an address, or OBJECT_NONE. Objects must have addresses. */
uint32_t heap_first_from(const struct heap *heap, uint64_t address);
uint64_t heap_address(const struct heap *heap, uint32_t id); /* as the program uses it */
/* Returns the bytes of the whole slot, allocation header included. */
uint64_t heap_size(const struct heap *heap, uint32_t id);
/* Decodes the record of an object from the dump, with contents and pointer fields; a log has
   neither. Returns false only if the file has changed meanwhile. */
bool heap_object(const struct heap *heap, uint32_t id, struct object_record *record);

/* Private to src/heap. Steps over the contents of the objects of a run by an outline. */
struct outline_walk {
	const uint8_t *gap;
	const uint64_t *far;
	const uint8_t *next; /* from here the gap of the next object counts */
	uint64_t stored, bit;
};

/* Reads records of many objects in ascending order: consecutive records are found without a search.
   Start with `struct object_reader reader = {.heap = heap}`. */
struct object_reader {
	const struct heap *heap;
	uint32_t next, end;    /* objects [next, end) have consecutive records */
	uint64_t offset;       /* without an outline: of the record of `next` */
	const struct run *run; /* else their run, and the walk over it, which comes to `next` */
	struct outline_walk walk;
};
/* Like heap_object, but the record may lack its own offset and end. */
bool object_reader_read(struct object_reader *reader, uint32_t id, struct object_record *record);

/* PART_TYPES: returns the type of an object, an index into told_types. PART_DOMAINS: returns its
   section, an index into domains. */
uint32_t heap_type(const struct heap *heap, uint32_t id);
uint32_t heap_section(const struct heap *heap, uint32_t id);

/* Returns true if the dump has all these parts: bits of enum format_part. */
bool heap_has(const struct heap *heap, unsigned parts);
