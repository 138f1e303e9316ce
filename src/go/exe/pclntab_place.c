/* Finds the table of functions: in its own section or, if the C linker has merged it into another
   one, by its symbol, by the module record that points to it, or by its magic bytes. */
#include "pclntab_layout.h"

#include <inttypes.h>

static const struct pclntab_layout layouts[] = {
	/* For Go 1.2 to 1.15, 1.16 and 1.17, 1.18 and 1.19, since 1.20. */
	{0xfffffffb, false, false, 10, 31, 32, 4, {20, 12, 16}},
	{0xfffffffa, true, false, 20, 35, 36, 3, {20, 12, 16}},
	{0xfffffff0, true, true, 20, 35, 36, 3, {20, 12, 16}},
	{0xfffffff1, true, true, 20, 39, 40, 3, {16, 4, 8}},
};
enum { HEADER = 8 }; /* bytes of the fixed header: magic, two zeros, quantum, pointer size */

static const struct pclntab_layout *layout_of(uint64_t magic)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].magic == magic)
			return &layouts[i];
	return NULL;
}

static bool place_in(struct pclntab *table, struct image_section section, const char *path,
                     struct err *err)
{
	table->address = section.address;
	table->data = section.data;
	table->size = section.size;
	table->layout = layout_of(pclntab_number(table, 0, 4));
	if (!table->layout)
		return err_set(err, "The table of functions of %s is of no known version: 0x%" PRIx64, path,
		               pclntab_number(table, 0, 4));
	table->quantum = (unsigned)pclntab_number(table, 6, 1);
	if (pclntab_number(table, 7, 1) != table->image->pointer_size)
		return err_set(err, "The table of functions of %s is damaged", path);
	module_find(&table->module, table->image, table->address, table->layout->first);
	pclntab_open_functions(table);
	return true;
}

/* ---- Without its section: takes the first consistent candidate */

struct place_search {
	struct pclntab *table;
	uint64_t left; /* bytes of tables that may still be examined: bounds the time for fakes */
	bool met;      /* a candidate was seen */
};

/* Returns true if a table header is at an address. The table may extend to the end of the
   segment. */
static bool place_begins(struct pclntab *table, uint64_t address)
{
	table->size = image_room(table->image, address);
	table->data = image_bytes(table->image, address, HEADER);
	if (!table->data)
		return false;
	table->address = address;
	table->layout = layout_of(image_decode(table->image, table->data, 4));
	table->quantum = table->data[6];
	return table->layout && !table->data[4] && !table->data[5]
	       && table->data[7] == table->image->pointer_size
	       && (table->quantum == 1 || table->quantum == 2 || table->quantum == 4);
}

/* Limits the table to the bounds in the module record at an address. Returns false if the record
   points elsewhere, or counts other functions than the header. */
static bool place_bounded(struct pclntab *table, uint64_t record)
{
	unsigned width = table->image->pointer_size, part = table->layout->parts ? 13 : 0;
	uint64_t start, bytes, list, functions;
	const struct image *image = table->image;
	if (!image_pointer(image, record + (uint64_t)part * width, &start)
	    || !image_number(image, record + (uint64_t)(part + 1) * width, width, &bytes)
	    || !image_pointer(image, record + (uint64_t)(part + 3) * width, &list)
	    || !image_number(image, record + (uint64_t)(part + 4) * width, width, &functions))
		return false;
	uint64_t before = start - table->address;
	if (before > table->size || bytes > table->size - before)
		return false;
	table->size = before + bytes;
	return list - table->address < table->size
	       && functions == pclntab_number(table, HEADER, width) + 1;
}

/* Reads the functions. Returns true if all that the header counts exist, in order, with records
   inside the table and code inside the program. */
static bool place_holds(struct place_search *search)
{
	struct pclntab *table = search->table;
	search->met = true;
	if (table->size > search->left)
		return false;
	search->left -= table->size;
	pclntab_open_functions(table);
	if (!table->count || table->lost || !image_room(table->image, table->functions[0].entry)
	    || !image_room(table->image, table->end - 1))
		return false;
	for (size_t i = 0; i < table->count; i++) {
		uint64_t fields = pclntab_fields(table, i);
		if (fields > table->size || table->size - fields < table->layout->fields)
			return false;
	}
	return true;
}

static bool place_by_record(struct place_search *search)
{
	struct pclntab *table = search->table;
	const struct image *image = table->image;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *segment = &image->segments[i];
		uint64_t value, step = image->pointer_size;
		for (uint64_t at = 0; segment->writable && at + step <= segment->size; at += step)
			if (image_pointer(image, segment->address + at, &value) && place_begins(table, value)
			    && module_at(&table->module, image, segment->address + at, table->layout->first)
			    && place_bounded(table, segment->address + at) && place_holds(search))
				return true;
	}
	table->module = (struct module){0};
	return false;
}

static bool place_by_bytes(struct place_search *search)
{
	const struct image *image = search->table->image;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct image_segment *segment = &image->segments[i];
		uint64_t step = image->pointer_size;
		for (uint64_t at = 0; at + HEADER <= segment->size; at += step)
			if (layout_of(image_decode(image, segment->data + at, 4))
			    && place_begins(search->table, segment->address + at) && place_holds(search))
				return true;
	}
	return false;
}

/* ---- Programs of other compilers, and packed ones */

static bool image_has_bytes(const struct image *image, const char *bytes, size_t within)
{
	size_t size = image->size < within ? image->size : within;
	return memmem(image->data, size, bytes, strlen(bytes)) != NULL;
}

bool image_is_packed(const struct image *image)
{
	enum { HEADERS = 1024 };
	struct image_section section;
	return image_has_bytes(image, "UPX!", HEADERS) && !image_section(image, ".text", &section);
}

static bool is_by_gccgo(const struct image *image)
{
	struct image_section section;
	return image_section(image, ".go_export", &section)
	       || image_has_bytes(image, "__go_init_main", SIZE_MAX);
}

static bool is_by_tinygo(const struct image *image)
{
	return image_has_bytes(image, "tinygo_", SIZE_MAX);
}

static bool refuse_other_program(const struct image *image, const char *path, struct err *err)
{
	static const struct {
		bool (*is)(const struct image *image);
		const char *message;
	} kinds[] = {
		{image_is_packed, "%s is packed by UPX: unpack it with upx -d, and name the result"},
		{is_by_gccgo, "%s is built by gccgo, whose programs have no table of functions: only "
	                  "programs of the go command's own compiler are read"},
		{is_by_tinygo, "%s is built by TinyGo, whose programs have no table of functions: only "
	                   "programs of the go command's own compiler are read"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].is(image))
			return err_set(err, kinds[i].message, path);
	return err_set(err, "%s holds no Go program: it has no table of functions", path);
}

bool pclntab_place(struct pclntab *table, const char *path, struct err *err)
{
	struct image_section section;
	struct place_search search = {table, table->image->size, false};
	uint64_t address;
	if (image_section(table->image, ".gopclntab", &section) && section.data)
		return place_in(table, section, path, err);
	if (image_symbol_named(table->image, "runtime.pclntab", &address)
	    && place_begins(table, address)) {
		section = (struct image_section){address, table->size, table->data};
		return place_in(table, section, path, err);
	}
	if (place_by_record(&search) || place_by_bytes(&search))
		return true;
	if (!search.met)
		return refuse_other_program(table->image, path, err);
	return err_set(err,
	               "What looks like the table of functions of %s is none: the file is damaged, or "
	               "holds no Go program",
	               path);
}
