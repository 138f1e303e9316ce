/* Functions vote on the package of a variable. Votes in order of weight: compiler-made initializers
   that set it, which set variables of their own package only; other functions that set it; the
   rest. Inlined code votes for the package in which it was written. */
#include "go/exe/variable_uses.h"

#include "base/bound.h"
#include "base/mem.h"
#include "code_operands.h"
#include "pclntab_layout.h"

#include <stdlib.h>
#include <string.h>

enum { RECENT = 16 };

/* A reference from one function to one address. */
struct use {
	uint32_t place; /* offset from segments_low */
	uint32_t name;
	enum operand_access access; /* the strongest one */
};

struct scan {
	const struct pclntab *table;
	struct exe_segments segments;
	struct inlined_walk walk;
	const char *function; /* name of the function being scanned; NULL: it does not vote */
	bool is_init;         /* it is an initializer */
	struct use *use;
	size_t count, capacity;
	struct use recent[RECENT];
};

static uint64_t segments_low(const struct exe_segments *segments)
{
	return segments->data < segments->bss ? segments->data : segments->bss;
}

/* ---- Function names */

/* Returns true for a compiler-made initializer. Functions that the program itself calls init are
   named init.0, init.1 ..., and may set variables of other packages. */
static bool name_is_init(const char *name, size_t package)
{
	static const char *const rest[] = {".init.func", ".map.init.", ".glob.."};
	for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
		if (strncmp(name + package, rest[i], strlen(rest[i])) == 0)
			return true;
	return strcmp(name + package, ".init") == 0;
}

static bool functions_are_of_one_package(const char *a, const char *b)
{
	size_t length = pclntab_package(a);
	return length == pclntab_package(b) && memcmp(a, b, length) == 0;
}

/* ---- Uses */

/* Returns true for a runtime function that another package declares under its own name
   (//go:linkname). */
static bool function_is_linked(const struct pclntab *table, size_t function)
{
	static const char runtime[] = "runtime";
	struct pclntab_line line;
	const char *name = pclntab_name(table, function);
	size_t package = pclntab_package(name), length = sizeof runtime - 1;
	if (!package || memchr(name, '.', package) || memchr(name, '%', package)
	    || (package == length && memcmp(name, runtime, length) == 0)
	    || (package == 4 && memcmp(name, "main", package) == 0))
		return false;
	pclntab_position(table, function, table->functions[function].entry, &line);
	const char *base = strrchr(line.file, '/');
	size_t folder = base ? (size_t)(base - line.file) : 0;
	return folder >= length && memcmp(base - length, runtime, length) == 0
	       && (folder == length || base[-(ptrdiff_t)length - 1] == '/');
}

/* Initializers count for their own package, even for code inlined into them. */
static void scan_enter(void *self, size_t function)
{
	struct scan *s = self;
	const char *name = pclntab_name(s->table, function);
	size_t package = pclntab_package(name);
	s->function = package && !function_is_linked(s->table, function) ? name : NULL;
	s->is_init = package && name_is_init(name, package);
	inlined_walk_enter(&s->walk, function);
}

static void scan_use(void *self, uint64_t pc, uint64_t address, enum operand_access access)
{
	struct scan *s = self;
	if (!s->function || !exe_segments_have(&s->segments, address))
		return;
	const char *names = (const char *)s->table->data;
	const char *name = s->is_init ? s->function : inlined_walk_name(&s->walk, pc);
	if (!pclntab_package(name))
		return;
	if (functions_are_of_one_package(name, s->function))
		name = s->function; /* the function itself occurs on stacks */
	struct use use = {(uint32_t)(address - segments_low(&s->segments)), (uint32_t)(name - names),
	                  access};
	struct use *recent = &s->recent[(use.place / 8 + use.name) % RECENT];
	if (recent->place == use.place && recent->name == use.name && recent->access >= access)
		return;
	*recent = use;
	MEM_PUSH(s->use, s->count, s->capacity, use);
}

ORDER_BY_TWO(variable_uses_by_place, struct use, place, name);

/* ---- Votes */

/* The functions that refer to one address. */
struct voters {
	const struct pclntab *table;
	const struct use *use;
	size_t count, step; /* if there are more than VOTERS, only every step-th votes */
};

static const char *voters_name(const struct voters *voters, size_t at)
{
	return pclntab_text(voters->table, voters->use[at].name);
}

/* Kinds of votes, strongest first: see voters_winner. */
enum { STORED_BY_INIT, STORED, USED_BY_INIT, USED, VOTE_KINDS };

static bool voters_are(const struct voters *voters, size_t at, int kind)
{
	const char *name = voters_name(voters, at);
	bool init = name_is_init(name, pclntab_package(name)),
		 stores = voters->use[at].access == OPERAND_STORED;
	return kind == STORED_BY_INIT ? init && stores
	       : kind == STORED       ? stores
	       : kind == USED_BY_INIT ? init
	                              : true;
}

/* Counts votes of a kind for the package of voter `one`. */
static size_t voters_for(const struct voters *voters, size_t one, int kind)
{
	const char *wanted = voters_name(voters, one);
	size_t votes = 0;
	for (size_t i = 0; i < voters->count; i += voters->step)
		votes += voters_are(voters, i, kind)
		         && functions_are_of_one_package(voters_name(voters, i), wanted);
	return votes;
}

static size_t voters_winner(const struct voters *voters)
{
	size_t best = 0, most = 0;
	for (int kind = 0; kind < VOTE_KINDS && !most; kind++)
		for (size_t i = 0; i < voters->count; i += voters->step) {
			size_t votes = voters_for(voters, i, kind);
			if (votes > most) {
				most = votes;
				best = i;
			}
		}
	return best;
}

/* Ranks how well a function's name describes the purpose of the variable: best if it sets the
   variable. */
static int voters_rank(const struct voters *voters, size_t at)
{
	const char *name = voters_name(voters, at);
	size_t package = pclntab_package(name);
	if (name_is_init(name, package))
		return 1;
	if (strstr(name + package, ".func") || strstr(name + package, "wrap"))
		return 2;
	return voters->use[at].access == OPERAND_STORED ? 4 : 3;
}

static struct variable_use voters_result(const struct voters *voters, uint64_t address)
{
	size_t winner = voters_winner(voters), best = winner;
	bool unanimous = true, written = false;
	for (size_t i = 0; i < voters->count; i++) {
		const char *name = voters_name(voters, i);
		bool same = functions_are_of_one_package(name, voters_name(voters, winner));
		unanimous = unanimous && same;
		written = written || voters->use[i].access != OPERAND_LOADED;
		if (same && voters_rank(voters, i) > voters_rank(voters, best))
			best = i;
	}
	size_t functions = voters->count < UINT16_MAX ? voters->count : UINT16_MAX;
	return (struct variable_use){address, voters->use[best].name, (uint16_t)functions,
	                             (unanimous && written)
	                                 || voters_are(voters, winner, STORED_BY_INIT)};
}

/* Removes duplicates of function and address. Returns the number left. */
static size_t uses_unique(struct use *use, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!kept || use[i].place != use[kept - 1].place || use[i].name != use[kept - 1].name)
			use[kept++] = use[i];
		else
			use[kept - 1].access = use[i].access > use[kept - 1].access ? use[i].access
			                                                            : use[kept - 1].access;
	return kept;
}

static struct variable_uses uses_vote(const struct scan *s)
{
	enum { VOTERS = 64 };
	struct variable_uses uses = {0};
	size_t capacity = 0, end;
	for (size_t i = 0; i < s->count; i = end) {
		for (end = i; end < s->count && s->use[end].place == s->use[i].place;)
			end++;
		struct voters voters = {s->table, s->use + i, end - i, 1 + (end - i - 1) / VOTERS};
		MEM_PUSH(uses.use, uses.count, capacity,
		         voters_result(&voters, segments_low(&s->segments) + s->use[i].place));
	}
	return uses;
}

/* ---- Entry points */

struct variable_uses variable_uses_scan(const struct pclntab *table, struct exe_segments segments)
{
	struct variable_uses uses = {0};
	struct scan s = {.table = table, .segments = segments};
	s.walk = inlined_walk_make(s.table);
	struct code_operands operands = {.enter = scan_enter, .use = scan_use, .self = &s};
	operands.low = segments_low(&segments);
	operands.high = segments.ebss > segments.edata ? segments.ebss : segments.edata;
	if (table->size > UINT32_MAX || operands.high - operands.low > UINT32_MAX)
		return uses;
	code_operands_of_program(table, &operands);
	if (s.count) {
		qsort(s.use, s.count, sizeof *s.use, variable_uses_by_place);
		s.count = uses_unique(s.use, s.count);
		uses = uses_vote(&s);
	}
	free(s.use);
	return uses;
}

void variable_uses_fini(struct variable_uses *uses)
{
	free(uses->use);
}

bool variable_uses_find(const struct variable_uses *uses, const struct pclntab *table,
                        uint64_t address, struct variable_user *user)
{
	size_t after =
		upper_bound(uses->use, uses->count, BOUND_BY(struct variable_use, address), address);
	const struct variable_use *use = after ? &uses->use[after - 1] : NULL;
	if (!use || address - use->address > VARIABLE_REACH)
		return false;
	const char *name = pclntab_text(table, use->name);
	size_t package = pclntab_package(name), dot = package + (name[package] == '.');
	user->package = (struct text){name, package};
	user->function = (struct text){name + dot, strlen(name + dot)};
	user->address = use->address;
	user->inferred = use->inferred && address == use->address;
	user->functions = use->functions;
	return package > 0;
}
