/* Short descriptions of the records of a dump. */
#pragma once

#include "base/buf.h"
#include "format/record.h"

struct heap;
struct object_record;

/* Appends the description of the record of this kind at an offset, if any. Not for objects. */
void record_add_text(const struct heap *heap, enum record_kind kind, uint64_t offset,
                     struct buf *out);
void record_add_object(const struct object_record *object, struct buf *out);
