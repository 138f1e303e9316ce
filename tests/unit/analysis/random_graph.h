/* Random graphs of a few objects with all kinds of root nodes, made by way of a dump, for what is
   checked against its definition. */
#pragma once

#include "analysis/reach.h"
#include "analysis/root_nodes.h"
#include "format/dump_writer.h"

enum { MOST_OBJECTS = 40, MOST_NODES = 160 };

struct random_graph {
	struct dump_writer w;
	struct heap *heap; /* linked both ways */
	struct reach *reach;
	struct root_nodes *root_nodes; /* with pools, timers and plumbing, although reach has none */
	struct goplumbing *plumbing;
	uint64_t state, objects, density;
};

void random_graph_make(struct random_graph *r, uint64_t seed);
void random_graph_free(struct random_graph *r);
/* Returns a number from 0 to end - 1, the same sequence for a seed. */
uint64_t random_below(struct random_graph *r, uint64_t end);
