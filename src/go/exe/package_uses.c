#include "go/exe/package_uses.h"

#include "base/bound.h"
#include "base/mem.h"
#include "code_operands.h"
#include "go/exe/variable_uses.h"

#include <stdlib.h>
#include <xxhash.h>

struct package_scan {
	const struct pclntab *table;
	uint64_t low, high; /* range of type descriptors */
	struct exe_segments segments;
	struct package_uses uses;
	size_t type_capacity, variable_capacity;
	uint64_t package; /* package of the current function; 0: made by the linker */
};

uint64_t package_hash(struct text name)
{
	return XXH3_64bits(name.data, name.len) | 1;
}

static void package_scan_enter(void *self, size_t function)
{
	struct package_scan *scan = self;
	const char *name = pclntab_name(scan->table, function);
	size_t package = pclntab_package(name);
	scan->package = package ? package_hash((struct text){name, package}) : 0;
}

static struct package_use *package_scan_add(struct package_use *uses, size_t *count,
                                            size_t *capacity, struct package_use use)
{
	struct package_use *last = *count ? &uses[*count - 1] : NULL;
	if (last && last->package == use.package && last->address == use.address) {
		last->stored |= use.stored;
		return uses;
	}
	MEM_PUSH(uses, *count, *capacity, use);
	return uses;
}

static void package_scan_use(void *self, uint64_t pc, uint64_t address, enum operand_access access)
{
	struct package_scan *scan = self;
	struct package_uses *uses = &scan->uses;
	const struct package_use use = {scan->package, address, access == OPERAND_STORED};
	(void)pc;
	if (!use.package)
		return;
	if (address - scan->low < scan->high - scan->low)
		uses->type = package_scan_add(uses->type, &uses->types, &scan->type_capacity, use);
	else if (exe_segments_have(&scan->segments, address))
		uses->variable =
			package_scan_add(uses->variable, &uses->variables, &scan->variable_capacity, use);
}

ORDER_BY_TWO(package_uses_by_package, struct package_use, package, address);
ORDER_BY_TWO(package_uses_by_address, struct package_use, address, package);

/* Sorts the uses and removes duplicates. Returns the number left. */
static size_t package_uses_unique(struct package_use *uses, size_t count,
                                  int (*compare)(const void *a, const void *b))
{
	size_t kept = 0;
	if (count)
		qsort(uses, count, sizeof *uses, compare);
	for (size_t i = 0; i < count; i++)
		if (kept && compare(&uses[kept - 1], &uses[i]) == 0)
			uses[kept - 1].stored |= uses[i].stored;
		else
			uses[kept++] = uses[i];
	return kept;
}

/* Returns the smallest range that includes the descriptors and all variables. */
static struct code_operands package_scan_operands(struct package_scan *scan)
{
	const struct exe_segments *at = &scan->segments;
	struct code_operands all = {.low = scan->low,
	                            .high = scan->high,
	                            .enter = package_scan_enter,
	                            .use = package_scan_use,
	                            .self = scan};
	const uint64_t range[2][2] = {{at->data, at->edata}, {at->bss, at->ebss}};
	for (int i = 0; i < 2; i++) {
		if (range[i][0] >= range[i][1])
			continue;
		all.low = range[i][0] < all.low ? range[i][0] : all.low;
		all.high = range[i][1] > all.high ? range[i][1] : all.high;
	}
	return all;
}

struct package_uses package_uses_scan(const struct pclntab *table, uint64_t low, uint64_t high,
                                      struct exe_segments segments, struct progress *progress)
{
	struct package_scan scan = {.table = table, .low = low, .high = high, .segments = segments};
	struct code_operands operands = package_scan_operands(&scan);
	operands.progress = progress;
	struct package_uses *uses = &scan.uses;
	code_operands_of_program(table, &operands);
	uses->types = package_uses_unique(uses->type, uses->types, package_uses_by_package);
	uses->variables = package_uses_unique(uses->variable, uses->variables, package_uses_by_address);
	return scan.uses;
}

void package_uses_fini(struct package_uses *uses)
{
	free(uses->type);
	free(uses->variable);
}

const struct package_use *package_uses_types(const struct package_uses *uses, uint64_t package,
                                             size_t *count)
{
	const struct bound_by by = BOUND_BY(struct package_use, package);
	size_t first = lower_bound(uses->type, uses->types, by, package);
	*count = upper_bound(uses->type, uses->types, by, package) - first;
	return uses->type + first;
}

uint64_t package_uses_variable(const struct package_uses *uses, uint64_t address)
{
	const struct package_use *use = uses->variable;
	size_t after =
		upper_bound(use, uses->variables, BOUND_BY(struct package_use, address), address);
	if (!after || address - use[after - 1].address > VARIABLE_REACH)
		return 0;
	size_t users = 0, writers = 0;
	uint64_t user = 0, writer = 0;
	for (size_t i = after; i-- > 0 && use[i].address == use[after - 1].address;) {
		users++;
		user = use[i].package;
		writers += use[i].stored;
		writer = use[i].stored ? user : writer;
	}
	return users == 1 ? user : writers == 1 ? writer : 0;
}
