#include "types/names.h"

#include <string.h>

/* Returns true for runtime functions that a fault or a preemption seems to call: the frame below is
   at an instruction that is no call. */
static bool is_interrupt(struct text function)
{
	return text_is(function, "runtime.sigpanic") || text_is(function, "runtime.asyncPreempt");
}

size_t names_frame(const struct names *names, const struct heap *heap, uint32_t frame,
                   struct pclntab_line lines[EXE_LINES])
{
	if (!names || !names->exe)
		return 0;
	const struct frame *f = &heap->frames[frame];
	bool is_return = true;
	if (frame > 0 && heap->frames[frame - 1].thread == f->thread)
		is_return = !is_interrupt(heap->frames[frame - 1].record.function);
	return exe_lines(names->exe, f->record.pc - names->fit.bias, is_return, lines);
}

bool names_function(const struct names *names, uint64_t pc, const char **name)
{
	uint64_t entry;
	return names && names->exe && exe_function(names->exe, pc - names->fit.bias, name, &entry);
}

bool names_variable(const struct names *names, uint64_t address, const char **name,
                    uint64_t *offset)
{
	if (names && names->exe
	    && exe_variable(names->exe, address - names->fit.data_bias, name, offset))
		return true;
	const struct runtime_variable *told = names ? runtime_variables_at(names->runtime, address)
	                                            : NULL;
	if (!told || !told->name)
		return false;
	*name = told->name;
	*offset = address - told->address;
	return true;
}

bool names_is_of_runtime(const struct names *names, uint64_t address)
{
	return names && runtime_variables_at(names->runtime, address);
}

const char *names_file_base(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}
