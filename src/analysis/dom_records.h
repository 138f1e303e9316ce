/* The graph in the layout that the search reads; private to src/analysis. The record of an object
   is its mark or number, followed by the positions of the records that it references and that take
   part. So a visit costs one cache miss. */
#ifndef ANALYSIS_DOM_RECORDS_H
#define ANALYSIS_DOM_RECORDS_H

#include "analysis/dom_graph.h"

/* A smaller word is a number. */
#define DOM_RECORD_FRESH (1U << 31)       /* not visited; plus the number of references */
#define DOM_RECORD_ALONE (UINT32_MAX - 1) /* not part of the search */
#define DOM_RECORD_HELD  UINT32_MAX /* the object of a pool, until the class of pools begins */

struct dom_records {
	struct edges edges;
	uint32_t *word;
	uint64_t *apart; /* bits by object: records do not reference it */
	size_t size;     /* bytes of `word` */
};

/* Returns the position of an object's record. */
static inline uint32_t dom_record_at(const struct dom_records *records, uint32_t object)
{
	return starts_at(records->edges.starts, object) + object;
}

/* Returns false if the heap has too many references for records. */
bool dom_records_fit(const struct heap *heap);
void dom_records_init(struct dom_records *records, const struct dom_graph *graph);
/* Makes the search skip the objects of the pools, or restores their records. */
void dom_records_hold(struct dom_records *records, const struct dom_graph *graph, bool held);
/* Converts the records to graph->number in place; the records are gone afterwards. */
void dom_records_number(struct dom_records *records, struct dom_graph *graph);
void dom_records_fini(struct dom_records *records);

#endif
