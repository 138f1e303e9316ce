/* An ELF core file: which memory it holds, the threads, which files were mapped. Nothing in it is
   trusted. 64-bit, little endian. */
#ifndef FORMAT_CORE_FILE_H
#define FORMAT_CORE_FILE_H

#include "base/err.h"
#include "base/process.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_segment { /* memory that is in the file; by address, none overlaps the next */
	uint64_t address, size, offset;
};
struct core_range { /* all that was mapped, in the file or not; by address, none overlaps the next
	                 */
	uint64_t start, bytes;
	uint32_t flags; /* PF_R, PF_W, PF_X; 0: only reserved */
};
struct core_thread {
	uint64_t id, sp, pc;
	unsigned signal;          /* that it got; the kernel says the same of all threads. 0: none */
	const uint8_t *registers; /* borrowed */
	size_t register_count;    /* of 8 bytes each */
};
struct core_run { /* of addresses; by these, none overlaps the next */
	uint64_t start, end;
};
struct core_mapping {
	uint64_t start, end;
	const char *path; /* borrowed */
};

struct core_file {
	const uint8_t *data;
	size_t size;
	uint16_t machine; /* EM_X86_64 or EM_AARCH64 */
	struct core_segment *segment;
	size_t segments;
	struct core_range *range;
	size_t ranges;
	struct core_thread *thread;
	size_t threads, thread_capacity;
	struct core_mapping *mapping;
	size_t mappings;
	uint64_t entry;            /* where the executable's entry point was loaded; 0: not told */
	uint64_t initial_stack;    /* an address in the first thread's stack; 0: not told */
	uint64_t cut;              /* bytes of segments that the file should have and has not */
	bool notes_broken;         /* some could not be read */
	struct process_note own;   /* of our own snapshots; pid 0: it is none */
	struct core_run *resident; /* what was in memory, as our own snapshots tell */
	size_t residents;
	bool knows_resident;
	struct text program; /* its name, maybe cut; empty: not told. Borrowed */
};

/* Reads the headers and the notes. False: *err. The bytes must outlive it. */
bool core_file_init(struct core_file *core, const uint8_t *data, size_t size, struct err *err);
void core_file_fini(struct core_file *core);
/* Is it an ELF core file, of whatever machine? */
bool core_file_is(const uint8_t *data, size_t size);

/* `size` bytes at an address; NULL when they are not all in the file, one after the other. */
const uint8_t *core_file_at(const struct core_file *core, uint64_t address, uint64_t size);
/* How many bytes of a range were in memory; false: the file does not tell. */
bool core_file_resident(const struct core_file *core, uint64_t address, uint64_t bytes,
                        uint64_t *resident);
/* The segment that an address lies in; NULL: none. */
const struct core_segment *core_file_segment(const struct core_file *core, uint64_t address);

#endif
