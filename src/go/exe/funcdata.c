/* Frame data in the table of functions: frame sizes, and where the pointer maps are. */
#include "pclntab_layout.h"

int64_t pclntab_sp_delta(const struct pclntab *table, size_t function, uint64_t pc)
{
	table = pclntab_of(table, function);
	uint64_t at = pclntab_number(table, pclntab_fields(table, function) + FIELD_PCSP, 4);
	return pclntab_value(table, function, at, pc);
}

uint64_t pclntab_pcdata_offset(const struct pclntab *table, size_t function, unsigned number)
{
	table = pclntab_of(table, function);
	uint64_t fields = pclntab_fields(table, function);
	if (pclntab_number(table, fields + FIELD_PCDATA_COUNT, 4) <= number)
		return 0;
	return pclntab_number(table, fields + table->layout->fields + 4 * number, 4);
}

int64_t pclntab_pcdata(const struct pclntab *table, size_t function, unsigned number, uint64_t pc)
{
	return pclntab_value(table, function, pclntab_pcdata_offset(table, function, number), pc);
}

uint64_t pclntab_funcdata_from(const struct pclntab *table, size_t function, unsigned number,
                               uint64_t base)
{
	table = pclntab_of(table, function);
	const struct pclntab_layout *layout = table->layout;
	unsigned width = layout->narrow ? 4 : table->image->pointer_size;
	uint64_t fields = pclntab_fields(table, function), value = 0;
	if (pclntab_number(table, fields + layout->funcdata_count, 1) <= number)
		return 0;
	uint64_t pcdata = pclntab_number(table, fields + FIELD_PCDATA_COUNT, 4);
	uint64_t list = (fields + layout->fields + 4 * pcdata + width - 1) / width * width;
	uint64_t at = list + (uint64_t)number * width;
	if (layout->narrow) {
		value = pclntab_number(table, at, 4);
		return value == UINT32_MAX ? 0 : base + value;
	}
	image_pointer(table->image, table->address + at, &value);
	return value;
}

uint64_t pclntab_funcdata(const struct pclntab *table, size_t function, unsigned number)
{
	table = pclntab_of(table, function);
	if (table->layout->narrow && !table->funcdata)
		return 0;
	return pclntab_funcdata_from(table, function, number, table->funcdata);
}

int32_t pclntab_arguments(const struct pclntab *table, size_t function)
{
	table = pclntab_of(table, function);
	return (int32_t)pclntab_number(table, pclntab_fields(table, function) + FIELD_ARGUMENTS, 4);
}
