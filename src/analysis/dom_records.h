/* The graph as the search goes through it, private to src/analysis: of each object a mark or its
   number, and behind it where the records of those stand that it points at and that take part. To
   visit one is to wait for memory once. */
#ifndef ANALYSIS_DOM_RECORDS_H
#define ANALYSIS_DOM_RECORDS_H

#include "analysis/dom_graph.h"

/* What is smaller is a number. */
#define DOM_RECORD_FRESH (1U << 31)       /* not met yet; with how many follow */
#define DOM_RECORD_ALONE (UINT32_MAX - 1) /* takes no part */
#define DOM_RECORD_HELD  UINT32_MAX       /* of a pool whose turn has not come */

struct dom_records {
	struct edges edges;
	uint32_t *word;
	uint64_t *apart; /* a bit an object: records do not lead to it */
	size_t size;     /* bytes of word */
};

/* Where the record of an object stands. */
static inline uint32_t dom_record_at(const struct dom_records *records, uint32_t object)
{
	return starts_at(records->edges.starts, object) + object;
}

/* False: there is too much to be told in records. */
bool dom_records_fit(const struct heap *heap);
void dom_records_init(struct dom_records *records, const struct dom_graph *graph);
/* Whether the pools of the graph are held. */
void dom_records_hold(struct dom_records *records, const struct dom_graph *graph, bool held);
/* What the search has given to objects: becomes graph->number, and there are no records any more.
 */
void dom_records_number(struct dom_records *records, struct dom_graph *graph);
void dom_records_fini(struct dom_records *records);

#endif
