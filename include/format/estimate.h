/* Estimates the content of a dump from samples, in milliseconds for files of any size. */
#pragma once

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* A 95 % confidence interval: number +- error. */
struct estimated {
	double number, error;
};

enum { ESTIMATE_SAMPLES = 512, ESTIMATE_SIZES = 8, ESTIMATE_FOREVER = 0 };
#define ESTIMATE_LARGE UINT64_MAX /* all sizes above 8 KB */

struct estimate {
	uint32_t samples;
	struct estimated objects, bytes;
	/* Sampled object sizes, those with the most bytes first. */
	struct estimate_size {
		uint64_t size;
		double bytes;
	} sizes[ESTIMATE_SIZES];
	size_t size_count;
};

/* Appends "About 12,200,000 objects (+-6%), 950.2 MB (+-2%), from 512 samples". */
void estimate_add_sentence(const struct estimate *estimate, struct buf *out);
