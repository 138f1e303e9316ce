/* An ELF core file, 64-bit little-endian: stored memory, threads, mapped files. Its content is not
   trusted. */
#pragma once

#include "base/err.h"
#include "base/process.h"
#include "base/redaction.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a note like those of processes (base/process.h). It says that the file is redacted,
   and holds the number of bytes of memory that were missing in the file that it was made from. */
enum { CORE_NOTE_REDACTED = 0x68656172 };

struct core_segment { /* memory stored in the file; sorted by address, without overlaps */
	uint64_t address, size, offset;
};
struct core_range { /* a mapped range, stored or not; sorted by address, without overlaps */
	uint64_t start, bytes;
	uint32_t flags; /* PF_R, PF_W, PF_X; 0: reserved only */
};
struct core_thread {
	uint64_t id, sp, pc;
	uint64_t tls; /* the address of its thread-local memory; 0: not known */
	/* received signal; the kernel reports the same for all threads. 0: none */
	unsigned signal;
	const uint8_t *registers; /* borrowed */
	size_t register_count;    /* number of 8-byte registers */
};
struct core_run { /* a range of addresses; sorted, without overlaps */
	uint64_t start, end;
};
struct core_mapping {
	uint64_t start, end;
	const char *path; /* borrowed */
};

struct core_file {
	const uint8_t *data;
	size_t size;
	uint64_t headers;            /* number of program headers */
	uint64_t headers_lost;       /* those that the file says it has, and that are not read */
	bool redacted;               /* a note says so */
	struct redaction *redaction; /* set while it is examined for redaction: see memory_at */
	uint16_t machine;            /* EM_X86_64 or EM_AARCH64 */
	struct core_segment *segment;
	size_t segments;
	struct core_range *range;
	size_t ranges;
	struct core_thread *thread;
	size_t threads, os_thread_capacity;
	struct core_mapping *mapping;
	size_t mappings;
	uint64_t entry;            /* address of the executable's entry point; 0: not known */
	uint64_t initial_stack;    /* an address in the stack of the first thread; 0: not known */
	uint64_t cut;              /* bytes missing at the end of a truncated file */
	bool notes_broken;         /* some notes are malformed */
	struct process_note own;   /* note of a snapshot of goheapx; pid 0: none */
	struct core_run *resident; /* resident memory, known for snapshots of goheapx */
	size_t residents;
	bool knows_resident;
	struct text program; /* program name, possibly truncated; empty: not known. Borrowed */
};

/* Reads headers and notes; borrows the bytes. Returns false with *err. */
bool core_file_init(struct core_file *core, const uint8_t *data, size_t size, struct err *err);
void core_file_fini(struct core_file *core);
/* Returns true for an ELF core file of any machine. */
bool core_file_is(const uint8_t *data, size_t size);

/* Returns `size` consecutive bytes at an address, or NULL if they are not all stored. */
const uint8_t *core_file_at(const struct core_file *core, uint64_t address, uint64_t size);
/* Counts the resident bytes of a range; returns false if the file does not record them. */
bool core_file_resident(const struct core_file *core, uint64_t address, uint64_t bytes,
                        uint64_t *resident);
/* Returns the path of the file that is mapped at an address; NULL: none is. */
const char *core_file_path(const struct core_file *core, uint64_t address);
/* Returns the segment that contains an address, or NULL. */
const struct core_segment *core_file_segment(const struct core_file *core, uint64_t address);
