/* The accounts of a dump: part of table/choice.h. Go's allocation profile becomes three: the
   objects of the dump that it has recorded, what it counts as in use, and all that was ever
   allocated. */
#include "table/choice.h"
#include "table/typed.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t name_of(struct accounts *accounts, const char *text)
{
	return accounts_name(accounts, (struct text){text, strlen(text)});
}

static uint32_t stack_of(struct accounts *accounts, const struct profile_record *profile)
{
	struct stack_frame *frames = mem_alloc((size_t)profile->frames * sizeof *frames), frame;
	uint32_t at = FRAME_ROOT;
	size_t count = 0;
	for (struct stack_walk walk = stack_walk(profile);
	     count < profile->frames && stack_walk_next(&walk, &frame);)
		frames[count++] = frame;
	while (count--)
		at = accounts_frame(accounts, at, accounts_name(accounts, frames[count].function));
	free(frames);
	return at;
}

/* The objects of the dump that are known to be of a profile have types; what is left has none.
   Takes them off *left. */
static void add_typed(struct accounts *accounts, const struct analysis *analysis, uint32_t profile,
                      struct account_entry *left)
{
	const struct profiles *profiles = &analysis->heap->profiles;
	uint64_t size = profiles->profile[profile].size;
	struct buf type = {0};
	for (uint32_t i = profiles->first[profile]; i < profiles->first[profile + 1]; i++) {
		const struct sample *sample = &profiles->sample[profiles->by_profile[i]];
		buf_clear(&type);
		if (sample->object == OBJECT_NONE || !left->count ||
		    !typed_add(analysis, sample->object, &type))
			continue;
		left->size -= size;
		left->count--;
		struct account_entry entry = {left->frame, name_of(accounts, buf_text(&type)), size, 1};
		accounts_add(accounts, entry);
	}
	buf_free(&type);
}

/* The objects of the dump that are known to be of a profile, one by one. */
static void add_live(struct accounts *accounts, const struct analysis *analysis, uint32_t profile,
                     struct account_entry entry)
{
	const struct profiles *profiles = &analysis->heap->profiles;
	uint32_t all = entry.type;
	struct buf type = {0};
	for (uint32_t i = profiles->first[profile]; i < profiles->first[profile + 1]; i++) {
		uint32_t object = profiles->sample[profiles->by_profile[i]].object;
		if (object == OBJECT_NONE)
			continue;
		buf_clear(&type);
		bool typed = all != TYPE_ALL && typed_add(analysis, object, &type);
		entry.type = typed ? name_of(accounts, buf_text(&type)) : all;
		entry.size = heap_size(analysis->heap, object);
		entry.count = 1;
		accounts_add(accounts, entry);
	}
	buf_free(&type);
}

static uint64_t times(uint64_t a, uint64_t b)
{
	return a && b > UINT64_MAX / a ? UINT64_MAX / a * a : a * b;
}

static struct account_entry live_of(const struct profile_record *profile, uint32_t frame)
{
	uint64_t count = profile->allocs > profile->frees ? profile->allocs - profile->frees : 0;
	uint64_t size = times(profile->size, count);
	count = profile->size ? size / profile->size : count;
	return (struct account_entry){frame, TYPE_ALL, size, count};
}

static struct account_entry allocated_of(const struct profile_record *profile, uint32_t frame)
{
	return (struct account_entry){frame, TYPE_ALL, times(profile->size, profile->allocs),
	                              profile->allocs};
}

/* The runtime tells of stacks that it has not counted yet: they have nothing. */
static void add_some(struct accounts *accounts, struct account_entry entry)
{
	if (entry.size || entry.count)
		accounts_add(accounts, entry);
}

static void begin(struct accounts *accounts, const char *allocator)
{
	uint32_t name = name_of(accounts, allocator);
	struct account *account = accounts_begin(accounts);
	account->allocator = name;
	account->counted = true;
}

static struct accounts *make(const struct analysis *analysis, uint32_t **stack)
{
	const struct profiles *profiles = &analysis->heap->profiles;
	struct accounts *accounts = accounts_new();
	bool typed = analysis_typing(analysis); /* labels would say again where something was allocated */
	uint32_t unknown = typed ? name_of(accounts, "[unknown]") : TYPE_ALL;
	if (!profiles->count)
		return accounts;
	*stack = mem_alloc(profiles->count * sizeof **stack);
	for (uint32_t p = 0; p < profiles->count; p++)
		(*stack)[p] = stack_of(accounts, &profiles->profile[p]);
	if (profiles->sample_count)
		begin(accounts, "live");
	for (uint32_t p = 0; p < profiles->count; p++)
		add_live(accounts, analysis, p, (struct account_entry){.frame = (*stack)[p], .type = unknown});
	begin(accounts, "inuse");
	for (uint32_t p = 0; p < profiles->count; p++) {
		struct account_entry entry = live_of(&profiles->profile[p], (*stack)[p]);
		if (typed)
			add_typed(accounts, analysis, p, &entry);
		entry.type = unknown;
		add_some(accounts, entry);
	}
	begin(accounts, "alloc");
	for (uint32_t p = 0; p < profiles->count; p++)
		add_some(accounts, allocated_of(&profiles->profile[p], (*stack)[p]));
	return accounts;
}

void account_set_init(struct account_set *set, const struct analysis *analysis)
{
	*set = (struct account_set){.accounts = analysis->heap->accounts};
	if (!set->accounts)
		set->accounts = set->own = make(analysis, &set->stack);
}

void account_set_fini(struct account_set *set)
{
	accounts_free(set->own);
	free(set->stack);
}

void account_set_link(const struct account_set *set, const struct analysis *analysis,
                      uint32_t frame, struct buf *command)
{
	const struct profiles *profiles = &analysis->heap->profiles;
	bool any = false;
	for (uint32_t p = 0; set->stack && p < profiles->count; p++) {
		if (set->stack[p] != frame || profiles->first[p] == profiles->first[p + 1])
			continue;
		buf_addf(command, "%s 0x%" PRIx64, any ? "" : "samples", profiles->profile[p].id);
		any = true;
	}
}
