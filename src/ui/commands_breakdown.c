/* Commands of breakdowns: each reopens the breakdown with a different query. */
#include "table/breakdown/breakdown_query.h"
#include "ui/state.h"

#include <string.h>

/* Parses the query of the current breakdown. False: there is none. Call
   breakdown_command_end in either case. */
static bool breakdown_command_chosen(const struct call *call, struct breakdown_query *query)
{
	const struct table *table = view_table_shown(call->view->ops, call->view->argument);
	*query = (struct breakdown_query){0};
	if (!table || strcmp(table->name, "breakdown") != 0)
		return err_set(call->err, "This is no breakdown: the key 9 shows one");
	return breakdown_query_parse(query, call->view->argument + strlen(table->name), call->err);
}

/* Opens the breakdown of a query, unless the command has failed, and frees the query. Returns
   true if it was opened. */
static bool breakdown_command_end(const struct call *call, struct breakdown_query *query, bool done)
{
	SCOPED_BUF argument = {0};
	if (done) {
		breakdown_query_add(query, &argument);
		done = explorer_run(call->explorer, "breakdown", buf_text(&argument), call->err);
	}
	breakdown_query_fini(query);
	return done;
}

static bool bottom_up(const struct call *call)
{
	struct breakdown_query query;
	bool done = breakdown_command_chosen(call, &query);
	query.bottom_up = !query.bottom_up;
	return breakdown_command_end(call, &query, done);
}

static bool cutoff(const struct call *call)
{
	struct breakdown_query query;
	bool done = breakdown_command_chosen(call, &query);
	if (*call->argument)
		done = done && breakdown_query_set_least(&query, call->argument, call->err);
	else
		breakdown_query_next_least(&query);
	return breakdown_command_end(call, &query, done);
}

/* Returns the first heap that matches the query, the one on the screen; `count` if none does. */
static size_t breakdown_command_place_of(const struct heap_profiles *heap_profiles,
                                         const struct breakdown_query *query)
{
	size_t at = 0;
	while (at < heap_profiles->count
	       && !breakdown_query_has(query, heap_profiles, &heap_profiles->heap_profile[at]))
		at++;
	return at;
}

/* Goes to the next heap or the one before. */
static bool go_to_heap(const struct call *call)
{
	struct breakdown_query query;
	bool done = breakdown_command_chosen(call, &query);
	if (done) {
		struct heap_profile_set set;
		heap_profile_set_init(&set, call->explorer->analysis);
		size_t count = set.heap_profiles->count,
			   at = breakdown_command_place_of(set.heap_profiles, &query);
		/* A comparison stays only if it is with the same dump. */
		const struct heap_profile *heap_profile =
			&set.heap_profiles
				 ->heap_profile[(at + (call->command->by > 0 ? 1 : count - 1)) % count];
		breakdown_query_set_profile(&query, set.heap_profiles, heap_profile);
		if (!breakdown_query_base(&query, set.heap_profiles, heap_profile)
		    || text_is(set.heap_profiles->name[heap_profile->dump], buf_text(&query.compare)))
			buf_clear(&query.compare);
		heap_profile_set_fini(&set);
	}
	return breakdown_command_end(call, &query, done);
}

/* Returns the same heap in another dump: the previous one, else the next one; `count` if there is
   none. */
static size_t other_dump(const struct heap_profiles *heap_profiles, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (heap_profile_is_same_heap(&heap_profiles->heap_profile[i],
		                              &heap_profiles->heap_profile[at]))
			return i;
	size_t i = at + 1;
	while (i < heap_profiles->count
	       && !heap_profile_is_same_heap(&heap_profiles->heap_profile[i],
	                                     &heap_profiles->heap_profile[at]))
		i++;
	return i;
}

static bool choose_base(struct breakdown_query *query, const struct heap_profiles *heap_profiles,
                        struct err *err)
{
	size_t at = breakdown_command_place_of(heap_profiles, query);
	size_t base = at < heap_profiles->count ? other_dump(heap_profiles, at) : at;
	if (base == heap_profiles->count)
		return err_set(err, "There is no other dump of this heap to compare it with");
	breakdown_query_set_profile(query, heap_profiles, &heap_profiles->heap_profile[at]);
	struct text dump = heap_profiles->name[heap_profiles->heap_profile[base].dump];
	buf_add_bytes(&query->compare, dump.data, dump.len);
	return true;
}

static bool breakdown_command_compare(const struct call *call)
{
	struct breakdown_query query;
	bool done = breakdown_command_chosen(call, &query);
	if (done) {
		struct heap_profile_set set;
		heap_profile_set_init(&set, call->explorer->analysis);
		bool ends = query.compare.len && !*call->argument;
		buf_clear(&query.compare);
		buf_add(&query.compare, call->argument);
		done = ends || *call->argument || choose_base(&query, set.heap_profiles, call->err);
		heap_profile_set_fini(&set);
	}
	return breakdown_command_end(call, &query, done);
}

const struct command commands_breakdown[] = {
	{"turn-bottom-up", NULL, 0,
     "Begins the stacks of a breakdown with what allocates (the nearest 256 calls), or with their "
     "root again",
     .run = bottom_up, .pair = true},
	{"cutoff", "[BYTES|P%]", 0,
     "Folds the parts of a breakdown that are smaller into <other>; alone: the next usual share",
     .run = cutoff},
	{"next-heap", NULL, 0, "Breaks down the next heap: of another process, dump or allocator",
     .run = go_to_heap, .by = 1, .pair = true},
	{"previous-heap", NULL, 0, "Breaks down the heap before", .run = go_to_heap, .by = -1,
     .pair = true},
	{"compare", "[DUMP]", 0,
     "Compares a breakdown with another dump of the same heap, the one before unless named, or no "
     "more",
     .run = breakdown_command_compare},
	{0},
};
