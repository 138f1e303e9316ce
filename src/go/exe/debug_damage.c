#include "debug_damage.h"

#include "base/mem.h"
#include "base/text.h"

#include <elfutils/libdw.h>
#include <errno.h>
#include <libelf.h>
#include <string.h>

void debug_begin(void)
{
	errno = 0;
	elf_errno();
	dwarf_errno();
}

bool debug_complained(void)
{
	mem_check_errno();
	return dwarf_errno() != 0;
}

void debug_count(struct debug_damage *damage, enum debug_part part)
{
	damage->lost[part] += debug_complained();
}

void debug_section(struct debug_damage *damage, const char *name, const char *what)
{
	if (damage->sections.len)
		buf_add(&damage->sections, ", ");
	text_add_escaped(&damage->sections, name, strlen(name), 40);
	buf_addf(&damage->sections, " %s", what);
}

void debug_explain(const struct debug_damage *damage, struct buf *out)
{
	static const struct {
		const char *one, *many;
	} names[DEBUG_PARTS] = {
		[DEBUG_UNITS] = {"unit", "units"},
		[DEBUG_FUNCTIONS] = {"function", "functions"},
		[DEBUG_TYPES] = {"type", "types"},
		[DEBUG_VARIABLES] = {"variable", "variables"},
	};
	bool any = false;
	buf_add(out, buf_text(&damage->sections));
	for (int part = 0; part < DEBUG_PARTS; part++) {
		if (!damage->lost[part])
			continue;
		buf_add(out, any || damage->sections.len ? ", " : "");
		text_add_number_of(out, damage->lost[part], names[part].one, names[part].many);
		any = true;
	}
	if (any)
		buf_add(out, " cannot be read");
}
