/* What goroutines hold, summed over those of one class: of one stack, one go statement, one wait
   reason. */
#ifndef TABLE_GOROUTINE_SUMS_H
#define TABLE_GOROUTINE_SUMS_H

#include "table/cell.h"

struct goroutine_sums {
	struct owner_sum *sum; /* by class; NULL: not known yet */
	uint64_t *byte_seconds; /* what each holds alone, times how long it has waited at least */
};

/* class_of[goroutine] is one of 0 ... classes - 1, the same for goroutines of one stack with one go
   statement. Works the owners out only where that may take its time (rows->progress is there). */
void goroutine_sums_init(struct goroutine_sums *sums, const struct rows *rows,
                         const uint32_t *class_of, uint32_t classes);
void goroutine_sums_fini(struct goroutine_sums *sums);

/* Cells that such tables have in common; without a value while the sums are not known. */
enum sum_part { SUM_RETAINED, SUM_SHARE, SUM_SHARED, SUM_BYTE_SECONDS };
void cell_sum(struct value *value, const struct goroutine_sums *sums, const struct rows *rows,
              uint32_t class, enum sum_part part);

#endif
