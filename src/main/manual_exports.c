/* The manual's section on the formats to export. */
#include "main/exporter.h"
#include "main/manual.h"

void manual_exports(struct buf *out)
{
	buf_add(out, ".Sh EXPORTS\n"
	             "What\n.Ic export Fl -format\nwrites:\n"
	             ".Bl -tag -width Ds\n");
	for (size_t i = 0; exporters[i]; i++) {
		struct buf text = {0};
		buf_addf(&text, "%s. %s", exporters[i]->help,
		         exporters[i]->about ? exporters[i]->about : "");
		buf_addf(out, ".It Li %s\n", exporters[i]->name);
		manual_text(out, buf_text(&text));
		buf_free(&text);
	}
	buf_add(out, ".El\n.Pp\n"
	             "A file that\n.Fl o\nnames is readable by its owner only,\n"
	             "and has its name once it is whole.\n");
}
