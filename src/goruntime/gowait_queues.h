/* Who stands in the queues of channels: private to what goroutines wait for. */
#ifndef GORUNTIME_GOWAIT_QUEUES_H
#define GORUNTIME_GOWAIT_QUEUES_H

#include "base/map.h"
#include "goruntime/gochan.h"
#include "gosudog.h"

struct gowait_queues {
	const struct heap *heap;
	const struct map *goroutines; /* g -> index */
	struct layout_places sudog;
	bool says_channel; /* its sudogs do */
	struct gochan_layouts layouts;
	struct map looked_at; /* addresses of channels and of what may be one */
	struct map queued;    /* sudog -> object << 1 | it would send */
};

/* For sudogs as they are from Go 1.`minor` on. */
void gowait_queues_init(struct gowait_queues *queues, const struct heap *heap,
                        const struct map *goroutines, unsigned minor);
void gowait_queues_fini(struct gowait_queues *queues);
/* Notes who waits for what begins at an address, if that is a channel. */
void gowait_queues_add(struct gowait_queues *queues, uint64_t address);
/* In which queue it stands. */
bool gowait_queues_find(const struct gowait_queues *queues, uint64_t sudog, uint32_t *channel,
                        bool *sends);

#endif
