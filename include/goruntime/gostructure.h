/* What a program sees as one thing and the runtime keeps as several objects: a map with its tables,
   groups or buckets, a channel with its buffer, the nodes of a sync.Map. */
#ifndef GORUNTIME_GOSTRUCTURE_H
#define GORUNTIME_GOSTRUCTURE_H

#include "goruntime/goruntime.h"

/* What an object of a type is of such a thing. */
enum gostructure_role {
	GOSTRUCTURE_NONE,  /* nothing: it is a thing of its own */
	GOSTRUCTURE_MAP,   /* the header, which stands for the map */
	GOSTRUCTURE_CHAN,  /* the header, which stands for the channel */
	GOSTRUCTURE_TABLE, /* between the header of a map and its entries */
	GOSTRUCTURE_SLOTS, /* buckets or groups */
	GOSTRUCTURE_SYNC   /* what a sync.Map keeps on the heap */
};
/* After goruntime_settle. */
enum gostructure_role gostructure_role(const struct goruntime *rt, gotype_id type);

/* What an object is of a structure by its type. */
struct gostructure_object {
	gotype_id type; /* there is one */
	enum gostructure_role role;
};
/* Does a pointer in memory of one type to an object of another lead on within the structure? */
bool gostructure_is_inside(const struct goruntime *rt, struct gostructure_object from,
                           struct gostructure_object to);

#endif
