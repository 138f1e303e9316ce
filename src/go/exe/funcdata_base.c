/* Finds the address that offsets of funcdata are relative to since Go 1.18: go:func.*, which the
   module record has as gofunc. */
#include "pclntab_layout.h"

enum {
	STACK_MAP_INDEX = 1, /* pcdata table of indices into the stack maps */
	LOCALS = 1,          /* funcdata: stack maps of local variables */
	PROBES = 64,         /* data that are compared to accept a base */
	MOST_MAPS = 1 << 16, /* stack maps of a function */
	MOST_BITS = 1 << 20, /* words in one */
};

/* Returns how many stack maps the code of a function selects from; 0: none. Subtracts its steps
 *from left. */
static uint64_t base_maps_used(const struct pclntab *table, size_t function, uint64_t *left)
{
	uint64_t offset = pclntab_pcdata_offset(table, function, STACK_MAP_INDEX), most = 0;
	struct pclntab_run run = pclntab_run_first(table, function, offset);
	for (; *left && pclntab_run_next(table, &run); --*left)
		if ((int64_t)run.value >= 0 && run.value + 1 > most)
			most = run.value + 1;
	return most;
}

/* Returns true if stack maps are at an address, as many as the code of the function selects from.
   Zeros are none, as is the number of anything else. */
static bool base_has_maps(const struct pclntab *table, uint64_t used, uint64_t at)
{
	const struct image *image = table->image;
	uint64_t count, bits;
	return image_number(image, at, 4, &count) && image_number(image, at + 4, 4, &bits)
	       && count >= used && count < MOST_MAPS && bits < MOST_BITS
	       && image_bytes(image, at + 8, count * ((bits + 7) / 8));
}

/* Returns true if the stack maps and inline trees of the first functions are valid with this
   base. */
static bool is_base(const struct pclntab *table, uint64_t base)
{
	size_t maps = 0, trees = 0;
	uint64_t left = table->size; /* malformed functions may each have a long table */
	for (size_t i = 0; i < table->count && (maps < PROBES || trees < PROBES); i++) {
		uint64_t tree = pclntab_funcdata_from(table, i, table->layout->inline_tree, base);
		uint64_t at = pclntab_funcdata_from(table, i, LOCALS, base);
		uint64_t used = at ? base_maps_used(table, i, &left) : 0;
		if ((tree && !inlined_is_tree(table, i, tree)) || (used && !base_has_maps(table, used, at)))
			return false;
		trees += tree != 0;
		maps += used != 0;
	}
	return maps > 0;
}

/* Words of the module record that may be gofunc: for Go 1.18 and 1.19; 1.20 to 1.26; since 1.27.
   The others are for releases that move it. */
static const uint8_t base_words[] = {38, 40, 43, 36, 37, 39, 41, 42, 44, 45, 46, 47, 48};

static bool base_read_word(const struct pclntab *table, unsigned word, uint64_t *value)
{
	uint64_t record = table->module.address;
	return record && image_pointer(table->image, record + word * table->image->pointer_size, value);
}

/* Returns gofunc; 0: not found. */
static uint64_t base_find(const struct pclntab *table)
{
	static const char *const names[] = {"go:func.*", "go.func.*"};
	uint64_t base;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (image_symbol_named(table->image, names[i], &base) && is_base(table, base))
			return base;
	for (size_t i = 0; i < sizeof base_words; i++)
		if (base_read_word(table, base_words[i], &base) && is_base(table, base))
			return base;
	return 0;
}

/* Returns the start of the read-only data, which stands before gofunc; 0: not found. */
static uint64_t base_find_rodata(const struct pclntab *table)
{
	uint64_t word, rodata;
	for (size_t i = 0; table->funcdata && i < sizeof base_words; i++)
		if (base_read_word(table, base_words[i], &word) && word == table->funcdata
		    && base_read_word(table, base_words[i] - 1U, &rodata))
			return rodata;
	return image_symbol_named(table->image, "runtime.rodata", &rodata) ? rodata : 0;
}

void pclntab_find_bases(struct pclntab *table)
{
	if (!table->layout->narrow)
		return;
	table->funcdata = base_find(table);
	table->rodata = base_find_rodata(table);
}
