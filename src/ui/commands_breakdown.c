/* Commands of heaps that are broken down: these are opened again, chosen by other words. */
#include "ui/command_groups.h"

#include "table/choice.h"
#include "ui/state.h"

#include <string.h>

/* What the breakdown on the screen was chosen by. False: it shows none. Give back with choice_fini
   either way. */
static bool chosen(struct explorer *explorer, struct choice *choice, struct err *err)
{
	const struct view *view = explorer_view(explorer);
	const struct table *table = view_table_shown(view->ops, view->argument);
	*choice = (struct choice){0};
	if (!table || strcmp(table->name, "breakdown") != 0)
		return err_set(err, "This is no breakdown: the key 9 shows one");
	return choice_parse(choice, view->argument + strlen(table->name), err);
}

static bool show(struct explorer *explorer, const struct choice *choice, struct err *err)
{
	struct buf argument = {0};
	choice_add(choice, &argument);
	bool done = explorer_run(explorer, "breakdown", buf_text(&argument), err);
	buf_free(&argument);
	return done;
}

static bool bottom_up(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	choice.bottom_up = !choice.bottom_up;
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

static bool cutoff(struct explorer *explorer, const char *argument, struct err *err)
{
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	if (*argument)
		done = done && choice_set_least(&choice, argument, err);
	else
		choice_next_least(&choice);
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

/* The first heap that the choice has: the one on the screen; `count` when there is none. */
static size_t place_of(const struct accounts *accounts, const struct choice *choice)
{
	size_t at = 0;
	while (at < accounts->count && !choice_has(choice, accounts, &accounts->account[at]))
		at++;
	return at;
}

/* Another heap is compared only with the same dump as before. */
static void choose(struct choice *choice, const struct accounts *accounts, size_t at)
{
	const struct account *account = &accounts->account[at];
	choice_set_account(choice, accounts, account);
	if (!choice_base(choice, accounts, account) || text_is(accounts->name[account->dump],
	                                                       buf_text(&choice->compare)))
		buf_clear(&choice->compare);
}

static bool go_to_heap(struct explorer *explorer, bool forwards, struct err *err)
{
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	if (done) {
		struct account_set set;
		account_set_init(&set, explorer->analysis);
		size_t count = set.accounts->count, at = place_of(set.accounts, &choice);
		choose(&choice, set.accounts, (at + (forwards ? 1 : count - 1)) % count);
		account_set_fini(&set);
	}
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

static bool next_heap(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return go_to_heap(explorer, true, err);
}

static bool previous_heap(struct explorer *explorer, const char *argument, struct err *err)
{
	(void)argument;
	return go_to_heap(explorer, false, err);
}

/* The same heap in another dump: the one before, else the one after; `count` when there is none. */
static size_t other_dump(const struct accounts *accounts, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (account_is_same_heap(&accounts->account[i], &accounts->account[at]))
			return i;
	size_t i = at + 1;
	while (i < accounts->count
	       && !account_is_same_heap(&accounts->account[i], &accounts->account[at]))
		i++;
	return i;
}

static bool choose_base(struct choice *choice, const struct accounts *accounts, struct err *err)
{
	size_t at = place_of(accounts, choice);
	size_t base = at < accounts->count ? other_dump(accounts, at) : at;
	if (base == accounts->count)
		return err_set(err, "There is no other dump of this heap to compare it with");
	choice_set_account(choice, accounts, &accounts->account[at]);
	struct text dump = accounts->name[accounts->account[base].dump];
	buf_add_bytes(&choice->compare, dump.data, dump.len);
	return true;
}

static bool compare(struct explorer *explorer, const char *argument, struct err *err)
{
	struct choice choice;
	bool done = chosen(explorer, &choice, err);
	if (done) {
		struct account_set set;
		account_set_init(&set, explorer->analysis);
		bool ends = choice.compare.len && !*argument;
		buf_clear(&choice.compare);
		buf_add(&choice.compare, argument);
		done = ends || *argument || choose_base(&choice, set.accounts, err);
		account_set_fini(&set);
	}
	done = done && show(explorer, &choice, err);
	choice_fini(&choice);
	return done;
}

const struct command commands_breakdown[] = {
	{"bottom-up", NULL, "Begins the stacks of a breakdown with what allocates (the nearest 256 "
	                    "calls), or with their root again", bottom_up},
	{"cutoff", "[BYTES|P%]", "Folds the parts of a breakdown that are smaller into <other>; alone: "
	                         "the next usual share", cutoff},
	{"next-heap", NULL, "Breaks down the next heap: of another process, dump or allocator",
	 next_heap},
	{"previous-heap", NULL, "Breaks down the heap before", previous_heap},
	{"compare", "[DUMP]", "Compares a breakdown with another dump of the same heap, the one before "
	                      "unless named, or no more", compare},
	{0},
};
