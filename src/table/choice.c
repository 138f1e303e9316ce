#include "table/choice.h"

#include "base/text.h"
#include "table/argument.h"
#include "table/cell.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MILLION = 1000000, USUAL = 5000 /* of them */ };

bool choice_set_least(struct choice *choice, const char *text, struct err *err)
{
	char *end;
	double percent = strtod(text, &end);
	choice->has_least = true;
	choice->relative = end > text && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100;
	if (choice->relative)
		choice->least = (uint64_t)(percent * (MILLION / 100) + 0.5);
	else if (!text_parse_number(text, &choice->least))
		return err_set(err, "\"%.40s\" is no cutoff: write bytes, as in 10k, or a share, as in 0.5%%",
					   text);
	return true;
}

static bool take_word(struct choice *choice, const char *word, struct err *err)
{
	const struct {
		const char *name;
		struct buf *text;
	} settings[] = {
		{"process=", &choice->process},
		{"dump=", &choice->dump},
		{"allocator=", &choice->allocator},
		{"compare=", &choice->compare},
	};
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		size_t len = strlen(settings[i].name);
		if (strncmp(word, settings[i].name, len) != 0)
			continue;
		buf_clear(settings[i].text);
		buf_add(settings[i].text, word + len);
		return true;
	}
	if (strcmp(word, "bottom-up") == 0)
		return choice->bottom_up = true;
	if (strncmp(word, "min=", 4) == 0)
		return choice_set_least(choice, word + 4, err);
	return err_set(err,
				   "A breakdown is chosen by process=N, dump=ID, allocator=NAME, compare=ID, "
				   "min=BYTES, min=P%% or bottom-up, not \"%.40s\"",
				   word);
}

bool choice_parse(struct choice *choice, const char *argument, struct err *err)
{
	*choice = (struct choice){0};
	bool ok = true;
	struct buf word = {0};
	while (ok && *(argument += strspn(argument, " "))) {
		size_t len = strcspn(argument, " ");
		buf_clear(&word);
		buf_add_bytes(&word, argument, len);
		ok = take_word(choice, buf_text(&word), err);
		argument += len;
	}
	buf_free(&word);
	return ok;
}

void choice_usual_least(struct choice *choice)
{
	choice->least = USUAL;
	choice->relative = true;
}

void choice_next_least(struct choice *choice)
{
	static const uint64_t usual[] = {0, 1000, USUAL, 10000, 50000};
	uint64_t present = choice->has_least ? choice->least : USUAL;
	size_t next = 0, count = sizeof usual / sizeof *usual;
	while (next < count && usual[next] <= present)
		next++;
	choice->least = usual[next % count];
	choice->has_least = choice->relative = true;
}

void choice_add_least(const struct choice *choice, struct buf *out)
{
	if (choice->relative)
		buf_addf(out, "%g%%", (double)choice->least * 100 / MILLION);
	else
		text_add_size(out, choice->least);
}

static void add_word(const char *name, const struct buf *value, struct buf *out)
{
	if (value->len)
		buf_addf(out, " %s=%s", name, buf_text(value));
}

void choice_add(const struct choice *choice, struct buf *out)
{
	add_word("process", &choice->process, out);
	add_word("dump", &choice->dump, out);
	add_word("allocator", &choice->allocator, out);
	add_word("compare", &choice->compare, out);
	if (choice->has_least && choice->relative)
		buf_addf(out, " min=%g%%", (double)choice->least * 100 / MILLION);
	else if (choice->has_least)
		buf_addf(out, " min=%" PRIu64, choice->least);
	buf_add(out, choice->bottom_up ? " bottom-up" : "");
}

void choice_fini(struct choice *choice)
{
	buf_free(&choice->process);
	buf_free(&choice->dump);
	buf_free(&choice->allocator);
	buf_free(&choice->compare);
}

void account_add_process(const struct account *account, struct buf *out)
{
	if (account->has_process)
		buf_addf(out, "%" PRIu64, account->process);
}

static bool is_name(const struct accounts *accounts, uint32_t name, const struct buf *wanted)
{
	return !wanted->len || text_is(accounts->name[name], buf_text(wanted));
}

static bool is_of(const struct choice *choice, const struct accounts *accounts,
				  const struct account *account, const struct buf *dump)
{
	struct buf process = {0};
	account_add_process(account, &process);
	bool same = !choice->process.len || strcmp(buf_text(&process), buf_text(&choice->process)) == 0;
	buf_free(&process);
	return same && is_name(accounts, account->allocator, &choice->allocator) &&
		   is_name(accounts, account->dump, dump);
}

/* Without a dump that is asked for, the one that others are compared with is not compared
   itself. */
bool choice_has(const struct choice *choice, const struct accounts *accounts,
				const struct account *account)
{
	bool is_base = choice->compare.len && !choice->dump.len &&
				   text_is(accounts->name[account->dump], buf_text(&choice->compare));
	return !is_base && is_of(choice, accounts, account, &choice->dump);
}

bool account_is_same_heap(const struct account *a, const struct account *b)
{
	return a->has_process == b->has_process && a->process == b->process
		   && a->allocator == b->allocator;
}

static void set_name(struct buf *out, struct text name)
{
	buf_clear(out);
	buf_add_bytes(out, name.data, name.len);
}

void choice_set_account(struct choice *choice, const struct accounts *accounts,
						const struct account *account)
{
	buf_clear(&choice->process);
	account_add_process(account, &choice->process);
	set_name(&choice->dump, accounts->name[account->dump]);
	set_name(&choice->allocator, accounts->name[account->allocator]);
}

const struct account *choice_base(const struct choice *choice, const struct accounts *accounts,
								  const struct account *account)
{
	for (size_t i = 0; i < accounts->count && choice->compare.len; i++) {
		const struct account *base = &accounts->account[i];
		if (account_is_same_heap(base, account) &&
			text_is(accounts->name[base->dump], buf_text(&choice->compare)))
			return base;
	}
	return NULL;
}

uint64_t choice_least(const struct choice *choice, uint64_t total)
{
	if (!choice->relative)
		return choice->least;
	return total / MILLION * choice->least + total % MILLION * choice->least / MILLION;
}

void trace_add(const struct trace_record *trace, struct buf *out)
{
	text_add_number_of(out, trace->events, "event", "events");
	buf_add(out, ", ");
	text_add_number_of(out, trace->dumps, "memory dump", "memory dumps");
	buf_add(out, " and ");
	text_add_number_of(out, trace->processes, "process", "processes");
}

static void say_empty(const struct trace_record *trace, struct err *err)
{
	struct buf text = {0};
	trace_add(trace, &text);
	err_set(err, "This is a valid trace, with no heap dump in it: it has %s", buf_text(&text));
	buf_free(&text);
}

const char *choice_no_profile(const struct heap *heap)
{
	return heap->complete && !heap->losses ? ": the program ran without one, or was linked without runtime.MemProfile"
						  : "";
}

bool choice_none(const struct analysis *analysis, struct err *err)
{
	const struct heap *heap = analysis->heap;
	if (heap->accounts && !heap->accounts->count)
		say_empty(&heap->trace, err);
	else if (!heap->accounts && !heap->profiles.count)
		err_set(err, "The dump has no allocation profile%s", choice_no_profile(heap));
	else
		err_set(err, "There is no such heap; the table heaps lists those there are");
	return argument_absent(heap, DAMAGE_PROFILE, err);
}

void cell_account(struct value *value, const struct accounts *accounts,
				  const struct account *account, enum account_part part)
{
	if (part == ACCOUNT_PROCESS && account->has_process)
		cell_number(value, VALUE_ID, account->process);
	else if (part != ACCOUNT_PROCESS)
		cell_dump_text(value, accounts->name[part == ACCOUNT_DUMP ? account->dump
																   : account->allocator]);
}

static void add_setting(const struct accounts *accounts, const char *name, uint32_t value,
						struct buf *command)
{
	struct text text = accounts->name[value];
	if (!text.len)
		return;
	buf_addf(command, " %s=", name);
	text_add_visible(command, text.data, text.len, SIZE_MAX);
}

void account_link(const struct accounts *accounts, const struct account *account,
				  struct buf *command)
{
	buf_add(command, "breakdown");
	if (account->has_process)
		buf_add(command, " process=");
	account_add_process(account, command);
	add_setting(accounts, "dump", account->dump, command);
	add_setting(accounts, "allocator", account->allocator, command);
}
