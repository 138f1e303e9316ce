#include "table/runtime_variables.h"

#include <string.h>

/* Of runtime/runtime2.go, proc.go, mheap.go, iface.go, by what a program has that ends up there. */
static const struct runtime_variable {
	const char *name, *holds;
} runtime_variables[] = {
	{"runtime.allgptr", "goroutines"},
	{"runtime.allgs", "goroutines"},
	{"runtime.allm", "threads"},
	{"runtime.allp", "timers and caches"},
	{"runtime.itabTable", "types in interfaces"},
	{"runtime.sched", "goroutines to run"},
	{"runtime.semtable", "goroutines that wait"},
	{"runtime.timers", "timers"},
};

void runtime_variable_add(struct buf *out, size_t from)
{
	size_t len = strcspn(buf_text(out) + from, ",");
	for (size_t i = 0; i < sizeof runtime_variables / sizeof *runtime_variables; i++) {
		const struct runtime_variable *variable = &runtime_variables[i];
		if (strlen(variable->name) != len
		    || strncmp(buf_text(out) + from, variable->name, len) != 0)
			continue;
		struct buf rest = {0};
		buf_add(&rest, buf_text(out) + from + len);
		out->len = from + len;
		buf_addf(out, ": %s%s", variable->holds, buf_text(&rest));
		buf_free(&rest);
		return;
	}
}

void runtime_variable_leave(struct buf *out)
{
	static const char of[] = "runtime.";
	char *text = out->data, *remark;
	if (text && strncmp(text, of, strlen(of)) == 0 && (remark = strstr(text, ": "))) {
		*remark = 0;
		out->len = (size_t)(remark - text);
	}
}
