/* Snapshots of a process as files. */
#pragma once

#include "base/pack.h"
#include "base/process.h"
#include "main/options/options.h"

struct snapshot {
	pid_t pid;
	const char *path; /* "-": the standard output */
	enum pack_kind pack;
	struct process_options copying;
	bool redact;               /* write it without texts, keys and numbers of the program */
	bool with_exe;             /* also if the executable would be found later */
	struct progress *progress; /* cancels it; or NULL */
	/* The result: */
	bool written; /* the core file is there, even if the executable could not be written */
	struct process_copy copy;
	uint64_t packed; /* bytes of the compressed file; 0: not compressed */
	struct buf exe;  /* path of the executable that was written; empty: none */
};

/* Returns how the options say that it is compressed. False: *err. */
bool snapshot_pack(const struct options *options, enum pack_kind *pack, struct err *err);
/* Returns the process that a word means, which can be read. 0: *err. */
pid_t snapshot_process(const char *word, struct err *err);
/* Writes the file, which gets its name when it is complete, and the executable beside it if it may
   not be found later. False: *err; the process goes on in either case. */
bool snapshot_take(struct snapshot *snapshot, struct err *err);
