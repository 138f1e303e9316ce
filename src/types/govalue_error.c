/* Error messages: the text that the Error method would return, reconstructed from fields. */
#include "govalue_read.h"

#include <string.h>

/* Fields with the message, in errors of the standard library and most others. */
static const char *const messages[] = {"s", "msg", "message", "Msg", "Message"};
/* Fields of "open /etc/hosts: no such file": io/fs.PathError, os.SyscallError, net.OpError,
   net/url.Error. */
static const char *const parts[] = {"Op", "Path", "URL", "Syscall", "Func", "Net", "Num"};

static bool govalue_error_is_text(const struct struct_view *field)
{
	return gotype_get(field->in->types, field->type)->kind == GO_STRING;
}

static bool add_message(const struct reading *r, const struct struct_view *error)
{
	struct struct_view field;
	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
		if (!struct_view_field(error, messages[i], &field) || !govalue_error_is_text(&field))
			continue;
		buf_add_char(r->out, ' ');
		reading_inner(r, field.type, field.data, field.size);
		return true;
	}
	return false;
}

static bool govalue_error_add_parts(const struct reading *r, const struct struct_view *error)
{
	struct struct_view field, cause;
	if (!struct_view_field(error, "Err", &cause))
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!struct_view_field(error, parts[i], &field) || !govalue_error_is_text(&field))
			continue;
		buf_add_char(r->out, ' ');
		reading_inner(r, field.type, field.data, field.size);
	}
	buf_add(r->out, ": ");
	reading_inner(r, cause.type, cause.data, cause.size);
	return true;
}

bool reading_error(const struct reading *r, gotype_id id, uint64_t address)
{
	const struct gotype *type = gotype_get(typing_types(r->in->typing), id);
	struct struct_view error;
	return type->kind == GO_STRUCT && strstr(type->name, "rror")
	       && struct_view_at(typing_runtime(r->in->typing), id, address, &error)
	       && (add_message(r, &error) || govalue_error_add_parts(r, &error));
}
