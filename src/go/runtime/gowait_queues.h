/* Queues of channels. Private to gowait.c. */
#pragma once

#include "base/map.h"
#include "go/runtime/gochan.h"
#include "gosudog.h"

struct gowait_queues {
	const struct heap *heap;
	const struct map *goroutines; /* g -> index */
	struct layout_places sudog;
	bool says_channel; /* sudogs refer to their channel */
	struct gochan_layouts layouts;
	struct map looked_at; /* addresses of channels and candidates already visited */
	struct map queued;    /* sudog -> channel object << 1 | it sends */
};

/* Uses the layout of sudogs since Go 1.`minor`. */
void gowait_queues_init(struct gowait_queues *queues, const struct heap *heap,
                        const struct map *goroutines, unsigned minor);
void gowait_queues_fini(struct gowait_queues *queues);
/* Collects the waiters of the channel at an address, if it is one. */
void gowait_queues_add(struct gowait_queues *queues, uint64_t address);
/* Finds the queue of a sudog. Returns false if it is in none. */
bool gowait_queues_find(const struct gowait_queues *queues, uint64_t sudog, uint32_t *channel,
                        bool *sends);
