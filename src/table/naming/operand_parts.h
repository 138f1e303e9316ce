/* Shared by the files that parse operands (table/naming/operand.h). */
#pragma once

#include "table/naming/operand.h"

static const char operand_blanks[] = " \t";

/* Returns true if the name of an operand can end here: at a blank, at a step. */
bool operand_ends_here(const char *text);
/* Parses a decimal number after a word: "group=17", "@17". False: it is
   none. */
bool operand_read_number(const char *text, const char *word, uint64_t *number, const char **end);
/* Parses a thread with its frame and word. True: it is a thread; *good says whether it
   exists. */
bool operand_read_thread(const struct analysis *analysis, const char *text, struct operand *o,
                         bool *good, struct err *err);
/* In operand_printed.c: reads the name of a root, and the steps behind it that the format of the
   dump names; "main.Session 0xc000012340". False: it is none, or *err says that several have the
   name.
 */
bool operand_read_printed(const struct analysis *analysis, const char *text, struct operand *o,
                          struct err *err);
bool operand_read_label(const struct analysis *analysis, const char *text, struct operand *o);
/* Reads the name of roots that are one owner: "threads (runtime.m)", "finalizers". */
bool operand_read_node(const struct analysis *analysis, const char *text, struct operand *o);

/* In operand_threads.c: reads a function that threads have on their stacks, as these threads. */
bool operand_read_function(const struct analysis *analysis, const char *text, struct operand *o);
/* Reads a group as findings print it, by its function and what it waits for: "main.send, chan int
   len 0 cap 0". A pointer, since names of places are read by operands in turn. */
extern const struct operand_groups {
	bool (*read)(const struct analysis *analysis, const char *text, struct operand *o);
} operand_groups;

/* The threads that wait for something that tables print so: "timer in 60 min", "all: sync.Mutex
   main.mu 0x5f3a20"; or whose wait reason it is: "select". Allocated; stores their number. NULL: no
   thread does. */
extern const struct operand_waits {
	uint32_t *(*threads)(const struct analysis *analysis, const char *text, size_t *count);
} operand_waits;
/* Reads a shared set as the table owners prints it, "18 × finalizer", "main.a and main.b", as the
   first of its objects. */
extern const struct operand_owners {
	bool (*read)(const struct analysis *analysis, const char *text, struct operand *o);
} operand_owners;

/* In operand_sets.c: reads what names several objects, if that is more of the text than *o is, as
   the first of them. False: nothing does; *err where [*] says that it should. */
bool operand_read_set(const struct analysis *analysis, const char *text, struct operand *o,
                      struct err *err);
/* In name_index.c: returns true for a function of the stacks that profiles have recorded. */
bool operand_is_on_stack(const struct analysis *analysis, const char *function);
/* In operand_place.c: appends what a text is that names a function or a type, of which there are no
   objects: a sentence without a full stop. False: it names none. */
bool operand_add_nothing(const struct analysis *analysis, const char *text, struct buf *out);
/* Sets *err to what a text is that names no object, or to what is like it. False. */
bool operand_fail_unknown(const struct analysis *analysis, const char *text, struct err *err);

/* Returns true if what follows an operand cannot be another one. */
bool operand_leaves(const char *rest);

/* Returns true if a frame is written as its thread is printed, with the function that it runs. */
bool operand_is_thread(const struct analysis *analysis, const struct operand *operand);
