/* The parts that a what-if analysis removes: any operand (table/naming/operand.h), such as a
   variable or a thread with all its references; and single references,

     0xc000012340>0xc000056780  those from one object to another

   The address may also be that of a word of a variable or a frame. */
#pragma once

#include "analysis/what_if.h"
#include "table/naming/entity.h"

/* Parses one part, and advances *text past it. After STAGE_DOMINATED. */
bool what_if_part_read(const struct analysis *analysis, const char **text, struct entity *entity,
                       struct err *err);
void what_if_part_take(const struct analysis *analysis, struct entity entity,
                       struct what_if *what_if);
/* Removes threads, as if they ended: their roots, their stacks, and what the runtime's records of
   them lead to. */
void what_if_part_take_threads(const struct analysis *analysis, struct ids threads,
                               struct what_if *what_if);
/* Counts what one part frees; of an object or a variable without a search. False: cancelled. */
bool what_if_part_frees(const struct analysis *analysis, struct entity entity,
                        struct progress *progress, struct freed *freed);
/* Returns true for a thread: what it frees counts its stack, and what only the runtime's records of
   it lead to. */
bool what_if_part_is_thread(const struct analysis *analysis, struct entity entity);
