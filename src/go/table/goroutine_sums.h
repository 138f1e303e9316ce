/* Sums of memory over classes of goroutines: those of one stack, one go statement, one wait
   reason. */
#pragma once

#include "analysis/owners.h"
#include "table/cell.h"
#include "table/columns.h"

struct goroutine_sums {
	struct owner_sum *sum; /* by class; NULL: unknown yet */
	uint64_t *stack;       /* by class: bytes of their stacks */
	/* by class: bytes that a goroutine retains alone, times its minimal waiting time */
	uint64_t *byte_seconds;
};

/* Computes the sums. class_of[goroutine] is one of 0 ... classes - 1, the same for goroutines with
   one stack and one go statement. Computes owners only if rows->progress is set, since this can
   take long; otherwise it uses cached ones. */
void goroutine_sums_init(struct goroutine_sums *sums, const struct rows *rows,
                         const uint32_t *class_of, uint32_t classes);
/* Computes the sums over these owners; NULL: of stacks only. */
void goroutine_sums_by(struct goroutine_sums *sums, const struct analysis *analysis,
                       const struct owners *owners, const uint32_t *class_of, uint32_t classes);
void goroutine_sums_fini(struct goroutine_sums *sums);

/* Columns of such tables. Their rows are the classes, and rows->data begins with the sums. */
column_cell sums_stack_cell, sums_own_cell, sums_sum_cell, sums_share_cell, sums_byte_seconds_cell;
bool sums_unknown(const struct rows *rows);

#define SUMS_OWN_BYTES                                                               \
	.name = "own_bytes", .title = "own", .kind = VALUE_BYTES, .cell = sums_own_cell, \
	.help = "Bytes of their stacks and of what only all of them together retain",    \
	.stages = STAGE_DOMINATED, .absent = sums_unknown
#define SUMS_STACK_BYTES                                                                    \
	.name = "stack_bytes", .title = "stacks", .kind = VALUE_BYTES, .cell = sums_stack_cell, \
	.help = "Bytes of their stacks, unused ones included; before Go 1.4 only those of "     \
			"their frames"
#define SUMS_BYTE_SECONDS                                                                        \
	.name = "byte_seconds", .title = "byte seconds", .kind = VALUE_COUNT,                        \
	.help = "Sum over all of them of the bytes that each retains times the seconds that it has " \
			"waited at least",                                                                   \
	.cell = sums_byte_seconds_cell, .stages = STAGE_DOMINATED, .absent = sums_unknown
