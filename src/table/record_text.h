/* A record of the dump in a few words. */
#ifndef TABLE_RECORD_TEXT_H
#define TABLE_RECORD_TEXT_H

#include "base/buf.h"
#include "heap/heap.h"

/* Of the record of this kind at an offset; nothing where there is nothing to say. Not for objects.
 */
void record_add_text(const struct heap *heap, enum record_kind kind, uint64_t offset,
                     struct buf *out);
void record_add_object(const struct object_record *object, struct buf *out);

#endif
