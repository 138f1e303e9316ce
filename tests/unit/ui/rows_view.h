/* A view for tests: rows "row 0", "row 1" ..., of which only every `every`-th can have the
   cursor. */
#pragma once

#include "ui/view.h"

struct rows_view {
	size_t rows, every;
};

struct view rows_view(struct rows_view *rows); /* borrowed; every 1: all rows, in constant time */
