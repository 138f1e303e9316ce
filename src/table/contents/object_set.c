/* Set algebra over bit vectors of objects. */
#include "table/contents/object_set.h"
#include "object_selectors.h"

#include "table/cell.h"
#include "table/naming/argument.h"
#include "table/naming/operand.h"
#include "table/paths/what_if_part.h"

#include "base/bits.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100 };

static bool select_retained(struct rows *rows, const char *value, uint64_t *set, struct err *err);
static bool select_combination(struct rows *rows, const char *value, uint64_t *set,
                               struct err *err);

static const struct selector {
	const char *name; /* with = or ( if a value follows */
	unsigned needs;
	/* Adds the objects to an empty set, and their description to the title. */
	bool (*select)(struct rows *rows, const char *value, uint64_t *set, struct err *err);
} selectors[] = {
	{"reachable", STAGE_REACHED, select_reachable},
	{"unreachable", STAGE_REACHED, select_unreachable},
	{"size=", STAGE_READ, select_size},
	{"section=", STAGE_REACHED, select_section},
	{"span=", STAGE_READ, select_span},
	{"type=", STAGE_TYPED | STAGE_REACHED | STAGE_REVERSED, select_type},
	{"at=", STAGE_TYPED | STAGE_OWNED, select_place},
	{"object=", STAGE_DOMINATED | STAGE_TYPED, select_operand},
	{"owned=", STAGE_OWNED | STAGE_TYPED, select_owned},
	{OPERAND_OF_THREADS, STAGE_DOMINATED | STAGE_TYPED, select_threads},
	{OPERAND_OF_ROOTS, STAGE_DOMINATED | STAGE_TYPED, select_roots},
	{"rows=", STAGE_READ, select_rows},
	{"libraries", STAGE_TYPED | STAGE_OWNED, select_libraries},
	{"(", STAGE_READ, select_combination},
	{"retained=", STAGE_DOMINATED | STAGE_TYPED, select_retained},
};

/* Finds the selector that a text begins with, and stores what follows its name. NULL: none. */
static const struct selector *selector_of(const char *text, const char **value)
{
	for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) {
		size_t length = strlen(selectors[i].name);
		if (strncmp(text, selectors[i].name, length) != 0)
			continue;
		*value = text + length;
		if (strchr("=(", text[length - 1]) || !**value || strchr(" )", **value))
			return &selectors[i];
	}
	return NULL;
}

bool object_set_begins(const char *text)
{
	/* a name may begin with a parenthesis, too: "(Global handles)[3]" */
	return selector_of(text + strspn(text, "( "), &(const char *){0});
}

static bool selector_run(struct rows *rows, const char *text, uint64_t *set, struct err *err)
{
	const char *value;
	const struct selector *selector = selector_of(text, &value);
	if (!selector || (!strchr("=(", selector->name[strlen(selector->name) - 1]) && *value))
		return err_set(err,
		               "Objects can be selected by reachable, unreachable, size=N, section=N, "
		               "span=ADDR, object=ADDR, type=NAME, at=STEPS, which may have a type=NAME "
		               "behind it, owned=NAME, threads=NAME, roots=NAME, rows=TABLE, libraries "
		               "or retained=X, and combined by and, or, minus; not by \"%.60s\"",
		               text);
	return selector->select(rows, value, set, err);
}

/* Removes the stacks of the threads that a set stands for. False: it is one of objects. */
static bool object_set_remove_threads(const struct analysis *analysis, const char *set,
                                      struct what_if *what_if)
{
	size_t word = strlen(OPERAND_OF_THREADS), length, count;
	if (strncmp(set, OPERAND_OF_THREADS, word) != 0)
		return false;
	SCOPED_FREE uint32_t *threads = operand_threads(analysis, set + word, &length, &count);
	bool all = threads && !set[word + length];
	if (all)
		what_if_part_take_threads(analysis, (struct ids){threads, count}, what_if);
	return all;
}

void object_set_remove(const struct analysis *analysis, const char *set, struct ids ids,
                       struct what_if *what_if)
{
	if (object_set_remove_threads(analysis, set, what_if))
		return;
	for (size_t i = 0; i < ids.count; i++)
		what_if_object(what_if, ids.id[i]);
}

bool object_set_count(const struct analysis *analysis, const char *set, struct ids ids,
                      struct progress *progress, struct freed *freed)
{
	struct what_if *what_if = what_if_new(analysis_heap(analysis));
	object_set_remove(analysis, set, ids, what_if);
	bool done = what_if_count(what_if, progress, freed);
	what_if_free(what_if);
	return done;
}

/* Removes the objects or the parts that a text names. */
static bool object_set_take(struct rows *rows, const char *text, struct what_if *what_if,
                            struct err *err)
{
	SCOPED_BUF set = {0};
	struct operand operand;
	const char *end = text;
	if (!object_set_begins(text)
	    && object_set_next(rows->analysis, &end, &operand, &set, &(struct err){0}) && set.len
	    && operand.kind != OPERAND_GROUP && !*end)
		text = buf_text(&set);
	if (!object_set_begins(text)) {
		const char *rest = text;
		struct entity entity = {0};
		while (*rest) {
			if (!what_if_part_read(rows->analysis, &rest, &entity, err))
				return false;
			what_if_part_take(rows->analysis, entity, what_if);
			entity_add_label(rows->analysis, entity, &rows->title);
			buf_add(&rows->title, *rest ? ", " : "");
		}
		return true;
	}
	SCOPED_FREE uint64_t *holders = mem_alloc(object_set_words(rows) * sizeof *holders);
	buf_add(&rows->title, "objects ");
	if (!selector_run(rows, text, holders, err))
		return false;
	if (object_set_remove_threads(rows->analysis, text, what_if))
		return true;
	for (uint32_t id = 0; id < heap_object_count(analysis_heap(rows->analysis)); id++)
		if (word_bit_is_set(holders, id))
			what_if_object(what_if, id);
	return true;
}

static bool select_retained(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	if (!*value || strncmp(value, "retained=", 9) == 0)
		return err_set(err, "retained= needs what retains: main.cache, 0xc000012340, goroutine 17, "
		                    "or one of the other selectors");
	if (!reach_must_be_known(rows->analysis, err))
		return false;
	struct what_if *what_if = what_if_new(analysis_heap(rows->analysis));
	buf_add(&rows->title, "retained by ");
	bool done = object_set_take(rows, value, what_if, err)
	            && (what_if_set(what_if, rows->progress, set)
	                || err_set(err, "Counting the remaining objects was cancelled"));
	what_if_free(what_if);
	return done;
}

static uint64_t join_and(uint64_t left, uint64_t right)
{
	return left & right;
}

static uint64_t join_or(uint64_t left, uint64_t right)
{
	return left | right;
}

static uint64_t join_minus(uint64_t left, uint64_t right)
{
	return left & ~right;
}

static const struct set_operator {
	const char *name, *words; /* in an argument, between blanks; in a title */
	uint64_t (*join)(uint64_t left, uint64_t right);
} operators[] = {
	/* the first joins the first operand with the empty set */
	{"or", " or ", join_or},
	{"and", " and ", join_and},
	{"minus", " but not ", join_minus},
};

/* Finds the operator that a text begins with as a word, and stores what follows it. NULL: none. */
static const struct set_operator *operator_word(const char *text, const char **rest)
{
	for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
		size_t length = strlen(operators[i].name);
		if (strncmp(text, operators[i].name, length) == 0 && strchr(" ", text[length])) {
			*rest = text + length + strspn(text + length, " ");
			return &operators[i];
		}
	}
	return NULL;
}

const char *object_set_operator(const char *text, const char **rest)
{
	const struct set_operator *found = operator_word(text, rest);
	return found ? found->name : NULL;
}

/* Finds the operator that a text begins with behind a blank, if a selector follows. NULL: none. */
static const struct set_operator *operator_of(const char *text)
{
	const char *rest;
	const struct set_operator *found = *text == ' ' ? operator_word(text + 1, &rest) : NULL;
	return found && object_set_begins(rest) ? found : NULL;
}

/* Returns the length of the operand that a text begins with: up to an operator or a closing
   parenthesis outside of quotation marks and parentheses. Stores the operator; NULL: the operand is
   the last. */
static size_t operand_length(const char *text, const struct set_operator **next)
{
	bool quoted = false;
	size_t length = 0, depth = 0;
	for (*next = NULL; text[length]; length++) {
		char c = text[length];
		if (quoted && c == '\\' && text[length + 1])
			length++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && !depth && (c == ')' || (*next = operator_of(text + length))))
			break;
		else if (!quoted && (c == '(' || c == ')'))
			depth += c == '(' ? 1 : (size_t)-1;
	}
	return length;
}

/* Adds the objects of a combination to an empty set. Returns where the combination ended. NULL:
 *err. */
static const char *object_set_read(struct rows *rows, const char *text, uint64_t *set,
                                   struct err *err)
{
	size_t words = object_set_words(rows);
	const struct set_operator *by = &operators[0], *next;
	do {
		size_t length = operand_length(text, &next);
		char *operand = mem_strndup(text, length);
		uint64_t *with = mem_alloc(words * sizeof *with);
		bool done = selector_run(rows, operand, with, err);
		for (size_t i = 0; i < words; i++)
			set[i] = by->join(set[i], with[i]);
		free(with);
		free(operand);
		if (!done)
			return NULL;
		text += length;
		if (next) {
			buf_add(&rows->title, next->words);
			operator_word(text + 1, &text);
			by = next;
		}
	} while (next);
	return text;
}

struct object_set_form object_set_form(const char *argument)
{
	struct object_set_form form = {0};
	const struct set_operator *by = NULL, *next = NULL;
	const char *text = argument, *value;
	do {
		const struct selector *selector = selector_of(text, &value);
		bool type = selector && selector->select == select_type;
		form.of_type |= type && !by;
		form.of_place |= selector && selector->select == select_place && !by;
		form.and_type |= type && by && by->join == join_and;
		form.either |= by && by->join == join_or;
		form.names_type |= type;
		text += operand_length(text, &next);
		if (next)
			operator_word(text + 1, &text);
		by = next;
	} while (next);
	return form;
}

void object_set_add_operand(struct buf *out, const char *set)
{
	const struct set_operator *next;
	operand_length(set, &next);
	buf_addf(out, next ? "(%s)" : "%s", set);
}

static bool select_combination(struct rows *rows, const char *value, uint64_t *set, struct err *err)
{
	buf_add(&rows->title, "(");
	const char *end = object_set_read(rows, value, set, err);
	buf_add(&rows->title, ")");
	return end
	       && (strcmp(end, ")") == 0
	           || err_set(err, "A parenthesis is not closed, or text is "
	                           "behind it"));
}

static void object_set_to_rows(struct rows *rows, const uint64_t *set, size_t words)
{
	uint32_t *ids;
	size_t count = 0;
	for (size_t i = 0; i < words; i++)
		rows->count += count_bits(set[i]);
	rows->data = ids = mem_alloc((rows->count + 1) * sizeof *ids);
	for (size_t i = 0; i < words; i++)
		for (uint64_t word = set[i]; word; word &= word - 1)
			ids[count++] = (uint32_t)(i * 64 + (unsigned)__builtin_ctzll(word));
}

bool object_set_select(struct rows *rows, const char *argument, struct err *err)
{
	if (!*argument) {
		rows->count = heap_object_count(analysis_heap(rows->analysis));
		buf_add(&rows->title, "all objects");
		return true;
	}
	size_t words = object_set_words(rows), depth = 0;
	for (const char *at = argument; (at = strchr(at, '(')); at++)
		if (++depth > DEEPEST)
			return err_set(err, "There are more than %d parentheses", DEEPEST);
	SCOPED_FREE uint64_t *set = mem_alloc(words * sizeof *set);
	buf_add(&rows->title, "objects ");
	const char *end = object_set_read(rows, argument, set, err);
	bool done = end && (!*end || err_set(err, "A parenthesis is closed that was not opened"));
	if (done)
		object_set_to_rows(rows, set, words);
	return done;
}

uint32_t *object_set_ids(const struct analysis *analysis, const char *set, bool needed,
                         struct progress *progress, size_t *count, struct err *err)
{
	struct rows rows = {.analysis = analysis, .progress = progress};
	bool done = object_set_select(&rows, set, err);
	if (done && needed && !rows.count) {
		err_set(err, "No object is in the set %.200s", set);
		done = argument_absent(analysis_heap(analysis), DAMAGE_OBJECTS, err);
	}
	*count = rows.count;
	buf_free(&rows.title);
	buf_free(&rows.note);
	if (done)
		return rows.data ? rows.data : mem_alloc(sizeof(uint32_t));
	free(rows.data);
	return NULL;
}

bool object_set_frees(const struct analysis *analysis, const char *set, struct progress *progress,
                      size_t *count, struct freed *freed, struct err *err)
{
	SCOPED_FREE uint32_t *ids = object_set_ids(analysis, set, true, progress, count, err);
	if (!ids)
		return false;
	return object_set_count(analysis, set, (struct ids){ids, *count}, progress, freed)
	       || err_set(err, "Counting the remaining objects was cancelled");
}

bool object_set_next(const struct analysis *analysis, const char **text, struct operand *operand,
                     struct buf *set, struct err *err)
{
	*operand = (struct operand){0};
	if (object_set_begins(*text)) {
		buf_add(set, *text);
		*text = strchr(*text, 0);
	} else if (!operand_read(analysis, text, operand, err)) {
		return false;
	}
	if (operand->set)
		operand_add_set(operand, set);
	return true;
}

bool object_set_named(const struct analysis *analysis, const char *argument,
                      struct operand *operand, struct buf *set, struct err *err)
{
	return object_set_next(analysis, &argument, operand, set, err) && argument_ends(argument, err);
}

unsigned object_set_needs(const char *argument)
{
	unsigned needs = *argument && !selector_of(argument, &(const char *){0}) ? STAGE_REACHED
	                                                                         : STAGE_READ;
	for (const char *at = argument, *value; *at; at++) {
		bool begins = at == argument || strchr(" =(", at[-1]);
		const struct selector *selector = begins ? selector_of(at, &value) : NULL;
		needs |= selector ? selector->needs : STAGE_READ;
		if (selector && selector->select == select_rows)
			needs |= select_rows_needs(value);
	}
	return needs;
}

const char *object_set_word(size_t n)
{
	static const size_t named = sizeof selectors / sizeof *selectors,
						all = named + sizeof operators / sizeof *operators;
	return n < named ? selectors[n].name : n < all ? operators[n - named].name : NULL;
}
