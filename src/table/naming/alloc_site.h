/* Cells that show where something was allocated. */
#pragma once

#include "table/cell.h"

struct stack_frame;

void cell_function(struct value *value, const struct stack_frame *frame);
void cell_line(struct value *value, const struct stack_frame *frame); /* "/src/a.go:12" */

/* The function and line of the call that allocates, from a profile; empty for PROFILE_NONE. */
void cell_site_function(struct value *value, const struct heap *heap, uint32_t profile);
void cell_site_line(struct value *value, const struct heap *heap, uint32_t profile);

/* The same where the code of a row (struct coding) is that of its profile. */
uint64_t site_code(uint32_t profile);
void site_function_cell(const struct rows *rows, uint64_t code, struct value *value);
void site_line_cell(const struct rows *rows, uint64_t code, struct value *value);

/* Stores the index of the profile that an argument names. False: *err. */
bool argument_profile(const struct heap *heap, const char *text, uint32_t *index, struct err *err);
