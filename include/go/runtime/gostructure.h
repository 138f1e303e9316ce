/* Values that the program sees as one and the runtime stores as several objects: a map with tables,
   groups or buckets, a channel with its buffer, the nodes of a sync.Map. */
#pragma once

#include "go/runtime/goruntime.h"

/* Role of an object in such a value. */
enum gostructure_role {
	GOSTRUCTURE_NONE,  /* none: it is a value of its own */
	GOSTRUCTURE_MAP,   /* the header, which represents the map */
	GOSTRUCTURE_CHAN,  /* the header, which represents the channel */
	GOSTRUCTURE_TABLE, /* between the header of a map and its entries */
	GOSTRUCTURE_SLOTS, /* buckets or groups */
	GOSTRUCTURE_SYNC   /* internal object of a sync.Map */
};
/* Returns the role of a type. Requires goruntime_settle. */
enum gostructure_role gostructure_role(const struct goruntime *rt, gotype_id type);

/* Type and role of an object. */
struct gostructure_object {
	gotype_id type; /* the type is known */
	enum gostructure_role role;
};
/* Returns true if a pointer from one object to another stays within the structure. */
bool gostructure_is_inside(const struct goruntime *rt, struct gostructure_object from,
                           struct gostructure_object to);
