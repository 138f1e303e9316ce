/* Reads the list of functions and the offsets of the parts of a table. */
#include "pclntab_layout.h"

#include "base/mem.h"

/* Returns a pointer-sized number of the header. */
static uint64_t header_word(const struct pclntab *table, unsigned word)
{
	unsigned width = table->image->pointer_size;
	return pclntab_number(table, 8 + (uint64_t)word * width, width);
}

/* Returns a half of a pair in a list: part 0 is the entry, part 1 the offset of the record. Wide
   entries are addresses, which may need a relocation. */
static uint64_t pair(const struct pclntab *table, uint64_t list, uint64_t index, unsigned part)
{
	unsigned width = table->layout->narrow ? 4 : table->image->pointer_size;
	uint64_t offset = list + (2 * index + part) * width, value;
	if (!table->layout->narrow && part == 0)
		return image_pointer(table->image, table->address + offset, &value) ? value : 0;
	return pclntab_number(table, offset, width);
}

/* Reads the functions. The list ends with the address after the last function. An entry out of
   order ends it early. */
static void read_functions(struct pclntab *table, uint64_t list, uint64_t count, uint64_t records)
{
	unsigned width = table->layout->narrow ? 4 : table->image->pointer_size;
	uint64_t room = list < table->size ? (table->size - list) / (2 * width) : 0;
	table->lost = count;
	if (count > room)
		count = room;
	table->functions = mem_alloc((count + 1) * sizeof *table->functions);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t entry = pair(table, list, i, 0);
		if (table->count && entry < table->functions[table->count - 1].entry)
			break;
		table->functions[table->count++] =
			(struct pclntab_function){entry, records + pair(table, list, i, 1), 0};
	}
	table->lost -= table->count;
	table->end = pair(table, list, table->count, 0);
}

static void read_old(struct pclntab *table)
{
	uint64_t count = header_word(table, 0), width = table->image->pointer_size;
	uint64_t list = 8 + width;
	read_functions(table, list, count, 0);
	table->files = pclntab_number(table, list + (2 * (uint64_t)table->count + 1) * width, 4);
}

static void read_parts(struct pclntab *table)
{
	/* Since entries are narrow, the header has the start of the code between counts and offsets. */
	unsigned word = table->layout->narrow ? 3 : 2;
	table->names = header_word(table, word);
	table->cutab = header_word(table, word + 1);
	table->files = header_word(table, word + 2);
	table->pcs = header_word(table, word + 3);
	uint64_t list = header_word(table, word + 4);
	read_functions(table, list, header_word(table, 0), list);
}

/* Converts entries relative to the start of the code to addresses. Since Go 1.26 the header does
   not contain that start. */
static void pclntab_open_place(struct pclntab *table)
{
	uint64_t text = table->module.text;
	struct image_section section;
	if (!table->layout->narrow)
		return;
	if (!text && !image_symbol_named(table->image, "runtime.text", &text))
		image_pointer(table->image, table->address + 8 + 2ULL * table->image->pointer_size, &text);
	if (!text && image_section(table->image, ".text", &section))
		text = section.address;
	for (size_t i = 0; i < table->count; i++)
		table->functions[i].entry += text;
	table->end += text;
}

void pclntab_open_functions(struct pclntab *table)
{
	pclntab_fini(table);
	if (table->layout->parts)
		read_parts(table);
	else
		read_old(table);
	pclntab_open_place(table);
}

bool pclntab_init(struct pclntab *table, const struct image *image, const char *path,
                  struct err *err)
{
	*table = (struct pclntab){.image = image};
	bool found = pclntab_place(table, path, err);
	if (found && !table->count)
		found = err_set(err, "The table of functions of %s is empty or damaged", path);
	if (found)
		pclntab_find_bases(table);
	else
		pclntab_fini(table);
	return found;
}
