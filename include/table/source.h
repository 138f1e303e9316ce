/* Where in the source code is: what tables say of frames and goroutines when there is an
   executable. */
#ifndef TABLE_SOURCE_H
#define TABLE_SOURCE_H

#include "table/cell.h"

/* "server.go:42"; nothing when the line is not known. */
void source_add(const struct pclntab_line *line, struct buf *out);
/* "sync.(*Mutex).Lock  mutex.go:90" */
void source_add_call(const struct pclntab_line *line, struct buf *out);
/* Of a frame's own function, not of what was inlined into it. False: not known. */
bool source_of_frame(const struct analysis *analysis, uint32_t frame, struct pclntab_line *line);
/* The same as text: " server.go:42", or nothing. */
void source_add_frame(const struct analysis *analysis, uint32_t frame, struct buf *out);

/* A place in the source: its file as the compiler was given it (any bytes), and the line. */
bool source_place(const struct pclntab_line *line, struct buf *file, uint64_t *number);
/* The place that something is about: of a goroutine the function that tells most, of a slot its
   frame, of an object and a profile what has allocated. False: not known. */
bool source_of_entity(const struct analysis *analysis, struct entity entity, struct buf *file,
                      uint64_t *line);
bool source_of_row(const struct rows *rows, size_t row, struct buf *file, uint64_t *line);

#endif
