#include "go/exe/stack_objects.h"

#include "pclntab_layout.h"

enum {
	OF_TYPE = 16, /* up to this minor version a record has the address of a type */
	ADDRESS = 17, /* in this one that of a mask; later ones its offset from the read-only data */
	OFFSET_AT = 0,
	SIZE_AT = 4,
	POINTERS_AT = 8,
	MASK_AT = 12,
	KIND_PROGRAM = 64, /* bit of a type's kind: its mask is written by a program */
};

/* Returns the funcdata number: that of the inline tree comes next. */
static unsigned stack_variables_number(const struct pclntab *table)
{
	return table->layout->inline_tree - 1U;
}

bool stack_variables_open(struct stack_variables *variables, const struct pclntab *table,
                          size_t function, unsigned minor)
{
	table = pclntab_of(table, function);
	unsigned width = table->image->pointer_size;
	*variables = (struct stack_variables){.table = table, .minor = minor};
	if (minor < STACK_OBJECTS_SINCE || (table->layout->narrow && !table->funcdata)
	    || (minor > ADDRESS && !table->rodata))
		return false;
	uint64_t at = pclntab_funcdata(table, function, stack_variables_number(table));
	if (!at)
		return true;
	variables->at = at + width;
	variables->row = minor <= OF_TYPE ? 2 * width : minor == ADDRESS && width == 8 ? 24 : 16;
	return image_number(table->image, at, width, &variables->count);
}

/* Go 1.12 to 1.16: the offset, and the address of the type. */
static bool read_typed(const struct stack_variables *variables, struct stack_variable *variable,
                       uint64_t *pointers, uint64_t *mask, bool *program)
{
	const struct image *image = variables->table->image;
	unsigned width = image->pointer_size;
	uint64_t offset, type, kind;
	if (!image_number(image, variables->at, width, &offset)
	    || !image_pointer(image, variables->at + width, &type)
	    || !image_number(image, type, width, &variable->size)
	    || !image_number(image, type + width, width, pointers)
	    || !image_number(image, type + 2 * width + 7, 1, &kind)
	    || !image_pointer(image, type + 3 * width + 8, mask))
		return false;
	variable->offset = width == 4 ? (int32_t)offset : (int64_t)offset;
	*program = kind & KIND_PROGRAM;
	return true;
}

/* Since Go 1.17: offset, size and bytes with pointers of 4 bytes each, and the mask. Up to 1.23 the
   bytes are negative if the mask is written by a program. */
static bool read_sized(const struct stack_variables *variables, struct stack_variable *variable,
                       uint64_t *pointers, uint64_t *mask, bool *program)
{
	const struct image *image = variables->table->image;
	uint64_t at = variables->at, offset, bytes;
	if (!image_number(image, at + OFFSET_AT, 4, &offset)
	    || !image_number(image, at + SIZE_AT, 4, &variable->size)
	    || !image_number(image, at + POINTERS_AT, 4, &bytes))
		return false;
	variable->offset = (int32_t)offset;
	*program = (int32_t)bytes < 0;
	*pointers = *program ? -(uint64_t)(int32_t)bytes : bytes;
	if (variables->minor == ADDRESS)
		return image_pointer(image, at + (image->pointer_size == 8 ? 16 : MASK_AT), mask);
	bool read = image_number(image, at + MASK_AT, 4, mask);
	*mask += variables->table->rodata;
	return read;
}

bool stack_variables_next(struct stack_variables *variables, struct stack_variable *variable)
{
	const struct image *image = variables->table->image;
	uint64_t pointers = 0, mask = 0;
	bool program = false;
	*variable = (struct stack_variable){0};
	bool read = (variables->minor <= OF_TYPE ? read_typed : read_sized)(variables, variable,
	                                                                    &pointers, &mask, &program);
	variables->at += variables->row;
	if (!read || pointers > variable->size || variable->size > INT32_MAX)
		return false;
	variable->words = (uint32_t)(pointers / image->pointer_size);
	variable->mask = program ? NULL : image_bytes(image, mask, (variable->words + 7) / 8);
	return program || variable->mask || !variable->words;
}
