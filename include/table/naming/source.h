/* Source locations of frames and threads, if there is an executable. */
#pragma once

#include "table/cell.h"

/* Appends "server.go:42"; nothing if the line is unknown. */
void source_add(const struct pclntab_line *line, struct buf *out);
/* Appends "sync.(*Mutex).Lock  mutex.go:90". */
void source_add_call(const struct pclntab_line *line, struct buf *out);
/* Stores the line of a frame's own function, not of functions inlined into it. False: unknown. */
bool source_of_frame(const struct analysis *analysis, uint32_t frame, struct pclntab_line *line);
/* Appends that location as text: " server.go:42", or nothing. */
void source_add_frame(const struct analysis *analysis, uint32_t frame, struct buf *out);

/* Appends the file as the compiler recorded it (any bytes), and stores the line number. False:
   unknown. */
bool source_place(const struct pclntab_line *line, struct buf *file, uint64_t *number);
/* Like source_place for the location of an entity: of a thread the call that describes it best,
   of a slot its frame, of an object and a profile the allocating function. False: unknown. */
bool source_of_entity(const struct analysis *analysis, struct entity entity, struct buf *file,
                      uint64_t *line);
bool source_of_row(const struct rows *rows, size_t row, struct buf *file, uint64_t *line);
