/* Formats numbers without printf: a table of millions of rows is mostly numbers. */
#pragma once

#include "base/buf.h"

#include <stdint.h>

void number_add(struct buf *out, uint64_t value);     /* "1234" */
void number_add_hex(struct buf *out, uint64_t value); /* "0x4d2" */

/* Appends a percentage with one decimal, without the sign; appends nothing if the whole is 0. */
void number_add_percent(struct buf *out, uint64_t part, uint64_t whole);
