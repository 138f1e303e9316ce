/* What may be taken away: all that table/operand.h names, a variable or a goroutine with all that
   it holds; and references,

     0xc000012340>0xc000056780  those from one object to another

   An address may also be that of the word of a variable or a frame. */
#ifndef TABLE_WHAT_IF_PART_H
#define TABLE_WHAT_IF_PART_H

#include "analysis/what_if.h"
#include "table/entity.h"

/* Reads one, and moves *text behind it. After STAGE_DOMINATED. */
bool what_if_part_read(const struct analysis *analysis, const char **text, struct entity *entity,
                       struct err *err);
void what_if_part_take(const struct analysis *analysis, struct entity entity,
                       struct what_if *what_if);

#endif
