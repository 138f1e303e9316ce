/* What is told of an argument that names no object, in place of a page: part of
   table/naming/operand.h. */
#include "table/naming/operand_parts.h"

#include "analysis/root_nodes.h"
#include "base/text.h"
#include "table/naming/argument.h"

#include <inttypes.h>

enum { SHOWN = 200 };

/* Appends what an operand is whose memory is no object. */
static bool operand_tell_memory(const struct analysis *analysis, const struct operand *operand,
                                struct buf *out)
{
	struct err why = {0};
	uint32_t id;
	if (operand_object(analysis, operand, &id, &why))
		return false;
	if (operand->kind == OPERAND_ADDRESS) {
		SCOPED_BUF place = {0};
		operand_add_place(analysis, operand->address, &place);
		if (place.len)
			buf_addf(out, "0x%" PRIx64 " is no object: it is %s", operand->address,
			         buf_text(&place));
		return place.len;
	}
	if (operand->kind == OPERAND_ROOT_NODE) {
		text_add_escaped(out, operand->start, (size_t)(operand->end - operand->start), SHOWN);
		const struct root_nodes *nodes = analysis_root_nodes(analysis);
		bool one = nodes->root_node[operand->index].kind == ROOT_NODE_FINALIZER;
		buf_addf(out, " %s no object: the table retained by tree has what %s",
		         one ? "is a root and" : "are roots and", one ? "it retains" : "they retain");
		return true;
	}
	bool named = operand->kind == OPERAND_VALUE ? operand->size : operand->kind != OPERAND_ROOT;
	if (named)
		buf_add(out, why.text);
	return named;
}

bool operand_tell(const struct analysis *analysis, const char *argument, struct buf *out)
{
	struct operand operand;
	if (operand_tell_value(analysis, argument, out))
		return true;
	if (!analysis_has(analysis, STAGE_TYPED))
		return false;
	if (argument_operand(analysis, argument, &operand, &(struct err){0}))
		return operand_tell_memory(analysis, &operand, out);
	return operand_add_nothing(analysis, argument, out);
}
